"""Text of the session ledger: totals, their conditions, and one line for each group of runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from dpviz.data import DATASETS, uploads
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.formatting import literal, number, subset
from dpviz.methods import METHODS
from dpviz.privacy.session_accountant import Ledger, Line
from dpviz.privacy.session_totals import Records, Total
from dpviz.types import RunSpec

TITLE = "Privacy spent in this session"
#: Lines that are written out.
MAX_LINES = 40
CAP_LABEL = "Session cap (ε at δ = 1e-5)"
CAP_HELP = (
    "Limit on the privacy cost of this session. Choose it before the first private run. The ledger"
    " counts runs and does not block them."
)
COOKIE_TEXT = (
    "Reloading the page or resetting the controls keeps this ledger. The server knows this browser"
    " by its cookie, and keeps the ledger until the server restarts. Other browsers have their own."
)
START_OVER = "Start a new ledger"
START_OVER_HELP = "The results shown so far are out. A new ledger does not take them back."
NOTHING = "No private run has been shown yet. Runs without noise are not counted."
REPLAY = (
    "Simulated with fixed seeds. Anyone who can choose budgets at one seed can remove the noise."
    " Use `dpviz release` for a private release."
)
UNBOUNDED = (
    "**No bound.** Some of these runs share their noise. Two of them together can reveal the value"
    " without noise."
)
INDEPENDENT = "With independent noise for each run:"
UNKNOWN = "**No bound.** No bound is known for one of these runs."
NO_COST = (
    "**No bound.** A result was shown whose privacy cost is not known. Examples are runs of a"
    " faulty mechanism, charts that reuse the noise of other runs, and files to take home."
)
SEVERAL_UNITS = (
    "**No single total.** These runs protect different units, neighbors or records. Each total"
    " below covers its own runs alone."
)
LABELED = "{adjacency}, or one labeled public record where a run protects it"
CONTESTED = "{neighbors}; {records} {state}"
DIVIDED = "{neighbors}; training and test records as data draw {draw} divides them"
PROTECTED, TAKEN = "protected", "taken as public"
PARTS = {"": "records of {name}", HELD_ASIDE: "held-aside images of {name}"}
PUBLIC_PART = "public records of {name}"
BEGINS = "Each guarantee begins {starts}."
DIFFERENT_STARTS = (
    "**Different starting points.** Each line names where its guarantee begins. A total covers one"
    " record added to or removed from each of these sets, while their other records stay the same."
    " A record that changes which others are in a set has no total."
)
PLANNED = (
    "**Total for a plan fixed beforehand:** ε = {epsilon} at δ = {delta} (neighbors: {adjacency})."
)
ADAPTIVE = (
    "**Total for runs chosen after seeing results:** ε = {epsilon} at δ = {delta}, the session cap."
    " The runs use ρ = {used} of {cap}."
)
BEYOND = (
    "**No total for runs chosen after seeing results.** The last {beyond} of {runs} runs exceed the"
    " session cap of ρ = {cap}."
)
BEST_OF_MANY = (
    "**No total for runs chosen after seeing results.** The best of a secret number of runs has no"
    " cost in zCDP."
)
RESTATED = (
    "Some runs protect a replaced record, others an added or removed one. The latter count with"
    " twice their sensitivity. Adding or removing a record has no bound here."
)
PRIVATE_VIEWS = (
    "Private views are not counted. They read records without noise and have no finite cost."
)


def whole(ledger: Ledger, delta: float, unknown: bool = False) -> str:
    """Return all of it in Markdown: totals, conditions and lines.

    Args:
        unknown: whether a result without a known cost was shown as well, so that no total holds.
    """
    if not ledger.lines:
        return f"{NO_COST if unknown else NOTHING}\n\n{REPLAY}"
    several = len({line.adjacency for line in ledger.lines}) > 1
    begins = sorted({line.scope.starts for line in ledger.lines})
    different_starts = len(begins) > 1
    lines = [
        f"**{literal(title(line.spec))}**: {words(line, several, different_starts)}"
        for line in ledger.lines[:MAX_LINES]
    ]
    if len(ledger.lines) > MAX_LINES:
        lines.append(f"The totals include {len(ledger.lines) - MAX_LINES} more lines.")
    totals = NO_COST if unknown else total(ledger, delta)
    parts = [totals, REPLAY, f"At δ = {number(delta)}:", *lines, PRIVATE_VIEWS]
    if different_starts or begins[0]:
        parts.insert(1, DIFFERENT_STARTS if different_starts else BEGINS.format(starts=begins[0]))
    return "\n\n".join(parts)


def total(ledger: Ledger, delta: float) -> str:
    """Return the totals of all runs, or the reason why there is none."""
    if len(ledger.totals) > 1:
        parts = [SEVERAL_UNITS] + [
            planned(session, delta, ledger.totals) for session in ledger.totals
        ]
    else:
        (session,) = ledger.totals
        parts = [planned(session, delta)]
        if math.isfinite(session.epsilon) and not ledger.shares_noise:
            parts.append(adaptive(session, ledger, delta))
        parts += [RESTATED] if session.restated else []
    if ledger.shares_noise:
        parts = [UNBOUNDED, INDEPENDENT, *parts]
    return "\n\n".join(parts)


def planned(session: Total, delta: float, totals: Sequence[Total] = ()) -> str:
    """Return the total for a plan fixed beforehand, beside every other total."""
    if not math.isfinite(session.epsilon):
        return UNKNOWN
    facts = {"epsilon": number(session.epsilon), "delta": number(delta)}
    return PLANNED.format(**facts, adjacency=neighbors(session, totals))


def neighbors(session: Total, totals: Sequence[Total] = ()) -> str:
    """Return the neighbors of a total, and records that another total covers differently."""
    scope = session.scope
    text = LABELED.format(adjacency=session.adjacency) if scope.labeled else session.adjacency
    public = frozenset().union(*(other.scope.public for other in totals)) & scope.protects
    protected = frozenset().union(*(other.scope.protects for other in totals)) & scope.public
    for records, state in ((public, PROTECTED), (protected, TAKEN)):
        if records:
            names = " and ".join(map(_records, sorted(records)))
            text = CONTESTED.format(neighbors=text, records=names, state=state)
    divisions = frozenset().union(*(other.scope.divided for other in totals))
    for source, draw in sorted(scope.divided):
        if any(source == name and draw != number for name, number in divisions):
            text = DIVIDED.format(neighbors=text, draw=draw)
    return text


def _records(records: Records) -> str:
    source, part = records
    return PARTS.get(part, PUBLIC_PART).format(name=literal(_data(source)))


def adaptive(session: Total, ledger: Ledger, delta: float) -> str:
    """Return the total for runs chosen after seeing results: that of the cap, if it holds."""
    if session.beyond:
        return BEYOND.format(beyond=session.beyond, runs=session.runs, cap=number(ledger.cap))
    if session.selections:
        return BEST_OF_MANY
    return ADAPTIVE.format(
        epsilon=number(ledger.cap_epsilon),
        delta=number(delta),
        used=number(session.rho),
        cap=number(ledger.cap),
    )


def title(spec: RunSpec) -> str:
    """Return method, data, and the settings that differ from the method's defaults."""
    method = METHODS[spec.method]
    defaults = {param.name: param.default for param in method.params}
    changed = [f"{k} {_param_text(v)}" for k, v in spec.params if v != defaults.get(k)]
    data = [_data(spec.dataset), spec.encoder, spec.features, subset(spec)]
    return ", ".join([method.title, *filter(None, data), *changed])


