"""Texts of the Neural collapse page."""

from dpviz.text.template import Text

TITLE = "Why do good features make privacy cheaper?"

#: The answer, by case; the first that applies is shown.
ANSWERS = {
    "empty": Text("No results yet."),
    "untested": Text("The rare classes have no test images. Choose another score."),
    "equal": Text("All classes have the same size, so none is rare. Choose another score."),
    "one": Text(
        "At {budget:md}, noise changes accuracy by **{change:points}** with {name}.",
        "At {budget:md}, noise changes the accuracy of the linear probe by **{change:points}** with"
        " {name}.",
    ),
    "one-level": Text(
        "At {budget:md}, noise makes no measurable difference with {name}.",
        "At {budget:md}, noise makes no significant difference to the linear probe with {name}.",
    ),
    "level": Text(
        "At {budget:md}, noise makes no measurable difference with any of these features.",
        "At {budget:md}, noise makes no significant difference to the linear probe with any of"
        " these features.",
    ),
    "ordered": Text(
        "At {budget:md}, noise harms accuracy less with tighter classes: **{tight_change:points}**"
        " with {tight}, **{wide_change:points}** with {wide}.",
        "At {budget:md}, noise harms accuracy significantly less with tighter classes:"
        " **{tight_change:points}** with {tight}, **{wide_change:points}** with {wide}.",
    ),
    "unordered": Text(
        "At {budget:md}, noise does not always harm accuracy less with tighter classes:"
        " **{tight_change:points}** with {tight}, **{wide_change:points}** with {wide}.",
        "At {budget:md}, noise does not always harm accuracy less with tighter classes:"
        " **{tight_change:points}** with {tight}, **{wide_change:points}** with {wide}.",
    ),
    "clear": Text(
        "At {budget:md}, noise changes accuracy by **{change:points}** with {name}, but not"
        " measurably with {other}.",
        "At {budget:md}, noise changes the probe's accuracy by **{change:points}** with {name}, but"
        " not significantly with {other}.",
    ),
    "costs_one": Text(
        "At {budget:md}, noise costs a linear probe **{change:cost}** of accuracy with {name}, and"
        " nothing measurable with {other}.",
        "At {budget:md}, noise costs the probe **{change:cost}** of accuracy with {name}, but"
        " nothing significant with {other}.",
    ),
    "costs_both": Text(
        "At {budget:md}, noise costs a linear probe **{wide_change:cost}** of accuracy with {wide},"
        " but only **{tight_change:cost}** with {tight}.",
        "At {budget:md}, noise costs the probe **{wide_change:cost}** of accuracy with {wide}, and"
        " **{tight_change:cost}** with {tight}.",
    ),
    "both": Text(
        "At {budget:md}, noise changes accuracy by **{wide_change:points}** with {wide} and"
        " **{tight_change:points}** with {tight}.",
        "At {budget:md}, noise changes the probe's accuracy by **{wide_change:points}** with {wide}"
        " and **{tight_change:points}** with {tight}.",
    ),
}
#: The spread where noise costs less. Few data sets do not show that it is the cause.
SPREAD_FACT = Text(
    "There, classes are tighter.",
    "With {tight}, the class spread NC1 is {ratio:number} times smaller.",
)
PER_PERSON = "{budget:md} per person"
SYNTHETIC = "synthetic features"

# -------------------------------------------------------------------------------------------- tiles

TILE_ACCURACY_NOTE = "{change:points} from noise"
TILE_ACCURACY_NOTE_EQUAL = "no change"
TILE_ACCURACY_NOTE_QUIET = "without noise"
TILE_ACCURACY_HELP = Text(
    "Test accuracy of the private linear probe, {group:md}. Spread within classes ÷ between"
    " classes: {nc1:number}. At 0, all images of a class have the same features.",
    "Test accuracy of the private linear probe, {group:md}. Class spread NC1 = {nc1:number}; 0 is a"
    " perfect collapse.",
)
#: Public images alone against the first kind of features, by the case of the tile.
TILE_PUBLIC_NOTES = {
    "public": "no private data",
    "public_worse": "clearly worse than {name}",
    "public_better": "clearly better than {name}",
    "public_as_good": "private probe does no better",
}
TILE_GUESS = "Attacker's best guess"
TILE_GUESS_NOTE = "chance 50%"
TILE_GUESS_HELP = (
    "Largest probability, over all attacks on {method}, of guessing correctly whether one image"
    " was used."
)
GROUPS = {
    "minority": "on rare classes",
    "balanced": "averaged over classes",
    "overall": "over all test images",
}

