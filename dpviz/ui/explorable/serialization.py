"""What a file keeps of each view, as JSON in which what several views share is told once."""

from __future__ import annotations

import json
import re
from typing import Any

from dpviz.plots.kit import as_svg
from dpviz.types import DpvizError
from dpviz.ui.explorable.walk import VisitedView
from dpviz.views import page_as_shown, report
from dpviz.views.page_as_shown import Picture, ShownPage, Table

PRIVATE = "private view, not covered by the guarantee"
MINORITY = (
    "The score of the page {page} is by the minority, which is a private view: private class counts"
    " decide which classes are the minority. Add private = true, or name another score in the view,"
    " such as score=balanced."
)
SHOWN = re.compile(
    r'<div class="on" data-name="[^"]*">(.*?)</div>(?=<div data-name="|</div>$)', re.S
)
DIGITS = 6
"""Significant digits of a coordinate; of what is read as a number, all are in the words."""
Json = Any


class Pool:
    """Pieces of JSON, each different one once."""

    def __init__(self) -> None:
        """Empty."""
        self.pieces: list[Json] = []
        self._places: dict[str, int] = {}

    def place(self, piece: Json) -> int:
        """Where this piece stands."""
        words = json.dumps(piece)
        if words not in self._places:
            self._places[words] = len(self.pieces)
            self.pieces.append(piece)
        return self._places[words]


def cell(seen: VisitedView, pool: Pool, private: bool) -> dict[str, Json]:
    """A view: its sentences, picture, promises, tables, settings and command.

    Args:
        private: whether private views may be in it; without, their tables are left out.

    Raises:
        DpvizError: where its answer or picture is a private view and may not be in it.
    """
    shown = seen.shown
    main = _main(shown)
    if main is None:
        return {"refused": pool.place(_refused(seen)), "settings": pool.place(seen.settings)}
    if shown.minority and not private:
        raise DpvizError(MINORITY.format(page=seen.page))
    if shown.private_main and not private:
        raise DpvizError(
            f"The picture of the page {seen.page} is a {PRIVATE}: say private = true, and it is"
            " taken along with a badge that says so; or choose another page."
        )
    return {
        "said": [pool.place(shown.plain_answer), pool.place(shown.precise_answer)],
        "picture": picture(main, shown, pool),
        "private": shown.private_answer,
        "covered": pool.place(report.not_covered(shown).replace("this sheet", "this file")),
        "promises": pool.place(guarantee_table(shown)),
        "tables": [
            pool.place(
                [title, ["", *table.head], [list(row) for row in table.rows], private_note(table)]
            )
            for title, table in shown.tables.items()
            if private or not table.private
        ],
        "again": pool.place(report.commands(shown)),
        "settings": pool.place(seen.settings),
    }


def private_note(table: Table) -> str:
    """The text below a table, which begins by saying that the table is a private view."""
    return f"{PRIVATE.capitalize()}. {table.below}" if table.private else table.below


def _main(shown: ShownPage) -> Picture | None:
    key = shown.main if shown.main in shown.pictures else next(iter(shown.pictures), "")
    return shown.pictures[key] if key and shown.has_report else None


def _refused(seen: VisitedView) -> str:
    words = " ".join(seen.refused) or seen.shown.answer or "There is nothing to show here."
    return words.replace("\\", "")


def guarantee_table(shown: ShownPage) -> list[Json]:
    """The table of the promises, and to whom they are; empty where there are none."""
    if not shown.promises:
        return []
    rows = [list(row) for row in report.guarantee_rows(shown)]
    return [["What is promised", list(report.HEADS), rows, report.to_whom(shown)]]


def picture(picture: Picture, shown: ShownPage, pool: Pool) -> dict[str, Json]:
    """A chart's parts, or a picture's HTML, and what it shows in words."""
    words = pool.place(picture.words)
    if picture.figure is not None:
        figure = page_as_shown.bare(page_as_shown.stilled(picture.figure, shown.frame))
        made = _short(json.loads(page_as_shown.figure_json(figure)))
        if lost := as_svg.unsupported(made):
            raise DpvizError(f"A file cannot draw this chart yet: it has {', '.join(lost)}.")
        made["layout"].pop("template", None)
        data = [pool.place(trace) for trace in made["data"]]
        layout = {key: pool.place(part) for key, part in made["layout"].items()}
        return {"words": words, "data": data, "layout": layout}
    assert picture.html is not None  # a picture is one of the two
    before, frames, after = picture.html().partition('<div class="frames">')
    one = SHOWN.search(after) if frames else None
    html = one[1] if one else after
    return {"words": words, "styles": pool.place(before), "html": pool.place(html)}


def _short(value: Json) -> Json:
    """The same with numbers of ``DIGITS`` digits."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, list):
        return [_short(one) for one in value]
    if isinstance(value, dict):
        return {key: _short(one) for key, one in value.items()}
    return value
