"""Texts of the Attacks page."""

from dpviz.text.template import Text

TITLE = "What can an attacker learn?"

# ------------------------------------------------------------------------- attack by loss threshold

#: The answer on attacks by loss threshold, by case and privacy unit.
ANSWERS = {
    "none": Text("Select a private method to see how its guarantee limits attacks."),
    "weak": Text(
        "At this privacy level, an attacker may guess right nearly every time.",
        "At {budget:md}, the guarantee of {method} allows attacks to succeed more than"
        " 99.9% of the time.",
    ),
    "limit": Text(
        "With {method} at {at:md}, attackers guess correctly at most **{limit:at_most}** of the"
        " time whether your image was used.",
        "At {budget:md}, no attack on {method} guesses membership correctly more than"
        " **{limit:at_most}** of the time.",
    ),
    "limit_person": Text(
        "With {method} at {at:md}, attackers guess correctly at most **{limit:at_most}** of the"
        " time whether you took part.",
        "At {budget:md}, no attack on {method} guesses correctly whether a person took part more"
        " than **{limit:at_most}** of the time.",
    ),
    "prior": Text(
        "With {method} and a prior of {prior:in_full}, attackers guess correctly at most"
        " **{limit:at_most}** of the time whether your image was used.",
        "At {budget:md}, with a prior of {prior:in_full}, no attack on {method} guesses membership"
        " correctly more than **{limit:at_most}** of the time.",
    ),
    "prior_person": Text(
        "With {method} and a prior of {prior:in_full}, attackers guess correctly at most"
        " **{limit:at_most}** of the time whether you took part.",
        "At {budget:md}, with a prior of {prior:in_full}, no attack on {method} guesses a person's"
        " membership correctly more than **{limit:at_most}** of the time.",
    ),
    "compared": Text(
        "At {at:md}, attackers guess correctly at most **{limit:at_most}** of the time whether your"
        " image was used. Without noise: **{quiet:percent}** for the most exposed.",
        "At {budget:md}, no attack on {method} succeeds more than **{limit:at_most}** of the time."
        " Without noise, one attack reaches **{quiet:percent}** on the most exposed images.",
    ),
    "compared_person": Text(
        "At {at:md}, attackers guess correctly at most **{limit:at_most}** of the time whether you"
        " took part. Without noise: **{quiet:percent}** for the most exposed.",
        "At {budget:md}, no attack on {method} succeeds more than **{limit:at_most}** of the time."
        " Without noise, one attack reaches **{quiet:percent}** on the most exposed people.",
    ),
}
#: Finding above the figures of the attack by loss threshold, by case.
FINDINGS = {
    "chance": Text(
        "{method}: simple attack not clearly better than chance, any attack up to {limit:at_most}"
    ),
    "slightly": Text(
        "{method}: simple attack slightly better than chance, any attack up to {limit:at_most}"
    ),
    "better": Text(
        "{method}: simple attack right in {noisy:percent} of guesses, any attack up to"
        " {limit:at_most}"
    ),
    "above": Text("{method}: simple attack above the limit of the guarantee"),
    "limit": Text("The guarantee limits every attack"),
    "quiet": Text("Without noise, no limit protects the most exposed images"),
}
#: Forms of the main chart: its figures by case, and the curve.
FORM_FIGURES = {"loss": "Guesses", "picture": "Images", "person": "People"}
FORM_CURVE = Text("Curve", "ROC")
#: Names of the attacks for readers without statistics; the help of the attack has the term.
ATTACKS_PLAIN = {
    "loss": "Simple attack",
    "lira": "Strong: LiRA",
    "lira-offline": "Strong: LiRA offline",
    "rmia": "Strong: RMIA",
}
FORM_LABEL = "Chart"
#: Panels of 100 guesses.
PANELS = {
    "limit": Text("Any attack"),
    "noisy": Text("Simple attack", "Loss threshold"),
    "quiet": Text("Without noise"),
}
NOT_MEASURED = "–"
#: Below the name of a panel: its right guesses.
PANEL_NOTES = {
    "limit": "≤\u00a0{right:md}\u00a0of\u00a0100",
    "measured": "{right:of_100}\u00a0of\u00a0100 ({low:of_100}–{high:of_100})",
    "few": "too few runs to measure",
    "running": "not computed yet",
}
PANEL_ALTS = {
    "limit": "{title}: at most {right} of 100 guesses are right.",
    "measured": "{title}: {right} of 100 guesses are right.",
    "few": "{title}: not measured.",
}
GUESSES_LEGEND = {
    "middle": "right by chance",
    "strong": "beyond chance",
    "pale": "perhaps by chance",
    "ring": "up to the limit",
    "rest": "wrong",
}
#: Below the figures; then where an interval extends beyond the limit.
INTERVALS = "In parentheses: 95% intervals."
PAST_LIMIT = (
    "In parentheses: 95% intervals. One extends beyond the limit because few images were measured."
    " The limit still holds."
)
GUESSES_ALT = "Right guesses out of 100: the limit and the measured values."
CURVE_EXPOSED = "{method} without noise, most exposed {share:percent}"
CURVE_CAPTION = Text(
    "A higher line means that the attack finds more used images. No attack can exceed the limit"
    " of the guarantee.",
    "Attack curves are a private view. The limit follows from the guarantee alone and is public.",
)

