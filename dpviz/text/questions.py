"""Texts of the Quiz page, of the test before and after the lessons, and of its results."""

from dpviz.text.template import Text

TITLE = "What do you know about privacy?"
TEST_TITLE = "What do the lessons teach you?"

ANSWERS = {
    "quiz": Text("Four questions. Choose an answer to see whether it is right, and why."),
    "test": Text(
        "Twelve questions before the lessons, twelve after. Guessing gets about 2.5 of 12 right."
    ),
    "few": Text(
        "{people:count person people} completed both tests. Results need at least {least:count}.",
        "{people:count person people} completed both tests. To protect each person, results need"
        " at least {least:count} people.",
    ),
    "gain": Text(
        "Right answers out of {questions:count}: **{before}** before the lessons, **{after}**"
        " after.",
        "Mean gain of {people:count person people}: **{gain:md}** (95% interval, paired Student's"
        " t, p {p:md}).",
    ),
    "no_gain": Text(
        "No clear gain: **{before}** of {questions:count} right before the lessons, **{after}**"
        " after.",
        "No significant gain for {people:count person people}: **{gain:md}** (95% interval, paired"
        " Student's t, p {p:md}).",
    ),
    "equal_gain": Text(
        "Everyone gained the same amount: **{before}** of {questions:count} right before,"
        " **{after}** after.",
        "Everyone gained **{gain:md}**. No interval can be computed from identical gains.",
    ),
}

# --------------------------------------------------------------------- quiz and test, in a browser

STORED_TITLE = "Stored data and scores"
STORED = (
    "This browser stores a random number, your answers, how sure you were, and the seconds per"
    " answer. It stores no name and no date. Nothing leaves this device until you download the CSV"
    " file and share it. A random draw decides which of two forms comes first."
)
STORED_QUIZ = "Your answers stay in this browser. The server receives none of them."
SCORE = "The questions have not been tested with a group of people. A score is not a grade."
TO_TEST = "For teachers: test with 12 questions"
TO_QUIZ = "Short quiz: four questions"
TO_RESULTS = "For teachers: class results"

#: What the script of the quiz shows.
QUIZ = {
    "count": "Question {number} of {total}",
    "answer": "Your answer",
    "right": "Right.",
    "wrong": "Not quite.",
    "solution": "Right answer:",
    "next": "Next question →",
    "finish": "See your score →",
    "score": "{right} of {total} right",
    "chance": "By guessing, people get 1 of 4 right on average.",
    "review": "Lessons on the questions you missed:",
    "all_right": "All your answers are right.",
    "lesson": "Lesson:",
    "lessons": "All lessons",
    "again": "Start again",
}
#: What the script of the test shows.
TEST = {
    "before": "Before the lessons",
    "intro": (
        "**12 questions, about ten minutes.** Guess if you do not know, and say how sure you are."
        " The right answers come after the second test, which asks about the same ideas in other"
        " words."
    ),
    "begin": "Begin",
    "resume": "Continue at question {number}",
    "stored": "Your first answers are stored in this browser",
    "onward": (
        "Take the lessons. Then come back on this device and take the second test. You see scores"
        " and right answers after the second test."
    ),
    "done": "Lessons finished in this browser: {done} of {total}.",
    "to_lessons": "Go to the lessons →",
    "second": "Start the second test",
    "second_early": "Start the second test now ({left} of {total} lessons left)",
    "count": "Question {number} of {total}",
    "answered": "Questions answered",
    "answer": "Your answer",
    "sure": "How sure are you? Chance that your answer is right, in percent:",
    "next": "Next →",
    "finish": "Finish",
    "back": "← Back",
    "pause": "Continue later",
    "score": "{before} of {total} right before, {after} of {total} after",
    "chance": "By guessing, people get about 2.5 of 12 right.",
    "facts": "Facts: {before} of {total} before, {after} after.",
    "transfer": "New situations: {before} of {total} before, {after} after.",
    "expected_before": "Before the lessons you expected {expected} right answers and gave {right}.",
    "expected_after": "After the lessons you expected {expected} right answers and gave {right}.",
    "review": "Lessons to take next:",
    "all_right": "All your answers in the second test are right.",
    "lessons": "All lessons",
    "lesson": "Lesson:",
    "mark_before_right": "before ✓ right",
    "mark_before_wrong": "before ✗ wrong",
    "mark_after_right": "after ✓ right",
    "mark_after_wrong": "after ✗ wrong",
    "answer_before": "Your first answer:",
    "answer_after": "Your second answer:",
    "solution": "Right answer:",
    "drawn": "You drew {drawn}; the true values are {true}.",
    "yours": "yours",
    "true": "true",
    "csv": "Download answers (CSV)",
    "forget": "Delete my answers",
    "forget_now": "Press again to delete them",
    "lost": "This browser cannot store answers. Finish the test without closing the page.",
    "hint": "Drag across the chart, or move each point with Tab and the arrow keys.",
    "drawing": "Your drawing: {up}",
}
#: How sure people are, in percent.
SURE = {25: "25% (a guess)", 50: "50%", 75: "75%", 90: "90%", 100: "100% (certain)"}

