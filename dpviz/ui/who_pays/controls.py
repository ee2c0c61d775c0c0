"""The page "Who pays": its controls, the losses it needs, its sentence, its cards and what it
promises.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.diagnostics import per_instance
from dpviz.diagnostics.per_instance import PerInstance
from dpviz.methods import METHODS
from dpviz.plots import privacy_loss_by_record
from dpviz.plots.privacy_loss_by_record import Losses
from dpviz.run import experiment
from dpviz.run.jobs import Board, Group, Job
from dpviz.types import Dataset, Result, RunSpec
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, shared_controls, text
from dpviz.ui.widgets.choices import choice
from dpviz.views.accuracy_sentence import named
from dpviz.views.view import View
from dpviz.words import at, number

KEPT = 60
FIRST, SECOND, SPARE = "adamix", "noisy-gd", "dppl-mean"
SCALES = {"eps": "ε at δ", "rho": "ρ (zCDP)"}
SPLIT, EVERYBODY = "split", "all"
NEAR = 0.95
"""From this share of the promise on, a record counts as one that pays in full."""
SCALE_HELP = (
    "What the losses are counted in, for both methods alike. ε at δ: as on the cards; a pure ε"
    " holds at any δ, and may look dearer than it is. ρ: zCDP, on which any two methods compare"
    " exactly."
)
SEED_HELP = (
    "The run that is looked at. Another seed takes another path, and a record's loss follows it."
)


@dataclass(frozen=True)
class Asked:
    """What the controls say: settings as every page has them, with one seed and two methods; and
    the scale.
    """

    view: View
    scale: str

    @property
    def specs(self) -> list[RunSpec]:
        """The run of each method."""
        return [self.view.spec(method) for method in self.view.methods]


def sidebar() -> Asked:
    """All controls; data and privacy under the keys they have on the other pages."""
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data()
        st.header("Privacy")
        budget = shared_controls.privacy()
        scale = choice(
            st.segmented_control,
            "Losses counted in",
            SCALES,
            "eps",
            "scale",
            required=True,
            help=SCALE_HELP,
        )
        st.header("Method")
        chosen = _methods()
        settings = tuple(
            (key, shared_controls.settings(key)) for key in chosen if METHODS[key].params
        )
        with st.expander("Noise seed"):
            seed = st.number_input(
                "Seed", 0, 2**31, 0, key="seed", help=SEED_HELP, bind="query-params"
            )
        shared_controls.reset_link()
    changed = tuple((key, values) for key, values in settings if values)
    return Asked(
        View(
            **material.facts,
            budget=budget,
            first_seed=int(seed),
            seeds=1,
            methods=chosen,
            params=changed,
        ),
        scale,
    )


def _methods() -> tuple[str, str]:
    titles = {key: row.title for key, row in METHODS.items() if row.private}
    first = choice(st.selectbox, "One method", titles, FIRST, "a")
    rest = {key: title for key, title in titles.items() if key != first}
    return first, choice(
        st.selectbox, "Another beside it", rest, SPARE if first == SECOND else SECOND, "b"
    )


# ----------------------------------------------------------------------------------------- the work


@dataclass(frozen=True, eq=False)
class Side:
    """One method's run: its result, the loss of each record on its own scale, and who is right."""

    result: Result
    own: PerInstance
    right: np.ndarray

    @property
    def title(self) -> str:
        """Name for people."""
        return METHODS[self.own.method].title

    def on(self, scale: str) -> PerInstance:
        """The losses on a scale, in ``epsilon`` and ``claim``."""
        if scale == "eps":
            return self.own
        return dataclasses.replace(
            self.own, notion="ρ", epsilon=self.own.rho, claim=self.own.rho_claim
        )


@st.cache_resource(show_spinner=False)
def board() -> Board:
    """The one board of this page on this server."""
    return Board(_measure, KEPT, there=long_work.there)


def _measure(group: Group, progress: experiment.Progress) -> list[Side]:
    (spec,) = group
    title = METHODS[spec.method].title
    progress(f"{title}: the run", 0, 3)
    result = experiment.sweep([spec], lambda what, done, total: progress(what, 0, 0))[0]
    progress(f"{title}: the loss of each record", 1, 3)
    found = per_instance.of(spec)
    progress(f"{title}: who is right", 2, 3)
    return [Side(result, found, per_instance.right(spec))]