# --------------------------------------------------------------------------------------- main chart

#: The finding above the chart: how tight the classes are, and what noise costs where it costs less.
CHART_TITLES = {
    "one": "{name}: median distance from the class mean {distance:number}",
    "times": "{near}: classes are {ratio:number} times as tight",
    "times_less": "{near} classes are {ratio:number} times as tight and lose {low:cost} instead of"
    " {high:cost}",
    "equal": "Classes are about equally tight",
}
CAPTION = Text(
    "Red bar: typical noise in a class mean. Dashed: distance to the nearest other class. Line:"
    " median.",
    "Shift β: the largest coordinate of the difference between a record and its class mean. Red"
    " bar: median shift by Gaussian noise in a class mean under the probe's guarantee. Dashed:"
    " shift to the nearest other class mean (median over classes). Dotted: cosine of a perfect"
    " frame. Each histogram is scaled to its own peak.",
)
#: Before it, where the bars are about equally long.
EQUAL_NOISE = (
    "The noise is about the same in every row. The features differ in more than tightness."
)
LEFT_OUT = (
    "Left out: {titles:list}. These records do not belong to people, so a per-person guarantee"
    " does not apply."
)

# --------------------------------------------------------------------------------------------- tabs

TABS = {
    "cards": "Guarantee",
    "classes": "Classes",
    "dimension": "Dimension",
    "imbalance": "Imbalance",
    "theory": "Theory",
    "table": "Table and code",
    "about": "About the numbers",
}
VIEWS = {
    "class": "All classes",
    "corners": "Three classes",
    "dim": "Test noise",
    "moved": "Moved records",
    "kept": "Directions kept",
    "pca": "Public PCA",
    "skew": "Imbalance and offset",
    "imbalanced": "By dimension",
    "step": "One step",
    "map": "Where dimension matters",
    "needed": "Records needed",
    "theorems": "Theorems",
}
VIEW = "View"
FEATURES_OF = "Features"

# ---------------------------------------------------------------------------------------- guarantee

PROBE_ON = "{method} on {title}"
#: Names of measures, plain and precise; measures without a plain name are precise only.
MEASURES = {
    "records": Text("images"),
    "shift": Text("distance from class mean", "shift β"),
    "dimension": Text("", "β²p"),
    "nc1": Text("class spread", "NC1"),
    "nc2": Text("", "NC2"),
    "accuracy": Text("accuracy"),
}
RECORDS = "{records:count} in {classes:count class classes}"
SHIFT = "{number:number} (median)"
DIMENSION = "{value:number} in {dimensions:count dimension}"
NC1 = "{value:number} (spread within ÷ between classes)"
NC2 = (
    "lengths vary by {lengths:percent}; cosines differ by {angle:number} from the ideal {ideal:md}"
)
ACCURACIES = "{noisy} with noise, {quiet} without"
ACCURACY_QUIET = "{quiet:percent} without noise"
PAPER_SETTING = (
    "Synthetic features are generated. [Setting in the paper]({link:md}): 10 classes, 10,000"
    " records, (1, 1e-4)-DP, β = 0."
)
PAPER_LINK = "?data=etf&delta=0.0001&etf.beta=0.0"

# ------------------------------------------------------------------------------------------ classes

NC3_RUNNING = "Training without noise for NC3 and NC4…"
CLASSES = (
    "{title}: NC1 = **{nc1:number}**. NC2: class means vary in length by **{lengths:percent}**."
    " Their cosines differ by **{angle:number}** from the ideal {ideal:md}. All measures are"
    " zero in a perfect collapse."
)
CLASSES_NC3 = "NC3 = **{nc3:number}**, NC4 = **{nc4:percent}**."
CLASSES_NO_NC3 = "NC3 and NC4 are left out, because retraining would take too long."
CLASSES_CAPTION = (
    "Left: shift β by class, with the middle 50% and 90% of records (Figure 2 of the paper). Right:"
    " cosines of centered class means. The paper uses uncentered means and +1/(K−1); the ideal is"
    " −1/(K−1). NC3: distance between class means and noiseless classifier, both centered and"
    " scaled. NC4: share of training records where the classifier and the nearest class mean"
    " disagree."
)
CORNERS_FEW = "This view needs three classes. This data set has {classes:count}."
CORNERS_CHOOSE = "Select {missing:count more_class more_classes}."
CORNERS_LABEL = "Three classes"
CORNERS = (
    "{title}: the centered means of these classes have cosines **{cosines:md}**. The ideal for"
    " three classes is −0.50. The plane shows **{share:percent}** of the spread within classes, so"
    " classes look tighter than they are."
)
CORNERS_CAPTION = (
    "Like Figure 1 of the paper, but at a single point in training. Records have length 1. Up to"
    " {most:count record} per class are projected onto the plane of the three means. Their common"
    " mean is the center, and the scale is the same for all. This view uses no random numbers."
)

