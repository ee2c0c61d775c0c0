"""Preview of a shared link to a page: title, description and picture in the head of the first
answer, for clients that run no scripts.
"""

from __future__ import annotations

import re
from pathlib import Path

from dpviz.formatting import plain

#: Digits that turn into letters, drawn by ``benchmarks/preview_picture.py``.
PICTURE = Path(__file__).parent.with_name("assets") / "preview.png"
WIDTH, HEIGHT = 1200, 630
PICTURE_ALT = (
    "The picture that stands for each digit at three privacy settings: at the most private one many"
    " have turned into letters."
)
START = (
    "Can a machine learn from your picture without giving it away?",
    "Move one slider and see what privacy costs: which digits are still recognized, and who pays.",
)
#: Title and description by page; all other pages have those of the front page.
PAGES = {
    "trade-off": (
        "What does privacy cost, and who pays?",
        "Accuracy against the privacy budget, for every method at once, with what each promises.",
    ),
    "public-prototypes": (
        "Which public image represents each class?",
        "Public images represent private classes. With more privacy, wrong images are picked.",
    ),
    "dp-means": (
        "What does noise do to a class mean?",
        "A simple private classifier: one noisy mean per class, and where it fails.",
    ),
    "teachers-vote": (
        "What can teachers say without telling on their pictures?",
        "Many teachers, each with records of its own, answer through a noisy vote.",
    ),
    "mixed-privacy": (
        "What do a few public examples buy?",
        "Accuracy where some records are public and all others are private.",
    ),
    "who-pays": (
        "Who loses the most privacy?",
        "Privacy loss of each image, and why rare images often lose more.",
    ),
    "attackers-view": (
        "What can an attacker find out?",
        "Attacks on every method, with the limit of its guarantee.",
    ),
    "break-it": (
        "Would you notice a broken promise?",
        "Flip a real mistake, guess from the accuracy, and watch an audit catch it.",
    ),
    "many-pictures": (
        "What does protecting the whole person cost?",
        "Accuracy with a guarantee per person and with a guarantee per image.",
    ),
    "data": (
        "Which pictures are there, and which are ready?",
        "Class sizes, pictures, features, and your own data set.",
    ),
    "neural-collapse": (
        "Why is privacy cheap where pictures are described well?",
        "How classes collapse to points, and what that does to noise.",
    ),
    "maps": (
        "Which two settings go well together?",
        "Accuracy over two settings at once, with its number in every cell.",
    ),
    "sweeps": (
        "How far are the experiments, and what did they find?",
        "Your own experiments, as charts and tables.",
    ),
    "tuning": (
        "What does choosing the settings cost?",
        "Trying many settings on private data is a release as well: its price.",
    ),
    "lessons": (
        "What would you like to see for yourself?",
        "Short lessons on privacy: predict first, then see what comes true.",
    ),
    "your-answer": (
        "How can you answer and still keep your answer to yourself?",
        "A coin answers with you, and what many people said can still be counted.",
    ),
    "questions": (
        "What do you know, and what do the lessons add?",
        "Twelve questions about privacy, before the lessons and after them.",
    ),
    "class": (
        "What does your class think, and what may it keep to itself?",
        "A class answers from its phones; one private question, by coins or with noise.",
    ),
    "class-results": ("What did your class learn?", "What a class gained, from its own answers."),
    "glossary": ("What do these words mean?", "Every word of the dashboard in one sentence."),
}
NAME = re.compile(r"(/[\w/.-]*)?/(?P<page>[a-z-]*)", re.ASCII)
HOST = re.compile(r"([\w-]+(\.[\w-]+)*|\[[0-9a-f:]+\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)


def is_page(path: str) -> bool:
    """Return whether a path can be a page's: its name has no dot and no underscore."""
    return bool(NAME.fullmatch(path))


def is_picture(path: str) -> bool:
    """Return whether a path is the picture's, beside the pages."""
    return path.endswith(f"/{PICTURE.name}")


def head(path: str, host: str, secure: bool) -> str:
    """Return elements for the head of the page at ``path``.

    Args:
        host: the Host header; without a well-formed one there is no picture, whose address is
            absolute.
        secure: whether the connection is https.
    """
    match = NAME.fullmatch(path)
    title, description = PAGES.get(match["page"] if match else "", START)
    lines = {"og:type": "website", "og:site_name": "dpviz", "og:title": title}
    lines |= {"og:description": description, "twitter:card": "summary"}
    if match and HOST.fullmatch(host):
        picture = f"http{'s' * secure}://{host}{match[1] or ''}/{PICTURE.name}"
        lines |= {"og:image": picture, "og:image:width": str(WIDTH)}
        lines |= {"og:image:height": str(HEIGHT), "og:image:alt": PICTURE_ALT}
        lines |= {"twitter:card": "summary_large_image"}
    tags = (f'<meta property="{name}" content="{plain(text)}">' for name, text in lines.items())
    return f'<meta name="description" content="{plain(description)}">{"".join(tags)}'
