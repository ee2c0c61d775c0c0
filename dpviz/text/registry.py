"""Texts about cards of the public registry of deployments, and about what can be compared."""

UNKNOWN = "unknown"

# ------------------------------------------------------------------------------ files of a registry

FILE_KIND = "YAML"
NO_FILES = (
    "Folder {folder} has no file that ends with .yaml. Give a file, or the folder deployments."
)
MANY_FILES = (
    "Folder {folder} has {number:count} YAML files; the limit is {most:count}. Remove some."
)
NOT_YAML = "{file} is not valid YAML ({reason}). Fix the file, or give another one."
NO_ENTRY = "{file} has no entry. Give a file with url_slug, status, tier and deployment."
MANY_ENTRIES = "{file} has more than {most:count} entries. Split the file."
BAD_ENTRY = "{file}, entry {number:count}: {fault}"

ALIASES = "anchors and aliases are not supported"
REPEATED = "the key “{name}” is repeated"
LONG_NUMBER = "a number is too long"
TOO_DEEP = "too many levels"

FAULTS = {
    "mapping": "{place} must be a mapping of names to values.",
    "other": "{place} has the unknown field “{name}”. The schema has: {names}.",
    "missing": "{place} has no field “{name}”. Add it; write “unknown” if needed.",
    "missing mapping": "{place} has no field “{name}”. Add it.",
    "missing choice": "{place} has no field “{name}”. Add it with one of: {names}.",
    "missing date": "{place} has no field “{name}”. Add a date such as '2026-01-31', in quotes.",
    "text": "{place} must be text, got {value}. Put it in quotes.",
    "number": "{place} must be a number of at least 0, got {value}.",
    "list": "{place} must be a list with at least one text value, got {value}.",
    "choice": "{place} must be one of {names}, got {value}.",
    "date": "{place} must be a date such as '2026-01-31', in quotes, got {value}.",
}
TOP = "The entry"

# ------------------------------------------------------------------------------- card of a release

NAME = "Release made with dpviz: {method}"
DESCRIPTION = "Linear classifier with {classes:count class classes}, trained by {method} on {data}."
DESCRIPTION_STATED = "Guarantee of stated parameters. No data were used."
STATED_NAME = "Stated guarantee"
UNIT_DETAILS = "{unit}. Neighbors: {adjacency}."
PARAMETERS_DETAILS = "Implies ε = {epsilon} at δ = {delta}."
PARAMETERS_MU = "Gaussian DP with μ = {mu}; implies ε = {epsilon} at δ = {delta}."
COMPOSITION = "Source of the guarantee: {source}."
PREPROCESSING = "The guarantee starts {starts}. Default settings: {defaults}."
MECHANISMS = "{how} Library: OpenDP {opendp}; dpviz {dpviz}."
#: Mechanism of a stated guarantee, by its kind.
STATED_MECHANISMS = {
    "dp-sgd": (
        "DP-SGD: {steps:count step} with noise multiplier σ = {sigma} and Poisson sampling at rate"
        " {rate}."
    ),
    "gaussian": "Gaussian noise: {steps:count release} with noise multiplier σ = {sigma}.",
    "laplace": "Laplace noise: {steps:count release} with scale {scale} times the L1 sensitivity.",
    "exponential": "Exponential mechanism: {steps:count choice}, each with ε = {epsilon}.",
    "pate": (
        "Confident-GNMax: {queries:count query queries}, at most {answered:count answer}, σ₁ ="
        " {sigma1}, σ₂ = {sigma2}."
    ),
    "published": "Not stated: the guarantee is taken from its source.",
}
MECHANISM_STATED = "{mechanism} Assumptions: {assumptions}. Computed by dpviz {dpviz}."
NOTES_PROVED = "Assumptions: {assumptions}."
NOTES_UNVERIFIED = (
    "Not verified: the code was not checked on this machine. Assumptions: {assumptions}."
)
PRODUCT_NEEDED = "--registry needs --product-type: what is published. Use one of: {choices}."
OTHER_PRODUCT = "--product-type must be one of {choices}, got {given}."
BAD_FILE_NAME = (
    "The registry accepts file names of a to z, 0 to 9 and _ that end with .yaml, got {name}. Give"
    " --registry another name."
)
SAME_FILE = "--out and --registry name the same file {file}. Give --registry another name."
PRODUCT_ALONE = "--product-type belongs to --registry. Add --registry FILE.yaml."
FILL_IN = "{file}: draft for the registry. Fill in: {names}."

