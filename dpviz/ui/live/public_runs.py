"""Public data alone, and public images of other classes: computed once the main chart is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpviz.stats import Interval, accuracy
from dpviz.types import Result
from dpviz.ui.live import long_work
from dpviz.views import public_only
from dpviz.views.page_config import PageConfig


def public_only_runs(key: str, view: PageConfig) -> list[Result]:
    """The run of public data alone; [] while it is computed, and without shared classes."""
    spec = public_only.spec(view)
    return long_work.late_results(f"{key}-public", (spec,)) if spec else []


def alone_accuracy(key: str, view: PageConfig, metric: str) -> Interval | None:
    """Its accuracy, where it is there."""
    runs = public_only_runs(key, view)
    return accuracy(runs, metric) if runs else None


Pair = tuple[str, str]
"""A sentence, precise and plain."""
ACCURACIES = public_only.ACCURACY, public_only.PLAIN


def public_only_text(points: Mapping[Any, Interval], public: Interval | None) -> Pair:
    """Public data alone against private methods."""
    precise, plain = (public_only.sentence(points, public, template) for template in ACCURACIES)
    return precise, plain


def other_domain_text(key: str, view: PageConfig, metric: str) -> Pair:
    """DPPL-Public with the other public set, once it is there."""
    domain, runs = other_domain_runs(key, view)
    if not runs:
        return "", ""
    point = accuracy(runs, metric)
    precise, plain = (public_only.elsewhere(domain, point, template) for template in ACCURACIES)
    return precise, plain


def other_domain_runs(key: str, view: PageConfig) -> tuple[str, list[Result]]:
    """Domain and runs of DPPL-Public with the other public set; runs are [] while computed."""
    group = public_only.elsewhere_group(view)
    if group is None:
        return "", []
    domain, specs = group
    return domain, long_work.late_results(f"{key}-elsewhere", specs)
