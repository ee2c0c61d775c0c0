"""Texts on the smallest budget that reaches an accuracy."""

#: The answer; the first case that applies.
ANSWERS = {
    "choose": "Select a private method to see which budget reaches **{goal:percent}**.",
    "none": (
        "No computed budget reaches **{goal:percent}** accuracy ({metric:md}). At best,"
        " {method:md} reaches {reached:percent}."
    ),
    "unclear": (
        "No method is significantly above **{goal:percent}** accuracy ({metric:md}) at any budget"
        " here."
    ),
    "lowest": (
        "For significantly more than **{goal:percent}** accuracy ({metric:md}), {method:md} leaks"
        " least. Required budget: **{budget:md}**."
    ),
}
NOTES = {
    "guess": "At this budget, an attacker's best guess is at most {guess:at_most} (chance 50%).",
    "mean": (
        "On average, {other:md} reaches the target with less leakage: a best guess of at most"
        " {guess:at_most}. This difference is not significant."
    ),
    "all": "Every method reaches the target.",
    "some": "Target not reached by {missed:count} of {methods:count method}.",
    "smallest": (
        "The smallest {symbol:md} ({budget:number}) is that of {other:md}; an attacker's best guess"
        " is then at most {guess:at_most}."
    ),
}
TABLE = {
    "method": "method",
    "smallest": "smallest {symbol:md}",
    "accuracy": "accuracy",
    "interval": "95% interval",
    "guess": "attacker's best guess",
    "previous": "next smaller budget",
    "significant": "significant",
}
CELLS = {
    "not_reached": "not reached",
    "at_most": "at most {accuracy:percent} at the largest budget",
    "below": "target missed at {symbol:md} = {budget:number}",
    "yes": "yes",
    "no": "no",
}
