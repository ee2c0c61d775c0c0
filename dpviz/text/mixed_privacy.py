"""Texts of the AdaMix page (address ``mixed-privacy``)."""

from dpviz.text.template import Text

TITLE = "What do private images add to public ones?"

#: The answer, by case: the lead against all public images, by sign, or against public examples.
ANSWERS = {
    "empty": Text("No results yet."),
    "untested": Text("The rare classes have no test images. Choose another score."),
    "public_better": Text(
        "At {budget:md}, {lead} (**{accuracy:percent}**) clearly beats all public images alone"
        " (**{public:percent}**).",
        "At {budget:md}, {lead} (**{accuracy:interval}**) is significantly better than all public"
        " images alone (**{public:interval}**).",
    ),
    "public_level": Text(
        "At {budget:md}, {lead} (**{accuracy:percent}**) does not clearly beat all public images"
        " alone (**{public:percent}**).",
        "At {budget:md}, {lead} (**{accuracy:interval}**) does not differ significantly from all"
        " public images alone (**{public:interval}**).",
    ),
    "public_worse": Text(
        "At {budget:md}, {lead} (**{accuracy:percent}**) is clearly worse than all public images"
        " alone (**{public:percent}**).",
        "At {budget:md}, {lead} (**{accuracy:interval}**) is significantly worse than all public"
        " images alone (**{public:interval}**).",
    ),
    "helps": Text(
        "At {budget:md}, {lead} is **{accuracy:percent}** accurate, clearly more than its public"
        " examples alone (**{examples:percent}**).",
        "At {budget:md}, {lead} is **{accuracy:interval}** accurate, significantly above public"
        " examples alone (**{examples:interval}**).",
    ),
    "hurts": Text(
        "At {budget:md}, {lead} is **{accuracy:percent}** accurate, clearly less than its public"
        " examples alone (**{examples:percent}**).",
        "At {budget:md}, {lead} is **{accuracy:interval}** accurate, significantly below public"
        " examples alone (**{examples:interval}**).",
    ),
    "level": Text(
        "At {budget:md}, {lead} (**{accuracy:percent}**) does not clearly beat its public examples"
        " alone (**{examples:percent}**).",
        "At {budget:md}, {lead} (**{accuracy:interval}**) does not differ significantly from"
        " public examples alone (**{examples:interval}**).",
    ),
    "alone": Text(
        "At {budget:md}, {lead} has an accuracy of **{accuracy:percent}**.",
        "At {budget:md}, {lead} has an accuracy of **{accuracy:interval}**.",
    ),
}
#: Added where another private method is more accurate, by case.
BEST = {
    # clearly better than all public images, as the method of the answer is not
    "public": Text(
        "{best} ({value:percent}) clearly beats them.",
        "{best} ({value:interval}) is significantly better than them.",
    ),
    # clearly better than the method of the answer
    "lead": Text(
        "{best} ({value:percent}) clearly beats {lead}.",
        "{best} ({value:interval}) is significantly better than {lead}.",
    ),
    "unclear": Text(
        "{best} ({value:percent}) may be better only by chance.",
        "{best} ({value:interval}) is not significantly better.",
    ),
}

PER_PERSON = "{budget:md} per person"
#: Classes that a score counts, inside a sentence.
GROUPS = {
    "minority": "on rare classes",
    "balanced": "averaged over classes",
    "overall": "over all test images",
}

# -------------------------------------------------------------------------------------------- tiles

