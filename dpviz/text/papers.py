"""Texts of the Papers page."""

from dpviz.text.template import Text

TITLE = "Do the papers' claims hold here?"

#: The answer, by what the claims were tested on.
ANSWERS = {
    "data": Text(
        "On small data sets, **{support:percent}** of the tests support the papers' claims and"
        " **{contradict:percent}** contradict them. The rest are undecided.",
        "On small data sets and with other encoders, the papers' claims hold significantly in"
        " **{holds:count}** experiments and fail in **{fails:count}**. Undecided:"
        " **{open:count}**.",
    ),
    "data, mostly open": Text(
        "On small data sets, **{support:percent}** of the tests support the papers' claims and"
        " **{contradict:percent}** contradict them. The rest, the largest share, is undecided.",
        "On small data sets and with other encoders, the papers' claims hold significantly in"
        " **{holds:count}** experiments and fail in **{fails:count}**. Undecided:"
        " **{open:count}**.",
    ),
    "data, none open": Text(
        "On small data sets, **{support:percent}** of the tests support the papers' claims and"
        " **{contradict:percent}** contradict them.",
        "On small data sets and with other encoders, the papers' claims hold significantly in"
        " **{holds:count}** experiments and fail in **{fails:count}**. Undecided:"
        " **{open:count}**.",
    ),
    "theory": Text(
        "Theorems and formulas hold as printed in **{holds:count} of {done:count case}**."
    ),
    "none": Text("**{live:count} of {claims:count}** claims can be opened as live views."),
}

# tiles
AGREE, DISAGREE, OPEN = "Tests in favor", "Tests against", "Undecided"
OF_DONE = "of {done:count test}"
OF_DONE_TRIVIAL = "of {done:count test}, {trivial:count} trivially"
AGREE_HELP = (
    "All comparisons of the test agree with the claim. Trivially: the claim could not have failed"
    " on these data."
)
DISAGREE_HELP = "A small data set with another encoder may differ from the paper's own data."
OPEN_HELP = "Not significant. More runs or images would be needed to decide these claims."
THEORY = "Theorems that hold"
THEORY_NOTE = "of {done:count}; {fails:count} fail as printed, {rest:count} other results"
THEORY_HELP = (
    "Theorems, formulas and printed numbers. A computation checks each statement as printed. A"
    " statement that fails may hold in a corrected form: All claims gives each reason. Other"
    " results: {slips:count misprint} in a constant or sign, and {open:count} undecided."
)

# what the claims are tested on
GROUNDS = {
    "mnist5k": "5,000 digits",
    "clothes": "photos of clothes",
    "omniglot-60": "60 of 242 Omniglot characters",
    "theory": "theory",
}
TESTED_ON = "Tested on"
EVERYTHING = "All data and theory"
ENCODERS = "Data: {data:md}. {runs:count run} decided {rows:count outcome}."
DATA_AND_ENCODER = "{ground:md} ({encoder:md})"

# outcomes, by their key in the stored verdicts
OUTCOMES = {
    "holds": "holds",
    "holds trivially": "holds trivially",
    "does not hold": "fails",
    "does not hold as printed: a misprint": "misprint",
    "undecided": "undecided",
    "premise not met here": "premise not met",
    "not tested here": "not tested",
}
ON_DATA = {
    "holds": "holds on {ground:md}",
    "holds trivially": "holds trivially on {ground:md}",
    "does not hold": "fails on {ground:md}",
    "does not hold as printed: a misprint": "misprint, tested on {ground:md}",
    "undecided": "undecided on {ground:md}",
    "premise not met here": "premise not met by {ground:md}",
    "not tested here": "not tested on {ground:md}",
}
IN_THEORY = {
    "holds": "holds as printed",
    "holds trivially": "holds trivially",
    "does not hold": "fails as printed",
    "does not hold as printed: a misprint": "misprint in a constant or sign",
    "undecided": "undecided",
    "premise not met here": "premise not met",
    "not tested here": "not tested",
}
RESULT = "**Result here:** {outcomes:md}."
#: Above the view that a claim leads to.
CLAIM_NOTE = "**{paper}, {place}:** {says} {result:md} [All claims]({back:md})"

