"""Texts of the Trade-off page."""

from dpviz.text.template import Text

TITLE = "What does privacy cost?"

#: The answer, by case; the first that applies is shown.
ANSWERS = {
    "empty": Text("Select a private method to see what privacy costs."),
    "chance": Text(
        "At {at:md}, no private method clearly beats chance (best: {private:of_100} of 100"
        " {group:md}).",
        "At {budget:md}, no private method differs significantly from chance ({chance:percent}).",
    ),
    "public_better": Text(
        "Public images alone do better: **{public:percent}**, compared with {private:percent}.",
        "Public images of the same classes alone (**{public:percent}**) are significantly better"
        " than {method:md} ({private:percent}). Use public images alone.",
    ),
    "public_better_here": Text(
        "Public images alone (**{public:percent}**) are significantly better than {method:md}"
        " ({private:percent}) on one data draw. Use public images alone.",
    ),
    "public_as_good": Text(
        "Use public images alone (**{public:percent}**): no private method is clearly better.",
        "{method:md} ({private:percent}) shows no significant gain over public images alone"
        " (**{public:percent}**). Use public images alone.",
    ),
    "public_level": Text(
        "The gain over public images alone is not clear: {private:percent} compared with"
        " **{public:percent}**.",
        "{method:md} ({private:percent}) shows no significant gain over public images alone"
        " (**{public:percent}**).",
    ),
    "private_better": Text(
        "Public images alone do clearly worse: **{public:percent}**, compared with"
        " {private:percent}.",
        "{method:md} ({private:percent}) is significantly better than public images alone"
        " (**{public:percent}**).",
    ),
    "private_better_here": Text(
        "{method:md} ({private:percent}) is significantly better than public images alone"
        " (**{public:percent}**) on one data draw.",
    ),
    "public_better_so_far": Text(
        "So far at {at:md}, public images alone do better: **{public:of_100} of 100** {group:md},"
        " compared with **{private:of_100}**.",
        "So far at {budget:md}, public images alone (**{public:percent}** {correct:md}) are"
        " significantly better than {method:md} (**{private:percent}**).",
    ),
    "public_as_good_so_far": Text(
        "So far at {at:md}, no private method clearly beats public images alone:"
        " **{private:of_100} of 100** {group:md}, compared with **{public:of_100}**.",
        "So far at {budget:md}, {method:md} (**{private:percent}** {correct:md}) shows no"
        " significant gain over public images alone (**{public:percent}**).",
    ),
    "private_better_so_far": Text(
        "So far at {at:md}, {method:md} does better: **{private:of_100} of 100** {group:md},"
        " compared with **{public:of_100}** with public images alone.",
        "So far at {budget:md}, {method:md} (**{private:percent}** {correct:md}) is significantly"
        " better than public images alone (**{public:percent}**).",
    ),
    "best": Text(
        "At {at:md}, {method:md} recognizes **{private:of_100} of 100** {group:md}. Without noise"
        " it would be **{quiet:of_100}**.",
        "At {budget:md}, {method:md} classifies **{private:percent}** of {group:md} correctly;"
        " without noise, **{quiet:percent}**.",
    ),
    "alone": Text(
        "At {at:md}, {method:md} recognizes **{private:of_100} of 100** {group:md}.",
        "At {budget:md}, {method:md} classifies **{private:percent}** of {group:md} correctly.",
    ),
}

#: First sentence before a comparison with public images: what noise costs the best private method,
#: by case; its accuracy where the cost is not known.
COSTS = {
    "cost": Text(
        "At {at:md}, noise costs {method:md} **{lost:cost}** of {score:md}.",
        "At {budget:md}, noise costs {method:md} **{lost:cost}** of {score:md}.",
    ),
    "none": Text(
        "At {at:md}, noise costs {method:md} no clear {score:md}.",
        "At {budget:md}, noise costs {method:md} no significant {score:md}.",
    ),
    "unknown": Text(
        "At {at:md}, {method:md} is the best private method.",
        "At {budget:md}, {method:md} is the best private method.",
    ),
}
SCORES = {
    "rare": "accuracy on rare classes",
    "balanced": "mean accuracy over classes",
    "overall": "accuracy on test images",
    "balanced_records": "mean accuracy over classes",
    "overall_records": "accuracy on test records",
}

