"""The controls of "Neural collapse": the features set side by side, and the runs they ask for."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st

from dpviz.caches import cached
from dpviz.data import DATASETS, feature_cache, persons_known, synthetic, uploads
from dpviz.encoders import ENCODERS, availability
from dpviz.machine.files import cache_dir
from dpviz.methods import METHODS
from dpviz.types import DataConfig, DpvizError, Images
from dpviz.ui.widgets import param_widgets, shared_controls
from dpviz.ui.widgets.choices import choice
from dpviz.views.page_config import Group, PageConfig

METHOD, REFERENCE = "noisy-gd", "logistic"
PICTURES = "mnist5k"
"""Whose encoders stand beside features that came without one."""
COMPARISON_DATA = synthetic.name(n=4000)
"""Beside pictures: as many records as MNIST's part has, since fewer records make privacy dearer by
themselves.
"""
FIRST_ENCODERS = ("glyphnet", "lite0", "lite0-128")
"""Encoders whose features stand there at first where they are kept: few enough numbers that nobody
waits for a probe on them.
"""
COMPARISON_HELP = (
    "Other features, trained under the same budget. An encoder that is not in the cache embeds its"
    " pictures first, which may take minutes."
)


@dataclass(frozen=True)
class Source:
    """One kind of features: its title, and the data set and encoder of its runs."""

    title: str
    dataset: str
    encoder: str | None
    public: str | None


@dataclass(frozen=True)
class CollapseView(PageConfig):
    """A view of the private linear probe on several kinds of features, the chosen ones first.

    Attributes:
        sources: they; without_persons: those left out as the promise is to persons, whom they do
        not know.
    """

    sources: tuple[Source, ...]
    without_persons: tuple[Source, ...] = ()

    def pair(
        self, source: Source, params: dict[str, Any] | None = None, **changes: Any
    ) -> tuple[Group, Group]:
        """Runs without noise (one gradient descent, for nothing varies) and with it (one a seed).
        Generated records are nobody's: with them the promise is to each record.

        Args:
            params: of the method, that change; changes: other fields of a run.
        """
        facts: dict[str, Any] = {"dataset": source.dataset, "encoder": source.encoder}
        facts["public"] = source.public
        if synthetic.is_synthetic(source.dataset):
            facts |= {"unit": "picture", "per_person": 0}
        settings = dict(dict(self.params).get(METHOD, ())) | (params or {})
        fields = facts | {"params": tuple(settings.items())} | changes
        seeds = range(self.first_seed, self.first_seed + self.seeds)
        quiet = (self.spec(METHOD, math.inf, **fields),)
        return quiet, tuple(self.spec(METHOD, **fields, seed=seed) for seed in seeds)


def sidebar() -> CollapseView:
    """All controls, under the keys they have on the other pages; balanced at first, as in the
    paper.
    """
    sources = lambda material: {"sources": _sources(material)}
    view = shared_controls.sidebar_of(CollapseView, _method, sources, ratio=1)
    if view.unit == "picture":
        return view
    chosen, *others = view.sources
    known = tuple(source for source in others if persons_known(source.dataset))
    nobodys = tuple(source for source in others if source not in known)
    return replace(view, sources=(chosen, *known), without_persons=nobodys)


def _method() -> shared_controls.Fields:
    with st.expander("Learning rate, steps, clip norm"):
        changed = param_widgets.form(METHODS[METHOD])
    fields = {"methods": (METHOD, REFERENCE), "params": ((METHOD, changed),) if changed else ()}
    return fields | shared_controls.noise_seeds()


def metric(view: CollapseView) -> str:
    """Which accuracy; over classes at first, as there is no minority in balanced data."""
    return shared_controls.metric(view, "balanced")


# ------------------------------------------------------------------------------------------ sources


def _sources(material: DataConfig) -> tuple[Source, ...]:
    """The chosen features first, then those they are compared with."""
    dataset, encoder, public = material.dataset, material.encoder, material.public
    chosen = Source(_title(dataset, encoder), dataset, encoder, public)
    others = _other_features(dataset, encoder, public)
    first = tuple(
        key
        for key, source in others.items()
        if key == synthetic.KEY or (key in FIRST_ENCODERS and _is_cached(key, source.dataset))
    )
    titles = {key: source.title for key, source in others.items()}
    picked: tuple[str, ...] = ()
    if others:
        picked = choice(
            st.multiselect, "Beside them", titles, first, "beside", help=COMPARISON_HELP
        )
    return chosen, *(others[key] for key in others if key in picked)


def _other_features(dataset: str, encoder: str | None, public: str | None) -> dict[str, Source]:
    pictures, public = (dataset, public) if encoder else (PICTURES, None)
    others = {
        key: Source(_title(pictures, key), pictures, key, public)
        for key in availability.titles()
        if key != encoder
    }
    if not synthetic.is_synthetic(dataset):
        others[synthetic.KEY] = Source(_title(COMPARISON_DATA, None), COMPARISON_DATA, None, None)
    return others


def _title(dataset: str, encoder: str | None) -> str:
    if synthetic.is_synthetic(dataset):
        try:
            s = synthetic.parse(dataset)
        except DpvizError:  # the runs say it in full
            return "Synthetic"
        return f"Synthetic, K = {s['classes']}, p = {s['dim']}, n = {s['n']:,}, β = {s['beta']:g}"
    if encoder is None:
        return "Your own features"
    row = DATASETS.get(dataset)
    pictures = (
        row.title.split(",")[0]
        if row
        else _plain(uploads.display_name(dataset) or Path(dataset).name)
    )
    return f"{availability.title(encoder).split(' (')[0]} on {pictures}"


def _plain(name: str) -> str:
    """A stranger's name without signs that a chart or a sentence could take for markup."""
    return re.sub(r"[^\w .-]|_", " ", name)


def _is_cached(encoder: str, dataset: str) -> bool:
    """Whether the training features of a bundled set are in the cache, so that nobody waits for
    them.
    """
    try:
        folder = _folder(encoder, dataset)
    except (DpvizError, OSError):
        return False
    return folder is not None and (cache_dir() / "features" / folder).is_dir()


@cached(32)
def _folder(encoder: str, dataset: str) -> str | None:
    """Where they would lie; None for sets that are read picture by picture, which takes too long to
    ask.
    """
    train = DATASETS[dataset].images()["train"] if dataset in DATASETS else None
    return feature_cache.key(train.pixels, ENCODERS[encoder]) if isinstance(train, Images) else None
