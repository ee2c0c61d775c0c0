"""Texts of the Public prototypes page."""

from dpviz.text.template import Text

TITLE = "Which public image represents each class?"

#: The answer, by case; the first that applies is shown.
ANSWERS = {
    "chance": Text(
        "On these data, public prototypes do not beat chance, even without noise.",
        "At {budget:md}, public prototypes do not beat chance (**{chance:percent}**), even without"
        " noise (**{quiet:percent}**).",
    ),
    "other": Text(
        "No public image shows a private class, so an image of another kind represents each class.",
        "At {budget:md}, no public class has the same name as a private class. An image of another"
        " kind represents each class.",
    ),
    "unlabeled": Text(
        "Each class is represented by one public image without a label.",
        "At {budget:md}, each class is represented by one public image without a label.",
    ),
    "lacking": Text(
        "Across all runs at {budget:md}, **{right:count} of {picks:count}** prototypes show the"
        " right class. Classes without a public image: {classes:list}.",
        "At {budget:md}, **{right:count} of {picks:count}** prototypes show the right class, over"
        " all noise seeds. Classes without a public image: {classes:list}.",
    ),
    "named": Text(
        "Across all runs at {budget:md}, **{right:count} of {picks:count}** prototypes show the"
        " right class.",
        "At {budget:md}, **{right:count} of {picks:count}** prototypes show the right class, over"
        " all noise seeds.",
    ),
    # after the case "named": of the other prototypes
    "alike": Text("Most others are look-alikes."),
    "half": Text("Half of the others are look-alikes."),
    "wrong": Text("Most others are wrong."),
}

# ------------------------------------------------------------------------------- tiles and chart

EXACT_TILE, EXACT_NOTE = "Exact class means", "not private"
EXACT_HELP = "Accuracy of exact class means on the same images, without privacy."
OTHER_TILES = {
    "other": ("Unrelated public images", "same method"),
    "same": ("Matching public images", "same method"),
}
OTHER_HELPS = {
    "other": "Accuracy of DPPL-Public if the public images show other classes.",
    "same": "Accuracy of DPPL-Public if the public images show the private classes.",
}

#: The largest budget at which most accuracy above chance is lost.
FINDINGS = {
    "lost": Text(
        "{group:md}, most of the accuracy above chance is lost at {symbol:md} ≤ {border:number}"
    ),
    "kept": Text(
        "{group:md}, most of the accuracy above chance remains down to {symbol:md} ="
        " {border:number}"
    ),
    "chance": Text("Even without noise, accuracy does not exceed chance"),
}
#: Whose accuracy a finding is about, by accuracy.
FINDING_GROUPS = {
    "minority": "On rare classes",
    "balanced": "Averaged over classes",
    "overall": "Over all test images",
}
#: The same inside a sentence.
GROUPS = {
    "minority": "on rare classes",
    "balanced": "averaged over classes",
    "overall": "over all test images",
}
#: Legend of the images: what each sign means.
LEGEND = {
    "accuracy": "accuracy (red: below 50%)",
    "right": "right class",
    "alike": "look-alike: at least 50%",
    "wrong": "wrong: below 50%",
    "unlabeled": "accuracy below 50%",
    "odds": "probability of the pick",
}
#: Below the columns: classes with many images, and rare ones.
MANY_IMAGES, FEW_IMAGES = "many images", "few images (rare)"
#: A label that is one letter, where the classes are digits.
LETTER = "letter {kind:md}"
RELEASED = "Only the images are released."
GRID_ALT = Text(
    "The public image that represents each class.",
    "The public images that represent each class, one row per noise seed.",
)
#: Title of the images, by whether labels are known.
GRID_TITLES = {
    "named": Text(
        "First of {runs:count run}: {right:count} right, {alike:count look-alike},"
        " {wrong:count} wrong",
        "{budget:md}, {runs:count run}: {right:count} of {picks:count} show the right class,"
        " {alike:count look-alike}, {wrong:count} wrong",
    ),
    "single": Text(
        "One run: {right:count} right, {alike:count look-alike}, {wrong:count} wrong",
        "{budget:md}, one run: {right:count} of {picks:count} show the right class,"
        " {alike:count look-alike}, {wrong:count} wrong",
    ),
    "unnamed": Text("{budget:md}: accuracy {accuracy:percent}"),
}
SEED = "seed {seed:md}"
LABEL = "label {label:md}"

# -------------------------------------------------------------------------------------- settings

SEEDS_HELP = "Number of independent runs. The page shows the images of up to five."

# ------------------------------------------------------------------------------------------ tabs

