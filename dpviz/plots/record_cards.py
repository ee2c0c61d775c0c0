"""Private records, or people, as small HTML cards with pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from dpviz.formatting import number
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.plots.kit.style import RIGHT, WRONG, ink, line_style
from dpviz.text.charts import ALTS


@dataclass(frozen=True, eq=False)
class RecordCard:
    """One private record, or one person.

    Attributes:
        label: of all, in words; pictures: (h, w) or (h, w, 3) uint8, of a person the first few;
            name: below them, such as the class; minority: its class is.
        losses: of each method; right: whether each method's run classifies it as labelled, or
            which share of a person's records.
    """

    label: str
    pictures: tuple[np.ndarray, ...]
    name: str
    minority: bool
    losses: tuple[float, ...]
    right: tuple[bool | float, ...]


#: Pictures of a person beside each other.
PICTURES_PER_ROW = 4
CARD_STYLE = f"""<style>
.rc {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(92px, 1fr)); gap: 10px; \
font-size: .78rem; line-height: 1.3; }}
.rc img {{ width: 100%; aspect-ratio: 1; display: block; border-radius: 4px; }}
.rc.people {{ grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 16px; }}
.rc .p {{ display: grid; grid-template-columns: repeat({PICTURES_PER_ROW}, 1fr); gap: 3px; }}
.rc .k {{ font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; \
margin-top: 2px; }}
.rc .l {{ display: flex; gap: 5px; align-items: center; white-space: nowrap; }}
.rc i {{ width: 8px; height: 8px; border-radius: 2px; flex: none; }}
.rc .ok {{ color: {ink(RIGHT)}; font-weight: 700; }} .rc .no {{ color: {ink(WRONG)}; \
font-weight: 700; }}
</style>"""


def record_cards_html(
    records: Sequence[RecordCard], methods: Sequence[tuple[str, str]], symbol: str
) -> str:
    """The cards; ``methods`` are keys and names, in the order of the losses."""
    return _cards_html(
        ALTS["loss_cards"],
        records,
        [_record_card(record, methods, symbol) for record in records],
    )


def _record_card(record: RecordCard, methods: Sequence[tuple[str, str]], symbol: str) -> str:
    rows = zip(methods, record.losses, record.right, strict=True)
    losses = [f"{title}: {symbol} {loss:.3g}, {_outcome_text(ok)}" for (_, title), loss, ok in rows]
    words = f"{record.label}, {record.name}; {'; '.join(losses)}"
    name = escape(record.name) + (" · rare" if record.minority else "")
    lines = map(_method_line, methods, record.losses, record.right)
    return _card_html(words, record.pictures, name, lines)


def _outcome_text(right: bool | float) -> str:
    if isinstance(right, bool):
        return "correct" if right else "wrong"
    return f"{100 * right:.0f}% correct"


def _method_line(method: tuple[str, str], loss: float, right: bool | float) -> str:
    mark = '<span class="ok">✓</span>' if right else '<span class="no">✗</span>'
    if not isinstance(right, bool):
        mark = f"<span>{_outcome_text(right)}</span>"
    return (
        '<div class="l"><i'
        f' style="background:{line_style(method[0]).colour}"></i>{number(float(f"{loss:.3g}"))}'
        f" {mark}</div>"
    )


@dataclass(frozen=True, eq=False)
class ExposedCard:
    """One record, or one person.

    Attributes:
        label: of all, in words; pictures: (h, w) or (h, w, 3) uint8, of a person the first few,
            none where there are none; name: below them, such as the class; lines: below that, in
            words.
    """

    label: str
    pictures: tuple[np.ndarray, ...]
    name: str
    lines: tuple[str, ...]


def exposed_cards_html(cards: Sequence[ExposedCard]) -> str:
    """The cards."""
    return _cards_html(ALTS["exposed"], cards, map(_exposed_card, cards))


def _exposed_card(card: ExposedCard) -> str:
    words = "; ".join([f"{card.label}, {card.name}", *card.lines])
    lines = (f'<div class="l">{escape(line)}</div>' for line in card.lines)
    return _card_html(words, card.pictures, escape(card.name), lines)


def _cards_html(words: str, cards: Sequence[RecordCard | ExposedCard], parts: Iterable[str]) -> str:
    """Cards side by side, wider ones where a card has several pictures."""
    size = " people" if any(len(card.pictures) > 1 for card in cards) else ""
    start = f'{CARD_STYLE}<div class="rc{size}" role="group" aria-label="{words}">'
    return f"{start}{''.join(parts)}</div>"


def _card_html(words: str, pictures: Sequence[np.ndarray], name: str, lines: Iterable[str]) -> str:
    """A card; ``words`` say all of it, ``name`` and ``lines`` are HTML."""
    words, texts = escape(words), [escape(words), *[""] * len(pictures)]
    images = "".join(
        f'<img alt="{text}" style="{smoothed(picture)}" src="{data_url(picture)}">'
        for text, picture in zip(texts, pictures, strict=False)
    )
    images = f'<div class="p">{images}</div>' if len(pictures) > 1 else images
    return f'<div title="{words}">{images}<div class="k">{name}</div>{"".join(lines)}</div>'
