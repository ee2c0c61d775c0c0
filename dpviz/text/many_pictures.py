"""Texts of the Many images per person page."""

from dpviz.text.template import Text

TITLE = "What does protecting a person cost?"

#: The answer, by case.
ANSWERS = {
    "none": Text("Select a private method to see the cost of protecting each person."),
    "nothing": Text("No result yet."),
    "computing": Text(
        "{done:count} of {all:count method} complete. The first complete method appears here."
    ),
    "so_far": Text(
        "So far, {method} reaches **{person:percent}** per person and **{image:percent}** per"
        " image. {open:count method} not complete.",
    ),
    "untested": Text(
        "The rare classes ({classes:list}) have no test images. Choose another score."
    ),
    "cost": Text(
        "At {at:md}, protecting each person instead of each image costs {method}"
        " **{lost:md}** of accuracy.",
        "At {budget:md}, a guarantee per person instead of per image costs {method} **{lost:md}**"
        " of accuracy.",
    ),
    "unclear": Text(
        "At {at:md}, protecting each person costs {method} about **{lost:md}** of accuracy,"
        " but the difference is not clear.",
        "At {budget:md}, protecting people instead of images costs {method} **{lost:md}** of"
        " accuracy, but the difference is not significant.",
    ),
    "level": Text(
        "At {at:md}, protecting each person shows no clear cost with {method}.",
        "At {budget:md}, {method} with a guarantee per person does not differ significantly from a"
        " guarantee per image.",
    ),
    "gain": Text(
        "At {at:md}, protecting each person costs nothing: **{person:percent}** instead of"
        " **{image:percent}**.",
        "At {budget:md}, {method} is significantly better with a guarantee per person:"
        " **{person:percent}** instead of **{image:percent}**.",
    ),
    "one_seed": Text(
        "One noise seed cannot show a difference: **{person:percent}** per person,"
        " **{image:percent}** per image.",
        "One noise seed cannot show a difference for {method}: **{person:percent}** per person,"
        " **{image:percent}** per image.",
    ),
}
#: Sentence after the answer.
PUBLIC = "Public images alone do better: **{public:percent}**."


# ------------------------------------------------------------------------------------------- tiles

TILE_PERSON = "Per person"
TILE_PERSON_NOTE = "{gap:points} vs. per image"
TILE_BEST = "best of {settings:count}"
TILE_PERSON_HELP = (
    "Accuracy of {method} with a guarantee per person and {limit:md}. The guarantee does not cover"
    " the choice of the best setting. The differences of all methods at all numbers of images are"
    " tested together (Holm). So a difference can be unclear even if the intervals do not overlap."
)
TILE_PERSON_HELP_FIXED = (
    "Accuracy of {method} with a guarantee per person and {limit:md}. The differences of all"
    " methods at all numbers of images are tested together (Holm). So a difference can be unclear"
    " even if the intervals do not overlap."
)
TILE_IMAGE = "Per image"
TILE_IMAGE_NOTE = "same method"
TILE_IMAGE_HELP = (
    "Accuracy of {method} at the same budget, with a guarantee per image and without a limit per"
    " person."
)
TILE_GUESS = "Attacker's best guess"
TILE_GUESS_ABOUT, TILE_GUESS_NOTE = "about a person", "chance 50%"
TILE_GUESS_HELP = (
    "Highest success rate of any attacker who guesses whether a person took part, with the"
    " guarantee per person."
)
TILE_PUBLIC = "Public images alone"
TILE_PUBLIC_NOTE = "no private data"
TILE_PUBLIC_HELP = (
    "Accuracy of a classifier trained on all labeled public images. It uses no private data."
)

# ------------------------------------------------------------------------------------------- chart