# ------------------------------------------------------------------------------- what is comparable

UNITS = {
    "record": "one record",
    "period": "one person or device per period",
    "device": "one device",
    "person": "one person",
    "organization": "one organization",
    "unknown": UNKNOWN,
}
ADJACENCIES = {"add-remove": "add or remove", "replace": "replace", "unknown": UNKNOWN}
MODELS = {
    "central": "central",
    "local": "local",
    "shuffle": "shuffle",
    "federated": "federated",
    "unknown": UNKNOWN,
}
TRUSTED = {
    "curator": "a collector that adds the noise",
    "nobody": "nobody: each device adds the noise",
    "shuffler": "a shuffler that does not collude",
    "unknown": UNKNOWN,
}
#: Filters of deployments, with their choices.
KINDS = {"unit": UNITS, "adjacency": ADJACENCIES, "model": MODELS, "trust": TRUSTED}
ROW = "{title}: {guarantee}. Unit: {unit}. Neighbors: {adjacency}. Model: {model}."
NO_VALUE = "no value stated"
NO_ROWS = "No deployment fits these filters. Remove one."
DIFFERENT_UNITS = (
    "These values are not comparable, because their units differ ({units}). Use --unit."
)
DIFFERENT_NEIGHBORS = (
    "These values may not be comparable. Their neighbors differ or are unknown. Use --adjacency."
)
DIFFERENT_MODELS = (
    "These values are not comparable, because their models differ ({models}). Use --model."
)

#: Table of deployments on the Calculator page.
COLUMNS = {
    "title": "Deployment",
    "guarantee": "Guarantee",
    "comparable": "Like yours",
    "unit": "Unit",
    "adjacency": "Neighbors",
    "model": "Model",
    "source": "Source",
}
YES, NO = "yes", "no"
COMPARABLE = (
    "Comparable with your guarantee: {same:count} of {count:count} deployments (unit: {unit}; same"
    " neighbors; central model)."
)
NONE_COMPARABLE = (
    "No listed deployment is comparable with your guarantee: none has its unit ({unit}), its"
    " neighbors and the central model."
)
ANY_KIND = "any"
LABELS = {
    "unit": "Unit",
    "adjacency": "Neighbors",
    "model": "Model",
    "trust": "Trusted with the data",
    "file": "Registry file (.yaml)",
}
FILE_HELP = (
    "Entries of the Differential Privacy Deployments Registry, at most {most:count} in one file."
    " They replace the list below and stay in this session."
)
TABLE_TITLE = "Deployments"
TABLE_CAPTION = (
    "Values as given in their sources. “Like yours”: same unit, neighbors and model, judged by"
    " keywords in the entry."
)

# ---------------------------------------------------------------------------------- NIST SP 800-226

#: Components of a guarantee, strongest first: Near, Darais, Lefkovitz and Howarth, Guidelines for
#: Evaluating Differential Privacy Guarantees, NIST SP 800-226 (2025), Figure 1.
LEVELS = {
    "parameters": "privacy parameters",
    "unit": "unit of privacy",
    "algorithms": "algorithms and their correctness",
    "side_channels": "side channels",
    "security": "security and access control",
    "trust": "trust model",
    "collection": "data collection",
}
LEVEL = "NIST SP 800-226, {level}: {value}"
ONE_ENTRY_LEVELS = (
    "The levels of NIST SP 800-226 are printed for one entry. Give a file with one entry, or use"
    " --json."
)
#: Characters of a level's value on a line of the command.
MAX_LEVEL = 200
