"""Texts of Trade-off as a grid of panels, and of rankings."""

from dpviz.text.template import Text

NOTHING = "No panel of this grid has a result yet."
ANSWERS = {
    "reach": Text(
        "Accuracy on {group:md} ranges from **{low:percent}** ({lowest}) to **{high:percent}**"
        " ({highest}).",
        "At {budget:md}, the best accuracy on {group:md} ranges from **{low:percent}** ({lowest})"
        " to **{high:percent}** ({highest}).",
    ),
    "leader": Text(
        "{method} is highest in **{often:count} of {total:count} panels**. In {clear:count} panels"
        " the best method is clearly ahead.",
        "At {budget:md}, {method} is highest in **{often:count} of {total:count} panels**. The best"
        " method is significantly ahead in {clear:count} panels.",
    ),
    "progress": Text("Computing {whole:count} of {panels:count panel}…"),
}
PROGRESS = {
    "runs": Text(
        "The grid takes {runs:count run}. *Stop* keeps finished panels. Fewer *Values* are faster.",
    ),
    "embed": Text(
        "The grid takes {runs:count run}. First, images are embedded: {images:md}. *Stop* keeps"
        " finished panels."
    ),
}
EMBEDDED = "**{images:count}** with {encoder}"
PUBLIC = Text(
    "Public images alone are clearly better than the best private method in {more:count} of"
    " {panels:count panel}, and clearly worse in {less:count}.",
    "Public images alone are significantly better than the best private method in {more:count} of"
    " {panels:count panel}, and significantly worse in {less:count}.",
)
SIGNS = {1: "significantly higher", -1: "significantly lower", 0: "not significantly different"}
LETTERS = "Methods that share a letter do not differ significantly (all pairs, Holm, 5%)."
GROUPS = {
    "minority": "images of rare classes",
    "balanced": "images (classes weighted equally)",
    "overall": "all images",
}
CAPTION = "All panels share axes and marker. Dotted line: chance. ◆: your settings."
EMPTY = "No panel of this grid can be drawn. Each panel gives its reason."
HEADINGS = {"guarantees": "Guarantees", "ranking": "Ranking per panel"}
TABLE = "Points as CSV"
COMMAND = "Run the first cell again from a shell in the project folder:"
KINDS = {"one": "One chart", "grid": "Grid"}
VALUES_HELP = "At most 16 panels are drawn. Unavailable sets and encoders say what they need."
NEAREST = "The lines have no point at budget {box:md}. The nearest one is shown: **{now:md}**."
BUDGETS_HELP = "Points per line in each panel. “All” takes twice as long."
ACROSS, DOWN, NOTHING_ELSE = "One panel per", "and per", "nothing else"
