"""Texts of the scikit-learn estimators."""

from __future__ import annotations

UNKNOWN = "Unknown setting {names}. Allowed settings: {allowed}."
ONE_BUDGET = "Set either `epsilon` or `rho`, and the other one to None."
NEEDS_PUBLIC = "{method} needs public records. Pass X_public to fit."
UNIT = "one record = one row of X"
UNIT_PERSON = "one person with at most {records} rows of X"
COST = (
    "Cross-validation fits on private data. Each fit spends {budget}, and k fits together spend k"
    " times its ρ. Tune on public data, or use `dpviz tune` with a private selection."
)
#: Checks of scikit-learn that a private classifier cannot pass, with the reason.
EXPECTED_FAILED_CHECKS: dict[str, str] = {}
