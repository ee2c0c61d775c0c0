"""Texts of the tab Redraw on Trade-off."""

from dpviz.text.template import Text

BUTTON = "Draw new noise"
HELP = "Runs the selected private methods once more with a new noise seed. The data stay the same."

#: The finding, by case.
FINDINGS = {
    "none": Text(
        "How much does one run vary? Draw new noise to see.",
        "Draw new noise to see how much the accuracy varies from run to run.",
    ),
    "first": Text(
        "In this draw, {method:md} recognizes **{now:of_100} of 100** {group:md}. Draw again to"
        " see how much that varies.",
        "In this draw, {method:md} classifies **{now:percent}** of {group:md} correctly. Draw"
        " again to see the variation.",
    ),
    "several": Text(
        "In this draw, {method:md} recognizes **{now:of_100} of 100** {group:md}. The last"
        " {draws:count draw}: {low:of_100} to {high:of_100}.",
        "In this draw, {method:md} classifies **{now:percent}** of {group:md} correctly. The last"
        " {draws:count draw}: {low:percent} to {high:percent}.",
    ),
}
#: Below the chart.
CAPTION = Text(
    "Large: this draw. Small: the last {shown:count draw}. Line with bar: range of 95% of all"
    " draws so far, and their mean.",
    "Large: this draw. Small: the last {shown:count draw}. Line with bar: 2.5% to 97.5% quantile"
    " of all draws so far, and their mean.",
)
#: By the data draws behind the chart of the page.
SEED = {
    "one": (
        "Noise seed {seed:md}, data draw {draw:md}. Only the noise changes from draw to draw. This"
        " command repeats the draw of {method:md}:"
    ),
    "several": (
        "Noise seed {seed:md}, data draw {draw:md}. Only the noise changes from draw to draw. The"
        " chart above is the mean of {draws:count data_draw}. This command repeats the draw of"
        " {method:md}:"
    ),
}
CSV = "All draws as CSV"

#: Fold with the accuracy by step.
STEPS = "This draw, step by step"
REPEATING = "Repeating one run…"
STEPS_FINDING = (
    "{method:md}: **{now:percent}** after {steps:count step}. Its highest accuracy is"
    " {high:percent}, after {place:count step}."
)
STEPS_CAPTION = (
    "Simulated like the draw above. A real run publishes only the last model. The guarantee covers"
    " the models of all steps. The test images are not protected."
)
STEPS_CSV = "All steps as CSV"
