"""Texts of the Lessons page and of a lesson's steps."""

from dpviz.text.template import Text

TITLE = "Learn differential privacy step by step"

ANSWERS = {
    "list": Text(
        "{lessons:count lesson} of about three minutes each. Predict first, then see the result.",
        "{lessons:count lesson} with {asks:count prediction}. The dashboard computes every result"
        " while you watch.",
    ),
}

#: Link beside the title of a page, and its tooltip.
LINK = "Lesson"
LINK_TITLE = "Lesson: {title}"

STORED = "Your progress stays in this browser. The server receives none of it."
QUIZ_LINK = "Quiz: four questions →"

CHAPTERS = {
    "basics": "Basics",
    "accuracy": "Accuracy",
    "guarantees": "Guarantees",
    "practice": "Methods and audits",
}
#: What the script of the list shows.
PATH = {
    "start": "Start →",
    "resume": "Continue with step {step} →",
    "total": "{done} of {lessons} lessons done",
    "forget": "Delete my progress",
    "done": "✓ done",
    "seen": "{seen} of {steps} steps",
    "right": "{right} of {asked} predictions right",
}

# --------------------------------------------------------------------------------- end of a lesson

END_TITLE = "Lesson finished: {title}"
SAYS = "What you have learned"
PREDICTIONS = "Your predictions"
#: What the script of the end shows.
PREDICTED = {
    "said": "Prediction: {said}. Result: {came}.",
    "came": "{came}.",
    "none": "This browser has no predictions for this lesson.",
    "right": "✓ right",
    "open": "~ undecided",
    "near": "≈ roughly right",
    "gap": "✗ far off",
    "wrong": "✗ different",
}
NEXT_LESSON = "Next lesson: {title} →"

# ----------------------------------------------------------------------------------------- a step

HEADING = "**{title:md}** · Step {step:count} of {steps:count}"
BACK = "← Back"
NEXT = "Next →"
SHOW = "Show result →"
SKIP = "Skip the prediction →"
TO_END = "Finish →"
ALL_LESSONS = "← All lessons"
SLIDES = "Slides"
SLIDES_HELP = "Large type for a projector. Use the arrow keys to move between steps."
PREDICT_FIRST = "Predict:"
ASKED_BEFORE = "Your prediction:"
NOT_PREDICTED = "Without a prediction:"
PREDICTION = "Your prediction"
COVERED = ":material/visibility_off: The chart is hidden until you predict."

# ------------------------------------------------------------------------------------- predictions

#: Answers to the question what the next step changes.
CHANGES = {
    "up": "It rises by more than 5 points",
    "same": "It changes by at most 5 points",
    "down": "It falls by 5 to 20 points",
    "lost": "It falls by more than 20 points",
}
#: The same as a reply to a wrong prediction.
NOT_QUITE = {
    "up": "**Not quite: it rises by more than 5 points.**",
    "same": "**Not quite: it changes by at most 5 points.**",
    "down": "**Not quite: it falls by 5 to 20 points.**",
    "lost": "**Not quite: it falls by more than 20 points.**",
}
RIGHT = "**Your prediction is right.**"
OPEN = "**Your prediction is possible:** it lies within the 95% interval."
SAME_METHOD = "{score}, {method:md}: **{before:md}** before, **{after:md}** now."
OTHER_METHOD = "{score}: **{before:md}** with {method:md}, **{after:md}** with {other:md}."
DIFFERENCE = "Difference: {difference:md} (95% interval, {runs:count noise_seed})."
NO_DIFFERENCE = (
    "Difference: {difference:md}, not significant (95% interval, {runs:count noise_seed})."
)
SHORT_RESULT = "{score}: {before} → {after}"

REASON = "{right:md} {why:md}"
REASON_RIGHT = "**Right: {right:md}** {why:md}"
REASON_WRONG = "You chose: *{chosen:md}* **The right answer: {right:md}** {why:md}"

# ----------------------------------------------------------------------------------- drawn curves

#: Verdicts on a drawn curve; ``ui/assets/drawn_verdict.js`` fills in the same templates.
VERDICTS = {
    "well": "**Well drawn.** Your curve is within {near} points of the true curve everywhere, or"
    " within its interval.",
    "right": "**Well drawn.** Your curve is {mean} off on average.",
    "near": "**Roughly right.** Your curve is {mean} off on average.",
    "gap": "**Far off.** Your curve is {mean} off on average.",
    "high": "Your curve is too high at {at}.",
    "low": "Your curve is too low at {at}.",
    "largest": "The largest gap is **{most}**, at {at}.",
    "outside": "The largest gap outside the 95% interval is **{most}**, at {at}.",
    "drew": "You drew {drawn}%; the true value is {true}.",
    "drew_interval": "You drew {drawn}%; the true value is {true} (95% interval {spread}).",
    "came": "Your curve was {mean} off on average",
}
SKIPPED = "The true curve: {first} at {start}, {last} at {end}."

#: Titles of the axis along a drawn chart.
AXES = {
    "eps": "ε",
    "ir": "imbalance ratio",
    "records": "maximum images per class",
    "per_person": "maximum images per person",
    "prior": "attacker's belief before the release, %",
    "releases": "releases",
    "alarms": "false alarms, %",
}
#: A place along a drawn chart, in a sentence: for the value 1, for other values.
PLACES = {
    "eps": ("ε = {at}", "ε = {at}"),
    "ir": ("IR {at}", "IR {at}"),
    "records": ("{at} image per class", "{at} images per class"),
    "per_person": ("{at} image per person", "{at} images per person"),
    "prior": ("a belief of {at}%", "a belief of {at}%"),
    "releases": ("{at} release", "{at} releases"),
    "alarms": ("{at}% false alarms", "{at}% false alarms"),
}
#: Titles of the upright axis, by formula.
CURVES = {
    "posterior": "attacker's maximum belief after the release (%)",
    "two-releases": "attacker's best guess, Gaussian noise (%)",
    "fewest-misses": "fewest misses allowed (%)",
    "randomised-response": "true recorded answers (%)",
}
ACCURACY = "accuracy, {score} (%)"
LOG_SCALE = "log scale"