# main chart
#: Title of the chart of experiments, by the papers with more experiments in favor than against and
#: by whether theorems are counted, too.
FINDINGS = {
    "every": "In every paper, more tests are in favor than against",
    "every, theory": (
        "In every paper, more tests are in favor than against; {wrong:count} of"
        " {theorems:count theorem} fail as printed"
    ),
    "some": "In {ahead:count} of {papers:count paper}, more tests are in favor than against",
    "some, theory": (
        "In {ahead:count} of {papers:count paper}, more tests are in favor than against;"
        " {wrong:count} of {theorems:count theorem} fail as printed"
    ),
    "only": "{paper:md}: {holds:count test} in favor, {fails:count} against",
    "only, theory": (
        "{paper:md}: {holds:count test} in favor, {fails:count} against; {wrong:count} of"
        " {theorems:count theorem} fail as printed"
    ),
    "none": "No test contradicts a claim",
    "none, theory": (
        "No test contradicts a claim; {wrong:count} of {theorems:count theorem} fail as printed"
    ),
}
FINDING_THEORY = "Of {decided:count decided_statement}, {share:percent} hold as printed"
NO_FAILURE = "No claim fails"
CAPTION = "Each experiment counts once."
CAPTION_SHARED = (
    "The bars add up to {bars:count test} instead of {done:count}, because a test of two papers"
    " counts in both."
)
CAPTION_TESTS = (
    "An experiment is a claim on one data set. Experiments are not tested if the data do not meet"
    " the claim's premise."
)
CAPTION_TRIVIAL = "Holds trivially: the claim could not have failed on these data."
CAPTION_THEORY = "Theorems, formulas and printed numbers. Misprint: a wrong constant or sign."
UNMET = (
    "Cases not tested because the data do not meet the premise: {unmet:count}. A case is a claim on"
    " one data set."
)

TABS = {
    "claims": "All claims",
    "stars": "Three claims to discuss in class",
    "theory": "Theorems",
    "rules": "Rules",
    "table": "Table and command",
}

# tab: three for class
STARS = {
    "proto-f2-high": (
        "With a large budget, the private mean of a class is a better prototype than any public"
        " image."
    ),
    "mixed-tab1-public": (
        "A few public images per class, used alone, beat private training on all images."
        " This holds with many classes and few images per class."
    ),
    "beyond-eq6": (
        "A formula for drawing K public images counts too many sets. With the printed formula, the"
        " privacy loss exceeds the guarantee."
    ),
}
STAR_PLACE = "{paper:md}, {place:md}"
SHOW_STAR = "Open in the dashboard"
STARS_LABEL = "Claims to discuss in class"

# tab: all claims
PAPER = "Paper"
ALL_PAPERS = "All papers"
OUTCOME = "Outcome"
ANY_OUTCOME = "Any outcome"
SEARCH = "Search"
SEARCH_HINT = "Omniglot, AdaMix, ε = 3"
#: Result of each paper, by whether anything fails: experiments, then theorems and formulas.
SUMMARIES = {
    "fails": (
        "The claims hold in **{holds:count} of {done:count}** experiments. "
        "{fails:count failure}: {places:list}."
    ),
    "holds": ("The claims hold in **{holds:count} of {done:count}** experiments and fail in none."),
}
SUMMARIES_THEORY = {
    "fails": (
        "Theorems and formulas hold in **{holds:count} of {done:count case}**. "
        "{fails:count failure}: {places:list}."
    ),
    "slips": (
        "Theorems and formulas hold in **{holds:count} of {done:count case}**. "
        "{slips:count misprint}: {slip_places:list}."
    ),
    "fails and slips": (
        "Theorems and formulas hold in **{holds:count} of {done:count case}**. "
        "{fails:count failure}: {places:list}. {slips:count misprint}: {slip_places:list}."
    ),
    "holds": (
        "Theorems and formulas hold in **{holds:count} of {done:count case}** and fail in none."
    ),
}
#: Fold of the claims of a section that fail nowhere, below those that fail.
REST = "{claims:count claim} without a failure"
NO_MATCH = "No claim matches. Choose another paper or outcome, or search for fewer words."
LIVE = "{claims:count claim}, {live:count} with a live view."
REPRODUCE = "Reproduce: `dpviz reproduce {figure:md} --scale small`."
REPRODUCE_MORE = "Reproduce: `dpviz reproduce {figure:md} --scale small`. Also: {others:md}."
NOT_LIVE = "No live view: {reason:md}"
NEEDS = "The original experiment needs {needs:md}."
RULE = "Rule: {rule:md}"
CITED_RULE = "Cited result, not counted. Rule: {rule:md}"
TEST_COMMAND = "Test it: {command:md}"

