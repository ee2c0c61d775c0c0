"""A newcomer's method: one file. Noisy class sums without clipping, since features are scaled to
norm 1.
"""

from dpviz import mechanisms, privacy
from dpviz.methods.parts.prototypes import cosine_release
from dpviz.types import Fit, Look, Method, unit_rows


def plan(sizes, budget, params):
    event = privacy.gaussian(1.0, privacy.mu_for(budget))
    return privacy.make_plan("toy", params, budget, {"sum": event}, source="this test")


def fit(data, plans, seeds):
    sums = mechanisms.class_sums(unit_rows(data.x), data.y, data.classes)
    noise = [mechanisms.standard_normal(seed, "toy", sums.shape) for seed in seeds]
    return Fit(
        [
            [cosine_release(mechanisms.add_gaussian(sums, p.events["sum"], z)) for z in noise]
            for p in plans
        ]
    )


METHOD = Method(
    key="toy",
    title="Toy",
    source="this test",
    summary="Noisy class sums.",
    params=(),
    plan=plan,
    fit=fit,
    look=Look("#8A6D3B", "dot", "diamond-open"),
)
