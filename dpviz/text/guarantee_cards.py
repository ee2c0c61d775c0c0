"""Texts on guarantee cards and in the card of a release file.

A card shows them as values of "Public", "Starts", "Unit" and "Defaults", so most are phrases.
"""

#: Start of the guarantee, by kind of record.
STARTS = {
    "image": "at the feature vectors, after the encoder",
    "synthetic": "at the feature vectors",
    "row": "at the rows of the file",
}
#: Between the encoder and the first further step before the guarantee.
AND_AFTER = " and after "
#: Selection of the default settings.
DEFAULTS_HERE = "selected on these data; the cost is not counted"
DEFAULTS_ELSEWHERE = "selected on {dataset}, not on these data; the cost is not counted"
DEFAULTS_TUNED = (
    "selected from {trials:count setting} per method on public data ({public}); no private data"
    " were read"
)

#: Kinds of records, one and many.
PLURALS = {
    "image": "images",
    "row of the file": "rows of the file",
    "synthetic feature vector": "synthetic feature vectors",
}
#: Unit of privacy.
UNIT = {
    "record": "one record = one {record}",
    "person_kept": "one person = at most {records}; further records are dropped",
    "person_one_kept": "one person = at most {records}; further records are dropped",
    "person_all": "one person = all {records} of that person",
    "person_observed": "one person = at most {records}, the largest number in these data",
}
#: Public data beside that of the method.
TEST_SET = "the test {records}"
TEST_SET_PERSONS = "the test {records}, including those of people with training {records}"
OBSERVED_BOUND = (
    "the largest number of records per person ({records}), read from the private data and not"
    " covered by the guarantee"
)
#: Steps before the guarantee begins.
BOUNDED_RECORDS = (
    ", after at most {records} per person were kept (adding one may replace another one of the same"
    " person)"
)
BOUNDED_PERSONS = (
    "; the guarantee for one record covers kept records (adding one may replace another one of the"
    " same person)"
)
HELD_ASIDE_PROTECTED = (
    ", after a hash of each image or person selected training images to set aside; these are"
    " protected as well"
)

#: Ways to use a method that needs a public set.
ADD_PUBLIC_FEATURES = (
    "Add X_public to the file, or choose a second file of public features from the same encoder."
)
CHOOSE_PUBLIC = "Choose a public set: {sets}."
NO_PUBLIC_SETS = "No public set is downloaded."
HOLD_ASIDE = "Or set some of your images aside."
HOLDING_ASIDE = (
    "{images:count of_your_training_images_becomes of_your_training_images_become} public; a"
    " hash of each image or person decides which."
)
TOO_SMALL_TO_HOLD_ASIDE = "The data set is too small to set images aside."
WITHOUT_PUBLIC = "Or use a method without a public set, such as {methods}."

#: Why a release for persons is not possible without a bound.
UNRELEASABLE = (
    "The noise depends on the largest number of records per person, which is private. Set a public"
    " bound, such as 5 (--per-person 5)."
)

# --------------------------------------------------------------------------------- release file

PREDICTION = (
    "class of features x (n, d): argmax(x / |x| @ weights.T + bias), without the division if"
    " normalise is false"
)
PROOF = (
    "Contributions of records are rounded to multiples of a power of two, so sums are exact. Noise:"
    " discrete Gaussian on the same grid (Canonne, Kamath and Steinke 2020, Theorem 14). Choices:"
    " exponential mechanism (McSherry and Talwar 2007)."
)
ASSUMPTIONS = (
    "the data listed as public in the guarantee are really public",
    "OpenDP's proofs of the samplers are correct, and system entropy is unpredictable",
    "steps after the noise read only noisy values (tested, not proved)",
    "nobody observes the running time or a simulation of the same data with a known seed",
    "this file is the only release: each further release spends the budget again",
)
NOT_VERIFIED = (
    "the code of this method was not checked on this machine; `dpviz release` and the dashboard"
    " check it"
)
SEARCHED_SENSITIVITIES = (
    "these sensitivities are correct: a search over artificial neighbors found no larger ones, but"
    " this is not a proof"
)
SENSITIVITY = {
    "l2": "sensitivity of “{event}”: at most {sensitivity} in L2 norm ({neighbors})",
    "range": "sensitivity of “{event}”: range of score changes at most {sensitivity} ({neighbors})",
}
