"""Texts of a live class on the Teach page, and of what private answers reveal."""

from dpviz.text.template import Text

#: The sentence above the stage, by case; without a live class the page's own is shown.
ANSWERS = {
    "waiting": Text("Join live class **{code}** with a phone on this network. No names, no app."),
    "private": Text(
        "With coin flips on the phones, a class of {people:count} learns how many said yes to"
        " within **±{coin:percent}** of the class.",
        "Mean margin of error for the number of yes answers: **±{coin:percent}** of the class with"
        " coin flips, **±{server:percent}** with a trusted server. Confidence: 95%.",
    ),
    "server_only": Text(
        "With coin flips on the phones, a class of {people:count} learns almost nothing about"
        " itself.",
        "Mean margin of error for the number of yes answers: **±{coin:percent}** of the class with"
        " coin flips, **±{server:percent}** with a trusted server. Confidence: 95%.",
    ),
}

# -------------------------------------------------------------------------------- open and close

OPEN = "Open a live class"
OPEN_NOTE = "Answers stay in this computer's memory until the class ends."
NETWORK_TITLE = "Before class: test the network"
OPEN_NETWORK = "Opens port {port} for phones on your network."
NOT_ENCRYPTED = "The connection is not encrypted."
NETWORK_TEST = (
    "School networks may block phones. Test this before class: open a class, then open its"
    " address on a phone."
)
GUIDE = """
1. Open the class, note the teacher code, and display the class code.
2. Students enter the code: no name, no app.
3. Ask a question or start a race (each student chooses ε), then show the results.
"""
BLOCKED = {
    "address": "Not available here: this server listens on {address}. Start it with"
    " `dpviz app --room` on your own computer.",
    "proxy": "Not available here: you reach this server through a proxy. Start the dashboard with"
    " `dpviz app --room` on your own computer.",
    "remote": "Not available here: open the dashboard as `localhost` on the computer that runs it.",
    "off": "The operator of this server has turned live classes off.",
    "port": "Port {port} is not available ({error}). Start the dashboard with"
    " `dpviz app --room --room-port PORT`.",
}
END = "End the class"
END_NOTE = "All phones are notified. Nothing is stored."
END_NOW = "End it for everyone"

TEACHER_CODE = "Teacher code"
TEACHER_CODE_NOTE = (
    "**{code}** resumes or ends this class in another browser, for example after a crash. Write the"
    " code down, and keep it off the projector."
)
RESUME_TITLE = "Resume or end a class from another browser"
RESUME_HELP = "Twelve letters, shown on the teacher's screen."
RESUME = "Resume"

# ------------------------------------------------------------------------------------------- join

JOIN = "On a phone on this network, open"
JOIN_OTHER = "or {addresses}"
JOIN_CODE = "and enter"
QR = "QR code of {address}"
JOINED = "{phones:count phone} joined"
JOINED_LOST = "{phones:count phone} joined, {lost:count} not connected"

# -------------------------------------------------------------------------------------------- ask

