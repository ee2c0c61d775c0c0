"""The parts of every page, question, answer and picture, and what this run of it has shown so
far.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import streamlit as st

from dpviz.data import uploads
from dpviz.formatting import literal, plain, unbroken
from dpviz.types import Result
from dpviz.ui import streamlit_internals
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, glossary_links
from dpviz.views import origins
from dpviz.views.page_as_shown import Picture, ShownPage, Tile

PICTURE, ANSWER = "picture", "answer"
"""Keys of the containers that a presentation shows."""
ANSWER_KEY = "said"
"""Key of the badge below the answer."""
#: Keys of the title's row, and of the level switch, Undo and Export beside the title.
HEADER, TOOLS = "header", "tools"
#: Key of the main slider, which phones show below the answer.
PHONE_SLIDER = "phone-slider"
#: Key of the switches of a chart that are above it on phones.
SWITCHES_ABOVE = "near-tiles"


LISTENERS: list[Callable[[ShownPage], None]] = []
"""Who is told of every page that was shown, where pages are written to a file."""

_thread = threading.local()


class PageEnd(streamlit_internals.StopException):
    """A page has nothing more to show; no error, and no word to Streamlit to stop all."""


def end() -> NoReturn:
    """End the page here, for want of anything to show below. Streamlit's own way would end the
    frame around it too, with its note about the link, undo and report.
    """
    raise PageEnd


@contextmanager
def collecting() -> Iterator[ShownPage]:
    """Collect what is drawn in this thread until the end of the block."""
    _thread.page, _thread.badge, _thread.tools, _thread.waiting = ShownPage(), None, None, None
    try:
        yield _thread.page
        for listener in LISTENERS:
            listener(_thread.page)
    finally:
        _thread.page = None


def current_page() -> ShownPage:
    """The record of this run; where nobody collects, one that is thrown away."""
    return getattr(_thread, "page", None) or ShownPage()


def question(words: str) -> Any:
    """Draw the header, the title beside its tools, and return the place of the answer.

    Below the answer is room for its badge.
    """
    with st.container(horizontal=True, vertical_alignment="center", key=HEADER):
        st.title(words, width="stretch")
        with st.container(horizontal=True, width="content", key=TOOLS):
            detail_level.toggle()
            _thread.tools = st.container(horizontal=True, width="content", key=f"{TOOLS}-late")
    if st.session_state.get(TILES_OF) != words:
        st.session_state[TILES_OF] = None
    current_page().question = words
    current_page().choices.add(detail_level.KEY)
    current_page().precise = detail_level.precise()
    place = st.container(key=ANSWER)
    with st.container(key=ANSWER_KEY):
        _thread.badge = st.empty()
    if slider := current_page().phone_slider:
        with st.container(key=PHONE_SLIDER):
            slider()
    return place


def tools() -> Any:
    """Return the place of Undo and Export beside the title; None on a page without a title."""
    return getattr(_thread, "tools", None)


def tiles_html(tiles: Iterable[Tile]) -> str:
    """Return a row of tiles as HTML, escaped."""
    drawn = [_tile_html(tile) for tile in tiles]
    return f'<div class="dp-tiles" data-tiles="{len(drawn)}">{"".join(drawn)}</div>'


#: The question mark is drawn by the style; readers of the screen hear the help. On phones the
#: button covers its tile and shows the note, too, so that a tile without help needs one as well.
_TIP = ' <button class="{kind}" data-tip="{help}" data-note="{note}" aria-label="{words}"></button>'


def _tile_html(tile: Tile) -> str:
    tip = _tip_html(tile) if tile.help or tile.note else ""
    tone = "dp-note dp-bad" if tile.tone == "bad" else "dp-note"
    aside = f'<span class="dp-aside">, {plain(tile.aside)}</span>' if tile.aside else ""
    note = f'<p class="{tone}">{plain(tile.note)}{aside}</p>' if tile.note else ""
    basis = " dp-basis" if "δ" in tile.runs else ""  # phones show the guarantee behind a guess
    runs = f'<p class="dp-runs{basis}">{plain(tile.runs)}</p>' if tile.runs else ""
    label = "dp-label dp-hidden" if tile.tone == "hidden" else "dp-label"
    return (
        f'<div class="dp-tile"><p class="{label}">{plain(tile.label)}{tip}</p>'
        f"<strong>{plain(tile.value)}</strong>{note}{runs}</div>"
    )


def _tip_html(tile: Tile) -> str:
    words = tile.note, tile.runs
    note = ". ".join(word.rstrip(".") for word in words if word)
    return _TIP.format(
        kind="dp-tip" if tile.help else "dp-tip dp-tip-note",
        help=plain(tile.help),
        note=plain(f"{note}." if note else ""),
        words=plain(tile.help or tile.note),
    )


def tiles(tiles: Iterable[Tile], place: Any = None) -> None:
    """Draw a row of tiles, into an ``st.empty()`` or below what is there.

    The report shows the same tiles.
    """
    drawn = current_page().tiles = tuple(tiles)
    _thread.waiting, st.session_state[TILES_OF] = None, current_page().question
    target = st if place is None else place
    target.html(tiles_html(drawn))


#: Session key of the page whose tiles are drawn, if any, and a tile without a number yet.
TILES_OF = "tiles:page"
_NO_TILE = '<div class="dp-tile"><p>&nbsp;</p><strong>…</strong><p>&nbsp;</p></div>'


def await_tiles(place: Any) -> None:
    """Draw empty tiles into a place where this page has none yet."""
    if st.session_state.get(TILES_OF) is None:
        empty_tiles(place)


def empty_tiles(place: Any) -> None:
    """Draw tiles as high as others, without numbers, until those are computed."""
    place.html(f'<div class="dp-tiles dp-waiting" aria-hidden="true">{4 * _NO_TILE}</div>')
    _thread.waiting = place


def end_waiting() -> None:
    """Remove the empty tiles of a page that ended without numbers."""
    place, _thread.waiting = getattr(_thread, "waiting", None), None
    if place is not None:
        place.empty()


def chart_title(text: str, place: Any = None, subtitle: str = "") -> None:
    """Draw the finding above the main chart and a subtitle, in Markdown, into an ``st.empty()`` or
    here.
    """
    current_page().finding = text
    target = st if place is None else place
    target.html(finding_html(text, subtitle=subtitle))


def view_finding(text: str, place: Any = None) -> None:
    """Draw the finding of a view in a tab, in Markdown, into an ``st.empty()`` or here."""
    (st if place is None else place).html(finding_html(text, level=3))


def finding_html(text: str, level: int = 2, subtitle: str = "") -> str:
    """Return the finding as HTML, with its subtitle; its Markdown has bold as the only mark."""
    title, below = (
        plain(re.sub(r"\\(.)|\u2060", r"\1", words.replace("**", ""))) for words in (text, subtitle)
    )
    below = f"<small>{below}</small>" if below else ""
    return f'<h{level} class="dp-finding">{title}{below}</h{level}>'


def badge(words: str) -> None:
    """Draw a badge in Markdown beside the answer, in place of an earlier one. Without an answer
    there is no place for it.
    """
    place = getattr(_thread, "badge", None)
    if place is not None:
        place.markdown(words)


class OneAnswer:
    """Where the answer stands that a run may give twice; until it gives one, that of the last run
    stays.
    """

    def __init__(self, place: Any, about: Hashable = None) -> None:
        """place: a container; about: the settings that the answer is about."""
        self._place, self._about = place, about
        self._slot: Any = None
        self._chip: Any = None

    def markdown(self, words: str) -> None:
        """Replace the text."""
        if self._slot is None:
            self._slot, self._chip = self._place.empty(), self._place.empty()
        self._slot.markdown(words)
        st.session_state[ABOUT] = self._about

    def chip(self, words: str) -> None:
        """Draw words on the runs behind the answer, beside it."""
        if not words:
            self._chip.empty()
            return
        style = f"<style>{asset('answer_chip.css')}</style>"
        self._chip.html(f'{style}<small class="dp-chip">{plain(words)}</small>')

    def pending(self) -> bool:
        """Replace no answer, or one about other settings, until the new one is computed.

        Returns:
            Whether it was replaced.
        """
        is_other = st.session_state.get(ABOUT) != self._about
        if is_other:
            self.markdown(PENDING)
        return is_other


ABOUT, PENDING = "answer:about", "Computing the answer for these settings…"
"""Key of the settings that the shown answer is about, and the text before the next one."""


DETAILS = "details"
HIDDEN_DETAILS = f"<style>.st-key-{DETAILS} {{ visibility: hidden; }}</style>"
"""Key of the container of tabs, and what hides those of other data until the new ones are drawn."""


def answer(place: Any, precise: str, plain_answer: str | None = None) -> None:
    """The sentence that answers the question, in Markdown, drawn into its place in the voice that
    is asked for; without ``plain_answer`` the precise one in both.
    """
    current_page().answer = words = unbroken(detail_level.at_level(precise, plain_answer))
    current_page().precise_answer, current_page().plain_answer = (
        unbroken(precise),
        unbroken(plain_answer or precise),
    )
    place.markdown(words)


def draw_glossary_line() -> None:
    """Draw links to the glossary for the terms of the answer, at the end of a page's details."""
    if line := glossary_links.line(current_page().answer):
        st.html(line)


def with_links(words: str) -> str:
    """A caption in Markdown whose terms link to the glossary, each once on a page."""
    return glossary_links.in_caption(words, current_page().linked)


def caption(words: str) -> None:
    """Draw a caption in Markdown, with such links."""
    st.caption(with_links(words))


def term(title: str) -> str:
    """The title of a card, or of a row on it, as HTML; a term links to the glossary, once on a
    page.
    """
    return glossary_links.on_card(title, current_page().linked)


def picture() -> Any:
    """The place of the main picture, with its badge where it has one."""
    return st.container(key=PICTURE)


def html(key: str, words: str, make: Callable[[], str]) -> None:
    """Take down a picture that is no chart; ``make`` gives its HTML when a report asks for it."""
    current_page().pictures[key] = Picture(words, html=make, private=current_page().private)


def refusals(sentences: Iterable[str]) -> None:
    """Each different sentence once, as an error."""
    for sentence in dict.fromkeys(sentences):
        st.error(literal(uploads.with_titles(sentence)), icon=":material/error:")


def origin(results: Sequence[Result]) -> str:
    """How the numbers came about; the first results told are those behind the main chart."""
    current_page().results = current_page().results or results
    return with_links(origins.runs(results))
