"""The Attacks page without a browser: limits, attacks against limits, errors."""

import json
import math
import re

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import attack_bound, membership_attack, shadow_attack
from dpviz.formatting import bound, percent_up
from dpviz.text import attackers_view as text
from dpviz.text.charts import LABELS
from dpviz.types import Budget, Cancelled, RunSpec
from dpviz.ui.attackers_view import answer
from dpviz.ui.live import long_work
from dpviz.views import attackers_view_page
from tests.kit.own_files import with_paths
from tests.kit.seen import APP, captions, charts, html, markdown, opened, sentence
from tests.kit.toys import full_content

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]


@pytest.fixture
def own():
    return uploads.keep(full_content())


def page(own, **link):
    return opened(APP, {"data": own, "ir": "5", "n": "3"} | link, "pages/attackers_view.py")


def spec(own, method="dppl-mean", budget=1.0):
    return RunSpec(uploads.display_path(uploads.path(own)), None, method, Budget(budget), ir=5.0)


def limit_of(found, prior=0.5):
    return attack_bound.success_bound(found.guarantee, prior)


def test_first_view_matches_library(own):
    at = page(own)
    found = {m: membership_attack.attack(spec(own, m), range(3)) for m in ("dppl-mean", "noisy-gd")}
    lead = found["noisy-gd"]
    right = limit_of(lead)
    odds = attack_bound.odds(lead.guarantee)
    expected = text.ANSWERS["limit"].fill(
        True, limit=right, budget="(1, 1e-5)-DP", method="the private linear probe"
    )
    assert sentence(at) == expected.replace("\u00a0", " "), "three runs are too few for more"
    shown = html(at)
    assert f"{percent_up(right)}%" in shown and f"{percent_up(odds.posterior)}%" in shown
    for attack in found.values():
        assert f"{attack.auc:.3f} ± {2 * attack.error:.3f}" in shown
        assert bound(attack_bound.most_auc(attack.guarantee)) in shown
    assert "private view" in markdown(at) and text.ODDS["auc_limit"] in shown
    at = page(own, tab="table")
    scope = {}
    exec(with_paths(at.code[-1].value).split("print(")[0], scope)
    assert scope["found"].auc == found["dppl-mean"].auc


def test_hundred_guesses_match_attacks(own):
    at = page(own, n="10")
    noisy = membership_attack.attack(spec(own, "noisy-gd"), range(10))
    quiet = membership_attack.attack(spec(own, "noisy-gd", math.inf), range(10))
    most = attack_bound.success_bound(noisy.guarantee)
    limit = attackers_view_page.weakest({"A": noisy.guarantee}, 0.5)
    panels = attackers_view_page.loss_panels(limit, noisy, quiet, False, precise=True)
    assert [sum(p.counts.values()) for p in panels] == [
        math.ceil(100 * most),
        round(100 * noisy.easiest.right),
        round(100 * quiet.easiest.right),
    ]
    rings = panels[0].counts["ring"] + panels[0].counts["part"]
    assert rings == math.ceil(100 * most) - 50 and panels[0].counts["part"] == 1
    assert all(panel.alt in html(at) for panel in panels)
    assert text.FINDINGS["limit"].plain not in html(at)
    assert f"**{quiet.easiest.right:.0%}**" in sentence(at)


def test_delta_above_one_in_n_flags_every_guarantee(own):
    flags = lambda at: sum("above 1/n" in c.value for c in at.caption)
    assert flags(page(own, tab="guarantees")) == 0
    at = page(own, delta="0.1", tab="guarantees")
    assert flags(at) == len([h for h in at.get("html") if "dp-headline" in h.proto.body]) > 1


def test_budget_prior_and_design_change_the_numbers(own):
    at = page(own)
    seen = [sentence(at)]
    at.number_input(key="eps").set_value(0.1).run()
    seen.append(sentence(at))
    at.slider(key="prior").set_value(10).run()
    seen.append(sentence(at))
    assert "chance 90%" in html(at)
    at.segmented_control(key="voice-toggle").set_value("plain").run()
    seen.append(sentence(at, "With "))
    at.number_input(key="eps").set_value(3.0).run()
    seen.append(sentence(at, "With "))
    assert text.PANEL_NOTES["few"] in html(at), "three runs are too few to find the most exposed"
    assert "(0.1, 1e-5)-DP" in seen[1] and "prior of 10%" in seen[2] and len(set(seen)) == 5
    at.radio(key="design").set_value("test").run()
    assert not at.exception and text.DESIGN_HELP["test"] in captions(at)


def test_auc_by_budget_is_computed_on_demand(own):
    at = page(own, attacked="dppl-mean,class-mean", tab="budgets")
    assert not at.get("plotly_chart") and "6 more attacks" in at.toggle(key="auc").label
    at.toggle(key="auc").set_value(True).run()
    assert not at.exception and len(at.get("plotly_chart")) == 1
    assert re.search(r"\*\*None of the 7 attacks\*\*|\*\*\d of 7 attacks\*\*", markdown(at))
    assert "private view" in markdown(at)
    budgets = [math.inf, 1.0, 0.01, 0.03, 0.1, 0.3, 3.0, 10.0]
    assert list(at.dataframe[0].value["budget"]) == budgets
    at = page(own, attacked="dppl-mean,class-mean", tab="table")
    assert list(at.dataframe[0].value["budget"]) == [math.inf, 1.0, math.inf], "last without noise"