ASK_TITLE = "Ask a question"
KIND = "Kind of question"
KINDS = {
    "lesson": "From a lesson",
    "own": "Your own",
    "private": "Private yes or no",
    "race": "Class race",
}
OWN_KINDS = {"choice": "Multiple choice", "yes": "Yes or no", "number": "Number"}
ASK = "Ask"
NEXT = "Next question: {title}, step {step:count} →"
FIRST = "First question: {title}, step {step:count} →"
LESSON = "Lesson"
STEP = "Step"
STEP_OPTION = "Step {step:count} of {steps:count}"
OPEN_STEP = "Open this step"
TEXT = "Question"
OPTIONS = "Answers (2 to 8, one per line)"
RIGHT = "Right answer"
RIGHT_HELP = "Phones show the right answer after you show the results."
NO_RIGHT = "None, or unknown"
YES, NO = "Yes", "No"
FROM, TO, STEPS, UNIT, TRUE_NUMBER = "From", "To", "Step size", "Unit", "True value"
PRIVATE_TEXT = "Yes-or-no question"
WAY = "Noise"
WAYS = {
    "coin": "On each phone: this server receives only randomized answers",
    "server": "On this server: it counts true answers and publishes one noisy count",
}
RACE_SETUP = (
    "You run a hospital. A classifier learns from the hospital's images: {images:count} per class,"
    " one per patient. A larger ε makes the classifier more accurate and exposes patients more."
    " Handwritten digits replace medical images."
)
RACE_TEXT = "Choose ε for your hospital."
RACE_VALUE = "ε = {epsilon:number}"
RACE_VALUES = "Choices for ε: {values}"
RACE_NOTE = (
    "This computer runs {method} on handwritten digits at each ε, with {seeds:count noise_seed}."
)
#: Before a private question: its error with the phones of the class.
PRECISION = (
    "With {people:count phone}, the result is accurate to about ±{half:percent} of the class (95%)."
)
PRECISION_TOO_WIDE = (
    "With {people:count phone}, the result is accurate to about ±{half:percent} of the class (95%)."
    " For ±{useful:percent} you need about {needed:count phone}, or ε = {epsilon:number} (sidebar)."
)
PRECISION_TOO_FEW = (
    "With {people:count phone}, the result is accurate to about ±{half:percent} of the class (95%)."
    " For ±{useful:percent} you need about {needed:count phone} at this ε."
)
NO_QUESTION = "Enter a question."
SPENDS = (
    "Each answer costs ε = {epsilon:number_up} (sidebar). Each additional question costs this ε"
    " again."
)

# ------------------------------------------------------------------------------------------ answer

COUNT = "<b>{answered:count}</b> of {joined:count} answered"
REVEAL = "Show results"
LIVE = "Show answers as they arrive"
LIVE_HELP = "If off, nobody is influenced by other answers. Phones show results only after you do."
WAY_NOTES = {
    "coin": "Each phone flips a coin. This server cannot know which answers are true.",
    "server": "This server counts true answers, publishes one noisy count and deletes the answers.",
}
SPENT = "Privacy spent by someone who answers every question: {spent}, δ = 0."
NOTHING_SPENT = "none yet"
SPENT_ONE = "ε = {total:number_up}"
SPENT_SUM = "ε = {parts} = {total:number_up}"
RECORDED = ("recorded yes", "recorded no")
#: An option of a choice, with the letter that phones and projector show.
OPTION = "{letter}. {option:md}"
PROJECTOR = "Projector view"
PROJECTOR_HELP = "Only the question, in large type. Esc returns."

# ----------------------------------------------------------------------------------------- results

NOBODY = "Nobody answered."
ANSWERED = "**{answered:count person people}** answered."
RIGHT_OF = "Right answers: **{right:count} of {answered:count}**."
DREW = "**{answered:count person people}** drew a curve."
RACE_MEAN = (
    "Mean of this class: accuracy **{accuracy:percent}**, attacker's best guess"
    " **{guess:at_most}**."
)
RACE_PUBLIC = "Public images alone reach {public:percent} accuracy and expose no patient."
RACE_CAPTION = (
    "Number in each circle: hospitals that chose this ε. {method}, {images:count handwritten_digit}"
    " per class. {bands:md} The best guess is the limit for any attacker on one patient's image"
    " (δ = {delta:number_up}, prior 50%)."
)
CURVES = "Curves: **{right:count}** well drawn, {near:count} roughly right, {gap:count} far off."
MEDIAN = "Median of {answered:count answer}: **{median}**."
MEDIAN_TRUE = "Median of {answered:count answer}: **{median}**. True value: **{true}**."
ESTIMATE = (
    "About {count:count} of {people:count} say yes (95% interval: {low:count} to {high:count})."
)
ESTIMATE_NOTHING = (
    "About {count:count} of {people:count} say yes, but the 95% interval covers every number."
)
ORIGIN = {
    "coin": (
        "{outcome:count} of {people:count} recorded answers are yes. The estimate corrects for"
        " random answers. ε = {epsilon:number_up} per answer, δ = 0."
    ),
    "server": (
        "Published count: {outcome:count}, which includes discrete Laplace noise. The answers are"
        " deleted. ε = {epsilon:number_up} per answer, δ = 0."
    ),
}

