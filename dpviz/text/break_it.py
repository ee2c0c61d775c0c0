"""Texts of the Audit page."""

from dpviz.text.template import Text

TITLE = "Would you notice a privacy bug?"

#: The answer, by case; the first that applies is shown.
ANSWERS = {
    "running": Text("Auditing {method}…"),
    "accuracy": Text(
        "With a hidden bug, accuracy is **{with_bug:md}** instead of **{without:md}**."
        " Would you have noticed?",
        "Balanced accuracy of {method} is **{faulty:interval}** with a bug and"
        " **{correct:interval}** without it. Would you have noticed?",
    ),
    "same accuracy": Text(
        "With a hidden bug, accuracy stays at **{with_bug:md}**. Would you have noticed?",
        "Balanced accuracy of {method} is **{faulty:interval}** with a bug and"
        " **{correct:interval}** without it. Would you have noticed?",
    ),
    "error": Text(
        "With a hidden bug, the mean error is **{faulty:number}** {unit} instead of"
        " **{correct:number}**. Would you have noticed?",
        "The mean error of {method} is **{faulty:number}** {unit} with a bug and"
        " **{correct:number}** without it. Would you have noticed?",
    ),
    "caught": Text(
        "**{fault}:** an attacker guesses right at least **{right:at_least}** of the time. The"
        " guarantee allows **{allowed:at_most}**.",
        "**{fault}** ({method}): the audit shows ε ≥ **{shown:md}**, above the claimed"
        " **{claim:number_up}**{conversion:md}.",
    ),
    "caught by one test": Text(
        "**{fault}:** one attack misses at most **{misses:md}%** of the members. At its rate of"
        " false alarms, the guarantee requires at least **{demanded:md}%**.",
        "**{fault}** ({method}): at its false positive rate, one test misses at most"
        " **{misses:md}%**. The guarantee requires at least **{demanded:md}%**.",
    ),
    "correct": Text(
        "No bug was added and none was detected: the audit shows ε ≥ {shown:md}, within the claimed"
        " {claim:number_up}.",
        "No bug was added ({method}): the audit shows ε ≥ {shown:md}, within the claimed"
        " {claim:number_up}{conversion:md}.",
    ),
    "safe": Text(
        "**{fault}:** not a privacy bug. The audit shows ε ≥ {shown:md}, within the claimed"
        " {claim:number_up}.",
        "**{fault}** ({method}): not a privacy bug. The audit shows ε ≥ {shown:md}, within the"
        " claimed {claim:number_up}{conversion:md}.",
    ),
    "missed": Text(
        "**{fault}:** not detected. The audit shows ε ≥ {shown:md}, within the claimed"
        " {claim:number_up}.",
        "**{fault}** ({method}): not detected. The audit shows ε ≥ {shown:md}, within the claimed"
        " {claim:number_up}{conversion:md}.",
    ),
}
#: After a bound that is converted to ε, by notion of the claim.
CONVERSIONS = {
    "gdp": " (μ converted as Gaussian noise)",
    "zcdp": " (ρ converted to ε)",
}

# ------------------------------------------------------------------------------------ controls

FAULT = "Bug"
FAULT_HELP = (
    "One bug, added to the method on purpose. Its name appears after your answer. Changing the"
    " bug resets the method and the claimed ε."
)
HIDDEN_FAULT = "Hidden bug {number:count}"
NO_FAULT = "No bug"
NOTICED = "Would you have noticed?"
NOTICED_CHOICES = {"yes": "Yes", "no": "No", "show": "Show the audit"}
CLAIM = "Claimed ε"
CLAIM_HELP = (
    "The ε that the method claims, at δ = {delta:number_up}. At a larger ε, most bugs are detected"
    " with fewer releases."
)
METHOD = "Method"
METHOD_HELP = "Methods that can have this bug. Each is audited on its own worst-case neighbors."
SEEDS_HELP = (
    "Number of runs averaged for each accuracy. The audit makes as many releases as it needs."
)
FIRST_SEED_HELP = "Seed of the first run and of the audit."
AXES = "Axes"
LESS_NOISE = "Noise"
BUG = "Published bug"

# --------------------------------------------------------------------------------------- tiles

