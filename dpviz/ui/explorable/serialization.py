"""The views of a file as JSON, in which pieces that views share occur once."""

from __future__ import annotations

import json
import re
from typing import Any

from dpviz.plots.kit import as_svg
from dpviz.text import export as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.ui.explorable.walk import VisitedView
from dpviz.views import page_as_shown, report
from dpviz.views.page_as_shown import Picture, ShownPage, Table

MINORITY = (
    "The page {page} shows an accuracy of the rare classes, a private view: private class counts"
    " decide which classes are rare. Add private = true, or choose another score in the view, such"
    " as score=balanced."
)
SHOWN_FRAME = re.compile(
    r'<div class="on" data-name="[^"]*">(.*?)</div>(?=<div data-name="|</div>$)', re.S
)
DIGITS = 6
"""Significant digits of a coordinate; of what is read as a number, all are in the words."""
Json = Any


class Pool:
    """Distinct pieces of JSON."""

    def __init__(self) -> None:
        """Empty."""
        self.pieces: list[Json] = []
        self._places: dict[str, int] = {}

    def place(self, piece: Json) -> int:
        """Return the index of a piece, added if it is new."""
        words = json.dumps(piece)
        if words not in self._places:
            self._places[words] = len(self.pieces)
            self.pieces.append(piece)
        return self._places[words]


def cell(visited: VisitedView, pool: Pool, private: bool) -> dict[str, Json]:
    """Return a view: answer, picture, guarantees, tables, settings and command.

    Args:
        private: whether to include private views.

    Raises:
        DpvizError: If its answer or picture is a private view and ``private`` is false.
    """
    content = visited.content
    main = _main(content)
    if main is None:
        return {"refused": pool.place(_refused(visited)), "settings": pool.place(visited.settings)}
    if content.minority and not private:
        raise DpvizError(MINORITY.format(page=visited.page))
    if content.private_main and not private:
        raise DpvizError(
            f"The main chart of the page {visited.page} is a private view. Add private = true to"
            " include it with a badge, or choose another page."
        )
    return {
        "said": [pool.place(content.plain_answer), pool.place(content.precise_answer)],
        "picture": picture(main, content, pool),
        "private": content.private_answer,
        "covered": pool.place(report.not_covered(content, report.text.FILE)),
        "promises": pool.place(guarantee_table(content)),
        "tables": [
            pool.place(
                [title, ["", *table.head], [list(row) for row in table.rows], private_note(table)]
            )
            for title, table in content.tables.items()
            if private or not table.private
        ],
        "again": pool.place(report.all_commands(content)),
        "settings": pool.place(visited.settings),
    }


def private_note(table: Table) -> str:
    """Return the note below a table, which names a private view as such."""
    return render_text(text.PRIVATE_NOTE, note=table.note) if table.private else table.note


def _main(content: ShownPage) -> Picture | None:
    key = content.main_picture
    return content.pictures[key] if key and content.has_report else None


def _refused(visited: VisitedView) -> str:
    words = " ".join(visited.refused) or visited.content.answer or text.EMPTY_VIEW
    return words.replace("\\", "")


def guarantee_table(content: ShownPage) -> list[Json]:
    """Return the table of guarantees and whom they protect; empty without guarantees."""
    if not content.stated_guarantees:
        return []
    rows = [list(row) for row in report.guarantee_rows(content)]
    return [[text.GUARANTEES, list(report.HEADS), rows, report.to_whom(content)]]


def picture(picture: Picture, content: ShownPage, pool: Pool) -> dict[str, Json]:
    """Return a chart's parts, or a picture's HTML, and its description."""
    words = pool.place(picture.words)
    if picture.figure is not None:
        figure = page_as_shown.file_figure(
            page_as_shown.still_figure(picture.figure, content.frame)
        )
        data_of_figure = _short(json.loads(page_as_shown.figure_json(figure)))
        if lost := as_svg.unsupported(data_of_figure):
            raise DpvizError(f"A file cannot draw this chart: it has {', '.join(lost)}.")
        data_of_figure["layout"].pop("template", None)
        data = [pool.place(trace) for trace in data_of_figure["data"]]
        layout = {key: pool.place(part) for key, part in data_of_figure["layout"].items()}
        return {"words": words, "data": data, "layout": layout}
    assert picture.html is not None  # a picture is one of the two
    before, frames, after = picture.html().partition('<div class="frames">')
    match = SHOWN_FRAME.search(after) if frames else None
    html = match[1] if match else after
    return {"words": words, "styles": pool.place(before), "html": pool.place(html)}


def _short(value: Json) -> Json:
    """Return the value with numbers of ``DIGITS`` significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, list):
        return [_short(item) for item in value]
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    return value
