"""The page "Mixed privacy": its controls, the runs it needs, its sentence and its cards."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import streamlit as st

from dpviz.data import DATASETS
from dpviz.diagnostics.adamix_steps import errors, order
from dpviz.methods import METHODS, adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.plots import error_by_budget
from dpviz.plots.kit.style import GREY, look
from dpviz.run import experiment
from dpviz.run.jobs import Job
from dpviz.stats import interval
from dpviz.types import Result, RunSpec
from dpviz.ui.widgets import cards, params, shared_controls
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import STOPS, Group, View
from dpviz.words import METRICS, SYMBOLS, at, number, percent

LEVELS = ("Only-Public", "paragon")
PRIVATE = tuple(name for name in PRESETS if name not in LEVELS)
FIRST = ("AdaMix", "NGD", "Fully-Private")
SHOTS = (1, 2, 5, 10, 20, 50, 100)
RATES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
STARTS = {
    "few-shot": "A head trained on the shots",
    "label-prototypes": "Label prototypes",
    "class-names": "Class names, read by CLIP",
}
PAPER = ("paragon", "AdaMix", "NGD", "Only-Public", "Fully-Private")
"""From the least error to the most, as the AdaMix paper has them (Figure 1)."""
SCALES = {"linear": "0–100 %", "log": "Log"}
SEED_HELP = (
    "A seed draws the noise and which public pictures are the shots; seeds are first, first + 1, …"
)


@dataclass(frozen=True)
class Mixed:
    """The settings of the page: those every page has, the presets drawn, and what changes in all of
    them.
    """

    view: View
    presets: tuple[str, ...]
    shots: int
    changes: tuple[tuple[str, Any], ...]
    rate: float

    @property
    def seeds(self) -> range:
        """Seeds of noise and shots."""
        return range(self.view.first_seed, self.view.first_seed + self.view.seeds)

    @property
    def lead(self) -> str:
        """The preset that the sentence is about."""
        return "AdaMix" if "AdaMix" in self.presets else self.presets[0]

    @property
    def drawn(self) -> tuple[str, ...]:
        """Names of all lines of the main chart."""
        return (*self.presets, *LEVELS)


# ----------------------------------------------------------------------------------------- controls


def sidebar() -> Mixed:
    """All controls of the page; data and privacy under the keys they have elsewhere."""
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data()
        shots = st.select_slider(
            "Public shots a class",
            SHOTS,
            value=2,
            key="shots",
            help=adamix.SHOTS.help,
            bind="query-params",
        )
        st.header("Privacy")
        budget = shared_controls.privacy()
        st.header("Method")
        chosen = choice(
            st.multiselect,
            "Presets and ablations",
            {name: name for name in PRIVATE},
            FIRST,
            "pre",
            help=_PRESETS_HELP,
        )
        changes, rate = _more()
        first, seeds = shared_controls.noise_seeds("Seeds", SEED_HELP, SEED_HELP)
        shared_controls.reset_link()
    presets = tuple(name for name in PRIVATE if name in chosen) or ("AdaMix",)
    view = View(
        **material.facts,
        budget=budget,
        first_seed=first,
        seeds=seeds,
        methods=(adamix.KEY,),
    )
    return Mixed(view, presets, int(shots), changes, float(rate))


def _more() -> tuple[tuple[tuple[str, Any], ...], float]:
    """What changes in every preset that has it, and the factor on each one's own learning rate."""
    with st.expander("Rank, noise, learning rate and more"):
        init = choice(
            st.selectbox, "Start from", STARTS, "few-shot", "start", help=adamix.INIT.help
        )
        shared = (adamix.RANK, adamix.SIGMA, adamix.MAX_STEPS, adamix.DECAY)
        found = {p.name: params.widget(p, f"adamix.{p.name}") for p in shared}
        rate = st.select_slider(
            "Learning rate ×",
            RATES,
            value=1.0,
            key="lrx",
            format_func=number,
            help=_RATE_HELP,
            bind="query-params",
        )
    changed = {p.name: found[p.name] for p in shared if found[p.name] != p.default}
    return tuple((changed | ({"init": init} if init != "few-shot" else {})).items()), rate


_PRESETS_HELP = (
    "AdaMix: starts from the public shots, clips as they suggest, moves only in their directions."
    " no-…: without one of these. NGD: starts from the shots, then plain noisy descent."
    " Fully-Private: uses no public labels."
)
_RATE_HELP = "Times each preset's own learning rate, which was chosen on the default data."

# --------------------------------------------------------------------------------------------- runs


