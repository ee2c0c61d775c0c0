"""The attacker of "One person, many pictures", whom a visitor may play: who sent this picture?"""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.diagnostics import user_linkability
from dpviz.diagnostics.user_linkability import (
    CHOICES,
    LINE_UPS_PER_PERSON,
    LineUps,
    Question,
    Senders,
)
from dpviz.formatting import literal, percent, plain, spread, unbroken
from dpviz.lazy_imports import pandas as pd
from dpviz.plots.attacks import SenderSimilarity
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.plots.kit.style import ACCENT
from dpviz.run import experiment
from dpviz.types import Dataset, DpvizError, RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.many_pictures.controls import PersonsView
from dpviz.ui.widgets import cards, charts, export

KEY, GAME = "many-pictures-senders", "senders:game"
LETTERS = "ABCD"
QUESTION, FIGURES = 1, 0
"""Seeds of the line-ups that a visitor is asked, and of those behind the figures."""
WIDTH = 132
STYLE = f"""<style>
.dp-sent {{ font-size: .85rem; }}
.dp-sent img {{ width: 100%; aspect-ratio: 1; object-fit: cover; display: block; \
border-radius: 6px; box-sizing: border-box; margin-bottom: 4px; }}
.dp-sent.nearest img {{ border: 4px dotted {ACCENT}; }}
.dp-sent.mate img {{ border: 4px solid {ACCENT}; }}
.dp-sent.mine img {{ outline: 3px dashed currentColor; outline-offset: 2px; }}
@media (max-width: 640px) {{ .st-key-sender-shown {{ margin-right: 40%; }} }}
</style>"""
SOURCE = (
    "Huang et al. 2007 (pairs); Hanley and McNeil 1982 (area); Efron and Stein 1981, Korn and"
    " Graubard 1998 (intervals)"
)


def show(view: PersonsView) -> str:
    """The attacker; gives Python that computes the figures again, none where nobody can be told."""
    st.header("How well do features tell the sender?")
    cards.private_view()
    try:
        senders = _senders(view.any_run)
    except DpvizError as error:
        st.caption(literal(str(error)))
        return ""
    st.markdown(
        "Nobody has to see a face to know a person again: a floor, a lamp, the light in a room are"
        " enough. An attacker who holds one picture looks for others of the same person by the"
        " numbers that an encoder makes of pictures."
    )
    data = experiment.prepared(view.any_run)
    if data.thumbnails is not None and data.rows is not None:
        _game(view.any_run)
    st.markdown(unbroken(answer(senders)))
    chart = SenderSimilarity.from_cosines(senders.same, senders.different)
    charts.plot(chart, KEY)
    rows = pd.DataFrame(chart.table())
    export.csv("Histogram as CSV", rows, f"{KEY}.csv")
    st.caption(
        f"{len(senders.same):,} line-ups of {senders.area.runs:,} persons who have two pictures"
        " in one"
        f" class, at most {LINE_UPS_PER_PERSON} each, drawn with seed {FIGURES}; all pictures"
        " compared are of one"
        " class, so that not the class gives the sender away; 95% intervals over persons."
        f" Source: {SOURCE}."
    )
    return snippet(view.any_run)


@page_caches.cached_by_content(20)
def _senders(spec: RunSpec) -> Senders:
    return user_linkability.linkability_of(spec, FIGURES)


@page_caches.cached_by_content(20)
def _line_ups(spec: RunSpec) -> LineUps:
    data = experiment.prepared(spec)
    assert data.persons is not None
    return user_linkability.line_ups(data.persons, data.y, QUESTION)


def answer(senders: Senders) -> str:
    """What the features tell, in Markdown."""
    few = (
        " Too few people sent enough to say how that would be with others: a few of them decide"
        " both figures."
    )
    return (
        "Of two pairs of pictures of one class, one pair from the same person and one from two"
        f" persons, the features hold the right pair to be more alike **{percent(senders.area)}**"
        " of"
        f" the time ({spread(senders.area)}; a coin: 50%). Out of {CHOICES} pictures they pick the"
        f" one of the same person **{percent(senders.first)}** of the time"
        f" ({spread(senders.first)}; blind: {100 / CHOICES:.0f}%).{few * senders.too_few}"
    )