# ------------------------------------------------------------------------------------------- tiles

TILE_GUESS = "Attacker's best guess"
TILE_GUESS_NOTE = "chance {chance:percent}"
#: Added to the help of the guess.
TILE_GUESS_METHOD = "Method: {method}."
TILE_GUESS_HELP = {
    "add_remove": (
        "Highest success rate of any attacker who guesses whether your image was used."
        " The same for every image."
    ),
    "replace": (
        "Highest success rate of any attacker who guesses whether your image or another image of"
        " its class was used. The same for every image."
    ),
    "add_remove_person": (
        "Highest success rate of any attacker who guesses whether any of your images was used."
        " The same for every person."
    ),
    "replace_person": (
        "Highest success rate of any attacker who guesses whether you or a matching person took"
        " part. The same for every person."
    ),
}
TILE_QUIET_NOTE = "no guarantee"
TILE_ANY_VALUE, TILE_ANY_NOTE = "≤ {right:md}%", "guaranteed limit"
#: Success of the loss attack on the most exposed: plain, and with its interval.
TILE_EXPOSED_VALUE = Text(
    "{right:percent}",
    "{right:percent} ({low:of_100}–{high:of_100})",
)
TILE_EXPOSED_NOTE = {"picture": "most exposed images", "person": "most exposed people"}
TILE_EXPOSED_HELP = {
    ("noisy", "picture"): (
        "Success of the loss-threshold attack on {method}, on the 5% most exposed images. Chance is"
        " 50%."
    ),
    ("noisy", "person"): (
        "Success of the loss-threshold attack on {method}, on the 5% most exposed people. Chance is"
        " 50%."
    ),
    ("quiet", "picture"): (
        "Success of the loss-threshold attack on {method} without noise, on the 5% most exposed"
        " images. Chance is 50%."
    ),
    ("quiet", "person"): (
        "Success of the loss-threshold attack on {method} without noise, on the 5% most exposed"
        " people. Chance is 50%."
    ),
}
#: Added to this help: the average.
TILE_AVERAGE = {
    "picture": "Over all images: {right:percent}.",
    "person": "Over all people: {right:percent}.",
}
TILE_FOUND = "Found by {attack}"
TILE_FOUND_NOTE = "limit {limit:md}"
TILE_FOUND_NOTE_OPEN = "no limit"
TILE_FOUND_HELP = (
    "Share of used images that the attack finds on {method} at a false-alarm rate of 1%, with 95%"
    " interval."
)
TILE_RARE = "Rare classes"
TILE_RARE_NOTE = "at a false-alarm rate of 1%"
TILE_RARE_HELP = (
    "Share of used images of rare classes ({classes:list}) found at a false-alarm rate of 1% within"
    " these classes."
)
TILE_OPEN = "Without privacy"
TILE_OPEN_NOTE = "{method}"
TILE_OPEN_HELP = (
    "Share of used images that the same attack finds on a method without privacy, at a false-alarm"
    " rate of 1%."
)

# ------------------------------------------------------------------------- attack by shadow models

