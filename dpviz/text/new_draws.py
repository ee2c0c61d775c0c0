"""Texts of the section of an exported page that draws new noise in the browser."""

TITLE = "Draw new noise"
INTRO_PICKS = "Your browser draws the noise and picks one public image per class, at any ε."
INTRO_MEANS = "Your browser draws the noise of {method:md} and scores the test images, at any ε."
#: What the browser fills in.
WORDS = {
    "epsilon": "ε",
    "draw": "Draw new noise",
    "many": "Draw 100 times",
    "clear": "Clear draws",
    "seed": "draw {seed}",
    "mean": "Mean of draws",
    "counted": "{count} at this ε",
    "none": "none at this ε",
    "noise": "Noise",
    "accuracy": "accuracy",
    "shows": "{name}, shown by an image of {kind}",
    "own": "{name}, shown by an image of its class",
}
#: The tile of the noise: value and note.
NOISE_PICKS = ("Gumbel × {scale}", "added to each score")
NOISE_MEANS = ("σ = {scale}", "image norm 1, δ = {delta:number}")
CHART = "Accuracy of each draw against ε."
CAPTION = "{group:md}. One dot per draw; the large dot is the current draw."
#: Names of the accuracies that are drawn, by metric.
GROUPS = {
    "balanced": "Mean over classes",
    "minority": "Rare classes ({names:list})",
    "overall": "All test images",
}
ALL_CLASSES = "All {nouns:md}"

SUBSET = "Each draw chooses among {used:count} of the {all:count} public images."
ROUNDED = "Features of the test images are rounded."
STORED = "At ε = {epsilon:number}, draws recognize {share:percent} of rare {nouns:md}."
STORED_THERE = "The stored runs above recognize {share:percent}."
OTHERS = "New noise is available for {method:md}. Results of all other methods are stored."
WITHOUT_NOISE = (
    "This file contains {what:md} without noise. No guarantee covers the file, since the data are"
    " public."
)
SCORES, SUMS = "scores of public images", "class sums"
NOT_SECURE = (
    "The random generator is for teaching. Its seeds are known, so never use it for a release."
)

# why a file cannot draw new noise
PRIVATE_DATA = (
    "The file would contain class sums without noise, so new noise needs published data. Got"
    " {data:md}. Remove new_noise."
)
PRIVATE_PUBLIC_SET = (
    "The file would contain features from an uploaded public set. Choose a published one or remove"
    " new_noise."
)
NEEDS_PAGE = "new_noise is available for the page trade-off, got {page:md}. Remove new_noise."
NEEDS_METHOD = "New noise needs {method:md} among the methods. Add it or remove new_noise."
NEEDS_FORM = "New noise needs form = sum, got {form:md}. Change the form or remove new_noise."
NEEDS_AXIS = "New noise needs a budget in (ε, δ), got {axis:md}. Change it or remove new_noise."
NEEDS_IMAGES = (
    "New noise needs image-level privacy and unperturbed test images. Change these settings or"
    " remove new_noise."
)
TOO_LARGE = (
    "The test features have {numbers:count} numbers; new noise allows {limit:count}. Raise"
    " dppl-mean.k_pool or remove new_noise."
)
