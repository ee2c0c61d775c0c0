"""Texts of the Glossary page."""

from dpviz.text.template import Text

TITLE = "What do the terms mean?"

ANSWERS = {
    "all": Text("{terms:count term}. Select one for its full definition."),
    "found": Text("Found for “{query}”: {found:count} of {terms:count term}."),
    "none": Text("No term matches “{query}”. Try a shorter word."),
}

#: Line of links to the terms of a page's answer.
LINKS = "Glossary: {links:md}"

SEARCH = "Find a term"
SUBJECTS = "Subjects"
JUMP = "Jump to:"
#: In the list, in place of the sentence on a card.
SEE_START = "See “Start here” above."
LETTERS = "Letters of {subject:md}"
EXAMPLES = "clipping, ε, rare classes"

START = "Start here"
#: Terms that the others build on, in the order in which they are best read.
FIRST_TERMS = (
    "Differential privacy (DP)",
    "ε (epsilon)",
    "δ (delta)",
    "Noise",
    "Attacker",
    "Rare classes",
)
