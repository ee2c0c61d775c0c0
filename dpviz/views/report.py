"""A view as one sheet that stands alone: question, sentence, main chart, promises and how to get
the numbers again.

A browser draws the chart: that of whoever takes the HTML, which then holds pictures alone, or the
server's own for a PDF.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from plotly.offline import get_plotlyjs

from dpviz.data import DATASETS, held_aside, uploads
from dpviz.formatting import number, ratio_reached
from dpviz.plots.kit import on_paper
from dpviz.run import reproduce, result_files
from dpviz.types import Guarantee, Result, RunSpec
from dpviz.views import origins, page_as_shown
from dpviz.views.guarantee_in_words import gain, headline, odds, right_at_most
from dpviz.views.page_as_shown import Picture, ShownPage

CSS = Path(__file__).with_name("report.css").read_text()
PRIVATE_PICTURE = (
    "Private view, not covered by any promise: what is drawn here was computed from the private"
    " records themselves."
)
NOT_COVERED = (
    "Not covered by any promise: this sheet itself. Its accuracies are counted on test records and"
    " averaged over releases, each of which would spend the budget; what is without noise or not"
    " private was computed from the private records themselves."
)
MINORITY = (
    "Private view, not covered by any guarantee: accuracies of the minority. Private class counts"
    " decide which classes are the minority."
)
TABLE = '<p class="private">Private view, not covered by any guarantee:</p>'
READERS = {
    True: (
        "{title}: public data, taken here for private. With private data in their place, this sheet"
        " would be for their holder alone."
    ),
    False: "The records are private to the people in them: this sheet is for whoever holds them.",
}
"""Who may see the sheet, by whether the data are public."""
LIMITS = (
    "that a picture cannot be stolen or leak from elsewhere, nor that nothing is learned about"
    " people like you: what holds for many shows without you."
)
EACH_RECORD = "The promise is for each record ({unit}), not for each person who has several."
EACH_PERSON = "The promise is for each person, with the records counted above."
QUESTIONS = (
    "for each picture or for each person? Which ε and δ? What was taken as public? Who adds the"
    " noise?"
)
WIDTH, HEIGHT = 700, 300
"""Of the chart (px), as on paper."""
MAX_COMMANDS = 2
"""Commands that a sheet has room for."""
HEADS = ("Method", "An attacker", "In precise words")
FIT = """const fit = () => {
  const sheet = document.documentElement.style;
  const high = () => document.body.getBoundingClientRect().height > 1020;
  for (let share = 1; share > 0.3 && (sheet.setProperty("--share", share), high());) share -= 0.02;
};
addEventListener("load", fit);
addEventListener("beforeprint", fit);"""
"""Letters and pictures give way to one sheet of A4."""
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    " blob:; font-src data:"
)


def page(shown_page: ShownPage, link: str, day: date, short: str = "") -> str:
    """The report in HTML, with a mark where its chart belongs; equal views give equal files.

    Args:
        link: of the view, with the server where its address is known; day: that it was made;
            short: a link that leaves out what stands as it does by itself, to be read and typed.
    """
    title = html.escape(shown_page.question)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{CSS}</style><script>{FIT}</script>"
    )
    parts = [
        f'<h1>{title}</h1><p class="answer">{prose(shown_page.answer)}</p>',
        _picture(shown_page),
    ]
    if shown_page.guarantees:
        parts += ["<h2>What is promised, and to whom</h2>", _guarantees(shown_page)]
    parts += [_tables(shown_page), _limits(shown_page), _foot(shown_page, link, short or link, day)]
    body = "".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def drawing(shown_page: ShownPage, link: str, day: date, short: str = "") -> str:
    """The report that draws its own chart, with Plotly in it, for a browser that prints it."""
    document = page(shown_page, link, day, short)
    document = document.replace("</head>", f"<script>{get_plotlyjs()}</script></head>", 1)
    for chart in charts(shown_page):
        size = {key: chart[key] for key in ("width", "height")} | {"format": "svg"}
        # a script's text must not end the script
        spec = chart["spec"].replace("<", "\\u003c")
        # as part of the page, where its styles hold
        script = (
            f"Plotly.toImage({spec}, {json.dumps(size)}).then((file) => {{"
            f' document.getElementById("{chart["name"]}").outerHTML ='
            ' decodeURIComponent(file.slice(file.indexOf(",") + 1)); fit(); })'
        )
        picture = f'<i id="{chart["name"]}"></i><script>{script}</script>'
        document = document.replace(chart["mark"], picture, 1)
    return document


def charts(shown_page: ShownPage) -> list[dict[str, Any]]:
    """The chart of the report, or none: name, size, figure, and the mark in its HTML in whose place
    it belongs.
    """
    charts_data = []
    for key, picture in _main(shown_page):
        if picture.figure is not None:
            figure = page_as_shown.file_figure(
                page_as_shown.still_figure(picture.figure, shown_page.frame)
            )
            on_paper.fit(figure, WIDTH, HEIGHT)
            size = {"width": figure.layout.width, "height": figure.layout.height}
            place = {"name": _name(key), "mark": _mark(key)}
            charts_data.append(place | size | {"spec": page_as_shown.figure_json(figure)})
    return charts_data


def guarantee_rows(shown_page: ShownPage) -> list[tuple[str, str, str]]:
    """Under ``HEADS``: whose promise it is, what an attacker could gain, in precise words."""
    return [
        (
            title,
            right_at_most(guarantee) if shown_page.precise else gain(guarantee),
            f"{headline(guarantee)} (ε = {number(guarantee.epsilon_delta)} at δ ="
            f" {number(guarantee.delta)})",
        )
        for title, guarantee in shown_page.guarantees.items()
    ]


def to_whom(shown_page: ShownPage) -> str:
    """To whom the promises are, and what they take as public."""
    subject = _by_title(
        shown_page.guarantees, lambda guarantee: f"{guarantee.unit}, {guarantee.adjacency}"
    )
    public = _by_title(shown_page.guarantees, lambda guarantee: guarantee.public)
    images = {given.held_aside for given in shown_page.guarantees.values()} - {0}
    own_images = "".join(f" {held_aside.treated(images_held)}." for images_held in sorted(images))
    return f"To whom: {subject}. Taken as public: {public}.{own_images}"


def _guarantees(shown_page: ShownPage) -> str:
    odds_text = f" {prose(odds(shown_page.guarantees))}" if shown_page.precise else ""
    table = _table([HEADS, *guarantee_rows(shown_page)])
    return f"{table}<p>{html.escape(to_whom(shown_page))}{odds_text}</p>"


def _by_title(guarantees: Mapping[str, Guarantee], words: Callable[[Guarantee], str]) -> str:
    """What promises say of themselves, once each, with the titles of those that say it."""
    titles: dict[str, list[str]] = {}
    for title, guarantee in guarantees.items():
        titles.setdefault(words(guarantee), []).append(title)
    if len(titles) == 1:
        return next(iter(titles))
    return "; ".join(f"{words_of} ({', '.join(names)})" for words_of, names in titles.items())


def _tables(shown_page: ShownPage) -> str:
    """The tables of the page's cards, side by side."""
    cells = (
        f"<div><h2>{html.escape(title)}</h2>{TABLE * table.private}"
        f"{_table([('', *table.head), *table.rows])}"
        f"<p>{prose(table.note)}</p></div>"
        for title, table in shown_page.tables.items()
    )
    return f'<div class="beside">{"".join(cells)}</div>' if shown_page.tables else ""


