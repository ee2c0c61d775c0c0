"""Controls of the Neural collapse page: the features to compare, and their runs."""

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
from dpviz.text import neural_collapse as text
from dpviz.text.template import render_text
from dpviz.types import DataConfig, DpvizError, Images
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import param_widgets, shared_controls, side_bar
from dpviz.ui.widgets.choices import choice
from dpviz.views.page_config import Group, PageConfig

METHOD, REFERENCE = "noisy-gd", "logistic"
#: Data set whose encoders are compared with features that have no encoder.
PICTURES = "mnist5k"
#: Compared with images: as many records as the MNIST sample has, since size alone changes the cost.
COMPARISON_DATA = synthetic.name(n=4000)
#: Encoders shown at first if their features are cached: few dimensions, so runs are short.
FIRST_ENCODERS = ("glyphnet", "lite0", "lite0-128")


@dataclass(frozen=True)
class Source:
    """One kind of features: title, data set, encoder and public set."""

    title: str
    dataset: str
    encoder: str | None
    public: str | None

    @property
    def label(self) -> str:
        """The title without settings."""
        return self.title.split(",")[0]


@dataclass(frozen=True)
class CollapseView(PageConfig):
    """Settings of the private linear probe on several kinds of features.

    Attributes:
        sources: features, the chosen ones first; without_persons: features left out because the
            guarantee is per person and they belong to no person.
    """

    sources: tuple[Source, ...]
    without_persons: tuple[Source, ...] = ()

    def pair(
        self, source: Source, params: dict[str, Any] | None = None, **changes: Any
    ) -> tuple[Group, Group]:
        """Return the runs without noise (one, since nothing varies) and with noise (one per seed).

        The guarantee for generated records is per record.

        Args:
            params: changed settings of the method; changes: other fields of a run.
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
    """Draw all controls, with the same keys as on other pages; at first balanced, as in the paper,
    and with a small budget, at which noise costs accuracy with balanced classes, too.
    """
    sources = lambda material: {"sources": _sources(material)}
    view = shared_controls.sidebar_of(
        CollapseView, _method, sources, ratio=1, epsilon=0.1, headed=False
    )
    if view.unit == "picture":
        return view
    chosen, *others = view.sources
    known = tuple(source for source in others if persons_known(source.dataset))
    left_out = tuple(source for source in others if source not in known)
    return replace(view, sources=(chosen, *known), without_persons=left_out)


def _method() -> shared_controls.Fields:
    with side_bar.fold(text.SETTINGS):
        changed = param_widgets.form(METHODS[METHOD])
    fields = {"methods": (METHOD, REFERENCE), "params": ((METHOD, changed),) if changed else ()}
    return fields | shared_controls.noise_seeds()


def metric(view: CollapseView) -> str:
    """Draw the choice of the accuracy; the mean over classes comes first."""
    return shared_controls.metric("balanced", above=True)


# ------------------------------------------------------------------------------------------ sources


def _sources(material: DataConfig) -> tuple[Source, ...]:
    """Return the chosen features, then those to compare with."""
    dataset, encoder, public = material.dataset, material.encoder, material.public
    chosen = Source(_title(dataset, encoder), dataset, encoder, public)
    others = _other_features(dataset, encoder, public)
    first = tuple(
        key
        for key, source in others.items()
        if key == synthetic.KEY or (key in FIRST_ENCODERS and _is_cached(key, source.dataset))
    )
    titles = {key: source.title for key, source in others.items()}
    if synthetic.KEY in titles and not detail_level.precise():
        titles[synthetic.KEY] = text.TITLES["ideal"]
    picked: tuple[str, ...] = ()
    if others:
        picked = choice(
            st.multiselect, text.COMPARISON, titles, first, "beside", help=text.COMPARISON_HELP
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
        except DpvizError:  # the runs report it
            return text.TITLES["synthetic"]
        return render_text(
            text.TITLES["ideal-settings" if dataset == COMPARISON_DATA else "synthetic-settings"],
            classes=s["classes"],
            p=s["dim"],
            n=s["n"],
            beta=s["beta"],
        )
    if encoder is None:
        return text.TITLES["own"]
    row = DATASETS.get(dataset)
    data = (
        row.title.split(",")[0]
        if row
        else _plain(uploads.display_name(dataset) or Path(dataset).name)
    )
    short = availability.title(encoder).split(" (")[0]
    return render_text(text.TITLES["images"], encoder=short, data=data)


def _plain(name: str) -> str:
    """Return a custom name without signs that a chart or a sentence could take for markup."""
    return re.sub(r"[^\w .-]|_", " ", name)


def _is_cached(encoder: str, dataset: str) -> bool:
    """Whether the training features of a bundled set are in the cache."""
    try:
        folder = _folder(encoder, dataset)
    except (DpvizError, OSError):
        return False
    return folder is not None and (cache_dir() / "features" / folder).is_dir()


@cached(32)
def _folder(encoder: str, dataset: str) -> str | None:
    """Return the folder of the features; None for sets that are read image by image."""
    train = DATASETS[dataset].images()["train"] if dataset in DATASETS else None
    return feature_cache.key(train.pixels, ENCODERS[encoder]) if isinstance(train, Images) else None
