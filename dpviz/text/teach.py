"""Texts of the Teach page: its tabs, question links, slides and files."""

from dpviz.text.template import Text

TITLE = "Teach with dpviz"

ANSWERS = {
    "start": Text(
        "Ask questions on your students' phones, share question links, show slides and compare"
        " results."
    ),
}

TABS = {
    "live": "Live class",
    "links": "Question links",
    "slides": "Slides and files",
    "plan": "40-minute plan",
    "results": "Results",
    "private": "Private questions",
}

#: Beside the start of a live class: results as the class sees them, of made-up answers.
WALL_TAG = "Example"
WALL_TITLE = "What does a smaller ε mean?"
WALL_CAPTION = "Made-up answers: {right:count} of {all:count} are right."
WALL_OPTIONS = {"More privacy": 17, "More accuracy": 6, "More images": 2}
WALL_RIGHT = 0

# ---------------------------------------------------------------------------------- question links

LINKS_INTRO = (
    "Paste the address of any page. The link opens the page with your question and only the"
    " controls that you choose."
)
#: Controls that most pages have, by the key of their place in the side bar.
CONTROLS = {
    "budget": "Privacy budget ε",
    "ir": "Imbalance ratio",
    "records": "Images per class",
    "data": "Data set",
    "enc": "Encoder",
    "pub": "Public set",
    "m": "Methods",
    "n": "Noise seeds",
    "seed": "First noise seed",
}
METHOD_CONTROL = "{method}: {control}"
ADDRESS = "Page address"
ADDRESS_HELP = "Set up the page for your class and copy its address from the browser."
ONLY = "Visible controls"
ONLY_HELP = (
    "A setting of a method appears here if the address contains it. To add a setting, change it"
    " once on the page."
)
QUESTION = "Your question"
EXAMPLE = "At which ε do rare classes drop below 50%?"
ANSWERS_TITLE = "Answers"
ANSWERS_HELP = "One per line, at most {most:count}. Leave empty for a discussion."
ANSWERS_EXAMPLE = "One answer per line"
NO_RIGHT = "No right answer (opinion or guess)"
RIGHT = "Right answer"
EXPLANATION = "Explanation afterward"
COVERED = "Hide the page until an answer is chosen"
COVERED_HELP = "The link contains the right answer, so do not use it for exams."
LINK = "Link for your class"
NETWORK = "Phones on the same network can open this link."
LOCAL = "**Students cannot open this link.** The address {host} works only on this computer."
LOCAL_SHARED = (
    "Show the question on your screen or use a live class. You can also start the dashboard on a"
    " school server. Give access only to people you trust, never to the whole internet."
)
OPEN_PRESENTED = "Show in presentation mode"
QR = "QR code of the link"
EMBED = "Embed in a web page"
FRAMES = (
    "Allow your site when you start the server:"
    " `dpviz app --frame-ancestors https://courses.example.org`."
)
BAD_ADDRESS = (
    "The page address must start with http, got “{address}”. Copy the whole line from your browser."
)

# ------------------------------------------------------------------- a page that such a link opens

HIDDEN = ":material/visibility_off: The page is hidden until you predict."
YOUR_ANSWER = "Your answer"
SHOW = "I have made my prediction: show the page"
RIGHT_REPLY = "**Right.**"
WRONG_REPLY = "**Not quite.** Right answer: “{answer}”."
OPEN_REPLY = "Your answer: “{answer}”. Compare it with the page."
BACK_TO_CLASS = "Back to your live class {code} →"

# -------------------------------------------------------------------------------- slides and files

SLIDES_INTRO = "Show a lesson on a projector. The arrow keys move between steps; Esc returns."
SLIDES_LINK = "Slides"
LESSON_LINK = "Lesson"
LESSON = "{title} ({minutes:count} min)"
FILES_TITLE = "Files without a server"
FILES_INTRO = "A lesson as one HTML file works offline and on phones."
FILE_LESSON = "Lesson"

# ------------------------------------------------------------------------------------------- plan

PLAN = "{total:count} minutes: {lessons:count lesson}, with the class's predictions."
PLAN_TIME = "{start:count}–{end:count} min"
PLAN_JOIN = "Open the live class. Students join with their phones."
PLAN_LESSON = "{title} ({predictions:count prediction})"
PLAN_DISCUSSION = "Discuss the questions for the class in the notes below."
PLAN_FALLBACK = (
    "**Without phones:** show the slides. Students vote A, B or C by a show of hands, or draw the"
    " curve on paper."
)
NOTES = "Notes for the teacher"
#: Items of the note.
NOTE = (
    "**Aim**: {aim:md}",
    "**Time in class**: {minutes:count minute}, with {predictions:count prediction}",
    "**Takeaway**: {takeaway:md}",
    "**Common misunderstanding**: {misunderstanding:md}",
    "**Ask the class**: {ask:md}",
)
PLAN_BASIS = (
    "Reading time of each lesson, plus {each:count minute} per prediction for answers and"
    " discussion."
)