TILES = {
    "faulty": "With bug",
    "correct": "Without bug",
    "faulty error": "Error with bug",
    "correct error": "Error without bug",
    "limit": "Attacker's best guess",
    "verdict": "Audit",
    "shown": "Privacy loss ε",
    "guess": "Attacker's best guess",
    "accuracy": "Accuracy",
    "error": "Error",
}
CAUGHT, NOT_CAUGHT, HIDDEN = "Detected", "Not detected", "?"
SHOWN_VALUE = "≥ {shown:md}"
GUESS_VALUE = "≥ {right:at_least}"
NOTES = {
    "seeds": "accuracy, {runs:count seed}",
    "unit": "{unit}, {runs:count seed}",
    "hidden": "hidden until you answer",
    "limit": "if the code has no bug, at ε = {claim:number_up}",
    "releases": "{runs:count} releases",
    "caught": "after {first:count} releases",
    "claim": "claimed {claim:number_up} at δ = {delta:number_up}",
    "pure claim": "claimed {claim:number_up}",
    "guess": "limit {allowed:at_most}",
    "accuracy": "{correct:percent} without bug",
    "error": "{correct:number} without bug",
    "error range": "claimed ε = {claim:number_up}",
}
TILE_HELP = {
    "accuracy": "Mean over classes on the test set. Both variants use the same images and seeds.",
    "error": "Mean distance from the true answer. Both variants use the same records and seeds.",
    "limit": (
        "Largest success rate of any membership attack under the claimed guarantee, with a prior"
        " of 50%."
    ),
    "verdict": (
        "The audit guesses from each release whether one record was used. A correct guarantee is"
        " rejected with probability at most {error:number}. Releases so far: {runs:count} per data"
        " set. More releases make the bound on ε tighter."
    ),
    "shown": "Lower bound on ε. It remains valid while more releases are added.",
    "guess": "Lower bound on the success rate of the audit's best attack. Chance is 50%.",
}

# -------------------------------------------------------------------------------------- charts

#: It leaves the finding to the reader, who is asked for it.
ACCURACY_TITLE = "Accuracy with and without the bug"
ACCURACY_CAPTION = (
    "Small dots: {runs:count seed}. Large dots: mean and 95% interval over seeds and test images."
)
FAULTY_RUNS = "The runs with the bug do not satisfy the guarantee."
BOUND_TITLES = {
    "caught": "The lower bound exceeds the claim after {runs:count} releases",
    "caught by one test": "One test disproves the guarantee after {runs:count} releases",
    "kept": "The lower bound stays within the claim",
}
BOUND_CAPTION = Text(
    "A bound above the claim proves a bug. Releases: runs with and without one record.",
    "Each step adds the same number of releases with and without one record. The bound is wrong"
    " with probability at most {error:number} over all {looks:count step}.",
)
RATES_TITLES = {
    "caught": "The red test is below the limit of the guarantee",
    "kept": "No test is below the limit of the guarantee",
}
RATES_CAPTION = Text(
    "Each dot is one test by an attacker. Rectangles: likely values of its true error rates.",
    "Each dot is one threshold test. Rectangles: Clopper–Pearson intervals with joint error"
    " probability {error:number}.",
)

# ---------------------------------------------------------------------------------------- tabs

TABS = {
    "wild": "Published bugs",
    "fault": "The bug",
    "rates": "Error rates",
    "accuracy": "Accuracy",
    "run": "One-run audit",
    "own": "Your function",
    "table": "Table and command",
    "about": "About the numbers",
}
TABLE_TITLES = {"bounds": "Audit", "tests": "Tests"}
FAULT_TITLE = "Cause and fix"
CAUSE = "**Cause.** {cause:md}"
#: Title of the card of a claim that an audit tests.
CLAIM_CARD = "{method}: claimed guarantee"
FIX = "**Fix.** {fix:md}"
SOURCE = "Source: [{source}]({link:md}). dpviz re-implements the bug."
BROKEN = ":material/link_off: The audit disproves this claim."
SETTING = (
    "Audited on **{method}** at ε = {claim:number_up}. Each bug opens with settings that make it"
    " easy to see."
)
AUDIT_NOTES = {
    "runs": (
        "{runs:count} releases from each of two neighboring data sets, plus {learned:count} from"
        " each to choose the tests."
    ),
    "neighbors": "The neighbors are synthetic: {difference}.",
    "time": "Computed in {seconds:md} s.",
    "error": (
        "Error probability of {tests:count test} at {looks:count step} together: at most"
        " {error:number}."
    ),
    "no proof": "An audit can show that a guarantee is violated, not that it holds.",
}

# -------------------------------------------------------------------------------- one-run audit

ONE_RUN = Text(
    "The usual audit trains many times, which can take weeks. This audit needs **one** release: it"
    " includes some made-up records at random, and the attacker guesses which ones.",
    "One release with m canaries, each included with probability ½. The number of correct guesses"
    " bounds ε.",
)
ONE_RUN_SOURCE = (
    "Steinke, Nasr & Jagielski (2023), including their δ term. For Gaussian noise: Mahloujifar,"
    " Melis & Chaudhuri (2024)."
)
ONE_RUN_NOISE = {"1": "Full noise", "4": "A quarter of the noise"}
NO_METHOD = (
    "This bug affects a single count, so canaries cannot be added. Select a bug that affects a"
    " whole method."
)
ONE_RUN_RESULTS = {
    "correct": "**{method}** without a bug: one release shows ε ≥ **{shown:md}**.",
    "caught": (
        "**Detected** at 1/{divisor:number} of the noise: one release shows ε ≥ **{shown:md}**."
    ),
    "missed": (
        "**Not detected** at 1/{divisor:number} of the noise: one release shows ε ≥ **{shown:md}**."
    ),
}
ONE_RUN_DETAILS = (
    "The release took {seconds:md} s. Each of {canaries:count canary canaries} is in or out at"
    " random."
)
ONE_RUN_MANY = (
    "The audit with {runs:count} releases per data set shows ε ≥ **{shown:md}**, in {seconds:md} s."
)
ONE_RUN_CLAIM = "Claimed: ε = {claim:number_up} at δ = {delta:number_up}. Neighbors: {adjacency}."
ONE_RUN_ERRORS = (
    "Wrong with probability at most {one:number} (one release) and {many:number} (many releases)."
)
ONE_RUN_VERDICT = (
    "The verdict uses the release with the most canaries and the audit of many releases."
)
ONE_RUN_LIMIT = (
    "A one-run audit is less sensitive. It rarely detects halved noise, but usually detects"
    " noise reduced to a quarter."
)

