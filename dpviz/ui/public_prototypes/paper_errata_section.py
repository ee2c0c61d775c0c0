"""The closer look "Slips in the printed selection": each with what it would cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpviz.diagnostics import paper_errata, prototype_choices
from dpviz.diagnostics.paper_errata import Wasted
from dpviz.diagnostics.prototype_choices import window
from dpviz.formatting import budget_text, literal, number
from dpviz.methods.dppl_publick import K
from dpviz.types import Budget, RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.public_prototypes.answer import Choices
from dpviz.ui.widgets import cards, param_widgets
from dpviz.views.phrases import METRIC_SUBJECTS

COLUMNS = ("slip", "where", "promised", "printed", "corrected")
LARGE_RHO = (0.1, 1.0, 10.0)
"""Budgets beside the one looked at."""


def show(choices: Choices) -> list[dict[str, Any]]:
    """The slips; returns them as a table."""
    st.markdown(
        "These slips are in the first version's text (Beyond the Mean). The AAAI 2025 text prints"
        " ε/Δ correctly, and shares only the order of the clip's arguments. One error breaks the"
        " promise: Equation 6. The factor two, in top-K only, and ε²/8 are safe. The clip order is"
        " a misprint; Equation 14 is right. dpviz uses the corrected forms, and works out the"
        " figures below now."
    )
    cards.private_view()
    k = min(param_widgets.widget(K, "dppl-publick.k"), choices.odds.public)
    c = int(np.argmin(choices.data.counts))
    slip, half, toy = _worst(choices.spec, c, k), _halved(choices.spec), paper_errata.example()
    left, middle, right = st.columns(3)
    with left, st.container(border=True):
        _multiplicity(toy, slip, choices.data.class_names[c], choices.view.unit)
    with middle, st.container(border=True):
        _factor(half, choices)
    with right, st.container(border=True):
        _clip(choices)
    with st.container(border=True):
        wasted = _cost(choices)
    rows = [
        ("multiplicity", "example", toy.claimed_epsilon, toy.printed, toy.right),
        ("multiplicity", "this data", slip.claimed_epsilon, slip.printed, slip.right),
        ("factor two: probability", "this data", None, half.half, half.full),
        (
            *("factor two: pictures", "this data", None),
            *(half.candidates_half, half.candidates_full),
        ),
        *(("ε of the draw", str(w.budget), None, w.printed, w.exact) for w in wasted),
        *(
            (
                f"share right ({choices.metric})",
                str(w.budget),
                None,
                np.mean(w.with_printed),
                np.mean(w.with_exact),
            )
            for w in wasted
        ),
    ]
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


@page_caches.cached_by_content(20, "Leaving out one record after another …")
def _worst(spec: RunSpec, c: int, k: int) -> paper_errata.Slip:
    data, u = prototype_choices.scene(spec)
    event = prototype_choices.event_of_record(spec)
    return paper_errata.worst_record(data, u[c], c, k, event, *window(spec))


@page_caches.cached_by_content(20)
def _halved(spec: RunSpec) -> paper_errata.Halved:
    data, u = prototype_choices.scene(spec)
    own = prototype_choices.own_kind(data)
    return paper_errata.halved(u, prototype_choices.event_of(spec), own)


def _multiplicity(toy: paper_errata.Slip, slip: paper_errata.Slip, name: str, unit: str) -> None:
    st.markdown(
        "**C(y, K) in place of C(y−1, K−1)** · first version, Equation 6 · breaks the promise"
    )
    st.markdown(
        "PublicK draws the rank y of the worst of its K pictures. C(y−1, K−1) sets have it at rank"
        " y; the paper prints C(y, K), so the probability of a set depends on ranks, which one"
        f" record can change by a lot. **{toy.pictures} equal pictures, K = {toy.k}, promised ε ="
        f" {number(toy.claimed_epsilon)}: printed loss {toy.printed:.2f}**, corrected"
        f" {toy.right:.3f}."
    )
    subject = " to one record" if unit == "person" else ""
    verdict = (
        "more than promised"
        if slip.printed > slip.claimed_epsilon
        else (
            "within the promise for the sets tried: at a small K or a large budget the slip can"
            " hide"
        )
    )
    st.markdown(
        f"Here, leaving one record out of class {literal(name)}, K = {slip.k}, promised ε ="
        f" {number(slip.claimed_epsilon)}{subject}: **printed loss at least {slip.printed:.2f}**"
        f" ({verdict}), corrected {slip.right:.2f} for the same set."
    )


def _factor(half: paper_errata.Halved, choices: Choices) -> None:
    st.markdown(
        "**t = ε / (2Δ) in place of ε / Δ** · first version, top-K only (Appendix C.3) · safe"
    )
    noun = (
        "of a picture that bears the class's name"
        if choices.odds.own is not None
        else "of the best picture"
    )
    st.markdown(
        "Adding a record lowers no score, so exp(ε u / Δ) is ε-DP already. The factor two is safe"
        " and costs half the budget. DPPL-Public is printed without it. With it, one picture would"
        f" be drawn worse: the probability {noun}, mean over classes, would fall from"
        f" **{100 * half.full:.0f}%** to **{100 * half.half:.0f}%**. The draw would widen from"
        f" among as good as **{half.candidates_full:,.0f}** pictures to"
        f" **{half.candidates_half:,.0f}**"
        " (geometric means)."
    )


def _clip(choices: Choices) -> None:
    low, high = window(choices.spec)
    left = np.unique(paper_errata.swapped_clip(np.linspace(0, 2, 201), low, high))
    st.markdown(
        "**clip(x, d_max, d_min) in place of clip(x, d_min, d_max)** · both versions, Algorithm 1 ·"
        " a misprint"
    )
    st.markdown(
        f"With the arguments as printed, numpy turns 201 scores from 0 to 2 into **{len(left)}"
        f" value{'s' if len(left) > 1 else ''}: {', '.join(number(float(v)) for v in left)}**."
        " Every picture would score the same and be picked with probability"
        f" 1/{choices.odds.public:,}, whatever the records and the budget."
    )


@page_caches.cached_by_content(20, "Drawing with both prices …")
def _wasted(
    spec: RunSpec, budgets: tuple[Budget, ...], seeds: tuple[int, ...], metric: str
) -> list[Wasted]:
    return paper_errata.wasted(spec, budgets, seeds, metric)


def _cost(choices: Choices) -> list[Wasted]:
    view = choices.view
    budgets = [view.budget, *(Budget(rho, "zcdp", view.budget.delta) for rho in LARGE_RHO)]
    seeds = tuple(range(view.first_seed, view.first_seed + view.seeds))
    wastes = _wasted(choices.any_budget, tuple(dict.fromkeys(budgets)), seeds, choices.metric)
    waste, last = wastes[0], wastes[-1]
    st.markdown(
        "**ρ = ε²/8 beside the exact ρ = r − 1 − ln r, r = ε / (e^ε − 1)** · first version, Lemma 3"
        " · correct and safe"
    )
    st.markdown(
        "The first version prices the draw by a correct bound. The exact cost is never more."
        f" {_wasted_text(waste, choices)}; {_wasted_text(last, choices)}."
    )
    lines = ["| budget | ε by ε²/8 | exact ε | right by ε²/8 | right by the exact ε |"]
    lines += ["| --- | ---: | ---: | ---: | ---: |"]
    for w in wastes:
        cells = [f"{w.printed:.3f}", f"{w.exact:.3f}", *_right(w)]
        lines.append(" | ".join(["", str(w.budget), *cells, ""]).strip())
    st.markdown("\n".join(lines))
    seeds_said = f"mean of {len(seeds)} seeds" if len(seeds) > 1 else "one seed"
    st.caption(
        f"How often {METRIC_SUBJECTS[choices.metric]}: {seeds_said}, the same noise on both sides."
        " For an (ε,"
        " δ) the draw may spend ε itself if that is more, so a small budget loses nothing; on the"
        " paper axis dpviz keeps the paper's ε, and the card tells what it truly costs."
    )
    return wastes


def _wasted_text(w: Wasted, choices: Choices) -> str:
    if w.exact <= w.printed * (1 + 1e-6):
        return (
            f"At {budget_text(w.budget)} nothing is lost: the draw spends ε = **{w.exact:.3g}**"
            " either way"
        )
    printed, exact = _right(w)
    often = f"**{exact}** of the time" + ("" if exact == printed else f" instead of **{printed}**")
    return (
        f"At {budget_text(w.budget)} the draw may spend ε = **{w.exact:.3g}** instead of"
        f" **{w.printed:.3g}**; {METRIC_SUBJECTS[choices.metric]}"
        f" {often}{' either way' * (exact == printed)}"
    )


def _right(w: Wasted) -> tuple[str, str]:
    printed, exact = (f"{100 * np.mean(v):.1f}%" for v in (w.with_printed, w.with_exact))
    return printed, exact