#: The answer on attacks by shadow models, by case.
ANSWERS_LOW_FPR = {
    "few": Text(
        "There are too few images to measure the attack. Keep more images or use more shadow"
        " models."
    ),
    "found": Text(
        "The attack finds **{found:md}** of the used images at a false-alarm rate of 1%. The"
        " guarantee allows at most **{limit:md}**.",
        "{attack} on {method} has a TPR of **{rate:md}** at 1% FPR. The guarantee limits"
        " every attack to **{limit:md}**.",
    ),
    "blind": Text(
        "The attack is not clearly better than chance at finding used images. The guarantee allows"
        " at most **{limit:md}** at a false-alarm rate of 1%.",
        "{attack} on {method} has a TPR of **{rate:md}** at 1% FPR, not significantly above chance."
        " The guarantee allows at most **{limit:md}**.",
    ),
    "above": Text(
        "The attack finds **{found:md}** of the used images, above the limit of **{limit:md}**. The"
        " guarantee is violated.",
        "{attack} on {method} has a TPR of **{rate:md}** at 1% FPR, significantly above the limit"
        " of **{limit:md}**. The guarantee is violated.",
    ),
    "open": Text(
        "The attack finds **{found:md}** of the used images at a false-alarm rate of 1%. No"
        " guarantee limits a stronger attack.",
        "{attack} on {method} has a TPR of **{rate:md}** at 1% FPR. No guarantee limits other"
        " attacks on {method}.",
    ),
    "few_person": Text(
        "There are too few people to measure the attack. Keep more images or use more shadow"
        " models."
    ),
    "found_person": Text(
        "The attack finds **{found:md}** of the participants at a false-alarm rate of 1%. The"
        " guarantee allows at most **{limit:md}**.",
        "{attack} on {method} has a TPR of **{rate:md}** for people at 1% FPR. The guarantee"
        " limits every attack to **{limit:md}**.",
    ),
    "blind_person": Text(
        "The attack is not clearly better than chance at finding participants. The guarantee allows"
        " at most **{limit:md}** at a false-alarm rate of 1%.",
        "{attack} on {method} has a TPR of **{rate:md}** for people at 1% FPR, not significantly"
        " above chance. The guarantee allows at most **{limit:md}**.",
    ),
    "above_person": Text(
        "The attack finds **{found:md}** of the participants, above the limit of **{limit:md}**."
        " The guarantee is violated.",
        "{attack} on {method} has a TPR of **{rate:md}** for people at 1% FPR, significantly above"
        " the limit of **{limit:md}**. The guarantee is violated.",
    ),
    "open_person": Text(
        "The attack finds **{found:md}** of the participants at a false-alarm rate of 1%. No"
        " guarantee limits a stronger attack.",
        "{attack} on {method} has a TPR of **{rate:md}** for people at 1% FPR. No guarantee"
        " limits other attacks on {method}.",
    ),
}
FINDINGS_LOW_FPR = {
    "open": Text("Without privacy, the same attack finds {found:md} of the images"),
    "private": Text("The guarantee limits every attack"),
}
IMAGES_LEGEND = {"strong": "found", "ring": "possible up to the limit", "rest": "not found"}
IMAGES_CAPTION = {
    "picture": "Each grid: 100 used images. The attack has 1 false alarm per 100 unused images.",
    "person": "Each grid: 100 participants. The attack has 1 false alarm per 100 other people.",
}
IMAGES_ALT = "Members found among 100, by method, with the limit of each guarantee."
IMAGE_PANEL_NOTES = {
    "limit": "limit {limit:md}",
    "open": "no limit",
    "few": "too few to measure",
}
IMAGE_PANEL_ALTS = {
    "limit": "{method}: {rate:md} found, limit {limit:md}.",
    "open": "{method}: {rate:md} found, no limit.",
    "few": "{method}: not measured.",
}
PANEL_REST = "For other methods, see the Rates tab."
CURVE_CAPTION_LOW_FPR = Text(
    "Logarithmic axes. Dotted: chance. No attack can exceed the limit of the guarantee.",
    "Attack curves are a private view. The limit follows from the guarantee alone and is public.",
)
TOO_FEW = "too few"

# ---------------------------------------------------------------------------------------- controls