# ------------------------------------------------------------------------------- your function

CUSTOM = (
    "Audit any function `(data, seed) → numbers` against the ε that it claims. It runs in your"
    " shell, never on this server."
)
CUSTOM_EXAMPLE = "Example: a mean of ages that is clipped too late."
CUSTOM_STATUS = (
    "Exit status 3: the claim is violated. Exit status 4: the faulty variant is not detected."
)
CUSTOM_LIMITS = (
    "The audit can also run in CI. It tests sizes, bits, digits, signs, types and keys of the"
    " output. It cannot find every leak, so “not violated” is not a proof."
)

# ------------------------------------------------------------------------------ published bugs

BUGS = (
    "Twelve bugs in public code, starting with one in dpviz. Each bug is re-implemented in a few"
    " lines, next to its fix. Select a bug to audit both versions, or audit all bugs."
)
BUGS_NOTES = (
    "Code and issues were read in {read_date:md}. Entries marked open may have been fixed since.",
    "No project's code was run or copied.",
    "The audits test round numbers as claims, on worst-case neighbors.",
    "The results do not measure harm to any user or publication.",
)
NOT_AUDITED = "–"
AUDIT_ALL = "Audit all twelve"
AUDIT_ALL_HELP = "Audits each bug and its fix on this server. This takes about a minute."
BUG_TITLE = "**{project}.** {mistake:md} {since:md}"
BUG_CLAIM = "**Claim.** {claim:md}"
BUG_REASON = "**Why the claim fails.** {explanation:md}"
BUG_DIFFERENCE = "Re-implementation: {differs:md}"
BUG_SIDES = {"release": "With the bug", "mended": "Fixed"}
BUG_CODE = "Code with and without the bug"
BUG_VERDICTS = {
    ("caught", "kept"): Text(
        "**Detected.** With the bug, the audit shows ε ≥ **{shown:md}** (claimed:"
        " {claim:number_up}). The fixed code passes.",
        "**Detected.** With the bug, the audit shows ε ≥ **{shown:md}** (claimed:"
        " {claim:number_up}{delta:md}). Fixed: ε ≥ {fixed:md}.",
    ),
    ("caught", "caught"): Text(
        "**Detected.** With the bug, the audit shows ε ≥ **{shown:md}** (claimed:"
        " {claim:number_up}). The fixed code fails too.",
        "**Detected.** With the bug, the audit shows ε ≥ **{shown:md}** (claimed:"
        " {claim:number_up}{delta:md}). The fixed code fails too: ε ≥ {fixed:md}.",
    ),
    ("missed", "kept"): Text(
        "**Not detected.** With the bug, the audit shows ε ≥ {shown:md} (claimed:"
        " {claim:number_up}).",
        "**Not detected.** With the bug, the audit shows ε ≥ {shown:md} (claimed:"
        " {claim:number_up}{delta:md}). Fixed: ε ≥ {fixed:md}.",
    ),
    ("missed", "caught"): Text(
        "**Not detected**, but the fixed code fails: it shows ε ≥ **{fixed:md}** (claimed:"
        " {claim:number_up}).",
        "**Not detected** (ε ≥ {shown:md}), but the fixed code shows ε ≥ **{fixed:md}** (claimed:"
        " {claim:number_up}{delta:md}).",
    ),
}
BUG_TEST = (
    "The attack is wrong at most {misses:md}% of the time on one neighbor. The guarantee requires"
    " at least {demanded:md}%."
)
AT_DELTA = " at δ = {delta:number_up}"
BUG_HOW = {
    "runs": (
        "{runs:count} releases from each of two neighbors, plus {learned:count} from each to choose"
        " the tests."
    ),
    "neighbors": "Neighbors: {difference} ({adjacency}).",
    "time": "Both audits took {seconds:md} s.",
    "error": "Each is wrong with probability at most {error:number}.",
}
NARROW = {
    True: "An audit of {view:md} detects the bug as well: ε ≥ {shown:md}.",
    False: (
        "An audit of {view:md} does **not detect** the bug: ε ≥ {shown:md}. Audit the whole"
        " release."
    ),
}
BUG_COLUMNS = ("Project", "Bug", "Status", "Audit here")
BUG_RESULT = "ε ≥ {shown:md} (claimed: {claim:number_up}); fixed: ε ≥ {fixed:md}"
