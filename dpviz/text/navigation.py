"""Entries of the navigation, each with its pages: file name in ``pages/`` to title."""

ENTRIES = {
    "Home": {"front": "Home"},
    "Trade-off": {"trade_off": "Trade-off"},
    "Methods": {
        "dp_means": "DP means",
        "public_prototypes": "Public prototypes",
        "mixed_privacy": "AdaMix",
        "teachers_vote": "PATE",
        "neural_collapse": "Neural collapse",
    },
    "Risk": {
        "who_pays": "Per-record loss",
        "attackers_view": "Attacks",
        "many_pictures": "Many images per person",
        "calculator": "Calculator",
    },
    "Audit": {"break_it": "Audit"},
    "Experiments": {"maps": "Maps", "sweeps": "Sweeps", "tuning": "Tuning"},
    "Data": {"data": "Data"},
    "Learn": {
        "lessons": "Lessons",
        "questions": "Quiz",
        "your_answer": "Your own answer",
        "glossary": "Glossary",
        "class": "Teach",
    },
    "Papers": {"papers": "Papers"},
}
#: Pages that only links lead to, with their entry and title.
LINKED = {"class_results": ("Learn", "Class results")}
LABEL = "Pages of {entry}"

LEVEL = "Level of detail"
LEVELS = {"plain": "Plain", "precise": "Precise"}
#: Label and help of the button in a file that leads from one level to the other.
TO_OTHER_LEVEL = {
    "plain": ("Precise", "Show exact guarantees, δ and intervals."),
    "precise": ("Plain", "Show short sentences with few symbols."),
}

PRESENT = "Present"
PRESENT_HELP = "One sentence, one chart, large type. Esc brings you back."
#: Labels of the button that leaves a presentation.
BACK, BACK_TO_TEACH = "Back to all settings", "Back to Teach"
