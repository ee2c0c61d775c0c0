"""Accuracy of a run's model after each step: a private view, though the guarantee covers all steps.

The noise of a step is part of the release that the run's guarantee composes, so models of all steps
follow from it without another look at a private record.
"""

from __future__ import annotations

import numpy as np

from dpviz.data.imbalance import minority_classes
from dpviz.experiments import experiment
from dpviz.formatting import METRICS
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import adamix, noisy_gd
from dpviz.types import RunSpec

METHODS_WITH_STEPS = {noisy_gd.KEY: noisy_gd.run_observed, adamix.KEY: adamix.run_observed}
"""How a run of each method is observed."""
MAX_POINTS = 101
"""Steps that are scored, at most."""
TrainingCurve = dict[int, dict[str, float]]
"""Accuracies by metric after so many steps, from 0 to the last."""


def training_curve(spec: RunSpec) -> TrainingCurve:
    """Return the accuracies of the run that a spec's result scores, by step; the last ones are the
    result's.

    Where the release is an average of the steps, so is the model after each step.

    Raises:
        KeyError: For a method without observed steps.
        DpvizError: For a setting that is not valid.
    """
    spec = experiment.complete(spec)
    data, plan = experiment.prepared(spec), experiment.planned(spec)
    minority = minority_classes(data.counts, data.draw)
    last = plan.gaussian("gradients").times
    scored = set(np.linspace(0, last, MAX_POINTS).round().astype(int).tolist())
    is_average = plan.params.get("iterate") == "averaged"
    curve: TrainingCurve = {}
    step, total = 0, np.zeros(())

    def score(head: np.ndarray) -> None:
        scores = experiment.score(adamix.head(head), data, minority)
        curve[step] = {metric: getattr(scores, metric) for metric in METRICS}

    def observe(head: np.ndarray) -> None:
        nonlocal step, total
        if step in scored:
            weights = step * (step + 1) / 2
            score((total / weights).astype(np.float32) if is_average and step else head)
        step += 1
        if is_average:
            total = total + step * head

    with one_numeric_thread():
        released = METHODS_WITH_STEPS[spec.method](data, plan, spec.seed, observe)
        score(released)
    return curve
