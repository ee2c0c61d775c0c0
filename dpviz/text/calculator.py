"""Texts of the guarantee calculator: mechanisms, assumptions, refusals; and of its page."""

from dpviz.text.template import Text

# ------------------------------------------------------------------------------------- the numbers

#: Parameters by field, as a refusal begins.
NAMES = {
    "sigma": "Noise multiplier",
    "rate": "Sampling rate",
    "steps": "Steps",
    "scale": "Laplace scale",
    "epsilon": "ε",
    "queries": "Queries",
    "answered": "Answered queries",
    "sigma1": "Noise of the threshold test",
    "sigma2": "Noise of the votes",
    "delta": "Delta",
    "images": "Images per person",
    "prior": "Prior",
}
UNITS = {"record": "one record = one image", "person": "one person, as the source states"}
UNIT_IMAGES = "one person with at most {images:count image}"
TOO_MANY_ANSWERS = (
    "Answered queries must be at most the number of queries ({queries:count}), got"
    " {answered:count}."
)
UNKNOWN_NOTION = "No guarantee has the notion {notion} and the unit {unit}."
NO_GROUP = (
    "At {images:count image} per person, δ of this (ε, δ) guarantee is above {largest:number}."
    " Enter fewer images."
)
NO_DELTA = "δ is missing. This mechanism has an ε only at a δ above 0, such as δ = 1e-5."

#: What counts as public, by kind of mechanism.
PUBLIC = {
    "dp-sgd": "all parameters, but not which records each step samples",
    "gaussian": "all parameters",
    "laplace": "all parameters",
    "exponential": "all parameters and the candidates",
    "pate": "all parameters, the queries and the number of teachers",
    "published": "what the source states",
}
SOURCES = {
    "dp-sgd": "Abadi et al. 2016; Doroshenko et al. 2022",
    "gaussian": "Balle and Wang 2018; Dong, Roth and Su 2019",
    "laplace": "Dwork et al. 2006; Doroshenko et al. 2022",
    "exponential": "McSherry and Talwar 2007; Dong, Durfee and Rogers 2020",
    "pate": "Papernot et al. 2018, data-independent",
    "published": "stated by the source",
}
STARTS = "at the stated release"
DEFAULTS = "the choice of the parameters is not covered"

#: Why a library gives no number.
NO_LIBRARY = {
    "missing": "not installed",
    "published": "not needed: the source states ε",
    "failed": "the library gives no number here",
    "pure": "states no ε at δ = 0",
    "exponential": "does not offer the exponential mechanism",
    "zcdp": "does not offer zCDP",
    "group": "does not support several sampled records per person",
    "sampled": "does not offer Poisson sampling of Gaussian noise",
    "slow": "too slow here",
}

# --------------------------------------------------------------------------- pasted configurations

TOO_LONG = "The configuration has {size:count} bytes; the limit is {most:count}. Shorten it."
NOT_TEXT = "This is not text. A configuration has lines such as noise_multiplier = 1.1."
NOTHING_PASTED = "The configuration is empty. Give a line such as noise_multiplier = 1.1."
NOTHING_FOUND = "No configuration found. Give a noise multiplier, such as noise_multiplier = 1.1."
NO_OPENDP = "Only make_laplace and make_gaussian of OpenDP are read. Give one of them."
SEVERAL_OPENDP = "The configuration has several OpenDP mechanisms. Keep one."
NO_POISSON = (
    "poisson_sampling=False: the guarantee holds for Poisson sampling only. Give the steps with a"
    " sampling rate of 1."
)
AMBIGUOUS = "{name} has several values: {values}. Keep one."
NOT_FINITE = "{name} must be finite, got {value}."
NOT_POSITIVE = "{name} must be above 0, got {value}."
MISSING = "The text does not state {fields}. Add lines of the form name = number."
#: Missing values, each with a name under which it is read.
ASKED = {
    "sigma": "the noise multiplier ({name})",
    "batch": "the batch size ({name})",
    "records": "the data set size ({name})",
    "epochs": "the number of steps (steps, or epochs)",
    "delta": "δ ({name})",
    "scale": "the noise scale ({name})",
    "sensitivity": "the sensitivity (d_in)",
}

# ------------------------------------------------------------------------------------ command line

