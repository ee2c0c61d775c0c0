"""The Per-record loss page without a browser: controls change its numbers, badges are there."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import per_instance
from dpviz.experiments import experiment
from dpviz.plots.losses import Losses
from dpviz.text import who_pays as text
from dpviz.types import Budget, RunSpec
from dpviz.views import who_pays_page
from tests.kit.own_files import with_paths
from tests.kit.seen import html, markdown, opened, sentence
from tests.kit.toys import content, full_content

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]

APP = str(Path(__file__).resolve().parents[2] / "app.py")
HOSTILE = "<img src=x onerror=alert(1)> [a](b)"


def page(own, **link):
    return opened(
        APP, {"data": own, "ir": "5", "a": "noisy-gd", "b": "dppl-mean"} | link, "pages/who_pays.py"
    )


def picked(at):
    return next(m.value for m in at.markdown if re.match(r"\*\*[\d,]+ of|0 of", m.value))


def told(at):
    """The answer."""
    return sentence(at, "With ")


@pytest.fixture
def own():
    return uploads.keep(full_content())


@pytest.fixture
def own_of_people():
    """An upload of 30 people with eight records each, of two classes."""
    whose = np.random.default_rng(0).permutation(240) // 8
    return uploads.keep(content(persons=whose))


def losses_spec(own, method, budget=1.0, seed=0):
    return RunSpec(
        uploads.display_path(uploads.path(own)),
        None,
        method,
        Budget(budget),
        ir=5.0,
        params=(),
        seed=seed,
    )


def losses(own, method, budget=1.0, seed=0):
    return per_instance.losses_of(losses_spec(own, method, budget, seed))


def medians(found):
    """Median share of the limit of rare, and of common images."""
    shares = found.epsilon / found.claim
    return [float(np.median(shares[part])) for part in (found.minority, ~found.minority)]


def test_first_view_matches_library(own):
    at = page(own, tab="table")
    found = losses(own, "noisy-gd")
    rare, common = medians(found)
    fields = {"rare": rare, "common": common, "method": "the private linear probe"}
    expected = text.ANSWERS["rare"].fill(True, budget="(1, 1e-5)-DP", **fields)
    assert told(at) == expected.replace("\u00a0", " ")
    assert "ε ≤ 1" in html(at) and text.TILE_LIMIT_NOTE["picture"] in html(at)
    assert f">Median image: {rare:.0%}<" in html(at)
    assert f">Median image: {common:.0%}<" in html(at)
    assert "private view" in markdown(at) and ">1 run, 1 data draw<" in html(at)
    assert "per_instance.losses_of(spec)" in at.code[-1].value
    frame = at.dataframe[-1].value
    assert len(frame) == len(found.epsilon)
    scope = {}
    exec(with_paths(at.code[-1].value).split("print(")[0], scope)
    assert np.array_equal(scope["found"].epsilon, found.epsilon)


def test_figures_stand_for_images_or_for_one_percent_of_a_group(own):
    found = losses(own, "noisy-gd")
    shares = found.epsilon / found.claim
    groups = {"rare": found.minority, "common": ~found.minority}
    chart = Losses.from_values("noisy-gd", "A", "ε′", found.epsilon, found.claim, groups)
    panels = who_pays_page.panels([chart], ["A"], list(groups))
    for panel, part in zip(panels, groups.values(), strict=True):
        number = 100
        assert sum(panel.counts.values()) == len(panel.kinds()) == number
        strong, pale = (shares[part] > 0.9).mean(), (shares[part] <= 0.5).mean()
        assert panel.counts["strong"] == pytest.approx(number * strong, abs=3)
        assert panel.counts["pale"] == pytest.approx(number * pale, abs=3)
        assert panel.value == f"Typical image: {np.median(shares[part]):.0%}"


def test_limit_its_use_and_accuracy_are_separate_statements(own):
    at = page(own, tab="spread")
    assert "**Same limit:**" in markdown(at) and "ccuracy:**" in markdown(at)
    assert all("accura" not in words for words in text.LIMIT_AND_USE.values())
    assert all("limit" not in words for words in text.RARE_ACCURACY.values())
    spec = losses_spec(own, "noisy-gd")
    scores = experiment.sweep([spec])[0].scores
    assert f">{scores.minority:.0%}" in html(at)


def test_budget_seed_scale_and_group_change_the_numbers(own):
    at = page(own, risk="curve")
    seen = [told(at)]
    at.number_input(key="eps").set_value(0.1).run()
    seen.append(told(at))
    assert "(0.1, 1e-5)-DP" in seen[-1] and "ε ≤ 0.1" in html(at)
    at.number_input(key="seed").set_value(3).run()
    seen.append(told(at))
    at.segmented_control(key="scale").set_value("rho").run()
    seen.append(told(at))
    assert len(set(seen)) == 4 and "ρ ≤" in html(at)
    at.segmented_control(key="tab").set_value("about").run()
    assert text.UNITS["rho"] in " ".join(c.value for c in at.caption)
    at.selectbox(key="who").set_value("1").run()
    assert "class bee" in json.dumps(json.loads(at.get("plotly_chart")[0].proto.spec))
    at.segmented_control(key="risk").set_value("figures").run()
    assert "class bee" in html(at)


def test_band_selects_records(own):
    at = page(own, tab="images")
    found = losses(own, "noisy-gd")
    n = len(found.epsilon)
    assert picked(at).startswith(f"**{n} of {n} images**")
    at.slider(key="band").set_value((0.0, 25.0)).run()
    few = per_instance.between(found, 0, 0.25 * found.claim)
    assert picked(at).startswith(f"**{len(few)} of {n} images**" if len(few) else "0 of")
    at = page(own, band=["27.5", "40"], order="cheap")
    some = per_instance.between(found, 0.275 * found.claim, 0.4 * found.claim)
    assert 0 < len(some) < n and picked(at).startswith(f"**{len(some)} of {n} images**")
    assert at.dataframe[-1].value["record"].tolist() == found.rows[some[::-1]].tolist()
    at = page(own, band=["97.5", "100"], by="dppl-mean")
    assert picked(at).startswith(f"**{n} of {n} images**")


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
    at = page(own, b="dppl-publick", tab="images", risk="curve")
    assert (
        "exact loss per record is available for K" in at.info[0].value
        and "Public" in at.info[0].value
        and "noisy" not in at.info[0].value
    )
    assert len(at.get("plotly_chart")) == 2 and told(at)
    at.segmented_control(key="tab").set_value("about").run()
    assert "DPPL\\-PublicK" in markdown(at) or "DPPL-PublicK" in markdown(at)


def test_vote_methods_explain_missing_formula(own):
    at = page(own, a="transfer-pate", b="dppl-mean", tab="about")
    assert "only its teacher's votes" in at.info[0].value and "Transfer" in at.info[0].value
    assert told(at) and "only its teacher's votes" in markdown(at)
    at = page(own, a="transfer-pate", b="pate")
    assert len(at.info) == 2 and not at.exception and not at.get("plotly_chart")
    assert text.ANSWERS["none"].plain in markdown(at)


def test_missing_public_set_and_bad_links_are_handled(own):
    at = page(uploads.keep(full_content(public=False)), b="dppl-public")
    assert "public set" in at.error[0].value and "noisy" not in at.error[0].value
    at = page(own, a="nonsense", b="-1", band="x", who="99", scale="?", order="?", risk="?")
    assert "(1, 1e-5)-DP" in told(at)


def test_names_from_a_file_stay_text(own):
    at = page(own, who="3")
    assert "<img src" not in html(at) and "[a](b)" not in markdown(at)
    assert "<img" not in "".join(
        json.dumps(json.loads(c.proto.spec)) for c in at.get("plotly_chart")
    )


def test_user_level_page_refers_to_people(own_of_people):
    at = opened(
        APP,
        {"data": own_of_people, "ir": "1", "a": "noisy-gd", "b": "dppl-mean", "tab": "table"}
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
    assert len(at.dataframe[-1].value) == 30
    median = np.median(found.epsilon / found.claim)
    assert f"**{median:.0%}**" in told(at) or "full privacy limit" in told(at)
    assert text.TILE_LIMIT_NOTE["person"] in html(at) and "every image" not in html(at)
    frame = next(f.value for f in at.dataframe if "kept" in f.value)
    assert frame["kept"].eq(3).all() and len(frame) == 30
    at.segmented_control(key="risk").set_value("curve").run()
    at.segmented_control(key="tab").set_value("images").run()
    assert "**30 of 30 people**" in markdown(at)
    drawn = " ".join(chart.proto.spec for chart in at.get("plotly_chart"))
    assert "person" in drawn and "of a record" not in drawn
    assert text.PERSON_GROUPS in " ".join(c.value for c in at.caption)
    at.segmented_control(key="tab").set_value("guarantees").run()
    assert "one person = at most 3" in html(at)
    at.segmented_control(key="tab").set_value("spread").run()
    assert text.SPREAD["max"] in html(at)