TILE_ACCURACY = "{lead} accuracy"
TILE_ACCURACY_NOTE = "{ideal:percent} without privacy"
TILE_ACCURACY_EXAMPLES = "its {shots:count example} per class alone: {examples:percent}"
TILE_ACCURACY_HELP = (
    "Share of test images classified correctly, {group:md}. Reference: training without privacy on"
    " the same images. Methods are compared seed by seed on the same test images. So a difference"
    " can be clear even if intervals overlap."
)
#: Shown where several private methods are computed, else public examples alone.
TILE_BEST = "Best private method"
#: The method alone where it is the one of the answer.
TILE_BEST_NOTES = {
    "lead": "{name}",
    "better": "{name}, clearly better than {lead}",
    "unclear": "{name}, not clearly better than {lead}",
}
#: Against all public images, by sign.
TILE_BEST_PUBLIC = {
    1: "clearly better than all public images",
    0: "not clearly better than all public images",
    -1: "clearly worse than all public images",
}
TILE_BEST_HELP = (
    "Highest accuracy of the private methods in the chart. It may be the highest by chance. The"
    " notes say where it is clearly better."
)
TILE_EXAMPLES = "Public examples only"
TILE_EXAMPLES_NOTE = "{shots:count} per class"
TILE_EXAMPLES_HELP = (
    "Accuracy of a classifier trained on the chosen public examples alone. It uses no private"
    " image. AdaMix starts from the same examples."
)
TILE_PUBLIC = "All public images"
#: By sign of the method of the answer against all public images.
TILE_PUBLIC_NOTES = {
    None: "no private data",
    -1: "clearly better than {lead}",
    0: "not clearly different from {lead}",
    1: "clearly worse than {lead}",
}
TILE_PUBLIC_HELP = (
    "Accuracy of a classifier trained on all labeled public images instead of a few per class. It"
    " uses no private image."
)
TILE_GUESS = "Attacker's best guess"
TILE_GUESS_NOTE = "chance 50%"
TILE_GUESS_HELP = (
    "Largest probability, over all attacks, of guessing correctly whether one image was used."
)

# --------------------------------------------------------------------------------------- main chart

#: The finding above the chart: budgets at which the method of the answer is significantly more
#: accurate than all public images alone, and those at which it is less accurate.
CHART_TITLES = {
    "both": "Against {reference:md}, {lead} clearly wins at {symbol:md} = {better:md}, but"
    " loses at {symbol:md} = {worse:md}",
    "hurt": "{lead} clearly loses to {reference:md} at {symbol:md} = {worse:md}",
    "hurt-all": "{lead} clearly loses to {reference:md} at every budget",
    "all": "{lead} clearly beats {reference:md} at every budget",
    "from": "{lead} clearly beats {reference:md} at {symbol:md} ≥ {low:number}",
    "some": "{lead} clearly beats {reference:md} at {symbol:md} = {better:md}",
    "never": "{lead} does not clearly beat {reference:md} at any budget",
    "unknown": "Accuracy against privacy budget",
}
#: Public examples are the reference where all public images have no accuracy.
REFERENCES = {
    "public": "all public images",
    "examples": "its {shots:count public_example} per class",
}
#: Several neighboring budgets, in a list.
BUDGET_RANGE = "{low:number} to {high:number}"
#: At the level Precise.
CAPTION_AREAS = "Shaded: {lead} gains or loses, compared with {reference:md}."
#: Other private methods that are significantly more accurate than the lead, by their number and
#: whether they do at all larger budgets.
BEATEN = {
    "one-from": "{name} clearly beats {lead} at {symbol:md} ≥ {low:number}.",
    "one-some": "{name} clearly beats {lead} at {symbol:md} = {budgets:md}.",
    "more-from": "Other private methods clearly beat {lead} at {symbol:md} ≥ {low:number}.",
    "more-some": "Other private methods clearly beat {lead} at {symbol:md} = {budgets:md}.",
}
CAPTION_OVERLAP = (
    "Methods are compared seed by seed, so a difference can be clear even if bands overlap."
)
#: In the fold, where these methods are drawn.
METHODS_MEANING = (
    "NGD: noisy gradient descent that starts from the public examples. Fully-Private: the same"
    " without public examples."
)
#: In the fold below the caption.
SEEDS_NOTE = "Each seed draws new noise and new public examples."
#: In the same fold, on data for which the paper makes no claim.
NOT_REFUTED = (
    "These data cannot refute AdaMix. Its paper assumes many classes with few images per class."
    " [Omniglot meets this premise](./papers?paper=mixed&on=omniglot-60)."
)
#: Why more budget can lower the accuracy on imbalanced data.
FALL = (
    "The accuracy of {lead} falls from {before:percent} at {symbol:md} = {low:number} to"
    " {after:percent} at {symbol:md} = {high:number}. A possible reason: a larger budget allows"
    " more steps, and at first they favor frequent classes."
)
SCORE_OF = "Accuracy of"
ACCURACY_AXIS = "Accuracy axis"
SCALES = {"zoomed": "Zoomed", "linear": "0–100%"}

