"""The page "DP means" without a browser: controls move its numbers, links survive, missing parts
are said.
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.experiments import experiment
from dpviz.text import dp_means as text
from dpviz.text.template import render
from dpviz.types import Budget, RunSpec
from dpviz.ui.live import rerun_scheduling
from tests.kit import whole_app
from tests.kit.seen import charts, html, markdown, opened, sentence
from tests.kit.toys import packed, toy_data

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]

APP = str(Path(__file__).resolve().parents[2] / "app.py")
HOSTILE = "<img src=x onerror=alert(1)> [a](b)"


def content(d=12, public=True, per_class=60) -> bytes:
    data = toy_data(per_class=per_class, d=d)
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    arrays |= {"class_names": np.array(["ant", "bee", "cat", HOSTILE])} | (
        {"X_public": data.x_public} if public else {}
    )
    return packed(arrays)


def page(own, **link):
    return opened(APP, {"data": own, "ir": "5"} | link, "pages/dp_means.py")


def test_budget_form_and_pooling_change_the_numbers():
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


def test_lower_parts_wait_only_for_sent_chart(monkeypatch):
    seen = []
    monkeypatch.setattr(rerun_scheduling, "flush_page", lambda brief=False: seen.append(brief))
    at = page(uploads.keep(content()))
    at.number_input(key="eps").set_value(0.1).run()
    at.slider(key="dppl-mean.k_pool").set_value(4).run()
    assert seen == [False, True, False] and not at.exception


def test_answer_matches_run_results():
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
    tile = re.search(r"<strong>([\d.]+)%[^<]*</strong>", html(at))
    assert float(tile[1]) == pytest.approx(mean, abs=0.51)


def test_answer_states_accuracy_and_title_means_moved():
    link = {"eps": "0.1", "seed": "7", "n": "3"}
    at = page(uploads.keep(content()), **link)
    tile = re.search(r"<strong>([\d.]+)%[^<]*</strong>", html(at))
    assert f"**{tile[1]}%" in sentence(at) and "noise" in sentence(at)
    title = re.search(r'class="dp-finding">(Noise shifts \w+ [^<]*)', html(at))
    plain = page(uploads.keep(content()), voice="plain", **link)
    assert title[1] in html(plain)


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ("errors", "Noise changes the error:"),
        ("steps", "from sizes and budget alone"),
        ("pool", "Best k on the public set"),
        ("forms", "has the highest balanced accuracy"),
        ("means", "has the smallest L2 error"),
        ("near", "private means share at least one of their nearest public images"),
    ],
)
def test_each_view_opens_from_a_link(look, words):
    at = page(uploads.keep(content()), look=look, **{"dppl-mean.form": "printed"})
    assert words in markdown(at) and len(charts(at)) >= 2
    assert at.segmented_control(key="look").value == look
    assert all(c.proto.alt for c in at.get("plotly_chart"))
    assert "Interval(" not in markdown(at), "an interval is written as its percentage"
    if look == "forms":
        guarantees = html(at)
        assert (
            "add or remove one record" in guarantees
            and "replace one record within its class" in guarantees
        )


def test_invalid_link_falls_back():
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
        and "Noise changes the error:" in markdown(at)
        and not at.error
    )


def test_single_class_and_step_are_shown():
    at = page(uploads.keep(content()), look="steps", cls="bee", cstep="2", start="3", eps="0.1")
    captions = " ".join(c.value for c in at.caption)
    assert render(text.ONE_RUN, name="class bee", seed=0) in markdown(at)
    assert render(text.OTHER_START, start=3.0) in captions.replace("\u00a0", " ")
    assert any(c.value.startswith("Step 2:") for c in at.caption) and len(charts(at)) == 4


def test_divergence_is_flagged_with_its_reason():
    at = page(uploads.keep(content(d=1280, per_class=20)), look="steps", ir="1")
    said = text.STEPS["some"].fill(True, diverging=4, classes=4)
    assert said in markdown(at) and "<strong>4 of 4</strong>" in html(at)
    assert "too few records for 1280 dimensions" in at.warning[0].value


@pytest.mark.parametrize("look", ["errors", "steps", "pool", "forms"])
def test_view_needing_public_set_states_its_absence(look):
    at = page(uploads.keep(content(d=16, public=False)), look=look)
    assert "needs a public set" in at.info[0].value and not at.exception
    said = "\n".join([*(i.value for i in at.info[1:]), *(e.value for e in at.error)]).replace(
        "\\", ""
    )
    assert look == "errors" or "needs a public set" in said


def test_k_pool_above_dimension_is_refused_with_message():
    at = page(uploads.keep(content()), **{"dppl-mean.k_pool": "40"})
    assert "number of feature coordinates, 12" in at.error[0].value


def test_hostile_class_names_stay_text():
    at = page(uploads.keep(content()), look="steps", cls=HOSTILE)
    body = html(at)
    assert "<img src=x" not in body + markdown(at).replace("\\<", "") + json.dumps(charts(at))


def test_tables_and_command_open_on_request():
    own = uploads.keep(content())
    at = page(own, look="steps")
    assert not at.dataframe
    at.session_state["table"] = True
    at.session_state["verdicts"] = True
    at.run()
    assert len(at.dataframe) == 2 and not at.exception
    at.segmented_control(key="look").set_value("table").run()
    assert len(at.dataframe) == 2 and not at.exception  # map, runs
    assert any("dpviz run" in c.value and "--method dppl-mean" in c.value for c in at.code)


def test_former_link_of_the_table_opens_its_tab():
    at = whole_app.opened("dp_means", data=uploads.keep(content()), ir="5", table="true")
    assert at.segmented_control(key="look").value == "table"
    assert not at.info, [one.value for one in at.info]
