"""Data and surroundings of the front page."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dpviz.data import DATASETS
from dpviz.experiments import reproduce
from dpviz.formatting import number
from dpviz.text import front as text
from dpviz.text.template import render_text
from dpviz.types import Result
from dpviz.ui.assets import asset
from dpviz.ui.live import draw_runs
from dpviz.views import deployments, front_page
from dpviz.views.data_draws import DrawRuns
from dpviz.views.front_page import BUDGETS, METHOD, RATIO, SEEDS, Scene
from dpviz.views.guarantee_in_words import headline, rows_of

NAME = "pictures"
"""In the link."""


LINK_NAMES = frozenset({NAME, "privacy", "first"})
"""Settings of the front page in the link, which are no controls."""


def pictures() -> str:
    """A key of ``DATASETS``, from the link."""
    name = st.query_params.get(NAME, "")
    return name if name in front_page.DATASETS else next(iter(front_page.DATASETS))


def choose(key: str) -> None:
    """Show the images that the browser component ``key`` asks for."""
    name = st.session_state[key][NAME]
    if name in front_page.DATASETS:
        st.query_params.pop(NAME, None)
        if name != next(iter(front_page.DATASETS)):
            st.query_params[NAME] = name


LEARN, EXPLORE = "pages/lessons.py", "pages/trade_off.py"
PRESENT = {"present": "1"}
WAYS = (("learn", LEARN, None), ("explore", EXPLORE, None), ("present", EXPLORE, PRESENT))
"""Key of the text, page and link settings of each way on."""


def draws(key: str, name: str, noisy: Sequence[Result]) -> DrawRuns | None:
    """Return the runs on all data draws; None while they are computed.

    Args:
        name: of the images in the link; noisy: results of one draw.
    """
    if not draw_runs.is_on(noisy[0].spec, SEEDS, sum(run.seconds for run in noisy) / SEEDS):
        return None
    groups, fixed = front_page.draw_groups(name)
    return draw_runs.collected(key, [groups], fixed)


def style() -> None:
    """Add the styles of the front page."""
    st.html(f"<style>{asset('front_page.css')}</style>")


def next_pages() -> None:
    """Draw the three ways on."""
    with st.container(horizontal=True, key="front-doors"):
        for key, page, query in WAYS:
            st.page_link(page, label=f"**{text.NEXT[key]}**", query_params=query)


#: ε with a label below the slider.
SCALE = (0.01, 0.1, 1.0, 10.0)
FIRST_BUDGET = "1"
"""ε with which Trade-off opens from the slider's most accurate places."""
NO_NOISE = "none"
"""The place without noise, in the link."""


def browser_data(
    name: str,
    noisy: Sequence[Result],
    quiet: Result,
    precise: bool = False,
    public: Result | None = None,
    draws: DrawRuns | None = None,
) -> dict[str, Any]:
    """Return all that the browser needs.

    Args:
        name: name of the images in the link; noisy, quiet: results of ``front_page.groups``;
        precise: whether the explanation is open at first; public: the run with public data alone;
        draws: results of ``front_page.draw_groups``.
    """
    scene = front_page.scene(name, noisy, quiet, draws)
    counts = quiet.class_counts
    biggest_first = sorted(scene.frequent, key=lambda c: -counts[c])
    rare_first = sorted(scene.rare, key=lambda c: -counts[c])
    printed = deployments.on_axis("approx")
    on_slider = [pair for pair in printed if BUDGETS[0] <= pair[0] <= BUDGETS[-1]]
    beyond = len(printed) - len(on_slider)
    # tuples, since Streamlit asks pandas whether a list or a dict is a table
    return {
        "name": name,
        "sets": tuple(text.SETS.items()),
        "names": scene.names,
        "groups": (
            {"classes": tuple(biggest_first), "words": text.MANY_IMAGES, "place": "many"},
            {"classes": tuple(rare_first), "words": text.FEW_IMAGES, "place": "few"},
        ),
        "rare": scene.rare,
        "pixels": name == "digits",
        "pictures": tuple(scene.picks.pictures.items()),
        "places": tuple(_place(scene, name, place, public) for place in range(len(scene.results))),
        "start": scene.start(),
        "breaks": scene.breaks(),
        "words": tuple(text.ASK.items()),
        "ranks": text.RANKS,
        "noun": text.NOUNS[name],
        "broken": text.BROKEN,
        "alike": text.LOOK_ALIKE,
        "inRuns": front_page.first_in_runs(scene),
        "labels": (("several", text.SEVERAL_IMAGES), ("used", text.USED), ("how", text.HOW_TITLE)),
        "marks": tuple(
            (_slider_place(value), deployments.has_other_unit(deployment, "picture"))
            for value, deployment in on_slider
        ),
        "scale": (
            *((BUDGETS.index(stop), number(stop)) for stop in SCALE),
            (len(BUDGETS), text.NO_NOISE_END),
        ),
        "used": tuple(_deployment_data(deployment) for _, deployment in printed),
        "marked": render_text(text.MARKS, beyond=beyond),
        "why": text.DEPLOYMENTS,
        "how": tuple(_explanation(scene, name)),
        "card": tuple(_guarantee_rows(scene, len(BUDGETS) - 1, constant=True)),
        "open": precise,
    }