# ------------------------------------------------------------------------------- private questions

PRIVATE_TITLE = "How much can a class learn about itself?"
PRIVATE_CHART = "More people or a larger ε give a more precise estimate"
PRIVATE_CAPTION = "Half-width of the 95% interval. Exact formula. ±50%: nothing is learned."
BUDGET_NOTE = "ε of each private answer, δ = 0."
RESET = "↺ Reset"
CARDS = {
    "coin": "Coin flips on the phones",
    "server": "Trusted server",
    "guarantee": "Guarantee in both cases",
}
WHO_KNOWS = {
    "coin": (
        ("on the phone", "your own answer and the coin; neither is sent or stored"),
        ("teacher's server", "one randomized answer per phone, which you can deny"),
        ("you trust", "your phone and the page it loads"),
        ("eavesdroppers", "only the randomized answers"),
    ),
    "server": (
        ("on the phone", "your own answer, which is sent unchanged"),
        ("teacher's server", "every true answer until the count is published, then none"),
        ("you trust", "the teacher's computer, everyone with access to it, and the network"),
        ("eavesdroppers", "the true answers: the page uses plain HTTP"),
    ),
}
ASKED_AGAIN, COSTS_AGAIN = "if asked again", "costs ε again: two answers cost twice as much"
SPENT_HERE = "spent in this class"
TILES = {
    "coin": "Coin flips on the phones",
    "server": "Trusted server",
    "own": "Own answers recorded",
    "guess": "Attacker's best guess",
}
TILE_NOTES = {
    "people": "±{half} of {people:count person people}",
    "own": "rest: a fair coin",
    "guess": "chance 50%",
}
TILE_HELP = {
    "coin": (
        "Half-width of the 95% interval for the number of yes answers, if half of the class says"
        " yes."
    ),
    "server": "The same, if a server adds noise to the true count.",
    "own": "Share of recorded answers that are people's own, not random (honesty h).",
    "guess": "Best possible success rate in guessing one person's answer. Chance is 50%.",
}
CHART_TABLE = "The chart"
FORMULAS = "Formulas and public facts"
ANATOMY = """
**Coins** (randomized response): the phone draws one of 2³² equally likely numbers. If the number \
is below *t*, your own answer is recorded; otherwise a fair coin decides. The threshold *t* is \
2³² (e^ε − 1)/(e^ε + 1), rounded down. So ln((2³² + *t*)/(2³² − *t*)) ≤ ε. With *y* yes answers \
among *n*, the estimate is (*y* − *n*(1 − *h*)/2)/*h*, clamped to [0, *n*]. Here *h* = *t*/2³².

**Server**: the server counts the true answers and adds *z* with P(*z*) ∝ e^(−ε|*z*|) \
(geometric mechanism, exact sampler, system entropy). Replacing one answer changes the count \
by at most 1. Each question has one published count.

**Both**: pure ε-DP, δ = 0. Unit: one person's answer to one question. Neighbors: one answer \
is replaced by the other. Public: the question, who takes part, and how many answer. The ε values \
of several private questions add up. Each phone answers once; a person with two phones spends \
twice.

**Interval**: every number of yes answers for which the result is among the likeliest outcomes. \
The likeliest outcomes, by likelihood ratio, have 95% probability in total (Feldman & Cousins \
1998). All sums are exact. The interval covers the people who \
answered and nobody else.

**Chart**: half the width of this interval, averaged over coins or noise, if half of the class \
says yes. The value ±50% means an interval from nobody to everyone.
"""
