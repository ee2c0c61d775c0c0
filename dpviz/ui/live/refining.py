"""Further noise seeds and data draws while the page is idle, in a process of the lowest priority.

The browser asks (``assets/refining.js``): only while the tab is visible and nothing was touched for
a moment. Each question reruns one fragment. It begins or joins the job of the next step, and reruns
the page once that step is in memory. A job whose browser no longer asks ends by itself.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import streamlit as st

from dpviz.caches import KeyedCache
from dpviz.data import DATASETS
from dpviz.experiments import embedding_work, experiment
from dpviz.experiments.jobs import Group, Job, Jobs, Work
from dpviz.machine import public_mode
from dpviz.methods import METHODS
from dpviz.text import controls as text
from dpviz.text import settings as settings_text
from dpviz.text.template import render_text
from dpviz.types import DpvizError, Result, RunSpec
from dpviz.ui.assets import asset
from dpviz.ui.frame import link_notes, presentation
from dpviz.ui.live import long_work, rerun_scheduling, session_cost
from dpviz.views import page_config
from dpviz.views.page_config import PageConfig, Step

DISABLED = os.environ.get("DPVIZ_REFINE") == "0" or public_mode.is_on()
"""Whether this server never refines."""
KEY = "refine"
JOB, TRIED_VIEWS, REQUEST = "refine:job", "refine:tried", "refine:asked"
LEASE = 3.0
"""Seconds after the browser's last question in which its job goes on."""
SEEDS = "n"
"""Key of the control of noise seeds."""
DRAWS, AUTO_DRAWS = "draws", "auto"
"""Key of the control of data draws, and its value at which refinement adds draws."""

Curve = TypeVar("Curve")
Groups = Callable[[PageConfig], list[Group]]

MAX_AHEAD = 120.0
"""Seconds of computing that an installation may spend on further data draws."""
MAX_RECALLED = 2_500
"""Most runs of a view that are read from the store while its page is drawn."""

_read: KeyedCache[bool] = KeyedCache(__name__, 256)
"""Views and groups that were looked for in the store, once, and whether all runs were there."""
_requests: dict[str, float] = {}
"""When the browser of each person asked last."""


def _is_waiting(person: str) -> bool:
    return long_work.is_connected(person) and time.monotonic() - _requests.get(person, 0.0) < LEASE


WORK = Work(long_work.IDLE_POOL.sweep, max_running=100, private_runs=long_work.SWEEPS.private_runs)
WORK.results = long_work.SWEEPS.results
JOBS = Jobs(_is_waiting, long_work.visitor_of)


def control() -> None:
    """Draw the switch, in the fold of seeds."""
    # a link that gives N, from a page without this switch, shows those seeds alone
    exact = link_notes.opened_with(SEEDS) and not link_notes.opened_with(KEY)
    st.toggle(text.REFINE, not exact, key=KEY, help=text.REFINE_HELP, bind="query-params")


def _is_on(view: PageConfig) -> bool:
    on = st.session_state.get(KEY, False) and not DISABLED
    return on and view.seeds == page_config.FIRST_SEEDS and "lesson" not in st.query_params


def _over_draws(view: PageConfig) -> bool:
    """Whether data draws are added: nobody chose a draw or a number of draws."""
    is_open = st.session_state.get(DRAWS) == AUTO_DRAWS and view.draw == 0
    return is_open and page_config.draws_differ(view)


def refined_view(view: PageConfig) -> PageConfig:
    """The view at the last step whose runs are all in memory."""
    if _is_on(view):
        steps = page_config.seed_steps(view)
        if _over_draws(view):  # seeds of one draw, where further draws are too slow
            steps += page_config.DRAW_STEPS
        for step in reversed(steps):
            finer = replace(view, seeds=step.seeds, draws=step.draws)
            if _is_computed(finer) or _read.get_or_compute(finer, partial(_recall, finer)):
                return finer
    return view


def _recall(view: PageConfig) -> bool:
    """Read all runs of a view from the store into memory.

    Returns:
        Whether all are stored. The last run of each method comes first: where one is missing,
        nothing else is read.
    """
    if view.dataset not in DATASETS:
        return False
    last = _last_runs(view)
    try:
        if embedding_work.remaining(last[:1]) or len(experiment.stored(last)) < len(last):
            return False
        return _read_groups(view.groups())
    except DpvizError:
        return False


