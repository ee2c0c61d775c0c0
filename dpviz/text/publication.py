"""Texts of figures and tables for papers."""

from __future__ import annotations

NOT_ALLOWED = "{name} must be one of {allowed}, got {got}."
MIXED_RESULTS = "A figure needs results of one data set, one encoder and one budget axis."
METRICS = {
    "balanced": "Balanced accuracy",
    "minority": "Minority accuracy",
    "overall": "Overall accuracy",
}
BUDGET_AXIS = "Privacy budget, {axis}"
METRIC_AXIS = "{metric} (%)"
FEATURES = "features"
SOURCE = (
    "dpviz {version}: {data}, {encoder}, {draws:count data_draw}, {seeds:count noise_seed}, 95%"
    " intervals"
)
TABLE = (
    "{metric} in percent by {axis} (δ = {delta}; {neighbors}; {unit}). {source}. Use with booktabs."
)
