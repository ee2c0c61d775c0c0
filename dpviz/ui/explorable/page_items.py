"""Content of a page drawn without a browser, in order: texts, HTML and charts with their keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.ui.widgets.cards import PRIVATE_MARK

TEXT, CAPTION, HTML, CHART = "text", "caption", "html", "chart"
KINDS = {"markdown": TEXT, "caption": CAPTION, "html": HTML, "plotly_chart": CHART}
"""Kinds of content by Streamlit's names."""
HEAD, FOLD, CONTROL = "head", "fold", "control"
HEADS = ("header", "subheader", "title")


@dataclass(frozen=True)
class Item:
    """One element.

    Attributes:
        kind: of content, or HEAD, FOLD, CONTROL; words: Markdown, HTML or a chart's key;
        keys: its own and those of the blocks around it, outermost first; private: whether it is
            part of a private view.
    """

    kind: str
    words: str
    keys: tuple[str, ...]
    private: bool

    @property
    def shows(self) -> bool:
        """Whether it is content."""
        return self.kind in KINDS.values()


def items(block: Any) -> tuple[Item, ...]:
    """All of a block of Streamlit's ``AppTest``."""
    return tuple(_items_of(block, (), False))


def _items_of(block: Any, keys: tuple[str, ...], private: bool) -> Iterator[Item]:
    outside = private
    for node in block.children.values():
        node_keys = (*keys, node.key) if getattr(node, "key", None) else keys
        if node.type in HEADS:
            private = outside  # a private view ends at the next header
            yield Item(HEAD, "", node_keys, private)
        elif node.type == "html" and PRIVATE_MARK in node.body:
            private = True
        elif node.type in KINDS:
            name = {"plotly_chart": "key", "html": "body"}.get(node.type, "value")
            yield Item(KINDS[node.type], getattr(node, name), node_keys, private)
        elif node.type == "expander":
            yield Item(FOLD, "", node_keys, private)
        elif hasattr(node, "children"):
            yield from _items_of(node, node_keys, private)
        else:
            yield Item(CONTROL, "", node_keys, private)


def items_inside(page: Sequence[Item], key: str) -> list[Item]:
    """Return the content of the block or chart with this key.

    For a control, return the content below it up to the next header or fold.
    """
    items_of_key = [item for item in page if key in item.keys]
    if visible := [item for item in items_of_key if item.shows]:
        return visible
    if not items_of_key:
        return []
    items_below = []
    for item in page[page.index(items_of_key[-1]) + 1 :]:
        if item.kind in (HEAD, FOLD):
            break
        if item.shows:
            items_below.append(item)
    return items_below
