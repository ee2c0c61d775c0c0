"""Texts of the section of an exported page that draws new noise in the browser."""

TITLE = "Draw new noise"
INTRO_PICKS = "Your browser draws the noise and picks one public image per class, at any ε."
INTRO_MEANS = "Your browser draws the noise for {method:md} and scores the test images, at any ε."
#: What the browser fills in.
WORDS = {
    "epsilon": "ε",
    "draw": "Draw new noise",
    "many": "Draw 100 times",
    "clear": "Clear draws",
    "seed": "draw {seed}",
    "mean": "Average of draws",
    "counted": "{count} at this ε",
    "none": "none at this ε",
    "noise": "Noise",
    "accuracy": "accuracy",
    "shows": "{name}, represented by this image: {kind}",
    "own": "{name}, represented by an image of its class",
}
#: Note below the scale of the noise, which the browser fills in.
NOISE_PICKS = "Gumbel scale; an image adds {width:number} at most"
NOISE_MEANS = "σ at δ = {delta:number}; an image adds norm 1 at most"
CHART = "Accuracy of each draw against ε."
CAPTION = "{group:md}, data draw {data:md}. One dot per draw; the large dot is the current draw."
#: Names of the accuracies that are drawn, by metric.
GROUPS = {
    "balanced": "Mean accuracy over classes",
    "minority": "Accuracy on rare classes ({names:list})",
    "overall": "Accuracy on all test images",
}
ALL_CLASSES = "All classes"

SUBSET = "Each draw chooses among {used:count} of the {all:count} public images."
ROUNDED = "Features of the test images are rounded to 8 bits."
#: At the most accurate place of the slider.
STORED = "At the largest budget, draws reach {share:percent} accuracy on rare classes."
STORED_THERE = "The stored runs of this data draw reach {share:percent}."
OTHER_METHODS = "New noise is available for {method:md}. Results of all other methods are stored."
WITHOUT_NOISE = (
    "This file contains {what:md} without noise, so no guarantee covers the file. All its data are"
    " published."
)
SCORES, SUMS = "scores of public images", "class sums"
NOT_SECURE = (
    "The random generator is for teaching. Its seeds are known, so never use it for a release."
)

# why a file cannot draw new noise
PRIVATE_DATA = (
    "New noise needs published data, since the file contains class sums without noise. The data set"
    " {data:md} is not published."
)
NEEDS_PAGE = "new_noise is available for the page trade-off only, got {page:md}. Remove new_noise."
NEEDS_CHART = "New noise needs Trade-off as one chart, got a grid. Choose one chart."
NEEDS_METHOD = "New noise needs {method:md} among the methods. Add it."
NEEDS_FORM = "New noise needs the form sum, got {form:md}. Change the form."
NEEDS_AXIS = "New noise needs a budget in (ε, δ)-DP, got {axis:md}. Change the budget."
NEEDS_IMAGES = "New noise needs image-level privacy and unperturbed test images."
TOO_LARGE = (
    "New noise allows {limit:count} numbers in the test features, got {numbers:count}. Raise"
    " k_pool."
)
#: The same on the command line.
REMOVE = "{reason:md} To create the file without new noise, remove new_noise."
