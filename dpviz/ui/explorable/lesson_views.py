"""The page of a lesson's step at every stop of its budget: sentences, picture, and what the step
looks at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from dpviz.formatting import SYMBOLS, number
from dpviz.text import export as text
from dpviz.ui.explorable import page_items, serialization, walk
from dpviz.ui.explorable.page_items import CAPTION, CHART, HTML, Item
from dpviz.ui.explorable.serialization import Pool
from dpviz.ui.explorable.walk import VisitedView
from dpviz.ui.frame.page_parts import ANSWER, PICTURE
from dpviz.ui.your_answer import answer as own_answer
from dpviz.views import report
from dpviz.views.lessons import Step
from dpviz.views.page_as_shown import ShownPage
from dpviz.views.page_config import STOPS
from dpviz.views.your_answer_page import HONESTIES

HIDDEN = text.HIDDEN
BUDGET, HONESTY = "eps", "honest"
OWN_ANSWER = "own-answer"
"""Key of the question that a coin may answer."""
Json = Any


class Pages:
    """Pages as links open them, each run once."""

    def __init__(self) -> None:
        """Nothing is looked at yet."""
        self._known: dict[tuple[str, str], VisitedView] = {}

    def view(self, page: str, settings: Mapping[str, str]) -> VisitedView:
        """As ``walk.view``."""
        name = page, urlencode(sorted(settings.items()))
        if name not in self._known:
            self._known[name] = walk.view(page, settings)
        return self._known[name]


def view(
    step: Step, pages: Pages, pool: Pool, private: bool, origin: str
) -> tuple[dict[str, Json], VisitedView]:
    """What the file keeps of a step's page, and the page as the step opens it."""
    first_view = pages.view(step.page, step.link)
    key, values = hand(first_view)
    views = [pages.view(step.page, {**step.link, key: value}) for value in values] or [first_view]
    current = first_view.settings.get(key, "")
    data: dict[str, Json] = {
        "question": first_view.content.question,
        "cells": [_cell(step, visited, pool, private, origin) for visited in views],
        "hand": None,
    }
    if values:
        data["hand"] = {
            "key": key,
            "values": values,
            "label": _label(key, first_view),
            "now": values.index(_encoded(current)),
        }
    return data, first_view


def hand(first_view: VisitedView) -> tuple[str, list[str]]:
    """The setting that the slider moves and its values as a link writes them; none where the page
    has no budget.
    """
    settings = first_view.settings
    if BUDGET in settings:
        stops = STOPS[settings.get("axis", "approx")]
        return BUDGET, [number(stop) for stop in sorted({*stops, float(settings[BUDGET])})]
    if HONESTY in settings:
        return HONESTY, [_encoded(str(value)) for value in HONESTIES]
    return "", []


def _encoded(value: str) -> str:
    return number(float(value))


def _label(key: str, first_view: VisitedView) -> str:
    if key == BUDGET:
        return f"Budget {SYMBOLS[first_view.settings.get('axis', 'approx')]}"
    return first_view.labels[key]


# ---------------------------------------------------------------------------------------- one stop


def _cell(
    step: Step, visited: VisitedView, pool: Pool, private: bool, origin: str
) -> dict[str, Json]:
    content = visited.content
    if not content.answer:
        words = " ".join(visited.refused) or "There is nothing to show here."
        nothing = {"main": [], "part": [], "covered": pool.place(""), "again": pool.place("")}
        return nothing | {"said": [pool.place(words)] * 2, "promises": pool.place([])}
    main = [i for i in page_items.items_inside(visited.items, PICTURE) if i.kind in (CHART, HTML)]
    part = (
        []
        if step.at in (PICTURE, ANSWER, OWN_ANSWER)
        else page_items.items_inside(visited.items, step.at)
    )
    keep = lambda items: [_item(item, content, pool, private, origin) for item in items]
    data = {
        "said": [pool.place(content.plain_answer), pool.place(content.precise_answer)],
        "main": [_badged(item, content) for item in keep(main)],
        "part": _deduplicated(keep(part)),
        "covered": pool.place(_not_covered(content, private)),
        "promises": pool.place(serialization.guarantee_table(content)),
        "again": pool.place(report.command(content)),
    }
    if HONESTY in visited.settings:
        data["coin"] = own_answer.coin_data(int(visited.settings[HONESTY]))
    return data


def _badged(item: dict[str, Json], content: ShownPage) -> dict[str, Json]:
    """The main picture, under a badge where its score is by the minority. A lesson shows bundled
    public data, so the score stays in every file.
    """
    return item | {"private": True} if content.minority and item["kind"] != "hidden" else item


def _not_covered(content: ShownPage, private: bool) -> str:
    """Return what no guarantee covers, of what the file shows."""
    reported = content if private else replace(content, private_main=False)
    return report.not_covered(reported, report.text.FILE)


def _deduplicated(items: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
    """Return items without repetitions."""
    return [item for at, item in enumerate(items) if item not in items[:at]]


def _item(
    item: Item, content: ShownPage, pool: Pool, private: bool, origin: str
) -> dict[str, Json]:
    """Return text, HTML or a chart; hide private views unless ``private``."""
    if item.private and not private:
        return {"kind": "hidden"}
    data: dict[str, Json] = {"kind": item.kind, "private": item.private}
    if item.kind == CHART:
        return data | serialization.picture(
            content.pictures[_name(item.words, content)], content, pool
        )
    if item.kind == HTML:
        return data | _html(item, content, pool, origin)
    return data | {
        "kind": CAPTION if item.kind == CAPTION else "text",
        "words": pool.place(item.words),
    }


def _html(item: Item, content: ShownPage, pool: Pool, origin: str) -> dict[str, Json]:
    """Return HTML of the page; of a picture in frames, the shown one."""
    key = next(iter(content.pictures), "")
    if PICTURE in item.keys and key and content.pictures[key].html:
        return serialization.picture(content.pictures[key], content, pool)
    words = item.words.replace('href="./', f'href="{origin}').replace(
        'target="_self"', 'target="_blank"'
    )
    return {"styles": pool.place(""), "html": pool.place(words)}


def _name(key: str, content: ShownPage) -> str:
    """Return the name of a chart whose key counts its redraws."""
    return key if key in content.pictures else re.sub(r"--\d+$", "", key)