def _place(scene: Scene, name: str, place: int, public: Result | None) -> dict[str, Any]:
    rows = scene.picks.rows[place]
    kinds = tuple(_kind(scene, name, c, row) for c, row in enumerate(rows))
    is_private = place < len(BUDGETS)
    return {
        "key": number(BUDGETS[place]) if is_private else NO_NOISE,
        "rows": rows,
        "kinds": kinds,
        "lost": scene.broken_classes(place),
        "tiles": tuple(front_page.tiles(scene, place, public)),
        "eps": (
            render_text(text.EPSILON, epsilon=BUDGETS[place]) if is_private else text.NO_GUARANTEE
        ),
        "settings": tuple(_opening_settings(scene, place).items()),
        "short": front_page.short_text(scene, place),
        "meaning": front_page.meaning(scene, place, public),
        "draw": front_page.run_text(scene, place),
        "precise": _precise(scene, place),
        "card": tuple(_guarantee_rows(scene, place, constant=False)),
        "command": reproduce.run_commands([result.spec for result in scene.results_behind(place)]),
        "links": tuple(_links(scene, place)),
    }


def _kind(scene: Scene, name: str, c: int, row: int) -> str:
    """Return what an image shows, where that differs from the class that it is chosen for."""
    kind = scene.picks.kinds[row]
    if kind is None or kind == scene.names[c]:
        return ""
    return front_page.kind_text(kind, name == "digits")


def _slider_place(budget: float) -> float:
    """Place of a budget on the slider, between two where it lies between."""
    after = min(max(bisect.bisect(BUDGETS, budget), 1), len(BUDGETS) - 1)
    low, high = BUDGETS[after - 1], BUDGETS[after]
    return after - 1 + math.log(budget / low) / math.log(high / low)


def _deployment_data(deployment: deployments.Deployment) -> dict[str, str]:
    return {
        "title": deployment.title,
        "figures": deployment.figures,
        "unit": deployments.unit_text(deployment, "picture"),
        "source": deployment.source,
        "address": deployment.address,
    }


# ------------------------------------------------------------------------------------- how it works


def _explanation(scene: Scene, name: str) -> list[str]:
    counts = scene.quiet.class_counts
    return [
        render_text(
            text.HOW_DATA,
            data=DATASETS[front_page.DATASETS[name]].title,
            largest=max(counts),
            smallest=min(counts),
        ),
        render_text(
            text.HOW_NUMBERS, runs=scene.accuracy(0).runs, draws=len(scene.accuracy(0).draws) or 1
        ),
        text.HOW_IMAGES,
        text.HOW_LIMITS,
    ]


def _precise(scene: Scene, place: int) -> str:
    """Return the numbers of one place with their interval."""
    rare = scene.accuracy(place)
    if place == len(BUDGETS):
        return render_text(text.POSITION_QUIET, accuracy=rare)
    return render_text(text.POSITION, epsilon=BUDGETS[place], accuracy=rare, runs=rare.runs)


def _guarantee_rows(scene: Scene, at: int, constant: bool) -> list[tuple[str, str]]:
    """Return rows of the guarantee: those that are equal at every budget, or the others."""
    guarantee, *ends = (scene.results[place][0].guarantee for place in (at, 0, len(BUDGETS) - 1))
    if at == len(BUDGETS):
        return [(text.GUARANTEE, text.NO_GUARANTEE_ROW)]
    least, most = (dict(rows_of(end)) for end in ends)
    rows = [
        row for row in rows_of(guarantee) if (least.get(row[0]) == most.get(row[0])) == constant
    ]
    return rows if constant else [(text.GUARANTEE, headline(guarantee)), *rows]


def _settings(scene: Scene, place: int) -> dict[str, str]:
    """Return the settings of a place as other pages' links name them; without noise, those of the
    largest budget.
    """
    budget = number(BUDGETS[min(place, len(BUDGETS) - 1)])
    return {"data": scene.quiet.spec.dataset, "ir": number(RATIO), "eps": budget}


def _opening_settings(scene: Scene, place: int) -> dict[str, str]:
    """Return what Trade-off opens with: a moderate budget where there is hardly any noise, since
    all methods agree there.
    """
    settings = _settings(scene, place)
    return settings | ({"eps": FIRST_BUDGET} if place >= len(BUDGETS) - 1 else {})


def _links(scene: Scene, place: int) -> list[tuple[str, str]]:
    """Return links to pages with more detail."""
    facts = urlencode(_settings(scene, place))
    return [
        (text.LINKS["runs"], f"./public-prototypes?{facts}"),
        (text.LINKS["methods"], f"./trade-off?{facts}&m={METHOD},dppl-mean,class-mean"),
        (text.LINKS["several"], "./many-pictures"),
    ]