def test_several_notions_have_several_bounds(own):
    at = page(own, attacked="dppl-mean,dppl-public", risk="curve")
    drawn = json.dumps(json.loads(at.get("plotly_chart")[0].proto.spec))
    assert "for DPPL-Mean" in drawn and "for DPPL-Public" in drawn
    assert "no attack on DPPL-Mean guesses membership" in sentence(at).replace("\\", ""), (
        "the first method"
    )


def test_impossible_attacks_are_reported_and_others_drawn():
    at = page(uploads.keep(full_content(public=False)), attacked="dppl-public,dppl-mean")
    assert "public set" in at.error[0].value
    assert "no attack on DPPL-Mean guesses membership" in sentence(at).replace("\\", "")
    link = {"attacked": "nonsense", "prior": "0", "design": "?", "axes": "?", "n": "1"}
    at = page(uploads.keep(full_content()), risk="?", tab="?", **link)
    assert "(1, 1e-5)-DP" in sentence(at)
    at = page(uploads.keep(full_content()), attacked="class-mean", tab="table")
    assert text.ANSWERS["none"].plain in markdown(at)
    assert "attack.attack(spec" in at.code[-1].value


def test_attack_can_be_canceled_and_matches_library(own):
    group = tuple(RunSpec(**{**vars(spec(own)), "seed": s}) for s in range(3))
    told = []
    report = lambda what, done, total: told.append((done, total))
    [found] = answer.attacks(long_work.POOL, "coin", group, report)
    plain = membership_attack.attack(spec(own), range(3))
    assert found.attack.auc == plain.auc and np.array_equal(found.attack.tpr, plain.tpr)
    assert {t for t in told if t[1] == 3} == {(0, 3), (1, 3), (2, 3)}, "may report one twice"

    def stop(what, done, total):
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        answer.attacks(long_work.POOL, "coin", group, stop)


# ------------------------------------------------------------------------------------ shadow models


def strong(own, **link):
    return page(own, attacked="dppl-mean", attack="lira", shadows="16", **link)


def test_shadow_attack_reports_tpr_at_low_fpr(own):
    at = strong(own, risk="curve")
    made = shadow_attack.attack(spec(own), 16)
    rate = made.results["lira"].overall[1]
    answer_text = next(m.value for m in at.markdown if m.value.startswith("LiRA on"))
    shown_rate = attackers_view_page.rate_text(rate)
    assert f"LiRA on DPPL-Mean has a TPR of **{shown_rate}** at 1% FPR" in answer_text.replace(
        "\\", ""
    )
    chart = charts(at)[0]
    assert chart["layout"]["xaxis"]["type"] == chart["layout"]["yaxis"]["type"] == "log"
    names = " ".join(trace.get("name", "") for trace in chart["data"]).replace("<br>", " ")
    assert LABELS["no_attack"] in names and "Logistic regression" in names
    assert "LiRA offline" in html(at) and "RMIA" in html(at) and "no limit" in html(at)
    assert "private view" in markdown(at)
    at = strong(own, tab="exposed")
    assert text.EXPOSED_NO_PICTURES in captions(at)
    at = strong(own, tab="table")
    command = next(c.value for c in at.code if "dpviz attack" in c.value)
    assert "--attack lira --shadows 16" in command and "--method logistic" in command
    at = strong(own, tab="methods")
    assert text.ODDS["belief"] in html(at)
    assert text.ODDS["auc_limit"] not in html(at), "areas belong to another attack"


def attack(at):
    """The choice above the chart."""
    return at.selectbox(key="attack")


def test_figures_show_members_found_and_limits(own):
    at = strong(own, voice="plain")
    made = shadow_attack.attack(spec(own), 16)
    rate = made.results["lira"].overall[1]
    found = f"{attackers_view_page.share_percent(rate.tpr)}%"
    most = attackers_view_page.rate_limit(rate.most)
    alt = f"DPPL-Mean: {found} found, limit {most}."
    assert alt in html(at) and "no limit" in html(at)
    before = [c.value for c in at.caption if "shadow models, computed" in c.value]
    attack(at).set_value("rmia").run()
    after = [c.value for c in at.caption if "shadow models, computed" in c.value]
    assert not at.exception and before == after != [], "the same seconds: the same fits"
    attack(at).set_value("loss").run()
    assert not at.exception and "shadow models, computed" not in captions(at)


def test_gain_by_images_per_class_is_on_demand(own):
    at = strong(own, tab="shots")
    assert not at.get("plotly_chart")
    at.toggle(key="shots").set_value(True).run()
    assert not at.exception and len(at.get("plotly_chart")) == 1
    assert "too few significant gains" in markdown(at) or "slope" in markdown(at)
    assert "arXiv 2402.06674" in captions(at)
