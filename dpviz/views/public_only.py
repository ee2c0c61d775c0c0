"""Sentences on public data alone, and on public images of other classes, beside private methods.

Every sentence is a whole template. Precise templates give percent, plain ones natural frequencies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpviz.data import public_domains, public_labels
from dpviz.formatting import percent
from dpviz.methods import METHODS, public_reference
from dpviz.stats import Interval, signs
from dpviz.types import RunSpec
from dpviz.views.page_config import PageConfig
from dpviz.views.phrases import out_of_100

KEY = public_reference.KEY
TITLE = public_reference.METHOD.title
OTHER_METHOD = "dppl-public"
"""The method that is told on public images of other classes, as in the DPPL paper."""


@dataclass(frozen=True)
class Templates:
    """Sentences by the sign of the difference of public data alone from a private method.

    Attributes:
        signs: after the sentence on that method; without_comparison: without a comparison;
            elsewhere: on public
            images of other or the same classes; first: as ``signs``, before that sentence, where no
            private method is significantly better.
    """

    signs: Mapping[int, str]
    without_comparison: str
    elsewhere: Mapping[str, str]
    first: Mapping[int, str] = field(default_factory=dict)


ACCURACY = Templates(
    {
        1: (
            "Public data alone reaches **{public}**, significantly more than the best"
            " private method."
        ),
        -1: (
            "Public data alone reaches **{public}**, significantly less than the best"
            " private method."
        ),
        0: (
            "Public data alone reaches **{public}**, not significantly different from the"
            " best private method."
        ),
    },
    "Public data alone reaches **{public}**.",
    {
        "other": "With public images of other classes, {method} reaches **{there}**.",
        "same": "With public images of the same classes, {method} reaches **{there}**.",
    },
    {
        1: (
            "Public data alone classifies **{public}** of {whom} correctly; the best private method"
            " is significantly worse."
        ),
        0: (
            "Public data alone classifies **{public}** of {whom} correctly; no private method is"
            " significantly better."
        ),
    },
)
PLAIN = Templates(
    {
        1: (
            "Public images alone reach **{public} of 100**, clearly more than the best"
            " private method."
        ),
        -1: (
            "Public images alone reach **{public} of 100**, clearly fewer than the best"
            " private method."
        ),
        0: (
            "Public images alone reach **{public} of 100**, no clear difference from the"
            " best private method."
        ),
    },
    "Public images alone reach **{public} of 100**.",
    {
        "other": "With public images of other classes, {method} reaches **{there} of 100**.",
        "same": "With public images of the same classes, {method} reaches **{there} of 100**.",
    },
    {
        1: (
            "Public images alone recognize **{public} of 100** {whom}; the best private method"
            " recognizes clearly fewer."
        ),
        0: (
            "Public images alone recognize **{public} of 100** {whom}; no private method is clearly"
            " better."
        ),
    },
)
NO_LABELS = (
    "No public {what} has a label of these classes, so no result without private data is shown."
)
"""Where there is nothing to compare private methods with."""
ERROR = Templates(
    {
        1: (
            "Public data alone, with all its labels, errs on **{public}**, significantly"
            " more than the best private method."
        ),
        -1: (
            "Public data alone, with all its labels, errs on **{public}**, significantly"
            " less than the best private method."
        ),
        0: (
            "Public data alone, with all its labels, errs on **{public}**, not significantly"
            " different from the best private method."
        ),
    },
    "Public data alone, with all its labels, errs on **{public}**.",
    {
        "other": "With public images of other classes, {method} errs on **{there}**.",
        "same": "With public images of the same classes, {method} errs on **{there}**.",
    },
)
PLAIN_ERROR = Templates(
    {
        1: (
            "All public images alone are wrong **{public} times in 100**, clearly more than"
            " the best private method."
        ),
        -1: (
            "All public images alone are wrong **{public} times in 100**, clearly fewer than"
            " the best private method."
        ),
        0: (
            "All public images alone are wrong **{public} times in 100**, no clear"
            " difference from the best private method."
        ),
    },
    "All public images alone are wrong **{public} times in 100**.",
    {
        "other": "With public images of other classes, {method} is wrong **{there} times in 100**.",
        "same": "With public images of the same classes, {method} is wrong **{there}"
        " times in 100**.",
    },
)


def spec(view: PageConfig) -> RunSpec | None:
    """The run of public data alone at a view's data; None where its classes are not shared."""
    return view.spec(KEY) if public_labels.shared(view) else None


def public_run(run: RunSpec) -> RunSpec | None:
    """The run of public data alone on the data of another run; None where classes differ."""
    if not public_labels.shared(run):
        return None
    return RunSpec(**run.facts, method=KEY, budget=replace(run.budget, value=math.inf))


def sign(
    points: Mapping[Any, Interval], public: Interval | None, lowest: bool = False
) -> int | None:
    """1 where public data alone is significantly above the best point, -1 where below, 0 where
    neither; None where one is not known or has a single seed.

    All points are compared with it together (Holm), since the best was picked among them.
    """
    known = {key: point for key, point in points.items() if point.is_measured}
    if public is None or not public.is_measured or not known:
        return None
    if any(point.runs < 2 for point in known.values()):
        return None
    top = (min if lowest else max)(known, key=lambda key: known[key].mean)
    return signs({key: (point, public) for key, point in known.items()})[top]


def sentence(
    points: Mapping[Any, Interval],
    public: Interval | None,
    templates: Templates = ACCURACY,
    lowest: bool = False,
) -> str:
    """Public data alone against the best private method; "" where its result is not known.

    Args:
        points: accuracy of each private method, or its error; public: of public data alone;
        lowest: the best is the lowest.
    """
    return _compared(sign(points, public, lowest), public, templates)


def placed(
    points: Mapping[Any, Interval],
    public: Interval | None,
    templates: Templates,
    subject: str,
) -> tuple[bool, str]:
    """As ``sentence``, and whether it comes before that on the best private method: where this is
    not significantly better. whom: whose accuracy it is.
    """
    direction = sign(points, public)
    if public is None or direction is None or direction < 0:
        return False, _compared(direction, public, templates)
    return True, templates.first[direction].format(
        public=_value_text(public, templates), whom=subject
    )


def _compared(direction: int | None, public: Interval | None, templates: Templates) -> str:
    if public is None or not public.is_measured:
        return ""
    template = templates.without_comparison if direction is None else templates.signs[direction]
    return template.format(public=_value_text(public, templates))


def elsewhere(domain: str, point: Interval | None, templates: Templates = ACCURACY) -> str:
    """A method's accuracy or error with a public set of the other domain; "" if unknown."""
    if point is None or not point.is_measured:
        return ""
    title = METHODS[OTHER_METHOD].title
    return templates.elsewhere[domain].format(method=title, there=_value_text(point, templates))


def _value_text(point: Interval, templates: Templates) -> str:
    return out_of_100(point.mean) if templates in (PLAIN, PLAIN_ERROR) else percent(point)


def elsewhere_group(view: PageConfig) -> tuple[str, tuple[RunSpec, ...]] | None:
    """Domain and runs of DPPL-Public with the other public set, at the budget looked at."""
    counterpart = public_domains.counterpart(view.dataset, view.public) if view.encoder else None
    if counterpart is None:
        return None
    domain, public = counterpart
    seeds = range(view.first_seed, view.first_seed + view.seeds)
    return domain, tuple(view.spec(OTHER_METHOD, seed=s, public=public) for s in seeds)
