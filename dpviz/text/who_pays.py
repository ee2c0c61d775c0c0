"""Texts of the Per-record loss page."""

from dpviz.text.template import Text

TITLE = "Who loses more privacy?"

#: The answer, by case and privacy unit.
ANSWERS = {
    "none": Text("Neither method has a formula for the loss of one image. Choose another method."),
    "rare": Text(
        "All images have the same limit, {at:md}. With {method}, a typical rare-class image uses"
        " **{rare:percent}** of it, a common-class image **{common:percent}**.",
        "With {method} at {budget:md}, the median rare image uses **{rare:percent}** of the limit,"
        " and the median common image **{common:percent}**.",
    ),
    "full": Text(
        "With {method}, every image uses the full privacy limit, {at:md}.",
        "With {method} at {budget:md}, all {number:count image} use the full privacy limit.",
    ),
    "median": Text(
        "With {method}, a typical image uses **{share:percent}** of the privacy limit, {at:md}.",
        "With {method} at {budget:md}, the median image uses **{share:percent}** of the privacy"
        " limit.",
    ),
    "rare_person": Text(
        "All people have the same limit, {at:md}. With {method}, people with rare images use"
        " **{rare:percent}** of it, others **{common:percent}**.",
        "With {method} at {budget:md}, the median person with rare images uses **{rare:percent}**"
        " of the limit, others **{common:percent}**.",
    ),
    "full_person": Text(
        "With {method}, every person uses the full privacy limit, {at:md}.",
        "With {method} at {budget:md}, all {number:count person people} use the full privacy"
        " limit.",
    ),
    "median_person": Text(
        "With {method}, a typical person uses **{share:percent}** of the privacy limit, {at:md}.",
        "With {method} at {budget:md}, the median person uses **{share:percent}** of the privacy"
        " limit.",
    ),
}
#: The limit and its use, by group that uses more.
LIMIT_AND_USE = {
    "more": (
        "**Same limit:** the limit is the same for rare and common classes. **Unequal use:** in"
        " this run, rare classes use more of the limit."
    ),
    "less": (
        "**Same limit:** the limit is the same for rare and common classes. **Unequal use:** in"
        " this run, common classes use more of the limit."
    ),
    "equal": (
        "**Same limit:** the limit is the same for rare and common classes. **Equal use:** in this"
        " run, both groups use about the same share of the limit."
    ),
    "one": "**Same limit:** the limit is the same for all classes.",
}
#: Accuracy on rare classes, by whether it is lower.
RARE_ACCURACY = {
    "lower": (
        "**Lower accuracy:** {method} classifies rare classes less accurately than common classes."
    ),
    "not_lower": "**Accuracy:** {method} is not less accurate on rare classes in this run.",
}

# ------------------------------------------------------------------------------------------- tiles

TILE_LIMIT = "Privacy limit"
TILE_LIMIT_VALUE = "{symbol} ≤ {claim:number}"
TILE_LIMIT_NOTE = {
    "picture": "for every image",
    "person": "for every person",
}
TILE_LIMIT_HELP = {
    "eps": "Guarantee of {method} at δ = {delta:number_up}. It covers the worst case.",
    "pure": "Guarantee of {method}. It holds at any δ and covers the worst case.",
    "rho": "Guarantee of {method} in ρ (zCDP). It covers the worst case.",
}
TILE_GUESS = "Attacker's best guess"
TILE_GUESS_NOTE = "chance 50%"
TILE_GUESS_HELP = (
    "Highest success rate of any attacker on {method} who guesses whether a given image was used."
    " The same for rare and common classes."
)
TILE_RARE = "Accuracy, rare classes"
TILE_RARE_NOTE = "{rest:percent} for common classes"
TILE_RARE_HELP = {
    "named": (
        "Accuracy of {method} on test images of rare classes ({classes:list}), compared with the"
        " other classes. Same run as the losses."
    ),
    "draws": (
        "Accuracy of {method} on test images of rare classes, compared with the other classes. The"
        " losses are those of one run."
    ),
}
TILE_PUBLIC = "Public images alone"
TILE_PUBLIC_NOTE = "on rare classes"
TILE_PUBLIC_HELP = (
    "Accuracy on rare classes of a classifier trained on all labeled public images. It uses no"
    " private data."
)

# ------------------------------------------------------------------------------------------- chart

