"""Public images alone, and public images of other classes, beside private methods."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpviz.data import public_domains, public_labels
from dpviz.methods import METHODS, public_reference
from dpviz.stats import Interval, signs
from dpviz.text import public_only as text
from dpviz.text.template import Text, render
from dpviz.types import RunSpec
from dpviz.views.page_config import PageConfig

KEY = public_reference.KEY
TITLE = public_reference.METHOD.title
OTHER_METHOD = "dppl-public"
"""The method that is shown with public images of other classes, as in the DPPL paper."""


@dataclass(frozen=True)
class Wording:
    """Texts on accuracy or error, at one level of detail.

    Attributes:
        comparison: by the sign of the difference, None without a comparison.
        elsewhere: with a public set of other or of the same classes.
    """

    comparison: Mapping[int | None, Text]
    elsewhere: Mapping[str, str]
    precise: bool


ACCURACY = Wording(text.ACCURACY, text.ELSEWHERE, True)
PLAIN = Wording(text.ACCURACY, text.ELSEWHERE, False)
ERROR = Wording(text.ERROR, text.ELSEWHERE_ERROR, True)


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


def use(points: Mapping[Any, Interval], public: Interval | None) -> str:
    """Return ``_better`` or ``_as_good`` where public data alone are the better choice, ``_worse``
    where they are significantly worse, else "".

    They are as good where the best private point is neither higher nor significantly different.
    """
    direction = sign(points, public)
    if public is None or direction is None:
        return ""
    if direction:
        return "_better" if direction > 0 else "_worse"
    best = max(point.mean for point in points.values() if point.is_measured)
    return "_as_good" if public.mean >= best else ""


def sentence(
    points: Mapping[Any, Interval],
    public: Interval | None,
    wording: Wording = ACCURACY,
    lowest: bool = False,
) -> str:
    """Return public data alone against the best private method; "" where its result is not known.

    Args:
        points: accuracy of each private method, or its error; public: of public data alone;
            lowest: the best is the lowest.
    """
    if public is None or not public.is_measured:
        return ""
    direction = sign(points, public, lowest)
    return wording.comparison[direction].fill(wording.precise, public=public)


def elsewhere(domain: str, point: Interval | None, wording: Wording = ACCURACY) -> str:
    """Return a method's accuracy or error with the other public set; "" if unknown.

    Args:
        domain: ``other`` or ``same``, the classes of that set.
    """
    if point is None or not point.is_measured:
        return ""
    title = METHODS[OTHER_METHOD].title
    return render(wording.elsewhere[domain], method=title, there=point)


def elsewhere_group(view: PageConfig) -> tuple[str, tuple[RunSpec, ...]] | None:
    """Domain and runs of DPPL-Public with the other public set, at the budget looked at."""
    counterpart = public_domains.counterpart(view.dataset, view.public) if view.encoder else None
    if counterpart is None:
        return None
    domain, public = counterpart
    seeds = range(view.first_seed, view.first_seed + view.seeds)
    return domain, tuple(
        view.spec(OTHER_METHOD, seed=seed, public=public, draw=draw)
        for draw in view.all_draws
        for seed in seeds
    )
