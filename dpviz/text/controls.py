"""Labels and help of the controls that pages share."""

HEADERS = {"data": "Data", "privacy": "Privacy", "method": "Method"}
RESET = "Reset all settings"
#: The fold of the level Plain, and its part about data.
MORE_SETTINGS, MORE_DATA_PART = "More settings", "Data"

DATA_SET = "Data set"
DATA_SET_HELP = "Private images that the methods learn from."
#: By whether the level is precise.
RATIO = {False: "Imbalance ratio", True: "Imbalance ratio (IR)"}
RATIO_HELP = (
    "Largest class size divided by smallest. The class sizes in between decrease exponentially. The"
    " test set keeps all images."
)
ORIGINAL_SIZES = "1 keeps the original class sizes, which are not equal."
ORIGINAL_RATIO = (
    "1 keeps the original class sizes. The largest class has {ratio:md} times as many images as the"
    " smallest."
)
OWN_SIZES = "1 keeps the class sizes of your data."
RATIO_REACHED = {
    "public": "{ratio:md} (largest ÷ smallest class size)",
    "private": (
        ":material/visibility_lock: Private view. {ratio:md} (largest ÷ smallest class size)."
    ),
}
RECORDS = "Images per class"
RECORDS_HELP = (
    "Maximum number of training images per class. With fewer images, the same noise has more"
    " effect. The first images of each class are kept."
)
PUBLIC_DOMAIN = "Public set"
PUBLIC_DOMAINS = {"same": "Same classes", "other": "Other classes"}
PUBLIC_DOMAIN_HELP = (
    "Public images can show the private classes or other classes. Images of other classes are"
    " easier to find in practice."
)
PUBLIC_SET = "Public images"
PUBLIC_SET_HELP = "Images that anyone may see. Methods can learn from them without privacy cost."
AS_IN_FILE = "As in the file"
MORE_DATA = "More: encoder, sizes, centering"
MORE_SETS = '<a href="data" target="_self">More data sets and your own images</a>'
ENCODER = "Encoder"
ENCODER_HELP = (
    "Frozen network that turns images into features. It was trained on public data, so it costs no"
    " privacy. Type `timm:NAME` for another timm model, or `timm:NAME@random` for an untrained one."
)
DATA_DRAW = "Data draw"
DATA_DRAW_HELP = "Seed that decides the order of the classes and which images are kept."
DATA_DRAWS = "Data draws"
DATA_DRAWS_HELP = (
    "Repeats every setting with several class orders and selections of images. The bands include"
    " this variation. Auto: one draw first, then more while the page is idle."
)
AUTO_DRAWS = "auto"
REFINE = "Refine while idle"
REFINE_HELP = (
    "Adds data draws and seeds while the page is idle. Any change stops it. The numbers of"
    " draws and seeds are shown below the chart. A number that you choose stays fixed. Each run"
    " counts toward the privacy cost of exploring."
)
FIXED_TEST = "The test set is fixed. A data draw changes the training images only."
STOP, STOP_HELP = "Stop", "Keeps the results computed so far."
STOPPED = {
    "one": "Stopped. The chart shows the results computed so far.",
    "many": "Stopped. The chart shows {done:count} of {parts:count part}.",
}
STOPPED_LATE = "Stopped. Some numbers on this page were not computed."
CONTINUE = "Continue"
PRIVATE_NOTE = ":material/visibility_lock: Private view: {note}"

BUDGET = "Privacy budget {symbol}"
GUESS_BUDGET = "Attacker's best guess (%)"
TYPED_BUDGET = "Budget value"
BUDGET_HELP = (
    "Smaller: stronger privacy, more noise, lower accuracy. The box takes any value above 0."
)
ENDS = ("more private", "more accurate")
#: Names of references that are short enough for the list of methods.
SHORT_TITLES = {
    "class-mean": "Class mean, no noise",
    "logistic": "Logistic, no noise",
    "paragon": "Paragon, no noise",
}
AXIS = "Compare at equal"
AXES = {"approx": "ε", "guess": "Attacker success", "zcdp": "ρ", "paper": "Paper ε"}
#: Axes of the precise level.
PRECISE_AXES = ("zcdp", "paper")
#: By whether the level is precise.
AXIS_HELP = {
    False: (
        "Quantity that is equal for all methods. ε: privacy budget; methods with equal ε can leak"
        " different amounts. Best guess: an attacker's success, with a prior of 50%."
    ),
    True: (
        "Quantity that is equal for all methods. ε: (ε, δ)-DP; methods with equal ε can leak"
        " different amounts. Best guess: an attacker's success, with a prior of 50%. At other"
        " priors, methods can differ. ρ: zero-concentrated DP. Paper ε: √(2ρ), as"
        " printed in the DPPL paper."
    ),
}
DELTA = "δ"
#: Title of the part of the fold at the level Plain.
DELTA_PART = "Guarantee"
DELTA_HELP = "Small probability added to the ε bound. Keep δ well below 1 / number of images."
DELTA_NOTE = {
    "approx": "δ = {delta:number}",
    "other": "δ = {delta:number}, used to convert to ε",
}
UNIT = "Protects"
UNITS = {"picture": "Each image", "person": "Each person"}
RECORD_UNITS = {"picture": "Each record", "person": "Each person"}
UNIT_HELP = (
    "Each person: hides whether any image of a person was used. Most methods then need k times as"
    " much noise if a person may have k images."
)
BOUND = "Images per person"
BOUND_HELP = (
    "Maximum number of images kept per person. A larger number needs more noise; a smaller number"
    " discards data. “All” reads the maximum from the private data, which the guarantee does not"
    " cover."
)
NO_PERSONS = "Protects each image: this data set does not identify people."

METHODS = "Methods"
LEFT_OUT = "Left out for lack of a public set: {methods:list}. Choose a public set under **More**."
METHODS_HELP = "Methods on the chart. One method without privacy is always included for comparison."
SETTINGS = "Method settings"
SEEDS_FOLD = "Noise seeds"
SEEDS = "Number of noise seeds"
SEEDS_HELP = "Number of runs with different noise. More runs give narrower bands and take longer."
FIRST_SEED = "First seed"
FIRST_SEED_HELP = "The same seed gives the same noise, here and on the command line."
SCORE = "Accuracy on"
SCORES = {"minority": "Rare classes", "balanced": "All classes", "overall": "All images"}
SCORE_HELP = (
    "Rare classes: the quarter of the classes with the fewest training images. All classes: mean"
    " over classes. All images: accuracy on all test images."
)
EMPTY_CLASS = (
    "Class {name} has no training image, and this page compares all classes. Choose another data"
    " set or leave the class out."
)
#: Labels of settings at the level Plain, by key.
PLAIN_LABELS = {
    "dppl-mean.k_pool": "Pooled coordinates",
    "dppl-public.d_min": "Minimum score",
    "dppl-public.d_max": "Maximum score",
}
