"""Icon arrays: one hundred figures per panel, as HTML, for risks in natural frequencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from dpviz.plots.kit.style import ACCENT, rgba

FIGURES, PER_ROW = 100, 10
#: CSS class of each kind of figure, strongest first; a ring is possible, but not observed.
CLASSES = {"strong": "s", "middle": "m", "pale": "p", "ring": "r", "rest": ""}
STYLE = f"""<style>
.ia {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); \
gap: 1.2rem 1.6rem; max-width: 1000px; }}
.ia > div {{ max-width: 212px; }}
.ia .t {{ font-size: .9rem; font-weight: 600; line-height: 1.25; min-height: 2.5em; \
display: flex; align-items: flex-end; }}
.ia .v {{ font-size: 1.3rem; font-weight: 600; line-height: 1.4; }}
.ia .n, .ia-key {{ font-size: .85rem; opacity: .85; }}
.ia .g {{ display: grid; grid-template-columns: repeat({PER_ROW}, 1fr); gap: 3px; \
 margin: .3rem 0 .4rem; }}
.ia i, .ia-key i {{ aspect-ratio: 1; border-radius: 20%; box-sizing: border-box; \
background: rgba(128,136,150,.22); }}
.ia .o i, .ia-key .o {{ border-radius: 50%; }}
.ia i.s, .ia-key i.s {{ background: {ACCENT}; }}
.ia i.m, .ia-key i.m {{ background: {rgba(ACCENT, 0.62)}; }}
.ia i.p, .ia-key i.p {{ background: {rgba(ACCENT, 0.34)}; }}
.ia i.r, .ia-key i.r {{ background: none; border: 2px solid {ACCENT}; }}
.ia-key {{ display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-top: .5rem; }}
.ia-key span {{ display: inline-flex; align-items: center; gap: .4rem; }}
.ia-key i {{ width: 12px; flex: none; }}
@media (max-width: 640px) {{ .ia {{ grid-template-columns: repeat(auto-fit, \
minmax(92px, 1fr)); gap: .8rem; }} .ia .t, .ia .n {{ font-size: .78rem; }} \
.ia .v {{ font-size: 1.05rem; }} .ia .t {{ min-height: 3.75em; }} .ia .g {{ gap: 2px; }} }}
</style>"""


@dataclass(frozen=True)
class IconArray:
    """One panel of one hundred figures.

    Attributes:
        title: what is counted; value: the number in large letters; note: below the figures.
        counts: figures by kind, in drawing order; the others are drawn as ``rest``.
        alt: the panel in words.
        round: circles instead of squares.
    """

    title: str
    value: str
    note: str
    counts: Mapping[str, int]
    alt: str
    round: bool = False

    def kinds(self) -> list[str]:
        """Return the kind of each figure."""
        drawn = [kind for kind, count in self.counts.items() for _ in range(count)]
        return (drawn + ["rest"] * FIGURES)[:FIGURES]

    def html(self) -> str:
        """Return the panel, escaped."""
        figures = "".join(map(_figure, self.kinds()))
        look = "g o" if self.round else "g"
        return (
            f'<div><div class="t">{escape(self.title)}</div><div class="v">{escape(self.value)}'
            f'</div><div class="{look}" role="img" aria-label="{escape(self.alt)}">{figures}</div>'
            f'<div class="n">{escape(self.note)}</div></div>'
        )


def icon_arrays_html(panels: Sequence[IconArray], key: Mapping[str, str], alt: str) -> str:
    """Return panels side by side, with a key of their kinds.

    Args:
        key: words by kind, in order; alt: all panels in words.
    """
    is_round = any(panel.round for panel in panels)
    entries = "".join(
        f"<span>{_figure(kind, is_round)}{escape(words)}</span>" for kind, words in key.items()
    )
    inside = "".join(panel.html() for panel in panels)
    return (
        f'{STYLE}<div class="ia" role="group" aria-label="{escape(alt)}">{inside}</div>'
        f'<div class="ia-key">{entries}</div>'
    )


def _figure(kind: str, is_round: bool = False) -> str:
    return f'<i class="{CLASSES[kind]}{" o" * is_round}"></i>'
