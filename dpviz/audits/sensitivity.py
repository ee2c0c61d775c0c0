"""Executable sensitivity: search for records that change a query by more than its event claims.

Each draw of a plan names its query, its value before the noise as a function of the data. The
search runs it on neighbours made to be worst for floating-point code: numbers that under- or
overflow when they are squared, duplicates, other orders, the first, the last and an empty class,
sizes around the edges of blocks. What is found is a lower bound on the true sensitivity; it must
not exceed the claim, up to half the margin that every calibration adds to its noise.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import privacy
from dpviz.machine.threads import one_numeric_thread
from dpviz.text import audit as text
from dpviz.types import (
    Budget,
    Dataset,
    DpvizError,
    Draw,
    Exponential,
    Head,
    Method,
    Minimiser,
    Plan,
    Query,
)

BUDGET = Budget(1.0)
SIZES = ((7, 2, 2), (64, 5, 3), (63, 3, 10), (511, 8, 2), (512, 2, 3), (1, 4, 2))
"""Records, dimension and classes of the sets to which a record is added; the last class is empty.
"""
PUBLIC_RECORDS = 37
MAX_ROUNDING = 1e-9
"""By which rounding may move the gradient that a minimiser is found by; its blur hides a million
times as much.
"""


#: By data set, draw and settings: earlier releases, and the value of the query after each.
SharedValues = dict[tuple[str, str, str], list[tuple[Any, np.ndarray]]]


@dataclass(frozen=True)
class MeasuredSensitivity:
    """Largest change found for one draw.

    Attributes:
        method, params, event: whose; claimed: sensitivity; moved: in the same units.
        neighbours: which pair did it, in words.
    """

    method: str
    params: Mapping[str, Any]
    event: str
    claimed: float
    moved: float
    neighbours: str

    @property
    def holds(self) -> bool:
        """Whether no change exceeds the claim."""
        return self.moved <= self.claimed * (1 + privacy.PRIVATE_SIDE / 2)


@dataclass(frozen=True)
class Pair:
    """Two data sets; ``same``: the same records in another order, so that nothing may move."""

    name: str
    with_record: Dataset
    without_record: Dataset
    same: bool = False


# --------------------------------------------------------------------------------------- neighbours


def rows(d: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Records (d,) float32 that are hard on floating-point code, by what is odd about them."""
    direction = rng.normal(size=d)
    axis = np.eye(d)[-1]
    steps = np.where(np.arange(d) % 2, 0.5, 1.5) / 4096
    odd = {
        "ordinary": direction,
        "subnormal": np.full(d, 1e-45),
        "underflowing when squared": 1e-23 * direction,
        "huge": 3e38 * np.sign(direction),
        "huge and tiny": np.where(axis > 0, 3e38, 1e-45),
        "zero": np.zeros(d),
        "an axis": axis,
        "its opposite": -axis,
        "between two steps of a grid": axis + steps,
        "equal numbers": np.full(d, d**-0.5),
    }
    return {name: row.astype(np.float32) for name, row in odd.items()}


def sets(n: int, d: int, classes: int, rng: np.random.Generator) -> Dataset:
    """An ordinary set whose last class is empty, with a labelled public set and a source head."""
    x = rng.normal(size=(n, d)).astype(np.float32)
    y = np.arange(n) % max(1, classes - 1)
    public = rng.normal(size=(PUBLIC_RECORDS, d)).astype(np.float32)
    head = Head(rng.normal(size=(12, d)).astype(np.float32), np.zeros(12, np.float32))
    names = tuple(f"class {c}" for c in range(classes))
    labels = np.arange(PUBLIC_RECORDS) % classes
    return marked(
        Dataset(
            "search",
            None,
            x,
            y,
            x[:1],
            y[:1],
            names,
            "",
            public,
            labels,
            "search",
            head=lambda: head,
        )
    )


def marked(data: Dataset) -> Dataset:
    """Copy of a data set with its content as its fingerprint."""
    assert data.y_public is not None
    public = f"{data.public.tobytes().hex()} {data.y_public.tolist()}"
    mark = f"{data.x.tobytes().hex()} {data.y.tolist()} {public}"
    return dataclasses.replace(data, fingerprint=mark)


def _with(data: Dataset, row: np.ndarray, label: int, at: int) -> Dataset:
    x, y = np.insert(data.x, at, row, axis=0), np.insert(data.y, at, label)
    return marked(dataclasses.replace(data, x=x, y=y))


def _with_public(data: Dataset, row: np.ndarray, label: int, at: int) -> Dataset:
    assert data.y_public is not None
    x, y = np.insert(data.public, at, row, axis=0), np.insert(data.y_public, at, label)
    return marked(dataclasses.replace(data, public_rows=x, y_public=y))