FORM_LABEL = "Chart"
FORMS = {"figures": "Images", "curve": "Curve"}
FORMS_PERSON = {"figures": "People", "curve": "Curve"}
#: Finding above the chart, about the first method, by case: the group that typically uses more of
#: its limit uses all of it, another share than the other group, or about the same share in words.
FINDINGS = {
    "more_full": Text(
        "{method}: typical rare images use up their limit, common ones {common} of it"
    ),
    "less_full": Text("{method}: typical common images use up their limit, rare ones {rare} of it"),
    "more": Text("{method}: typical rare images use {rare} of their limit, common ones {common}"),
    "less": Text("{method}: typical common images use {common} of their limit, rare ones {rare}"),
    "more_close": Text(
        "{method}: rare classes use slightly more of their limit than common classes"
    ),
    "less_close": Text(
        "{method}: common classes use slightly more of their limit than rare classes"
    ),
    "equal": Text("{method}: rare and common classes use about the same share of their limit"),
    "one": Text("Losses by method"),
}
#: Shares of the limit in words, each up to a share.
SHARES = {
    0.05: "almost none",
    0.15: "about a tenth",
    0.22: "about a fifth",
    0.29: "about a quarter",
    0.4: "about a third",
    0.6: "about half",
    0.71: "about two thirds",
    0.85: "about three quarters",
    1.0: "most",
}
#: The second method, by its gap between rare and common classes, compared with the first.
SECOND = {
    "smaller": Text("{method} narrows the gap: rare {rare:percent}, common {common:percent}."),
    "larger": Text("{method} widens the gap: rare {rare:percent}, common {common:percent}."),
    "same": Text("{method} has about the same gap: rare {rare:percent}, common {common:percent}."),
    "reversed": Text("{method} reverses the gap: rare {rare:percent}, common {common:percent}."),
}
#: Finding above the chart where the groups are not rare and common images.
GROUP_FINDING = Text(
    "{method}: typically {first:percent} for {group}, {second:percent} for others",
    "{method}: median {first:percent} for {group}, {second:percent} for others",
)
FIGURES_ALT = "100 squares per method and group, shaded by the share of the limit used."
PANEL_VALUE = {
    "record": Text("Typical image: {share:percent}", "Median image: {share:percent}"),
    "person": Text("Typical person: {share:percent}", "Median person: {share:percent}"),
}
PANEL_NOTE = {
    "record": "{number:count image}, 1 square = 1%",
    "person": "{number:count person people}, 1 circle = 1%",
}
PANEL_TITLE = "{method}, {group}"
PANEL_ALT = "{title}: {high:number}% use over 90% of the limit, and {middle:number}% use 50–90%."
FIGURES_LEGEND = {
    "strong": "over 90% of the limit",
    "middle": "50–90%",
    "pale": "under 50%",
}
#: Above the chart.
ONE_RUN = "One run, noise seed {seed:count}."
FIGURES_CAPTION = {
    "record": Text("Typical image: the median.", ""),
    "person": Text("Typical person: the median.", ""),
}
CURVE_CAPTION = Text(
    "Losses within each group, from highest to lowest. Top line: limit for everyone.",
    "Sorted losses of this run at the chosen noise seed. Top line: limit for every run.",
)
UNITS = {
    "rho": "Privacy-loss unit: ρ (zCDP), comparable across methods.",
    "eps": "Privacy-loss unit: ε at δ = {delta:number_up}.",
    "pure": (
        "Privacy-loss unit: ε at δ = {delta:number_up}. {methods:md} guarantees pure ε, which is"
        " stronger. Choose ρ for one unit."
    ),
}

# ---------------------------------------------------------------------------------------- controls

LABELS = {
    "scale": "Privacy-loss unit",
    "seed_fold": "Noise seed",
    "seed": "Seed",
    "first": "First method",
    "second": "Second method",
    "who": "Group",
    "band": "Loss, % of the limit",
    "by": "Loss under",
    "order": "Order",
}
SCALES = {"eps": "ε at δ", "rho": "ρ (zCDP)"}
SCALE_HELP = (
    "Unit of the losses of both methods. ε at δ: as in the guarantee. Pure ε holds at any δ and can"
    " look larger. ρ: zCDP, comparable across methods."
)
SEED_HELP = "Seed of the run. Losses depend on the run."
BAND_HELP = "Shows images with a loss in this range. Select a bar above to set the range."
ORDERS = {"dear": "Highest first", "cheap": "Lowest first"}
GROUP_TITLES = {
    "split": "Rare vs. common",
    "all": "All",
    "selected": "Selected vs. others",
    "selected_person": "Selected people vs. others",
    "class": "Class {name:md} vs. others",
    "class_person": "People with {name:md} vs. others",
}
#: Names of the two groups.
GROUPS = {
    "split": ("rare", "common"),
    "split_person": ("rare", "others"),
    "all": ("all", "none"),
    "selected": ("selected images", "others"),
    "selected_person": ("people with selected images", "others"),
    "class": ("class {name:md}", "others"),
    "class_person": ("people with {name:md}", "others"),
}