# --------------------------------------------------------------------------------------------- tabs

TABS = {
    "compare": "Guarantees",
    "parts": "Method",
    "public": "Public examples",
    "attacked": "Attack",
    "bounds": "Theorems",
    "table": "Table and code",
    "about": "About the numbers",
}
VIEWS = {
    "compare": "Guarantees",
    "parts": "Ablations",
    "curves": "Settings by budget",
    "steps": "Training steps",
    "boost": "Number of examples",
    "domain": "Public sets",
    "records": "Public vs. private",
    "attacked": "Attack",
    "bounds": "Theorems",
}
VIEW = "View"

# --------------------------------------------------------------------------------------- guarantees

COST_CARD = "Cost"
COST_HEADS = ("accuracy", "vs. no privacy", "rare classes", "time per run")
STEPS_CARD = "Number of steps"
STEPS_OF = "**{names:list}**: {reason:md}"
STEPS_NOTE = Text(
    "More noise per step (σ) leaves budget for more steps. The setting “{most:md}” limits the"
    " number of steps.",
    "The setting σ fixes the noise per step. The budget then covers T = ⌊2ρσ²⌋ steps. The setting"
    " “{most:md}” limits T.",
)
#: Public images alone, with all their labels, against the best private method; by sign.
PUBLIC = {
    -1: Text(
        "With public images alone, the accuracy is **{public:percent}**, clearly lower than with"
        " the best private method.",
        "With public images alone, the accuracy is **{public:interval}**, significantly lower than"
        " with the best private method.",
    ),
    0: Text(
        "With public images alone, the accuracy is **{public:percent}**, not clearly different"
        " from the best private method.",
        "With public images alone, the accuracy is **{public:interval}**, not significantly"
        " different from the best private method.",
    ),
    1: Text(
        "With public images alone, the accuracy is **{public:percent}**, clearly higher than with"
        " the best private method.",
        "With public images alone, the accuracy is **{public:interval}**, significantly higher"
        " than with the best private method.",
    ),
    None: Text(
        "With public images alone, the accuracy is **{public:percent}**.",
        "With public images alone, the accuracy is **{public:interval}**.",
    ),
}
#: DPPL-Public with public images of other classes, or of the same ones.
ELSEWHERE = {
    "other": Text("With public images of other classes, {method} reaches **{accuracy:percent}**."),
    "same": Text(
        "With public images of the same classes, {method} reaches **{accuracy:percent}**."
    ),
}
#: Whether the accuracies are in the order of the AdaMix paper.
ORDER = {
    "agrees": "The accuracies follow the order in the paper: {chain:md}.",
    "differs": "The methods rank differently than in the paper, which has {chain:md}.",
    "unclear": "The accuracies neither confirm nor contradict the order in the paper, {chain:md}.",
    "reversed": "{better} is significantly more accurate than {worse}.",
    "tied": "{one} and {other} do not differ significantly.",
}
FEW_CLASSES = "The data in the paper have many classes; this data set has {classes:count}."

# ---------------------------------------------------------------------------------------- ablations

