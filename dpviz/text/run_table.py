"""Texts of the run table on the Sweeps page, and of two sweeps side by side."""

#: Titles of the columns, by key; data settings and settings of methods have their own names.
COLUMNS = {
    "tag": "Tag",
    "method": "Method",
    "settings": "Settings",
    "budget": "Budget {symbol:md}",
    "mean": "{metric}, %",
    "low": "{metric}, 95% low",
    "high": "{metric}, 95% high",
    "runs": "Runs",
    "guess": "Best guess, %",
    "epsilon": "ε at δ = {delta:number_up}",
    "seconds": "Seconds per run",
}
#: Columns of the score.
SCORES = ("mean", "low", "high")
PARAM_COLUMN = "{name}"
PARAM = "{name} {value}"
NO_BUDGET = "no noise"
DEFAULTS = "defaults"
NO_TAG = "no tag"
BEST_OF = "Best of"
FILTER = "{column}: {value}"
OPEN, OPEN_LABEL = "Trade-off", "Open"

SHOWN_COLUMNS = "Columns"
FILTERS, ALL_ROWS = "Filter", "All rows"
BEST_PER, NO_GROUPS = "Best per", "No groups"
BEST_PER_HELP = (
    "Shows the private row with the highest accuracy in each group. Rows without noise are left"
    " out."
)
#: Caption of the table, by case.
CAPTIONS = {
    "all": "{rows:count row}: one per setting. Select a column header to sort.",
    "some": "{rows:count row} of {total:count}. Select a column header to sort.",
    "best": (
        "The best of several rows is biased upward, and on private data every row counts toward the"
        " privacy cost."
    ),
}
SELECT = "Select two rows to compare them, or any rows to tag them."
TAG = "Tag of selected rows"
TAG_HELP = "Tags last for this browser session. An empty tag removes the tag."
SET_TAG = "Set tag"
NO_ROWS = "No row has these values. Remove a filter."
CSV_LABEL = "Download run table (CSV)"

# ---------------------------------------------------------------------------------- two rows

DIFFERENCE_TITLE = "Difference of two rows"
DIFFERENCE_CAPTION = (
    "A: {first}. B: {second}. Differences have 95% intervals over noise seeds and test images."
)
SIDE = "{method:md}, {symbol:md} = {budget:md}"
SIDE_WITHOUT_NOISE = "{method:md}"
DIFFERENCE_COLUMNS = {
    "name": "Setting or score",
    "a": "A",
    "b": "B",
    "difference": "B − A",
    "significant": "Significant",
}
SEEDS, DRAWS = "Noise seeds", "Data draws"
FROM_TO = "{low}–{high}"
NO_VALUE = "none"
GUESS = "Attacker's best guess"
EXACT = "exact"
INTERVAL, AT_MOST = "{point:interval}", "{guess:at_most}"

# ---------------------------------------------------------------------------------- two sweeps

SECOND = "Second sweep"
NO_SECOND = "There is no other sweep with results. Start one under **New sweep**."
NOTHING_STORED = "No stored result of {name}."
PAIR_COLUMNS = {
    "method": "Method",
    "settings": "Settings",
    "budget": "Budget {symbol:md}",
    "a": "A: {metric}",
    "b": "B: {metric}",
    "difference": "B − A",
    "significant": "Significant",
}
SIDES = "A: **{first}**. B: **{second}**."
PAIRS = (
    "{pairs:count shared_setting}; {first:count more_row} in A, {second:count more_row} in B."
    " Intervals are 95%; significance uses Holm's correction over all rows."
)
#: A setting with one value in each sweep.
CHANGE = "{name} {a} → {b}"
ALL_CHANGES = "The sweeps differ in all rows: {changes:list}."
NO_PAIRS = "The two sweeps share no setting."
PAIRS_CSV = "Two sweeps"