ONE_MECHANISM = "Give exactly one mechanism, got {number:count}. Options: {names}."
OWN_DELTA = (
    "The configuration states ε = {epsilon:md} at δ = {delta:md}. No ε at another δ follows. Remove"
    " --delta."
)
OTHER_OPTION = "--{name} does not belong to --{kind}. Remove it."
NO_PATE = "PATE needs --queries, --answered and --sigma2."
FILE_KIND = "configuration"

LIBRARIES = {
    "autodp": "autodp",
    "rdp": "dp_accounting, Rényi orders",
    "pld": "dp_accounting, privacy loss distributions",
    "opendp": "OpenDP",
}

# ------------------------------------------------------------------------------------ the guarantee

#: What a guarantee assumes, by kind of mechanism.
ASSUMPTIONS = {
    "dp-sgd": (
        "each step samples each record independently (Poisson), and the sample stays secret",
        "each record's gradient is clipped, and the noise is added to the sum",
        "the adversary sees every step",
    ),
    "unsampled": (
        "each record's gradient is clipped, and the noise is added to the sum",
        "the adversary sees every step",
    ),
    "gaussian": (
        "the noise is independent, with its standard deviation stated as a multiple of the L2"
        " sensitivity",
        "the number of releases is fixed beforehand",
    ),
    "laplace": (
        "the noise is independent, with its scale stated as a multiple of the L1 sensitivity",
        "the number of releases is fixed beforehand",
    ),
    "exponential": (
        "the utility is monotone: adding a record never lowers it",
        "the number of choices is fixed beforehand",
    ),
    "pate": (
        "one record reaches one teacher",
        "the number of answers is limited beforehand",
    ),
    "published": ("the source is right, and its unit is the one chosen here",),
}
#: How many images of one person change a guarantee, by kind of mechanism.
GROUPS = {
    "one": "one image per person",
    "dp-sgd": "each image of a person is sampled independently (Ganesh 2024)",
    "unsampled": (
        "above {most:count} images per person, sampling is not counted: each image is in each step"
    ),
    "linear": "sensitivity grows with the number of images",
    "pate": (
        "each image of a person may reach another teacher; with one teacher per person, use 1 image"
    ),
    "published": "group privacy: ε and μ grow with the number of images, ρ with its square",
    "person": "the source already protects the person, so the number of images does not matter",
}
RHO = {
    "exact": "ρ = {value:md}, exact.",
    "published": "ρ = {value:md}, as stated.",
    "unsampled": "ρ ≤ {value:md}, since sampling is not counted.",
    "pure": "ρ ≤ {value:md}, since ε-DP implies ε²/2-zCDP.",
    "bounded_range": "ρ ≤ {value:md}, tight for the exponential mechanism.",
    "sampled": (
        "No ρ is shown: sampling does not lower ρ. Without sampling it would be {bound:md}."
    ),
    "approx": "No ρ follows from (ε, δ): with probability δ, the loss may have no limit.",
}
MU = {
    "exact": "μ = {value:md}, exact.",
    "unsampled": "μ ≤ {value:md}, since sampling is not counted.",
    "pure": "μ ≤ {value:md}, the tight bound for ε-DP.",
    "bounded_range": "μ ≤ {value:md}, the tight bound for a bounded range.",
    "sampled": (
        "No μ is shown: sampling does not lower μ. Without sampling it would be {bound:md}."
    ),
    "approx": "No μ follows from (ε, δ): with probability δ, the loss may have no limit.",
    "zcdp": "No μ is shown: none is known to follow from ρ.",
}

# ---------------------------------------------------------------------------------------- the page

TITLE = "What do these parameters guarantee?"
#: The answer, by whom the guarantee protects.
ANSWERS = {
    "record": Text(
        "Attackers guess correctly at most **{guess:at_most}** of the time whether your"
        " image was used. If nothing is released: {before:at_most}.",
        "The guarantee is **ε = {epsilon:md}** at **δ = {delta:number_up}**, for adding or removing"
        " one record.",
    ),
    "person": Text(
        "Attackers guess correctly at most **{guess:at_most}** of the time whether your"
        " images were used. If nothing is released: {before:at_most}.",
        "The guarantee is **ε = {epsilon:md}** at **δ = {delta:number_up}**, for adding or removing"
        " one person.",
    ),
}

