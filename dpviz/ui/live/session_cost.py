"""Session ledger: a fold below every sidebar with the privacy cost of the runs shown so far.

Runs are noted where results reach a page. Their cost is computed while the fold is open. The server
keeps one ledger per visitor in memory, so that all tabs share it and a reload does not end it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dpviz.caches import KeyedCache
from dpviz.experiments import release_file, session
from dpviz.experiments.jobs import Group, Job, Work
from dpviz.experiments.method_verdicts import Verdict
from dpviz.experiments.session import NoisyVotes
from dpviz.experiments.tuning import Search, Tuned
from dpviz.privacy.session_accountant import Ledger, ledger
from dpviz.privacy.session_totals import CAP_EPSILON
from dpviz.text import session as session_text
from dpviz.types import DELTA, RunSpec
from dpviz.ui.frame import visitor
from dpviz.ui.widgets import bounded
from dpviz.views import session_in_words

LEDGER, SLOT, FOLD, CAP = "ledger:seen", "ledger:slot", "ledger", "ledger:cap"
RESTART = "ledger:start"
#: Smallest and largest session cap that can be chosen.
CAP_RANGE = 0.01, 100.0
#: Runs remembered for one session.
MAX_RUNS = 20_000
#: Ledgers kept of visitors without an open page, and the runs in all of them. The oldest go first.
MAX_VISITORS, MAX_RUNS_TOGETHER = 200, 5 * MAX_RUNS
TOO_MANY = (
    f"**No bound.** More than {MAX_RUNS:,} runs were shown. The ledger holds the first"
    f" {MAX_RUNS:,}."
)


@dataclass
class SessionLedger:
    """What was shown: runs, noisy votes, releases drawn, and studies of which the best alone was
    shown (False) or all trials (True). ``unknown``: whether a result without a known cost was
    shown. ``noted``: groups of runs that need no second look. ``cap``: epsilon of the session
    cap, fixed before the first of them.
    """

    cap: float = CAP_EPSILON
    unknown: bool = False
    runs: dict[RunSpec, None] = field(default_factory=dict)
    votes: dict[NoisyVotes, None] = field(default_factory=dict)
    releases: list[RunSpec] = field(default_factory=list)
    studies: dict[Search, bool] = field(default_factory=dict)
    noted: set[tuple[Work, Group]] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        """Whether nothing private was shown yet, so that the cap may still be chosen."""
        has_entries = self.runs or self.votes or self.releases or self.studies
        return not (has_entries or self.unknown)

    @property
    def size(self) -> int:
        """Entries."""
        return len(self.runs) + len(self.votes) + len(self.releases) + len(self.studies)

    @property
    def is_full(self) -> bool:
        """Whether more was shown than is remembered."""
        return len(self.runs) + len(self.votes) > MAX_RUNS


_ledgers: KeyedCache[SessionLedger] = KeyedCache(
    __name__, MAX_VISITORS, MAX_RUNS_TOGETHER, lambda own_ledger: own_ledger.size
)


def show_job(job: Job, work: Work) -> None:
    """Note the results of a job and draw the ledger."""
    note(job, work)
    _draw()


def note(job: Job, work: Work) -> None:
    """Note the results of a job, also those of groups that are not complete."""
    # copies, since the job may go on
    own_ledger, done = _ledger(), job.done.copy()
    new = [group for group in done if (work, group) not in own_ledger.noted]
    for results in [*map(done.__getitem__, new), list(job.partial.copy().values())]:
        for result in results:
            for run in [None] if work.private_runs is None else work.private_runs(result):
                _note(own_ledger, run)
    own_ledger.noted.update((work, group) for group in new)


def count(runs: Iterable[Any]) -> None:
    """Note runs and noisy votes that reach a page without a job."""
    own_ledger = _ledger()
    for run in runs:
        _note(own_ledger, run)
    _draw()


def count_unknown() -> None:
    """Note a result whose privacy cost is not known."""
    _note(_ledger(), None)
    _draw()


def note_trials(study: Tuned) -> None:
    """Note every trial of a study, and no longer its best alone."""
    own_ledger = _ledger()
    own_ledger.studies[study.search] = True
    for place, trial in enumerate(study.trials):
        if trial.guarantee:
            _note_run(own_ledger, study.search.spec(tuple(trial.params.items()), place))
    _draw()


def releasing(spec: RunSpec, verdict: Verdict) -> Callable[[], bytes]:
    """Return a function that draws a release and notes it for this session, for a button.

    Args:
        verdict: on the method's code.
    """
    visitor_name, own_ledger = visitor.visitor_name(), _ledger()

    def draw() -> bytes:
        content = release_file.release(spec, verdict)
        (_ledgers.get(visitor_name) or own_ledger).releases.append(spec)
        return content

    return draw


def is_below_cap() -> bool:
    """Whether runs that nobody asked for may be shown: the session cap is the default, and most of
    the ledger is empty.
    """
    own_ledger = _ledger()
    return (
        own_ledger.cap == CAP_EPSILON
        and len(own_ledger.runs) + len(own_ledger.votes) < MAX_RUNS // 2
    )


def _ledger() -> SessionLedger:
    """Return the visitor's ledger. An open page keeps its ledger where the server has let it go."""
    own_ledger = _ledgers.get_or_compute(
        visitor.visitor_name(), lambda: st.session_state.get(LEDGER) or SessionLedger()
    )
    st.session_state[LEDGER] = own_ledger
    return own_ledger


