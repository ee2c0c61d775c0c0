"""Icon arrays: one hundred figures per panel, as HTML, for risks in natural frequencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

FIGURES, PER_ROW = 100, 10
#: Colors on a light and on a dark page; neighbors in a legend differ by at least 3:1.
STRONG, MIDDLE = "light-dark(#2e2378, #dcd6ff)", "light-dark(#7f70dd, #7467d8)"
PALE, REST = "light-dark(#e4e0f9, #2a2655)", "light-dark(#e4e6ea, #2b2e39)"
REST_EDGE = "light-dark(#9299a8, #666d80)"
#: CSS class of each kind of figure, strongest first; a ring is possible, but not observed,
#: and a dashed one partly.
CLASSES = {"strong": "s", "middle": "m", "pale": "p", "ring": "r", "part": "q", "rest": ""}
STYLE = f"""<style>
.ia {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); \
gap: 1.2rem .75rem; }}
.ia > div {{ display: grid; grid-row: span 4; grid-template-rows: subgrid; \
row-gap: 0; }}
.ia .t {{ font-size: .9rem; font-weight: 600; line-height: 1.25; \
display: flex; align-items: flex-end; }}
.ia .v {{ font-size: 1.3rem; font-weight: 600; line-height: 1.4; }}
.ia.wide {{ grid-template-columns: 1fr 1fr; row-gap: .7rem; }}
.ia.wide .g {{ grid-template-columns: repeat({2 * PER_ROW}, 1fr); }}
.ia .n, .ia-key {{ font-size: .85rem; \
color: color-mix(in srgb, currentColor 85%, transparent); }}
.ia .g {{ display: grid; grid-template-columns: repeat({PER_ROW}, 1fr); gap: 3px; \
 margin: .3rem 0 .4rem; align-content: start; }}
.ia i, .ia-key i {{ aspect-ratio: 1; border-radius: 20%; box-sizing: border-box; \
background: {REST}; border: 1px solid {REST_EDGE}; }}
.ia .o i, .ia-key .o {{ border-radius: 50%; }}
.ia i.s, .ia-key i.s {{ background: {STRONG}; border: none; }}
.ia i.m, .ia-key i.m {{ background: {MIDDLE}; border: none; }}
.ia i.p, .ia-key i.p {{ background: {PALE}; \
border: 1px solid color-mix(in srgb, {MIDDLE} 45%, transparent); }}
.ia i.r, .ia-key i.r {{ background: none; border: 2px solid {STRONG}; }}
.ia i.q, .ia-key i.q {{ background: none; border: 2px dashed {STRONG}; }}
.ia > div.bare {{ grid-row: span 3; }}
.ia .c {{ container-type: inline-size; }}
.ia .c:not(.wide *) {{ max-width: 300px; }}
@supports (width: round(down, 1cqw, 1px)) {{
.ia .g {{ grid-template-columns: repeat({PER_ROW}, \
round(down, (100cqw - {PER_ROW - 1} * var(--gap, 3px)) / {PER_ROW}, 1px)); }}
.ia.wide .g {{ grid-template-columns: repeat({2 * PER_ROW}, \
round(down, (100cqw - {2 * PER_ROW - 1} * var(--gap, 3px)) / {2 * PER_ROW}, 1px)); }}
}}
@media (max-width: 640px) {{ .ia.wide .g {{ grid-template-columns: repeat({PER_ROW}, 1fr); }} }}
.ia-key {{ display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-bottom: .7rem; }}
.ia-key span {{ display: inline-flex; align-items: center; gap: .4rem; }}
.ia-key i {{ width: 12px; flex: none; }}
@media (max-width: 640px) {{ .ia {{ grid-template-columns: repeat(auto-fit, \
minmax(92px, 1fr)); gap: .8rem; }} .ia .t, .ia .n {{ font-size: .78rem; }} \
.ia .v {{ font-size: 1.05rem; }} .ia .g {{ gap: 2px; --gap: 2px; }} \
.ia i.q {{ border-width: 1px; }} .ia.wide {{ grid-template-columns: 1fr 1fr; }} }}
</style>"""


@dataclass(frozen=True)
class IconArray:
    """One panel of at most one hundred figures.

    Attributes:
        title: what is counted; value: the number in large letters, or ""; note: below it, or "".
        counts: figures by kind, in drawing order; the others are drawn as ``rest``.
        alt: the panel in words.
        round: circles instead of squares; number: of all figures.
    """

    title: str
    value: str
    note: str
    counts: Mapping[str, int]
    alt: str
    round: bool = False
    number: int = FIGURES

    def kinds(self) -> list[str]:
        """Return the kind of each figure."""
        drawn = [kind for kind, count in self.counts.items() for _ in range(count)]
        return (drawn + ["rest"] * self.number)[: self.number]

    def html(self) -> str:
        """Return the panel, escaped."""
        figures = "".join(map(_figure, self.kinds()))
        look = "g o" if self.round else "g"
        value = f'<div class="v">{escape(self.value)}</div>' if self.value else ""
        return (
            f'<div class="{"" if value else "bare"}"><div class="t">{escape(self.title)}</div>'
            f'{value}<div class="n">{escape(self.note)}</div>'
            f'<div class="c"><div class="{look}" role="img" aria-label="{escape(self.alt)}">'
            f"{figures}</div></div></div>"
        )


def icon_arrays_html(
    panels: Sequence[IconArray], key: Mapping[str, str], alt: str, wide: bool = False
) -> str:
    """Return panels side by side below a key of their kinds.

    Args:
        key: words by kind, in order; alt: all panels in words; wide: two panels beside each other,
            with twice as many figures per row on a wide screen.
    """
    is_round = any(panel.round for panel in panels)
    entries = "".join(
        f"<span>{_figure(kind, is_round)}{escape(words)}</span>" for kind, words in key.items()
    )
    inside = "".join(panel.html() for panel in panels)
    look = "ia wide" if wide else "ia"
    return (
        f'{STYLE}<div class="ia-key">{entries}</div>'
        f'<div class="{look}" role="group" aria-label="{escape(alt)}">{inside}</div>'
    )


def _figure(kind: str, is_round: bool = False) -> str:
    return f'<i class="{CLASSES[kind]}{" o" * is_round}"></i>'
