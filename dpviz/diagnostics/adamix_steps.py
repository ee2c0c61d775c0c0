"""The steps of one AdaMix run, as it saw them: a private view."""

from __future__ import annotations

from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import adamix
from dpviz.methods.components.mixed_gradients import Path
from dpviz.run import experiment
from dpviz.types import RunSpec


def path(spec: RunSpec) -> Path:
    """Step by step, what the run of a spec saw: the same run that its result scores."""
    with one_numeric_thread():
        return adamix.path(experiment.prepared(spec), experiment.planned(spec), spec.seed)