TILES = {
    "epsilon": "Privacy loss ε",
    "guess": "Attacker's best guess",
    "person": "With {images:count image}",
    "sure": "Attacker {prior:percent} sure",
    "rho": "zCDP ρ",
    "mu": "Gaussian DP μ",
}
GUESS_HELPS = {
    "person": (
        "Attacker's best guess about a person with {images:count image} in the data, at a prior of"
        " {prior:in_full}."
    ),
    "sure": (
        "Best guess of an attacker with a prior of {prior:in_full} that the record was used. It is"
        " an average over all possible releases. A single release can leave the attacker much"
        " surer, above all at a large ε."
    ),
}
EPSILON_NOTE = Text("smaller is safer", "at δ = {delta:number_up}")
EPSILON_HELP = Text(
    "Limit on what the release reveals, at δ = {delta:number_up}. Unit: {unit}. The number is"
    " rounded up.",
    "(ε, δ)-DP. Neighbors: {adjacency}. Unit: {unit}. The number is rounded up.",
)
GUESS_NOTE = "{before:at_most} if nothing is released"
GUESS_HELP = (
    "Largest success rate of any attacker with a prior of {prior:in_full} that the record was used."
)
NO_VALUE = "none"
NOTION_NOTES = {
    "exact": "exact",
    "published": "as stated",
    "pure": "upper bound",
    "bounded_range": "upper bound",
    "unsampled": "upper bound",
    "sampled": "sampling does not lower it",
    "approx": "does not follow from (ε, δ)",
    "zcdp": "none is known",
}

#: Main chart: images of a person.
IMAGES_FINDINGS = {
    "rises": Text(
        "More images of the same person make the attacker's guess better",
        "The best guess rises with the number of images per person",
    ),
    "level": Text(
        "More images of the same person hardly change the attacker's guess",
        "The best guess hardly depends on the number of images per person",
    ),
}
IMAGES_CAPTION = Text(
    "Each point: best guess about a person with that many images. Ring: your value of **Images"
    " per person** (in More settings).",
    "Best guess at the chosen prior, rounded up. Dotted: if nothing is released. Ring: the chosen"
    " number of images.",
)
#: Chart of the attacker's prior.
FINDING = "The best guess rises by at most {gain:md} points, at a prior of {prior:in_full}"
CAPTION = Text(
    "Dotted: best guess if nothing is released. Ring: the chosen prior.",
    "Prior: how likely the attacker thinks it is that the record was used. Dotted: if nothing"
    " is released. Ring: the chosen prior.",
)

# controls
HEADERS = {"mechanism": "Mechanism", "attacker": "Attacker and person"}
KIND = "Type"
KIND_HELP = "A mechanism, a published guarantee, or a configuration to paste."
KINDS = {
    "dp-sgd": "DP-SGD",
    "gaussian": "Gaussian noise",
    "laplace": "Laplace noise",
    "exponential": "Exponential mechanism",
    "pate": "PATE",
    "published": "Published guarantee",
    "pasted": "Paste a configuration",
}
LABELS = {
    "sigma": "Noise multiplier σ",
    "rate": "Sampling rate",
    "steps": "Steps",
    "releases": "Releases",
    "scale": "Noise scale",
    "choice": "ε of one choice",
    "queries": "Queries",
    "answered": "Maximum answers",
    "tested": "Threshold test",
    "sigma1": "Noise of the test σ₁",
    "sigma2": "Noise of the votes σ₂",
    "notion": "Notion",
    "value": "Value",
    "unit": "Unit of the source",
    "prior": "Attacker's prior (%)",
    "images": "Images per person",
    "paste": "Configuration",
}
#: Labels without symbols, for the level Plain.
PLAIN_LABELS = {
    "sigma": "Noise multiplier",
    "sigma1": "Noise of the test",
    "sigma2": "Noise of the votes",
}
HELP = {
    "sigma": "Standard deviation of the noise, divided by the sensitivity or clipping norm.",
    "rate": "Probability that a record is in a step: batch size divided by data set size.",
    "steps": "All steps of training: epochs divided by the sampling rate.",
    "releases": "How many times the mechanism runs on the same data.",
    "scale": "Scale of the Laplace noise, divided by the L1 sensitivity.",
    "choice": "Probability proportional to exp(ε × utility), for a monotone utility.",
    "queries": "Queries that the threshold test sees.",
    "answered": "A limit that is fixed beforehand.",
    "tested": "Answer only queries with enough votes for one class.",
    "sigma1": "Standard deviation, in votes.",
    "sigma2": "Standard deviation, in votes.",
    "notion": "As the source states it.",
    "value": "ε, ρ or μ, as the source states it.",
    "unit": "Whom the source protects.",
    "prior": "How likely the attacker thinks it is that the record was used.",
    "images": "Above 1, the guarantee is for a person with at most this many images.",
    "paste": (
        "Opacus, TensorFlow Privacy, jax_privacy or OpenDP. Nothing is executed. The link does not"
        " contain the text."
    ),
}
PUBLISHED_NOTIONS = {"approx": "(ε, δ)-DP", "pure": "pure ε-DP", "zcdp": "ρ-zCDP", "gdp": "μ-GDP"}
PUBLISHED_UNITS = {"record": "one image", "person": "one person"}
CODE_PASTED = """privacy_engine.make_private(
    noise_multiplier=1.1, max_grad_norm=1.0)
batch_size = 256
n = 60000
epochs = 15
delta = 1e-5"""
READ = "Read from the text: {values}."
READ_LIBRARY = "{library} configuration: {values}."
RESET = "↺ Reset all settings"