# ---------------------------------------------------------------------------------------- dimension

NO_PUBLIC = "Public PCA needs a public set. Add X_public to the file."
SETTING = "Test error {group:md}, at {budget:md}."
SETTING_METHOD = "Test error {group:md}, by {method:md} at {budget:md}."
PER_RECORD = "Synthetic records do not belong to people, so their guarantee is per record."
MOVE = "Test perturbation"
SIZE = "Perturbation size"
AXIS_DIMENSION = "dimension p"
LINES = {"quiet": "Gradient descent", "noisy": "Private"}
LINES_CHANGED = {
    "perturbed": {
        "quiet": "Gradient descent, perturbed",
        "noisy": "Private, perturbed",
    },
    "moved": {
        "quiet": "Gradient descent, moved",
        "noisy": "Private, moved",
    },
    "offset": {
        "quiet": "Gradient descent, offset",
        "noisy": "Private, offset",
    },
}
#: A line from the first to the last point; whether the two differ significantly.
COURSES = {
    "private": {
        True: "The private error changes from **{first:percent}** to **{last:percent}**.",
        False: "The private error does not change significantly: from **{first:percent}** to"
        " **{last:percent}**.",
    },
    "private-changed": {
        True: "With {change:md}, it changes from **{first:percent}** to **{last:percent}**.",
        False: "With {change:md}, it does not change significantly: from **{first:percent}** to"
        " **{last:percent}**.",
    },
    "quiet": {
        True: "Without noise in training, the error changes from **{first:percent}** to"
        " **{last:percent}**.",
        False: "Without noise in training, the error does not change significantly: from"
        " **{first:percent}** to **{last:percent}**.",
    },
    "quiet-changed": {
        True: (
            "Without noise in training but with {change:md}, it changes from **{first:percent}**"
            " to **{last:percent}**."
        ),
        False: (
            "Without noise in training but with {change:md}, it does not change significantly:"
            " from **{first:percent}** to **{last:percent}**."
        ),
    },
}
CHANGES = {
    "adversarial": "adversarial test features",
    "stochastic": "perturbed test features",
    "gaussian": "noisy test features",
    "test": "test records moved",
    "training": "training records moved",
    "both": "all records moved",
    "imbalance": "imbalance",
    "imbalance-offset": "imbalance and an offset",
    "moved": "test records moved",
    "offset": "an offset",
    "centered": "an offset and public centering",
}
COLLAPSED_HOLDS = "According to the paper, dimension does not matter at β = 0. This **holds here**."
COLLAPSED_FAILS = (
    "According to the paper, dimension does not matter at β = 0. This does **not** hold here."
)
ONCE_PERTURBED = (
    "Claim: with perturbed test features, dimension hurts private training but not gradient"
    " descent."
)
ONLY_MOVED = "Claim: with moved records, dimension hurts private training but not gradient descent."
AGAINST_ADVERSARY = (
    "Claim: dimension hurts private training under an adversary. The paper makes no claim about"
    " gradient descent against an adversary."
)
CLAIM_HOLDS = "The claim **holds here**."
CLAIM_BOTH = "The claim does **not** hold here: dimension hurts gradient descent too."
CLAIM_UNSEEN = "The claim is **not confirmed here**: the private error does not rise significantly."
HOW_MADE = "Each dimension uses a new frame."
HOW_COPIED = (
    "Coordinates are copied, or a random subset is kept. Every record is rescaled to length 1"
    " before the test perturbation."
)
ADVERSARIAL = "Adversarial: exact, against each classifier."
DIMENSION_NOTE = "Only test records are perturbed, by {size:number} or less per coordinate."
MOVED_BY, MOVED_WHO, MOVED_FAR = "Perturbation", "Moved records", "Size"
MOVED_RECORDS = {"test": "Test", "training": "Training", "both": "Both"}
MOVED_ADVERSARY = "An adversary moves test records only. Choose Test."
MOVED_NOTE = (
    "Figure 3(b) of the paper adds normal noise of variance 0.1 to test records of CIFAR-10, with"
    " NoisySGD. Coordinates are copied, or a random subset is kept."
)
TRAINING = "Private training"
TRAININGS = {"noisy-gd": "Full batch", "noisy-sgd": "NoisySGD"}
TRAINING_HELP = "By default, NoisySGD uses a new random tenth of the records in each step."
KEPT_NOISE = "Noise on all records"
DIRECTIONS_KEPT = (
    "At dimension {p:count}, the private error is **{few:percent}** with 10 public directions and"
    " **{all:percent}** with all."
)
KEPT_VERDICTS = {
    1: "The claim that few directions help **holds here**.",
    0: "The difference is not significant.",
    -1: "The claim that few directions help does **not** hold here.",
}
KEPT_BEST = "Lowest error: {name:md}, {error:percent}."
KEPT_NOTE = (
    "All records, public ones too, get normal noise of standard deviation {size:number}."
    " Directions and means come from the public set. Figure 4 of the paper takes them from private"
    " records. This privacy cost is not counted, so its result is not private."
)
KEPT_LINES = {
    "all": "All",
    "10": "k = 10",
    "50": "k = 50",
    "100": "k = 100",
    "means": "Class means",
}
PCA_SHIFT = "Shift of all records"
PCA = (
    "With K − 1 = {corner:count} public directions, the private error is **{few:percent}**. With"
    " all {have:count} coordinates it is **{all:percent}**."
)
PCA_VERDICTS = {
    1: "Public PCA **helps here**.",
    0: "Public PCA makes no significant difference.",
    -1: "Public PCA **hurts** here, unlike in the paper.",
}
PCA_BEST = "Lowest error: k = {k:number}, {error:percent}."
PCA_BEST_ALL = "Lowest error: all coordinates, {error:percent}."
PCA_AXIS = "public directions kept, k"
PCA_MARK, PCA_ALL = "K − 1", "all"
PCA_NOTE = (
    "All records, public ones too, are first shifted by ±{shift:number} per coordinate. Directions"
    " come from the public set. The paper takes them from private features."
)