PARTS = {
    "AdaMix from zero": "the public start",
    "AdaMix at fixed clip": "adaptive clipping",
    "AdaMix unprojected": "the projection",
}
#: AdaMix without one part, by sign of the difference.
PART_VERDICTS = {
    1: Text(
        "Without {part:md}, accuracy is lower (**{change:points}**).",
        "Without {part:md}, accuracy is significantly lower (**{change:points}**).",
    ),
    0: Text(
        "Without {part:md}, there is no clear difference (**{change:points}** in accuracy).",
        "Without {part:md}, accuracy is not significantly different (**{change:points}**).",
    ),
    -1: Text(
        "Without {part:md}, accuracy is higher (**{change:points}**): this part hurts here.",
        "Without {part:md}, accuracy is significantly higher (**{change:points}**): this part"
        " hurts here.",
    ),
}
SETTING = "Test accuracy {group:md}, at {budget:md}, {subset:md}."
SEED_DRAWS = "Each seed draws new noise and new public examples."
PARTS_NOTE = (
    "Each bar is a method from the AdaMix paper. “From zero”, “at fixed clip” and “unprojected”"
    " each leave out one part of AdaMix. PPGD follows the abstract of Wang & Zhou (2020). It"
    " trains a private classifier, with gradients clipped at the norm of the examples' mean"
    " gradient. It then moves this classifier toward one trained on the examples."
)

# ----------------------------------------------------------------------------------- more examples

BOOST = {
    "falls": "The boost of {lead} falls with more public examples, as in the paper: from"
    " **{first:md}** to **{last:md}**.",
    "varies": "The boost of {lead} does not fall steadily with more public examples, unlike in the"
    " paper. It is **{first:md}** with the fewest and **{last:md}** with the most.",
    "unknown": "The boost of {lead} is defined at too few points: **{first:md}** with the fewest"
    " public examples, **{last:md}** with the most.",
}
BOOST_NOTE = (
    "Boost: E(public examples only) / E(method). E is the error minus the error without privacy."
    " Above 1, private images reduce the error. Below 1, public examples alone are better."
    " Undefined: the error is within half a point of the error without privacy, or not"
    " significantly different from it. Intervals: Fieller's method."
)

# ----------------------------------------------------------------------------------- training steps

RUN_OF = "Run of"
TRACING = "Repeating one run…"
STEPS = (
    "{name} clips **{first:percent}** of the gradients in the first step and **{last:percent}** in"
    " the last. The projection keeps **{kept:percent}** of the private signal. Noise is"
    " **{begin:md} times** the signal in the first step and **{end:md} times** in the last."
)
STEPS_CAPTION = (
    "Seed {seed:count}, {steps:count step}. The clipping threshold and the rank energy come from"
    " public examples. All other values come from private images. Gradients have length √2 or"
    " less. Without projection, the kept share is 100%."
)

# -------------------------------------------------------------------------------------- public sets

OWN_PUBLIC = (
    "This file includes one public set. Choose an image data set to compare several public sets."
)
#: The lead against its own public examples, by sign of the gain.
DOMAINS = {
    1: Text("{title}: private images raise accuracy (**{change:points}**)."),
    0: Text(
        "{title}: private images make no clear difference (**{change:points}** in accuracy).",
        "{title}: accuracy is not significantly different (**{change:points}**).",
    ),
    -1: Text("{title}: private images lower accuracy (**{change:points}**)."),
}
DOMAINS_OF = "{lead} compared with public examples alone:"
DOMAINS_NOTE = (
    "Public examples per class: {shots:count}, or all where a set has fewer. Images set aside as"
    " public are removed from the private set."
)
SHIFTED_NOTE = "Drawn digits and UCI digits come from another domain."

# ----------------------------------------------------------------------------------------- settings

