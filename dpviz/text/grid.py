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
        "{method} is best in **{often:count} of {total:count} panels**. In {clear:count panel},"
        " the best method is clearly ahead.",
        "At {budget:md}, {method} has the highest accuracy in **{often:count} of {total:count}"
        " panels**. The best method is significantly ahead in {clear:count panel}.",
    ),
    "progress": Text("{whole:count} of {panels:count panel} computed so far."),
}
PROGRESS = {
    "runs": Text(
        "The grid needs {runs:count run}. *Stop* keeps the finished panels. Fewer *Values* take"
        " less time.",
    ),
    "embed": Text(
        "The grid needs {runs:count run}. Images to embed first: {images:md}. *Stop* keeps the"
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
CAPTION = "All panels use the same axes and markers. Dotted line: chance. ◆: your settings."
EMPTY = "No panel of this grid can be drawn. Each panel shows the reason."
HEADINGS = {"guarantees": "Guarantees", "ranking": "Ranking per panel"}
TABLE = "Points"
COMMAND = "Command for the first panel (run in the project folder):"
KINDS = {"one": "One chart", "grid": "Grid"}
VALUES_HELP = "At most 16 panels are drawn. Unavailable data sets and encoders show what they need."
NEAREST = "The lines have no point at budget {box:md}. The nearest one is shown: **{now:md}**."
BUDGETS_HELP = "Points per line in each panel. “All” takes twice as long."
ACROSS, DOWN, NOTHING_ELSE = "One panel per", "and per", "nothing else"

#: Whether a method is significantly below the best one.
YES_NO = {True: "yes", False: "no"}
