"""Texts of the DP means page."""

from dpviz.text.template import Text

TITLE = "What does noise do to a class mean?"

#: The answer, by case: whether noise changes the accuracy significantly.
ANSWERS = {
    "lower": Text(
        "At {budget:md}, noise lowers accuracy {group:md} from **{quiet:percent}** to"
        " **{private:percent}**.",
        "At {budget:md}, noise significantly lowers accuracy {group:md}, from"
        " **{quiet:percent}** to **{private:interval}**.",
    ),
    "level": Text(
        "At {budget:md}, noise does not clearly change the accuracy {group:md}"
        " (**{private:percent}**, **{quiet:percent}** without).",
        "At {budget:md}, noise does not significantly change the accuracy {group:md}:"
        " **{private:interval}**, and **{quiet:percent}** without.",
    ),
    "higher": Text(
        "At {budget:md}, noise raises the accuracy {group:md} from **{quiet:percent}** to"
        " **{private:percent}**.",
        "At {budget:md}, noise significantly raises the accuracy {group:md}, from"
        " **{quiet:percent}** to **{private:interval}**.",
    ),
    "untested": Text("The rare classes have no test images. Choose another score."),
}
#: Test images of an accuracy, inside a sentence.
GROUPS = {
    "minority": "on rare classes",
    "balanced": "averaged over classes",
    "overall": "over all test images",
}

# ------------------------------------------------------------------------------- tiles and chart

COINPRESS_TILE = Text("CoinPress fails for", "CoinPress failures")
COINPRESS_VALUE = "{diverging:count} of {classes:count}"
COINPRESS_NOTE = Text("class means", "class means, radius grows")
COINPRESS_HELP = Text(
    "A second method, CoinPress, estimates each class mean in three steps. It fails if it is less"
    " certain after the last step than at the start. The CoinPress tab gives the reason.",
    "CoinPress estimates a mean in three steps. It diverges if the last radius is larger than the"
    " first. The CoinPress tab gives the reason.",
)

#: The finding above the map: for how many classes the noise exceeds the angle to the nearest other
#: class, by case.
FINDINGS = {
    "none": "Noise shifts no mean by more than the distance to the nearest class",
    "some": "Noise shifts {moved:count} of {classes:count mean} by more than the distance to the"
    " nearest class",
    "rare": "Noise shifts all {moved:count rare-class_mean} by more than the distance to the"
    " nearest class",
    "only_rare": "Noise shifts the only rare-class mean by more than the distance to the nearest"
    " class",
    "all": "Noise shifts all {classes:count mean} by more than the distance to the nearest class",
}
#: At the level Precise.
MAP_CAPTION = (
    "Projection onto the two main directions of the public set ({share:percent} of its variance)."
    " Mark: distance to the nearest class, shortened like its arrow (shift: mean over seeds)."
)
#: By whether the rare classes have the same number of private images.
MAP_RARE = {
    "equal": "Bold: rare classes, with {low:count private_image} each.",
    "range": "Bold: rare classes, with {low:number} to {high:count private_image} each.",
}
MAP_RUN = "The map shows one run."
MAP_RUNS = "Accuracy: {runs:md}."
MAP_FACTS = (
    "The map shows {points:count test_image} and the means, all scaled to length 1. The classifier"
    " uses directions only. Accuracies use all test images."
)
MAP_POOLING = "Pooling also blurs the private means."
MAP_SPINNER = "Drawing the map…"
NO_MAP = (
    "The map needs a public set, because its two directions come from public images. This data set"
    " has none."
)
NEAREST = (
    "A random direction is about 90° away. The nearest other class is {nearest:number}° away"
    " (median)."
)

# -------------------------------------------------------------------------------------- settings

SEED_HELP = "Seeds are consecutive. The map and CoinPress show the first one."
CLIP_NORM = "Clip norm"
FORMS = {"sum": "Sum form", "printed": "Paper's formula", "coinpress": "CoinPress"}
FORMS_IN_SENTENCE = {
    "sum": "The sum form",
    "printed": "The paper's formula",
    "coinpress": "CoinPress",
}
CARD_TITLE = "{method}: {form}"

# ------------------------------------------------------------------------------------------ tabs

#: The page adds ``dpviz.text.method_tiles.TABS``.
TABS = {
    "errors": "Errors",
    "steps": "CoinPress",
    "cost": "Guarantee",
    "pool": "Pooling",
    "forms": "Forms",
    "means": "Estimators",
    "near": "Neighbors",
}

# ---------------------------------------------------------------------------- guarantee and cost