#: Axis of the lines, and their column in the table.
ACCURACY = "accuracy"
LINES_DIFFER = "Compare by"
KINDS = {
    "start": "Start",
    "step": "Step size",
    "noise": "Noise σ",
    "encoder": "Encoder",
    "public": "Public set",
}
ENCODERS = "Encoders"
ENCODERS_HELP = "Each encoder embeds the images once, which can take minutes."
OWN_FEATURES = "This file includes its own features. Choose an image data set to compare encoders."
START_TITLES = {
    "none": "zeros",
    "few-shot": "public examples",
    "label-prototypes": "label prototypes",
    "class-names": "class names",
}
CONSTANT, CONSTANT_AVERAGED = "a constant step", "a constant step and the average"
THEOREM_3_STEP = "Theorem 3 and D = {far:number}"
NOISE_LINE = "σ = {sigma:number}"
VARIANT_FIRST = "At {budget:md}, AdaMix with {name:md} has an accuracy of **{accuracy:percent}**."
#: Each other line against the first one, by sign.
VARIANTS = {
    1: Text(
        "With {name:md}, the accuracy is higher: **{accuracy:percent}**.",
        "With {name:md}, the accuracy is significantly higher: **{accuracy:percent}**.",
    ),
    0: Text(
        "With {name:md}, the accuracy is about the same: **{accuracy:percent}**.",
        "With {name:md}, the accuracy is not significantly different: **{accuracy:percent}**.",
    ),
    -1: Text(
        "With {name:md}, the accuracy is lower: **{accuracy:percent}**.",
        "With {name:md}, the accuracy is significantly lower: **{accuracy:percent}**.",
    ),
}
VARIANTS_SETTING = "Test accuracy {group:md}, {subset:md}, {shots:count public_example} per class."
NOTES = {
    "start": "All other settings are those of AdaMix in the sidebar.",
    "step": (
        "The constant step is that of NGD, with threshold 1. Theorem 3 uses step 2/(λ(t + 1)) with"
        " λ = τ√(2d/ρ)/D and τ = 1.42. It centers weight decay on the start and averages the"
        " classifiers of all steps. The threshold τ, the number d of weights and the budget ρ are"
        " public. The distance D from the start to the best classifier is an assumption."
    ),
    "noise": "The number of steps follows from σ and the budget, up to the maximum.",
    "encoder": "The paper compares ResNet-50 with CLIP. Their weights are not part of dpviz.",
    "public": "Images set aside as public are removed from the private set.",
}
FIRST_RUNS = "Commands for the first run of each line:"

# ------------------------------------------------------------------------------------------- attack

DESIGN = "Members and nonmembers"
ATTACK = Text(
    "The attack on {lead} reaches an area under the curve of **{auc:md}** (chance: 0.5). The"
    " guarantee allows at most **{limit:md}**.",
    "At {budget:md}, the attack on {lead} reaches an area under the curve of **{auc:md} ±"
    " {half:md}** (chance: 0.5). The guarantee allows at most **{limit:md}**.",
)
BEATS = "The attack does better than chance on {names:list}."
BEATS_NONE = "The attack does no better than chance on any method."
PAIRS_NONE = (
    "No two methods differ significantly in area ({pairs:count pair}, Holm). So the order of areas"
    " cannot be compared with the order of accuracies."
)
PAIRS = (
    "Significant difference in area: **{clear:count}** of {pairs:count pair} of methods (Holm). In"
    " **{same:count}** of these, the more accurate method also leaks less, as in the paper."
)
ATTACK_NOTE = (
    "The attack uses the loss alone, so its area is a lower bound on the leakage. The guarantee is"
    " the upper bound."
)
ATTACK_SETTING = (
    "Test accuracy {group:md}, {subset:md}. Error bars on accuracies: 95% intervals. Error bars on"
    " areas: two standard errors, pooled over runs that share the first seed's public examples."
)
ATTACK_COIN = "Accuracies come from runs on all private images."
ATTACK_BUDGETS = "Selected methods are shown at other budgets, too. Labels appear where they fit."
ATTACK_AGAIN = "Code for the attack on {lead}:"

# ----------------------------------------------------------------------------------------- theorems