#: Title and views of each tab.
TABS = {
    "budgets": ("All budgets", {"budgets": "All budgets"}),
    "scores": ("Scores", {"scores": "Pick probabilities", "window": "Score range", "k": "Top K"}),
    "cost": ("Guarantee", {"cost": "Guarantee"}),
    "public": ("Public set", {"like": "Similarity", "size": "Set size", "set": "Public sets"}),
    "more": (
        "More",
        {
            "paper": "Paper errors",
            "compare": "Compare",
            "table": "Table and code",
            "about": "About the numbers",
        },
    ),
}
VIEW_LABEL = "View"

# ---------------------------------------------------------------------------- guarantee and cost

ACCURACY_CARD = "Accuracy"
ACCURACY_ROWS = {
    "private": "with noise",
    "quiet": "without noise",
    "exact": "exact class means",
    "chance": "chance",
    "rare": "rare classes",
    "others": "other classes",
    "lost": "mostly wrong",
    "public": "public images alone",
}
ACCURACY_RUNS = "{accuracy:interval}, {runs:count seed}"
EQUAL_SIZES = "All classes have the same size."
RARE_ACCURACY = "{accuracy:percent} ({classes:list})"
PUBLIC_ACCURACY = "{public:percent} ({difference:md})"
LOST_NOTE = "Mostly wrong: accuracy below 50% in at least half of the runs."
NO_CLASS = "no class"
CHOICE_CARD = "Candidates"
CHOICE_ROWS = {
    "public": "public images",
    "sure": "most certain class",
    "unsure": "least certain class",
}
CANDIDATES = "about {n:count candidate}"

# ----------------------------------------------------------------------------------- all budgets

BUDGETS_ALT = "The image that represents each class at each budget, for the first noise seed."
BUDGETS_CAPTION = Text(
    "Left: more private. Right: more accurate. ∞: without noise. All columns use the same random"
    " numbers, so only the budget changes. Dimmed: accuracy of the class below 50%.",
    "Left: more private. Right: more accurate. ∞: without noise. All columns use noise seed"
    " {seed:count}, so only the budget changes. Dimmed: accuracy of the class below 50%.",
)
CURRENT_BUDGET = (
    "Underlined: the current budget. Dashed: look-alike of another class. Red frame: wrong image."
)
#: What the second row of the table is, by the runs behind it.
ACCURACY_ROW = {
    "draws": "%: accuracy {group:md}, mean of {draws:count data_draw}. Images: the first run.",
    "runs": "%: accuracy {group:md}, mean of {runs:count run} on one data draw.",
}
#: Head of that row.
ACCURACY_HEAD = "%"

# ---------------------------------------------------------------------------- pick probabilities

SCORES = "The score range {low:number} to {high:number} clips **{clipped:percent}** of all scores."
CERTAINTY = {
    "sure": "Class {name} ({images:count image}) has about **{n:count effective_candidate}**.",
    "same": "Every class has about **{n:count effective_candidate}**.",
    "unsure": "Class {name} ({images:count image}) has about **{n:count}**.",
}
SCORES_SPINNER = "Counting scores…"
SCORES_LABEL = "Class"
ALL_CLASSES = "all classes"
HISTOGRAM = (
    "Scores of all pairs of a private image of the class and a public image. Below d_min:"
    " **{below:percent}**, counted as d_min. Above d_max: **{above:percent}**, counted as d_max."
)
ODDS_TITLE = "Probability of the best, second-best, … image per class"
ODDS_CAPTION = (
    "Steep: the choice is almost certain. Flat: all public images are almost equally likely. Small"
    " classes have flatter lines, because their scores are small compared with the noise."
)
CHOICES_TITLE = "Clipped scores and certainty per class, largest first. Underlined: rare classes."

# ------------------------------------------------------------------------------------ similarity

NAMES = {
    "unlabeled": "The public images have no labels; only their similarity is known.",
    "all": "Every private class has public images with the same name.",
    "none": "**No private class has a public class with the same name.**",
    "some": "Classes without a public class of the same name: {classes:list}.",
}
FARTHEST = {
    "pairs": (
        "The least similar prototype is that of **{name}**. Its mean cosine to the class's images"
        " is {nearest:number}; between these images it is {among:number}."
    ),
    "single": (
        "The least similar prototype is that of **{name}**: cosine {nearest:number} to its image."
    ),
}
SIMILARITY_CAPTION = (
    "Images that DPPL-Public picks without noise. Similarity is the mean cosine between features; 1"
    " is identical. A larger budget does not help a class without a similar public image."
)

# ----------------------------------------------------------------------------------- score range

