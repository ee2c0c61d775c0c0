"""Text of the session ledger: totals, their conditions, and one line for each group of runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from dpviz.data import DATASETS, uploads
from dpviz.formatting import literal, number, number_up, setting_text, subset
from dpviz.methods import METHODS
from dpviz.privacy.session_accountant import Ledger, Line
from dpviz.privacy.session_totals import Records, Total
from dpviz.text import session as text
from dpviz.text.template import render_text
from dpviz.types import RunSpec

#: Lines that are written out.
MAX_LINES = 40


def whole(ledger: Ledger, delta: float, unknown: bool = False) -> str:
    """Return all of it in Markdown: totals, conditions and lines.

    Args:
        unknown: whether a result without a known cost was shown as well, so that no total holds.
    """
    if not ledger.lines:
        return f"{text.NO_COST if unknown else text.NOTHING}\n\n{text.REPLAY}"
    several = len({line.adjacency for line in ledger.lines}) > 1
    begins = sorted({line.scope.starts for line in ledger.lines})
    different_starts = len(begins) > 1
    lines = [
        render_text(
            text.LINE_OF,
            title=literal(title(line.spec)),
            words=words(line, several, different_starts),
        )
        for line in ledger.lines[:MAX_LINES]
    ]
    if len(ledger.lines) > MAX_LINES:
        lines.append(render_text(text.MORE_LINES, lines=len(ledger.lines) - MAX_LINES))
    totals = text.NO_COST if unknown else total(ledger, delta)
    parts = [
        totals,
        text.REPLAY,
        render_text(text.DELTA, delta=number(delta)),
        *lines,
        text.PRIVATE_VIEWS,
    ]
    if different_starts or begins[0]:
        parts.insert(
            1,
            text.DIFFERENT_STARTS
            if different_starts
            else render_text(text.BEGINS, starts=begins[0]),
        )
    return "\n\n".join(parts)


def total(ledger: Ledger, delta: float) -> str:
    """Return the totals of all runs, or the reason why there is none."""
    if len(ledger.totals) > 1:
        parts = [text.SEVERAL_UNITS] + [
            planned(session, delta, ledger.totals) for session in ledger.totals
        ]
    else:
        (session,) = ledger.totals
        parts = [planned(session, delta)]
        if math.isfinite(session.epsilon) and not ledger.shares_noise:
            parts.append(adaptive(session, ledger, delta))
        parts += [text.RESTATED] if session.restated else []
    if ledger.shares_noise:
        parts = [text.UNBOUNDED, text.INDEPENDENT, *parts]
    return "\n\n".join(parts)


def planned(session: Total, delta: float, totals: Sequence[Total] = ()) -> str:
    """Return the total for a plan fixed beforehand, beside every other total."""
    if not math.isfinite(session.epsilon):
        return text.UNKNOWN
    facts = {"epsilon": number_up(session.epsilon), "delta": number_up(delta)}
    return render_text(text.PLANNED, **facts, adjacency=neighbors(session, totals))


def neighbors(session: Total, totals: Sequence[Total] = ()) -> str:
    """Return the neighbors of a total, and records that another total covers differently."""
    scope = session.scope
    described = session.adjacency
    if scope.labeled:
        described = render_text(text.LABELED, adjacency=session.adjacency)
    public = frozenset().union(*(other.scope.public for other in totals)) & scope.protects
    protected = frozenset().union(*(other.scope.protects for other in totals)) & scope.public
    for records, state in ((public, text.PROTECTED), (protected, text.TAKEN)):
        if records:
            names = " and ".join(map(_records, sorted(records)))
            described = render_text(text.CONTESTED, neighbors=described, records=names, state=state)
    divisions = frozenset().union(*(other.scope.divided for other in totals))
    for source, draw in sorted(scope.divided):
        if any(source == name and draw != number for name, number in divisions):
            described = render_text(text.DIVIDED, neighbors=described, draw=str(draw))
    return described


def _records(records: Records) -> str:
    source, part = records
    return render_text(text.PARTS.get(part, text.PUBLIC_PART), name=literal(_data(source)))


def adaptive(session: Total, ledger: Ledger, delta: float) -> str:
    """Return the total for runs chosen after seeing results: that of the cap, if it holds."""
    if session.beyond:
        return render_text(
            text.BEYOND, beyond=session.beyond, runs=session.runs, cap=number(ledger.cap)
        )
    if session.selections:
        return text.BEST_OF_MANY
    return render_text(
        text.ADAPTIVE,
        epsilon=number_up(ledger.cap_epsilon),
        delta=number_up(delta),
        used=number_up(session.rho),
        cap=number(ledger.cap),
    )


def title(spec: RunSpec) -> str:
    """Return method, data, and the settings that differ from the method's defaults."""
    method = METHODS[spec.method]
    defaults = {param.name: param.default for param in method.params}
    changed = [
        render_text(text.PARAM, name=k, value=setting_text(v))
        for k, v in spec.params
        if v != defaults.get(k)
    ]
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
    template = text.SHARES_OWN if line.own else text.LINE
    parts = [render_text(template, runs=_runs(line), price=_price(line.fresh))]
    if several:
        parts.append(render_text(text.LINE_NEIGHBORS, adjacency=line.adjacency))
    if different_starts and line.scope.starts:
        parts.append(render_text(text.LINE_BEGINS, starts=line.scope.starts))
    if line.other:
        parts.append(render_text(text.SHARES_NOISE, method=literal(_sharing_method(line))))
    return " ".join(parts)


def _runs(line: Line) -> str:
    if line.releases:
        return render_text(text.RELEASES, releases=line.runs)
    if not line.runs:
        return text.SECRET_RUNS
    if line.runs == 1:
        return render_text(text.SINGLE_RUN, seeds=_seeds(line.seeds))
    seeds = _seeds(line.seeds)
    return render_text(text.RUNS, runs=line.runs, budgets=line.budgets, seeds=seeds)


def _sharing_method(line: Line) -> str:
    assert line.other is not None
    if line.other.method == line.spec.method:
        return text.SAME_METHOD
    return METHODS[line.other.method].title


def _price(epsilon: float) -> str:
    if not math.isfinite(epsilon):
        return text.NO_BOUND
    return render_text(text.PRICE, epsilon=number_up(epsilon))


def _seeds(seeds: tuple[int, ...]) -> str:
    if len(seeds) < 2:
        return render_text(text.SEED, seed=str(seeds[0])) if seeds else ""
    if seeds[-1] - seeds[0] == len(seeds) - 1:
        return render_text(text.SEED_RANGE, first=str(seeds[0]), last=str(seeds[-1]))
    return render_text(text.SEEDS, seeds=len(seeds))
