"""What the window leaves of each class's scores and how sure its choice is: a table with bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from dpviz.plots.kit.style import ACCENT, GREY, ORANGE, ink
from dpviz.plots.prototype_grid import chance, limited


@dataclass(frozen=True)
class ClassChoice:
    """One class.

    Attributes:
        name, records, minority: of the class; below, inside, above: shares of its scores;
            candidates: among as good as how many pictures it chooses; best: probability of its best
            picture; own: of a picture that bears its name, None where none could.
    """

    name: str
    records: int
    minority: bool
    below: float
    inside: float
    above: float
    candidates: float
    best: float
    own: float | None


STYLE = f"""<style>
.cc {{ width: 100%; border-collapse: collapse; font-size: .85rem; }}
.cc th {{ font-weight: 400; opacity: .8; text-align: right; vertical-align: bottom; }} .cc td {{ \
text-align: right; padding: .12rem 0 .12rem .8rem; white-space: nowrap; }}
.cc td:first-child, .cc th:first-child {{ text-align: left; padding-left: 0; }} .cc .m {{ \
color: {ink(ACCENT)}; text-decoration: underline; }}
.cc .b {{ display: flex; height: .8em; min-width: 70px; border-radius: 2px; overflow: hidden; }} \
.cc .b i {{ display: block; height: 100%; }}
.cc-box {{ overflow-x: auto; }}
@media (max-width: 640px) {{ .cc :is(th, td):nth-child(3) {{ display: none; }} }}
</style>"""


def html(rows: Sequence[ClassChoice]) -> str:
    """The table, rows in the order given; of very many classes the first and the last."""
    own = any(row.own is not None for row in rows)
    heads = [
        "class",
        "records",
        "scores",
        "below d_min",
        "inside",
        "above d_max",
        "in effect among",
        "p of the best picture",
    ]
    heads += ["p of its own name"] * own
    shown = [rows[k] for k in limited(range(len(rows)))]
    head = "".join(f"<th>{words}</th>" for words in heads)
    body = "".join(f"<tr>{_cells(row, own)}</tr>" for row in shown)
    return (
        f'{STYLE}<div class="cc-box" tabindex="0" role="group" aria-label="Scores of each class,'
        ' and how sure its choice is"><table'
        f' class="cc"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _cells(row: ClassChoice, own: bool) -> str:
    parts = zip((row.below, row.inside, row.above), (GREY, ORANGE, ACCENT), strict=True)
    bar = "".join(
        f'<i style="width:{100 * share:.2f}%;background:{colour}"></i>' for share, colour in parts
    )
    name = f'<span class="m">{escape(row.name)}</span>' if row.minority else escape(row.name)
    cells = [
        name,
        f"{row.records:,}",
        f'<div class="b">{bar}</div>',
        _share(row.below),
        _share(row.inside),
        _share(row.above),
    ]
    cells += [f"{row.candidates:,.0f}", chance(row.best)]
    cells += [chance(row.own or 0.0)] * own
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _share(value: float) -> str:
    return "0" if value == 0 else f"{100 * value:.1f} %" if value >= 0.0005 else "< 0.1 %"
