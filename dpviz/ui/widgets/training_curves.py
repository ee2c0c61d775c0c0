"""The accuracy of one run after each training step, as finding, chart and file."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpviz.diagnostics import training_curve
from dpviz.lazy_imports import pandas as pd
from dpviz.plots.noise_draws import TrainingCurves
from dpviz.text import redraw as text
from dpviz.types import RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import charts, export
from dpviz.views import noise_draws

_curve = page_caches.cached_by_content(64, text.REPEATING)(training_curve.training_curve)


def draw(runs: Mapping[str, RunSpec], metric: str, key: str) -> None:
    """Draw the steps of some runs.

    Args:
        runs: by title; metric: a key of ``METRICS``; key: of the chart.
    """
    lines = [
        noise_draws.training_line(run.method, title, _curve(run), metric)
        for title, run in runs.items()
    ]
    st.markdown("  \n".join(noise_draws.training_finding(line) for line in lines))
    curves = TrainingCurves(metric, tuple(lines))
    charts.plot(curves, key)
    st.caption(text.STEPS_CAPTION)
    export.csv(text.STEPS_CSV, pd.DataFrame(curves.table()), "steps.csv")