# ---------------------------------------------------------------------------------------- imbalance

OFFSET = "Offset"
OFFSET_HELP = "One fixed shift of ± this size per coordinate, the same for all records."
CENTERED_LINE = "Private, offset, centered"
SKEW_CLAIM = "Claim: imbalance alone does not raise the error, but imbalance with an offset does."
SKEW_VERDICTS = {
    (True, False): "The claim **holds here**.",
    (True, True): (
        "The claim is **not confirmed here**: the error does not rise significantly with the"
        " offset."
    ),
    (False, False): "The claim does **not** hold here: imbalance alone hurts too.",
    (False, True): "The claim does **not** hold here.",
}
SKEW_AXIS = "imbalance α (weight of the first half of the classes)"
SKEW_NOTE = (
    "Features: {title:md}. The offset applies to training, public and test records. The test set is"
    " balanced. Centered: the mean of the public set, which is balanced, is subtracted."
)
SYNTHETIC_TITLE, PERFECT_TITLE = "Synthetic", "Synthetic, no shift"
IMBALANCED_LINES = {
    "plain": "Private",
    "imbalanced": "Private, imbalanced",
    "offset": "Private, offset",
    "both": "Private, imbalanced, offset",
    "moved": "Private, test moved",
}
IMBALANCED_CLAIM = (
    "Claim: imbalance makes the error grow with dimension only together with an offset."
)
IMBALANCED_VERDICTS = {
    (False, True): "The claim **holds here**.",
    (True, True): "The claim does **not** hold here: imbalance alone has this effect, too.",
    None: "The claim is **not confirmed here**: the error does not rise with the offset either.",
}
IMBALANCED_NOTE = (
    "Figure 3(a) of the paper has β = 0 and 10,000 records at (1, 1e-4)-DP. The paper does not"
    " state the number of steps, the learning rate or α."
)
IMBALANCED_LEGEND = (
    "Imbalanced: the first half of the classes has weight 0.9, the rest 0.1. Offset: ±0.1 per"
    " coordinate, the same for all. Moved: test records by ±0.1."
)

# ------------------------------------------------------------------------------------------- theory

