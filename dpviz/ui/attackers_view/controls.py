"""The page "Attacker's view": its controls, the attacks it needs, its sentence and its cards."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dpviz.diagnostics import attack_bound, membership_attack
from dpviz.diagnostics.membership_attack import Attack
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS
from dpviz.plots import attack_auc, attack_roc
from dpviz.run import experiment
from dpviz.run.jobs import Board, Group, Job
from dpviz.types import Dataset, DpvizError, Guarantee, Release, RunSpec
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, shared_controls, text
from dpviz.ui.widgets.choices import choice
from dpviz.views.accuracy_sentence import named
from dpviz.views.view import STOPS, View
from dpviz.words import at

DEFAULT = ("dppl-mean", "noisy-gd")
DESIGNS = {"coin": "by coin", "test": "against the test set"}
DESIGN_WORDS = {
    "coin": (
        "By coin: for each run a coin decides which private records are used, and the attacker must"
        " tell these from the rest, which are alike."
    ),
    "test": (
        "Against the test set: all private records are used, and the attacker must tell them from"
        " test records, as papers do; a test set that is harder than the private set then looks"
        " like memory, which the bound does not speak of."
    ),
}
N_HELP = (
    "Runs a method; the attack uses one threshold for all of them. More runs, shorter error bars."
)
SEED_HELP = "Seeds are first, first + 1, …; each draws the noise and, by coin, who is in."
PRIOR_HELP = (
    "How likely, in 100, the attacker thinks it that the record was used, before it sees the"
    " release."
)


@dataclass(frozen=True)
class Asked:
    """What the controls say: settings as every page has them, the design, and the attacker's prior
    in (0, 1).
    """

    view: View
    design: str
    prior: float

    @property
    def private(self) -> list[str]:
        """Methods with a guarantee, in drawing order."""
        return [key for key in self.view.methods if METHODS[key].private]

    def spec(self, key: str, budget: float) -> RunSpec:
        """A method's run at a budget; a reference has none."""
        return self.view.spec(key, budget, seed=0)

    def group(self, key: str, budget: float) -> Group:
        """The runs of one attack."""
        v, spec = self.view, self.spec(key, budget)
        return tuple(dataclasses.replace(spec, seed=v.first_seed + i) for i in range(v.seeds))

    @property
    def now(self) -> list[Group]:
        """Attacks at the budget looked at: references first, which everything is read against."""
        return [
            self.group(key, self.view.budget.value)
            for key in sorted(self.view.methods, key=lambda key: METHODS[key].private)
        ]

    @property
    def budgets(self) -> list[float]:
        """Every other stop of the axis, and the budget looked at."""
        return sorted({*STOPS[self.view.budget.axis][::2], self.view.budget.value})

    @property
    def curve(self) -> list[Group]:
        """Attacks at every budget, a budget after the other."""
        return list(
            dict.fromkeys(
                self.now
                + [self.group(key, budget) for budget in self.budgets for key in self.private]
            )
        )


def sidebar() -> Asked:
    """All controls; data, privacy and methods under the keys they have on the other pages."""
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data()
        st.header("Privacy")
        budget = shared_controls.privacy()
        prior = st.slider(
            "Attacker's guess beforehand, in 100",
            1,
            99,
            50,
            key="prior",
            help=PRIOR_HELP,
            bind="query-params",
        )
        st.header("Method")
        chosen, settings = _methods()
        with st.expander("Attack"):
            design = choice(
                st.radio,
                "Who is told apart",
                DESIGNS,
                "coin",
                "design",
                captions=[DESIGN_WORDS[key] for key in DESIGNS],
            )
            seeds = st.slider(
                "Number of runs N", 2, 20, 10, key="n", help=N_HELP, bind="query-params"
            )
            first = st.number_input(
                "First seed", 0, 2**31, 0, key="seed", help=SEED_HELP, bind="query-params"
            )
        shared_controls.reset_link()
    return Asked(
        View(
            **material.facts,
            budget=budget,
            first_seed=int(first),
            seeds=int(seeds),
            methods=chosen,
            params=settings,
        ),
        design,
        prior / 100,
    )


