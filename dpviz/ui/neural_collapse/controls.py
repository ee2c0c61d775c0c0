"""The page "Neural collapse": its controls, the features it sets side by side, its sentence and its
cards.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from dpviz.caches import remembered
from dpviz.data import DATASETS, synthetic
from dpviz.data import feature_cache as cached
from dpviz.diagnostics import collapse_measures
from dpviz.diagnostics.collapse_measures import Measures
from dpviz.encoders import ENCODERS
from dpviz.machine.files import cache_dir
from dpviz.methods import METHODS
from dpviz.plots import feature_shifts
from dpviz.run import experiment
from dpviz.run.jobs import Job
from dpviz.stats import Interval, interval, within_noise
from dpviz.types import DpvizError, Images, Material, Result, RunSpec
from dpviz.ui.widgets import cards, params, shared_controls, text
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import Group, View
from dpviz.words import at, minus, number, percent, unbroken

METHOD, REFERENCE = "noisy-gd", "logistic"
PICTURES = "mnist5k"
"""Whose encoders stand beside features that came without one."""
BESIDE = synthetic.name(n=4000)
"""Beside pictures: as many records as MNIST's part has, since fewer records make privacy dearer by
themselves.
"""
PAPER = "?data=etf&delta=0.0001&etf.beta=0.0"


@dataclass(frozen=True)
class Source:
    """One kind of features: its title, and what its runs read."""

    title: str
    material: Material


@dataclass(frozen=True)
class Shown:
    """One kind of features as far as it is there: its measures, its runs without and with privacy."""

    source: Source
    measures: Measures
    quiet: tuple[Result, ...]
    noisy: tuple[Result, ...]

    def accuracy(self, metric: str) -> tuple[float | None, Interval | None]:
        """Accuracy without privacy and with it."""
        quiet, noisy = (
            [getattr(r.scores, metric) for r in runs] for runs in (self.quiet, self.noisy)
        )
        return (quiet[0] if quiet else None), (interval(noisy) if noisy else None)

    def cost(self, metric: str) -> Interval | None:
        """What privacy takes off the accuracy, a seed each."""
        if not self.quiet or not self.noisy:
            return None
        best = getattr(self.quiet[0].scores, metric)
        losses = [best - getattr(r.scores, metric) for r in self.noisy]
        found = interval(losses)
        return Interval(sum(losses) / len(losses), found.low, found.high, found.runs, found.sd)


def sidebar() -> tuple[View, list[Source]]:
    """All controls, under the keys they have on the other pages, and what is compared; balanced at
    first, as in the paper.
    """
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data(ratio=1)
        beside = _sources(material)
        st.header("Privacy")
        budget = shared_controls.privacy()
        st.header("Method")
        with st.expander("Learning rate, steps, clip norm"):
            changed = params.form(METHODS[METHOD])
        first, seeds = shared_controls.noise_seeds()
        shared_controls.reset_link()
    changes = ((METHOD, changed),) if changed else ()
    return (
        View(
            **material.facts,
            budget=budget,
            first_seed=first,
            seeds=seeds,
            methods=(METHOD, REFERENCE),
            params=changes,
        ),
        beside,
    )


# ------------------------------------------------------------------------------------------ sources


def _sources(material: Material) -> list[Source]:
    """The chosen features first, then those they are compared with."""
    others = _others(material)
    first = tuple(
        key for key in others if key == synthetic.KEY or _there(key, others[key].material.dataset)
    )
    titles = {key: source.title for key, source in others.items()}
    picked = (
        choice(st.multiselect, "Beside them", titles, first, "beside", help=_BESIDE_HELP)
        if others
        else ()
    )
    return [_source(material), *(others[key] for key in others if key in picked)]


def _others(material: Material) -> dict[str, Source]:
    pictures = {} if material.encoder else {"dataset": PICTURES, "public": None}
    found = {
        key: _source(replace(material, encoder=key, **pictures))
        for key in ENCODERS
        if key != material.encoder
    }
    if not synthetic.asked(material.dataset):
        found[synthetic.KEY] = _source(replace(material, dataset=BESIDE, encoder=None, public=None))
    return found


def _source(material: Material) -> Source:
    return Source(_title(material.dataset, material.encoder), material)


def _title(dataset: str, encoder: str | None) -> str:
    if synthetic.asked(dataset):
        try:
            s = synthetic.parse(dataset)
        except DpvizError:  # the runs say it in full
            return "Synthetic"
        return f"Synthetic, K = {s['classes']}, p = {s['dim']}, n = {s['n']:,}, β = {s['beta']:g}"
    if encoder is None:
        return "Your own features"
    return (
        f"{ENCODERS[encoder].title.split(' (')[0]} on"
        f" {DATASETS[dataset].title.split(',')[0] if dataset in DATASETS else Path(dataset).name}"
    )


def _there(encoder: str, dataset: str) -> bool:
    """Whether the training features of a bundled set are in the cache, so that nobody waits for
    them.
    """
    try:
        folder = _folder(encoder, dataset)
    except (DpvizError, OSError):
        return False
    return folder is not None and (cache_dir() / "features" / folder).is_dir()


@remembered(32)
def _folder(encoder: str, dataset: str) -> str | None:
    """Where they would lie; None for sets that are read picture by picture, which takes too long to
    ask.
    """
    train = DATASETS[dataset].images()["train"] if dataset in DATASETS else None
    return cached.key(train.pixels, ENCODERS[encoder]) if isinstance(train, Images) else None


_BESIDE_HELP = (
    "Other features, trained under the same budget. An encoder that is not in the cache embeds its"
    " pictures first, which may take minutes."
)

# --------------------------------------------------------------------------------------------- runs


def spec(view: View, source: Source, budget: float, seed: int, **changes) -> RunSpec:
    """A run of the private linear probe; no budget is gradient descent. ``changes``: facts of the
    material, or params.
    """
    settings = dict(dict(view.params).get(METHOD, ())) | changes.pop("params", {})
    return view.spec(
        METHOD,
        budget,
        **source.material.facts | changes,
        params=tuple(settings.items()),
        seed=seed,
    )


def pair(view: View, source: Source, **changes) -> tuple[Group, Group]:
    """Runs without privacy (one, nothing varies) and with it (one a seed)."""
    seeds = range(view.first_seed, view.first_seed + view.seeds)
    quiet = (spec(view, source, math.inf, view.first_seed, **changes.copy()),)
    return quiet, tuple(
        spec(view, source, view.budget.value, seed, **changes.copy()) for seed in seeds
    )


def groups(view: View, wanted: Sequence[Source]) -> dict[Source, tuple[Group, Group]]:
    """What the main chart needs, by source."""
    return {source: pair(view, source) for source in wanted}


def shown(job: Job, wanted: Mapping[Source, tuple[Group, Group]]) -> list[Shown]:
    """What is there: a source whose data is in memory, with its runs so far."""
    found = []
    for source, (quiet, noisy) in wanted.items():
        if quiet in job.done:
            measures = collapse_measures.measure(experiment.prepared(job.done[quiet][0].spec))
            found.append(
                Shown(source, measures, tuple(job.done[quiet]), tuple(job.done.get(noisy, ())))
            )
    return found


def metric() -> str:
    """Which accuracy; over classes at first, as there is no minority in balanced data."""
    return shared_controls.metric("balanced")


def rows(found: Sequence[Shown], measure: str) -> feature_shifts.ShiftRows:
    """The main chart's data."""
    return feature_shifts.info(
        [
            (
                one.source.title,
                one.measures.beta,
                one.measures.off_diagonal,
                one.measures.corner,
                *one.accuracy(measure),
            )
            for one in found
        ]
    )


