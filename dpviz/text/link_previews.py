"""Titles and descriptions of shared links, by the address of their page."""

PICTURE_ALT = (
    "One public image per digit at three privacy budgets. At the smallest budget, many digits have"
    " turned into letters."
)
#: Title and description of the front page, and of pages without their own.
START = (
    "Can a machine learn without exposing your images?",
    "Move one slider to see what privacy costs, and which digits are still recognized.",
)
#: The titles are those of the pages.
PAGES = {
    "trade-off": (
        "What does privacy cost?",
        "Accuracy against the privacy budget, for all methods, with their guarantees.",
    ),
    "public-prototypes": (
        "Which public image represents each class?",
        "Public images represent private classes. More privacy means more wrong picks.",
    ),
    "dp-means": (
        "What does noise do to a class mean?",
        "A simple private classifier: one noisy mean per class, and where it fails.",
    ),
    "teachers-vote": (
        "How many queries do the teachers answer?",
        "Models trained on separate private data answer by a noisy vote.",
    ),
    "mixed-privacy": (
        "What do private images add to public ones?",
        "Accuracy with a few public and many private images.",
    ),
    "who-pays": (
        "Who loses more privacy?",
        "Privacy loss of each image, and why rare images often lose more.",
    ),
    "attackers-view": (
        "What can an attacker learn?",
        "Attacks on every method, compared with the limit set by its guarantee.",
    ),
    "break-it": (
        "Would you notice a privacy bug?",
        "Switch on a bug, guess from the accuracy, and see whether an audit detects it.",
    ),
    "many-pictures": (
        "What does protecting a person cost?",
        "Accuracy with a guarantee per person and with a guarantee per image.",
    ),
    "data": (
        "Which data can you use?",
        "Class sizes, sample images, features, and your own data.",
    ),
    "neural-collapse": (
        "Why do good features make privacy cheaper?",
        "How features of a class collapse to one point, and how this reduces the effect of noise.",
    ),
    "maps": (
        "Which settings work best together?",
        "Accuracy for each combination of two settings.",
    ),
    "sweeps": (
        "What did the sweep find?",
        "Your own experiments, as charts and tables.",
    ),
    "calculator": (
        "What do these parameters guarantee?",
        "ε, ρ, μ and the attacker's best guess for DP-SGD, Laplace noise, PATE and more.",
    ),
    "tuning": (
        "What does choosing the settings cost?",
        "Choosing settings on private data costs privacy, too.",
    ),
    "lessons": (
        "Learn differential privacy step by step",
        "Short lessons on privacy: predict first, then see the result.",
    ),
    "your-answer": (
        "How can you answer and stay private?",
        "A coin protects your answer, and the share of yes answers can still be estimated.",
    ),
    "questions": (
        "What do you know about privacy?",
        "Four questions about privacy, with an explanation after each.",
    ),
    "class": (
        "Teach with dpviz",
        "Live class on phones, question links, slides and results.",
    ),
    "class-results": ("Teach with dpviz", "What a class learned from the lessons."),
    "glossary": (
        "What do the terms mean?",
        "The terms used in the dashboard, each explained in a few sentences.",
    ),
    "papers": (
        "Do the papers' claims hold here?",
        "Claims of five papers, checked on the chosen data.",
    ),
}
