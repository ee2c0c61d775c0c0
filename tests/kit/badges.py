"""What a page says of the minority outside the badge of a private view."""

import re

from dpviz.ui.frame.page_parts import ANSWER_KEY

BADGE = "visibility_lock: private view"
WORD = re.compile(r"\b[Mm]inorit(y|ies)\b")
CONTENT = ("markdown", "caption", "html", "plotly_chart", "arrow_data_frame")
EXPLAINED = (
    "About the numbers",
    "What each price assumes",
    "What this promises, and what it does not",
)
"""Folds that only define terms."""


def unmarked(at) -> list[str]:
    """Texts, tables and charts that name the minority on a page without a badge.

    The badge beside the answer covers the page.
    """
    if beside_answer(at.main):
        return list(_columns(at.main))
    return [*_unmarked(at.main), *_columns(at.main)]


def beside_answer(block) -> list[str]:
    """Badges in the row below the answer."""
    for node in block.children.values():
        if getattr(node, "key", None) == ANSWER_KEY:
            return [one.value for one in node.markdown if BADGE in one.value]
        if hasattr(node, "children") and (found := beside_answer(node)):
            return found
    return []


def _unmarked(block):
    for node in block.children.values():
        if node.type == "expander" and node.label in EXPLAINED:
            continue
        if node.type in CONTENT:
            if WORD.search(words := _words(node)):
                yield words
        elif hasattr(node, "children"):
            yield from _unmarked(node)


def _words(node) -> str:
    if node.type == "plotly_chart":
        return node.proto.alt
    if node.type == "html":
        return re.sub("<[^>]*>", " ", node.body)
    return "" if node.type == "arrow_data_frame" else node.value


def _columns(block):
    """Columns about the minority whose names do not begin with ``private_view``."""
    for node in block.children.values():
        if node.type == "arrow_data_frame":
            names = map(str, node.value.columns)
            yield from (n for n in names if WORD.search(n) and not n.startswith("private_view"))
        elif hasattr(node, "children"):
            yield from _columns(node)