LABELS = {
    "attack": "Attack",
    "prior": "Attacker's prior (%)",
    "shadows": "Shadow models",
    "design": "Nonmembers",
    "axes": "Axes",
    "runs": "runs",
}
AXES = {"linear": "Linear", "log": "Logarithmic"}
DESIGNS = {"coin": "private images left out", "test": "test images"}
DESIGN_HELP = {
    "coin": (
        "Each run uses a random half of the private images. The attacker must distinguish this"
        " half from the other half."
    ),
    "test": (
        "Each run uses all private images. The attacker must distinguish them from test images, as"
        " in most papers. If the test images are harder, the difference looks like memorization."
        " The limit does not cover this effect. Not available with a guarantee per person."
    ),
}
COIN_OF_PERSONS = (
    "Each run uses a random half of the people, with all of their kept images. The attack score is"
    " the mean loss on a person's images. With public class counts, only people who have a match"
    " can be left out. A match is a person with the same number of kept images in each class. The"
    " results describe only these people. Most of these people have few images."
)
METHODS_HELP = "One method without privacy is always included for comparison."
RUNS_HELP = "Number of independent runs per method. More runs give narrower intervals."
SEED_HELP = "First random seed. Each run draws its noise and its members from the next seed."
PRIOR_HELP = "Probability that the attacker assigns to “used” before seeing the release."
ATTACK_HELP = {
    "loss": (
        "Simple attack: one loss threshold for all images. Fast, but not adapted to individual"
        " images."
    ),
    "lira": (
        "Compares the loss on an image with shadow models trained with and without the image"
        " (Carlini et al. 2022)."
    ),
    "lira-offline": "Like LiRA, but only with shadow models trained without the image.",
    "rmia": (
        "Compares the likelihood ratio of an image with the ratios of other images (Zarifzadeh et"
        " al. 2024)."
    ),
}
SHADOWS_HELP = (
    "Models trained on random halves of the private images. More models make the attack stronger"
    " and the intervals narrower."
)

# -------------------------------------------------------------------------------------------- tabs

