"""Data draws on the pages: control, link, bands, the ratio reached and links of former names."""

import pytest

from dpviz.ui.frame import link_notes
from tests.kit.seen import APP, captions, html, opened, page

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]


def test_draw_changes_answer_link_and_commands(own):
    at = page(own, m="dppl-mean", n="2", tab="table")
    first = html(at)
    assert at.number_input(key="draw").value == 0
    at.number_input(key="draw").set_value(3).run()
    assert html(at) != first
    assert "--draw 3" in " ".join(code.value for code in at.code)
    assert not at.exception


def test_reached_ratio_is_marked_as_private_view(own):
    at = page(own, m="dppl-mean", n="1")
    at.select_slider(key="ir").set_value(200).run()  # the data are in memory by now
    lines = [c.value for c in at.caption if "ctual imbalance ratio" in c.value]
    assert lines and all("60.0" in line for line in lines), "of 60 in the largest class"
    assert all("Private view" in line or "Class sizes" in line for line in lines)


def test_bands_cover_several_draws(own):
    at = page(own, m="dppl-mean", n="3", draws="2")
    assert "2 data draws, 3 [noise seeds]" in captions(at)
    assert not at.error


def test_fixed_test_set_is_stated(own):
    assert "The test set is fixed" in captions(page(own, m="dppl-mean", n="1"))
    at = opened(APP, {"data": "mnist5k", "m": "class-mean", "n": "1"}, patience=120)
    assert "The test set is fixed" not in captions(at)


def test_older_links_name_the_shots_draw(own):
    assert link_notes.FORMER["adamix.draw"] == "adamix.shots_draw"
    assert link_notes.FORMER["pate.draw"] == "pate.split_draw"
    at = page(own, **{"m": "only-public", "n": "1", "only-public.draw": "7", "draw": "2"})
    assert at.number_input(key="only-public.shots_draw").value == 7
    assert at.number_input(key="draw").value == 2, "the data's own draw"
    assert "only-public.draw" not in at.query_params
    assert not any("no setting" in one.value for one in at.info)