def _methods() -> tuple[tuple[str, ...], tuple]:
    """Methods in table order, never without a reference, and their settings."""
    titles = {key: row.title for key, row in METHODS.items()}
    picked = choice(
        st.multiselect,
        "Methods",
        titles,
        (*DEFAULT, shared_controls.CEILING),
        "attacked",
        help="Without noise nothing bounds an attack; one such line is always drawn.",
    )
    chosen = tuple(key for key in METHODS if key in picked)
    if all(METHODS[key].private for key in chosen):
        chosen += (shared_controls.CEILING,)
    settings = tuple((key, shared_controls.settings(key)) for key in chosen if METHODS[key].params)
    return chosen, tuple((key, changed) for key, changed in settings if changed)


# ----------------------------------------------------------------------------------------- the work


@dataclass(frozen=True, eq=False)
class Done:
    """An attack and the seconds it took. A card reads ``spec`` and ``guarantee``."""

    spec: RunSpec
    attack: Attack
    seconds: float

    @property
    def guarantee(self) -> Guarantee:
        """What the attacked releases promise."""
        return self.attack.guarantee


@st.cache_resource(show_spinner=False)
def board(design: str) -> Board:
    """The one board of a design on this server."""
    return Board(lambda group, progress: [assault(group, design, progress)], there=long_work.there)


def assault(group: Group, design: str, progress: experiment.Progress) -> Done:
    """``attack.attack`` on a group of runs, telling of each run and stopping between two.

    Raises:
        Cancelled: if ``progress`` asks for it.
    """
    spec, started, fitted = group[0], time.perf_counter(), []
    data, promise = experiment.prepared(spec, progress), experiment.planned(spec).guarantee
    method, settings = METHODS[spec.method], METHODS[spec.method].check(dict(spec.params))

    def make(members: Dataset, seed: int) -> Release:
        progress(f"{method.title} at {said(spec)}", len(fitted), len(group))
        fitted.append(seed)
        return method.fit(
            members, [method.plan(members.sizes, spec.budget, settings)], [seed]
        ).releases[0][0]

    with one_numeric_thread():
        found = membership_attack.DESIGNS[design](data, make, [one.seed for one in group], promise)
    return Done(spec, found, time.perf_counter() - started)


def said(spec: RunSpec) -> str:
    """The budget of a spec in words."""
    return at(spec.budget) if spec.budget.private else "no privacy"


def done(job: Job, groups: Sequence[Group]) -> list[Done]:
    """What is there of some attacks."""
    return [job.done[group][0] for group in groups if group in job.done]


# --------------------------------------------------------------------------------------- the charts


def promises(asked: Asked) -> dict[str, Guarantee]:
    """What each private method promises now; a method that cannot work is left out, for its attack
    says why.
    """
    found = {}
    for key in asked.private:
        try:
            found[key] = experiment.planned(asked.spec(key, asked.view.budget.value)).guarantee
        except DpvizError:
            continue
    return found


def roc_chart(found: Sequence[Done], asked: Asked, scale: str) -> attack_roc.Roc:
    """The data of the ROC: attacks that are done, and all bounds."""
    bounds = [
        attack_roc.Bound(
            (key,),
            (METHODS[key].title,),
            membership_attack.SHOWN,
            attack_bound.most_true(promise, membership_attack.SHOWN),
            attack_bound.most_auc(promise),
        )
        for key, promise in promises(asked).items()
    ]
    return attack_roc.info([_curve(one) for one in found], bounds, scale)


def _curve(one: Done) -> attack_roc.Curve:
    row, a = METHODS[one.spec.method], one.attack
    return attack_roc.Curve(row.key, row.title, a.fpr, a.tpr, a.auc, a.error)


def auc_chart(found: Sequence[Done], asked: Asked) -> attack_auc.AucCurve:
    """The data of the areas against the budget."""
    return attack_auc.info(
        [point(one) for one in found], asked.view.budget.axis, asked.view.budget.delta
    )


def point(one: Done) -> attack_auc.Point:
    """An attack as a point."""
    row = METHODS[one.spec.method]
    return attack_auc.Point(
        row.key,
        row.title,
        one.spec.budget.value,
        one.attack.auc,
        one.attack.error,
        attack_bound.most_auc(one.guarantee),
    )


# --------------------------------------------------------------------------------------- the answer


