"""All charts, and an example of each from the tests of plots."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections import defaultdict
from functools import cache

from dpviz import plots
from tests import plots as tests_of_plots


def chart_classes():
    """Names of the classes of ``dpviz.plots`` that can draw themselves."""
    families = [each.name for each in pkgutil.iter_modules(plots.__path__) if not each.ispkg]
    modules = [importlib.import_module(f"dpviz.plots.{name}") for name in families]
    values = [value for module in modules for value in vars(module).values()]
    return {v.__name__ for v in values if inspect.isclass(v) and hasattr(v, "figure")}


@cache
def chart_examples():
    """Examples by the name of the chart's class: a chart, then the settings of its figure."""
    found = defaultdict(list)
    for test in pkgutil.iter_modules(tests_of_plots.__path__):
        module = importlib.import_module(f"tests.plots.{test.name}")
        for example in getattr(module, "examples", list)():
            found[type(example[0]).__name__].append(example)
    return found


CHARTS = sorted(chart_classes())
