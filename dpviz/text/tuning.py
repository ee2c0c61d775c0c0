"""Texts of the Tuning page."""

from dpviz.text.template import Text

TITLE = "What does choosing the settings cost?"

#: Number of settings in an answer.
SETTING_COUNT = "{trials:count setting}"
#: The answer, by case; the first that applies is shown.
ANSWERS = {
    "running": Text("Tuning {method}…"),
    "nothing": Text("No trial gave a result, so there is nothing to show."),
    "zero": Text("The secret number of trials was 0, so there is nothing to show."),
    "rerun worse": Text(
        "After trying {settings:md}, attackers can be right up to **{guess:at_most}** of the time"
        " instead of **{one:at_most}**. The winner is clearly worse than the default.",
        "Showing all trials ({trials:count}) costs ε = **{cost:number_up}**, not counting the runs"
        " with fresh noise. In these runs, the winner scores **{winner:interval}** on {group}.",
    ),
    "rerun level": Text(
        "After trying {settings:md}, attackers can be right up to **{guess:at_most}** of the time"
        " instead of **{one:at_most}**. The winner does not clearly beat the default.",
        "Showing all trials ({trials:count}) costs ε = **{cost:number_up}**, not counting the runs"
        " with fresh noise. In these runs, the winner scores **{winner:interval}** on {group}.",
    ),
    "rerun better": Text(
        "After trying {settings:md}, attackers can be right up to **{guess:at_most}** of the time"
        " instead of **{one:at_most}**. The winner is clearly better than the default.",
        "Showing all trials ({trials:count}) costs ε = **{cost:number_up}**, not counting the runs"
        " with fresh noise. In these runs, the winner scores **{winner:interval}** on {group}.",
    ),
    "all": Text(
        "After {trials:count setting}, the attacker's best guess is **{guess:at_most}**. The"
        " best trial recognizes **{score:of_100} of 100** {group}.",
        "Showing all trials ({trials:count}) costs ε = **{cost:number_up}** in total. The best"
        " trial scores **{score:percent}** on {group}.",
    ),
    "best alone": Text(
        "Showing only the best setting limits an attacker's best guess to **{guess:at_most}**."
        " This setting recognizes **{score:of_100} of 100** {group}.",
        "Showing only the best of a secret number of trials costs ε = **{cost:number_up}** in"
        " total. The best trial scores **{score:percent}** on {group}.",
    ),
    "private score": Text(
        "No guarantee covers this choice: private class sizes decide which classes are rare. The"
        " winner recognizes **{score:of_100} of 100** {group}.",
        "No guarantee covers a choice by accuracy on {group}. The releases alone cost ε ="
        " **{cost:number_up}** in total; the best trial scores **{score:percent}**.",
    ),
}

# ------------------------------------------------------------------------------------ controls

METHOD = "Method to tune"
METHOD_HELP = "The search varies the method's own settings within their ranges."
TRIALS = "Trials"
TRIALS_HELP = (
    "Each trial is one more run on the private images. For a random number of trials, this is the"
    " mean."
)
SAMPLER = "Search"
SAMPLER_HELP = "TPE finds good settings faster. Private selection needs random search."
COUNT = "Count distribution"
COUNT_HELP = (
    "Private selection needs a random, secret number of trials. Here, the seed determines the"
    " number."
)
ONLY = "Settings to vary"
ONLY_HELP = "Leave empty to vary all settings."
SEED = "Seed"
SEED_HELP = "Seed of settings, noise and number of trials."
#: The fold, and its part of the fold at the level Plain.
MORE_SETTINGS, MORE_PART = "Settings to vary, seed", "Search"

# --------------------------------------------------------------------------------------- tiles

TILES = {
    "winner": "Best settings, rerun",
    "default": "Default settings",
    "cost": "Privacy cost ε",
    "guess": "Attacker's best guess",
}
NOTES = {
    "secret": "of a secret number of trials",
    "cost": "one trial: {one:number}",
    "guess": "one trial: {one:at_most}",
    "no limit": "one trial: {one:at_most}",
}
#: Below the winner's accuracy: after fresh runs, and before them.
WINNER_NOTE = Text("mean of {runs:count new_run}", "{score:percent} when chosen")
WINNER_ONCE = Text("in its first run", "when chosen")
#: The default against the winner, by the sign of the winner's difference.
DIFFERENCES = {
    1: Text("clearly worse", "significantly worse"),
    0: Text("no clear difference", "not significantly different"),
    -1: Text("clearly better", "significantly better"),
}
#: Last line of the tiles with an accuracy.
ONE_DRAW = "1 data draw"
NO_LIMIT = "no limit"
TILE_HELP = {
    "winner once": "Accuracy of the run that won. It is biased upward: the winner's curse.",
    "cost": "ε at δ = {delta:number_up} of all trials together.",
    "guess": (
        "Limit on the success rate of any membership attack after the search, with a prior of 50%."
        " It is the smallest bound known for all trials together, so the exact limit can be lower."
    ),
    "private": (
        "Covers the releases only. Scores depend on private class sizes, which no guarantee covers."
    ),
}

WINNER_HELP = Text(
    "Mean of {runs:count new_run} of the winner. Its first run won partly by chance.",
    "Mean of {runs:count run} with fresh noise. The score at selection is biased upward: the"
    " winner's curse.",
)
DEFAULT_HELP = Text(
    "Default settings, run as often as the winner, with the same test images.",
    "Default settings with fresh noise, same number of runs, same test images.",
)

# --------------------------------------------------------------------------------------- chart

