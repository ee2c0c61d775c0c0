"""Where data and numbers come from, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpviz.data import DATASETS
from dpviz.encoders import get
from dpviz.run import result_files, store
from dpviz.types import DataConfig, Result


def data(read: DataConfig) -> list[str]:
    """Where data, public set and encoder come from, with their terms; nothing for uploads."""
    sets = [DATASETS.get(read.dataset.split(":")[0]), DATASETS.get(read.public or "")]
    sentences = [f"{row.title}: {row.source}; {row.terms}." for row in sets if row]
    if read.encoder:
        encoder = get(read.encoder)
        trained = f"trained on {encoder.trained_on}; {encoder.licence}"
        sentences.append(f"{encoder.title}: {encoder.source}; {trained}.")
    return sentences


def runs(results: Sequence[Result]) -> str:
    """How many runs were computed and in what time, and how many stored."""
    fresh = [r.seconds for r in results if r.origin == "computed"]
    parts = []
    if fresh:
        count = f"{len(fresh)} of {len(results)} runs computed since this server started"
        parts.append(f"{count}, in {sum(fresh):.1f} s")
    if len(fresh) < len(results):
        parts.append(f"{len(results) - len(fresh)} runs from the store")
    if results:
        parts += [result_files.REPLAY]
    return " · ".join(parts)


def computed_by(results: Sequence[Result]) -> list[str]:
    """Which versions gave the results, as a sentence where there are any."""
    return [f"Computed by {_versions(results[0].versions)}."] if results else []


def report(results: Sequence[Result]) -> str:
    """How many runs stand behind a report, and by which versions; no times, so that equal views
    give equal files.
    """
    count = (
        f"{len(results)} runs computed by dpviz on the data named above; nothing is taken from a"
        " paper unless a figure says so. "
    )
    return f"{count if results else ''}{_versions(store.versions())}."


def _versions(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in versions.items())
