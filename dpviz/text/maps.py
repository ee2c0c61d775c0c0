"""Texts of the Maps page, and of maps and lists of settings on other pages."""

from dpviz.text.template import Text

TITLE = "Which settings work best together?"

#: The answer, by case; the first that applies is shown.
ANSWERS = {
    "running": Text("None of the {cells:count cell} has been computed yet."),
    "empty": Text("No result for these settings."),
    "untested": Text("The rare classes have no test images. Choose another score."),
    "untested classes": Text(
        "The rare classes ({classes:list}) have no test images. Choose another score."
    ),
    "best": Text(
        "{method} recognizes the most {group} with **{cell}**: **{best:of_100} of 100**.",
        "{method} has the highest accuracy on {group} with **{cell}**: **{best:interval}**.",
    ),
    "level": Text(
        "At {at:md}, **{worse:count} of {others:count}** settings of {method} are clearly worse"
        " than the best. Half of the settings recognize **{low:of_100} to {high:of_100} of 100**"
        " {group}.",
        "At {at:md}, **{equal:count} of {others:count}** settings of {method} are not significantly"
        " worse than the best. Middle half of all settings: **{low:percent} to {high:percent}** on"
        " {group}.",
    ),
    "level_none": Text(
        "At {at:md}, no setting of {method} is clearly best. Half of the settings recognize"
        " **{low:of_100} to {high:of_100} of 100** {group}.",
        "At {at:md}, no setting of {method} is significantly better than any other. Middle half of"
        " all settings: **{low:percent} to {high:percent}** on {group}.",
    ),
    "range": Text(
        "{method} recognizes between **{low:of_100}** ({lowest}) and **{high:of_100}** ({highest})"
        " of 100 {group}.",
        "The accuracy of {method} on {group} ranges from **{low:percent}** ({lowest}) to"
        " **{high:percent}** ({highest}).",
    ),
}
#: Instead of a budget in an answer, where budgets are an axis of the map.
ALL_BUDGETS = "these budgets"
#: Sentences below the answer of another page, about settings that it compares.
COMPARED = {
    "best": Text(
        "Clearly worse: {worse:count} of the {others:count other_setting}. The best of many"
        " settings scores high partly by chance.",
        "Significantly worse than the best: {worse:count} of the {others:count other_setting}"
        " (one-sided, Bonferroni).",
    ),
    "same": Text("Same in all cells: {fixed}."),
    "fact": Text("Class sizes are a property of the data, so no setting is called best."),
}

# ------------------------------------------------------------------------------------ controls

KIND = "Map"
KINDS = {
    "window": "Score range",
    "pool": "Pooling",
    "ir": "Class imbalance",
}
#: Titles of the axes, by setting; others have the name of the setting.
AXIS_TITLES = {
    "eps": Text("Privacy budget {symbol:md}"),
    "ir": Text("Imbalance ratio", "Imbalance ratio (IR)"),
    "k_pool": Text("Features averaged together", "Features averaged together (k_pool)"),
    "d_min": Text("Minimum score", "Minimum score (d_min)"),
    "d_max": Text("Maximum score", "Maximum score (d_max)"),
}
METHOD = "Method"

# --------------------------------------------------------------------------------------- tiles

TILES = {
    "best": "Highest of {cells:count cell}",
    "current": "Your settings",
}
#: Notes of tiles: the cell of the sidebar's settings, and what the best guess covers.
FRAMED = "framed cell"
ONE_RUN = "one run; a search raises it"
#: Of the best cell: clearly ahead of all others or not.
BEST_NOTES = {True: "clearly ahead", False: "partly by chance"}
#: Added to the note of an accuracy.
ONE_DRAW = "on this data draw"
#: By the sign of the difference of public images alone from the highest cell, or from the framed
#: one where a side is a fact of the data; None where it is not known.
PUBLIC_NOTES = {
    "best": {
        None: "no private data",
        1: "clearly above the highest cell",
        0: "no clear difference from highest cell",
        -1: "clearly below the highest cell",
    },
    "current": {
        None: "no private data",
        1: "clearly above your settings",
        0: "no clear difference from your settings",
        -1: "clearly below your settings",
    },
}
TILE_HELP = {
    "best": "Highest mean accuracy. The best of many cells is partly random variation.",
    "current": "The framed cell: the settings in the sidebar.",
}