def _reordered(data: Dataset) -> Dataset:
    return marked(dataclasses.replace(data, x=data.x[::-1].copy(), y=data.y[::-1].copy()))


def neighbours(adjacency: str) -> Iterator[Pair]:
    """The pairs of the search under an adjacency of ``privacy``."""
    replaces = adjacency == privacy.REPLACE_IN_CLASS
    for size, (n, d, classes) in enumerate(SIZES):
        rng = np.random.default_rng(size)
        base = sets(n, d, classes, rng)
        if replaces:  # such plans need a record in each class
            base = _with(base, base.x[0], classes - 1, 0)
        for turn, (name, row) in enumerate([*rows(d, rng).items(), ("a duplicate", base.x[-1])]):
            at = (0, len(base.x) // 2, len(base.x))[turn % 3]
            label = (0, classes - 1, classes // 2)[(turn + size) % 3]
            fields = {"label": label, "classes": classes, "row": at, "records": len(base.x)}
            words = text.SEARCH_PAIR.format(name=name, **fields, dimension=d)
            with_record = _with(base, row, label, at)
            other = _with(base, -with_record.x[at], label, at) if replaces else base
            yield Pair(words, with_record, _reordered(other) if turn % 2 else other)
        order = text.SEARCH_ORDER.format(records=n, dimension=d)
        yield Pair(order, _reordered(base), base, same=True)


def public_neighbours(adjacency: str) -> Iterator[Pair]:
    """Pairs that differ in one labelled public record, or in the order of these records."""
    replaces = adjacency == privacy.REPLACE_IN_CLASS
    for size, (n, d, classes) in enumerate(SIZES):
        rng = np.random.default_rng(size)
        base = sets(n, d, classes, rng)
        assert base.y_public is not None
        odd = [*rows(d, rng).items(), ("a duplicate", base.public[-1])]
        for turn, (name, row) in enumerate(odd):
            at, label = (0, PUBLIC_RECORDS // 2, PUBLIC_RECORDS)[turn % 3], (turn + size) % classes
            fields = {"label": label, "classes": classes, "row": at, "records": PUBLIC_RECORDS}
            words = text.SEARCH_PUBLIC.format(name=name, **fields, dimension=d)
            other = _with_public(base, -row, label, at) if replaces else base
            yield Pair(words, _with_public(base, row, label, at), other)
        turned = dataclasses.replace(
            base, public_rows=base.public[::-1].copy(), y_public=base.y_public[::-1].copy()
        )
        order = text.SEARCH_PUBLIC_ORDER.format(records=PUBLIC_RECORDS, dimension=d)
        yield Pair(order, marked(turned), base, same=True)


def unlike(method: Method, plan: Plan, data: Dataset) -> Iterator[Dataset]:
    """Yield data sets that share nothing with ``data`` but what is public.

    All private records differ, and so do their order and number. Class counts stay where they are
    public.
    """
    counts_public = plan.guarantee.adjacency == privacy.REPLACE_IN_CLASS
    d, public, labels = data.x.shape[1], data.public_rows, data.y_public
    for seed, (share, scale) in enumerate(((0.5, 50.0), (4.0, 0.02))):
        rng = np.random.default_rng(seed)
        one_class = np.full(max(1, round(share * len(data.x))), (data.classes - 1) * seed)
        y = rng.permutation(data.y) if counts_public else one_class
        x = (scale * rng.normal(size=(len(y), d))).astype(np.float32)
        if data.y_public is not None and method.protects_public(plan.params):
            public, labels, rows = data.public.copy(), data.y_public.copy(), data.labelled_rows[0]
            public[rows] = scale * rng.normal(size=(len(rows), d))
            labels[rows] = rng.permutation(labels[rows])
        yield dataclasses.replace(
            data,
            x=x,
            y=y,
            public_rows=public,
            y_public=labels,
            fingerprint=f"{data.fingerprint} unlike {seed}",
        )


# ------------------------------------------------------------------------------------------- search


def search(method: Method, most: int | None = None) -> list[MeasuredSensitivity]:
    """The most that each draw of each form of a method was moved, by neighbours and, apart, by
    another order.

    Args:
        most: pairs that are tried, evenly taken; all by default.
    """
    worst: dict[tuple, MeasuredSensitivity] = {}
    with one_numeric_thread():
        for moved in _of_pairs(method, most):
            key = (moved.event, moved.claimed > 0, *sorted(moved.params.items()))
            if key not in worst or moved.moved - moved.claimed > (
                worst[key].moved - worst[key].claimed
            ):
                worst[key] = moved
    return list(worst.values())


def forms(method: Method) -> list[dict[str, Any]]:
    """Settings that a search covers: the defaults, and every other choice alone."""
    return [{}] + [
        {param.name: choice}
        for param in method.params
        for choice in param.choices
        if choice != param.default
    ]


def searched(method: Method) -> list[dict[str, Any]]:
    """Return the ``forms``, and the settings of audits of events in which a choice needs others."""
    settings = forms(method)
    choices = {param.name for param in method.params if param.choices}
    for case in method.event_cases() if method.event_cases else []:
        if choices & set(case.params) and dict(case.params) not in settings:
            settings.append(dict(case.params))
    return settings


def _of_pairs(method: Method, most: int | None) -> Iterator[MeasuredSensitivity]:
    """Every form on a pair before the next: what forms share is then made once."""
    groups: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for params in searched(method):
        protects = method.protects_public(method.check(params))
        groups.setdefault((adjacency_of(method, params), protects), []).append(params)
    for (adjacency, protects), alike in groups.items():
        pairs = list(neighbours(adjacency))
        pairs += public_neighbours(adjacency) if protects else []
        shared: SharedValues = {}
        for pair in pairs[:: max(1, len(pairs) // most)] if most else pairs:
            for params in alike:
                try:
                    plan = method.plan(pair.without_record.sizes, BUDGET, method.check(params))
                except DpvizError:
                    continue  # a choice that needs what these sets lack
                yield from of_pair(method, plan, params, pair, shared)


def adjacency_of(method: Method, params: Mapping[str, Any]) -> str:
    """For which neighbours a form promises; forms that divide by class counts refuse a class
    without records, and promise for replacing one.
    """
    sizes = sets(7, 2, 2, np.random.default_rng(0)).sizes
    try:
        return method.plan(sizes, BUDGET, method.check(params)).guarantee.adjacency
    except DpvizError:
        return privacy.REPLACE_IN_CLASS


def of_pair(
    method: Method,
    plan: Plan,
    params: Mapping[str, Any],
    pair: Pair,
    shared: SharedValues | None = None,
) -> Iterator[MeasuredSensitivity]:
    """Change of each draw of a plan between the two data sets of a pair.

    Args:
        shared: values without the record, which many pairs share; of one method and budget.
    """
    assert method.queries is not None, f"{method.key} has no queries"
    queries = method.queries(plan)
    assert set(queries) == set(plan.draws), (
        f"{method.key} needs a query for each draw of {sorted(plan.draws)}, got queries for"
        f" {sorted(queries)}"
    )
    shared = {} if shared is None else shared
    for name, event in plan.draws.items():
        query = queries[name]
        rounded = MAX_ROUNDING if isinstance(event, Minimiser) else 0.0
        claimed = rounded if pair.same else event.sensitivity
        key = (pair.without_record.fingerprint, name, repr(sorted(params.items())))
        if key not in shared:
            shared[key] = list(_without_record(query, plan, pair.without_record))
        for before, other in shared[key]:
            one = _value(query, plan, pair.with_record, before)
            moved = _distance(query, event, plan, one, other)
            yield MeasuredSensitivity(method.key, params, name, claimed, moved, pair.name)


def _without_record(query: Query, plan: Plan, data: Dataset) -> Iterator[tuple[Any, np.ndarray]]:
    """Yield earlier releases of a data set, and the value of the query after them."""
    for before in query.earlier_releases(data, plan, np.random.default_rng(0)):
        yield before, _value(query, plan, data, before)


def _value(query: Query, plan: Plan, data: Dataset, before: Any) -> np.ndarray:
    return np.asarray(query.value(data, plan, before), np.float64)


def distance(
    query: Query,
    event: Draw,
    plan: Plan,
    pair: tuple[Dataset, Dataset],
    before: Any = None,
) -> float:
    """Distance of two data sets in a query, in the norm of the event's noise.

    Gaussian: the largest L2 distance of a release. Exponential: the range of the change of the
    utilities, added up over the choices that are released together.
    """
    one, other = (_value(query, plan, data, before) for data in pair)
    return _distance(query, event, plan, one, other)


def _distance(query: Query, event: Draw, plan: Plan, one: np.ndarray, other: np.ndarray) -> float:
    assert one.shape == other.shape, (
        f"the shape of the query depends on the data: {one.shape} and {other.shape}"
    )
    change = (one - other).reshape(len(one), -1)
    if isinstance(event, Exponential):
        apart = float((change.max(axis=1) - change.min(axis=1)).sum())
    else:
        apart = float(np.sqrt((change * change).sum(axis=1)).max())
    return apart * query.scale(plan)


def worst(found: list[MeasuredSensitivity]) -> list[MeasuredSensitivity]:
    """Largest share of its claim for each draw, over all forms."""
    by_event = itertools.groupby(sorted(found, key=lambda m: m.event), key=lambda m: m.event)
    return [
        max(group, key=lambda m: m.moved / m.claimed if m.claimed else m.moved)
        for group in (list(moved) for _, moved in by_event)
    ]