def recall(groups: Sequence[Group]) -> bool:
    """Whether the results of all groups are in memory, or are stored and read now."""
    return in_memory(groups) or _read.get_or_compute(tuple(groups), partial(_read_groups, groups))


def _read_groups(groups: Sequence[Group]) -> bool:
    specs = [spec for group in groups for spec in group]
    results = experiment.stored(specs) if len(specs) <= MAX_RECALLED else []
    if len(results) < len(specs):
        return False
    _keep(groups, results)
    return True


def compute_ahead(view: PageConfig, results: Sequence[Result]) -> PageConfig:
    """Compute a view's further data draws now, as far as they take at most ``MAX_AHEAD`` seconds.

    Args:
        results: of the view at its first seeds.

    Returns:
        The view with all draws and seeds that are computed now.
    """
    steps = page_config.refinement_steps(view, results, page_config.draws_differ(view))
    seconds = sum(run.seconds for run in results) / (view.seeds * view.draws)
    quick = [step for step in steps if seconds * step.seeds * step.draws <= MAX_AHEAD]
    if not quick:
        return view
    finer = replace(view, seeds=quick[-1].seeds, draws=quick[-1].draws)
    compute(finer.groups())
    return finer


def compute(groups: Sequence[Group]) -> None:
    """Compute groups now; their results are stored, and in memory."""
    _keep(groups, experiment.sweep([spec for group in groups for spec in group]))


def _keep(groups: Sequence[Group], results: Sequence[Result]) -> None:
    """Keep in memory the results of all specs of some groups, in order."""
    rest = iter(results)
    for group in groups:
        WORK.results.put(group, list(islice(rest, len(group))))


def _last_runs(view: PageConfig) -> list[RunSpec]:
    """Return one run of each method, at the last seed and data draw of a view."""
    last = view.first_seed + view.seeds - 1
    return [
        view.spec(
            key,
            view.stops[0],
            draw=view.all_draws[-1],
            seed=last if METHODS[key].private else view.first_seed,
        )
        for key in view.methods
    ]


def _is_computed(view: PageConfig) -> bool:
    """Whether all runs of a view are in memory. References come first: where they are missing, the
    thousands of specs of the curves are not made.
    """
    methods = sorted(view.methods, key=lambda key: METHODS[key].private)
    return all(in_memory(replace(view, methods=(key,)).groups()) for key in methods)


def first_step(view: PageConfig) -> Step:
    """Return the seeds and data draws with which a page begins, before it is refined."""
    seeds = st.session_state.get(SEEDS) or view.seeds
    return Step(int(seeds), 1 if st.session_state.get(DRAWS) == AUTO_DRAWS else view.draws)


def drawn_curve(
    key: str, requested: tuple[PageConfig, *tuple[Hashable, ...]], view: PageConfig, curve: Curve
) -> Curve:
    """Return the chart as it was drawn first for these settings: ``curve``, or one of other runs.
    Any change of a chart's data would remount it in the browser, without its zoom.

    Args:
        key: of the page; requested: what the controls give, the view first; view: as it is shown.
    """
    controls = requested[0]
    if controls.budget.value in controls.stops:  # every chart has a point at each stop
        controls = controls.with_budget(controls.stops[0])
    settings = (controls, *requested[1:])
    runs = view.seeds * view.draws
    previous = st.session_state.get(f"{key}:base")
    if previous and previous[0] == settings and previous[1] != runs and not presentation.on():
        return previous[2]
    if not (previous and previous[0] == settings and previous[1] == runs and previous[2] == curve):
        st.session_state[f"{key}:base"] = (settings, runs, curve)
    return curve


def requested_view(key: str, session: Any) -> PageConfig | None:
    """Return the view that the controls of page ``key`` gave, None if no chart was drawn."""
    base = f"{key}:base"
    return session[base][0][0] if base in session else None


def in_memory(groups: Sequence[Group]) -> bool:
    """Whether the results of all groups are in memory."""
    return all(WORK.results.get(group) is not None for group in groups)


def pause() -> None:
    """Stop the refinement of this session: a control was moved, or a page begins."""
    st.session_state.pop(REQUEST, None)
    if st.session_state.pop(JOB, None):
        JOBS.leave(long_work.client(KEY))


