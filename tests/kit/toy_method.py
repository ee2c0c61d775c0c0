"""A newcomer's method: one file. Noisy class sums without clipping, since features are scaled to
norm 1.
"""

from dpviz import mechanisms, privacy
from dpviz.methods.components.privacy_unit import gaussian, row_norms, squared_mu
from dpviz.methods.components.prototypes import cosine_release
from dpviz.methods.components.worst_neighbours import first_weight, records
from dpviz.types import AuditCase, EventCase, Fit, Method, Query
from dpviz.types.line_style import BLUE, LineStyle


def plan(sizes, budget, params):
    event = privacy.gaussian(1.0, privacy.mu_for(budget))
    return privacy.make_plan("toy", params, budget, {"sum": event}, source="this test")


def class_sums(data):
    return mechanisms.class_sums(mechanisms.unit_rows(data.x), data.y, data.classes)


def fit(data, plans, seeds):
    sums = class_sums(data)
    noise = [mechanisms.standard_normal(seed, "toy", sums.shape) for seed in seeds]
    return Fit(
        [
            [cosine_release(mechanisms.add_gaussian(sums, p.gaussian("sum"), z)) for z in noise]
            for p in plans
        ]
    )


def losses(data, plan, seed):
    return gaussian(squared_mu(row_norms(mechanisms.unit_rows(data.x)), plan.gaussian("sum")), plan)


def queries(plan):
    return {"sum": Query(lambda data, plan, before: class_sums(data)[None])}


def case():
    base, labels = [[0.0, 1.0]] * 10 + [[1.0, 0.0]], [0] * 10 + [1]
    more = records([*base, [1.0, 0.0]], [*labels, 0])
    return AuditCase({}, more, records(base, labels), first_weight)


def event_case():
    """One more record in the last class, along neither axis."""
    x, y = [[1.0, 0.0], [0.0, 1.0]] * 2, [0, 1] * 2
    more = records([*x, [0.6, 0.8]], [*y, 1])
    return EventCase({}, more, records(x, y), ("sum",))


METHOD = Method(
    key="toy",
    title="Toy",
    source="this test",
    summary="Noisy class sums.",
    params=(),
    plan=plan,
    fit=fit,
    line_style=LineStyle(BLUE, "dot", "diamond"),
    losses=losses,
    queries=queries,
    cases=lambda: [case()],
    event_cases=lambda: [event_case()],
)