def sides(asked: Asked, key: str, status) -> list[Side]:
    """The methods that have a formula, measured; what has none is said."""
    wanted: list[Group] = []
    for spec in asked.specs:
        reason = absent(spec.method, spec.params)
        if reason:
            st.info(
                text.literal(f"{METHODS[spec.method].title}: {reason}"), icon=":material/functions:"
            )
        else:
            wanted.append((spec,))
    if not wanted:
        return []
    job: Job = long_work.collect(key, wanted, status, lambda job: None, on=board())
    text.refusals(job.errors.values())
    return [job.done[group][0] for group in wanted if group in job.done]


def absent(key: str, settings: Sequence[tuple]) -> str | None:
    """Why there is no formula at these settings."""
    return per_instance.absent(key, METHODS[key].check(dict(settings)))


def without_formula() -> dict[str, str]:
    """Methods without a formula at their defaults: name to sentence."""
    found = {row.title: absent(key, ()) for key, row in METHODS.items() if row.private}
    return {title: reason for title, reason in found.items() if reason}


# --------------------------------------------------------------------------------------- the groups


def whose(data: Dataset) -> str:
    """Whose losses stand out: a key of ``_titles``."""
    titles = {SPLIT: "the minority, against all others", EVERYBODY: "everybody"}
    titles |= {
        str(c): f"class {name}, against all others" for c, name in enumerate(data.class_names)
    }
    return choice(st.selectbox, "Look at", titles, SPLIT, "who", width=300)


