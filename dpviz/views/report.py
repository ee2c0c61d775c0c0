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


def page(shown: ShownPage, link: str, day: date, short: str = "") -> str:
    """The report in HTML, with a mark where its chart belongs; equal views give equal files.

    Args:
        link: of the view, with the server where its address is known; day: that it was made;
            short: a link that leaves out what stands as it does by itself, to be read and typed.
    """
    title = html.escape(shown.question)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{CSS}</style><script>{FIT}</script>"
    )
    parts = [f'<h1>{title}</h1><p class="answer">{prose(shown.answer)}</p>', _picture(shown)]
    if shown.promises:
        parts += ["<h2>What is promised, and to whom</h2>", _guarantees(shown)]
    parts += [_tables(shown), _limits(shown), _foot(shown, link, short or link, day)]
    body = "".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def drawing(shown: ShownPage, link: str, day: date, short: str = "") -> str:
    """The report that draws its own chart, with Plotly in it, for a browser that prints it."""
    made = page(shown, link, day, short)
    made = made.replace("</head>", f"<script>{get_plotlyjs()}</script></head>", 1)
    for chart in charts(shown):
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
        made = made.replace(chart["mark"], picture, 1)
    return made


def charts(shown: ShownPage) -> list[dict[str, Any]]:
    """The chart of the report, or none: name, size, figure, and the mark in its HTML in whose place
    it belongs.
    """
    made = []
    for key, picture in _main(shown):
        if picture.figure is not None:
            figure = page_as_shown.bare(page_as_shown.stilled(picture.figure, shown.frame))
            on_paper.fit(figure, WIDTH, HEIGHT)
            size = {"width": figure.layout.width, "height": figure.layout.height}
            place = {"name": _name(key), "mark": _mark(key)}
            made.append(place | size | {"spec": page_as_shown.figure_json(figure)})
    return made


def guarantee_rows(shown: ShownPage) -> list[tuple[str, str, str]]:
    """Under ``HEADS``: whose promise it is, what an attacker could gain, in precise words."""
    return [
        (
            title,
            right_at_most(each) if shown.precise else gain(each),
            f"{headline(each)} (ε = {number(each.epsilon_delta)} at δ = {number(each.delta)})",
        )
        for title, each in shown.promises.items()
    ]


def to_whom(shown: ShownPage) -> str:
    """To whom the promises are, and what they take as public."""
    whom = _by_title(shown.promises, lambda each: f"{each.unit}, {each.adjacency}")
    public = _by_title(shown.promises, lambda each: each.public)
    images = {given.held_aside for given in shown.promises.values()} - {0}
    own = "".join(f" {held_aside.treated(some)}." for some in sorted(images))
    return f"To whom: {whom}. Taken as public: {public}.{own}"


def _guarantees(shown: ShownPage) -> str:
    told = f" {prose(odds(shown.promises))}" if shown.precise else ""
    table = _table([HEADS, *guarantee_rows(shown)])
    return f"{table}<p>{html.escape(to_whom(shown))}{told}</p>"


def _by_title(promises: Mapping[str, Guarantee], words: Callable[[Guarantee], str]) -> str:
    """What promises say of themselves, once each, with the titles of those that say it."""
    titles: dict[str, list[str]] = {}
    for title, given in promises.items():
        titles.setdefault(words(given), []).append(title)
    if len(titles) == 1:
        return next(iter(titles))
    return "; ".join(f"{said} ({', '.join(of)})" for said, of in titles.items())


def _tables(shown: ShownPage) -> str:
    """The tables of the page's cards, side by side."""
    each = (
        f"<div><h2>{html.escape(title)}</h2>{TABLE * kept.private}"
        f"{_table([('', *kept.head), *kept.rows])}"
        f"<p>{prose(kept.below)}</p></div>"
        for title, kept in shown.tables.items()
    )
    return f'<div class="beside">{"".join(each)}</div>' if shown.tables else ""


def _limits(shown: ShownPage) -> str:
    """What no such promise says, to whom these are, and what to ask about others."""
    units = [each.unit for each in shown.promises.values()]
    whom = dict.fromkeys(
        (EACH_PERSON if unit.startswith("one person") else EACH_RECORD).format(unit=unit)
        for unit in units
    )
    limits = html.escape(" ".join([LIMITS, *whom]))
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