def _start_over() -> None:
    _ledgers.put(visitor.visitor_name(), SessionLedger())


def _note(own_ledger: SessionLedger, run: Any) -> None:
    """Note a run, noisy votes or a study; of anything else the cost is not known."""
    if isinstance(run, RunSpec):
        _note_run(own_ledger, run)
    elif isinstance(run, NoisyVotes):
        if not own_ledger.is_full:
            own_ledger.votes[run] = None
    elif isinstance(run, Tuned):
        if run.costs.holds:
            own_ledger.studies.setdefault(run.search, False)
        else:
            note_trials(run)
    else:
        own_ledger.unknown = True


def _note_run(own_ledger: SessionLedger, spec: RunSpec) -> None:
    if session.counts(spec) and not own_ledger.is_full:
        own_ledger.runs[spec] = None


def priced(own_ledger: SessionLedger, delta: float) -> Ledger:
    """The ledger of what was seen."""
    # copies, since another tab of this visitor may add to them
    best = [
        session.best(search)
        for search, all_trials in list(own_ledger.studies.items())
        if not all_trials
    ]
    runs = session.shown_runs(list(own_ledger.runs)) + session.voted(list(own_ledger.votes))
    runs += session.released(list(own_ledger.releases))
    return ledger(runs, best, delta, own_ledger.cap)


def draw_fold(delta: float = DELTA) -> None:
    """Draw the fold, priced at ``delta``; runs that the page shows later are added to it."""
    _ledgers.put(visitor.visitor_name(), _ledger())  # takes its size anew
    fold = st.expander(session_text.TITLE, key=FOLD, on_change="rerun")
    if fold.open:
        with fold:
            _choose_cap()
            st.caption(session_text.COOKIE_TEXT)
            if not _ledger().is_empty:
                words = session_text.START_OVER, session_text.START_OVER_HELP
                st.button(words[0], key=RESTART, help=words[1], on_click=_start_over)
    st.session_state[SLOT] = (fold.empty(), delta) if fold.open else None
    _draw()


def _choose_cap() -> None:
    """Draw the box of the session cap, which is fixed once a private run was shown."""
    own_ledger = _ledger()
    st.session_state[CAP] = own_ledger.cap
    bounded.number_input(
        session_text.CAP_LABEL,
        *CAP_RANGE,
        own_ledger.cap,
        format="%g",
        key=CAP,
        help=session_text.CAP_HELP,
        disabled=not own_ledger.is_empty,
        on_change=_take_cap,
    )


def _take_cap() -> None:
    own_ledger = _ledger()
    if own_ledger.is_empty:
        # a browser may send any number
        own_ledger.cap = bounded.clamped(st.session_state[CAP], *CAP_RANGE, own_ledger.cap)


def _draw() -> None:
    slot = st.session_state.get(SLOT)
    if slot:
        place, delta = slot
        own_ledger = _ledger()
        place.caption(TOO_MANY if own_ledger.is_full else cost_text(own_ledger, delta))


def cost_text(own_ledger: SessionLedger, delta: float) -> str:
    """Return the privacy cost of a ledger in words."""
    return session_in_words.whole(priced(own_ledger, delta), delta, own_ledger.unknown)


def forget_fold() -> None:
    """Forget the last page's place, which is gone."""
    st.session_state.pop(SLOT, None)
