"""The expected time of a sweep follows from stored runs."""

from dataclasses import replace

from dpviz.text import sweeps as text
from dpviz.text.template import render
from dpviz.views import sweeps_page
from tests.kit.charts import result


def stored(method, seconds):
    return replace(result(method, 1.0, 0, 0.5), seconds=seconds)


def test_expected_time_uses_mean_of_stored_runs():
    runs = [stored("dppl-mean", 1.0), stored("dppl-mean", 3.0), stored("noisy-gd", 0.1)]
    minutes = sweeps_page.expected_time({"dppl-mean": 100}, runs)
    assert minutes == render(text.DURATIONS["minutes"], time=3)
    hours = sweeps_page.expected_time({"dppl-mean": 5000}, runs)
    assert hours == render(text.DURATIONS["hours"], time=3)


def test_sweep_of_stored_runs_takes_seconds():
    seconds = sweeps_page.expected_time({"dppl-mean": 0}, [stored("dppl-mean", 3.0)])
    assert seconds == render(text.DURATIONS["seconds"], time=10)