def spec(mixed: Mixed, name: str, budget: float, seed: int, **other: Any) -> RunSpec:
    """A run of a preset; the seed draws the shots as well. ``other``: shots, or public."""
    preset, view = PRESETS[name], mixed.view
    known = {p.name for p in METHODS[preset.method].params}
    wanted = dict(preset.params) | {
        k: v for k, v in mixed.changes if k in known and _moves(preset, k)
    }
    if preset.method == adamix.KEY and mixed.rate != 1:
        wanted["lr"] = min(wanted.get("lr", adamix.LR.default) * mixed.rate, adamix.LR.high)
    wanted |= {"shots": other.get("shots", mixed.shots), "draw": seed % (int(adamix.DRAW.high) + 1)}
    return view.spec(
        preset.method,
        budget,
        params=tuple(wanted.items()),
        seed=seed,
        public=other.get("public", view.public),
    )


def _moves(preset: adamix.Preset, name: str) -> bool:
    """Whether a preset has the part that a setting changes: an ablation stays an ablation."""
    off = {"rank": 0, "init": "none"}
    return name not in off or preset.params.get(name) != off[name]


def cells(mixed: Mixed, name: str, budgets: Sequence[float], **other: Any) -> Group:
    """Runs of a preset over budgets and seeds; a line across is run once a seed."""
    if name in LEVELS:
        budgets = (math.inf,)
    return tuple(
        spec(mixed, name, budget, seed, **other) for seed in mixed.seeds for budget in budgets
    )


def groups(mixed: Mixed) -> dict[str, list[Group]]:
    """What the main chart needs, by preset: the budget looked at first, then the stops."""
    now, stops = (mixed.view.budget.value,), STOPS[mixed.view.budget.axis]
    return {
        name: [cells(mixed, name, now)] + ([] if name in LEVELS else [cells(mixed, name, stops)])
        for name in mixed.drawn
    }


def queue(wanted: Mapping[str, list[Group]]) -> list[Group]:
    """The groups in the order they are worked on: every line's point at this budget before any
    curve.
    """
    found = list(wanted.values())
    return [mine[0] for mine in reversed(found)] + [group for mine in found for group in mine[1:]]


def results(job: Job, wanted: Mapping[str, list[Group]]) -> dict[str, list[Result]]:
    """What is there, by preset."""
    return {
        name: [r for group in mine for r in job.done.get(group, ())]
        for name, mine in wanted.items()
    }


def at_now(found: Mapping[str, Sequence[Result]], mixed: Mixed) -> dict[str, list[Result]]:
    """The runs at the budget looked at and those of the lines across, a run a seed."""
    wanted = (mixed.view.budget.value, math.inf)
    here = {
        name: {r.spec.seed: r for r in mine if r.spec.budget.value in wanted}
        for name, mine in found.items()
    }
    return {name: list(mine.values()) for name, mine in here.items() if mine}


def metric() -> str:
    """Which accuracy the error is the rest of: a key of ``METRICS``; over classes here, as every
    class counts alike.
    """
    return choice(st.segmented_control, "Error of", METRICS, "balanced", "score", required=True)


def refusal_hint(mixed: Mixed) -> None:
    """What own data needs for this page."""
    if mixed.view.dataset not in DATASETS:
        st.info(
            "Your own data brings its own public set: add X_public and y_public to the file, with"
            " at least one labelled public record of the private classes. The Trade-off page works"
            " without them."
        )


# --------------------------------------------------------------------------------------- the answer


def answer(now: Mapping[str, Sequence[Result]], mixed: Mixed, measure: str) -> str:
    """One sentence in Markdown: what the lead errs, against the two lines, and whether the paper's
    order holds.
    """
    view, lead = mixed.view, mixed.lead
    if lead not in now:
        return "Nothing is drawn yet."
    said = {name: errors(mine, measure) for name, mine in now.items()}
    point = {name: percent(interval(values)) for name, values in said.items()}
    shots = "1 public example" if mixed.shots == 1 else f"{mixed.shots} public examples"
    start = (
        f"With {shots} a class, IR {number(view.ir)} and {at(view.budget)},"
        f" {lead} errs on **{point[lead]}**"
    )
    against = ""
    if "Only-Public" in said:
        word = {1: "less than", -1: "more than", 0: "within noise of"}[
            order(said[lead], said["Only-Public"])
        ]
        against = f", {word} the **{point['Only-Public']}** of the public examples alone"
    ceiling = f"; without privacy it would be **{point['paragon']}**" if "paragon" in said else ""
    return f"{start}{against}{ceiling}{_claims(said, lead)}."


