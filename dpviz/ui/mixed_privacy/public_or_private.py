"""View Public vs. private: accuracy over images per class, public or private.

As Figure 2, left, of the AdaMix paper.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from dpviz.data import public_title
from dpviz.experiments import experiment, reproduce
from dpviz.formatting import budget_text, unbroken
from dpviz.methods import adamix
from dpviz.plots.settings import RecordsCurve, RecordsLine
from dpviz.stats import band, signs
from dpviz.text import mixed_privacy as text
from dpviz.text.template import render
from dpviz.types import Result, RunSpec
from dpviz.ui.frame import detail_level
from dpviz.ui.live import long_work
from dpviz.ui.mixed_privacy.controls import MixedView
from dpviz.ui.widgets import export
from dpviz.ui.widgets.shared_controls import RECORDS
from dpviz.views.page_config import Group

KEY = "mixed-privacy-records"
PUBLIC, PRIVATE = text.LINE_PUBLIC, text.LINE_PRIVATE
QUIET, PUBLIC_AND_PRIVATE = text.LINE_QUIET, text.LINE_BOTH
#: By line and images per class.
Runs = Mapping[tuple[str, int], list[Result]]


def section(view: MixedView, metric: str) -> list[dict[str, Any]]:
    """Draw accuracy with n public images per class, n private ones, and both, over n."""
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
    public = public_title(view.public) if view.public else text.RECORDS_OWN_PUBLIC
    caption = render(
        text.RECORDS_CAPTION,
        group=text.GROUPS[metric],
        budget=budget_text(view.budget),
        public=public,
    )
    methods = render(text.RECORDS_METHODS, lead=view.lead)
    again = render(text.RECORDS_AGAIN, shots=view.shots)
    st.caption(f"{caption} {detail_level.bands(view.seeds)} {methods} {again}")
    here = [group[0] for (_, n), group in wanted.items() if n == view.shots]
    export.code_block("\n".join(map(reproduce.run_command, here)))
    return shown.table()


def runs(view: MixedView) -> dict[tuple[str, int], Group]:
    """Return the runs of the chart: each n up to the size of the largest class."""
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
    """Return Fully-Private on private images alone."""
    params = dict(spec.params) | {"public_use": "none"}
    return dataclasses.replace(spec, params=tuple(params.items()))


def curve(results: Runs, view: MixedView, metric: str) -> RecordsCurve:
    """Return the chart's data as far as runs are computed."""
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
    """Return the accuracy of as many public images as there are examples, of as many private ones,
    and the private images that match; empty until all lines are computed.
    """
    lines = {line.title: line for line in shown.lines}
    points = {title: line.point_at(view.shots) for title, line in lines.items()}
    public, private, combined = (
        points.get(title) for title in (PUBLIC, PRIVATE, PUBLIC_AND_PRIVATE)
    )
    if not (public and private and combined and QUIET in lines):
        return ""
    clear = signs({PRIVATE: (public, private), PUBLIC_AND_PRIVATE: (public, combined)}, paired=True)
    precise, budget = detail_level.precise(), budget_text(view.budget)
    sentences = [
        render(text.RECORDS_PUBLIC, shots=view.shots, public=public),
        text.RECORDS_PRIVATE[clear[PRIVATE]].fill(precise, accuracy=private, budget=budget),
        text.RECORDS_BOTH[clear[PUBLIC_AND_PRIVATE]].fill(precise, accuracy=combined),
        *_needed(lines[PRIVATE], public.mean, view.shots),
        _needed_quiet(records_needed(lines[QUIET], public.mean)),
    ]
    return " ".join(sentences)


def records_needed(line: RecordsLine, wanted: float) -> int | None:
    """Return the fewest images per class from which on the line is at ``wanted`` or above."""
    minimum = None
    for value, point in zip(line.values[::-1], line.points[::-1], strict=True):
        if point.mean < wanted:
            break
        minimum = value
    return minimum


def _needed(line: RecordsLine, wanted: float, shots: int) -> list[str]:
    need = records_needed(line, wanted)
    if need is None:
        return [render(text.RECORDS_NONE, most=line.values[-1])]
    ratio = f"{need / shots:.2g}"
    return [render(text.RECORDS_NEEDED, need=need, ratio=ratio), text.RECORDS_PAPER]


def _needed_quiet(need: int | None) -> str:
    return render(text.RECORDS_QUIET, need=need) if need else text.RECORDS_QUIET_NONE
