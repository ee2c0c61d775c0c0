"""The controls of the page "Your own answer"."""

from __future__ import annotations

import streamlit as st

from dpviz.ui.widgets import bounded, shared_controls
from dpviz.ui.widgets.choices import choice
from dpviz.views.your_answer_page import HONESTIES, SHARE, CrowdQuestion

PEOPLE = (100, 300, 1000, 3000, 10_000, 100_000)
MOST_TIMES = 10
HONESTY_HELP = (
    "How often in 100 your own answer is recorded. Otherwise a fair coin answers for you, and"
    " nobody but you knows which it was."
)
PEOPLE_HELP = f"Nobody was asked: a crowd in which {SHARE} of 100 would say yes is made up."
TIMES_HELP = "Each time with a new coin. Who sees all recorded answers learns more."


def sidebar() -> CrowdQuestion:
    """All controls."""
    with st.sidebar:
        st.header("Data")
        titles = {str(n): f"{n:,}" for n in PEOPLE}
        label = "People in the made-up crowd"
        people = choice(st.select_slider, label, titles, "1000", "people", help=PEOPLE_HELP)
        st.header("Privacy")
        honesty = bounded.select_slider(
            "Own answers that get through, in 100",
            HONESTIES,
            50,
            key="honest",
            help=HONESTY_HELP,
            bind="query-params",
        )
        shared_controls.ends("more private", "more accurate")
        times = bounded.slider(
            *("Times the same question is asked", 1, MOST_TIMES, 1),
            key="times",
            help=TIMES_HELP,
            bind="query-params",
        )
        st.header("Method")
        seed = bounded.number_input(
            "Seed of the crowd's coins", 0, 2**31, 0, key="seed", bind="query-params"
        )
        st.html('<a class="dp-button" href="?" target="_self">↺ Reset everything</a>')
    return CrowdQuestion(int(honesty), int(people), int(times), int(seed))