def answer_at(
    found: Mapping[str, Sequence[Result]], mixed: Mixed, budget: float, measure: str
) -> str:
    """The answer at any budget of the curve."""
    there = dataclasses.replace(mixed, view=mixed.view.at(budget))
    return answer(at_now(found, there), there, measure)


def _claims(said: Mapping[str, Sequence[float]], lead: str) -> str:
    """Whether the paper's order of the drawn lines holds, pair by pair."""
    ranked = [name for name in PAPER if name in said]
    if lead != "AdaMix" or len(ranked) < 3:
        return ""
    pairs = [(a, b) for a, b in itertools.pairwise(ranked)]
    signs = {pair: order(said[pair[0]], said[pair[1]]) for pair in pairs}
    wrong = [f"{b} errs less than {a}" for (a, b), sign in signs.items() if sign < 0]
    tied = [f"{a} and {b} are within noise" for (a, b), sign in signs.items() if sign == 0]
    chain = " < ".join(ranked)
    if not wrong and not tied:
        return f"; the paper's order of errors, {chain}, **holds here**"
    verdict = "does **not** hold here" if wrong else "is neither met nor contradicted here"
    return f"; the paper's order of errors, {chain}, {verdict}: {', '.join(wrong + tied)}"


def where(curve: error_by_budget.ErrorCurve, mixed: Mixed) -> str:
    """At which budgets the lead has the lowest mean error of all lines but the paragon, in words."""
    if len(curve.budgets) < 2:
        return ""
    budgets = [b for b in curve.budgets if _lowest(curve.at(b)) == mixed.lead]
    symbol = SYMBOLS[mixed.view.budget.axis]
    if not budgets:
        return (
            f"At no budget drawn has {mixed.lead} the lowest mean error: try fewer records, a"
            " higher IR or a stricter budget."
        )
    return (
        f"{mixed.lead} has the lowest mean error of all but the paragon at {symbol} ="
        f" {', '.join(number(b) for b in budgets)}."
    )


def _lowest(points: Mapping[str, Any]) -> str:
    return min((name for name in points if name != "paragon"), key=lambda name: points[name].mean)


# -------------------------------------------------------------------------------------------- cards


def cards_row(now: Mapping[str, Sequence[Result]], mixed: Mixed, measure: str) -> None:
    """Each different promise, what privacy costs, how the steps came about."""
    with st.container(horizontal=True, wrap=True):
        for place, (names, result) in enumerate(_promises(now).items()):
            cards.one(result, names, f"mixed-{place}", look(names).colour if names in now else GREY)
        _cost(now, measure)
        _steps(mixed)


def _promises(now: Mapping[str, Sequence[Result]]) -> dict[str, Result]:
    """A result for each different guarantee, under the names of the presets that give it."""
    same: dict[Any, list[str]] = {}
    for name, mine in now.items():
        if name != "paragon":
            same.setdefault(mine[0].guarantee, []).append(name)
    return {", ".join(names): now[names[0]][0] for names in same.values()}


def _cost(now: Mapping[str, Sequence[Result]], measure: str) -> None:
    with st.container(border=True, width=460):
        st.html('<div class="dp-card-title">What it costs, and who is hurt</div>')
        best = fmean(errors(now["paragon"], measure)) if "paragon" in now else None
        rows = []
        for name, mine in now.items():
            mean = fmean(errors(mine, measure))
            over = "" if best is None or name == "paragon" else f"{100 * (mean - best):.0f} points"
            rows.append(
                (
                    name,
                    percent(interval(errors(mine, measure))),
                    over,
                    f"{100 * fmean(errors(mine, 'minority')):.0f} %",
                    f"{fmean(r.seconds for r in mine):.2g} s",
                )
            )
        st.html(cards.table(("error", "above paragon", "minority's", "a run"), rows))


def _steps(mixed: Mixed) -> None:
    with st.container(border=True, width=330):
        st.html('<div class="dp-card-title">Steps follow from the budget</div>')
        why = {
            name: (
                experiment.planned(
                    spec(mixed, name, mixed.view.budget.value, mixed.seeds[0])
                ).notes["why"]
            )
            for name in mixed.presets
        }
        for text in dict.fromkeys(why.values()):
            names = ", ".join(name for name in why if why[name] == text)
            st.markdown(f"**{names}**: {text}")
        st.caption(
            "T = ⌊2ρσ²⌋: the noise is chosen, the number of steps is what the budget then pays for."
        )
