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
from dpviz.ui.explorable import page_items, serialization, walk
from dpviz.ui.explorable.page_items import CAPTION, CHART, HTML, Item
from dpviz.ui.explorable.serialization import Pool
from dpviz.ui.explorable.walk import VisitedView
from dpviz.ui.frame.page_parts import ANSWER, PICTURE
from dpviz.ui.widgets.cards import PRIVATE
from dpviz.ui.your_answer import answer as own
from dpviz.views import report
from dpviz.views.lessons import Step
from dpviz.views.page_as_shown import ShownPage
from dpviz.views.page_config import STOPS
from dpviz.views.your_answer_page import HONESTIES

BADGE = PRIVATE.partition(" ")[2]
HIDDEN = (
    "Here the dashboard shows a private view: what it draws is computed from the private records"
    " themselves, and no guarantee covers it. This file was made without such views; open this step"
    " in the dashboard to see it."
)
BUDGET, HONESTY = "eps", "honest"
OWN = "own-answer"
"""Key of the question whose answer a coin gives."""
Json = Any


class Pages:
    """Pages as links open them, each looked at once."""

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
    first = pages.view(step.page, step.link)
    key, values = hand(first)
    seen = [pages.view(step.page, {**step.link, key: value}) for value in values] or [first]
    now = first.settings.get(key, "")
    told: dict[str, Json] = {
        "question": first.shown.question,
        "cells": [_cell(step, one, pool, private, origin) for one in seen],
        "hand": None,
    }
    if values:
        told["hand"] = {
            "key": key,
            "values": values,
            "label": _label(key, first),
            "now": values.index(_encoded(now)),
        }
    return told, first


def hand(first: VisitedView) -> tuple[str, list[str]]:
    """The setting that the slider moves and its values as a link writes them; none where the page
    has no budget.
    """
    settings = first.settings
    if BUDGET in settings:
        stops = STOPS[settings.get("axis", "approx")]
        return BUDGET, [number(stop) for stop in sorted({*stops, float(settings[BUDGET])})]
    if HONESTY in settings:
        return HONESTY, [_encoded(str(value)) for value in HONESTIES]
    return "", []


def _encoded(value: str) -> str:
    return number(float(value))


def _label(key: str, first: VisitedView) -> str:
    if key == BUDGET:
        return f"Budget {SYMBOLS[first.settings.get('axis', 'approx')]}"
    return first.labels[key]


# ---------------------------------------------------------------------------------------- one stop


def _cell(step: Step, seen: VisitedView, pool: Pool, private: bool, origin: str) -> dict[str, Json]:
    shown = seen.shown
    if not shown.answer:
        words = " ".join(seen.refused) or "There is nothing to show here."
        nothing = {"main": [], "part": [], "covered": pool.place(""), "again": pool.place("")}
        return nothing | {"said": [pool.place(words)] * 2, "promises": pool.place([])}
    main = [i for i in page_items.inside(seen.items, PICTURE) if i.kind in (CHART, HTML)]
    part = [] if step.at in (PICTURE, ANSWER, OWN) else page_items.inside(seen.items, step.at)
    keep = lambda items: [_item(item, shown, pool, private, origin) for item in items]
    told = {
        "said": [pool.place(shown.plain_answer), pool.place(shown.precise_answer)],
        "main": [_badged(one, shown) for one in keep(main)],
        "part": _deduplicated(keep(part)),
        "covered": pool.place(_not_covered(shown, private)),
        "promises": pool.place(serialization.guarantee_table(shown)),
        "again": pool.place(report.command(shown)),
    }
    if HONESTY in seen.settings:
        told["coin"] = own.coin_data(int(seen.settings[HONESTY]))
    return told


def _badged(item: dict[str, Json], shown: ShownPage) -> dict[str, Json]:
    """The main picture, under a badge where its score is by the minority. A lesson shows bundled
    public data, so the score stays in every file.
    """
    return item | {"private": True} if shown.minority and item["kind"] != "hidden" else item


def _not_covered(shown: ShownPage, private: bool) -> str:
    """What no promise covers, of what the file shows."""
    seen = shown if private else replace(shown, private_main=False)
    return report.not_covered(seen).replace("this sheet", "this file")


def _deduplicated(items: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
    """Items of which the same sentence in place of many stands once."""
    return [one for at, one in enumerate(items) if one not in items[:at]]


def _item(item: Item, shown: ShownPage, pool: Pool, private: bool, origin: str) -> dict[str, Json]:
    """Text, HTML of the app's own, or a chart; what is private is left out unless asked for."""
    if item.private and not private:
        return {"kind": "hidden"}
    told: dict[str, Json] = {"kind": item.kind, "private": item.private}
    if item.kind == CHART:
        return told | serialization.picture(shown.pictures[_name(item.words, shown)], shown, pool)
    if item.kind == HTML:
        return told | _html(item, shown, pool, origin)
    return told | {
        "kind": CAPTION if item.kind == CAPTION else "text",
        "words": pool.place(item.words),
    }


def _html(item: Item, shown: ShownPage, pool: Pool, origin: str) -> dict[str, Json]:
    """HTML as it stands on the page; a picture in frames, the one of them that is shown."""
    key = next(iter(shown.pictures), "")
    if PICTURE in item.keys and key and shown.pictures[key].html:
        return serialization.picture(shown.pictures[key], shown, pool)
    words = item.words.replace('href="./', f'href="{origin}').replace(
        'target="_self"', 'target="_blank"'
    )
    return {"styles": pool.place(""), "html": pool.place(words)}


def _name(key: str, shown: ShownPage) -> str:
    """The name of a chart whose key counts how often it was drawn anew."""
    return key if key in shown.pictures else re.sub(r"-\d+$", "", key)