NOISE_CARD = "Effect of noise"
NOISE_HEADS = ("angle", "noise ÷ mean")
NOISE_ROWS = {
    "largest": "largest class ({n:count image})",
    "middle": "middle class ({n:count image})",
    "smallest": "smallest class ({n:count image})",
}
ANGLE = "{angle:number}°"
CLASSES_CARD = "Accuracy"
CLASSES_ROWS = {
    "rare": "rare classes",
    "others": "other classes",
    "public": "public images alone",
}
CLASS_ACCURACY = "{private:percent} ({exact:percent} with exact means)"
PUBLIC_ACCURACY = "{public:percent} ({difference:md})"
RARE_NAMES = "Rare classes: {classes:list}."
NO_CLASS = "no class"

# -------------------------------------------------------------------------------- error by cause

ERRORS = Text(
    "Noise changes the error: **{rare:points}** on rare classes, **{others:points}** on other"
    " classes."
)
ERROR_HEADS = ("rare classes", "other classes")
ERROR_ROWS = {
    "base": "exact means of all images",
    "sampling": "fewer images",
    "clipping": "clipping and pooling",
    "noise": "noise",
    "total": "total error",
}
ERROR_UNITS = "Share of misclassified test images. Each row below the first is a change."
ERROR_CAPTIONS = {
    "image": (
        "Parts add up to the error of a class (dash). Shaded: rare classes. The first part is the"
        " error of exact means at IR 1. Then images are removed, means clipped and pooled, and"
        " noise added (mean of {seeds:count seed}). A negative part reduces the error."
    ),
    "person": (
        "Parts add up to the error of a class (dash). Shaded: rare classes. The first part is the"
        " error of exact means at IR 1. Then images are removed by IR and by the limit per person."
        " Then means are clipped and pooled, and noise is added (mean of {seeds:count seed}). A"
        " negative part reduces the error."
    ),
}

# ------------------------------------------------------------------------------------- CoinPress

STEPS = {
    "none": Text(
        "CoinPress works for all {classes:count class classes}.",
        "For all {classes:count class classes}, CoinPress ends with a smaller radius than it"
        " started with.",
    ),
    "some": Text(
        "CoinPress fails for **{diverging:count} of {classes:count}** classes.",
        "CoinPress diverges for **{diverging:count} of {classes:count}** classes: the last radius"
        " exceeds the first.",
    ),
}
NEEDED = (
    "If a class has at most {needed:count image}, its radius grows in step 1, whatever the start"
    " radius."
)
NEEDED_HERE = (
    "From this start radius, the radius also grows in step 1 for larger classes, here with up to"
    " {largest:count image}."
)
WORST = "**{name}**: {reason}"
VERDICT = "- **{verdict}**: {classes}"
ALL_CLASSES = "all classes"
CLASS_LABEL = "Class"
CLASS_HELP = "One class: one line per budget. All classes: one line per class."
START_LABEL = "Start radius (√d)"
START_HELP = (
    "CoinPress assumes that the mean lies within this radius of the public mean. Published code"
    " also starts at 3√d. Everything else on this page starts at √d."
)
UNITS = (
    "Here, the data are centered and scaled by the public mean and spread, and CoinPress uses a"
    " tighter clip radius. The paper starts at the origin and clips at r + γ."
)
#: Where the verdicts come from, by what they read.
VERDICT_SOURCES = {
    "image": (
        "Verdicts use class sizes, dimension ({d:count}) and budget: **no image is read**."
        " CoinPress treats class sizes as public."
    ),
    "limit": (
        "Verdicts use class sizes, dimension ({d:count}), budget and at most"
        " {limit:count image} per person: **no image is read**. CoinPress treats class sizes as"
        " public."
    ),
    "person": (
        "Verdicts use class sizes, dimension ({d:count}), budget and the largest number of images"
        " per person. **This number is read from the data.**"
    ),
}
LOOSER_START = (
    "With at most γσ images in a class, CoinPress diverges from any start radius. A larger start"
    " radius never causes divergence; it leaves more noise at the end."
)
OTHER_START = "This tab starts at {start:number}√d instead of √d."
SCHEDULE_TITLES = {
    "class": "**Schedule**, from sizes and budget alone. One line per class; dashed: diverges.",
    "budget": "**Schedule**, from sizes and budget alone. One line per budget; dashed: diverges.",
}
NOT_CLIPPED = (
    "**Run on the private images.** No image is clipped: the clip radius only sets the noise."
)
CLIPPED = "**Run on the private images.** Up to {share:percent} of a class's images are clipped."
NO_RUN = (
    "A CoinPress run needs a public set, whose mean and spread set the units. This data set has"
    " none."
)
VERDICTS = "Verdict per class"
VERDICT_COLUMNS = ("class", "images", "start", "end", "verdict", "reason")
ONE_RUN = "**One run**: {name}, noise seed {seed:count}"
STEP_LABEL = "Step"
STEP_ROWS = {
    "radius": "radius r",
    "clip": "clip radius R",
    "clipped": "clipped share",
    "sd": "noise (standard deviation)",
    "norm": "length of the estimate",
    "needed": "radius shrinks",
}
STEP_RADIUS = "{before:number}, then {after:number}"
STEP_NOISE = "{sd:number} per coordinate"
STEP_NEEDED = "only with more than {needed:count image}"
STEP_CAPTION = (
    "Distances from the cross are to scale, in units of the public spread. Directions are not,"
    " except that noise is nearly orthogonal in high dimensions. Images beyond R are moved to R."
)

