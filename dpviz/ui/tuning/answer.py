"""Answer, tiles and chart of the Tuning page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.experiments import cleanup, tuning, tuning_again
from dpviz.experiments.jobs import Group, Work
from dpviz.experiments.tuning import Search, Tuned
from dpviz.experiments.tuning_again import Merit
from dpviz.machine import public_mode
from dpviz.machine.fair_queue import VISITORS, Progress
from dpviz.plots.setting_maps import Trials
from dpviz.stats import Interval
from dpviz.text import public_mode as public_text
from dpviz.text import tuning as text
from dpviz.text.charts import LABELS
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts
from dpviz.views import tuning_page


def _study(group: Group, progress: Progress) -> list[Tuned]:
    study = tuning.run(group[0], progress, long_work.POOL.sweep)
    cleanup.keep_study(group[0], VISITORS.get()())
    return [study]


#: Results are stored in the cache folder as well; long runs use a process that can be stopped.
STUDIES = Work(_study, max_groups=30, private_runs=lambda study: [study], feature="tuning")


def study(key: str, search: Search, place: Any, status: Any) -> Tuned | None:
    """Return the study of a search; None where it was stopped or refused."""
    if public_mode.is_on():
        page_parts.answer(place, public_text.CLOSED["tuning"])
        return None
    group = (search,)
    job = long_work.collect(
        *(key, [group], status),
        begin=lambda: page_parts.answer(place, tuning_page.running(search.method)),
        work=STUDIES,
    )
    page_parts.refusals(job.errors.values())
    return job.done[group][0] if group in job.done else None


def rerun_best(study: Tuned, status: Any) -> Merit | None:
    """Return scores of winner and default on fresh noise.

    None where only the best is shown, as each of these runs would be one more release.
    """
    if study.best is None or study.costs.holds:
        return None
    groups = tuning_again.winner_again(study), tuning_again.default_again(study)
    job = long_work.collect("tuning-again", list(dict.fromkeys(groups)), status)
    page_parts.refusals(job.errors.values())
    if any(group not in job.done for group in groups):
        return None
    return tuning_again.merit(study, *(job.done[group] for group in groups))


def trials(
    study: Tuned, key: str, merit: Merit | None = None, public: Interval | None = None
) -> Trials:
    """Draw the chart of all trials, a private view, and return it.

    Args:
        merit: scores on fresh noise; public: accuracy of public images alone.
    """
    fresh = LABELS["fresh_noise" if detail_level.precise() else "run_again"]
    again = (fresh, merit.winner) if merit else None
    alone = (LABELS["public_only"], public) if public and public.is_measured else None
    default = (LABELS["default_settings"], merit.default) if merit else None
    search, guesses = study.search, tuning_page.guesses(study)
    shown = Trials(study.study, search.metric, search.method, again, alone, guesses, default)
    with page_parts.picture():
        cards.private_view()
        charts.plot(shown, key)
    precise = detail_level.precise()
    page_parts.caption(tuning_page.caption(study, shown.has_scores_below, precise))
    return shown


def prices(study: Tuned) -> None:
    """Draw the cost of the winner, then of all trials, of private selection, and of one run."""
    holds = study.costs.holds
    st.markdown(tuning_page.winner_cost(study))
    with cards.row("price"):
        if not holds:
            all_shown(study)
        with cards.titled(text.CARDS["best" if holds else "would"], 340, "price-best"):
            st.html(cards.definition(tuning_page.best_alone_rows(study)))
            st.caption(text.BEST_SOURCE if holds else text.WOULD)
        with cards.titled(text.CARDS["free"], key="price-free"):
            st.markdown(tuning_page.price(study, study.costs.one))
            st.caption(text.FREE)
    if study.trials:
        st.caption(tuning_page.terms(study.trials[0].guarantee))


def all_shown(study: Tuned) -> None:
    """Draw the cost of showing all trials."""
    with cards.titled(text.CARDS["all"], 340, "price-all"):
        st.html(cards.definition(tuning_page.all_rows(study)))
        st.caption(text.COMPOSED if study.costs.holds else text.COMPOSED_RERUN)
