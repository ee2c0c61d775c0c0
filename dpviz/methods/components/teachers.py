"""Votes of an ensemble of teachers on an unlabelled public pool, kept in memory and on disk.

Votes are private until an aggregator has noised them: see ``mechanisms.confident_gnmax``.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dpviz import mechanisms
from dpviz.caches import KeyedCache
from dpviz.lazy_imports import torch
from dpviz.machine import accelerator, code_fingerprint, public_mode
from dpviz.machine import array_files as disk
from dpviz.machine.files import cache_dir
from dpviz.methods.components import ensembles
from dpviz.methods.components.ensembles import Block, Scorer
from dpviz.methods.components.public_sets import NoPublicSet
from dpviz.types import Dataset, DpvizError, Head, unit_rows

KINDS = {
    "linear": "linear head on features (Transfer-PATE)",
    "fc1": "label mapping, one layer on source scores (Prom-PATE without its prompt)",
    "fc2": "label mapping, two layers on source scores (Prom-PATE without its prompt)",
    "random-map": ("label mapping, random one-to-one, untrained (Prom-PATE without its prompt)"),
    "scratch": "small network from scratch (plain PATE)",
    "prompt": "visual prompt and label mapping (Prom-PATE)",
}
STEPWISE = ("fc2", "scratch")
"""Kinds with two layers, which learn in steps."""
MAPPINGS = ("fc1", "fc2", "random-map")
POOLS = {
    "all": "all public images",
    "named": "public images of classes that share a name with a private class",
}
HIDDEN = 32
MAX_QUERIES = {"prompt": 200}
QUERIES = 2000
"""Votes are counted for this many public records at most (fewer for prompts, where each costs a
pass a teacher).
"""
TESTED = 200
"""Test records on which teachers are marked, for the private view."""
MAX_CACHED_VOTES = 16
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Votes:
    """What an ensemble says of its queries. Private, all of it but ``rows`` and ``truth``.

    Attributes:
        counts: (q, C) int64 votes, each row summing to the number of teachers.
        rows: (q,) int64 public records asked about, in the order of asking, drawn without looking
            at votes.
        truth: (q,) int64 private class of each query, -1 where it is of no private class or not
            known; for diagnosis.
        sizes: (teachers,) int64 records of each teacher; unused: records that no teacher has (0: a
            hash places all).
        right: (teachers,) share of some test records that each teacher gets right; for diagnosis.
    """

    counts: np.ndarray
    rows: np.ndarray
    truth: np.ndarray
    sizes: np.ndarray
    unused: int
    right: np.ndarray


@dataclass(frozen=True)
class Ensemble:
    """Settings that decide the votes.

    Attributes:
        kind: a key of KINDS; teachers: how many; seed: of shards, order of queries and public
            starts.
        pool: a key of POOLS; mapping: a key of MAPPINGS, for prompts.
        ratio: side of the picture inside the frame as a share of the whole, for prompts.
        framed: whether the prompt stays in the frame (mask) or lies over the picture.
        by_person: whether all records of a person are at one teacher.
    """

    kind: str
    teachers: int
    seed: int = 0
    pool: str = "all"
    mapping: str = "fc1"
    ratio: float = 0.75
    framed: bool = True
    by_person: bool = False


def votes(
    data: Dataset,
    kind: str,
    teachers: int,
    seed: int = 0,
    *,
    pool: str = "all",
    mapping: str = "fc1",
    ratio: float = 0.75,
    framed: bool = True,
    by_person: bool = False,
    progress: Progress | None = None,
) -> Votes:
    """Votes of ``teachers`` teachers of one ``kind`` on public records; see ``Ensemble`` for the
    settings.

    Args:
        progress: called with (stage in words, teachers done, teachers); may raise ``Cancelled``,
            and then nothing is kept.

    Raises:
        DpvizError: without a public set, or where the kind needs a source head or pictures that are
            not there.

    Guarantee: none by themselves. One record more or less, or one person with ``by_person``, moves
    one teacher's votes, one for each query: L2 sensitivity sqrt(2) a query, and 1 for its top
    count.
    Source: Papernot et al. 2018, Section 3; teachers as in Li et al. 2023, Sections 3.2 and 4.2.
    """
    prompt_settings: dict[str, Any] = {"by_person": by_person}
    if kind == "prompt":
        prompt_settings |= {"mapping": mapping, "ratio": float(ratio), "framed": bool(framed)}
    ensemble = Ensemble(kind, teachers, seed, pool, **prompt_settings)
    return count_votes(data, ensemble, progress or _silent)


def count_votes(data: Dataset, ensemble: Ensemble, progress: Progress | None = None) -> Votes:
    """``votes`` of settings in one piece: from memory, from disk, or counted now."""
    refuse(ensemble, data.sizes.head, data.sizes.pictures)
    key = _key(data, ensemble)
    return _votes.get_or_compute(
        key, lambda: _read(key) or _store(key, _count(data, ensemble, progress or _silent))
    )


_votes: KeyedCache[Votes] = KeyedCache(__name__, MAX_CACHED_VOTES)


def _silent(stage: str, done: int, total: int) -> None:
    return None


def refuse(ensemble: Ensemble, head: bool, pictures: bool) -> None:
    """Raises DpvizError for settings that cannot work with what is there.

    Args:
        head: whether the encoder's own classifier is known; pictures: whether there are pictures.
    """
    if ensemble.kind not in KINDS:
        raise DpvizError(f"Unknown teachers {ensemble.kind!r}. Use one of {', '.join(KINDS)}.")
    if ensemble.pool not in POOLS or ensemble.mapping not in MAPPINGS:
        raise DpvizError(
            f"Unknown pool {ensemble.pool!r} or mapping {ensemble.mapping!r}. Use"
            f" {', '.join(POOLS)} and {', '.join(MAPPINGS)}."
        )
    if ensemble.kind in (*MAPPINGS, "prompt") and not head:
        raise DpvizError(
            "Label mappings need the encoder's class scores, which these features lack. Use"
            " linear teachers."
        )
    if ensemble.kind == "prompt" and not pictures:
        raise DpvizError(
            "Visual prompts need images, which these features lack. Use linear teachers."
        )


# -------------------------------------------------------------------------------------------- votes


def queries(data: Dataset, ensemble: Ensemble) -> np.ndarray:
    """Public records to ask about, (q,) int64, in an order that the seed decides.

    Raises:
        DpvizError: if there are none.
    """
    m = data.sizes.public
    rows = mechanisms.generator(ensemble.seed, "queries").permutation(m)
    if ensemble.pool == "named":
        rows = rows[_truth(data, rows) >= 0]
    if not len(rows):
        raise NoPublicSet(
            "The teachers need public images to label, and this data set has none. Choose a"
            " public set, or treat some of the images as public."
        )
    return rows[: max_queries(ensemble.kind)]


def max_queries(kind: str) -> int:
    """Queries that teachers of a kind are asked at most."""
    return MAX_QUERIES.get(kind, QUERIES)


def _truth(data: Dataset, rows: np.ndarray) -> np.ndarray:
    """Private class of public records by their names, -1 where there is none."""
    if data.y_public is None:
        return np.full(len(rows), -1)
    number = {name: c for c, name in enumerate(data.class_names)}
    if data.public_names is None:
        y = data.y_public[rows]
        return np.where(y < data.classes, y, -1)
    table = np.array([*(number.get(name, -1) for name in data.public_names), -1])
    return table[data.y_public[rows]]


def _count(data: Dataset, ensemble: Ensemble, progress: Progress) -> Votes:
    shards = ensembles.shards_of_persons if ensemble.by_person else ensembles.shards
    return votes_of(data, ensemble, shards(data, ensemble.teachers, ensemble.seed), progress)


def votes_of(
    data: Dataset, ensemble: Ensemble, owner: np.ndarray, progress: Progress | None = None
) -> Votes:
    """Votes of teachers that have the records which ``owner`` (n,) int64 says; -1 for nobody's.

    Guarantee: none, by themselves or beneath any noise, unless a record's owner depends on that
    record alone.
    """
    progress, rows = progress or _silent, queries(data, ensemble)
    tested = np.linspace(0, len(data.x_test) - 1, min(TESTED, len(data.x_test))).astype(np.int64)
    # a prompt is as much work alone as among others
    at_once = 1 if ensemble.kind == "prompt" else ensembles.TEACHERS_AT_ONCE
    private, *public = _stored_inputs(data, ensemble.kind, rows, tested)
    content = ensembles.marks(private, data.y)
    own_block_room = ensembles.OWN_BLOCK_ROOM if ensemble.kind in STEPWISE else math.inf
    blocks = ensembles.blocks(
        owner, data.y, content, ensemble.teachers, data.classes, at_once, own_block_room
    )
    train, prepare = _trainer(data, ensemble, torch.from_numpy(private))
    inputs = torch.cat([prepare(torch.from_numpy(part)) for part in public])
    stage = f"Training {ensemble.teachers} teachers"
    progress(stage, 0, ensemble.teachers)
    picks = ensembles.ballots(
        train, blocks, inputs, lambda done, total: progress(stage, done, total)
    )
    right = np.full(ensemble.teachers, np.nan)
    if len(tested):
        right = (picks[:, len(rows) :] == data.y_test[tested]).mean(axis=1)
    sizes = np.bincount(owner, minlength=ensemble.teachers)
    counts = ensembles.count(picks[:, : len(rows)], data.classes)
    return Votes(counts, rows, _truth(data, rows), sizes, len(data.y) - int(sizes.sum()), right)


Preparation = Callable[["torch.Tensor"], "torch.Tensor"]
"""What a teacher makes of records (k, ...): its inputs (k, ...) float32."""


def _trainer(
    data: Dataset, ensemble: Ensemble, private: torch.Tensor
) -> tuple[Callable[[Block], Scorer], Preparation]:
    """What trains a block, and how teachers look at records."""
    if ensemble.kind == "prompt":
        from dpviz.methods.components import prompts

        canvas = prompts.canvas(data, ensemble.ratio, ensemble.framed)
        place = lambda pixels: canvas.place(canvas.prepare(pixels.numpy()))
        return lambda block: prompts.prompted(
            block, block.gather(private, place), canvas, ensemble.mapping, ensemble.seed
        ), place
    prepare = _preparation(data, ensemble.kind)
    if ensemble.kind == "random-map":
        from dpviz.methods.components.prompts import one_to_one

        assert data.head is not None
        chosen = torch.from_numpy(one_to_one(len(data.head().bias), data.classes, ensemble.seed))
        return (
            lambda block: lambda scores: scores[:, chosen].expand(len(block.mask), -1, -1),
            prepare,
        )
    if ensemble.kind in ("linear", "fc1"):
        return lambda block: ensembles.ridge(block, block.gather(private, prepare)), prepare
    return lambda block: ensembles.two_layers(
        block, block.gather(private, prepare), HIDDEN, ensemble.seed
    ), prepare


def _stored_inputs(
    data: Dataset, kind: str, rows: np.ndarray, tested: np.ndarray
) -> list[np.ndarray]:
    """Private records, queries and tested records as they are stored: pictures, or features
    (n, d).
    """
    if kind in ("scratch", "prompt") and data.thumbnails is not None:
        assert data.rows is not None
        places = ("train", data.rows), ("public", rows), ("test", tested)
        return [np.array(data.thumbnails(*place)) for place in places]
    return [np.array(x, np.float32) for x in (data.x, data.public[rows], data.x_test[tested])]


def _preparation(data: Dataset, kind: str) -> Preparation:
    """Of teachers without a prompt; a record's inputs (k, p) do not depend on how many there are
    beyond a block's places.
    """
    if kind in MAPPINGS:
        assert data.head is not None
        return partial(_scores, data.head())
    if kind == "scratch" and data.thumbnails is not None:
        return _small
    return lambda x: _unit(x.numpy())


def _scores(head: Head, x: torch.Tensor) -> torch.Tensor:
    with np.errstate(over="ignore", invalid="ignore"):  # of huge features, not of a set's own
        return _unit(np.nan_to_num(head.logits(x.numpy())))


def _unit(x: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(unit_rows(x))


def _small(pixels: torch.Tensor) -> torch.Tensor:
    """Pictures (n, h, w[, 3]) uint8 in grey at 14 x 14, (n, 196) float32 in [0, 1]."""
    images = pixels.float().div_(255)
    images = images.mean(-1) if images.dim() == 4 else images
    return torch.nn.functional.adaptive_avg_pool2d(images[:, None], 14).flatten(1)


# ------------------------------------------------------------------------------------------ keeping


def _key(data: Dataset, ensemble: Ensemble) -> str:
    mark = hashlib.sha256(
        f"{data.fingerprint} {ensemble} {code_fingerprint.own()} {torch.__version__}"
        f"{accelerator.model()}".encode()
    )
    if ensemble.by_person:
        assert data.persons is not None
        mark.update(data.persons.tobytes())
    if ensemble.kind in (*MAPPINGS, "prompt"):
        assert data.head is not None
        mark.update(data.head().weights.data)
    return mark.hexdigest()[:32]


_FIELDS = ("counts", "rows", "truth", "sizes", "right")


def _store(key: str, votes: Votes) -> Votes:
    folder = cache_dir() / "votes"
    if public_mode.has_room(folder):
        for name in _FIELDS:
            disk.keep(folder / key / name, getattr(votes, name))
    return votes


def _read(key: str) -> Votes | None:
    """Votes from disk; None if any part of them is missing or damaged."""
    folder = cache_dir() / "votes" / key
    fields = {name: part for name in _FIELDS if (part := disk.read(folder / name)) is not None}
    return Votes(unused=0, **fields) if len(fields) == len(_FIELDS) else None
