"""The closer look "N public or N private": accuracy over the records of each class, by who may see
them (Figure 2, left, of the AdaMix paper).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from dpviz.data import public_title
from dpviz.formatting import METRIC_WORDS, budget_text, percent, unbroken
from dpviz.methods import adamix
from dpviz.plots.settings import RecordsCurve, RecordsLine
from dpviz.run import experiment, reproduce
from dpviz.stats import band, signs
from dpviz.types import Result, RunSpec
from dpviz.ui.frame import detail_level
from dpviz.ui.live import long_work
from dpviz.ui.mixed_privacy.controls import MixedView
from dpviz.ui.widgets import export
from dpviz.ui.widgets.shared_controls import RECORDS
from dpviz.views.page_config import Group

KEY = "mixed-privacy-records"
PUBLIC, PRIVATE, QUIET = "N public alone", "N private alone", "N private alone, without noise"
PUBLIC_AND_PRIVATE = "N public and N private"
PAPER = "the paper, on MIT-67: as much as 10 times"
Runs = Mapping[tuple[str, int], list[Result]]
"""By line and N."""


def section(view: MixedView, metric: str) -> list[dict[str, Any]]:
    """N public records of each class, N private ones, and both, over N."""
    words, wanted = st.empty(), runs(view)
    shown = curve(
        long_work.results(
            KEY,
            wanted,
            lambda slot, partial: partial and slot.plot(curve(partial, view, metric)),
        ),
        view,
        metric,
    )
    words.markdown(unbroken(answer(shown, view)))
    public = public_title(view.public) if view.public else "as it comes with the data"
    st.caption(
        f"Accuracy: {METRIC_WORDS[metric]}, at {budget_text(view.budget)}."
        f" {detail_level.bands(view.seeds)}"
        f" Public set: {public}; the paper's is of the private set's own kind, as the one held"
        " aside is. IR 1 here, whatever the slider says: N of each class, or all where there are"
        f" fewer. Private ones alone: Fully-Private without any shots; both: {view.lead}. The first"
        f" seed of each line at N = {view.shots} again:"
    )
    here = [group[0] for (_, n), group in wanted.items() if n == view.shots]
    export.code_block("\n".join(map(reproduce.run_command, here)))
    return shown.table()


def runs(view: MixedView) -> dict[tuple[str, int], Group]:
    """What the chart needs: each N up to the records that the largest class has."""
    balanced: dict[str, Any] = {"ir": 1.0, "records": 0}
    full = experiment.prepared(view.run("Only-Public", view.first_seed, **balanced))
    labelled = int(np.bincount(full.labelled_public[1]).max(initial=0))
    public, private = min(labelled, int(adamix.SHOTS.high)), max(full.counts)
    most = max(public, private)
    groups: dict[tuple[str, int], Group] = {}
    for n in sorted({*(n for n in RECORDS if 3 * n <= 2 * most), min(view.shots, most), most}):
        few = balanced | {"records": n}
        if n <= public:
            groups[PUBLIC, n] = view.runs("Only-Public", shots=n, **balanced)
        if n <= private:
            group = view.runs("Fully-Private", shots=1, **few)
            quiet = view.runs("Fully-Private", (math.inf,), shots=1, **few)
            groups[PRIVATE, n] = tuple(map(_without_shots, group))
            groups[QUIET, n] = (_without_shots(quiet[0]),)
        if n <= min(public, private):
            groups[PUBLIC_AND_PRIVATE, n] = view.runs(view.lead, shots=n, **few)
    return groups


def _without_shots(spec: RunSpec) -> RunSpec:
    """Fully-Private, which takes shots for private records, on private records alone."""
    params = dict(spec.params) | {"public_use": "none"}
    return dataclasses.replace(spec, params=tuple(params.items()))


def curve(results: Runs, view: MixedView, metric: str) -> RecordsCurve:
    """The chart's data from what is there of the runs."""
    drawn_as = {
        PUBLIC: ("Only-Public", False),
        PRIVATE: ("Fully-Private", False),
        QUIET: ("Fully-Private", True),
        PUBLIC_AND_PRIVATE: (view.lead, False),
    }
    points = {
        (title, *how): {
            n: band([r.scores for r in runs], metric, noisy=title != QUIET)
            for (line, n), runs in results.items()
            if line == title
        }
        for title, how in drawn_as.items()
    }
    classes = next((len(runs[0].class_counts) for runs in results.values()), 0)
    return RecordsCurve.from_points(points, metric, view.shots, 1 / max(classes, 1))


# ----------------------------------------------------------------------------------------- sentence


def answer(shown: RecordsCurve, view: MixedView) -> str:
    """One sentence in Markdown: what as many public records as there are shots give, what as many
    private ones, and how many private ones do the same; empty until all lines are there.
    """
    lines = {line.title: line for line in shown.lines}
    points = {title: line.point_at(view.shots) for title, line in lines.items()}
    public, private, combined = (
        points.get(title) for title in (PUBLIC, PRIVATE, PUBLIC_AND_PRIVATE)
    )
    if not (public and private and combined and QUIET in lines):
        return ""
    clear = signs({PRIVATE: (public, private), PUBLIC_AND_PRIVATE: (public, combined)}, paired=True)
    same = {title: "" if sign else " (within noise of that)" for title, sign in clear.items()}
    need, quiet = (records_needed(lines[title], public.mean) for title in (PRIVATE, QUIET))
    quiet_text = (
        f"without noise **{quiet:,}** would do" if quiet else "without noise no number drawn does"
    )
    return (
        f"With {view.shots} of each class public records alone are right **{percent(public)}** of"
        f" the time, private ones alone at {budget_text(view.budget)}"
        f" **{percent(private)}**{same[PRIVATE]} and both together"
        f" **{percent(combined)}**{same[PUBLIC_AND_PRIVATE]};"
        f" {_needed_text(need, lines[PRIVATE].values[-1], view.shots)}; {quiet_text}."
    )


def records_needed(line: RecordsLine, wanted: float) -> int | None:
    """The fewest records of each class drawn from which on the line lies at ``wanted`` or above."""
    minimum = None
    for value, point in zip(line.values[::-1], line.points[::-1], strict=True):
        if point.mean < wanted:
            break
        minimum = value
    return minimum


def _needed_text(need: int | None, maximum: int, shots: int) -> str:
    if need is None:
        return f"private training is not right as often with any number drawn, up to {maximum:,}"
    return (
        f"to be right as often as the public ones private training needs"
        f" **{need:,} of each class**, **{need / shots:.2g} times** as many ({PAPER})"
    )