def _limits(shown_page: ShownPage) -> str:
    """What no such promise says, to whom these are, and what to ask about others."""
    units = [guarantee.unit for guarantee in shown_page.guarantees.values()]
    scopes = dict.fromkeys(
        (EACH_PERSON if unit.startswith("one person") else EACH_RECORD).format(unit=unit)
        for unit in units
    )
    limits = html.escape(" ".join([LIMITS, *scopes]))
    return (
        f"<p><b>What this does not promise:</b> {limits}</p>"
        f"<p><b>To ask of whoever promises this:</b> {html.escape(QUESTIONS)}</p>"
    )


def prose(markdown: str) -> str:
    """Markdown of the pages' sentences as HTML: bold and escaped signs, nothing else; all else
    stays text.
    """
    bare = re.sub(
        r"\\(.)",
        lambda m: "&#42;" if m[1] == "*" else m[1],
        html.escape(markdown).replace("\\&", "&"),
    )
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", bare)


def _main(shown_page: ShownPage) -> list[tuple[str, Picture]]:
    key = (
        shown_page.main
        if shown_page.main in shown_page.pictures
        else next(iter(shown_page.pictures), "")
    )
    return [(key, shown_page.pictures[key])] if key else []


def not_covered(shown_page: ShownPage) -> str:
    """What of the sheet no promise covers, and who may see it; empty where nothing was computed
    from records.
    """
    if not shown_page.private_answer and not shown_page.results:
        return ""
    row = DATASETS.get(shown_page.view.dataset) if shown_page.view else None
    taken = READERS[row is not None].format(title=row.title if row else "")
    score = f"{MINORITY} " if shown_page.minority else ""
    ratio = f" {_ratio(shown_page.results)}" if shown_page.results else ""
    return f"{score}{PRIVATE_PICTURE if shown_page.private_main else NOT_COVERED} {taken}{ratio}"


