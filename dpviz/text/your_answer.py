"""Texts of the page "Your own answer"."""

from dpviz.text.template import Text

TITLE = "How can you answer and stay private?"

#: The answer, by how often the same question is asked.
ANSWERS = {
    "once": Text(
        "Attackers guess your answer right at most **{guess:md}** of the time. The yes share is"
        " estimated to ± **{half:md} points**.",
        "Each recorded answer is **{epsilon:number_up}-DP**. From {answers:count} recorded answers,"
        " the share of yes answers is estimated at **{estimate:md}**.",
    ),
    "several": Text(
        "Attackers guess your answer right at most **{guess:md}** of the time. The yes share is"
        " estimated to ± **{half:md} points**.",
        "All recorded answers of a person are **{epsilon:number_up}-DP**. From {answers:count}"
        " recorded answers, the share of yes answers is estimated at **{estimate:md}**.",
    ),
}
ESTIMATE = "{share:md}% ± {half:md} points"

# tiles
GUESS = "Attacker's best guess"
GUESS_NOTE, GUESS_ASIDE = "chance 50%", "if both answers are equally likely"
GUESS_HELP = (
    "The best success rate of anyone who sees your recorded answers. Without these answers, a guess"
    " is right 50% of the time if yes and no are equally likely."
)
GUARANTEE = "Privacy budget ε"
GUARANTEE_NOTE = "per answer, δ = 0"
GUARANTEE_NOTE_SEVERAL = "for {times:count answer}, δ = 0"
GUARANTEE_HELP = "The odds of either answer change by a factor of at most {factor:number}."
ERROR = "Error of the estimate"
ERROR_VALUE = "± {half:md} points"
ERROR_NOTE = "{people:count} people"
ERROR_HELP = (
    "In 95% of surveys, the estimate is at most this far from the true share of yes answers. Only"
    " the coins vary."
)

# controls
DATA, PRIVACY, METHOD = "Data", "Privacy", "Method"
PEOPLE = "People surveyed"
PEOPLE_HELP = "The survey is simulated: 30 of 100 people would say yes."
HONESTY = "Answers recorded unchanged (%)"
HONESTY_HELP = (
    "How often your own answer is recorded. Otherwise a fair coin answers for you. Only you can"
    " know whether it did."
)
MORE_PRIVATE, MORE_ACCURATE = "more private", "more accurate"
TIMES = "Times the question is asked"
TIMES_HELP = "Each repetition uses a new coin. Several recorded answers reveal more."
SEED = "Random seed"
RESET = "↺ Reset all settings"

# the coin, filled in by the browser
COIN = {
    "question": "Do you like to sing when nobody is listening?",
    "rule": (
        "{honesty}% of the time, your own answer is recorded. Otherwise, a coin flip decides."
    ),
    "yes": "yes",
    "no": "no",
    "stays": "Stays with you",
    "leaves": "Leaves your device",
    "ready": "Your answer and the coin",
    "nothing": "Nothing yet",
    "through": "Your answer: “{own}”. The coin did not replace it.",
    "replaced": "Your answer: “{own}”. The coin answered for you.",
    "first": (
        "Nobody who sees “{said}” can be sure: it matches your own answer in {truths} of 100 cases."
        " Answer again to flip a new coin."
    ),
    "counts": (
        "Recorded so far: {yes} × yes, {no} × no. You can deny a single answer. Many answers reveal"
        " your own."
    ),
}
COIN_YES, COIN_NO = "Yes", "No"

# main chart
FINDING = (
    "Recording {honesty}% unchanged: ± {half:md} points; {other_honesty}%: ± {other_half:md} points"
)
CAPTION = (
    "The share of yes answers is estimated by correcting for the coins. Each dot is one simulated"
    " survey."
)
CAPTION_SEVERAL = (
    "The share of yes answers is estimated by correcting for the coins. Each dot is one simulated"
    " survey, asked {times:count times times}."
)

TABS = {
    "guarantee": "Guarantee",
    "repeat": "Repeated questions",
    "formulas": "How it works",
    "table": "Table and code",
}
#: Rows of the guarantee.
ROWS = {
    "each": "Each recorded answer",
    "all": "All your answers",
    "factor": "Change in the odds",
    "neighbors": "Neighbors",
    "unit": "Unit",
    "public": "Public",
    "model": "Trust",
}
EPSILON = "ε = {epsilon:number_up}, δ = 0"
FACTOR = "by a factor of at most {factor:number}"
NEIGHBORS = "yes instead of no, or no instead of yes"
UNIT = "one person's answer to this question"
PUBLIC = "the question, how often your own answer is recorded, and the fact that you were asked"
LOCAL = "local: your own device adds the noise"
SHARE, SHARE_VALUE = "Estimated yes answers", "{share:percent} ± {half:md} points"
TRUTH, TRUTH_VALUE = "True yes answers", "{truth:percent} of {people:count} simulated people"
RECORDED = "Recorded yes answers"
RECORDED_VALUE = "{recorded:md}% of the recorded answers"
REPEAT_COLUMNS = {"times": "Questions", "guess": "Attacker's best guess", "epsilon": "ε"}
REPEAT_NOTE = (
    "With four times as many people, the interval is half as wide. The ε values of repeated"
    " questions add up."
)
TABLE = "Chart"

FORMULAS = """
**Mechanism** (Warner 1965, with two coins): your own answer is recorded with probability *h*; \
otherwise, a fair coin decides. The recorded answer is true with probability (1 + *h*)/2. Therefore

ε = ln( (1 + *h*) / (1 − *h*) ), with δ = 0.

**Guarantee**: it covers one answer. Neighbors differ in your answer. The coin is flipped on your \
device before anything leaves it (*local* privacy). So you do not need to trust anyone who \
collects the answers. The other pages add noise after collecting all data. This needs a trusted \
party and far less noise.

**Attacker**: the odds of your answer grow by a factor of at most e^ε, whatever else is known. \
Budgets of repeated answers add up: *k* answers cost *k*·ε. The best guess from even odds is the \
majority of *k* answers. It is correct with probability P(Binomial(*k*, *p*) > *k*/2), with \
*p* = (1 + *h*)/2 and ties counted as half.

**Estimate**: the expected share of recorded yes answers is *h*·share + (1 − *h*)/2. Solving for \
the share gives the estimate. Its variance over the coins is (1 − *h*²)/(4 *h*² *N*). The band is \
±1.96 standard deviations. The estimate is unbiased: its mean over many surveys is the true share. \
It can lie below 0; the chart draws it at the edge.

**Simulation**: the survey is simulated with a known share, so that you see the error. Its coins \
come from the seed, and all settings share them. The other surveys flip their own coins. \
The coin for your own answer uses your browser's cryptographic random numbers.
"""