#: Tabs with several parts, and the label of the choice of a part.
TAB_GROUPS = {"curves": "Curves", "compare": "Comparisons"}
PART = "Part"
#: Other tabs, and the parts of those.
TABS = {
    "meaning": "Assumptions",
    "prior": "Attacker's prior",
    "curve": "ε and δ",
    "trade_off": "Trade-off curve",
    "person": "Images per person",
    "split": "Split a budget",
    "deployments": "Deployments",
    "libraries": "Other libraries",
    "accuracy": "Accuracy",
    "table": "Table and code",
}
ROWS = {
    "adjacency": "neighboring data sets",
    "unit": "unit",
    "epsilon": "as (ε, δ)-DP",
    "rho": "as zCDP",
    "mu": "as Gaussian DP",
    "guess": "attacker's best guess",
    "assumptions": "assumptions",
    "person": "images of a person",
    "public": "public",
    "source": "source",
}
#: Names of these rows at the plain level.
ROWS_PLAIN = {"epsilon": "privacy loss"}
GUESS_ROW = "at most {guess:at_most} with a prior of {prior:in_full}"
EPSILON_ROW = "ε = {epsilon:md} at δ = {delta:number_up}"
CURVE_FINDING = "A smaller δ means a larger ε"
CURVE_CAPTION = "Each point is a valid (ε, δ) guarantee of the same release. Ring: the chosen δ."
CURVE_ONE_POINT = "The source states one (ε, δ). No ε follows at a smaller δ."
TRADE_OFF_FINDING = "Largest true positive rate of any attack"
TRADE_OFF_CAPTION = (
    "No test that decides whether the record was used reaches the shaded area. Dotted: chance."
)
PERSON_COLUMNS = {
    "images": "Images per person",
    "epsilon": "ε",
    "delta": "δ",
    "guess": "Attacker's best guess",
}
PERSON_CAPTION = "Guarantee for a person with at most this many images: {meaning}."
LIBRARY_COLUMNS = {
    "library": "Library",
    "version": "Version",
    "epsilon": "ε",
    "delta": "δ",
    "note": "Note",
}
OWN_LIBRARY = "dpviz (this page)"
LIBRARY_NOTES = {
    "autodp": "upper bound by Rényi orders, exact for Gaussian noise",
    "rdp": "upper bound",
    "pld": "on a grid, rounded up",
    "opendp": "from ρ, or pure DP",
    "own": "rounded up",
}
LIBRARIES_CAPTION = (
    "The same release as analyzed by other libraries. Upper bounds can be far above the exact ε"
    " when there are few steps."
)
ACCURACY_CELL = "{accuracy:interval}"
ACCURACY_COLUMNS = {"method": "Method", "all": "All classes", "rare": "Rare classes"}
ACCURACY_CAPTION = (
    "What the budget buys: accuracy with 95% interval on MNIST with GlyphNet features at"
    " {budget:md}, imbalance ratio 50, {seeds:count noise_seed}."
)
ACCURACY_LINK = "Compare all methods on Trade-off"
ACCURACY_WAIT = "Computing the accuracy…"
ACCURACY_RANGE = "ε is outside the range of the methods here."
TABLE = "Chart"
