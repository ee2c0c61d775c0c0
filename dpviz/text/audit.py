"""Texts of audits: search pairs, canaries, verdicts on custom functions, checks of methods."""

#: Neighbors in the search for the sensitivity.
SEARCH_PAIR = "{name}, class {label} of {classes}, row {row} of {records}, d = {dimension}"
SEARCH_PUBLIC = (
    "public: {name}, class {label} of {classes}, row {row} of {records}, d = {dimension}"
)
SEARCH_ORDER = "reordered, {records} records, d = {dimension}"
SEARCH_PUBLIC_ORDER = "reordered, {records} public records, d = {dimension}"
SEARCH_PERSON = {
    "several": (
        "a person with {records} records in several classes, {others} other records, d ="
        " {dimension}"
    ),
    "one": "a person with {records} records in one class, {others} other records, d = {dimension}",
}

#: Why a method has no audit with canaries in one run.
NO_CANARIES = {
    "mapped": (
        "The release is a projection to a few numbers, so canaries overlap. Instead, audit"
        " DPPL-Mean, which is the release before the projection."
    ),
    "public_map": (
        "The release is DPPL-Public after a public projection. Audit DPPL-Public instead."
    ),
    "trained_map": (
        "The release is a projection to a few numbers, so canaries overlap. The projection is"
        " trained on all canaries."
    ),
    "auto": (
        "Noisy counts decide between a mean and a public image per class. Audit DPPL-Mean and"
        " DPPL-Public instead."
    ),
    "matrix": (
        "The noise is a matrix with one row per feature axis. Its size grows with the square of the"
        " number of canaries, so it hides each canary."
    ),
    "matrix_steps": (
        "Each step adds a noise matrix with one row per feature axis. Its size grows with the"
        " square of the number of canaries."
    ),
    "votes": (
        "A canary changes one vote of one teacher, and votes are counted together. No answer"
        " distinguishes two canaries."
    ),
    "none": "No canaries have been designed for this method.",
    "not_private": "The method is not private, so it has no claim to audit.",
}

#: Verdict on a custom function.
VERDICT = {
    "broken": (
        "Violated: {name} does not satisfy {claim} on {neighbors}. A test has at most {alarms}%"
        " false positives and at most {misses}% false negatives. The claim requires at least"
        " {allowed}% false negatives."
    ),
    "kept": (
        "Not violated: on {neighbors}, the audit shows {sign} ≥ {shown} (claimed: {claimed}). It"
        " detects {variants}. This is not a proof: other neighbors may give a larger bound."
    ),
    "missed": (
        "Inconclusive: on {neighbors}, the audit shows {sign} ≥ {shown} (claimed: {claimed}). It"
        " does not detect {variants}. Use neighbors that differ more, more releases, or a tighter"
        " claim."
    ),
    "converted": (
        "A claim of {sign} = {shown} converts to ε = {epsilon} at δ = {delta}. The actual ε may be"
        " smaller."
    ),
}
COMBINED = "the faulty variant (four releases returned as one)"
OWN_VARIANT = "your faulty variant"
BOTH_VARIANTS = "both faulty variants (four releases returned as one, and yours)"
CERTAINTY = {
    "two": (
        "Joint error probability of all figures: at most {error}. It covers the function and its"
        " faulty variant, {looks} interim results and up to {tests} tests."
    ),
    "three": (
        "Joint error probability of all figures: at most {error}. It covers the function and two"
        " faulty variants, {looks} interim results and up to {tests} tests."
    ),
}
#: A claim as text.
CLAIMS = {
    "pure": "ε = {value}",
    "approx": "(ε, δ) = ({value}, {delta})",
    "converted": "{sign} = {value} (ε = {epsilon} at δ = {delta})",
}
#: Remarks on a custom function.
NOTES = {
    "stopped": "the audit stopped before all releases were made",
    "constant": "all releases are equal on both data sets",
    "no_noise": "all releases on one data set are equal for every seed: the function adds no noise",
    "one_constant": "all releases on one of the data sets are equal",
    "not_repeatable": "the same seed gives different releases, so the audit is not repeatable",
    "holds_seed": "each release contains its seed; the audit compares both data sets at that seed",
    "changes_data": "the function changes its data, so each release uses a copy",
    "shapes": "releases differ in shape, types or order of keys; the audit uses this",
    "places": "long numbers, strings, keys or lengths vary; the audit reads their bits and bytes",
    "unread": "releases have too many long numbers, strings or keys: {parts:count part} not read",
    "nan": "some numbers are nan or missing; the audit uses this",
}
TWO_DATA_SETS = "the two data sets"
STAGES = ("Releases", "Releases of the faulty variant", "Releases of your faulty variant")

#: Failed checks of a method's code.
CHECKS = {
    "no_neighbors": "no neighbors are possible, so the sensitivity was not checked",
    "sensitivity": (
        "neighbors change the draw “{event}” by {moved}, above its claimed sensitivity of {claimed}"
    ),
    "above": "an audit of the draw “{event}” shows ε = {audited}, above its claim of {claimed}",
    "missed": "an audit of the draw “{event}” does not detect noise reduced to a tenth",
    "not_audited": "no audit covers the draw “{event}”",
    "same": "{releases:count release} with noise from system entropy are identical",
    "too_small": "the draw “{event}” has less noise in a release than planned",
    "reads_records": "code that runs after the noise step reads private records",
    "error": "the check of {part} failed with {error}: {message}",
}
PARTS = {
    "sensitivity": "the sensitivity",
    "budget": "the budget",
    "noise": "the noise",
    "release": "the noise of a release",
    "after": "the code that runs after the noise step",
}
CHECKING = "Checking {part} of {method}"
CHECKED = "Checked {method}"
