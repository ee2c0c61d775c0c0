"""Controls, data and surroundings of the front page."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dpviz.data import DATASETS
from dpviz.formatting import number, percent, spread, unbroken
from dpviz.run import reproduce
from dpviz.stats import accuracy
from dpviz.types import Result
from dpviz.ui.assets import asset
from dpviz.ui.frame import copy_link
from dpviz.views import deployments, front_page
from dpviz.views.front_page import BUDGETS, METHOD, RATIO, SEEDS, Scene
from dpviz.views.guarantee_in_words import headline, rows_of

NAME = "pictures"
"""In the link."""


def pictures() -> str:
    """A key of ``DATASETS``, from the link."""
    name = st.query_params.get(NAME, "")
    return name if name in front_page.DATASETS else next(iter(front_page.DATASETS))


def choose(key: str) -> None:
    """Take the pictures that a component in the browser, called ``key``, asks for."""
    name = st.session_state[key][NAME]
    if name in front_page.DATASETS:
        st.query_params.pop(NAME, None)
        if name != next(iter(front_page.DATASETS)):
            st.query_params[NAME] = name


LEARN, EXPLORE = "pages/lessons.py", "pages/trade_off.py"
PRESENT = {"present": "1"}


def head() -> None:
    """A line of links in place of the menu, which is of the other pages."""
    st.html(f"<style>{asset('front_page.css')}</style>")
    with st.container(horizontal=True, key="front-head", vertical_alignment="center"):
        st.html("<strong>dpviz</strong>", width="stretch")
        st.page_link(LEARN, label="Learn")
        st.page_link(EXPLORE, label="Explore")
        st.page_link(EXPLORE, label="Show", query_params=PRESENT)
        copy_link.button("front-link")


def next_pages() -> None:
    """The three ways on."""
    with st.container(horizontal=True, key="front-doors"):
        _page_link("Learn how →", LEARN, "Short lessons that let you predict first.")
        _page_link(
            "Explore every setting →", EXPLORE, "All methods, data and budgets; your own, too."
        )
        _page_link(
            "Show it to others →",
            EXPLORE,
            "One answer and one chart, large. At the foot of other pages: a one-page report.",
            PRESENT,
        )


def _page_link(label: str, page: str, words: str, query: dict[str, str] | None = None) -> None:
    with st.container(gap=None):
        st.page_link(page, label=f"**{label}**", query_params=query)
        st.caption(words)


SETS = {"digits": "Digits", "clothes": "Clothes"}
FIRST_BUDGET = "1"
"""ε with which Trade-off opens from the slider's most accurate places."""
NO_NOISE = "none"
"""The place without noise, in the link."""
MARKS_TEXT = (
    "Promises in use, by their figure ε, for most as the Differential Privacy Deployments Registry"
    " quotes its source: the smaller it is, the less is given away. Those on the slider have a mark"
    " under it; {beyond} lie beyond its end. δ is a tiny slack beside ε, ρ another scale."
)


def browser_data(
    name: str,
    noisy: Sequence[Result],
    quiet: Result,
    precise: bool = False,
    public: Result | None = None,
) -> dict[str, Any]:
    """All that the browser needs.

    Args:
        name: of the pictures, in the link; noisy, quiet: results of ``front_page.groups``;
        precise: the promise is in sight from the first; public: public data alone.
    """
    scene = front_page.scene(name, noisy, quiet)
    counts = quiet.class_counts
    biggest_first = sorted(scene.frequent, key=lambda c: -counts[c])
    rare_first = sorted(scene.rare, key=lambda c: -counts[c])
    printed = deployments.on_axis("approx")
    on_slider = [value for value, _ in printed if BUDGETS[0] <= value <= BUDGETS[-1]]
    # tuples, since Streamlit asks pandas whether a list or a dict is a table
    return {
        "name": name,
        "sets": tuple(SETS.items()),
        "names": scene.names,
        "groups": (
            {"classes": tuple(biggest_first), "words": "many pictures each", "place": "many"},
            {"classes": tuple(rare_first), "words": "few pictures each", "place": "few"},
        ),
        "rare": scene.rare,
        "pixels": name == "digits",
        "pictures": tuple(scene.picks.pictures.items()),
        "places": tuple(_place(scene, name, place, public) for place in range(len(scene.results))),
        "start": len(BUDGETS) - 1,
        "breaks": scene.breaks(),
        "broken": front_page.broken_text(name),
        "inDraws": front_page.draws_text(scene),
        "marks": tuple(map(_slider_place, on_slider)),
        "used": tuple(_deployment_data(deployment) for _, deployment in printed),
        "marked": MARKS_TEXT.format(beyond=len(printed) - len(on_slider)),
        "why": deployments.PURPOSE_TEXT,
        "how": tuple(_explanation(scene, name)),
        "card": tuple(_guarantee_rows(scene, len(BUDGETS) - 1, constant=True)),
        "open": precise,
    }


