"""Texts of the Sweeps page."""

from dpviz.text.template import Text

TITLE = "What did the sweep find?"
#: Title as long as there is no sweep.
EMPTY_TITLE = "Run your own sweep"

#: The answer, by case.
ANSWERS = {
    "none": Text(
        "No sweep yet. A sweep runs every selected method at every selected budget and compares"
        " them."
    ),
    "unknown": Text("This server has no sweep with that link. Start a new one below."),
    "starting": Text("This sweep is starting."),
    "waiting": Text("No result of this sweep yet: {done:count} of {total:count run} done."),
    "unreadable": Text(
        "No stored result of this sweep.",
        "No stored result of this sweep: it ran with other code, or its results were deleted.",
    ),
    "failed": Text("This sweep failed. The All sweeps tab gives the reason."),
    "untested": Text("The rare classes have no test images. Choose another score."),
    "reference": Text("This sweep has no private method at this budget."),
    "best": Text(
        "With {ratio:md}, {method} recognizes **{best:of_100} of 100** {group}.",
        "At {budget:md} and {data}, {method} has the highest accuracy on {group}:"
        " **{best:interval}**.",
    ),
    "public_better": Text(
        "Public images of the same classes, used alone, do better: **{public:of_100} of 100**"
        " {group} are recognized. The best private method recognizes **{best:of_100}**.",
        "At {budget:md} and {data}, public images of the same classes alone (**{public:percent}**"
        " correct on {group}) are significantly better than {method} (**{best:percent}**).",
    ),
    "level": Text(
        "No clear difference with {ratio:md}: {method} recognizes **{best:of_100} of 100** {group},"
        " {rival} **{other:of_100}**.",
        "At {budget:md} and {data}, {method} (**{best:percent}**) and {rival}"
        " (**{other:percent}**) do not differ significantly on {group}.",
    ),
}
#: Class sizes in an answer: an imbalance ratio, or those of the data set.
RATIOS = {
    "ratio": "an imbalance ratio of {ratio:number}",
    "original": "the original class sizes",
}
#: Titles of the main chart, by case of the answer.
CHART_TITLES = {
    "best": Text(
        "{method} has the highest accuracy at this privacy level",
        "{method} has the highest accuracy at {budget:md}",
    ),
    "level": Text(
        "{method} and {rival} do not clearly differ at this privacy level",
        "{method} and {rival} do not differ significantly at {budget:md}",
    ),
    "reference": Text("Methods without noise"),
    "untested": Text("Accuracy is not known"),
}
CHART_CAPTION = "Lines: mean over {seeds:count noise_seed}. Bands: 95% intervals."
CHART_CAPTION_ONE = "Lines: one noise seed, so no bands."

# ---------------------------------------------------------------------------------------- states

SIGNS = {"running": "▶", "finished": "✓", "stopped": "❚❚", "failed": "✕", "broken off": "⚡"}
STATES = {
    "running": "running",
    "finished": "finished",
    "stopped": "stopped",
    "failed": "failed",
    "broken off": "not responding",
}
PROGRESS = "{sign:md} **{name}** · {state:md}: {done:count} of {total:count run}"
STARTING = "{sign:md} **{name}** · starting"
NO_OTHER = "No other sweep."
STARTED = "started {age:md} ago on {place}"
TITLE_OF = "{sign:md} {name:md} ({age:md} ago)"
#: Units of an age, by seconds.
AGES = {86400: "{n:count} d", 3600: "{n:count} h", 60: "{n:count} min", 1: "{n:count} s"}
OLDER = "{count:count older_sweep}: select one under **Sweep**."
STOP, STOP_HELP = "Stop", "Keeps the finished runs."
FORGET, FORGET_HELP = "Remove", "Keeps its stored results."
STAGE = "{stage}."

# ------------------------------------------------------------------------------------ controls

SWEEP = "Sweep"
BUDGET = "Privacy budget {symbol:md}"
LABELS = {
    "dataset": "Data set",
    "encoder": "Encoder",
    "ir": "Imbalance ratio",
    "records": "Images per class",
    "unit": "Privacy unit",
    "per_person": "Images per person",
    "draw": "Data draw",
}
SETTINGS_HELP = "This sweep has {count:count setting} of this method."

# --------------------------------------------------------------------------------------- tiles

TILES = {
    "runs": "Runs",
    "best": "Best private method",
}
RUNS_VALUE = "{done:count} of {total:count}"
NOTES = {
    "runs": "{state:md}",
    "skipped": "{state:md}, {skipped:count} skipped",
    "best": "{method}",
}
TILE_HELP = {
    "runs": "Runs of sweep {name}.",
    "skipped": "Runs of sweep {name}. Invalid runs are skipped; the All sweeps tab gives reasons.",
    "best": "Highest mean accuracy among private methods at this budget.",
}

