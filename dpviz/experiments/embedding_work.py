"""Long work on image sets: inspect a set, embed a set, sort an upload."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dpviz import data, encoders
from dpviz.caches import cached
from dpviz.data import (
    feature_cache,
    held_aside,
    private_pictures,
    untrusted_files,
    uploads,
)
from dpviz.data.readers import people, uploaded_pictures
from dpviz.data.readers.picture_sets import labels_of
from dpviz.data.source import Source
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Progress, Work, no_private_runs
from dpviz.machine import public_mode
from dpviz.machine.files import write_atomic
from dpviz.types import DpvizError, Files, RunSpec

#: Images per class, and classes, of a preview.
SAMPLES_PER_CLASS, SAMPLED_CLASSES = 3, 10


@dataclass(frozen=True)
class Task:
    """One piece of work.

    Attributes:
        method: kind of work, for error messages; other fields: as in ``RunSpec``.
    """

    method: str
    dataset: str
    encoder: str | None = None
    public: str | None = None
    stamp: str = ""


@dataclass(frozen=True, eq=False)
class SetContents:
    """Content of an image set; a private view.

    Attributes:
        names: of its C classes; train, test: images per class; rows: previewed training images with
            their classes; images: of these rows, (k, h, w, 3) uint8; refused: (name, reason) of
            skipped files; notes: sentences about the files; person_sizes: training images per
            person, descending, empty if persons are unknown; aside: training images per class that
            can be held aside.
    """

    names: tuple[str, ...]
    train: tuple[int, ...]
    test: tuple[int, ...]
    rows: tuple[tuple[int, int], ...]
    images: np.ndarray
    refused: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    person_sizes: tuple[int, ...]
    aside: tuple[int, ...]


def inspect(task: Task, progress: Progress) -> SetContents:
    """Return counts and a few images of a set on disk."""
    progress("Reading the list of images", 0, 0)
    row = data.source(task.dataset)
    splits, names = row.images(), row.names()
    labels = {split: labels_of(part) for split, part in splits.items()}
    counts = {split: np.bincount(y, minlength=len(names)) for split, y in labels.items()}
    rows = [
        (int(r), c)
        for c in range(min(SAMPLED_CLASSES, len(names)))
        for r in np.flatnonzero(labels["train"] == c)[:SAMPLES_PER_CLASS]
    ]
    thumbnails = private_pictures.thumbnails(row, "train", np.array([r for r, _ in rows]))
    persons = splits["train"].persons
    aside = labels["train"][held_aside.rows(row)]
    return SetContents(
        names,
        tuple(counts["train"].tolist()),
        tuple(counts["test"].tolist()),
        tuple(rows),
        thumbnails,
        row.refused,
        row.notes,
        () if persons is None else people.images_per_person(persons.tolist()),
        tuple(np.bincount(aside, minlength=len(names)).tolist()),
    )


def embed(task: Task, progress: Progress) -> str:
    """Compute the features of a set and its public set, and return a sentence with the sizes."""
    public_mode.refuse("embedding")
    dataset = data.load(task.dataset, task.encoder, task.public, progress)
    dataset.public_made(progress)
    return (
        f"{len(dataset.x):,} private and {len(dataset.x_test):,} test records of"
        f" {dataset.x.shape[1]:,} features"
    )


def sort(task: Task, progress: Progress) -> uploaded_pictures.Sorted:
    """Return used and refused members of an upload; repack the used ones, delete the upload."""
    public_mode.refuse("uploads")
    name = task.dataset
    report = uploads.report(name)
    if uploads.path(name).exists() and report.exists():
        return uploaded_pictures.Sorted.read(report.read_bytes())
    members = untrusted_files.pictures(
        uploads.unsorted(name),
        uploads.path(name),
        progress,
        uploads.remaining_bytes(name),
        lambda size: uploads.admitted(name, size),
    )
    text = members.to_json()
    write_atomic(report, lambda file: file.write(text))
    uploads.unsorted(name).unlink(missing_ok=True)
    uploads.evict()
    return uploaded_pictures.Sorted.read(text)


TASKS = {"look": inspect, "embed": embed, "sort": sort}
PICTURE_WORK = Work(
    lambda group, progress: [TASKS[group[0].method](group[0], progress)],
    max_groups=40,
    private_runs=no_private_runs,
)


def ready(row: Source, encoder: str) -> bool:
    """Return whether the features of all images of a row on disk are cached."""
    return not _remaining_of(row, encoder)


def rate(row: Source, encoder: str) -> feature_cache.Rate | None:
    """Return the measured embedding rate of a row on disk; None if unknown."""
    folders = _folders(row.key, data.stamp(row.key), encoder)
    return feature_cache.total_rate(feature_cache.read_rate(folder) for folder, _, _ in folders)


def remaining(specs: Iterable[RunSpec]) -> dict[str, int]:
    """Return the number of images, private and public, that each encoder has to embed for some
    runs.

    Uploads, features, invalid runs and encoders without work are left out.
    """
    sets: dict[tuple[str, str], None] = {}
    for spec in specs:
        if spec.dataset not in data.DATASETS or spec.encoder is None:
            continue
        sets[spec.dataset, spec.encoder] = None
        try:
            full = experiment.complete(spec)
        except DpvizError:  # the run itself reports the error
            continue
        public = data.DATASETS.get(full.public or "")
        if public and experiment.reads_public(full):
            sets[public.part_of or public.key, spec.encoder] = None
    counts: Counter[str] = Counter()
    for key, encoder in sets:
        counts[encoder] += _remaining_of(data.source(key), encoder)
    return dict(+counts)


def _remaining_of(row: Source, encoder: str) -> int:
    """Return the number of images of a row on disk without cached features."""
    splits = row.images().values()
    if not all(split.is_marked() for split in splits if isinstance(split, Files)):
        return sum(map(len, splits))
    return sum(
        math.ceil(feature_cache.lacking(folder, records, dim) / (2 * dim))
        for folder, records, dim in _folders(row.key, data.stamp(row.key), encoder)
    )


@cached(64)
def _folders(key: str, stamp: tuple, encoder: str) -> list[tuple[Path, int, int]]:
    row, network = data.source(key), encoders.get(encoder)
    splits = row.images().values()
    return [
        (
            feature_cache.place(split, network, uploads.features_of(key)),
            len(split),
            network.dim,
        )
        for split in splits
    ]