WINDOW_SPINNER = "Computing scores for every range…"
WINDOW = (
    "The best of {ranges:count range} is {low:md} to {high:md}, with **{best:percent}** accuracy."
)
WINDOW_CURRENT = (
    "The default {low:md} to {high:md} reaches **{default:percent}**, and the current"
    " range **{now:percent}**."
)
WINDOW_CAPTION = (
    "Accuracy in % on {group:md}, mean over {seeds:count noise_seed}, {setting:md}. Select a cell"
    " to use its range. The guarantee does not cover choosing the best cell, because the map shows"
    " test accuracies of private releases. To choose a range, use the default, public data, or a"
    " share of the budget."
)

# -------------------------------------------------------------------- several prototypes, set size

K_ABOVE = "K must be at most {maximum:md}, the number of public images, got {k:md}. Lower K."
K_AXIS = "K, public images per class"
SIZE_AXIS = "public images to choose from"
K_NOW = "With K = {k:count}, accuracy is **{now:percent}**."
K_ONE = {
    "more": "With K = 1, accuracy is **{one:percent}**, significantly higher.",
    "less": "With K = 1, accuracy is **{one:percent}**, significantly lower.",
    "unclear": "With K = 1, accuracy is **{one:percent}**, not significantly different.",
}
K_BEST = {
    "clear": (
        "The best is K = {k:count} with **{best:percent}**, significantly higher than with K = 1."
    ),
    "unclear": "No K is significantly better than K = 1, unlike in the paper.",
}
K_CAPTION = "DPPL-PublicK with the score range in the sidebar. K = 1 is DPPL-Public."
SIZE_ALL = "With all {m:count public_image}, accuracy is **{whole:percent}**."
SIZE_FEW = "With {few:count public_image}, accuracy is {accuracy:percent}."
SIZE_BEST = {
    "clear": "The best size is {size:count} with **{best:percent}**, significantly higher.",
    "unclear": "No size is significantly better than {enough:count image}.",
}
SIZE_CAPTION = (
    "Each seed draws a subset, then the noise. Subsets of one seed are nested. The last point is"
    " the whole set."
)
SETTING = "at {budget:md}, {data:md}"
CURVE_CAPTION = "Accuracy on {group:md}, {setting:md}. {bands:md} {more:md}"
PROGRESS = "{done:count} of {total:count} steps. Changing any control stops this."

# ----------------------------------------------------------------------------------- public sets

ONE_SET = "This data set has its own public set. Choose an image data set to compare several."
SETS_BEST = "**{name}** has the highest accuracy: {best:percent}."
SETS_OTHER = {
    "clear": "{name}: {accuracy:percent}, significantly lower.",
    "unclear": "{name}: {accuracy:percent}, not significantly different.",
}
SETS_CAPTION = "Outlined: the current set."
BUDGETS_CURVE_CAPTION = "Accuracy on {group:md}, {data:md}. {bands:md}"

# ------------------------------------------------------------------------------ over all budgets

OVER_LABEL = "Budgets"
BUDGET_RANGES = {"now": "Current budget", "all": "All budgets"}
K_GROWTH = {
    "grows": (
        "From the smallest to the largest budget, the best K grows from **{low:count}** to"
        " **{high:count}**."
    ),
    "falls": (
        "From the smallest to the largest budget, the best K falls from **{low:count}** to"
        " **{high:count}**."
    ),
    "same": "The best K is **{high:count}** at the smallest and at the largest budget.",
}
K_SHARED = {
    "some": (
        "K = {k:count} is not significantly worse at any budget. So these results do not show"
        " that the best K grows."
    ),
    "none": "No single K is among the best at every budget.",
}
K_BUDGETS_CAPTION = (
    "Diamond: K with the highest mean test accuracy. Bar: every K that is not significantly worse"
    " (95% per budget). The paper ranks by private training accuracy, which costs privacy. Choosing"
    " K from this chart costs privacy, too."
)
K_LINE, SIZE_LINE = "K = {k:count}", "{size:count image}"
SIZES_AT = {
    "clear": (
        "Accuracy at {budget:md}: **{low:percent}** with {few:count public_image} and"
        " **{high:percent}** with the whole set."
    ),
    "unclear": (
        "Accuracy at {budget:md}: {low:percent} with {few:count public_image} and {high:percent}"
        " with the whole set, not significantly different."
    ),
}
SIZES_CAPTION = "Each seed draws nested subsets and the noise."
SETS_AT = {
    "clear": "At {budget:md}, **{name}** is best with {best:percent}.",
    "tied": (
        "At {budget:md}, **{name}** is best with {best:percent}; not significantly different:"
        " {tied:list}."
    ),
    "none": (
        "At {budget:md}, no set is significantly better than the others (best: {best:percent})."
    ),
}
MEASURE = "accuracy"