THEOREM_RUNNING = "Testing Theorem 3 on these images…"
FOLLOWS, PRINTED = "Theorem 3, corrected", "Theorem 3, as printed"
BOUND_LINES = {
    "follows": "Measured, corrected",
    "follows-bound": "Bound, corrected",
    "printed": "Measured, as printed",
    "printed-bound": "Bound, as printed",
    "guessing": "Chance",
}
BOUNDS_ANSWER = (
    "At {budget:md} and σ = {sigma:number}, the averaged classifier's excess loss over the best"
    " classifier is **{loss:md}** nats per image."
)
#: The bound against the loss, by verdict.
BOUND_VERDICTS = {
    "holds": "The corrected bound allows **{bound:md}** nats: it **holds**.",
    "holds trivially": "The corrected bound allows **{bound:md}** nats: it **holds, but is"
    " above the loss at chance**.",
    "fails": "The corrected bound allows **{bound:md}** nats: it **fails**.",
    "undecided": "The corrected bound allows **{bound:md}** nats: the measurement is"
    " **inconclusive**.",
}
PRINTED_ANSWER = "With the step size as printed, the loss is **{loss:md}** nats."
PRINTED_VERDICTS = {
    "holds": "The printed bound allows **{bound:md}** nats: it **holds**.",
    "holds trivially": "The printed bound allows **{bound:md}** nats: it **holds, but is above"
    " the loss at chance**.",
    "fails": "The printed bound allows **{bound:md}** nats: it **fails**.",
    "undecided": "The printed bound allows **{bound:md}** nats: the measurement is"
    " **inconclusive**.",
}
GUESSING_LOSS = "Chance has a loss of {loss:md} nats."
VERDICTS = {
    "holds": "holds",
    "holds trivially": "holds trivially",
    "fails": "fails",
    "undecided": "inconclusive",
}
VERDICT_HEADS = ("theorem", "σ", "steps", "measured", "bound", "noise part", "verdict", "why")
VERDICT_REASONS = {
    "holds": (
        "loss below the bound, bound below chance; {steps:md} nats of it come from the small"
        " number of steps"
    ),
    "holds trivially": (
        "bound above the loss at chance, {guessing:md} nats; {steps:md} nats of it come from the"
        " small number of steps"
    ),
    "fails": "loss above the bound by more than four standard errors",
    "undecided": "loss above the bound, by at most four standard errors",
}
THEOREM_4 = "Theorem 4"
THEOREM_4_WHY = (
    "Theorem 4 needs a c-strongly convex loss. This loss is not strongly convex: the same change"
    " to the weights of every class leaves all predictions unchanged. So c = 0, and the bound is"
    " infinite."
)
BOUND_MEASURE = "excess loss (nats)"
BOUND_AXIS = "noise σ"
BOUNDS_NOTE = (
    "Data: {n:count private_image}, {subset:md}, at {budget:md} (ρ = {rho:number}). Excess loss:"
    " mean loss of the averaged classifier minus that of a reachable classifier at distance"
    " {distance:number} from the start. Points: {runs:count noise_draw} with 95% intervals. T ="
    " 2ρσ²: more noise means more steps and a smaller bound. The Papers page uses σ = 140."
)
BOUNDS_STEP = (
    "As printed: λ = √(ρ/(2DdL²)), in a ball of radius B = {radius:number}. Corrected: λ ="
    " τ√(2d/ρ)/D, without a ball. The distance D is computed from private images, so this tab is"
    " not for release."
)
SAME_CODE = "Code for these numbers:"

# -------------------------------------------------------------------------------- public or private

