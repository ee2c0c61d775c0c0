"""The page "Tuning": a study of one method's settings, and the honest price beside its best."""

from __future__ import annotations

import shlex

import pandas as pd
import streamlit as st

from dpviz.methods import METHODS
from dpviz.plots import study_plots as plots
from dpviz.run import tuning
from dpviz.run.jobs import Board
from dpviz.run.tuning import COUNTS, SAMPLERS, Search, Tuned
from dpviz.types import Budget
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts, export, shared_controls
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import View
from dpviz.words import METRICS, at, number

FIRST = "dppl-public"
MOST = 200
KEPT = 30

TEXT = """
- **A trial is a run**: its own setting, drawn from the method's ranges, and its own noise. Its score is accuracy on the
  test set. The project takes the test set as public, so the score follows from what the run releases and reads no private
  record beyond it. Scoring by the minority also takes as public **which classes are the smallest**.
- **All trials shown** (this page, and anyone who reads it): every run is a release. Their costs add up, by composition,
  however the settings were chosen. This is the price of looking at the charts here.
- **Only the best shown**: the private selection theorems (Papernot and Steinke 2021, Theorems 2 and 6; Liu and Talwar 2019)
  ask less, if the number of trials is drawn at random from a stated distribution, all settings are drawn alike and
  independently, and nothing but the winner is ever seen: not the other trials, not even how many there were.
  With a Poisson number there may be no trial at all, and then there is nothing to show.
- **TPE learns from earlier scores**, so its trials are not drawn alike: for it only composition holds.
- **"Tuned for free"** is the cost of a single run with settings fixed beforehand, which papers print for the best of many.
- **Refused trials** cost nothing: the plan shows, from sizes and budget alone, that they cannot work, or would promise
  less than the default, or to other neighbours.
- The theorems' numbers hold for the largest cost of any one run; every plan here is held below that of the defaults.
"""


def sidebar() -> tuple[View, Search]:
    """All controls of the page."""
    with st.sidebar:
        st.header("Data")
        dataset, encoder, public, ir, features = shared_controls.data()
        st.header("Privacy")
        axis, delta, budget = shared_controls.privacy()
        st.header("Method")
        titles = {key: row.title for key, row in METHODS.items() if row.private and row.params}
        method = choice(
            st.selectbox,
            "Method to tune",
            titles,
            FIRST,
            "tm",
            help="Its own settings are moved, each inside its range.",
        )
        trials = st.slider(
            "Trials, or their mean",
            2,
            MOST,
            20,
            key="trials",
            help="Each is one more run on the private records.",
            **shared_controls.LINK,
        )
        sampler = choice(
            st.radio, "Settings come from", SAMPLERS, "tpe", "sampler", help=_SAMPLER_HELP
        )
        count = choice(st.selectbox, "Number of trials", COUNTS, "fixed", "count", help=_COUNT_HELP)
        with st.expander("Which settings, seed"):
            names = {p.name: p.label for p in METHODS[method].params}
            only = choice(
                st.multiselect,
                "Move only",
                names,
                (),
                f"only.{method}",
                help="None chosen: all are moved.",
            )
            seed = st.number_input(
                "Seed",
                0,
                3999,
                0,
                key="tseed",
                help="Of settings, noise and number of trials.",
                **shared_controls.LINK,
            )
        shared_controls.reset_link()
    view = View(
        dataset, encoder, public, ir, axis, delta, budget, int(seed), 1, (method,), (), features
    )
    wish = Search(
        dataset,
        encoder,
        method,
        Budget(budget, axis, delta),
        int(trials),
        "balanced",
        ir,
        int(seed),
        public,
        features,
        sampler,
        count,
        tuple(only),
    )
    return view, wish


_SAMPLER_HELP = (
    "TPE finds good settings sooner. Random search is what the selection theorems can price."
)
_COUNT_HELP = (
    "The theorems need a number drawn at random and kept secret. It is drawn from the seed here, so"
    " that you can look behind the curtain."
)


@st.cache_resource(show_spinner=False)
def board() -> Board:
    """Studies of this server; what they found is kept in its cache folder as well. Long runs go to
    a process that can be stopped.
    """
    return Board(
        lambda group, progress: [tuning.run(group[0], progress, long_work.hands().sweep)],
        KEPT,
        there=long_work.there,
    )


def answer(found: Tuned) -> str:
    """One sentence: the best, and its three prices."""
    wish, costs = found.search, found.costs
    if found.best is None:
        return (
            f"None of {len(found.trials)} trials could run: {found.trials[-1].refused}"
            if found.trials
            else "The number drawn was 0: no trial, nothing to show."
        )
    best, tried = found.trials[found.best], sum(t.score is not None for t in found.trials)
    delta = number(wish.budget.delta)
    return (
        f"The best of {tried} runs of {METHODS[wish.method].title} at"
        f" {at(wish.budget.axis, wish.budget.value, wish.budget.delta)} each is right"
        f" **{100 * best.score:.0f} %** of the time ({METRICS[wish.metric].lower()}) with"
        f" {settings(best.params)}; having looked at all of them costs **ε ="
        f" {number(costs.composed)}** at δ = {delta}, not the ε = {number(costs.one)} of one run"
        " that papers print."
    )