# -------------------------------------------------------------------------------- paper's errors

PAPER = (
    "These errors are in the first version of *Beyond the Mean*. The AAAI 2025 version has only the"
    " swapped clip arguments. Equation 6 breaks the guarantee; the others do not. dpviz uses the"
    " corrected forms."
)
MULTIPLICITY_TITLE = "**C(y, K) instead of C(y−1, K−1)**"
MULTIPLICITY_PLACE = "First version, Equation 6. Breaks the guarantee."
MULTIPLICITY = (
    "PublicK draws the rank y of the worst of its K images. C(y−1, K−1) sets have that rank. The"
    " paper prints C(y, K). The probability of a set then depends on ranks, and one image can"
    " change many ranks."
)
MULTIPLICITY_EXAMPLE = (
    "Example: {images:count identical_image}, K = {k:md}, ε = {claimed:md}. The loss is"
    " **{printed:number}** with the printed formula and {right:number} with the corrected"
    " formula."
)
#: Loss from leaving out one image, by privacy unit.
MULTIPLICITY_HERE = {
    "picture": (
        "Without one image of class {name}: K = {k:md}, ε = {claimed:md}. The loss is at least"
        " **{printed:number}** with the printed formula. With the corrected formula, it is"
        " {right:number}."
    ),
    "person": (
        "Without one image of class {name}: K = {k:md}. The loss is at least"
        " **{printed:number}** with the printed formula. With the corrected formula, it is"
        " {right:number}. Guarantee per image: ε = {claimed:md}."
    ),
}
MULTIPLICITY_VERDICTS = {
    "above": "The printed loss exceeds the guarantee.",
    "within": (
        "The sets tried stay within the guarantee. A small K or a large ε can hide the error."
    ),
}
FACTOR_TITLE = "**ε / (2Δ) instead of ε / Δ**"
FACTOR_PLACE = "First version, top-K only (Appendix C.3). Safe."
FACTOR = (
    "Adding an image lowers no score, so exp(ε u / Δ) is already ε-DP. The factor 2 costs half the"
    " budget. The paper prints DPPL-Public without this factor."
)
FACTOR_HERE = {
    "own": (
        "With the factor, the probability of an image of the right class falls from"
        " **{full:percent}** to **{half:percent}** (mean over classes)."
    ),
    "best": (
        "With the factor, the probability of the best image falls from **{full:percent}** to"
        " **{half:percent}** (mean over classes)."
    ),
}
FACTOR_CANDIDATES = (
    "The effective number of candidates grows from **{full:count}** to **{half:count}** (geometric"
    " means)."
)
CLIP_TITLE = "**clip(x, d_max, d_min) instead of clip(x, d_min, d_max)**"
CLIP_PLACE = "Both versions, Algorithm 1. A misprint; Equation 14 is right."
CLIP = (
    "With the printed order, numpy maps 201 scores from 0 to 2 to"
    " **{n:count value}: {values:list}**."
)
CLIP_EFFECT = (
    "Every image would have the same score. The pick would be uniform among"
    " {images:count public_image}, for any data and budget."
)
COST_TITLE = "**ρ = ε²/8 instead of ρ = r − 1 − ln r**, with r = ε/(e^ε − 1)"
COST_PLACE = "First version, Lemma 3. A correct upper bound, and safe."
COST = {
    "equal": "At {budget:md}, nothing is lost: both forms allow ε = **{exact:number_down}**.",
    "same": (
        "At {budget:md}, the exact form allows ε = **{exact:number_down}** instead of"
        " **{printed:number}**. The accuracy stays the same."
    ),
    "more": (
        "At {budget:md}, the exact form allows ε = **{exact:number_down}** instead of"
        " **{printed:number}**."
    ),
}
COST_ACCURACY = "Accuracy changes from **{printed:md}** to **{exact:md}**."
COST_HEADS = ("ε by ε²/8", "exact ε", "accuracy by ε²/8", "accuracy by the exact ε")
COST_CAPTION = (
    "Accuracy on {group:md}, {seeds:count seed}, the same noise for both. With an (ε, δ) budget,"
    " the pick may use ε as pure DP if that gives a larger ε. On the paper axis, ε is the value"
    " printed in the paper. The guarantee card shows the true cost."
)
PAPER_SPINNERS = {
    "worst": "Removing one image at a time…",
    "cost": "Drawing with both costs…",
}
