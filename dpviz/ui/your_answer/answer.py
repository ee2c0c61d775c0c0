"""The answer of the page "Your own answer": the coin in the browser, the chart and the cards."""

from __future__ import annotations

import math

import streamlit as st

from dpviz import privacy
from dpviz.formatting import number
from dpviz.plots.classroom import CrowdEstimate
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import cards
from dpviz.views import own_answer
from dpviz.views.own_answer import HONESTIES, SHARE, CrowdQuestion, Estimate

KEY = "own-coin"
HTML = """<div class="dp-coin">
<fieldset><legend>Do you like to sing when nobody listens?</legend>
<div><button type="button" data-own="yes">Yes</button>
<button type="button" data-own="no">No</button></div></fieldset>
<dl><div><dt>Stays with you</dt><dd class="stays">Answer, and a coin falls.</dd></div>
<div><dt>Leaves your device</dt><dd class="leaves">nothing yet</dd></div></dl>
<p aria-live="polite"></p></div>"""


def coin(asked: CrowdQuestion) -> None:
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
    component(key=KEY, data=coin_data(asked.honesty))


def coin_data(honesty: int) -> dict[str, float]:
    """What the coin's script takes; ``honesty``: in 100."""
    share = honesty / 100
    threshold = privacy.honesty_threshold(share)
    return {"honesty": honesty, "threshold": threshold, "truths": round(100 * (1 + share) / 2, 1)}


def crowd(asked: CrowdQuestion) -> CrowdEstimate:
    """The chart's data."""
    found = [(h, own_answer.estimate(asked, h)) for h in HONESTIES]
    points = [(h, one.share, one.recorded, one.half) for h, one in found]
    return CrowdEstimate.from_points(points, asked.yes / asked.people, asked.honesty)


def caption(asked: CrowdQuestion) -> str:
    """What the chart holds."""
    again = "" if asked.times == 1 else f", each asked {asked.times} times,"
    coins = detail_level.at_level(
        f"All points share the coins of seed {asked.seed}.",
        "At every setting the same coins fall, so that only the setting differs.",
    )
    return (
        f"A made-up crowd of {asked.people:,}{again} with {SHARE} % yes: nobody was asked. Band:"
        f" where 95 of 100 estimates lie, by the formula. {coins} An estimate outside 0 to 100 % is"
        " drawn at the edge."
    )


def cards_row(asked: CrowdQuestion, found: Estimate) -> None:
    """What is promised, to whom; what it tells of all; what asking again does."""
    with cards.row("own"):
        with cards.titled("What is promised", 330, "promised"):
            rows = [
                ("each recorded answer", f"ε = {number(asked.each)}, δ = 0"),
                ("all that you are asked", f"ε = {number(asked.epsilon)}, δ = 0"),
                ("odds move by at most", f"× {number(math.exp(asked.epsilon))}"),
                ("neighbours", "yes instead of no, or no instead of yes"),
                ("unit", "one person's answer to this question"),
                ("taken as public", "the question, the coin's honesty, that you were asked"),
                ("kept by", "your own device (local): nobody is trusted"),
            ]
            st.html(cards.definition(rows))
        with cards.titled("What the crowd's answers tell", 330, "told"):
            rows = [
                ("yes among the recorded answers", f"{100 * found.recorded:.1f} %"),
                ("estimate", f"{100 * found.share:.1f} % ± {100 * found.half:.1f}"),
                ("the truth (made up)", f"{100 * asked.yes / asked.people:.1f} %"),
            ]
            st.html(cards.definition(rows))
            st.caption("Four times as many people halve the ±.")
        with cards.titled("Asked again and again", 330, "again"):
            beliefs = [
                (f"{k} time" + "s" * (k > 1), _success_limit(asked, k)) for k in (1, 2, 3, 5, 10)
            ]
            st.html(cards.definition(beliefs))
            st.caption(
                "How often the best onlooker, who sees all of it, is right about you, rounded up;"
                " both answers were equally likely before. At most the ε given is lost."
            )


def _success_limit(asked: CrowdQuestion, times: int) -> str:
    again = CrowdQuestion(asked.honesty, asked.people, times)
    return f"{own_answer.success_limit(again.right)} (ε = {number(again.epsilon)})"


def snippet(asked: CrowdQuestion) -> str:
    """Python that gives the same numbers."""
    return "\n".join(
        (
            "from dpviz.views.own_answer import CrowdQuestion, estimate",
            "",
            f"asked = {asked!r}",
            "print(asked.epsilon, asked.right, estimate(asked))",
        )
    )