LINE_PUBLIC, LINE_PRIVATE = "Public only", "Private only"
LINE_QUIET, LINE_BOTH = "Private only, without noise", "Public and private"
RECORDS_PUBLIC = (
    "With {shots:count image} per class, public images alone classify **{public:percent}**"
    " correctly."
)
#: As many private images instead, and both together, by sign of the difference from public ones.
RECORDS_PRIVATE = {
    1: Text(
        "The same number of private images reaches **{accuracy:percent}** at {budget:md}, which is"
        " more."
    ),
    0: Text(
        "The same number of private images reaches **{accuracy:percent}** at {budget:md}, about"
        " the same.",
        "The same number of private images reaches **{accuracy:percent}** at {budget:md}, not"
        " significantly different.",
    ),
    -1: Text(
        "The same number of private images reaches **{accuracy:percent}** at {budget:md}, which is"
        " less."
    ),
}
RECORDS_BOTH = {
    1: Text("Both together reach **{accuracy:percent}**, more than public images alone."),
    0: Text(
        "Both together reach **{accuracy:percent}**, not clearly different from public images.",
        "Both together reach **{accuracy:percent}**, not significantly different from public"
        " images.",
    ),
    -1: Text("Both together reach **{accuracy:percent}**, less than public images alone."),
}
RECORDS_NEEDED = (
    "To match public images, private training needs **{need:count image}** per class, which is"
    " **{ratio:md} times** as many."
)
RECORDS_NONE = "Private training does not match public images, even with {most:count} per class."
RECORDS_PAPER = "The paper reports up to 10 times as many images on MIT-67."
RECORDS_QUIET = "Without noise, **{need:count image}** per class would be enough."
RECORDS_QUIET_NONE = "Without noise, no number in the chart would be enough either."
RECORDS_CAPTION = (
    "Accuracy {group:md}, at {budget:md}. Public set: {public}. In the paper, public and private"
    " images are of the same kind, as with images set aside. Imbalance ratio 1: n images of each"
    " class, or all where fewer exist."
)
RECORDS_OWN_PUBLIC = "from the file"
RECORDS_METHODS = "Private only: Fully-Private without public examples. Public and private: {lead}."
RECORDS_AGAIN = "Commands for the first seed of each line at {shots:count image} per class:"

# ----------------------------------------------------------------------------------- table and code

TABLE_CHART, TABLE_VIEW = "All runs as CSV", "View"
TABLE_COMMANDS = "Commands for the first seed of each method (run in the project folder):"
ABOUT = (
    "On this page, each seed draws the public examples as well as the noise. Methods share these"
    " examples, so they are compared seed by seed. Public examples cost no privacy. Learning rates"
    " were tuned on the default data; this cost is not counted. A label prototype is the mean of a"
    " class's examples. In the set of drawn characters, the examples are drawings of the character"
    " that names the class."
)
ABOUT_HELD = (
    "Images set aside as public are removed from the private set, which shrinks by the same number."
)
NEEDS_PUBLIC = (
    "This page needs labeled public images. Add X_public and y_public to the file, or choose a"
    " second file as the public set. At least one public label must name a private class."
)

# ----------------------------------------------------------------------------------------- controls

EXAMPLES = "Public examples per class"
EXAMPLES_HELP = (
    "Number of labeled public images per class, or all where fewer exist. Fully-Private protects"
    " public images too. It uses each one with probability N / {pool:number}, chosen by a hash of"
    " the image. Omniglot has 3 or 5 public images per class, so the probability is N / 3 or N /"
    " 5."
)
METHODS = "Methods"
METHODS_HELP = (
    "AdaMix starts from the public examples, adapts the clipping threshold and projects onto their"
    " directions. “From zero”, “at fixed clip” and “unprojected” each leave out one of these. NGD"
    " starts from the examples, then runs plain noisy gradient descent. Fully-Private protects the"
    " examples like private images. PPGD trains privately first, then moves toward the examples."
)
NOT_DRAWN = (
    "Not drawn: {methods:list}. These methods protect public images, but the features are computed"
    " from them without noise."
)
SETTINGS = "Method settings"
START = "Start from"
STARTS = {
    "few-shot": "Classifier trained on examples",
    "label-prototypes": "Label prototypes",
    "class-names": "Class names (CLIP)",
}
RATE = "Learning rate factor"
RATE_HELP = (
    "Multiple of η = {rate:number}, the largest learning rate in the paper. The paper also tries"
    " 0.1, 0.2 and 0.5 times η. The budget does not cover a choice based on the accuracy shown"
    " here."
)
SEEDS = "Seeds"
SEED_HELP = "Each seed draws the noise and the public examples. Seeds are consecutive."