def groups(who: str, side: PerInstance, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Two groups of records, the one looked at first."""
    if who == EVERYBODY:
        everybody = np.ones(len(side.labels), bool)
        return {"everybody": everybody, "nobody else": ~everybody}
    if who == SPLIT:
        return {"minority": side.minority, "others": ~side.minority}
    chosen = side.labels == int(who)
    return {f"class {names[int(who)]}": chosen, "others": ~chosen}


def charts(found: Sequence[Side], asked: Asked, who: str, names: Sequence[str]) -> list[Losses]:
    """The data of the sorted curve and the histograms, a method each."""
    shown = [(side, side.on(asked.scale)) for side in found]
    symbol = "ε′" if asked.scale == "eps" else "ρ′"
    return [
        privacy_loss_by_record.info(
            s.own.method, s.title, symbol, p.epsilon, p.claim, groups(who, p, names)
        )
        for s, p in shown
    ]


# --------------------------------------------------------------------------------------- the answer


def answer(found: Sequence[Side], asked: Asked) -> str:
    """One sentence in Markdown: the promise, and what the middle record and the minority spend of
    it.
    """
    view = asked.view
    start = f"At IR {number(view.ir)} and {at(view.budget)}"
    delta = f" at δ = {number(view.budget.delta)}" if view.budget.axis != "approx" else ""
    told = (_told(side.on(asked.scale), side.title, asked.scale, delta) for side in found)
    return (
        f"{start}"
        f" {'. '.join(words if not place else words[0].upper() + words[1:] for place, words in enumerate(told))}."
    )


def _told(side: PerInstance, title: str, scale: str, delta: str) -> str:
    symbol, delta = ("ε", delta) if scale == "eps" else ("ρ", "")
    promise = (
        f"{named(title)} promises every record {symbol} ≤"
        f" {number(float(f'{side.claim:.3g}'))}{delta}"
    )
    if full(side) == len(side.epsilon):
        return f"{promise}, and **all {len(side.epsilon):,} spend it in full**"
    middle = f"in this run the middle record spends **{_middle(side.epsilon)}**"
    small, rest = side.epsilon[side.minority], side.epsilon[~side.minority]
    split = (
        f" (**{_middle(small)}** in the minority, {_middle(rest)} elsewhere)"
        if len(small) and len(rest)
        else ""
    )
    return f"{promise}; {middle}{split}"


def _middle(values: np.ndarray) -> str:
    return _amount(float(np.median(values)))


def _amount(value: float) -> str:
    """A loss with two digits: 0.20, 1.0."""
    return f"{value:#.2g}".rstrip(".")


def full(side: PerInstance) -> int:
    """Records that spend NEAR or more of what is promised."""
    return int(np.sum(side.epsilon >= NEAR * side.claim))


def notions(found: Sequence[Side], asked: Asked) -> str:
    """What the losses are counted in, and how fair the comparison is."""
    if asked.scale == "rho":
        return "Both in ρ (zCDP), the same currency for every method."
    pure = [side.title for side in found if side.own.notion.startswith("pure")]
    start = f"Both in ε at δ = {number(asked.view.budget.delta)}"
    if not pure:
        return f"{start}."
    return (
        f"{start}; {' and '.join(pure)} promises pure ε, which holds at any δ and is the stronger"
        " promise. For one currency choose ρ on the left."
    )


# ---------------------------------------------------------------------------------------- the cards


def cards_row(found: Sequence[Side], asked: Asked) -> None:
    """What each promises, and how the losses spread."""
    with st.container(horizontal=True):
        for side in found:
            cards.one(side.result, side.title, f"who-{side.own.method}")
        with st.container(border=True, width=340, key="who-spread"):
            st.html('<div class="dp-card-title">Who pays</div>')
            st.html(_table(found, [_spread(side.on(asked.scale), side) for side in found]))
            st.caption(
                f"In {found[0].on(asked.scale).notion if len(found) == 1 else SCALES[asked.scale]};"
                " right: about the training records."
            )


def _table(found: Sequence[Side], columns: Sequence[Mapping[str, str]]) -> str:
    """Rows of terms, a column a method."""
    top = "".join(f"<th>{text.plain(side.title)}</th>" for side in found)
    rows = "".join(
        f"<tr><th>{term}</th>" + "".join(f"<td>{c[term]}</td>" for c in columns) + "</tr>"
        for term in columns[0]
    )
    return (
        "<table"
        f' class="dp-table"><thead><tr><td></td>{top}</tr></thead><tbody>{rows}</tbody></table>'
    )


def _spread(shown: PerInstance, side: Side) -> dict[str, str]:
    low, middle, high = np.quantile(shown.epsilon, (0.05, 0.5, 0.95))
    near = shown.epsilon >= NEAR * shown.claim
    return {
        "promised": number(float(f"{shown.claim:.4g}")),
        "costliest record": _amount(shown.epsilon.max()),
        "middle record": _amount(middle),
        "nine in ten": " – ".join(dict.fromkeys((_amount(low), _amount(high)))),
        f"pay ≥ {100 * NEAR:.0f}\u00a0% of it": f"{int(near.sum()):,} of {len(near):,}",
        "… in the minority": _share(near[shown.minority]),
        "right, all": _share(side.right),
        "right, costliest 5\u00a0%": _share(side.right[shown.epsilon >= high]),
        "right, cheapest 5\u00a0%": _share(side.right[shown.epsilon <= low]),
    }


def _share(right: np.ndarray) -> str:
    return "none" if not len(right) else f"{100 * right.mean():.0f}\u00a0%"


def snippet(spec: RunSpec) -> str:
    """Python that gives the same losses."""
    return (
        "from dpviz.diagnostics import per_instance\nfrom dpviz.types import Budget,"
        f" RunSpec\n\nspec = {spec!r}\nfound = per_instance.of(spec)\nprint(found.notion,"
        " found.claim, found.epsilon, found.rho)"
    )


def explained(found: Mapping[str, str]) -> str:
    """What a loss of one's own promises and what not; ``found`` are methods without a formula."""
    gaps = "".join(
        f"\n- {text.literal(title)}: {text.literal(reason)}" for title, reason in found.items()
    )
    return EXPLAINED + (
        f"\n\n**Methods without a formula** (at their defaults){gaps}" if gaps else ""
    )


EXPLAINED = """
**What it is.** A guarantee speaks of the worst record there could be. ε′ asks for each record that *is* there: how far apart are
the run on these data and the run on these data without it, along the path that this seed took? It never lies above the promise.

**What it does not promise.**
- It holds for these data and this run. With other data, or another seed, the same record may cost more; the promise alone holds for all.
- It is computed from the private records without noise. It is sensitive itself: a costly record is an unusual one. Do not publish it,
  not even as a histogram; it is for whoever may see the records anyway.
- A small ε′ is no permission to say that a record was there, and no reason to spend more on others.
- It may not be used to choose settings for the release, unless that choice is paid for.

**How to read it.** A curve along the promise: everybody pays in full, however ordinary. A curve that falls: ordinary records hide in
the crowd, and unusual ones (often the minority, often those that the model gets wrong) spend what was promised to all.

Source: Wang 2019, *Per-instance differential privacy*; Golatkar et al. 2022 (AdaMix), Figure 3.
"""