#: Finding above the chart, by case: the answer's cost at every number of images per person.
FINDINGS = {
    "growing": Text(
        "Allowing more images per person costs {method} more: {low:number} to {high:count point}",
        "{method}: the cost grows with the limit, from {low:number} to {high:count point}",
    ),
    "every": Text(
        "{method}: the cost is clear at every limit, least with {limit:md}: {low:count point}",
        "{method}: the cost is significant at every limit, least with {limit:md}:"
        " {low:count point}",
    ),
    "every equally": Text(
        "{method}: the cost is clear at every limit: {high:count point}",
        "{method}: the cost is significant at every limit: {high:count point}",
    ),
    "some": Text(
        "{method}: the cost is clear at {clear:count} of {all:count} limits",
        "{method}: the cost is significant at {clear:count} of {all:count} limits",
    ),
    "none": Text(
        "{method}: no limit on images per person shows a clear cost",
        "{method}: the cost is not significant at any limit on images per person",
    ),
    "empty": Text("Accuracy by images per person"),
}
#: Limits in a finding.
LIMITS_SHORT = {"all": "all images", "some": "{limit:count image}"}
#: Beside the two points that the answer compares.
PAIR = "{gap:points}"
LIMITS = {
    "all": "all images of each person",
    "some": "at most {limit:count image} per person",
}
CAPTION = Text(
    "Dots: per person (difference in points). Vertical line: per image. Bars: 95% intervals.",
    "Dots: guarantee per person, with the difference in points and 95% intervals over noise seeds"
    " and test images. Vertical line: guarantee per image.",
)
#: Where the page picks the row of the answer.
CAPTION_BEST = Text("Bold: best.")
#: Where a row has no significant difference.
CAPTION_DOTTED = Text(
    "Dotted: no clear difference.",
    "Dotted: difference not significant (Holm).",
)
CAPTION_ONE_SEED = Text(
    "Dots: guarantee per person. Vertical line: guarantee per image. One noise seed, no interval."
)
#: Below the chart of all lines in the first tab.
CAPTION_LINES = Text(
    "Lines: guarantee per person. Open markers: guarantee per image.",
    "Lines: guarantee per person. Open markers at the right: guarantee per image. Bands: 95%"
    " intervals over noise seeds and test images.",
)
CAPTION_LINES_ONE_SEED = Text(
    "Lines: guarantee per person. Open markers at the right: guarantee per image. One noise seed,"
    " no interval."
)
#: Names of the dots and of the line.
DOTS = ("Per person", "Per image")
#: Name of the line of the reference without private data.
PUBLIC_LINE = "Public images alone"
AXIS = "Maximum images per person"
#: Tick of the marks at the right end.
PER_IMAGE_TICK = "per image"
LINE_IMAGE = "{method}, per image"
LINE_CLIPPED = "{method}, clipped per person"

# ---------------------------------------------------------------------------------------- controls

LABELS = {"kept": "Images per person", "line": "Method", "first": "best per method", "all": "all"}
KEPT_HELP = (
    "Maximum number of images per person. The choice of images to keep does not depend on"
    " other people."
    " The guarantee does not cover the choice “best per method”."
)
NO_PERSONS = (
    "This data set does not identify the people behind its images. So a guarantee per person is not"
    " available. Your own data can identify people by a file people.csv, a folder per person, or a"
    " Parquet column “person”. Feature files use an array “persons”."
)
NO_PERSONS_LINK = "How to add such data: see the Data page"
NO_PERSONS_BUTTON = "Open {data_set}"

# -------------------------------------------------------------------------------------------- tabs