def _data(name: str) -> str:
    row = DATASETS.get(name)
    return row.title if row else uploads.display_name(name) or Path(name).name


def words(line: Line, several: bool = False, different_starts: bool = False) -> str:
    """Return the number of runs, their cost alone, and the runs that share their noise.

    Args:
        several: whether the ledger has several adjacency relations, so that the line names its own.
        different_starts: whether the ledger has several starting points, so that the line names
            its own.
    """
    text = LINE.format(runs=_runs(line), price=_price(line.fresh))
    if line.own:
        text = SHARES_OWN.format(runs=_runs(line), price=_price(line.fresh))
    parts = [text]
    if several:
        parts.append(f"Neighbors: {line.adjacency}.")
    if different_starts and line.scope.starts:
        parts.append(LINE_BEGINS.format(starts=line.scope.starts))
    if line.other:
        parts.append(f"Shares noise with {literal(_sharing_method(line))}.")
    return " ".join(parts)


LINE = "{runs}; {price} alone."
LINE_BEGINS = "Begins {starts}."
SHARES_OWN = "{runs}; no bound, since budgets share one seed. With independent noise: {price}."


def _runs(line: Line) -> str:
    if line.releases:
        return f"{_count_text(line.runs, 'release')} from the system's entropy"
    if not line.runs:
        return "best of a secret number of runs"
    if line.runs == 1:
        return f"1 run, {_seeds(line.seeds)}"
    return f"{line.runs} runs: {_count_text(line.budgets, 'budget')}, {_seeds(line.seeds)}"


def _sharing_method(line: Line) -> str:
    assert line.other is not None
    if line.other.method == line.spec.method:
        return "the same method with other settings or data"
    return METHODS[line.other.method].title


def _price(epsilon: float) -> str:
    return f"ε = {number(epsilon)}" if math.isfinite(epsilon) else "no bound"


def _count_text(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _seeds(seeds: tuple[int, ...]) -> str:
    if len(seeds) < 2:
        return f"seed {seeds[0]}" if seeds else ""
    if seeds[-1] - seeds[0] == len(seeds) - 1:
        return f"seeds {seeds[0]} to {seeds[-1]}"
    return f"{len(seeds)} seeds"


def _param_text(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)