# ---------------------------------------------------------------------------------------- tabs

TABS = {
    "results": "Run table",
    "settings": "Settings compared",
    "panels": "Side by side",
    "records": "Images per class",
    "two": "Two sweeps",
    "guarantees": "Guarantees",
    "sweeps": "All sweeps",
    "new": "New sweep",
    "files": "Files and command",
    "about": "About the numbers",
}
PANELS = "All panels use the same axes and the settings in the sidebar."
RANKING = "Ranking"
LETTERS = "Settings that share a letter do not differ significantly (Holm, 5%)."
RECORDS = (
    "All methods at the selected budget. Bars: 95% intervals over noise seeds and test images."
)
RECORDS_KEPT = "Images are chosen before the guarantee applies."
COMPARED = "Other settings are those in the sidebar."
LINES = "Each line is one setting. Red: the sidebar's setting. Darker: higher accuracy."
NOT_IN_SWEEP = "not in this sweep"
FACTS = {"ir": "IR", "records": "images per class", "per_person": "images per person"}
SETTING = "{name} {value}"

COMPARE = "Method"
CHART_KIND = "Chart"
CHARTS = {"two": "One or two settings", "all": "All settings"}
ROWS, OTHER_ROWS, BUDGET_COLUMN = "Setting", "and", "budget"

#: All settings of a method at once.
ALL_SETTINGS = {
    "none": Text("No run of this method at this budget."),
    "ends": Text(
        "{method}: from **{low:of_100} of 100** ({lowest}) to **{high:of_100}** ({highest}).",
        "{method} at {budget:md}: from **{low:percent}** ({lowest}) to **{high:percent}**"
        " ({highest}).",
    ),
    "omitted": Text("{omitted:count more_setting} not drawn."),
}

# ------------------------------------------------------------------------------------ new sweep