def settings(params: dict) -> str:
    """A setting in words."""
    return ", ".join(
        f"{name} = {value:.3g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in params.items()
    )


def prices(found: Tuned) -> None:
    """The three readings of the cost, side by side."""
    costs, delta = found.costs, number(found.search.budget.delta)
    ran = sum(t.score is not None for t in found.trials)
    with st.container(horizontal=True, wrap=True):
        with st.container(border=True, width=300, key="price-all"):
            st.html('<div class="dp-card-title">All trials shown: this page</div>')
            st.markdown(f"**ε = {number(costs.composed)}** at δ = {delta}")
            st.caption(f"Composition of {ran} runs, however their settings were chosen.")
        with st.container(border=True, width=340, key="price-best"):
            st.html('<div class="dp-card-title">Only the best shown, number of trials secret</div>')
            st.html(
                cards.definition(
                    [
                        (
                            f"{name.capitalize()}, mean {number(costs.mean)}",
                            f"ε = {number(value)} at δ = {delta}",
                        )
                        for name, value in costs.selected.items()
                    ]
                )
            )
            st.caption(
                f"{':material/check:' if costs.holds else ':material/block:'} {costs.applies}"
                " Papernot and Steinke 2021, Theorems 2 and 6."
            )
        with st.container(border=True, width=300, key="price-free"):
            st.html('<div class="dp-card-title">“Tuned for free”: what papers print</div>')
            st.markdown(f"**ε = {number(costs.one)}** at δ = {delta}")
            st.caption(
                ":material/warning: Not the cost of this choice: it is that of one run with"
                " settings fixed beforehand."
            )
    promise = next((t.guarantee for t in found.trials if t.guarantee), None)
    if promise:
        smallest = ", which classes are the smallest" if found.search.metric == "minority" else ""
        st.caption(
            f"Every ε here: {promise.adjacency}; {promise.unit}; taken as public: {promise.public},"
            f" the test set{smallest}."
        )


def closer(found: Tuned, key: str) -> None:
    """What mattered, and each setting by itself; drawn only when open."""
    fold = st.expander("What mattered, setting by setting", key="slices", bind="query-params")
    if fold.open:
        with fold:
            shown = plots.importances(found.study, found.search.method)
            if shown is None:
                st.caption(
                    "Too few scored trials, or a single setting: what mattered cannot be told."
                )
            else:
                charts.show(
                    shown,
                    "Bars: how much each setting explains of the scores' spread.",
                    f"{key}-importance",
                    "How much of the scores' spread each setting explains, by Optuna.",
                )
            charts.show(
                plots.slices(found.study),
                "Score of each trial against each setting.",
                f"{key}-slices",
                "Each setting by itself; the later a trial, the stronger its colour.",
            )


def table(found: Tuned) -> pd.DataFrame:
    """A row a trial."""
    rows = [
        {
            "trial": i,
            **t.params,
            found.search.metric: t.score,
            "refused": t.refused,
            "seed": found.search.spec(trial=i).seed,
        }
        for i, t in enumerate(found.trials)
    ]
    return pd.DataFrame(rows)


def downloads(found: Tuned, key: str) -> None:
    """Table, CSV and the command."""
    export.table(table(found), key, "All trials")
    st.code(command(found.search), language="bash", wrap_lines=True)
    st.caption("The study is kept in the cache folder and goes on when more trials are asked for.")


def command(wish: Search) -> str:
    """The shell command that gives this study."""
    words = [
        "python",
        "-m",
        "dpviz",
        "tune",
        "--dataset",
        wish.dataset,
        *(["--encoder", wish.encoder] if wish.encoder else []),
    ]
    words += ["--public", wish.public] if wish.public else []
    words += ["--features", wish.features] if wish.features else []
    words += [
        "--method",
        wish.method,
        "--budget",
        repr(wish.budget.value),
        "--axis",
        wish.budget.axis,
        "--delta",
        repr(wish.budget.delta),
    ]
    words += [
        "--ir",
        repr(wish.ir),
        "--trials",
        str(wish.trials),
        "--metric",
        wish.metric,
        "--sampler",
        wish.sampler,
        "--count",
        wish.count,
    ]
    words += ["--seed", str(wish.seed), *(word for name in wish.only for word in ("--only", name))]
    return shlex.join([*words, "--json"])


def caption(found: Tuned) -> str:
    """What the chart holds, in words."""
    refused = sum(t.score is None for t in found.trials)
    words = "One run a trial, each with noise of its own, so equal settings differ"
    return f"{words}; {refused} trials were refused from their plans." if refused else f"{words}."