TABS = {
    "methods": "Methods",
    "guarantees": "Guarantees",
    "budgets": "Budgets",
    "about": "Attack",
    "table": "Table",
    "numbers": "About the numbers",
}
TABS_LOW_FPR = {
    "rates": "Rates",
    "classes": "By class",
    "exposed": "Most exposed",
    "shots": "Images per class",
    "guarantees": "Guarantees",
    "methods": "Attacker's belief",
    "about": "Attack",
    "table": "Table",
    "numbers": "About the numbers",
}
ODDS_TITLE = "Limits and measured attacks"
ODDS = {
    "right": "best guess (limit)",
    "belief": "belief (limit)",
    "tail": "belief above limit",
    "auc_limit": "AUC (limit)",
    "auc": "AUC, loss threshold",
    "right_all": "success, all images",
    "right_exposed": "success, most exposed 5%",
    "auc_exposed": "AUC, most exposed 5%",
    "above": "above the limit",
    "judged": "people attacked",
    "records": "images per person, median",
}
ODDS_NEVER = "none"
ODDS_TAIL = "{tail:md} of 100 releases"
ODDS_JUDGED = "{judged:count} of {all:count}"
ODDS_ABOVE = {"no": "no", "noise": "not significantly", "yes": "significantly"}
ODDS_CAPTION = {
    "picture": (
        "Prior: the attacker assigns {prior:in_full} to “used”. Limits are rounded up."
        " “Belief above limit”: share of releases after which the belief may exceed this limit."
    ),
    "person": (
        "Prior: the attacker assigns {prior:in_full} to “took part”. Limits are rounded up."
        " “Belief above limit”: share of releases after which the belief may exceed this limit."
    ),
}
ODDS_CAPTION_AUC = (
    "AUC: 0.5 is chance, and 1 is always right; ±: two standard errors. Success: share of right"
    " guesses at the midpoint threshold (95% interval). If the interval includes the limit, the"
    " result is not significantly above it."
)
#: Table of the attack on images selected on the image map.
SELECTED = {
    "method": "Method",
    "number": "Attacked",
    "auc": "AUC, selected images",
    "auc_all": "AUC, all images",
    "right": "Success, selected images",
    "right_all": "Success, all images",
}
SELECTED_NUMBER = {
    "picture": "{number:count image}",
    "person": "{number:count person people}",
}
SELECTED_NONE = "too few selected images"
SELECTED_TEST = (
    "For the attack on selected images, set **Nonmembers** to **private images left out**."
)
SELECTED_SHADOWS = Text(
    "For the attack on selected images, choose **Simple attack** above the chart.",
    "For the attack on selected images, choose **Loss threshold** above the chart.",
)
PRIVATE = "Computed from private images without noise. Not covered by the guarantee."
DESIGN_CAPTION = "{design:md} AUC ± two standard errors, pooled over {runs:count run}."
BUDGETS_TOGGLE = "Attack at every budget ({attacks:count more_attack}, {runs:count run} each)"
BUDGETS_HINT = "AUC of the attack at every privacy budget, with the limit of each guarantee."
BUDGETS_CAPTION = "Dotted: limit of each guarantee. Gray: methods without privacy."
BUDGETS_BEST = (
    "The highest AUC is **{auc:md}** at budget {budget:number} ({method}). The limit there is"
    " {limit:md}."
)
BUDGETS_NONE_ABOVE = "**None of the {attacks:count attack}** is significantly above the limit."
BUDGETS_ABOVE = (
    "Above the limit by more than the error bar: **{above:count} of {attacks:count attack}**."
    " If all were exactly at the limit, about {expected:md} would exceed it by chance."
)
ORIGIN = "{attacks:count attack} on {runs:count run}, computed in {seconds:md} s on this server."
ORIGIN_LOW_FPR = (
    "{methods:count method} attacked with {fits:count shadow_model}, computed in {seconds:md} s on"
    " this server. All attacks use the same shadow models."
)
TABLE_TITLE = "Attacks"
TABLE_TITLE_LOW_FPR = "Rates"
CODE_CAPTION = "Python code for the first private method (run in the project folder):"
RATE_COLUMNS = {
    "method": "Method",
    "attack": "Attack",
    "low": "TPR at 0.1% FPR",
    "low_limit": "Limit (0.1%)",
    "high": "TPR at 1% FPR",
    "high_limit": "Limit (1%)",
    "minority": "Rare classes, 1% FPR",
}
RATES_CAPTION = (
    "TPR: share of used images that the attack finds. FPR: share of unused images with a false"
    " alarm. Limit: maximum for every attack, rounded up. Rare classes: {classes:list}, with"
    " false alarms counted within these classes."
)
RATES_REFERENCE = "{method} is always included, as an example without privacy."
INTERVALS = (
    "95% intervals, clustered by image and run. If a method is exactly at its limit, a rate is"
    " labeled “above” with probability at most 0.1%."
)
JUDGED = {
    "picture": "{judged:count} of {all:count image} attacked.",
    "person": (
        "{judged:count} of {all:count person people} attacked, with a median of {records:md} kept"
        " images each."
    ),
}
EVERY_ATTACK = "All attacks"
CLASS_COLUMNS = {"class": "Class", "records": "Images"}
CLASSES_CAPTION = (
    "Share of each class that {attack} finds, at a false-alarm rate of 1% within the class. Empty"
    " for classes with too few images for ten false alarms."
)
EXPOSED = (
    "**{method}**: {always:count} of {shown:count image} found in at least 9 of 10 cases. Mean:"
    " {found:percent} found, {accused:percent} false alarms."
)
EXPOSED_PERSON = (
    "**{method}**: {always:count} of {shown:count person people} found in at least 9 of 10 cases."
    " Mean: {found:percent} found, {accused:percent} false alarms."
)
EXPOSED_CAPTION = (
    "Images that {attack} finds most often at a false-alarm rate of 1%. Half of the models select"
    " the images; the other half evaluate the images. Among thousands of images, random variation"
    " alone makes a few seem easy to find."
)
EXPOSED_ACCUSED = "False alarm: labeled “used” although the model was trained without the image."
EXPOSED_NO_PICTURES = "This data set has no thumbnails. Row numbers identify the records."
EXPOSED_CARD = {
    "record": "record {row:md}",
    "person": "person {person:md}",
    "person_name": "person {person:md}: {records:count record}",
    "row_name": "{class_name}, row {row:md}",
    "found": "found {found:count} of {all:count}",
    "accused": "false alarms {accused:percent}",
}
SHOTS_TOGGLE = "Attack with fewer images per class ({attacks:count more_attack})"
SHOTS_HINT = "Gain of the attack over chance at a false-alarm rate of 1%, by images per class."
SHOTS_HELP = "Each attack uses {shadows:count shadow_model}. All classes have the same size."
SHOTS_CAPTION = (
    "{attack}, {shadows:count shadow_model} per point. Gain: share found minus 1%. Bars: two"
    " standard errors."
)
SHOTS_FIT = (
    "Points without a significant gain are left out. Slope: weighted least squares, 95% interval."
)
SLOPES = {
    "few": "{method}: too few significant gains to fit a slope.",
    "agrees": "{method}: slope **{slope:md}**, consistent with the published −1/2.",
    "differs": "{method}: slope **{slope:md}**, not consistent with the published −1/2.",
}
SHOTS_SOURCE = (
    "Published: the gain is proportional to images per class to the power −1/2, for a simplified"
    " model. Tobaben et al. 2025 measured the gain with LiRA and RMIA on frozen features without"
    " privacy (arXiv 2402.06674). The law holds for small gains. The gain falls faster if the"
    " noise is about as large as the effect of one image. Example: the slope is about −0.9 for a"
    " class mean of digits. The gain falls more slowly if models are already certain. The limit"
    " of a guarantee holds for any number of images."
)

