"""Audits: lower bounds on privacy loss from many releases on two worst-case neighbors.

A bound holds with confidence CONFIDENCE and must stay below the claim. Each audit also has a faulty
variant with the same claim and too little noise. An audit that does not catch this variant is
meaningless.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpviz.audits.all_audits import audit_all, names
    from dpviz.audits.audited_methods import (
        QUICK_RUNS,
        RUNS,
        Audit,
        audit,
        of_events,
        of_method,
        private_methods,
    )
    from dpviz.audits.bounds import CONFIDENCE, lower_bound
    from dpviz.audits.custom_function import release_function

__all__ = [
    "CONFIDENCE",
    "QUICK_RUNS",
    "RUNS",
    "Audit",
    "audit",
    "audit_all",
    "lower_bound",
    "names",
    "of_events",
    "of_method",
    "private_methods",
    "release_function",
]
_MODULES = {
    "CONFIDENCE": "bounds",
    "audit_all": "all_audits",
    "lower_bound": "bounds",
    "names": "all_audits",
    "release_function": "custom_function",
}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use: the sandbox of a custom function needs none."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _MODULES.get(name, "audited_methods")
    return getattr(import_module(f"{__name__}.{module}"), name)
