"""Sources of data and of numbers, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpviz.data import DATASETS
from dpviz.encoders import get
from dpviz.experiments import result_files, store
from dpviz.text import settings as text
from dpviz.text.template import render_text
from dpviz.types import DataConfig, Result


def data(read: DataConfig) -> list[str]:
    """Return source and license of data set, public set and encoder; nothing for uploads."""
    sets = [DATASETS.get(read.dataset.split(":")[0]), DATASETS.get(read.public or "")]
    sentences = [
        render_text(text.DATA_SOURCE, title=row.title, source=row.source, terms=row.terms)
        for row in sets
        if row
    ]
    if read.encoder:
        encoder = get(read.encoder)
        fields = {"title": encoder.title, "source": encoder.source}
        fields |= {"trained": encoder.trained_on, "license": encoder.licence}
        sentences.append(render_text(text.ENCODER_SOURCE, **fields))
    return sentences


def runs(results: Sequence[Result]) -> str:
    """Return how many runs were computed, in what time, and how many were stored."""
    fresh = [r.seconds for r in results if r.origin == "computed"]
    parts = []
    if fresh:
        fields = {"fresh": len(fresh), "runs": len(results), "seconds": f"{sum(fresh):.1f}"}
        parts.append(render_text(text.COMPUTED, **fields))
    if len(fresh) < len(results):
        parts.append(render_text(text.STORED, runs=len(results) - len(fresh)))
    if results:
        parts += [result_files.REPLAY]
    return " · ".join(parts)


def computed_by(results: Sequence[Result]) -> list[str]:
    """Return the versions behind the results, as a sentence."""
    if not results:
        return []
    return [render_text(text.COMPUTED_BY, versions=_versions(results[0].versions))]


def versions_now() -> str:
    """Return the versions of dpviz, its code and its main libraries."""
    return _versions(store.versions())


def _versions(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in versions.items())
