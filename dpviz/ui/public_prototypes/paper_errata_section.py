"""The tab "Paper errors": each error of the printed selection, with its cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpviz.diagnostics import paper_errata, prototype_choices
from dpviz.diagnostics.paper_errata import Wasted
from dpviz.diagnostics.prototype_choices import window
from dpviz.formatting import budget_at_level, number
from dpviz.methods.dppl_publick import K
from dpviz.text import public_prototypes as text
from dpviz.text.template import render
from dpviz.types import Budget, RunSpec
from dpviz.ui.frame import detail_level
from dpviz.ui.live import page_caches
from dpviz.ui.public_prototypes.answer import Choices
from dpviz.ui.widgets import cards, param_widgets

#: Columns of the CSV.
COLUMNS = ("slip", "where", "promised", "printed", "corrected")
#: Budgets beside the current one.
LARGE_RHO = (0.1, 1.0, 10.0)


def show(choices: Choices) -> list[dict[str, Any]]:
    """Draw the errors and return them as a table."""
    st.markdown(text.PAPER)
    cards.private_view()
    k = min(param_widgets.widget(K, "dppl-publick.k"), choices.odds.public)
    c = int(np.argmin(choices.data.counts))
    slip, half, toy = _worst(choices.spec, c, k), _halved(choices.spec), paper_errata.example()
    left, middle, right = st.columns(3)
    with left, st.container(border=True, height="stretch"):
        _multiplicity(toy, slip, choices.data.class_names[c], choices.view.unit)
    with middle, st.container(border=True, height="stretch"):
        _factor(half, choices)
    with right, st.container(border=True, height="stretch"):
        _clip(choices)
    with st.container(border=True):
        wasted = _cost(choices)
    rows = [
        ("multiplicity", "example", toy.claimed_epsilon, toy.printed, toy.right),
        ("multiplicity", "these data", slip.claimed_epsilon, slip.printed, slip.right),
        ("factor two: probability", "these data", None, half.half, half.full),
        (
            *("factor two: candidates", "these data", None),
            *(half.candidates_half, half.candidates_full),
        ),
        *(("ε of the draw", str(w.budget), None, w.printed, w.exact) for w in wasted),
        *(
            (
                f"accuracy ({choices.metric})",
                str(w.budget),
                None,
                np.mean(w.with_printed),
                np.mean(w.with_exact),
            )
            for w in wasted
        ),
    ]
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


@page_caches.cached_by_content(20, text.PAPER_SPINNERS["worst"])
def _worst(spec: RunSpec, c: int, k: int) -> paper_errata.Slip:
    data, u = prototype_choices.scene(spec)
    event = prototype_choices.event_of_record(spec)
    return paper_errata.worst_record(data, u[c], c, k, event, *window(spec))


@page_caches.cached_by_content(20)
def _halved(spec: RunSpec) -> paper_errata.Halved:
    data, u = prototype_choices.scene(spec)
    own = prototype_choices.own_kind(data)
    return paper_errata.halved(u, prototype_choices.event_of(spec), own)


def _head(title: str, place: str) -> None:
    """Draw the title of one error, and where it is printed."""
    st.markdown(title)
    st.caption(place)


def _multiplicity(toy: paper_errata.Slip, slip: paper_errata.Slip, name: str, unit: str) -> None:
    _head(text.MULTIPLICITY_TITLE, text.MULTIPLICITY_PLACE)
    st.markdown(text.MULTIPLICITY)
    example = render(
        text.MULTIPLICITY_EXAMPLE,
        images=toy.pictures,
        k=str(toy.k),
        claimed=number(toy.claimed_epsilon),
        printed=round(toy.printed, 2),
        right=round(toy.right, 3),
    )
    here = render(
        text.MULTIPLICITY_HERE[unit],
        name=name,
        k=str(slip.k),
        claimed=number(slip.claimed_epsilon),
        printed=round(slip.printed, 2),
        right=round(slip.right, 2),
    )
    verdict = "above" if slip.printed > slip.claimed_epsilon else "within"
    st.markdown(example)
    st.markdown(f"{here} {text.MULTIPLICITY_VERDICTS[verdict]}")


def _factor(half: paper_errata.Halved, choices: Choices) -> None:
    _head(text.FACTOR_TITLE, text.FACTOR_PLACE)
    st.markdown(text.FACTOR)
    template = text.FACTOR_HERE["best" if choices.odds.own is None else "own"]
    candidates = render(
        text.FACTOR_CANDIDATES,
        full=round(half.candidates_full),
        half=round(half.candidates_half),
    )
    st.markdown(f"{render(template, full=half.full, half=half.half)} {candidates}")


def _clip(choices: Choices) -> None:
    low, high = window(choices.spec)
    left = np.unique(paper_errata.swapped_clip(np.linspace(0, 2, 201), low, high))
    _head(text.CLIP_TITLE, text.CLIP_PLACE)
    values = [number(float(value)) for value in left]
    st.markdown(render(text.CLIP, n=len(left), values=values))
    st.markdown(render(text.CLIP_EFFECT, images=choices.odds.public))


@page_caches.cached_by_content(20, text.PAPER_SPINNERS["cost"])
def _wasted(
    spec: RunSpec, budgets: tuple[Budget, ...], seeds: tuple[int, ...], metric: str
) -> list[Wasted]:
    return paper_errata.wasted(spec, budgets, seeds, metric)


def _cost(choices: Choices) -> list[Wasted]:
    """Draw what the printed cost of a draw wastes, at each budget."""
    view = choices.view
    budgets = [view.budget, *(Budget(rho, "zcdp", view.budget.delta) for rho in LARGE_RHO)]
    seeds = tuple(range(view.first_seed, view.first_seed + view.seeds))
    wastes = _wasted(choices.any_budget, tuple(dict.fromkeys(budgets)), seeds, choices.metric)
    _head(text.COST_TITLE, text.COST_PLACE)
    st.markdown(f"{_cost_text(wastes[0])} {_cost_text(wastes[-1])}")
    rows = [(str(w.budget), f"{w.printed:.3f}", f"{w.exact:.3f}", *_accuracies(w)) for w in wastes]
    st.html(cards.table(text.COST_HEADS, rows))
    st.caption(render(text.COST_CAPTION, group=choices.group, seeds=len(seeds)))
    return wastes


def _cost_text(w: Wasted) -> str:
    """Return both ε and both accuracies at a budget."""
    fields = {"exact": float(f"{w.exact:.3g}"), "printed": float(f"{w.printed:.3g}")}
    budget = budget_at_level(w.budget, detail_level.precise())
    if w.exact <= w.printed * (1 + 1e-6):
        return render(text.COST["equal"], budget=budget, **fields)
    printed, exact = _accuracies(w)
    if printed == exact:
        return render(text.COST["same"], budget=budget, **fields)
    accuracy = render(text.COST_ACCURACY, printed=printed, exact=exact)
    return f"{render(text.COST['more'], budget=budget, **fields)} {accuracy}"


def _accuracies(w: Wasted) -> tuple[str, str]:
    printed, exact = (f"{100 * np.mean(v):.1f}%" for v in (w.with_printed, w.with_exact))
    return printed, exact