def _place(scene: Scene, name: str, place: int, public: Result | None) -> dict[str, Any]:
    results = scene.results[place]
    rows = scene.picks.rows[place]
    kinds = tuple(_kind(scene, name, c, row) for c, row in enumerate(rows))
    alike = f"{front_page.SIMILARITY_TEXT} " if any(kinds) else ""
    right, guess = (
        front_page.accuracy_text(scene, name, place),
        front_page.guess_sentence(scene, place),
    )
    right += front_page.public_alone(public)
    return {
        "key": NO_NOISE if place == len(BUDGETS) else number(BUDGETS[place]),
        "rows": rows,
        "kinds": kinds,
        "lost": scene.broken_classes(place),
        "right": unbroken(right),
        "guess": unbroken(guess),
        "eps": f"ε = {number(BUDGETS[place])}" if place < len(BUDGETS) else "no promise",
        "settings": tuple(_opening_settings(scene, place).items()),
        "short": f"{right} {guess}".replace("**", ""),
        "draw": alike + front_page.picture_text(scene, place),
        "precise": _precise(results, place),
        "card": tuple(_guarantee_rows(scene, place, constant=False)),
        "command": reproduce.run_commands([result.spec for result in results]),
        "links": tuple(_links(scene, place)),
    }


def _kind(scene: Scene, name: str, c: int, row: int) -> str:
    """What the picture really is, where that is not the class it stands for."""
    kind = scene.picks.kinds[row]
    if kind is None or kind == scene.names[c]:
        return ""
    return kind if name != "digits" else f"digit {kind}" if kind.isdigit() else f"letter {kind}"


def _slider_place(budget: float) -> float:
    """Place of a budget on the slider, between two where it lies between."""
    after = min(max(bisect.bisect(BUDGETS, budget), 1), len(BUDGETS) - 1)
    low, high = BUDGETS[after - 1], BUDGETS[after]
    return after - 1 + math.log(budget / low) / math.log(high / low)


def _deployment_data(deployment: deployments.Deployment) -> dict[str, str]:
    return {
        "title": deployment.title,
        "promise": deployment.figures,
        "unit": deployment.unit,
        "source": deployment.source,
        "address": deployment.address,
    }


# ---------------------------------------------------------------------------------- how it was made


def _explanation(scene: Scene, name: str) -> list[str]:
    counts, public = scene.quiet.class_counts, sorted(scene.quiet.class_counts)
    data = DATASETS[front_page.DATASETS[name]].title
    return [
        f"Data: {data}, thinned so that the commonest class has {number(RATIO)} times the records"
        f" of the rarest ({public[0]} to {max(counts)}; rare are the three classes with the"
        " fewest). Each picture becomes a list of numbers by an encoder that never saw these data."
        " DPPL-Public then lets every class vote for public pictures by the exponential mechanism;"
        " a test picture gets the class whose pick is nearest.",
        f"The line: the mean over noise seeds 0 to {SEEDS - 1} of the accuracy on the rare"
        " classes' test pictures, each class counting alike; without noise: the same method at"
        " ε = ∞. The guess: the largest share of right answers of anyone who holds “used” and “not"
        " used” for equally likely, by the promise alone, rounded up.",
        "The pictures: those of seed 0. They are what is released. The marks ✗ and all accuracies"
        " are measured on test pictures, for teaching, and are not covered by the promise.",
        "What is promised is about one picture and about what is released: that nobody can tell"
        " well whether it was used. It does not keep a picture from being stolen elsewhere, nor the"
        " machine from learning what holds of people like you.",
    ]


def _precise(results: Sequence[Result], place: int) -> str:
    """The numbers of one place with their interval."""
    rare_accuracy = accuracy(results, "minority")
    if place == len(BUDGETS):
        return f"Here: without noise, {percent(rare_accuracy)}; no promise."
    between = (
        f" (95% interval {spread(rare_accuracy)}, N = {rare_accuracy.runs})"
        if spread(rare_accuracy)
        else ""
    )
    return f"Here: ε = {number(BUDGETS[place])}; rare classes {percent(rare_accuracy)}{between}."


def _guarantee_rows(scene: Scene, at: int, constant: bool) -> list[tuple[str, str]]:
    """Rows of the promise: those that are the same at every budget, or those that are not."""
    guarantee, *ends = (scene.results[place][0].guarantee for place in (at, 0, len(BUDGETS) - 1))
    if at == len(BUDGETS):
        return [("promise", "none")]
    least, most = (dict(rows_of(end)) for end in ends)
    rows = [
        row for row in rows_of(guarantee) if (least.get(row[0]) == most.get(row[0])) == constant
    ]
    return rows if constant else [("promise", headline(guarantee)), *rows]


def _settings(scene: Scene, place: int) -> dict[str, str]:
    """What is set here, by its names in the links of other pages; without noise, the largest
    budget there is.
    """
    budget = number(BUDGETS[min(place, len(BUDGETS) - 1)])
    return {"data": scene.quiet.spec.dataset, "ir": number(RATIO), "eps": budget}


def _opening_settings(scene: Scene, place: int) -> dict[str, str]:
    """What Trade-off opens with: a moderate budget where hardly any noise is looked at, since all
    methods agree there.
    """
    settings = _settings(scene, place)
    return settings | ({"eps": FIRST_BUDGET} if place >= len(BUDGETS) - 1 else {})


def _links(scene: Scene, place: int) -> list[tuple[str, str]]:
    """Where the same is shown with everything."""
    facts = urlencode(_settings(scene, place))
    return [
        ("All five draws, with their odds", f"./public-prototypes?{facts}"),
        ("Beside other methods", f"./trade-off?{facts}&m={METHOD},dppl-mean,class-mean"),
        ("Several pictures of one person: less is promised", "./many-pictures"),
    ]