# --------------------------------------------------------------------------------------- chart

CHART_TITLES = {
    "none worse": Text(
        "No clear winner: {runs:count run} per cell cannot rank the settings",
        "No setting is significantly worse than the best",
    ),
    "few worse": Text(
        "No clear winner: few settings are clearly worse than the best",
        "Most settings are not significantly worse than the best",
    ),
    "some worse": Text(
        "No clear winner, but many settings are clearly worse than the best",
        "Some settings are not significantly worse than the best",
    ),
    "weakest": Text(
        "No clear winner. Weakest {weakest:md}",
        "No setting is significantly best. Weakest {weakest:md}",
    ),
    "pattern": Text(
        "{pattern:md} clearly better on average, but no setting clearly wins",
        "{pattern:md} significantly better on average, but no setting is significantly best",
    ),
    "all worse": Text(
        "The best cell is clearly ahead of all others",
        "The best cell is significantly better than all others",
    ),
    "range": Text("{method}: {low:percent} to {high:percent}, depending on the data and budget"),
    "single": Text("{method}: one cell"),
}
#: The weakest row or column, by its setting.
WEAKEST = {
    "d_min": "row: minimum score {value:md} ({mean:percent})",
    "d_max": "column: maximum score {value:md} ({mean:percent})",
    "k_pool": "row: {value:md} averaged features ({mean:percent})",
}
#: The better half of the rows or columns, by setting and end.
PATTERNS = {
    ("d_min", "low"): "Minimum scores up to {value:md} are",
    ("d_min", "high"): "Minimum scores from {value:md} are",
    ("d_max", "low"): "Maximum scores up to {value:md} are",
    ("d_max", "high"): "Maximum scores from {value:md} are",
    ("k_pool", "low"): "Averaging up to {value:md} features is",
    ("k_pool", "high"): "Averaging {value:md} or more features is",
}
CAPTION = Text(
    "Each cell: accuracy in %, mean of {runs:count run} on one data draw. Stronger color: higher."
    " Frame: your settings.",
    "Each cell: accuracy in % with one {rows:md} and one {columns:md}, mean of {runs:count run} on"
    " one data draw. Frame: your settings.",
)
CAPTION_BEST = Text(
    "Each cell: accuracy in %, mean of {runs:count run} on one data draw. Stronger color: higher."
    " ★ highest. Frame: your settings.",
    "Each cell: accuracy in % with one {rows:md} and one {columns:md}, mean of {runs:count run} on"
    " one data draw. ★ highest. Frame: your settings.",
)
#: What a score is, on the map of score ranges.
SCORE = Text(
    "Score: similarity of a training image to a public image.",
    "Score: 1 + cosine similarity of a training and a public image.",
)
BELOW_PUBLIC = Text(
    "▼ clearly worse than public images alone.",
    "▼ significantly worse than public images alone (Holm).",
)
UNPAID = "Choosing a cell costs privacy that no guarantee here covers."

# ---------------------------------------------------------------------------------------- tabs

TABS = {
    "open": "Open a cell",
    "choice": "About this map",
    "table": "Table and command",
    "about": "About the numbers",
}
OPEN = "Open in Trade-off: {rows} {row}, {columns} {column}"
NOTHING_TO_OPEN = "This cell cannot be computed: {reason}."
EMPTY_RANGE = "d_min must be below d_max"
CHOICE = (
    "These accuracies come from private runs. A choice based on them costs privacy that no"
    " guarantee here covers.",
    "To choose without extra cost, use the defaults or tune on public data.",
    "Otherwise, reserve a share of the budget for the choice.",
)
INTERVALS = "Hover over a cell for its 95% interval over {seeds:count noise_seed} and test images."
ONE_SEED = "One noise seed: random variation cannot be estimated."
TABLE_TITLE = "Map"