# --------------------------------------------------------------------------------------- pooling

REHEARSAL_SIZE = "Simulated size of the largest class"
REHEARSAL_RATIO = "Simulated imbalance ratio"
REHEARSAL_HELP = "Your choice. Using the private class sizes would cost privacy."
POOLING = Text(
    "With k = {k:md}, accuracy is **{noisy:percent}** with noise and {quiet:percent} without.",
    "At {budget:md} with k = {k:md}, accuracy is **{noisy:interval}** with noise and"
    " {quiet:percent} without.",
)
POOLING_EFFECT = {
    "gain": (
        "Pooling by {last:md} divides the length of the noise by {noise:number} and that of the"
        " mean by {mean:number}."
    ),
    "loss": (
        "Pooling by {last:md} divides the length of the noise by {noise:number}, but that of the"
        " mean by {mean:number}: no gain."
    ),
    "quiet": "Pooling by {last:md} divides the length of the mean by {mean:number}.",
}
POOLING_BEST = {
    "none": "No k is better than k = 1 (no pooling).",
    "clear": "The best choice is k = {best:md}: {gap:points} compared with no pooling.",
    "unclear": "The best choice is k = {best:md}, not significantly different from no pooling.",
}
REHEARSAL = {
    "picture": (
        "**Best k on the public set: {best:md}.** The simulation uses"
        " {classes:count public_class public_classes} of {smallest:count} to"
        " {largest:count image} each. Choosing k this way costs no privacy."
    ),
    "person": (
        "**Best k on the public set: {best:md}.** The simulation uses"
        " {classes:count public_class public_classes} of {smallest:count} to"
        " {largest:count image} each, with the noise of a guarantee per person. Choosing k this way"
        " costs no privacy."
    ),
}
POOLING_CAPTION = (
    "Accuracy on {group:md}. {bands:md} Noise ÷ mean: length of the noise divided by length of the"
    " exact pooled mean. Lengths are root mean squares; the median class is shown (dotted: equal)."
    " Choosing k by the blue line uses private data."
)
POOLING_SPINNER = "Testing each k_pool…"

# ----------------------------------------------------------------------------------- three forms

COMPARED_BEST = "**{form}** has the highest balanced accuracy: {best:percent}."
COMPARED = {
    "clear": "{form}: {accuracy:percent}, significantly lower.",
    "unclear": "{form}: {accuracy:percent}, not significantly different.",
}
#: What each form hides, by the forms that ran and by privacy unit.
GUARANTEES = {
    "both": {
        "picture": (
            "The guarantees differ. The sum form hides whether an image was used ({add}). The"
            " paper's formula and CoinPress hide only the content of an image ({replace}). Both"
            " treat class sizes as public."
        ),
        "person": (
            "The guarantees differ. The sum form hides whether a person took part ({add}). The"
            " paper's formula and CoinPress hide only the images of a person ({replace}). Both"
            " treat class sizes as public."
        ),
    },
    "sum": {
        "picture": "The sum form hides whether an image was used ({add}).",
        "person": "The sum form hides whether a person took part ({add}).",
    },
    "replace": {
        "picture": (
            "The paper's formula and CoinPress hide only the content of an image ({replace}). Both"
            " treat class sizes as public."
        ),
        "person": (
            "The paper's formula and CoinPress hide only the images of a person ({replace}). Both"
            " treat class sizes as public."
        ),
    },
}
FORMS_CAPTION = "Same data, budget and noise seeds. {bands:md}"

# --------------------------------------------------------------------------------------- nearest

