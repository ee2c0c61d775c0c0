"""Tab Redraw of Trade-off without a browser: draws differ, are kept, and can be run again."""

import shlex
from dataclasses import replace

import pytest

from dpviz.experiments import experiment
from dpviz.ui.trade_off.redraw import DRAWS
from tests.kit.seen import charts, markdown
from tests.kit.whole_app import opened

pytestmark = pytest.mark.slow

LINK = {"ir": "10", "m": "dppl-mean,noisy-gd", "n": "2", "tab": "redraw", "noisy-gd.steps": "10"}


def draw(at):
    at.button(key="redraw").click().run()
    assert not at.exception


def kept(at, budget):
    """Draws of DPPL-Mean and of the linear probe at a budget."""
    draws = at.session_state[DRAWS]
    return [(spec, seeds) for spec, seeds in draws.items() if spec.budget.value == budget]


def test_each_click_draws_a_run_with_a_new_seed(own):
    at = opened("trade_off", LINK, data=own)
    assert "Draw new noise to see" in markdown(at) and len(charts(at)) == 1
    draw(at)
    draw(at)
    assert "The last 2 draws" in markdown(at)
    rows = kept(at, 1.0)
    assert [spec.method for spec, _ in rows] == ["dppl-mean", "noisy-gd"]
    for spec, seeds in rows:
        assert list(seeds) == [60, 61], "curves have seeds up to 59"
        results = [experiment.run(replace(spec, seed=s)) for s in seeds]
        assert [r.scores.balanced for r in results] == [s["balanced"] for s in seeds.values()]
        first, second = (experiment.release(result.spec) for result in results)
        assert (first.weights != second.weights).any(), "the noise differs"
    words = shlex.split(at.code[0].value)
    assert words[words.index("--seed") + 1] == "61"
    dots = charts(at)[1]["data"]
    assert sum(trace["mode"] == "markers+text" for trace in dots) == 2


def test_budget_begins_new_draws_and_coming_back_shows_old_ones(own):
    at = opened("trade_off", LINK, data=own)
    draw(at)
    draw(at)
    at.number_input(key="eps").set_value(2.0).run()
    assert "Draw new noise to see" in markdown(at) and len(charts(at)) == 1
    draw(at)
    assert all(list(seeds) == [60] for _, seeds in kept(at, 2.0))
    at.number_input(key="eps").set_value(1.0).run()
    assert "The last 2 draws" in markdown(at)
    at.segmented_control(key="score").set_value("balanced").run()
    assert "(classes weighted equally)" in markdown(at), "other accuracies of a draw are kept"


def test_fold_shows_steps_of_this_draw(own):
    at = opened("trade_off", LINK, data=own, steps="true")
    draw(at)
    steps = charts(at)[2]["data"]
    assert [line["name"] for line in steps] == ["Private linear probe"]
    assert "after 10 steps" in markdown(at)
