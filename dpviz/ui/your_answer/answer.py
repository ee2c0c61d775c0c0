"""Controls and answer of the page "Your own answer"."""

from __future__ import annotations

import math

import streamlit as st

from dpviz import privacy
from dpviz.formatting import number
from dpviz.plots.classroom import CrowdEstimate
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import bounded, budget_control, cards
from dpviz.ui.widgets.choices import choice
from dpviz.views import your_answer_page
from dpviz.views.your_answer_page import HONESTIES, SHARE, CrowdQuestion, Estimate

PEOPLE = (100, 300, 1000, 3000, 10_000, 100_000)
MAX_TIMES = 10
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
        budget_control.draw_ends("more private", "more accurate")
        times = bounded.slider(
            *("Times the same question is asked", 1, MAX_TIMES, 1),
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


KEY = "own-coin"
HTML = """<div class="dp-coin">
<fieldset><legend>Do you like to sing when nobody listens?</legend>
<div><button type="button" data-own="yes">Yes</button>
<button type="button" data-own="no">No</button></div></fieldset>
<dl><div><dt>Stays with you</dt><dd class="stays">Answer, and a coin falls.</dd></div>
<div><dt>Leaves your device</dt><dd class="leaves">nothing yet</dd></div></dl>
<p aria-live="polite"></p></div>"""


def coin(question: CrowdQuestion) -> None:
    """A question to the visitor. Answer and coin stay in the browser, which tells nobody: not even
    the server of this page.
    """
    component = st.components.v2.component(
        "dpviz.own_coin",
        html=HTML,
        css=asset("own_coin.css"),
        js=asset("own_coin.js") + asset("coin.js"),
        isolate_styles=False,
    )
    component(key=KEY, data=coin_data(question.honesty))


def coin_data(honesty: int) -> dict[str, float]:
    """What the coin's script takes; ``honesty``: in 100."""
    share = honesty / 100
    threshold = privacy.honesty_threshold(share)
    return {"honesty": honesty, "threshold": threshold, "truths": round(100 * (1 + share) / 2, 1)}


def crowd(question: CrowdQuestion) -> CrowdEstimate:
    """The chart's data."""
    estimates = [(h, your_answer_page.estimate(question, h)) for h in HONESTIES]
    points = [(h, estimate.share, estimate.recorded, estimate.half) for h, estimate in estimates]
    return CrowdEstimate.from_points(points, question.yes / question.people, question.honesty)


def caption(question: CrowdQuestion) -> str:
    """What the chart holds."""
    rerun_text = "" if question.times == 1 else f", each asked {question.times} times,"
    coins = detail_level.at_level(
        f"All points share the coins of seed {question.seed}.",
        "At every setting the same coins fall, so that only the setting differs.",
    )
    return (
        f"A made-up crowd of {question.people:,}{rerun_text} with {SHARE}% yes: nobody was"
        " asked. Band:"
        f" where 95 of 100 estimates lie, by the formula. {coins} An estimate outside 0 to 100% is"
        " drawn at the edge."
    )


def cards_row(question: CrowdQuestion, result: Estimate) -> None:
    """What is promised, to whom; what it tells of all; what asking again does."""
    with cards.row("own"):
        with cards.titled("What is promised", 330, "promised"):
            rows = [
                ("each recorded answer", f"ε = {number(question.epsilon_each)}, δ = 0"),
                ("all that you are asked", f"ε = {number(question.epsilon)}, δ = 0"),
                ("odds move by at most", f"× {number(math.exp(question.epsilon))}"),
                ("neighbours", "yes instead of no, or no instead of yes"),
                ("unit", "one person's answer to this question"),
                ("taken as public", "the question, the coin's honesty, that you were asked"),
                ("kept by", "your own device (local): nobody is trusted"),
            ]
            st.html(cards.definition(rows))
        with cards.titled("What the crowd's answers tell", 330, "told"):
            rows = [
                ("yes among the recorded answers", f"{100 * result.recorded:.1f}%"),
                ("estimate", f"{100 * result.share:.1f}% ± {100 * result.half:.1f}"),
                ("the truth (made up)", f"{100 * question.yes / question.people:.1f}%"),
            ]
            st.html(cards.definition(rows))
            st.caption("Four times as many people halve the ±.")
        with cards.titled("Asked again and again", 330, "again"):
            beliefs = [
                (f"{k} time" + "s" * (k > 1), _success_limit(question, k)) for k in (1, 2, 3, 5, 10)
            ]
            st.html(cards.definition(beliefs))
            st.caption(
                "How often the best onlooker, who sees all of it, is right about you, rounded up;"
                " both answers were equally likely before. At most the ε given is lost."
            )


def _success_limit(question: CrowdQuestion, times: int) -> str:
    again = CrowdQuestion(question.honesty, question.people, times)
    return f"{your_answer_page.success_limit(again.right)} (ε = {number(again.epsilon)})"


def snippet(question: CrowdQuestion) -> str:
    """Python that gives the same numbers."""
    return "\n".join(
        (
            "from dpviz.views.your_answer_page import CrowdQuestion, estimate",
            "",
            f"asked = {question!r}",
            "print(asked.epsilon, asked.right, estimate(asked))",
        )
    )