# ---------------------------------------------------------------------------- results of a class

RESULTS_INTRO = (
    "Each student downloads an anonymous file from the 12-question test. Drop all files here. The"
    " server reads them in memory and stores nothing."
)
FILES = "Answer files (CSV)"
INCOMPLETE = "Left out: {people:count person people} without complete answers to both tests."
TILES = {
    "before": "Right before",
    "after": "Right after",
    "gain": "Normalized gain",
    "people": "People",
}
TILE_NOTES = {
    "questions": "of {questions:count question}",
    "gain": "of the possible gain",
    "people": "both tests complete",
}
TILE_HELP = {
    "gain": "Mean gain divided by the largest possible gain (Hake 1998).",
}
GAIN_RANGE = "For a class like this, the gain is between {low:md} and {high:md} right answers."
FACTS = "Facts ({questions:count question}): {gain:md}."
NEW_SITUATIONS = "New situations ({questions:count question}): {gain:md}."
OPEN_INTERVAL = "{gain:md}, the same for everyone"
GAIN_CHART = "Which questions improved?"
GAIN_CAPTION = "Ring: before. Dot: after. Solid lines: significant changes (McNemar, Holm)."
NO_CHANGE = "No single question changed significantly (exact McNemar test, Holm)."
IMPROVED = "Significantly more right answers: {questions:list}."
WORSENED = "Significantly fewer right answers: {questions:list}."
SURE_CHART = "Do people know what they know?"
SURE_CAPTION = "On the dotted line, people are right as often as they expect. Below: less often."
SURENESS = {
    ("before", "equal"): "Before the lessons, people expected {expected:percent} right answers and"
    " gave {right:percent}: no clear difference.",
    ("before", "over"): "Before the lessons, people were too sure: {expected:percent} expected,"
    " {right:percent} right.",
    ("before", "under"): "Before the lessons, people were not sure enough: {expected:percent}"
    " expected, {right:percent} right.",
    ("after", "equal"): "After the lessons, people expected {expected:percent} right answers and"
    " gave {right:percent}: no clear difference.",
    ("after", "over"): "After the lessons, people were too sure: {expected:percent} expected,"
    " {right:percent} right.",
    ("after", "under"): "After the lessons, people were not sure enough: {expected:percent}"
    " expected, {right:percent} right.",
}
TABLES = "Numbers per question"
QUESTION_TABLE = "Questions"
OPTION_TABLE = "Options"
TABLE_CAPTION = (
    "Discrimination: correlation of a question with the rest of the second score, shown for at"
    " least {people:count person people}. Near 0 or below, check the wording. p: Holm-adjusted."
)
ORDER = (
    "Form {form} first: {people:count person people}, {before:percent} right before,"
    " {after:percent} after."
)
ABOUT_GAIN = (
    "Gain compares the same people before and after, with two forms in random order. It cannot"
    " separate the lessons from practice and time. The questions have not been tested with a group"
    " of people."
)
#: Columns of the table of questions.
COLUMNS = {
    "gist": "question",
    "key": "lesson",
    "before": "right before",
    "after": "right after",
    "gained": "gained",
    "lost": "lost",
    "p": "p",
    "discrimination": "discrimination",
}

# ------------------------------------------------------------------------- errors in answer files

MORE_ERRORS = "Left out: {rows:count more_row}."