def _ratio(results: Sequence[Result]) -> str:
    return f"{ratio_reached([result.ratio for result in results]).capitalize()}."


def _private(shown_page: ShownPage) -> str:
    text = not_covered(shown_page)
    return f'<p class="private">{html.escape(text)}</p>' if text else ""


def _picture(shown_page: ShownPage) -> str:
    figures = "".join(
        f"<figure>{picture.html() if picture.html else _mark(key)}"
        f"<figcaption>{html.escape(picture.words)}</figcaption></figure>"
        for key, picture in _main(shown_page)
    )
    return f"{figures}{_private(shown_page)}"


def _name(key: str) -> str:
    return re.sub(r"[^\w-]", "-", key)


def _mark(key: str) -> str:
    return f"<!--chart {_name(key)}-->"


def _table(rows: Iterable[Sequence[str]]) -> str:
    cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _foot(shown_page: ShownPage, link: str, short: str, day: date) -> str:
    """The settings, the way back to this view, what gives its numbers again, and who made it."""
    has_address = "://" in link
    place_text = (
        "This view:" if has_address else "This view, after the address of any dpviz server:"
    )
    shown_link = html.escape(short if has_address else f"/{short}")
    way = f'<a href="{html.escape(link)}">{shown_link}</a>' if has_address else shown_link
    settings = html.escape(" · ".join(page_as_shown.settings(shown_page)))
    origin_text = html.escape(f"{day:%d %B %Y}. {origins.report(shown_page.results)}")
    code = command(shown_page)
    code_text = (
        f"<p>The numbers again, from the project's folder ({result_files.REPLAY}):"
        f" <code>{html.escape(_brief(code))}</code></p>"
    )
    if uploads.PLACEHOLDER in code:
        code_text += f"<p>{html.escape(uploads.REPLACE)}</p>"
    lines = (
        f"<p>{settings}</p><p>{place_text} {way}</p>{code_text if code else ''}<p>{origin_text}</p>"
    )
    return f"<footer>{lines}</footer>"


def command(shown_page: ShownPage) -> str:
    """What gives the numbers of the view again; empty where there are none."""
    if shown_page.reproduction or not shown_page.results:
        return uploads.without_paths(shown_page.reproduction)
    return uploads.without_paths(reproduce.run_command(_run_at_budget(shown_page).spec))


def all_commands(shown_page: ShownPage) -> str:
    """What gives all numbers at the budget looked at again, a line a method."""
    if shown_page.reproduction or not shown_page.results or shown_page.view is None:
        return command(shown_page)
    groups: dict[tuple[str, bool], list[RunSpec]] = {}
    still = [result for result in shown_page.results if not result.spec.budget.private]
    for result in [*shown_page.view.at_now(shown_page.results), *still]:
        groups.setdefault((result.spec.method, result.spec.budget.private), []).append(result.spec)
    lines = [reproduce.run_commands(list(dict.fromkeys(specs))) for specs in groups.values()]
    return uploads.without_paths("\n".join(lines))


def _brief(code: str) -> str:
    """Code as it is; of more than ``FEW`` shell commands the first."""
    lines = code.strip().splitlines()
    if len(lines) > MAX_COMMANDS and all(
        line.startswith(("python -m", "for s in")) for line in lines
    ):
        return f"{lines[0]}  # and {len(lines) - 1} more, on this view under “Table, CSV”"
    return code


def _run_at_budget(shown_page: ShownPage) -> Result:
    """A private run at the budget looked at, where there is one."""
    fits = shown_page.view.at_now(shown_page.results) if shown_page.view else []
    return (fits or list(shown_page.results))[0]
