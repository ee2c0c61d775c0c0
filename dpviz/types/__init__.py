"""Basic types of the project: frozen dataclasses with range checks.

The modules import only numpy and the standard library.
"""

from dpviz.types.audit_case import AuditCase, EventCase, half_the_noise, less_noise
from dpviz.types.budget import AXES, DELTA, Budget
from dpviz.types.checks import Cancelled, DpvizError, check_range
from dpviz.types.data_config import (
    DATA_FIELDS,
    MAX_DRAW,
    UNBALANCED_DATASETS,
    UNITS,
    DataConfig,
    key_fields,
)
from dpviz.types.dataset import (
    Adversary,
    Dataset,
    Files,
    Head,
    Images,
    Sizes,
    reached_ratio,
    unit_rows,
)
from dpviz.types.guarantee import (
    Draw,
    Event,
    Exponential,
    Gaussian,
    Guarantee,
    Minimiser,
    Parallel,
    Plan,
    Sampled,
)
from dpviz.types.line_style import LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release
from dpviz.types.run_spec import MAX_SEED, Hits, Result, RunSpec, Scores

__all__ = [
    "AXES",
    "DATA_FIELDS",
    "DELTA",
    "MAX_DRAW",
    "MAX_SEED",
    "UNBALANCED_DATASETS",
    "UNITS",
    "Adversary",
    "AuditCase",
    "Budget",
    "Cancelled",
    "DataConfig",
    "Dataset",
    "DpvizError",
    "Draw",
    "Event",
    "EventCase",
    "Exponential",
    "Files",
    "Fit",
    "Gaussian",
    "Guarantee",
    "Head",
    "Hits",
    "Images",
    "LineStyle",
    "Losses",
    "Method",
    "Minimiser",
    "Parallel",
    "Param",
    "Plan",
    "Query",
    "Release",
    "Result",
    "RunSpec",
    "Sampled",
    "Scores",
    "Sizes",
    "check_range",
    "half_the_noise",
    "key_fields",
    "less_noise",
    "reached_ratio",
    "unit_rows",
]
