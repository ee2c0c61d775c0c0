"""Texts of the scikit-learn estimators."""

from __future__ import annotations

UNKNOWN = "Unknown settings: {names}. Allowed settings: {allowed}."
ONE_BUDGET = "Set either `epsilon` or `rho`, and the other one to None."
NEEDS_PUBLIC = "{method} needs public records. Pass X_public to fit."
UNIT = "one record = one row of X"
UNIT_PERSON = "one person with at most {records:count row} of X"
COST = (
    "Cross-validation fits on private data. Each fit spends {budget}, and k fits together spend k"
    " times its ρ. Tune on public data, or use `dpviz tune` with a private selection."
)
NO_SAMPLER = "no exact sampler is known for its noise, so a fit needs `random_state`"