#: Whose accuracy a score is.
GROUPS = {
    "rare_classes": "images of rare classes ({classes:list})",
    "rare_records": "records of rare classes ({classes:list})",
    "rare": "test images of rare classes",
    "balanced": "test images (classes weighted equally)",
    "overall": "test images",
    "balanced_records": "test records (classes weighted equally)",
    "overall_records": "test records",
}

#: The same after a share in parentheses.
CORRECT = {
    "rare": "correct on test images of rare classes",
    "balanced": "of test images correct, classes weighted equally",
    "overall": "of test images correct",
    "balanced_records": "of test records correct, classes weighted equally",
    "overall_records": "of test records correct",
}

#: Title of the chart at the level Plain, by case: the comparison of the answer at all budgets.
PUBLIC_FINDINGS = {
    "from": "Below {budget}, none of these private methods clearly beats public images alone",
    "everywhere": "A private method clearly beats public images alone at every {symbol}",
    "last": "A private method clearly beats public images alone only at {budget}",
    "nowhere": "None of these private methods clearly beats public images alone up to {budget}",
    "between": "A private method clearly beats public images alone at some budgets only",
}
#: The comparison at equal leakage, by case: title of the chart at the level Precise.
FINDINGS = {
    "apart": Text(
        "At equal attacker success, {method:md} clearly beats {rival:md}",
        "At equal attacker success, {method:md} is significantly better than {rival:md}:"
        " {high:percent} vs. {low:percent}",
    ),
    "apart_here": Text(
        "At equal attacker success, {method:md} is significantly better than {rival:md} on one"
        " data draw: {high:percent} vs. {low:percent}",
    ),
    "level": Text(
        "At equal attacker success, no private method clearly leads",
        "At equal attacker success, {method:md} and {rival:md} do not differ significantly:"
        " {high:percent} and {low:percent}",
    ),
    "both": Text(
        "{method:md} clearly beats {rival:md}, even at equal attacker success",
        "At equal {symbol:md} and at equal attacker success, {method:md} is significantly better"
        " than {rival:md}",
    ),
    "both_here": Text(
        "At equal {symbol:md} and at equal attacker success, {method:md} is significantly better"
        " than {rival:md} on one data draw",
    ),
    "budget_only": Text(
        "At equal {symbol:md}, {method:md} leads; at equal attacker success it has no clear lead",
        "At equal {symbol:md}, {method:md} is significantly better than {rival:md}; at equal"
        " attacker success, the difference is not significant",
    ),
    # instead, where the best method's guarantee is the weakest; at equal success, no clear lead
    "budget_only_weak": Text(
        "{method:md} leads, but allows better attacks",
    ),
    "budget_only_here": Text(
        "On one data draw, {method:md} leads significantly at equal {symbol:md}; at equal attacker"
        " success, the difference is not significant",
    ),
    "level_both": Text(
        "No private method clearly leads, even at equal attacker success",
        "{method:md} does not differ significantly from {rival:md} at equal {symbol:md} or at"
        " equal attacker success",
    ),
    "reversed": Text(
        "At equal attacker success, {rival:md} leads instead of {method:md}",
        "At equal {symbol:md}, {method:md} is significantly better than {rival:md}; at equal"
        " attacker success, significantly worse",
    ),
    "reversed_here": Text(
        "On one data draw, {method:md} is significantly better than {rival:md} at equal"
        " {symbol:md}; at equal attacker success, significantly worse",
    ),
    "other_apart": Text(
        "At equal attacker success, {other:md} leads instead of {method:md}",
        "At equal {symbol:md}, {method:md} leads; at equal attacker success, {other:md} is"
        " significantly better",
    ),
    "other_apart_here": Text(
        "On one data draw, {method:md} leads at equal {symbol:md}; at equal attacker success,"
        " {other:md} is significantly better",
    ),
    "other_level": Text(
        "At equal {symbol:md}, {method:md} leads; at equal attacker success it has no clear lead",
        "At equal {symbol:md}, {method:md} leads; at equal attacker success, its lead is not"
        " significant",
    ),
    "other_level_here": Text(
        "On one data draw, {method:md} leads at equal {symbol:md}; at equal attacker success, its"
        " lead is not significant",
    ),
    "one_seed": Text("One seed cannot show which method is better at equal attacker success"),
    "alone": Text("Accuracy against privacy budget"),
}
#: Beside the answer.
ONE_DRAW = "One data draw"

BELOW_CHANCE_AT = "{method} from {symbol} = {low:number} to {high:number}"