# --------------------------------------------------------------------------------------- the answer


def answer(found: Sequence[Shown], view: View, measure: str) -> str:
    """One sentence in Markdown: what privacy costs on each kind of features, and whether the
    nearest pays least.
    """
    told = [(one, one.cost(measure)) for one in found]
    told = [(one, cost) for one, cost in told if cost is not None]
    if not told:
        return "Nothing is drawn yet."
    start = f"At IR {number(view.ir)} and {at(view.budget)} privacy costs the linear probe "
    parts = [
        f"**{points(cost)}** on {one.source.title} (β²p = {one.measures.beta2p:.2g}, NC1 ="
        f" {one.measures.nc1:.2g})"
        for one, cost in told
    ]
    return (
        start
        + ", ".join(parts[:-1])
        + (" and " if len(parts) > 1 else "")
        + parts[-1]
        + _order(told)
    )


def points(cost: Interval) -> str:
    """``0.1 points``: what is lost, in percentage points."""
    value = 100 * cost.mean
    text = f"{value:.1f}" if abs(value) < 9.95 else f"{value:.0f}"
    return f"{'0.0' if text == '-0.0' else text} points"


def _order(told: Sequence[tuple[Shown, Interval]]) -> str:
    """Whether features nearer to collapse pay less, neighbour by neighbour."""
    if len(told) < 2:
        return "."
    ranked = sorted(told, key=lambda pair: pair[0].measures.nc1)
    signs = [
        0 if within_noise(a[1], b[1]) else (1 if a[1].mean < b[1].mean else -1)
        for a, b in itertools.pairwise(ranked)
    ]
    if min(signs) < 0:
        return ": “the nearer to collapse (smaller NC1), the cheaper” does **not** hold here."
    if max(signs) == 0:
        return ": these costs are within noise of one another."
    tied = "" if min(signs) > 0 else ", as far as noise lets us tell"
    return f": “the nearer to collapse (smaller NC1), the cheaper” **holds here**{tied}."


# -------------------------------------------------------------------------------------------- cards


def cards_row(found: Sequence[Shown], view: View, measure: str) -> None:
    """What is promised, what each kind of features measures and pays, where privacy is free in
    theory.
    """
    with st.container(horizontal=True, wrap=True):
        lead = next((one for one in found if one.noisy), None)
        if lead is not None:
            cards.one(lead.noisy[0], f"{METHODS[METHOD].title} on {lead.source.title}", "collapse")
        for place, one in enumerate(found):
            with st.container(border=True, width=312, key=f"card-measures-{place}"):
                _measures(one, measure)


def _measures(one: Shown, measure: str) -> None:
    st.html(f'<div class="dp-card-title">{text.plain(unbroken(one.source.title))}</div>')
    m, (quiet, noisy) = one.measures, one.accuracy(measure)
    listed = [
        ("records", f"{len(m.y):,} of {len(m.cosines)} classes"),
        ("shift β", f"{m.typical:.3g} (median record)"),
        ("β²p", f"{m.beta2p:.2g} in {m.p} dimensions"),
        ("NC1", f"{m.nc1:.2g}: spread within over between classes"),
        (
            "NC2",
            (
                f"lengths vary by {100 * m.nc2:.0f} %, cosines miss {minus(f'{m.corner:.2f}')} by"
                f" {m.nc2_angle:.2f}"
            ),
        ),
        (
            "right",
            f"{percent(interval([quiet]))} without privacy"
            + (f", {percent(noisy)} with" if noisy else ""),
        ),
    ]
    st.html(cards.definition(listed))
    cards.private_view()