def answer(found: Sequence[Done], asked: Asked) -> str:
    """One sentence in Markdown: the odds that the weakest promise leaves, and how far this attack
    gets.
    """
    promised = promises(asked)
    view = asked.view
    if not promised:
        return (
            "Choose a private method on the left to see what its guarantee leaves to an attacker."
        )
    key = max(promised, key=lambda k: attack_bound.most_right(promised[k], asked.prior))
    odds = attack_bound.odds(promised[key], asked.prior).sentence
    of = _weakest(key, promised)
    start = f"At {at(view.budget)}" + (
        ""
        if view.budget.axis == "approx"
        else f" (δ = {cards.number(view.budget.delta)} in conversions)"
    )
    return f"{start} ({of}): **{odds.removesuffix('.')}**{_measured(found)}."


def _weakest(key: str, promised: dict[str, Guarantee]) -> str:
    """Whose promise the odds are of: all methods' where they promise the same."""
    if len({round(attack_bound.most_auc(promise), 6) for promise in promised.values()}) == 1:
        return " and ".join(named(METHODS[k].title) for k in promised)
    return f"{named(METHODS[key].title)}, the weakest promise drawn"


def _measured(found: Sequence[Done]) -> str:
    attacked = [one for one in found if METHODS[one.spec.method].private]
    if not attacked:
        return ""
    best = max(attacked, key=lambda one: one.attack.auc)
    a, most = best.attack, attack_bound.most_auc(best.guarantee)
    of = named(METHODS[best.spec.method].title)
    return (
        f"; the attack drawn here, on {of}, reaches an area of {a.auc:.3f} ± {2 * a.error:.3f}"
        f" under its curve, where 0.5 is blind guessing and {most:.3f} the most possible"
    )


def cards_row(found: Sequence[Done], asked: Asked) -> None:
    """What each method promises, and what that leaves to an attacker."""
    promised, attacked = promises(asked), {one.spec.method: one for one in found}
    with st.container(horizontal=True):
        for key, promise in promised.items():
            cards.one(
                _Promise(asked.spec(key, asked.view.budget.value), promise),
                METHODS[key].title,
                f"attack-{key}",
            )
        if promised:
            with st.container(border=True, width=340, key="attack-odds"):
                st.html('<div class="dp-card-title">What is left to an attacker</div>')
                st.html(
                    _table(
                        [
                            (METHODS[k].title, _odds(p, attacked.get(k), asked.prior))
                            for k, p in promised.items()
                        ]
                    )
                )
                st.caption(
                    f"Who held {100 * asked.prior:.3g} in 100 that the record was used. Shares are"
                    " rounded up; area: under the curve, 0.5 is blind."
                )


@dataclass(frozen=True)
class _Promise:
    """What a card reads."""

    spec: RunSpec
    guarantee: Guarantee


def _table(columns: Sequence[tuple[str, dict[str, str]]]) -> str:
    """Rows of terms, a column a method."""
    top = "".join(f"<th>{text.plain(title)}</th>" for title, _ in columns)
    rows = "".join(
        f"<tr><th>{term}</th>"
        + "".join(f"<td>{column[term]}</td>" for _, column in columns)
        + "</tr>"
        for term in columns[0][1]
    )
    return (
        "<table"
        f' class="dp-table"><thead><tr><td></td>{top}</tr></thead><tbody>{rows}</tbody></table>'
    )


def _odds(promise: Guarantee, one: Done | None, prior: float) -> dict[str, str]:
    odds = attack_bound.odds(promise, prior)
    measured = "–" if one is None else f"{one.attack.auc:.3f} ± {2 * one.attack.error:.3f}"
    return {
        "right at most": f"{_up(odds.right)} in 100",
        "moves to at most": f"{_up(odds.posterior)} in 100",
        "except in": "no release" if odds.tail == 0 else f"{100 * odds.tail:.2g} of 100",
        "area at most": f"{attack_bound.most_auc(promise):.3f}",
        "this attack": measured,
    }


def _up(share: float) -> str:
    """A share in hundredths, rounded up to a tenth as in the sentence; certainty is kept for what
    is certain.
    """
    tenths = math.ceil(1000 * share - 1e-6)
    return "> 99.9" if tenths >= 1000 and share < 1 else f"{tenths / 10:g}"