NEIGHBORS_SPINNER = "Fitting the map to public images…"
TOO_FEW_PUBLIC = "The neighbor map needs at least {needed:count public_image}."
NEIGHBORS = Text(
    "For **{kept:count} of {classes:count}** classes, the private and the exact mean share at"
    " least one nearest public image.",
    "At {budget:md}, **{kept:count} of {classes:count}** private means share at least one of"
    " their nearest public images with the exact mean.",
)
TRUSTWORTHINESS = (
    "Trustworthiness (at most 1) is **{here:number}** for this map and **{plane:number}** for the"
    " map above."
)
NEIGHBORS_CAPTION = (
    "t-SNE of {public:count public_image}, with a fixed seed: nearby images are similar, but"
    " distances have no meaning. Each mean is placed at the average of its {nearest:count"
    " nearest_image}. Noise seed {seed:count}. Exact means are not released."
)

# ------------------------------------------------------------------------------- five estimators

ESTIMATORS = Text(
    "**{first:md}** is closest to the mean of {n:count image}. The error of {last:md} is"
    " **{ratio:number} times** as large.",
    "**{first:md}** has the smallest L2 error: **{error:number}**. Without noise, the error is"
    " {exact:number}.",
)
#: Names of the estimators at the start of a sentence and inside one.
ESTIMATORS_FIRST = {
    "sum": "The sum form",
    "printed": "The paper's formula",
    "coinpress": "CoinPress",
    "friendly": "The friendly core",
    "coordinates": "Clipping per coordinate",
}
ESTIMATORS_INSIDE = {
    "sum": "the sum form",
    "printed": "the paper's formula",
    "coinpress": "CoinPress",
    "friendly": "the friendly core",
    "coordinates": "clipping per coordinate",
}
ESTIMATORS_PRIOR = "No estimator is significantly better than the prior mean alone."
ESTIMATOR_HEADS = ("error", "compared with the best")
ESTIMATOR_SAME, ESTIMATOR_WORSE = "not significantly different", "significantly larger"
ESTIMATOR_BEST = "smallest error"
ESTIMATOR_TITLES = {
    "sum": FORMS["sum"],
    "printed": FORMS["printed"],
    "exact": "No noise",
    "prior": "Prior mean alone",
}
AXIS_LABEL, IMAGES_LABEL = "Vary", "Data"
AXES = {
    "rho": "Budget ρ",
    "d": "Dimension d",
    "n": "Images n",
    "centre": "Prior error (√d)",
    "radius": "Prior radius (√d)",
}
AXIS_HELP = {
    "rho": "ρ of zero-concentrated DP. Each estimator spends all of it.",
    "d": "Coordinates of one image, after pooling.",
    "n": "Number of images in the average.",
    "centre": "Distance of the true mean from the prior mean.",
    "radius": "Largest distance that the prior allows. It sets the clip radius.",
}
SETTING_PARTS = {
    "rho": "ρ = {value:number}",
    "n": "n = {value:count}",
    "d": "d = {value:count}",
    "centre": "prior error {value:number}√d",
    "radius": "prior radius {value:number}√d",
}
SIMULATED = "simulated data with a known mean"
ONE_CLASS = "class {name}"
ESTIMATORS_SPINNER = "Estimating means…"
ESTIMATORS_MEASURE = "L2 error of the mean"
ESTIMATORS_MARK = "now"
ESTIMATORS_DATA = {
    "class": (
        "Images of the class in units of the public spread. The prior mean is the public mean; the"
        " target is the exact class mean."
    ),
    "simulated": "Samples from a Gaussian with standard deviation 1 per coordinate.",
}
ESTIMATORS_CAPTION = (
    "L2 error at {setting:md}: mean over {seeds:count seed}, 95% intervals, both axes logarithmic."
)
ESTIMATORS_NOTES = (
    "Prior mean alone: no data are used. Sums are divided by the true n. The friendly core"
    " compares all pairs of at most {rows:count image}. It returns the prior mean if too few"
    " images agree."
)
ESTIMATOR_GUARANTEES = "Guarantees of the five estimators"
GUARANTEE_COLUMNS = ("estimator", "guarantee", "neighbors", "public", "source")
GUARANTEE_RHO = "ρ = {rho:number_up}"
GUARANTEE_FRIENDLY = "ρ = {rho:number_up}, plus {slack:number_up}·(1 + e^ε) in δ"
GUARANTEE_NOTES = (
    "The guarantees differ. Only the sum form and clipping per coordinate hide whether an image was"
    " used. The other estimators hide its content and treat n as public. The paper on the friendly"
    " core was not available, so this project uses its own steps and proof."
)

# ----------------------------------------------------------------------------------------- table

MAP_TABLE = "Map"