def _main(shown: ShownPage) -> list[tuple[str, Picture]]:
    key = shown.main if shown.main in shown.pictures else next(iter(shown.pictures), "")
    return [(key, shown.pictures[key])] if key else []


def not_covered(shown: ShownPage) -> str:
    """What of the sheet no promise covers, and who may see it; empty where nothing was computed
    from records.
    """
    if not shown.private_answer and not shown.results:
        return ""
    row = DATASETS.get(shown.view.dataset) if shown.view else None
    taken = READERS[row is not None].format(title=row.title if row else "")
    score = f"{MINORITY} " if shown.minority else ""
    ratio = f" {_ratio(shown.results)}" if shown.results else ""
    return f"{score}{PRIVATE_PICTURE if shown.private_main else NOT_COVERED} {taken}{ratio}"


def _ratio(results: Sequence[Result]) -> str:
    return f"{ratio_reached([result.ratio for result in results]).capitalize()}."


def _private(shown: ShownPage) -> str:
    said = not_covered(shown)
    return f'<p class="private">{html.escape(said)}</p>' if said else ""


def _picture(shown: ShownPage) -> str:
    figures = "".join(
        f"<figure>{picture.html() if picture.html else _mark(key)}"
        f"<figcaption>{html.escape(picture.words)}</figcaption></figure>"
        for key, picture in _main(shown)
    )
    return f"{figures}{_private(shown)}"


def _name(key: str) -> str:
    return re.sub(r"[^\w-]", "-", key)


def _mark(key: str) -> str:
    return f"<!--chart {_name(key)}-->"


def _table(rows: Iterable[Sequence[str]]) -> str:
    cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _foot(shown: ShownPage, link: str, short: str, day: date) -> str:
    """The settings, the way back to this view, what gives its numbers again, and who made it."""
    known = "://" in link
    where = "This view:" if known else "This view, after the address of any dpviz server:"
    shown_link = html.escape(short if known else f"/{short}")
    way = f'<a href="{html.escape(link)}">{shown_link}</a>' if known else shown_link
    settings = html.escape(" · ".join(page_as_shown.settings(shown)))
    made = html.escape(f"{day:%d %B %Y}. {origins.report(shown.results)}")
    again = command(shown)
    told = (
        f"<p>The numbers again, from the project's folder ({result_files.REPLAY}):"
        f" <code>{html.escape(_brief(again))}</code></p>"
    )
    if uploads.PLACEHOLDER in again:
        told += f"<p>{html.escape(uploads.REPLACE)}</p>"
    lines = f"<p>{settings}</p><p>{where} {way}</p>{told if again else ''}<p>{made}</p>"
    return f"<footer>{lines}</footer>"


def command(shown: ShownPage) -> str:
    """What gives the numbers of the view again; empty where there are none."""
    if shown.reproduction or not shown.results:
        return uploads.without_paths(shown.reproduction)
    return uploads.without_paths(reproduce.run_command(_run_at_budget(shown).spec))


def commands(shown: ShownPage) -> str:
    """What gives all numbers at the budget looked at again, a line a method."""
    if shown.reproduction or not shown.results or shown.view is None:
        return command(shown)
    groups: dict[tuple[str, bool], list[RunSpec]] = {}
    still = [one for one in shown.results if not one.spec.budget.private]
    for one in [*shown.view.at_now(shown.results), *still]:
        groups.setdefault((one.spec.method, one.spec.budget.private), []).append(one.spec)
    lines = [reproduce.run_commands(list(dict.fromkeys(some))) for some in groups.values()]
    return uploads.without_paths("\n".join(lines))


def _brief(code: str) -> str:
    """Code as it is; of more than ``FEW`` shell commands the first."""
    lines = code.strip().splitlines()
    if len(lines) > MAX_COMMANDS and all(
        line.startswith(("python -m", "for s in")) for line in lines
    ):
        return f"{lines[0]}  # and {len(lines) - 1} more, on this view under “Table, CSV”"
    return code


def _run_at_budget(shown: ShownPage) -> Result:
    """A private run at the budget looked at, where there is one."""
    fits = shown.view.at_now(shown.results) if shown.view else []
    return (fits or list(shown.results))[0]