# -------------------------------------------------------------------------------------------- tabs

TABS = {
    "images": "Images by loss",
    "classes": "By class",
    "spread": "Numbers",
    "guarantees": "Guarantees",
    "about": "Losses",
    "table": "Table",
    "numbers": "About the numbers",
}
TABS_PERSON = TABS | {"images": "People by loss"}
#: How many images are in the range of losses, of all or of the chosen group.
IMAGES_IN_BAND = {
    "none": "0 of {all:count image} in this range. Widen the range or select a bar.",
    "some": (
        "**{number:count} of {all:count image}** in this range, {rare:percent} of them from rare"
        " classes."
    ),
    "none_person": "0 of {all:count person people} in this range. Widen the range or select a bar.",
    "some_person": (
        "**{number:count} of {all:count person people}** in this range, {rare:percent} of them"
        " from rare classes."
    ),
    "none_group": "0 of {all:count} ({group}) in this range. Widen the range or select a bar.",
    "some_group": (
        "**{number:count} of {all:count}** ({group}) in this range, {rare:percent} of them from"
        " rare classes."
    ),
}
BAND_RIGHT = "{method}: training accuracy {right:percent}."
BAND_FIRST = "The first {number:count} are shown."
CARDS_LEGEND = (
    "Below each image: class and privacy loss per method, in the method's color. Marks: prediction"
    " correct (✓) or wrong (✗)."
)
CARDS_LEGEND_PERSON = (
    "Up to {pictures:count image} per person. Below: images kept, privacy loss per method (in the"
    " method's color), and share classified correctly."
)
PERSON_GROUPS = (
    "A person counts as rare if at least half of the kept images are of rare classes. A person"
    " belongs to every class that occurs among their kept images."
)
CLASSES_CAPTION = (
    "Largest class first, rare classes shaded. Marker: median. Thick: middle half. Thin: middle"
    " 90%. Line: limit."
)
SPREAD_TITLE = "Privacy loss and accuracy"
SPREAD = {
    "claim": "limit",
    "max": "highest loss",
    "median": "median loss",
    "median_rare": "median, rare classes",
    "median_common": "median, common classes",
    "middle": "middle 90%",
    "full": "at least 95% of the limit",
    "full_rare": "… of rare classes",
    "right": "training accuracy",
    "right_rare": "… rare classes",
    "right_common": "… common classes",
    "right_max": "… highest 5% of losses",
    "right_min": "… lowest 5% of losses",
    "test": "test accuracy, rare classes",
    "test_common": "… other classes",
}
SPREAD_FULL = "{number:count} of {all:count}"
SPREAD_RANGE = "{low:md} to {high:md}"
SPREAD_NONE = "none"
SPREAD_CAPTION = {
    "record": "Losses in {unit:md}.",
    "person": "Losses in {unit:md}. Accuracy: mean over each person's kept images.",
}
ORIGIN = "Losses of noise seed {seed:md}. {runs:md}"
TABLE_TITLE = "Losses"
TABLE_PRIVATE = "The file is as sensitive as the private images. No guarantee covers it."
CODE_CAPTION = "Python code for the losses of the first method, from the project folder:"
NO_FORMULA = "{method}: {reason}"
ABOUT = """
**Privacy loss ε′.** A guarantee covers the worst possible image. The loss ε′ covers one given
image. It compares this run with a run on the same data without this image. It is never above the
limit.

**Guarantee per person.** The loss ε′ compares this run with a run without all kept images of the
person. The images of a person can have opposite effects. So ε′ is at most the sum over the images.

**Same limit, unequal use.** The limit is the same for everyone, including rare classes. Rare images
often use more of the limit, because fewer similar images hide them. Accuracy on rare classes is a
different question: it is often lower.

**Limits of this number.** The loss holds for these data and this run. Other data or seeds can give
a higher loss. The loss is computed from private images without noise. A high loss marks an unusual
image. Do not publish losses, not even as a histogram. A small loss does not make it safe to reveal
that an image was used. Do not choose the settings of a release by the loss. The guarantee does not
cover this choice.

**Reading the curve.** A flat curve at the limit: every image uses the full limit. A falling curve:
common images use less than unusual images.

Sources: Wang 2019, *Per-instance differential privacy*; Golatkar et al. 2022 (AdaMix), Figure 3.
"""
WITHOUT_FORMULA = "**Methods without a formula** (at their default settings)"
