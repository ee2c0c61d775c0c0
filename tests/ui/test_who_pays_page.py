"""The page "Who pays" without a browser: controls move its numbers, private views are marked."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import per_instance
from dpviz.types import Budget, RunSpec
from tests.kit.own_files import with_paths
from tests.kit.seen import html, markdown, opened, sentence
from tests.kit.toys import content, full_content

pytestmark = pytest.mark.slow

APP = str(Path(__file__).resolve().parents[2] / "app.py")
HOSTILE = "<img src=x onerror=alert(1)> [a](b)"


def page(own, **link):
    return opened(
        APP, {"data": own, "ir": "5", "a": "noisy-gd", "b": "dppl-mean"} | link, "pages/who_pays.py"
    )


def picked(at):
    return next(m.value for m in at.markdown if re.match(r"\*\*[\d,]+ of|0 of", m.value))


@pytest.fixture
def own():
    return uploads.keep(full_content())


@pytest.fixture
def own_of_people():
    """An upload of 30 people with eight records each, of two classes."""
    whose = np.random.default_rng(0).permutation(240) // 8
    return uploads.keep(content(persons=whose))


def losses(own, method, budget=1.0, seed=0):
    spec = RunSpec(
        uploads.display_path(uploads.path(own)),
        None,
        method,
        Budget(budget),
        ir=5.0,
        params=(),
        seed=seed,
    )
    return per_instance.losses_of(spec)


def test_first_view_matches_library(own):
    at = page(own, table="true")
    found = losses(own, "noisy-gd")
    assert (
        "At IR 5 and (1, 1e-5)-DP the private linear probe promises every record ε ≤ 1"
        in sentence(at)
    )
    assert f"the middle record spends **{np.median(found.epsilon):#.2g}**" in sentence(at)
    assert f"(**{np.median(found.epsilon[found.minority]):#.2g}** in the minority, " in sentence(at)
    assert markdown(at).count("private view") >= 2 and "add or remove one record" in html(at)
    assert "per_instance.losses_of(spec)" in at.code[-1].value
    scope = {}
    exec(with_paths(at.code[-1].value).split("print(")[0], scope)
    assert np.array_equal(scope["found"].epsilon, found.epsilon)


def test_budget_seed_scale_and_group_change_the_numbers(own):
    at = page(own)
    seen = [sentence(at)]
    at.number_input(key="eps").set_value(0.1).run()
    seen.append(sentence(at))
    assert "(0.1, 1e-5)-DP" in seen[-1] and "ε ≤ 0.1" in seen[-1]
    at.number_input(key="seed").set_value(3).run()
    seen.append(sentence(at))
    at.segmented_control(key="scale").set_value("rho").run()
    seen.append(sentence(at))
    assert (
        len(set(seen)) == 4
        and "ρ ≤" in seen[-1]
        and "same currency" in " ".join(c.value for c in at.caption)
    )
    at.selectbox(key="who").set_value("1").run()
    assert "class bee" in json.dumps(json.loads(at.get("plotly_chart")[0].proto.spec))


def test_band_selects_records(own):
    at = page(own)
    found = losses(own, "noisy-gd")
    n = len(found.epsilon)
    assert picked(at).startswith(f"**{n} of {n} records**")
    at.slider(key="band").set_value((0.0, 25.0)).run()
    few = per_instance.between(found, 0, 0.25 * found.claim)
    assert picked(at).startswith(f"**{len(few)} of {n} records**" if len(few) else "0 of")
    at = page(own, band=["27.5", "40"], order="cheap", table="true")
    some = per_instance.between(found, 0.275 * found.claim, 0.4 * found.claim)
    assert 0 < len(some) < n and picked(at).startswith(f"**{len(some)} of {n} records**")
    assert at.dataframe[-1].value["record"].tolist() == found.rows[some[::-1]].tolist()
    at = page(own, band=["97.5", "100"], by="dppl-mean")
    assert picked(at).startswith(f"**{n} of {n} records**")


def test_clicking_a_bar_moves_the_band(own, monkeypatch):
    from dpviz.ui.who_pays import controls

    state = {"bars": {"selection": {"points": [{"point_index": 3}]}}}
    monkeypatch.setattr(controls.st, "session_state", state)
    controls.clicked("bars", "noisy-gd")
    assert state["band"] == (7.5, 10.0) and state["by"] == "noisy-gd"
    state["bars"]["selection"]["points"] = []
    controls.clicked("bars", "dppl-mean")
    assert state["by"] == "noisy-gd"


def test_missing_formula_is_reported_and_other_is_drawn(own):
    at = page(own, b="dppl-publick")
    assert (
        "exact formula for K = 1 only" in at.info[0].value.replace("\\", "")
        and "noisy" not in at.info[0].value
    )
    assert len(at.get("plotly_chart")) == 3 and sentence(at)
    assert "DPPL\\-PublicK" in markdown(at) or "DPPL-PublicK" in markdown(at)


def test_vote_methods_explain_missing_formula(own):
    at = page(own, a="transfer-pate", b="dppl-mean")
    assert "teacher's votes alone" in at.info[0].value and "Transfer" in at.info[0].value
    assert sentence(at) and "teacher's votes alone" in markdown(at)
    at = page(own, a="transfer-pate", b="pate")
    assert len(at.info) == 2 and not at.exception and not at.get("plotly_chart")


def test_missing_public_set_and_bad_links_are_handled(own):
    at = page(uploads.keep(full_content(public=False)), b="dppl-public")
    assert "public set" in at.error[0].value and "noisy" not in at.error[0].value
    at = page(own, a="nonsense", b="-1", band="x", who="99", scale="?", order="?")
    assert "(1, 1e-5)-DP" in sentence(at)


def test_names_from_a_file_stay_text(own):
    at = page(own, who="3")
    assert "<img src" not in html(at) and "[a](b)" not in markdown(at)
    assert "<img" not in "".join(
        json.dumps(json.loads(c.proto.spec)) for c in at.get("plotly_chart")
    )


def test_user_level_page_refers_to_people(own_of_people):
    at = opened(
        APP,
        {"data": own_of_people, "ir": "1", "a": "noisy-gd", "b": "dppl-mean", "table": "true"}
        | {"unit": "person", "k": "3"},
        "pages/who_pays.py",
    )
    assert not at.exception and not at.error
    scope = {}
    exec(with_paths(at.code[-1].value).split("print(")[0], scope)
    found = scope["found"]
    assert (
        len(found.epsilon) == 30
        and set(found.kept_counts) == {3}
        and set(found.record_counts) == {8}
    )
    told = sentence(at)
    assert "promises every person ε ≤" in told
    assert f"the middle person spends **{np.median(found.epsilon):#.2g}**" in told
    assert "**30 of 30 people**" in markdown(at) and "one person = at most 3" in html(at)
    assert "costliest person" in html(at) and "record spends" not in markdown(at)
    drawn = " ".join(chart.proto.spec for chart in at.get("plotly_chart"))
    assert "of a person" in drawn and "of a record" not in drawn
    assert "at least half of the records that were kept" in " ".join(c.value for c in at.caption)
    frame = next(f.value for f in at.dataframe if "kept" in f.value)
    assert frame["kept"].eq(3).all() and len(frame) == 30