RECORDS_N = "Number of records"
RECORDS_N_HELP = "Records of both classes together, a public setting of the theory."
CODE_AGAIN = "Code for one of these numbers (run in the project folder):"
#: The error along a curve of shifts, and at a constant shift.
MAP_CURVE = (
    "If β = p^(−1/2), one step is wrong {first:md} at p = {low:md} and {last:md} at p = {high:md}."
)
MAP_STEADY = "At a constant β = 0.1, one step is wrong {first:md} and {last:md}, respectively."
MAP_HOLDS = "Claim: below the curve, dimension does not matter. This **holds here**."
MAP_FAILS = "Claim: below the curve, dimension does not matter. This does **not** hold here."
ERROR_OFTEN = "in **{error:percent}** of cases"
ERROR_RARE = "**once in {cases:count}**"
ERROR_NEVER = "**less than once in a billion**"
MAP_NOTE = (
    "Exact, from an integral, without random draws: one step at {budget:md} (ρ = {rho:number})."
    " Setting: {n:count record} of two classes, {case:md}. Noise is scaled to the longest record."
    " Marks: median shift β of the features, measured on private records. Real data have more"
    " classes and other shifts, so the color below a mark is not their error."
)
MOVED_LABEL = "Moved records"
MOVED_TITLES = {
    "signs": "training and test records",
    "train": "training records",
    "test": "test records",
    "offset": "training records, by one common offset",
}
ALONG = "Shift β"
SHIFT_TITLES = {
    "0": "0, perfect",
    "0.01": "0.01",
    "0.03": "0.03",
    "0.05": "0.05",
    "0.1": "0.1",
    "0.2": "0.2",
    "half": "p^(−1/2)",
    "quarter": "p^(−1/4)",
}
WANTED = "Largest error"
NEEDED = (
    "Target: an error of {wanted:md} or less. Moved: {moved:md}. One private step needs"
    " **{few:md}** at p = {low:md} and **{many:md}** at p = {high:md}."
)
NEEDED_QUIET = "Without noise: {few:md} and {many:md}."
NEEDED_RECORDS, NEEDED_NONE = "{n:count record}", "no number of records"
NEEDED_UNREACHED = "“No number of records” means that the shift alone causes a larger error."
NEEDED_FREE = "Dimension does not matter here."
NEEDED_RATIO = "With {dimensions:count} times the dimensions, that is **{ratio:md} times** as many."
NEEDED_LINES = {
    "exact": "Exact",
    "quiet": "Exact, no noise",
    "printed": "As printed",
    "proved": "By a proved bound",
}
NEEDED_NOTE = (
    "Exact: the smallest number of records with a small enough exact error, by bisection, at"
    " {budget:md} (ρ = {rho:number}). Setting: {case:md}. A line ends where no number is enough. As"
    " printed: Table 1 of the paper, {place:md}. Its unnamed constant is taken as 1, so compare its"
    " slope, not its height."
)
NEEDED_PROVED = "Proved: the smallest number at which a proved bound reaches the error."
DIMENSION_P, SHIFT_BETA, AGAINST = "Dimension p", "Shift β", "Theorem"
THEOREMS_COUNT = {
    "holds": "Printed bounds that hold here: **{holds:count}** of {total:count}.",
    "fails": "Bounds that fail: **{fails:count}** ({names:md}).",
    "open": "Undecided bounds: **{open:count}**.",
}
THEOREM_TITLES = {
    "3.4": "Theorem 3.4, several projected steps",
    "4.1": "Theorem 4.1, projected features",
}
THEOREMS_NOTE = (
    "One step at {budget:md} (ρ = {rho:number}), β²p = {t:number}. Exact errors come from an"
    " integral: the worst case that meets the assumptions of the theorem."
)
THEOREMS_34 = (
    "Theorem 3.4: {draws:count draw} with a {confidence:percent} interval. The simulation takes 10"
    " steps in a ball of radius 1, with t = 12."
)
THEOREMS_41 = (
    "Theorem 4.1: its number of records is converted into an error. Its unnamed constant is taken"
    " as 1, with β₀ = 0.01."
)
THEOREMS_SCALE = (
    "Noise is scaled as in the paper, to √(1 + β²p). A shift along the line between the classes"
    " lengthens a record to √((1 + β)² + (p − 1)β²). So the step as printed costs more than ρ, and"
    " its guarantee is weaker than stated. The paper also offers records shrunk to (e₁ + v)/√(1 +"
    " |v|²), of length √2 or less. The printed Theorem 3.3 lacks only a factor ½; its rate and its"
    " threshold β²p < 1 are correct. “Undecided” has three possible reasons. The bound is trivial,"
    " bound and error are too small to compare, or the interval contains the bound."
)
THEOREM_SILENT = (
    "Theorem {name:md} applies only below β²p = 1. Choose a smaller β or a smaller dimension."
)
THEOREM_HEADS = {
    "theorem": "theorem",
    "verdict": "verdict",
    "error": "error",
    "printed": "printed bound",
    "proved": "proved bound",
    "missing": "missing in print",
}
THEOREM_VERDICTS = {
    "holds here": "holds",
    "fails here": "fails",
    "undecided": "undecided",
}
THEOREM_UNMET = "its condition β²p < 1 is not met"
THEOREM_LOOSE = "no error found; loose bound"
THEOREM_PROJECTED = "ρ; also, β₀p itself need not be small"
THEOREM_LINES = {
    "exact": "Exact error",
    "drawn": "Simulated error",
    "printed": "Printed bound",
    "proved": "Proved bound",
}
THEOREM_AXIS = "records n (p = {p:count}, β = {beta:number})"
STEP_BUDGET = (
    "At this budget, two classes need more than 5,000 records per step. Choose a larger budget."
)
STEP = (
    "One noisy step on two perfectly collapsed classes has an exact error of **{first:md}%** at n ="
    " {few:md}. At n = {many:md} it is **{last:md}%**."
)
STEP_BELOW = (
    "The bound printed as Theorem 3.3 is below this error at n = {places:md}. The printed bound"
    " lacks a **factor ½**; with it, the bound holds at the same rate."
)
STEP_ABOVE = "The bound printed as Theorem 3.3 is above this error here, and below it at larger n."
STEP_DATA = "{title}: exact one-step error **{exact:md}%**, measured **{measured:interval}**."
STEP_DATA_PERSON = (
    "{title}, per person: exact one-step error **{exact:md}%**, measured **{measured:interval}**."
)
STEP_ADVERSARY = "No exact error is known for an adversarial test set."
STEP_PERSON = "No exact error is known when each person's summed gradient is clipped."
STEP_LINES = {
    "exact": "Exact",
    "printed": "Printed as Theorem 3.3",
    "halved": "With the missing ½",
}
STEP_MEASURED = "Measured, p = {p:number}"
STEP_AXIS = "records n of two collapsed classes (β = 0)"
STEP_NOTE = (
    "One step from zero at {budget:md}. The exact error is Φ(−n√(2ρ)) in every dimension. Measured:"
    " {draws:count seed} per point. Each run is right or wrong on all records, so 0% is drawn at"
    " the bottom. The exponent printed in Theorem 3.3 lacks a factor ½. The corrected bound is"
    " proved, at the same rate."
)
STEP_CLASSES = (
    "For an exact error of {wanted:percent} or less, one noisy step needs **{few:md}** records of"
    " two classes. For three classes it needs **{some:md}**, for ten **{many:md}**."
)
STEP_TOO_MANY = "too many"
STEP_CLASSES_LINE = "Exact, K = {classes:number}"
STEP_CLASSES_AXIS = "records n in equal collapsed classes (β = 0)"
STEP_CLASSES_NOTE = (
    "The exact error with K equal classes is 1 − E[Φ(Z + n/((K − 1)s))^(K − 1)]. Here Z is standard"
    " normal and s² = (1 − 1/K)/(2ρ). It does not depend on the dimension. The paper treats more"
    " classes in Appendix D.1, which is not available here. The proof is in the docstring of"
    " `frame_error`."
)

# ----------------------------------------------------------------------------------- table and code

TABLE_CHART, TABLE_VIEW, TABLE_RUNS = "Features", "View", "All runs as CSV"
TABLE_COMMANDS = "Commands for the first seed of each set of features (run in the project folder):"

# ----------------------------------------------------------------------------------------- controls

COMPARISON = "Compare with"
COMPARISON_HELP = (
    "Other features, trained under the same budget. A new encoder first embeds the images, which"
    " can take minutes."
)
SETTINGS = "Method settings"
TITLES = {
    "own": "Your own features",
    "synthetic": "Synthetic",
    "ideal": "Synthetic (ideal)",
    "ideal-settings": "Synthetic (ideal), K = {classes:number}, p = {p:number}, n = {n:count}"
    " before IR, β = {beta:number}",
    "synthetic-settings": "Synthetic, K = {classes:number}, p = {p:number}, n = {n:count} before"
    " IR, β = {beta:number}",
    "images": "{encoder:md} on {data:md}",
}