@dataclass(frozen=True)
class _Request:
    """What a page wants to be refined.

    Attributes:
        view: as it is shown; steps: seeds and data draws; groups: all runs of a page at a view.
    """

    view: PageConfig
    steps: tuple[Step, ...]
    groups: Groups

    def next(self) -> PageConfig | None:
        """The view of the next step; None where there is none. The view shown is one where some of
        its runs are missing, as at a budget that was not looked at before.
        """
        now = Step(self.view.seeds, self.view.draws)
        steps = self.steps
        if now in steps:
            steps = steps[steps.index(now) + in_memory(self.groups(self.view)) :]
        elif any(step.draws < now.draws for step in steps):
            return None
        views = [replace(self.view, seeds=step.seeds, draws=step.draws) for step in steps]
        return next(iter(views), None)

    def caption(self, following: PageConfig | None) -> str:
        """Return what is shown and, while a step follows, how far the refinement is."""
        words = page_config.runs_shown(self.view)
        if following is None:
            return words
        return f"{words} {_progress(settings_text.REFINING, self.view, self.steps[-1])}"


def preliminary(requested: PageConfig, view: PageConfig, results: Sequence[Result]) -> str:
    """Return the share of runs that an answer is based on, in words; empty if it is final.

    Args:
        requested: the view that the controls give; view: as it is shown; results: of it.
    """
    if not _is_on(requested) or _is_paused():
        return ""
    steps = _steps(requested, results)
    last = steps[-1] if steps else Step(view.seeds, view.draws)
    if view.draws > requested.draws:  # further draws sharpen the answer, as the caption says
        return ""
    if last.seeds * last.draws <= view.seeds * view.draws:
        return ""
    return _progress(settings_text.PRELIMINARY, view, last)


def _is_paused() -> bool:
    """Whether nothing is refined now, whatever the page shows."""
    return presentation.on() or rerun_scheduling.no_browser or not session_cost.is_below_cap()


def _steps(requested: PageConfig, results: Sequence[Result]) -> tuple[Step, ...]:
    first_results = [
        run
        for run in requested.of_draws(results)
        if run.spec.seed < requested.first_seed + requested.seeds
    ]
    return page_config.refinement_steps(requested, first_results, _over_draws(requested))


def _progress(templates: Mapping[str, str], view: PageConfig, last: Step) -> str:
    return render_text(
        templates["draws" if last.draws > view.draws else "seeds"],
        seeds=view.seeds,
        last_seeds=last.seeds,
        draws=view.draws,
        last_draws=last.draws,
        runs=view.seeds * view.draws,
        last_runs=last.seeds * last.draws,
    )


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
    steps = _steps(requested, results)
    if steps and complete and not _is_paused():
        _fragment(_Request(view, steps, groups))
    elif view != requested:
        st.caption(page_config.runs_shown(view))


@st.fragment
def _fragment(request: _Request) -> None:
    tried_views = st.session_state.setdefault(TRIED_VIEWS, set())
    following = request.next()
    if following in tried_views:  # it has left memory again, or was refused
        following = None
    if following and st.session_state.pop(REQUEST, False):
        _go_on(following, request, tried_views)
    st.caption(request.caption(following))
    part = st.components.v2.component(
        "dpviz.refining", html="<i hidden></i>", js=asset("refining.js")
    )
    part(key="refining", data={"more": following is not None}, on_idle_change=_request)


def _request() -> None:
    st.session_state[REQUEST] = True


def _go_on(finer: PageConfig, request: _Request, tried_views: set[PageConfig]) -> None:
    """Begin or look at the job of the next step; once it is done, run the page again."""
    person = long_work.client(KEY)
    _requests[person] = time.monotonic()
    if JOB not in st.session_state:
        st.session_state[JOB] = JOBS.ask(person, request.groups(finer), WORK)
    job: Job = st.session_state[JOB]
    if not job.finished.is_set():
        return
    del st.session_state[JOB], _requests[person]
    if not job.stopped:
        tried_views.add(finer)
    is_further = finer != request.view
    if job.complete:
        if request.view.seeds * request.view.draws > page_config.FIRST_SEEDS and is_further:
            # the next step has these runs as well
            for group in set(request.groups(request.view)).difference(job.groups):
                WORK.results.drop(group)
        st.rerun(scope="app")
