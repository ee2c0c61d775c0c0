"""Further noise seeds while the page is idle, in a process of the lowest priority.

The browser asks (``assets/refining.js``): only while the tab is visible and nothing was touched for
a moment. Each question reruns one fragment. It begins or joins the job of the next step, and reruns
the page once that step is in memory. A job whose browser no longer asks ends by itself.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import streamlit as st

from dpviz.experiments.jobs import Group, Job, Jobs, Work
from dpviz.experiments.worker_processes import Pool
from dpviz.types import Result
from dpviz.ui import streamlit_internals
from dpviz.ui.assets import asset
from dpviz.ui.frame import link_notes, presentation, visitor
from dpviz.ui.live import long_work, rerun_scheduling, session_cost
from dpviz.views import page_config
from dpviz.views.page_config import PageConfig

DISABLED = os.environ.get("DPVIZ_REFINE") == "0"
"""Whether this server never refines."""
KEY = "refine"
JOB, TRIED_VIEWS, REQUEST = "refine:job", "refine:tried", "refine:asked"
LEASE = 3.0
"""Seconds after the browser's last question in which its job goes on."""
NICE = 19
HELP = (
    "Adds seeds while you do nothing, and stops at any move. The range of seeds is below the chart."
    " A number of seeds that you choose is kept. Each seed counts in the privacy cost of exploring."
)
SEEDS_TEXT = "{seeds}."
REFINING_TEXT = "Refining: {now} of {last} seeds."

Curve = TypeVar("Curve")
Groups = Callable[[PageConfig], list[Group]]

_pool = Pool(1, NICE)
_requests: dict[str, float] = {}
"""When the browser of each person asked last."""


def _is_waiting(person: str) -> bool:
    return long_work.is_connected(person) and time.monotonic() - _requests.get(person, 0.0) < LEASE


WORK = Work(_pool.sweep_in_worker, max_running=100, private_runs=long_work.SWEEPS.private_runs)
WORK.results = long_work.SWEEPS.results
JOBS = Jobs(_is_waiting, lambda person: person.partition(":")[0])


def control() -> None:
    """Draw the switch, in the fold of seeds."""
    # a link that gives N, from a page without this switch, shows those seeds alone
    exact = link_notes.opened_with("n") and not link_notes.opened_with(KEY)
    st.toggle("Refine while idle", not exact, key=KEY, help=HELP, bind="query-params")


def _is_on(view: PageConfig) -> bool:
    on = st.session_state.get(KEY, False) and not DISABLED
    return on and view.seeds == page_config.FIRST_SEEDS and "lesson" not in st.query_params


def refined_view(view: PageConfig) -> PageConfig:
    """The view with the largest number of seeds whose runs are all in memory."""
    if _is_on(view):
        for seeds in reversed(page_config.SEED_STEPS):
            finer = replace(view, seeds=seeds)
            if in_memory(finer.groups()):
                return finer
    return view


def drawn_curve(
    key: str, requested: tuple[PageConfig, *tuple[Hashable, ...]], view: PageConfig, curve: Curve
) -> Curve:
    """Return the chart as it was drawn first for these settings: ``curve``, or one of fewer seeds.
    Any change of a chart's data would remount it in the browser, without its zoom.

    Args:
        key: of the page; requested: what the controls give, the view first; view: as it is shown.
    """
    controls = requested[0]
    if controls.budget.value in controls.stops:  # every chart has a point at each stop
        controls = controls.with_budget(controls.stops[0])
    settings = (controls, *requested[1:])
    previous = st.session_state.get(f"{key}:base")
    if previous and previous[0] == settings and previous[1] < view.seeds and not presentation.on():
        return previous[2]
    if not (
        previous and previous[0] == settings and previous[1] == view.seeds and previous[2] == curve
    ):
        st.session_state[f"{key}:base"] = (settings, view.seeds, curve)
    return curve


def in_memory(groups: Sequence[Group]) -> bool:
    """Whether the results of all groups are in memory."""
    return all(WORK.results.get(group) is not None for group in groups)


def pause() -> None:
    """Stop the refinement of this session: a control was moved, or a page begins."""
    st.session_state.pop(REQUEST, None)
    if st.session_state.pop(JOB, None):
        JOBS.leave(_person())


def _person() -> str:
    return f"{visitor.visitor_name()}:{KEY}:{streamlit_internals.session_id()}"


@dataclass(frozen=True)
class _Request:
    """What a page wants to be refined.

    Attributes:
        view: as it is shown; steps: numbers of seeds; groups: all runs of a page at a view.
    """

    view: PageConfig
    steps: tuple[int, ...]
    groups: Groups

    def next(self) -> PageConfig | None:
        """The view of the next step; None where there is none. The view shown is one where some of
        its runs are missing, as at a budget that was not looked at before.
        """
        views = [replace(self.view, seeds=n) for n in self.steps if n >= self.view.seeds]
        is_shown = bool(views) and views[0] == self.view and in_memory(self.groups(views[0]))
        return next(iter(views[is_shown:]), None)


def draw_caption(
    requested: PageConfig,
    view: PageConfig,
    results: Sequence[Result],
    groups: Groups,
    complete: bool,
) -> None:
    """Draw the caption with the seeds shown, and refine them further.

    Args:
        requested: the view that the controls give; view: as it is shown; results: of it, in any
            order; groups: all runs of the page at a view; complete: no run is missing.
    """
    if not _is_on(requested):
        return
    first_results = [
        run for run in results if run.spec.seed < requested.first_seed + requested.seeds
    ]
    steps = page_config.seed_steps(requested, first_results)
    is_paused = presentation.on() or rerun_scheduling.no_browser or not complete
    if steps and not is_paused and session_cost.is_below_cap():
        _fragment(_Request(view, steps, groups))
    elif view != requested:
        st.caption(SEEDS_TEXT.format(seeds=page_config.seed_range(view)))


@st.fragment
def _fragment(request: _Request) -> None:
    tried_views = st.session_state.setdefault(TRIED_VIEWS, set())
    following = request.next()
    if following in tried_views:  # it has left memory again, or was refused
        following = None
    if following and st.session_state.pop(REQUEST, False):
        _go_on(following, request, tried_views)
    words = SEEDS_TEXT.format(seeds=page_config.seed_range(request.view))
    if following:
        words = f"{words} {REFINING_TEXT.format(now=request.view.seeds, last=request.steps[-1])}"
    st.caption(words)
    part = st.components.v2.component(
        "dpviz.refining", html="<i hidden></i>", js=asset("refining.js")
    )
    part(key="refining", data={"more": following is not None}, on_idle_change=_request)


def _request() -> None:
    st.session_state[REQUEST] = True


def _go_on(finer: PageConfig, request: _Request, tried_views: set[PageConfig]) -> None:
    """Begin or look at the job of the next step; once it is done, run the page again."""
    person = _person()
    _requests[person] = time.monotonic()
    if JOB not in st.session_state:
        st.session_state[JOB] = JOBS.ask(person, request.groups(finer), WORK)
    job: Job = st.session_state[JOB]
    if not job.finished.is_set():
        return
    del st.session_state[JOB], _requests[person]
    if not job.stopped:
        tried_views.add(finer)
    if job.complete:
        if page_config.FIRST_SEEDS < request.view.seeds < finer.seeds:
            # the next step has these runs as well
            for group in set(request.groups(request.view)).difference(job.groups):
                WORK.results.drop(group)
        st.rerun(scope="app")
