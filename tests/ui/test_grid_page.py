"""Trade-off as a grid, without a browser."""

import pytest

from tests.kit.seen import APP, captions, charts, markdown, opened

pytestmark = pytest.mark.slow


def test_a_grid_goes_over_what_the_data_have_and_gives_its_sweep():
    few = {"n": "1", "m": "dppl-mean,dppl-public", "table": "true", "as": "grid"}
    link = few | {"data": "etf", "ir": "10", "g.ir": "1,10", "g.records": "20,all"}
    link |= {"across": "ir", "down": "records"}
    at = opened(APP, link, "pages/trade_off.py", 120)
    assert "unit of privacy" not in at.selectbox(key="across").options
    [chart] = charts(at)
    titles = [note["text"] for note in chart["layout"]["annotations"]]
    assert "<b>IR 10 · 20 a class</b>" in titles and len(chart["frames"]) == 7
    said = markdown(at)
    assert "of 4** panels" in said and "Holm" in captions(at)
    assert "python -m dpviz sweep grid.toml" in " ".join(code.value for code in at.code)
    at.selectbox(key="down").set_value("none").run()
    assert not at.exception and len(charts(at)[0]["layout"]["meta"]["panels"]["wide"]) == 3 + 4 * 2
    at.segmented_control(key="g.budgets").set_value("all").run()
    assert not at.exception and len(charts(at)[0]["frames"]) == 13
