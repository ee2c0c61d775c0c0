"""Texts of the export menu and of the one-file page."""

MENU = "Export"
LINK = "Link to this view"
REPORT = "Report, one page"
REPORT_HTML = "Report as HTML"
REPORT_PDF = "Report as PDF"
NO_BROWSER = "This server has no Chromium, so it cannot create a PDF. Print the HTML file instead."
PRINTING = "The server creates {file:md} in a few seconds. Your browser then saves the file."
DATA = "Data and settings"
CSV = "All runs as CSV"
TOML = "Settings as TOML"
NOTEBOOK_FILE = "Notebook"
LATEX = "Table as LaTeX"
FIGURE_FILE = "Figure for a paper (PDF)"
#: Which accuracy a table or figure for a paper shows.
METRIC_HELP = {
    "balanced": "Score: mean accuracy over classes.",
    "minority": "Score: accuracy on rare classes. This is a private view.",
    "overall": "Score: accuracy on all test images.",
}
NOTEBOOK = {
    "head": (
        "# {title:md}\n\nThese cells compute the runs of [this view]({link:md}). They need"
        " `pip install 'dpviz[notebook]'`."
    )
}
CODE = "Code for these numbers"
CHARTS = "Charts"
CHARTS_NOTE = "Each file names the data, method, guarantee and version."
NOTHING = "Nothing to export here yet."

PAGE_FILE = "Interactive page, one file"
LESSON_FILE = "Interactive lesson, one file"
FILE_NOTE = (
    "One HTML file that works offline. It contains a computed result for every slider position."
)
PRIVATE_PAGE = "Include private views, marked as such"
PRIVATE_LESSON = "Include private views, each with its badge"
NEW_NOISE = "Let readers draw new noise"
NEW_NOISE_HELP = (
    "The reader draws new noise for DPPL-Mean at any ε. The file then contains class sums without"
    " noise."
)
NEEDS_PRIVATE = (
    "Tick the box to create the file. Every accuracy of rare classes is a private view, so without"
    " private views the file would be empty."
)
BUDGETS = "Budgets"
RATIOS = "Imbalance ratios"
POSITIONS_HELP = "Slider positions in the file. Each one is computed."
EXTRA = "Second slider"
NO_EXTRA = "None"
EXTRA_PARAM = "{method:md}: {label:md}"
EXTRA_POSITIONS = "Positions of the second slider"
EXTRA_VALUES = "Values, separated by commas"
SHELL = "Command"
MAKE = "Create file"
MAKE_HELP = "The file needs {views:count view}. Each view takes one to three seconds."
MAKE_ONE_HELP = "The file takes up to a minute."
SAVE = "Save {name:md} ({kilobytes:count} kB)"
FAILED = "The file could not be created. See the server log."
COMPUTING = "Computing views"

# in the files themselves
OPEN = "Open in the dashboard"
WITH_DRAWS_ONLY = (
    "Your browser computes new draws. All other results were computed beforehand. The file works"
    " without a network and sends nothing."
)
NO_SCRIPTS = "The slider needs JavaScript. The table below has all results."
TABLE = "Results as a table"
SOURCES = "Sources"
#: Columns of the table in the front page's file.
FRONT_HEADS = ("Guarantee", "Result", "Not recognized in the run shown")
NONE_BROKEN = "none"

# files of pages and lessons
OPEN_STEP = "Open this step in the dashboard"
PAGE_ONLY = (
    "Every result here was computed beforehand. A slider stops only at computed positions. The"
    " file works without a network and sends nothing."
)
LESSON_ONLY = (
    "Every result here was computed beforehand. The file works without a network and sends"
    " nothing. Your predictions stay in this window until you close it."
)
PAGE_NO_SCRIPTS = "The sliders need JavaScript."
LESSON_NO_SCRIPTS = "The lesson needs JavaScript. Its text is below."
CHART_TEXT = "Chart as text"
LESSON_TEXT = "Lesson as text"
GUARANTEES = "Guarantees"
RESTART = "Start again"
COMMAND = "Reproduce this view:"
PRIVATE_NOTE = "Private view, not covered by the guarantee. {note:md}"
EMPTY_VIEW = "Nothing to show here."
BUDGET = "Budget {symbol:md}"
RATIO = "Imbalance ratio"
HIDDEN = (
    "Here the dashboard shows a private view. This file leaves out private views. Open this step in"
    " the dashboard to see it."
)

# tables and code on pages
FOLD = "Table, CSV and {source:md}"
AS_CSV = "{title:md} as CSV"
ALL_RUNS = (
    "All runs, with the TOML file: `python -m dpviz sweep {name:md}.toml --out {name:md}.csv`"
)
FIRST_RUN = "First row ({method:md}, seed {seed:md}; run in the project folder):"
ALL_DRAWS = (
    "Mean and interval of {method:md} over {draws:count data_draw}, {seeds:count seed} each:"
)
PYTHON = "Python, and a private release"
RELEASE = (
    "This page shows a simulation with a fixed seed. Each click creates a **release** with noise"
    " from system entropy and spends the budget again. The server keeps no copy. The file contains"
    " the weights and a card with proofs and assumptions."
)
DRAW_RELEASE = "Create a release (.npz)"