TABS = {
    "costs": "Cost",
    "guarantees": "Guarantees",
    "people": "Example people",
    "sender": "Recognition",
    "paid": "Privacy loss",
    "table": "Table",
    "numbers": "About the numbers",
}
LINES_TITLE = "All methods by number of images"
COSTS_TITLE = "Cost of a guarantee per person"
COSTS_COLUMNS = ("per image", "per person", "change", "images per person")
COSTS_CHANGE = "{points:points}"
COSTS_CHANGE_UNCLEAR = "({points:points})"
COSTS_CAPTION = (
    "Accuracy with 95% interval. Changes without parentheses are significant (Holm, over all"
    " methods and numbers of images). The intervals do not cover the choice of the best number of"
    " images."
)
CARD_TITLE = "{method}: {limit:md}"
EXPLAINED = (
    "Fewer images per person mean less training data. More images mean more noise, except for PATE"
    " and for gradients clipped per person. “All” reads the maximum from the private data. The"
    " guarantee does not cover this maximum."
)
PATE = (
    "**PATE does not depend on the number of images per person.** All images of a person train one"
    " teacher. Removing this person changes at most one vote. So noise that hides one vote hides"
    " the person. Accuracy falls for a different reason: similar images train one teacher instead"
    " of many. Then fewer teachers agree. A linear teacher has one weight per feature and class."
)
PEOPLE = (
    "{people:count person people} contributed {images:count private_image}. Median:"
    " {median:count image} per person, maximum {maximum:count}."
)
PEOPLE_OTHERS = (
    "All other people contributed test or public images, or are excluded by the settings."
)
PERSON_IMAGES = (
    "Images by one person often show the same floor or blanket. If one image is left out, the"
    " others can still reveal the person. A guarantee per image does not cover this."
)
PERSON_ALT = "Person {place:count}: {class_name}"
PERSON_HEAD = "Person {place:count}, {number:count image}"
SENDER = (
    "A floor, a lamp or the light can be enough to recognize a person, even without a face. The"
    " attacker has one image and looks for others by the same person. The attacker compares the"
    " features that an encoder computes."
)
SENDER_PAIRS = (
    "Given two pairs of images, the features identify the pair taken by one person in"
    " **{area:interval}** of cases (chance 50%)."
)
SENDER_FIRST = (
    "Out of {choices:count} images, the features pick the one by the same person in"
    " **{first:interval}** of cases (chance {chance:percent})."
)
SENDER_FEW = "Few people have enough images, so some of them dominate both results."
SENDER_CAPTION = (
    "{lineups:count lineup} of {people:count person people} with two images in one class, at most"
    " {maximum:md} per person. All images in a lineup are of one class. 95% intervals over people."
)
SENDER_SOURCE = (
    "Seed {seed:md}. Sources: Huang et al. 2007 (pairs); Hanley and McNeil 1982 (area); Efron and"
    " Stein 1981, Korn and Graubard 1998 (intervals)."
)
SENDER_CSV = "Histogram as CSV"
GAME = (
    "**Try it.** Five images of class **{class_name}**. Which of A to D is by the same person as"
    " the first?"
)
GAME_FIRST = "Who took this image?"
GAME_BUTTON = "Choose {letter}"
GAME_NEXT = "Next images"
GAME_SAME = "{letter}: ✓ same person, cosine {cosine:md}"
GAME_OTHER = "{letter}: different person, cosine {cosine:md}"
GAME_MINE = "your choice"
GAME_NEAREST = "closest image"
GAME_ANSWERS = {
    "both": "Correct: **{right}**. The closest image is also {right}.",
    "mine": "Correct: **{right}**. The closest image is {nearest}, which is wrong.",
    "features": "Wrong: **{right}** is correct, not {guess}. The closest image is {right}.",
    "none": (
        "Wrong: **{right}** is correct, not {guess}. The closest image is {nearest}, which is also"
        " wrong."
    ),
}
GAME_COSINE = "The closest image has cosine similarity {cosine:md} (identical features: 1)."
GAME_SCORE = (
    "Your score: **{mine:count} of {played:count}**. Closest image: **{features:count} of"
    " {played:count}**."
)
GAME_CHANCE = "Chance: 1 in {choices:count}."

PAID = {
    "many": (
        "**Most images** ({group:md}): median loss **{before:md}** with a guarantee per image,"
        " **{after:md}** per person. Change in accuracy on their images: **{gap:points}**."
    ),
    "few": (
        "**Fewest images** ({group:md}): median loss **{before:md}** with a guarantee per image,"
        " **{after:md}** per person. Change in accuracy on their images: **{gap:points}**."
    ),
}
PAID_GROUP = {
    "exact": "{people:count person people} with {images:count image}",
    "range": "{people:count person people} with {images:md} images",
    "open": "{people:count person people} with at least {images:count image}",
}
PAID_LOSS = "ε′ = {loss:number}"
PAID_LIMIT = "Limit for each person: ε ≤ {claim:number_up}, with {limit:md}."
PAID_CAPTION = (
    "Noise seed {seed:md}, this run only. Marker: median. Thick: middle half. Thin: middle 90%. ε′:"
    " privacy loss of all images of a person together. A guarantee per image does not cover ε′."
)
PAID_RIGHT = "Accuracy: mean over people, on all their training images, kept or not."
PAID_LINES = ("per image", "per person")
PAID_ABSENT = "Not shown: {method}. {reason}"
TABLE_TITLE = "Chart"
TABLE_CAPTION = (
    "Shell commands for all runs behind the answer, with a guarantee per person, then per image."
    " The answer gives means over noise seeds."
)
CODE_CAPTION = "Recognizing a person by features, as Python code from the project folder:"