TILE_LABELS = {
    "minority": "Rare classes",
    "balanced": "All classes",
    "overall": "All test images",
    "guess": "Attacker's best guess",
    "public": "Public images alone",
}
TILE_NOTES = {
    "quiet": "{quiet:percent} without noise",
    "method": "{method:md}",
    "chance": "chance 50%",
    "public": "no private data",
    "public_worse": "clearly worse",
    "public_better": "clearly better, if you have such images",
    "public_as_good": "not beaten, if you have such images",
    "public_better_so_far": "better so far",
    "public_as_good_so_far": "not beaten so far",
}
TILE_HELP = {
    "accuracy": "Accuracy of {method:md} on {group:md}. 95% interval: {interval:interval}.",
    "balanced": "Mean accuracy of {method:md} over classes. 95% interval: {interval:interval}.",
    "guess": (
        "Probability that the best possible attacker guesses correctly whether one image was used."
        " Chance is 50%. Guarantee of {method:md}: {budget:md}."
    ),
    "public": (
        "Accuracy of a classifier trained on all labeled public images. It uses no private data."
    ),
    "public_worse": (
        "Accuracy of a classifier trained on all labeled public images. It uses no private data and"
        " is significantly worse than the private method here."
    ),
    "public_better": (
        "Accuracy of a classifier trained on all labeled public images. It uses no private data and"
        " is significantly better than the private method here."
    ),
    "public_as_good": (
        "Accuracy of a classifier trained on all labeled public images. The private method shows no"
        " significant gain, so private images are not needed here."
    ),
}

#: Fold below the chart.
CHART_NOTES = "Notes on the chart"
TABS = {
    "guarantees": "Guarantees",
    "classes": "Who loses accuracy",
    "ranking": "Ranking",
    "budget": "Which budget is enough?",
    "redraw": "Redraw",
    "compare": "Compare settings",
    "table": "Table and code",
    "about": "About the numbers",
}

BADLY_CONFIGURED = {
    "untuned": (
        "The settings of **{method:md}** do not suit this data set. Even without noise, its mean"
        " accuracy over classes is {own:percent}, compared with {best:percent} for {other:md}. Tune"
        " the method before you compare."
    ),
    "tuned": (
        "Even after tuning, **{method:md}** stays far below {other:md}: {own:percent} vs."
        " {best:percent} without noise. This gap is not a cost of privacy."
    ),
}

CAPTIONS = {
    "all_sizes": "Class sizes at several imbalance ratios. Dotted line: start of the rare classes.",
    "accuracies": "Accuracy of each class at this budget. Rare classes are shaded.",
    "below_chance": (
        "Below chance: {methods:list}. Noise hides small classes first, so their test images are"
        " assigned to larger classes."
    ),
    "one_draw": "All numbers in this tab: data draw {draw:count}, as in the answer.",
    "several_draws": (
        "Tables: mean over {draws:count data_draw}, as in the answer. Class sizes and chart: data"
        " draw {draw:count} only."
    ),
}
SIZES = Text(
    "Images per class. Rare classes are hatched.",
    "Current class sizes; rare classes are hatched. {ratio:md}.",
)
EQUAL_SIZES = Text("All classes have the same size, so none is rare.")
RANKING = Text(
    "Accuracy: {metric:md}.",
    "Methods that share a letter do not differ significantly (all pairs, Holm, 5%). Accuracy:"
    " {metric:md}.",
)
NEEDED = Text(
    "Smallest computed ε from which the accuracy stays at or above the target.",
    "Smallest computed ε from which mean accuracy stays at or above the target. “Significant”:"
    " accuracy there is significantly above the target.",
)
SIZE_VIEWS = {"now": "Current sizes", "all": "All imbalance ratios"}
HIGHEST = {
    True: "{where:md}, **{method:md}** has the highest accuracy, significantly above all others.",
    False: (
        "{where:md}, **{method:md}** has the highest accuracy, but not significantly above all"
        " others."
    ),
}
PLACES = {
    "equal": "At equal attacker success (best guess {guess:at_most})",
    "budget": "At {budget:md}",
}
TARGET_LABEL = "Target accuracy (%)"
TARGET_HELP = "Accuracy of the group chosen above the chart. Only computed budgets count."
LINKS = {
    "maps": "Maps of these settings: {links:md}",
    "persons": "This data set identifies people: {link:md}",
    "persons_link": "see the cost of protecting each person",
}
