"""Controls and answer of the page "Your own answer"."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dpviz import privacy
from dpviz.plots.classroom import CrowdEstimate
from dpviz.text import your_answer as text
from dpviz.ui.assets import asset
from dpviz.ui.widgets import bounded, budget_control, side_bar
from dpviz.ui.widgets.choices import choice
from dpviz.views import your_answer_page
from dpviz.views.your_answer_page import HONESTIES, CrowdQuestion

PEOPLE = (100, 300, 1000, 3000, 10_000, 100_000)
MAX_TIMES = 10


def sidebar() -> CrowdQuestion:
    """Draw all controls."""
    with side_bar.draw():
        st.header(text.DATA)
        titles = {str(n): f"{n:,}" for n in PEOPLE}
        people = choice(
            st.select_slider, text.PEOPLE, titles, "1000", "people", help=text.PEOPLE_HELP
        )
        st.header(text.PRIVACY)
        draw = partial(bounded.select_slider, text.HONESTY, HONESTIES, 50)
        honesty = draw(key="honest", help=text.HONESTY_HELP, bind="query-params")
        bounded.repeat_on_phones("honest", draw)
        budget_control.draw_ends(text.MORE_PRIVATE, text.MORE_ACCURATE)
        times = bounded.slider(
            *(text.TIMES, 1, MAX_TIMES, 1),
            key="times",
            help=text.TIMES_HELP,
            bind="query-params",
        )
        with side_bar.fold(text.METHOD):
            seed = bounded.number_input(text.SEED, 0, 2**31, 0, key="seed", bind="query-params")
        with side_bar.foot():
            st.html(f'<a class="dp-button" href="?" target="_self">{text.RESET}</a>')
    return CrowdQuestion(int(honesty), int(people), int(times), int(seed))


KEY = "own-coin"
HTML = f"""<div class="dp-coin">
<fieldset><legend>{text.COIN["question"]}</legend>
<small class="rule"></small><div><button type="button" data-own="yes">{text.COIN_YES}</button>
<button type="button" data-own="no">{text.COIN_NO}</button></div></fieldset>
<dl><div><dt>{text.COIN["stays"]}</dt><dd class="stays">{text.COIN["ready"]}</dd></div>
<div><dt>{text.COIN["leaves"]}</dt><dd class="leaves">{text.COIN["nothing"]}</dd></div></dl>
<p aria-live="polite"></p></div>"""


def coin(question: CrowdQuestion) -> None:
    """Draw a question to the visitor. Answer and coin stay in the browser."""
    component = st.components.v2.component(
        "dpviz.own_coin",
        html=HTML,
        css=asset("own_coin.css"),
        js=asset("own_coin.js") + asset("coin.js"),
        isolate_styles=False,
    )
    component(key=KEY, data=coin_data(question.honesty))


def coin_data(honesty: int) -> dict[str, Any]:
    """Return the data of the coin's script; ``honesty``: in percent."""
    share = honesty / 100
    return {
        "honesty": honesty,
        "threshold": privacy.honesty_threshold(share),
        "truths": round(100 * (1 + share) / 2, 1),
        "words": tuple(text.COIN.items()),
    }


def crowd(question: CrowdQuestion) -> CrowdEstimate:
    """Return the chart's data."""
    estimates = [(h, your_answer_page.estimate(question, h)) for h in HONESTIES]
    points = [(h, estimate.share, estimate.recorded, estimate.half) for h, estimate in estimates]
    others = [your_answer_page.other_crowds(question, h) for h in HONESTIES]
    truth = your_answer_page.true_share(question)
    return CrowdEstimate.from_points(points, truth, question.honesty, others)


def snippet(question: CrowdQuestion) -> str:
    """Return Python code that gives the same numbers."""
    return "\n".join(
        (
            "from dpviz.views.your_answer_page import CrowdQuestion, estimate",
            "",
            f"asked = {question!r}",
            "print(asked.epsilon, asked.right, estimate(asked))",
        )
    )