def snippet(spec: RunSpec) -> str:
    """Python that gives the same figures."""
    lines = [
        "from math import inf",
        "",
        "from dpviz.diagnostics import user_linkability",
        "from dpviz.types import Budget, RunSpec",
        "",
        f"spec = {spec!r}",
        f"found = user_linkability.linkability_of(spec, seed={FIGURES})",
        "print(found.area, found.first)",
    ]
    return "\n".join(lines)


# -------------------------------------------------------------------------------------------- game


def _game(spec: RunSpec) -> None:
    """A line-up to guess at, and what came of those before."""
    data, drawn = experiment.prepared(spec), _line_ups(spec)
    game = _state(data.fingerprint)
    line_up = user_linkability.question(data, drawn, game["round"], QUESTION)
    name = literal(data.class_names[int(data.y[line_up.shown_row])])
    st.markdown(
        f"**Try it.** Five pictures of the class **{name}**. One of A to D was sent by the person"
        " who sent the first. Which?"
    )
    _line_up(data, line_up, game)
    if game["guess"] is not None:
        # an alert: what a screen reader says as soon as it is there
        st.info(_answer_text(line_up, game), icon=":material/fingerprint:")


def _state(fingerprint: str) -> dict:
    """The visitor's game on these data."""
    game = st.session_state.get(GAME)
    if game is None or game["data"] != fingerprint:
        game = {"data": fingerprint, "round": 0, "guess": None, "mine": 0, "features": 0}
        st.session_state[GAME] = game
    return game


def _guess(game: dict, choice: int, question: Question) -> None:
    if game["guess"] is not None:
        return
    game["guess"] = choice
    game["mine"] += choice == question.mate
    game["features"] += question.nearest == question.mate


def _next(game: dict) -> None:
    game["round"], game["guess"] = game["round"] + 1, None


def _answer_text(question: Question, game: dict) -> str:
    right, guess, near = (LETTERS[i] for i in (question.mate, game["guess"], question.nearest))
    verdict = lambda letter: "rightly" if letter == right else "wrongly"
    played = game["round"] + 1
    return (
        f"It is **{right}**. You said {guess}, {verdict(guess)}. The features say {near},"
        f" {verdict(near)}: of the four it is nearest to the first picture, cosine"
        f" {question.cosines[question.nearest]:.2f} (how alike features are; the very same have"
        f" 1). So far you were right **{game['mine']} of {played}** times, the features"
        f" **{game['features']} of {played}**; blind guessing is right 1 in {CHOICES} times."
    )


def _line_up(data: Dataset, question: Question, game: dict) -> None:
    """The picture shown and the choices with a button each. Once a guess was made they tell who
    they are from, and the button that was pressed, which keeps the focus, leads on.
    """
    assert data.thumbnails is not None and data.rows is not None
    rows, guess = data.rows[np.append(question.shown_row, question.choices)], game["guess"]
    first, *rest = data.thumbnails("train", rows)
    with st.container(horizontal=True, key="sender-line-up"):
        with st.container(width=WIDTH, key="sender-shown"):
            st.html(STYLE + _cell("Who sent this?", "", first))
        for i, picture in enumerate(rest):
            with st.container(width=WIDTH):
                st.html(_cell(*_choice(question, i, guess), picture))
                key = f"sender-{LETTERS[i]}"
                if guess is None:
                    st.button(
                        f"It is {LETTERS[i]}", key=key, on_click=_guess, args=(game, i, question)
                    )
                elif guess == i:
                    st.button("Next pictures", key=key, on_click=_next, args=(game,))
                else:
                    st.empty()  # at once, not when the page has run to its end


def _choice(question: Question, i: int, guess: int | None) -> tuple[str, str]:
    """The words below a choice, and its marks."""
    if guess is None:
        return LETTERS[i], ""
    subject = "✓ same person" if i == question.mate else "another person"
    words = [f"{LETTERS[i]}: {subject}", f"cosine {question.cosines[i]:.2f}"]
    marks = {"mate": i == question.mate, "mine": i == guess, "nearest": i == question.nearest}
    words += ["your pick"] * marks["mine"] + ["the features’ pick"] * marks["nearest"]
    return ", ".join(words), " ".join(mark for mark, is_so in marks.items() if is_so)


def _cell(words: str, marks: str, picture: np.ndarray) -> str:
    words = plain(words)
    source, style = data_url(picture), smoothed(picture)
    image = f'<img alt="{words}" style="{style}" src="{source}">'
    return f'<div class="dp-sent {marks}">{image}{words}</div>'
