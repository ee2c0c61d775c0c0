"""The closer looks of the page "Tuning": what mattered, what each price assumes, all trials."""

from __future__ import annotations

import streamlit as st

from dpviz.plots.setting_maps import Trials
from dpviz.run import reproduce
from dpviz.run.result_files import PRIVATE
from dpviz.run.tuning import Tuned
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import session_cost
from dpviz.ui.tuning import answer
from dpviz.ui.widgets import cards, charts, export
from dpviz.views import tuning_page

ASSUMPTIONS = """
- **A trial is a run**: its own setting, drawn from the method's ranges, and its own noise. Its \
score is accuracy on the
  test set. The project takes the test set as public, so the score follows from what the run \
releases and reads no private
  record beyond it. **A score by the minority is not covered**: private class counts decide which \
classes are the
  minority. No price on this page holds for such a score, or for a choice by it.
- **All trials shown**: every run is a release. Their costs add up, by composition, however the \
settings were chosen. This
  is the price of looking at the charts here.
- **Only the best shown**: the private selection theorems (Papernot and Steinke 2021, Theorems 2 \
and 6; Liu and Talwar 2019)
  ask less, if the number of trials is drawn at random from a stated distribution, all settings \
are drawn alike and
  independently, and nothing but the winner is ever seen: not the other trials, not even how many \
there were, nor which
  of them won, nor its seed. Where they hold, this page shows the winner alone, and all else in a \
fold that is no longer
  covered.
  With a Poisson number there may be no trial at all, and then there is nothing to show.
- **TPE learns from earlier scores**, so its trials are not drawn alike: for it only composition \
holds.
- **"Tuned for free"** is the cost of a single run with settings fixed beforehand, which papers \
print for the best of many.
- **A setting that may not run is drawn again**, which costs nothing: its plan shows, from sizes \
and budget alone, that it cannot
  work, or would promise less than the default, or to other neighbours.
- **The best of many noisy runs is partly luck** (the winner's curse), so its setting and the \
default are run again on noise that
  chose neither, each on its own. These runs are releases too, and are priced with all trials; \
where the best alone is what is
  shown, there are none. They use the test records that the search used: what luck the winner had \
with those stays in.
- The theorems' numbers hold for the largest cost of any one run; every plan here is held below \
that of the defaults.
"""

CURTAIN = (
    "Whoever has seen this has seen every run: the price of the best alone no longer holds, that of"
    " composition does."
)


def trials(study: Tuned, key: str) -> Trials:
    """The chart of all trials, which is a private view."""
    search = study.search
    shown = Trials(study.study, search.metric, search.method)
    with page_parts.picture():
        cards.private_view()
        charts.plot(shown, key)
    page_parts.caption(detail_level.at_level(answer.caption(study), tuning_page.HOW_TO_READ))
    return shown


def curtain(study: Tuned, key: str) -> None:
    """All trials where the best alone is what may be shown: a private view, drawn only when open,
    and priced by composition from then on.
    """
    fold = st.expander("Behind the curtain: all trials", key="curtain", bind="query-params")
    if not fold.open:
        return
    session_cost.note_trials(study)
    with fold:
        st.caption(CURTAIN)
        if study.best is None:
            cards.private_view()
        else:
            shown = trials(study, key)
        answer.all_shown(study)
        downloads(study, key)
    if study.best is not None:
        importance_fold(shown, key)


def importance_fold(shown: Trials, key: str) -> None:
    """What mattered, and each setting by itself; drawn only when open."""
    fold = st.expander("What mattered, setting by setting", key="slices", bind="query-params")
    if fold.open:
        with fold:
            _importances(shown, key)
            charts.show(
                shown.slices(),
                "Score of each trial against each setting.",
                f"{key}-slices",
                "Each setting by itself; the later a trial, the stronger its colour.",
            )


def _importances(shown: Trials, key: str) -> None:
    figure = shown.importances()
    if figure is None:
        st.caption("Too few scored trials, or a single setting: what mattered cannot be told.")
        return
    charts.show(
        figure,
        "Bars: how much each setting explains of the scores' spread.",
        f"{key}-importance",
        "How much of the scores' spread each setting explains, by Optuna.",
    )


def downloads(study: Tuned, key: str) -> None:
    """All trials, their CSV and the command."""
    metric = study.search.metric
    column = f"{PRIVATE}.{metric}" if study.search.scores_privately else metric
    rows = [
        {
            "trial": place,
            **trial.params,
            column: trial.score,
            "seed": study.search.spec(trial=place).seed,
        }
        for place, trial in enumerate(study.trials)
    ]
    export.table(rows, key, "All trials")
    export.code_block(reproduce.tune_command(study.search))
    st.caption("The study is kept in the cache folder and goes on when more trials are asked for.")