CHART_TITLES = {
    "rerun first": "The first of {trials:count trial} stays the best",
    "rerun first default": (
        "The first of {trials:count trial}, with default settings, stays the best"
    ),
    "rerun worse": "In this search, trying settings costs privacy and loses accuracy",
    "rerun level": "In this search, trying settings costs privacy and gains no clear accuracy",
    "rerun better": "In this search, trying settings costs privacy and gains accuracy",
    "waiting": (
        "{trials:count trial}: attacker's best guess {one:at_most}\u00a0→\u00a0{guess:at_most},"
        " best accuracy {score:percent}"
    ),
}
#: Below the title, where the winner alone could cost less.
SUBTITLE_SELECTION = Text(
    "Showing all trials costs ε = {cost:number_up}. Private selection shows only the winner and"
    " could cost ε = {selected:number_up}.",
    "Private selection shows only the winner and could cost ε = {selected:number_up}.",
)
CAPTION = Text(
    "Each dot: one trial. ★ winner. Line: best so far. Arrow: change when the best"
    " settings are rerun.",
    "Each dot is one trial with its own settings and noise. ★ winner. Solid line: best so far."
    " Arrow: from the winner's score to its mean with fresh noise."
    " Best guess: the limit after all trials so far. Invalid settings are redrawn at no cost.",
)
#: Added where the axis of accuracies does not reach some trials.
CAPTION_BELOW = "▼: trial below the axis range."
#: Added where the best guess after one trial and after all comes from different notions.
CAPTION_NOTIONS = "Accounting of the best guess: one trial ({one:md}), all trials ({after:md})."

# ---------------------------------------------------------------------------------------- tabs

TABS = {
    "prices": "Privacy cost",
    "slices": "Which settings matter",
    "curtain": "All trials",
    "fair": "All methods",
    "assumptions": "Assumptions",
    "table": "Table and command",
    "storage": "Compare studies",
    "about": "About the numbers",
}
CARDS = {
    "all": "All trials shown",
    "best": "Only the best shown",
    "would": "With random search and a secret number of trials",
    "free": "One run, as papers often report",
}
#: What reporting the winner alone costs under the current settings, by case.
WINNER_COST = {
    "best alone": (
        "Here, reporting only the winner costs **ε = {epsilon:number_up}** at δ ="
        " {delta:number_up}. {applies:md}"
    ),
    "all": (
        "Here, reporting only the winner costs **ε = {epsilon:number_up}** at δ ="
        " {delta:number_up}, the same as all trials. :material/block: {applies:md}"
    ),
    "private score": (
        "Here, no guarantee covers reporting the winner. :material/block: {applies:md}"
    ),
}
PRICE = "**ε = {epsilon:number_up}** at δ = {delta:number_up}"
ALL_ROW = "{trials:count trial}"
ALL_ROW_RERUN = "Trials and {runs:count fresh_run}"
ALL_PRICE = "ε = {epsilon:number_up} at δ = {delta:number_up}"
COMPOSED = "Composition of all runs."
COMPOSED_RERUN = (
    "Composition. The fresh runs repeat the winner and the default settings. The answer and the"
    " attacker's best guess count the trials only."
)
BEST_ROW = "{name}, mean {mean:number}"
BEST_PRICE = "ε = {epsilon:number_up} at δ = {delta:number_up}"
BEST_SOURCE = "Papernot and Steinke 2022, Theorems 2 and 6."
WOULD = "Not the cost of this search. Papernot and Steinke 2022, Theorems 2 and 6."
FREE = (
    ":material/warning: Not the cost of tuning: it covers one run with settings fixed in advance."
)
TERMS = "Every ε here: {adjacency}; {unit}; public: {public}."
CURTAIN = (
    "Opening this tab shows every run. The cost of the best setting alone no longer applies. The"
    " cost of all trials applies instead."
)
TOO_FEW = "Importance needs several scored trials and at least two settings."
IMPORTANCE_ALT = "Bars: share of the score variance that each setting explains."
IMPORTANCE_CAPTION = "Share of the score variance that each setting explains (PED-ANOVA, Optuna)."
SLICES_ALT = "Score of each trial against each setting."
SLICES_CAPTION = "Score against each setting. Darker marks: later trials."
TABLE_TITLE = "All trials"
STORED_NOTE = "The study is stored. It continues when you ask for more trials."
ASSUMPTIONS = (
    "**Trial**: one run with its own settings and noise. Its score is accuracy on the test set,"
    " which counts as public.",
    "**Score on rare classes**: not covered. Private class counts decide which classes are rare.",
    "**All trials shown**: every run is a release, so costs add up by composition. This covers the"
    " charts here.",
    "**Only the best shown**: private selection costs less. Sources: Liu and Talwar 2019; Papernot"
    " and Steinke 2022, Theorems 2 and 6.",
    "**Conditions of private selection**: a random number of trials, settings drawn independently,"
    " and only the winner shown. The number of trials and the winner's index stay secret.",
    "**Poisson number**: it may be 0. Then there is no result.",
    "**TPE** learns from earlier scores. Its trials depend on each other, so only composition"
    " applies.",
    "**One run**: the cost that papers often report for the best of many.",
    "**Invalid settings** are redrawn at no cost. Sizes and budget alone decide which are invalid.",
    "**Winner's curse**: the best score is biased upward. Winner and default are therefore rerun"
    " with fresh noise. The tab “Privacy cost” gives the cost with and without these runs.",
    "**Test images**: the fresh runs use the same ones, so overfitting to them remains.",
    "**Largest run**: the theorems use the most expensive run. No trial costs more than the default"
    " settings.",
)