WAY = "Input"
WAYS = {"form": "Form", "toml": "TOML"}
FORM_DATA = "Data set"
FORM_ENCODERS = "Encoders"
FORM_NAME = "Name"
FORM_NAME_EXAMPLE = "for example {name:md}"
#: The fold of fields that most sweeps leave as they are.
FORM_MORE = "More settings"
FORM_METHODS = "Methods"
FORM_AXIS = "Budget unit"
FORM_BUDGETS = "Budgets {symbol:md}"
FORM_BUDGETS_HELP = "δ = {delta:number}. Type a number to add it."
FORM_RATIOS = "Imbalance ratios"
FORM_RATIOS_HELP = "Largest class size divided by smallest. Type a number to add it."
FORM_SEEDS = "Noise seeds"
FORM_SEEDS_HELP = "Runs per setting. More runs give narrower intervals."
FORM_AXES = "Other settings to vary"
FORM_AXES_HELP = "Each one multiplies the number of runs. Others keep their defaults."
#: Settings of the data that the form can vary; settings of methods come after these.
DATA_AXES = {
    "records": "Images per class",
    "draws": "Data draws",
    "unit": "Privacy unit",
    "per_person": "Images per person",
}
METHOD_AXIS = "{method}: {label}"
ALL_VALUES = "all"
VALUES = "Values"
VALUES_HELP = "Number of values from one end to the other, both included."
RANGE_VALUES = "Values to run: {values:md}."
RANGE_HAS_NO_MORE = "Values to run: {values:md}. The range has no other values."
#: Names of a sweep of an upload, and of pasted text.
UPLOAD_NAME, TOML_NAME = "upload", "pasted.toml"
START = "Start sweep"
#: On phones, where the form is in the menu.
FORM_ON_PHONES = "Change the settings in the menu."
#: The button with the number of runs, and with their expected time where it is known.
START_RUNS = "Start sweep · {runs:count run}"
START_PLANNED = "Start sweep · {runs:count run}, {duration:md}"
#: Factors of the number of runs: with one setting of each method and of the data, and otherwise.
PLAN = {
    "methods": "{settings:count method} × {budgets:count budget} × {seeds:count seed}.",
    "settings": "{settings:count method_setting} × {budgets:count budget} ×"
    " {data:count data_setting} × {seeds:count seed}.",
}
#: Expected time of a sweep, by its unit.
DURATIONS = {
    "seconds": "about {time:count} s",
    "minutes": "about {time:count} min",
    "hours": "about {time:count} h",
}
EXPECTED_TIME = {
    "partly": "The estimate leaves out {methods:list}: no run on these data is stored.",
    "unknown": "Expected time unknown: no run on these data is stored.",
}
#: Title of the example and its subtitle, by case. Public images alone, where their accuracy
#: is stored: clearly above every private method, or level with the clearly best one. Only: one
#: private method. Leading: too few runs to test a difference.
EXAMPLE_TITLES = {
    "best": Text(
        "Example: {method} is clearly best at {level:md}",
        "Example: {method} has the highest accuracy at {budget:md}",
    ),
    "only": Text("Example: accuracy of {method} at {level:md}"),
    "public_better": Text(
        "Example: public images alone are clearly best at {level:md}",
        "Example: public images alone are significantly better than every private method at"
        " {budget:md}",
    ),
    "public_level": Text(
        "Example: at {level:md}, {method} is not clearly better than public images alone",
        "Example: {method} and public images alone do not differ significantly at {budget:md}",
    ),
    "level": Text(
        "Example: {method} and {rival} do not clearly differ at {level:md}",
        "Example: {method} and {rival} do not differ significantly at {budget:md}",
    ),
    "leading": Text(
        "Example: {method} has the highest accuracy so far at {level:md}",
        "Example: {method} has the highest accuracy so far at {budget:md}",
    ),
    "reference": Text("Example: methods without noise"),
    "untested": Text("Example: accuracy is not known"),
}
#: A budget without its notion.
LEVEL = "{symbol:md} = {budget:number}"
_EXAMPLE_PUBLIC = Text(
    "Over all classes with {ratio:md}, {method} has {best:percent} accuracy and public images alone"
    " {public:percent} (earlier runs).",
    "Over all classes with {ratio:md}, {method} has {best:interval} mean accuracy and public images"
    " alone {public:interval} (earlier runs).",
)
EXAMPLE_SUBTITLES = {
    "best": Text(
        "In earlier runs with {ratio:md}, {method} has {best:percent} mean accuracy over classes.",
        "In earlier runs with {ratio:md}, {method} has the highest"
        " accuracy on {group}: {best:interval}.",
    ),
    "only": Text(
        "In earlier runs with {ratio:md}, {method} has {best:percent} mean accuracy over classes.",
        "In earlier runs with {ratio:md}, {method} has an accuracy on {group} of {best:interval}.",
    ),
    "public_better": _EXAMPLE_PUBLIC,
    "public_level": _EXAMPLE_PUBLIC,
    "level": Text(
        "In earlier runs with {ratio:md}, {method} and {rival} do not clearly differ.",
        "In earlier runs with {ratio:md}, {method} and {rival} do not differ significantly.",
    ),
    "leading": Text(
        "In earlier runs with {ratio:md}, {method} has"
        " {best:percent} mean accuracy, the highest so far.",
        "In earlier runs with {ratio:md}, {method} has the highest accuracy so far on"
        " {group}: {best:interval}.",
    ),
    "reference": Text(""),
    "untested": Text(""),
}
EXAMPLE_CAPTION = "Example: {runs:count} of the same {total:count run}, computed earlier."
EXAMPLE_COMPLETE = "Example: the same {total:count run}, computed earlier."
#: Added where methods have no stored run.
EXAMPLE_MISSING = "Not in the chart yet: {methods:list}."
#: In place of the example, where too few of its runs are stored.
PREVIEW = "The chart of the sweep appears here: one line per method."
EMPTY_FORM = "Select at least one method, budget and imbalance ratio."
BAD_NUMBER = "`{text}` is not a positive number. Remove it or type another one."
TOO_MANY = (
    "{runs:count run} exceed the limit of {limit:count}. Remove values, or use `dpviz sweep` in a"
    " shell."
)
SKIPPED = "{count:count invalid_run} will be skipped: {reason}"
SKIPPED_DONE = "{count:count invalid_run} skipped: {reason}"
MORE_REASONS = "{count:count more_reason} for skipped runs."
TOML_FILE = "TOML file"
TOML_TEXT = "TOML text"
TOML_LISTS = (
    "Lists are allowed for `budgets`, `seeds`, `ir`, `records`, `unit`, `per_person` and settings"
    " of methods."
)
LIMITS = (
    "Sweeps run on this server, one at a time, up to {limit:count run}. Anyone with the link can"
    " see a sweep."
)

# ---------------------------------------------------------------------------------------- files

FILES = {
    "shown": "Runs in the chart",
    "compared": "Compared settings",
    "all": "Download all results (CSV)",
    "toml": "Download sweep (TOML)",
}
