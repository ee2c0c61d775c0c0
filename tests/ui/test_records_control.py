"""Records a class as a control: what it offers, what the page says of it, what a sweep draws."""

import pytest

from tests.kit.seen import APP, charts, html, opened, page
from tests.kit.sweeps import ran, toml

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]


def test_record_limit_is_stated_only_when_active(own):
    at = page(own, m="dppl-mean", n="1", records="20", tab="table")
    assert "--records 20" in " ".join(code.value for code in at.code)
    assert "20" in at.query_params["records"]
    few = html(at)
    at.select_slider(key="records").set_value("all").run()
    assert html(at) != few and "records" not in at.query_params
    offered = at.select_slider(key="records").options
    assert offered == ["10", "20", "50", "all"], "of 60 in the largest class, at IR 10"


def test_linked_value_between_stops_is_accepted(own):
    at = page(own, m="dppl-mean", n="1", records="25")
    slider = at.select_slider(key="records")
    assert slider.value == "25" and slider.options == ["10", "20", "25", "50", "all"]


def test_limits_that_empty_a_class_are_not_offered(own):
    at = page(own, m="dppl-mean", n="1", ir="50", records="10")
    assert at.select_slider(key="records").value == "all" and not at.error
    assert any("**records** cannot be" in one.value for one in at.info)
    at.select_slider(key="ir").set_value(500).run()
    assert not [one for one in at.select_slider if one.key == "records"]


def test_sweep_over_records_is_drawn_over_records(own, tmp_path):
    ran(own, tmp_path, text=toml(own, "records = [5, 20, 0]\n"))
    at = opened(APP, {"data": own, "srecords": "20", "tab": "records"}, "pages/sweeps.py", 90)
    said = " ".join(m.value for m in at.markdown).replace("\\", "")
    assert "and IR 1 (at most 20 " in said
    over = next(c for c in charts(at) if "all" in c["layout"]["xaxis"].get("ticktext", ()))
    assert over["layout"]["xaxis"]["ticktext"] == ["5", "20", "all"]
    drawn = [trace for trace in over["data"] if trace.get("mode") != "text"]
    assert len(drawn) == 4, "a band and a line for each method, beside their names"