# tab: table
CLAIM_TABLE = "Claims"
COUNT_TABLE = "Outcomes by paper"
COUNT_TABLE_THEORY = "Theorems by paper"
COLUMNS = {
    "paper": "Paper",
    "place": "Place",
    "claim": "Claim",
    "data set": "Data set",
    "outcome": "Outcome",
    "because": "Reason",
    "link": "Live view",
    "key": "Key",
}
STORED = (
    "The outcomes are part of the program. Version {version:md} of dpviz computed these outcomes in"
    " {minutes:count minute}. `python -m dpviz papers --keep` recomputes all outcomes. A test"
    " of two papers counts in both bars."
)
NOT_STORED = (
    "No outcomes are stored. `python -m dpviz papers --keep` tests every claim and stores the"
    " outcomes for this page."
)

# report of a reproduced figure
NOTHING_PRINTED = "The paper prints no number for this figure. {why:md}"
NOT_PRIVATE = "No guarantee: this line is not private, or is a private view."
OTHER_ENCODER = "Encoder: {encoder:md} instead of the figure's own."
GUARANTEE = "{notion:md}. Neighbors: {adjacency:md}. Unit: {unit:md}. Public: {public:md}."
GUARANTEE_RANGE = (
    "{notion:md}. The budget grows along the axis, as in the CSV file. Neighbors: {adjacency:md}."
    " Unit: {unit:md}. Public: {public:md}."
)
EXACT = "{headline:md} (ε = {epsilon:number_up} at δ = {delta:number_up})"
AND_ABOVE = "{headline:md} and above"
MADE_BY = "Made by `{command:md}` with dpviz {version:md}."
SETTING = "Setting"
DIFFERENCES = "Differences from the paper"
NUMBERS = "Computed and printed numbers"
GUARANTEES = "Guarantees"
FIGURE_COLUMNS = ("Panel", "Line", "Computed", "Printed", "Source")
PRINTED_PAGE = "{paper:md}, {place:md}, page {page:md}"

#: docs/papers: an index and a page per paper.
PAGES = {
    "title": "Claims of the papers",
    "columns": "| Paper | Claims | Runs |",
    "about": (
        "Each page lists every figure, table, theorem and ablation of a paper. Tests use {places}."
        " Results on a paper's own data and weights may differ."
    ),
    "folds": "Open a line for its evidence, its rule and its live views.",
    "made": "Made by `{command}` with dpviz {version}.",
    "rules": "How an outcome is decided",
    "reproduce": (
        "`dpviz reproduce FIGURE` recomputes a figure beside its printed numbers"
        " ([guide](../how-to/reproduce.md))."
    ),
    "badge": "![Runs of claims of {name}, by outcome]({file})",
    "badge_label": "dpviz",
    "badge_value": "{holds} hold, {fails} do not, {open} undecided",
    "no_result": "not tested yet",
    "cited": "cited result, not counted; {outcome}",
    "same": "Same run as “{place}”.",
    "same_reason": "Same reason as “{place}”.",
    "rule": "Rule: {rule}",
    "view": "Live view: `{address}` ({label}).",
    "needs": "As printed it needs {needs}.",
    "again": "Test again: `dpviz papers --claim {key}`.",
}
