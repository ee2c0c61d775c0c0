"""Texts of displays in notebooks."""

from __future__ import annotations

GUARANTEE = {"notion": "Notion", "epsilon": "(ε, δ)", "rho": "ρ"}
READING = {"adjacency": "Neighbors", "unit": "Unit", "public": "Public"}
RESULT = {
    "method": "Method",
    "data": "Data",
    "balanced": "Balanced accuracy",
    "minority": "Minority accuracy (private view)",
}
AUDIT = {
    "function": "Function",
    "verdict": "Verdict",
    "claimed": "Claimed ε",
    "bound": "Lower bound on ε",
    "broken": "The claim is violated.",
    "holds": "No violation found.",
}
BAD_OPTIONS = (
    "%%dp_audit: {message}. Use: %%dp_audit FUNCTION --with DATA --without DATA --epsilon 1."
)
NO_FUNCTION = "The cell must define the function {name}."
