"""Words that the project does not use, from one list."""

import re

#: Patterns of words that no text uses, each with the word to use instead.
BANNED = {
    r"\bpromis\w+": "guarantee",
    r"\bcoin toss\b": "chance",
    r"\bgiv\w+ away\b": "privacy loss",
    r"\b(?:is|are|be) told\b|\btell(?:s)? apart\b|\btold apart\b": "significantly different",
    r"\bfound out\b": "the attack succeeds",
    r"\btwins?\b": "faulty variant",
    r"\bcloser look\b": "tab",
    r"\brecords? a (?:class|person)\b|\bimages? a (?:class|person)\b": "images per class",
    r"\bshots a class\b": "public examples per class",
    r"\bas they c[ao]me\b": "original class sizes",
    r"\bwithin noise\b|\bluck\b|\bcannot be told\b": "not significantly different",
    r"\bteaching replay\b": "simulated with a fixed seed",
    r"\bin the wild\b": "published bugs",
    r"\bstrangers?(?:'s|’s)?\b": "untrusted, custom",
    r"\bsitting\b": "session",
    r"\bmended\b": "fixed",
    r"\bat hand\b|\bstands? on disk\b": "available",
    r"\bheard\b": "counted",
    r"\bmade anew\b|\bcomputed anew\b": "recomputed",
    r"\bthe paper errs\b": "error in the paper",
    r"\bcaged\b": "sandboxed",
    r"\bwhoever\b|\bof whom\b|\bto whom\b": "a noun",
    r"\bwithout a like\b": "without a similar public image",
    r"\bprice of looking\b": "privacy cost of exploring",
    r"\brecognised\b|\bnormalised\b|\bcolours?\b|\bneighbours?\b|\bbehaviour\b": "US spelling",
    r"\bthe voice\b|\bprecise words\b|\bplain words\b": "level of detail",
    r"\d %": "70%",
}
_PATTERNS = {re.compile(pattern, re.IGNORECASE): word for pattern, word in BANNED.items()}


def banned_words(words):
    """Return what a text must not say, with the word to use instead."""
    bare = re.sub(r"\{[^{}]*\}|`[^`]*`|\]\([^)]*\)", "", words)
    return {m[0]: word for pattern, word in _PATTERNS.items() if (m := pattern.search(bare))}
