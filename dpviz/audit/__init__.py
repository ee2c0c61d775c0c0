"""Audits: run something private many times on two worst-case neighbours and ask how much its
releases tell apart.

The figure is a lower bound on the privacy loss that holds with confidence CONFIDENCE; it must stay
under the claim. Each audit has a faulty variant with too little noise under the same claim, which
must be caught: an audit that cannot catch it proves nothing.
"""

from dpviz.audit.all_audits import audit_all, names
from dpviz.audit.audited_methods import (
    QUICK_RUNS,
    RUNS,
    Audit,
    audit,
    of_events,
    of_method,
    private_methods,
)
from dpviz.audit.bounds import CONFIDENCE, lower_bound
from dpviz.audit.custom_function import release_function

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
