"""Trade-off as a grid, without a browser."""

import json

import pytest

from dpviz.experiments import jobs
from dpviz.text import grid as text
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.views.page_config import EVEN_STOPS, STOPS
from tests.kit.seen import APP, captions, charts, markdown, opened, sentence

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]
TWO = {"n": "1", "m": "dppl-mean", "data": "etf", "ir": "10", "as": "grid", "score": "balanced"}
TWO |= {"across": "ir", "down": "none", "g.ir": "1,10"}
"""A grid of two panels."""


def test_grid_covers_data_ranges_and_gives_sweep():
    few = {"n": "1", "m": "dppl-mean,dppl-public", "table": "true", "as": "grid"}
    link = few | {"data": "etf", "ir": "10", "g.ir": "1,10", "g.records": "20,all"}
    link |= {"across": "ir", "down": "records"}
    at = opened(APP, link, "pages/trade_off.py", 120)
    assert "unit of privacy" not in at.selectbox(key="across").options
    [chart] = charts(at)
    titles = [note["text"] for note in chart["layout"]["annotations"]]
    assert "<b>IR 10 · 20 per class</b>" in titles and len(chart["frames"]) == 7
    said = markdown(at)
    assert "of 4 panels**" in said and "Holm" in captions(at)
    assert "python -m dpviz sweep grid.toml" in " ".join(code.value for code in at.code)
    at.selectbox(key="down").set_value("none").run()
    assert not at.exception and len(charts(at)[0]["layout"]["meta"]["panels"]["wide"]) == 3 + 4 * 2
    at.segmented_control(key="g.budgets").set_value("all").run()
    assert not at.exception and len(charts(at)[0]["frames"]) == 13


def slider(at):
    """What the slider beside the budget's box shows."""
    return next(
        json.loads(part.proto.json)
        for part in at.get("bidi_component")
        if part.proto.component_name == "dpviz.budget"
    )


def test_budget_slider_uses_computed_points_box_keeps_value():
    at = opened(APP, TWO | {"eps": "0.5"}, "pages/trade_off.py", 120)
    assert slider(at)["stops"] == [*EVEN_STOPS["approx"]] and slider(at)["now"] == 0.3
    assert sentence(at).startswith("At (0.3, 1e-5)-DP") and len(charts(at)[0]["frames"]) == 7
    assert "The lines have no point at budget 0.5. The nearest one is shown: **0.3**" in (
        captions(at)
    )
    assert at.number_input(key="eps").value == 0.5
    at.segmented_control(key="g.budgets").set_value("all").run()
    assert slider(at)["stops"] == [*STOPS["approx"]] and slider(at)["now"] == 0.5
    assert "no point" not in captions(at)
    at.number_input(key="eps").set_value(40.0).run()
    assert slider(at)["now"] == 10 and "at budget 40" in captions(at)
    at.segmented_control(key="as").set_value("one").run()
    assert slider(at)["now"] == 40 and sentence(at).startswith("At (40, 1e-5)-DP")


@pytest.mark.shared_cache(False)
def test_pending_work_is_described_before_any_result(monkeypatch):
    said, told = [], page_parts.answer
    monkeypatch.setattr(long_work, "PROGRESS_DELAY", 0)
    monkeypatch.setattr(page_parts, "answer", lambda *a: (said.append(a[1]), told(*a)))
    at = opened(APP, TWO | {"seed": "77"}, "pages/trade_off.py", 120)
    assert said[0].startswith("0 of 2 panels computed so far. The grid needs 18 runs")
    assert said[-1].startswith("At (1, 1e-5)-DP") and sentence(at)


@pytest.mark.shared_cache(False)
@pytest.mark.parametrize("voice", ["precise", "plain"])
def test_grid_stopped_early_states_remaining_work(voice, monkeypatch):
    stopped = lambda person, groups, work, near: jobs.results_in_memory(groups, work)
    monkeypatch.setattr(long_work.JOBS, "ask", stopped)
    at = opened(APP, TWO | {"seed": "78", "voice": voice}, "pages/trade_off.py", 120)
    assert "0 of 2 panels computed so far" in markdown(at) and text.EMPTY not in markdown(at)
