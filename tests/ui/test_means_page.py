"""The page "DP means" without a browser: controls move its numbers, links survive, missing parts
are said.
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.run import experiment
from dpviz.types import Budget, RunSpec
from dpviz.ui.live import rerun_scheduling
from tests.kit.seen import charts, markdown, opened, sentence
from tests.kit.toys import packed, toy_data

pytestmark = pytest.mark.slow

APP = str(Path(__file__).resolve().parents[2] / "app.py")
HOSTILE = "<img src=x onerror=alert(1)> [a](b)"


def content(d=12, public=True, per_class=60) -> bytes:
    data = toy_data(per_class=per_class, d=d)
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    arrays |= {"class_names": np.array(["ant", "bee", "cat", HOSTILE])} | (
        {"X_public": data.x_public} if public else {}
    )
    return packed(arrays)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))


def page(own, **link):
    return opened(APP, {"data": own, "ir": "5"} | link, "pages/dp_means.py")


def test_budget_form_and_pooling_change_the_numbers(cache):
    at = page(uploads.keep(content()))
    seen = [sentence(at)]
    at.number_input(key="eps").set_value(0.1).run()
    seen.append(sentence(at))
    at.selectbox(key="dppl-mean.form").set_value("coinpress").run()
    seen.append(sentence(at))
    at.slider(key="dppl-mean.k_pool").set_value(4).run()
    seen.append(sentence(at))
    assert len(set(seen)) == 4 and not at.exception and not at.error
    assert "(0.1, 1e-5)-DP" in seen[-1] and "eps=0.1" not in seen[0]


def test_lower_parts_wait_only_for_sent_chart(cache, monkeypatch):
    seen = []
    monkeypatch.setattr(rerun_scheduling, "flush_page", lambda brief=False: seen.append(brief))
    at = page(uploads.keep(content()))
    at.number_input(key="eps").set_value(0.1).run()
    at.slider(key="dppl-mean.k_pool").set_value(4).run()
    assert seen == [False, True, False] and not at.exception


def test_answer_matches_run_results(cache):
    own = uploads.keep(content())
    at = page(own, score="balanced", eps="0.2", n="3", seed="7")
    specs = [
        RunSpec(
            uploads.display_path(uploads.path(own)),
            None,
            "dppl-mean",
            Budget(0.2),
            ir=5.0,
            params=(),
            seed=s,
        )
        for s in (7, 8, 9)
    ]
    mean = 100 * np.mean([r.scores.balanced for r in experiment.sweep(specs)])
    said = re.search(
        r"so \*\*([\d.]+)\s%\*\* of test records are right, mean over classes, against \*\*",
        sentence(at),
    )
    assert float(said[1]) == pytest.approx(mean, abs=0.51)


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ("errors", "Of the minority's test records"),
        ("steps", "Decided by sizes and budget"),
        ("pool", "Best k on the public set"),
        ("forms", "is right most often here"),
        ("means", "misses the mean by"),
        ("near", "of their 5 nearest public pictures"),
    ],
)
def test_each_view_opens_from_a_link(cache, look, words):
    at = page(uploads.keep(content()), look=look, **{"dppl-mean.form": "printed"})
    assert words in markdown(at) and len(charts(at)) >= 2
    assert all(c.proto.alt for c in at.get("plotly_chart"))
    assert "Interval(" not in markdown(at), "an interval is written as its percentage"
    if look == "forms":
        promises = " ".join(h.proto.body for h in at.get("html"))
        assert (
            "add or remove one record" in promises
            and "replace one record within its class" in promises
        )


def test_invalid_link_falls_back(cache):
    at = page(
        uploads.keep(content()),
        look="nothing",
        cls="nobody",
        cstep="9",
        rn="7",
        start="x",
        n="-3",
        seed="no",
        eps="-1",
        **{"dppl-mean.form": "x", "dppl-mean.k_pool": "0"},
    )
    assert (
        "(1, 1e-5)-DP" in sentence(at)
        and "Of the minority's test records" in markdown(at)
        and not at.error
    )


def test_single_class_and_step_are_shown(cache):
    at = page(uploads.keep(content()), look="steps", cls="bee", cstep="2", start="3", eps="0.1")
    assert "class bee, noise seed 0" in markdown(at) and "Start 3√d instead of √d" in "".join(
        c.value for c in at.caption
    )
    assert any(c.value.startswith("Step 2:") for c in at.caption) and len(charts(at)) == 4


def test_divergence_is_flagged_with_its_reason(cache):
    at = page(uploads.keep(content(d=1280, per_class=20)), look="steps", ir="1")
    assert (
        "Diverges for 4 of 4 classes" in at.warning[0].value
        and "too few records for 1280 dimensions" in at.warning[0].value
    )
    assert "CoinPress would diverge for **4 of 4 classes**" in sentence(at)


@pytest.mark.parametrize("look", ["errors", "steps", "pool", "forms"])
def test_view_needing_public_set_states_its_absence(cache, look):
    at = page(uploads.keep(content(d=16, public=False)), look=look)
    assert "needs a public set" in at.info[0].value and not at.exception
    said = "\n".join([*(i.value for i in at.info[1:]), *(e.value for e in at.error)]).replace(
        "\\", ""
    )
    assert look == "errors" or "needs a public set" in said


def test_k_pool_above_dimension_is_refused_with_message(cache):
    at = page(uploads.keep(content()), **{"dppl-mean.k_pool": "40"})
    assert "the features have 12 coordinates" in at.error[0].value


def test_hostile_class_names_stay_text(cache):
    at = page(uploads.keep(content()), look="steps", cls=HOSTILE)
    html = " ".join(h.proto.body for h in at.get("html"))
    assert "<img src=x" not in html + markdown(at).replace("\\<", "") + json.dumps(charts(at))


def test_tables_and_command_open_on_request(cache):
    own = uploads.keep(content())
    at = page(own, look="steps")
    assert not at.dataframe
    at.session_state["table"] = True
    at.session_state["verdicts"] = True
    at.run()
    assert len(at.dataframe) == 4 and not at.exception
    assert any("dpviz run" in c.value and "--method dppl-mean" in c.value for c in at.code)
