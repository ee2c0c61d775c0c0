"""Texts of the cards: guarantees, costs, rare classes, equal leakage."""

#: Badge of private views, in the app and in exported files.
PRIVATE_VIEW = "private view, not covered by the guarantee"
PRIVATE_CLASS_SIZES = "private view: class sizes decide which classes are rare"

GAINS_DIFFER = (
    "At the same budget, methods can leak different amounts. The amount depends on the noise and"
    " on the guarantee."
)
EQUAL_CLASSES = "All classes have the same size, so none is rare."
COST_TITLE = "Cost of noise"
COST_HEAD = ("accuracy", "without noise", "time for {runs:count run}")
MINORITY_TITLE = "Rare classes and others"
MINORITY_HEAD = ("rare", "others", "gap")
MINORITY_CAPTION = "Rare classes: {classes:list}."
MINORITY_DRAWS = "Mean over {draws:count data_draw}. Each draw has its own rare classes."
EQUAL_LEAKAGE_TITLE = "At equal attacker success"
EQUAL_LEAKAGE_CAPTION = (
    "Each method runs at the budget where an attacker's best guess is {guess:at_most} (chance 50%)."
)
EQUAL_LEAKAGE_RHO = "ρ: privacy loss in zero-concentrated DP. It adds up over releases."
EQUAL_LEAKAGE_HEAD = ("accuracy", "ε at δ = {delta:number_up}", "ρ (zCDP)")
WEAK = ":material/info: ε above {limit:number} is a weak guarantee."
PRECISE_FOLD = "Precise guarantee"
SMALL_PRINT = "Small print"
DIFFERENCE = {"accuracy": "accuracy", "difference": "difference"}