ABOUT = """
**Attack.** The attacker computes the loss of each image under the released model. A loss below a
threshold means “used”. Each threshold gives one point of the ROC curve. All runs share one
threshold.

**AUC.** The area under the ROC curve compares a used image with an unused image. It is the
probability that the used image has the smaller loss. Ties count as half. Chance is 0.5.

**Limit.** The limit follows from the guarantee alone. It holds for every attack, even with
knowledge of all other images. An AUC above the limit, beyond its error bar, would disprove the
guarantee. A weak attack does not prove safety. The limit holds for each single image, and for the
average over any group. A rare image can be easier to find than the average, but only up to the
limit.

**Most exposed images.** An average can hide images that are found almost every time. A stronger
attacker knows the loss of each image in the other runs, with and without the image. The attacker
compares the loss in this run with the midpoint of the two means. The most exposed images are the 5%
with the largest difference between the means. Other attacks can be stronger; only the limit covers
all of them.

**Guarantee per person.** The attack score is the mean loss on all kept images of a person. The
limit follows from the guarantee per person. Similar images of one person help this attack. A limit
per image does not cover it.

**Error bars.** Two standard errors of the AUC over images and runs (DeLong placements, clustered by
both).

Sources: Yeom et al. 2018 (loss threshold). Watson et al. 2022 and Carlini et al. 2022 (comparison
with other runs). Golatkar et al. 2022, Figure 1. Dong, Roth & Su 2019 and Kairouz, Oh & Viswanath
2015 (limits).
"""
ABOUT_LOW_FPR = """
**Shadow models.** Each model is trained on a random half of the private images, or people. Each
model is the target once. The attacker knows all other models and their members. So no attack knows
the membership that it guesses.

**LiRA.** The loss of the target is compared with models trained with the image and without it. Each
group is modeled by a normal distribution. With few models, all images share one variance. LiRA
offline uses only the models trained without the image.

**RMIA.** The likelihood of an image under the target is divided by its mean over the other models.
The score is the share of test images with a smaller ratio (γ = 1).

**Limit.** The limit follows from the guarantee alone and holds for every attack. Methods without
privacy have no limit.

**Low false positive rates.** An average can hide a few images that are found with certainty. So the
true positive rate is measured at false positive rates of 0.1% and 1%, as usual in the literature.

Sources: Carlini et al. 2022, *Membership Inference Attacks From First Principles* (LiRA).
Zarifzadeh, Liu & Shokri 2024, *Low-Cost High-Power Membership Inference Attacks* (RMIA). Dong, Roth
& Su 2019 and Kairouz, Oh & Viswanath 2015 (limits).
"""
