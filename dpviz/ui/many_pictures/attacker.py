"""Recognizing a person by features, which a visitor may try on the Many images per person page."""

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
from dpviz.experiments import experiment
from dpviz.formatting import literal, plain, unbroken
from dpviz.lazy_imports import pandas as pd
from dpviz.plots.attacks import SenderSimilarity
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.plots.kit.style import ACCENT
from dpviz.text import many_pictures as text
from dpviz.text.template import render, render_text
from dpviz.types import Dataset, DpvizError, RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.many_pictures.controls import PersonsView
from dpviz.ui.widgets import cards, charts, export

KEY, GAME = "many-pictures-senders", "senders:game"
LETTERS = "ABCD"
#: Seeds of the line-ups that a visitor tries, and of those behind the figures.
QUESTION, FIGURES = 1, 0
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


def show(view: PersonsView) -> None:
    """Draw the game and how well features recognize a person."""
    cards.private_view()
    try:
        senders = _senders(view.any_run)
    except DpvizError as error:
        st.caption(literal(str(error)))
        return
    st.markdown(text.SENDER)
    data = experiment.prepared(view.any_run)
    if data.thumbnails is not None and data.rows is not None:
        _game(view.any_run)
    st.markdown(unbroken(answer(senders)))
    chart = SenderSimilarity.from_cosines(senders.same, senders.different)
    charts.plot(chart, KEY)
    rows = pd.DataFrame(chart.table())
    export.csv(text.SENDER_CSV, rows, f"{KEY}.csv")
    caption = render(
        text.SENDER_CAPTION,
        lineups=len(senders.same),
        people=senders.area.runs,
        maximum=str(LINE_UPS_PER_PERSON),
    )
    st.caption(f"{caption} {render(text.SENDER_SOURCE, seed=str(FIGURES))}")


@page_caches.cached_by_content(20)
def _senders(spec: RunSpec) -> Senders:
    return user_linkability.linkability_of(spec, FIGURES)


@page_caches.cached_by_content(20)
def _line_ups(spec: RunSpec) -> LineUps:
    data = experiment.prepared(spec)
    assert data.persons is not None
    return user_linkability.line_ups(data.persons, data.y, QUESTION)


def answer(senders: Senders) -> str:
    """Return how well the features recognize a person, in Markdown."""
    sentences = [
        render(text.SENDER_PAIRS, area=senders.area),
        render(text.SENDER_FIRST, choices=CHOICES, first=senders.first, chance=1 / CHOICES),
    ]
    return " ".join([*sentences, text.SENDER_FEW] if senders.too_few else sentences)


def snippet(spec: RunSpec) -> str:
    """Return Python code for the same figures."""
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
    """Draw a line-up to try, and the score so far."""
    data, drawn = experiment.prepared(spec), _line_ups(spec)
    game = _state(data.fingerprint)
    line_up = user_linkability.question(data, drawn, game["round"], QUESTION)
    st.markdown(render(text.GAME, class_name=data.class_names[int(data.y[line_up.shown_row])]))
    _line_up(data, line_up, game)
    if game["guess"] is not None:
        # an alert, so that a screen reader announces it
        st.info(_answer_text(line_up, game), icon=":material/fingerprint:")


def _state(fingerprint: str) -> dict:
    """Return the visitor's game on these data."""
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
    """Return whether the guess and the features were right, and the score, in Markdown."""
    right, guess, near = (LETTERS[i] for i in (question.mate, game["guess"], question.nearest))
    case = ("both" if near == right else "mine") if guess == right else "none"
    if guess != right and near == right:
        case = "features"
    sentences = [
        render(text.GAME_ANSWERS[case], right=right, guess=guess, nearest=near),
        render(text.GAME_COSINE, cosine=f"{question.cosines[question.nearest]:.2f}"),
        render(
            text.GAME_SCORE,
            mine=game["mine"],
            features=game["features"],
            played=game["round"] + 1,
        ),
        render(text.GAME_CHANCE, choices=CHOICES),
    ]
    return " ".join(sentences)


def _line_up(data: Dataset, question: Question, game: dict) -> None:
    """Draw the first image and the choices with a button each. After a guess the choices show
    whose they are, and the pressed button, which keeps the focus, leads on.
    """
    assert data.thumbnails is not None and data.rows is not None
    rows, guess = data.rows[np.append(question.shown_row, question.choices)], game["guess"]
    first, *rest = data.thumbnails("train", rows)
    with st.container(horizontal=True, key="sender-line-up"):
        with st.container(width=WIDTH, key="sender-shown"):
            st.html(STYLE + _cell(text.GAME_FIRST, "", first))
        for i, picture in enumerate(rest):
            with st.container(width=WIDTH):
                st.html(_cell(*_choice(question, i, guess), picture))
                key = f"sender-{LETTERS[i]}"
                if guess is None:
                    label = render_text(text.GAME_BUTTON, letter=LETTERS[i])
                    st.button(label, key=key, on_click=_guess, args=(game, i, question))
                elif guess == i:
                    st.button(text.GAME_NEXT, key=key, on_click=_next, args=(game,))
                else:
                    st.empty()  # at once, not when the page has run to its end


def _choice(question: Question, i: int, guess: int | None) -> tuple[str, str]:
    """Return the words below a choice, and its marks."""
    if guess is None:
        return LETTERS[i], ""
    template = text.GAME_SAME if i == question.mate else text.GAME_OTHER
    words = [render_text(template, letter=LETTERS[i], cosine=f"{question.cosines[i]:.2f}")]
    marks = {"mate": i == question.mate, "mine": i == guess, "nearest": i == question.nearest}
    if marks["mine"]:
        words.append(text.GAME_MINE)
    if marks["nearest"]:
        words.append(text.GAME_NEAREST)
    return ", ".join(words), " ".join(mark for mark, is_so in marks.items() if is_so)


def _cell(words: str, marks: str, picture: np.ndarray) -> str:
    words = plain(words)
    source, style = data_url(picture), smoothed(picture)
    image = f'<img alt="{words}" style="{style}" src="{source}">'
    return f'<div class="dp-sent {marks}">{image}{words}</div>'
