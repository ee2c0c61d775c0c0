"""dpviz: what differential privacy costs: which accuracy, for whom, by which method.

The names below are the public interface. Each is imported at its first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.3.0.dev0"

if TYPE_CHECKING:
    from dpviz.api import (
        adamix,
        attack,
        audit,
        dppl_mean,
        dppl_public,
        dppl_publick,
        grid,
        guarantee,
        pate,
        plan,
        private_probe,
        run,
        spec,
        sweep,
    )
    from dpviz.results import Results
    from dpviz.types import Budget, Dataset, DpvizError, Guarantee, Plan, Release, Result, RunSpec

__all__ = [
    "Budget",
    "Dataset",
    "DpvizError",
    "Guarantee",
    "Plan",
    "Release",
    "Result",
    "Results",
    "RunSpec",
    "adamix",
    "attack",
    "audit",
    "dppl_mean",
    "dppl_public",
    "dppl_publick",
    "grid",
    "guarantee",
    "pate",
    "plan",
    "private_probe",
    "run",
    "spec",
    "sweep",
]

_TYPES = ("Budget", "Dataset", "DpvizError", "Guarantee", "Plan", "Release", "Result", "RunSpec")


def __getattr__(name: str) -> object:
    """Import a public name at its first use, so that commands start without the libraries."""
    if name not in __all__:
        raise AttributeError(f"module 'dpviz' has no attribute {name!r}")
    place = "types" if name in _TYPES else "results" if name == "Results" else "api"
    return getattr(import_module(f"dpviz.{place}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
