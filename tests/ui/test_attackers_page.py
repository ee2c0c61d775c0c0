"""The page "Attacker's view" without a browser: odds in words, attacks against bounds, what is said
when it cannot work.
"""

import json
import math
import re

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import attack_bound, membership_attack, shadow_attack
from dpviz.formatting import bound
from dpviz.types import Budget, Cancelled, RunSpec
from dpviz.ui.attackers_view import answer
from dpviz.views import attackers_view_page
from tests.kit.own_files import with_paths
from tests.kit.seen import APP, captions, charts, html, markdown, opened, sentence
from tests.kit.toys import full_content

pytestmark = pytest.mark.slow


@pytest.fixture
def own():
    return uploads.keep(full_content())


def page(own, **link):
    return opened(APP, {"data": own, "ir": "5", "n": "3"} | link, "pages/attackers_view.py")


def spec(own, method="dppl-mean", budget=1.0):
    return RunSpec(uploads.display_path(uploads.path(own)), None, method, Budget(budget), ir=5.0)


def test_first_view_matches_library(own):
    at = page(own, table="true")
    found = {m: membership_attack.attack(spec(own, m), range(3)) for m in ("dppl-mean", "noisy-gd")}
    best = max(found.values(), key=lambda a: a.auc)
    odds = attack_bound.odds(found["dppl-mean"].guarantee)
    assert "(1, 1e-5)-DP" in sentence(at) and odds.sentence.removesuffix(".") in sentence(at)
    assert f"{best.auc:.3f} ± {2 * best.error:.3f}" in sentence(at)
    assert f"allows at most {bound(attack_bound.most_auc(best.guarantee))}" in sentence(at)
    assert "private view" in markdown(at) and "area at most" in " ".join(
        h.proto.body for h in at.get("html")
    )
    scope = {}
    exec(with_paths(at.code[-1].value).split("print(")[0], scope)
    assert scope["found"].auc == found["dppl-mean"].auc


def test_delta_above_one_in_n_flags_every_guarantee(own):
    flags = lambda at: sum("above 1/n" in c.value for c in at.caption)
    assert flags(page(own)) == 0
    at = page(own, delta="0.1")
    assert flags(at) == len([h for h in at.get("html") if "dp-headline" in h.proto.body]) > 1


def test_budget_prior_and_design_change_the_numbers(own):
    at = page(own)
    seen = [sentence(at)]
    at.number_input(key="eps").set_value(0.1).run()
    seen.append(sentence(at))
    at.slider(key="prior").set_value(10).run()
    seen.append(sentence(at))
    at.button(key="voice-toggle").click().run()
    said = lambda: next(m.value for m in at.markdown if "a coin toss whether" in m.value)
    seen.append(said())
    at.number_input(key="eps").set_value(3.0).run()
    seen.append(said())
    assert "The attack drawn is one of many" in said(), "three runs are too few to tell whom"
    assert "(0.1, 1e-5)-DP" in seen[1] and "10 in 100" in seen[2] and len(set(seen)) == 5
    at.radio(key="design").set_value("test").run()
    assert not at.exception and "Against the test set" in " ".join(c.value for c in at.caption)


def test_auc_by_budget_is_computed_on_demand(own):
    at = page(own, attacked="dppl-mean,class-mean", table="true")
    assert len(at.get("plotly_chart")) == 1 and "6 more attacks" in at.toggle(key="auc").label
    at.toggle(key="auc").set_value(True).run()
    assert not at.exception and len(at.get("plotly_chart")) == 2
    assert re.search(r"\*\*none of 7 attacks\*\*|\*\*\d of 7 attacks\*\*", markdown(at))
    assert markdown(at).count("private view") == 2
    budgets = [math.inf, 1.0, 0.01, 0.03, 0.1, 0.3, 3.0, 10.0, math.inf]
    assert list(at.dataframe[0].value["budget"]) == budgets, "the last without noise"


def test_several_notions_have_several_bounds(own):
    at = page(own, attacked="dppl-mean,dppl-public")
    drawn = json.dumps(json.loads(at.get("plotly_chart")[0].proto.spec))
    assert (
        "on DPPL-Mean" in drawn
        and "on DPPL-Public" in drawn
        and "DPPL-Public, the weakest promise" in sentence(at)
    )


def test_impossible_attacks_are_reported_and_others_drawn():
    at = page(uploads.keep(full_content(public=False)), attacked="dppl-public,dppl-mean")
    assert "public set" in at.error[0].value and "(DPPL-Mean)" in sentence(at)
    at = page(
        uploads.keep(full_content()), attacked="nonsense", prior="0", design="?", axes="?", n="1"
    )
    assert "(1, 1e-5)-DP" in sentence(at)
    at = page(uploads.keep(full_content()), attacked="class-mean", table="true")
    assert (
        any("Choose a private method" in m.value for m in at.markdown)
        and "attack.attack(spec" in at.code[-1].value
    )


def test_attack_can_be_canceled_and_matches_library(own):
    group = tuple(RunSpec(**{**vars(spec(own)), "seed": s}) for s in range(3))
    told = []
    found = answer.run(group, "coin", lambda what, done, total: told.append((done, total)))
    plain = membership_attack.attack(spec(own), range(3))
    assert found.attack.auc == plain.auc and np.array_equal(found.attack.tpr, plain.tpr)
    assert sorted(t for t in told if t[1] == 3) == [(0, 3), (1, 3), (2, 3)]

    def stop(what, done, total):
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        answer.run(group, "coin", stop)


# ------------------------------------------------------------------------------------ shadow models


def strong(own, **link):
    return page(own, attacked="dppl-mean", attack="lira", shadows="16", **link)


def test_shadow_attack_reports_tpr_at_low_fpr(own):
    at = strong(own, table="true")
    made = shadow_attack.attack(spec(own), 16)
    rate = made.results["lira"].overall[1]
    assert f"on DPPL-Mean TPR **{attackers_view_page.rate_text(rate)}** at 1% FPR" in sentence(at)
    chart = charts(at)[0]
    assert chart["layout"]["xaxis"]["type"] == chart["layout"]["yaxis"]["type"] == "log"
    names = " ".join(trace.get("name", "") for trace in chart["data"]).replace("<br>", " ")
    assert "no attack on a private method" in names and "Logistic regression" in names
    assert "LiRA offline" in html(at) and "RMIA" in html(at) and "no limit" in html(at)
    assert markdown(at).count("private view") == 3 and "rows stand for records" in captions(at)
    command = next(c.value for c in at.code if "dpviz attack" in c.value)
    assert "--attack lira --shadows 16" in command and "--method logistic" in command
    assert "area at most" not in html(at), "what is said of areas is of another attack"


def attack(at):
    """The choice above the chart."""
    (found,) = [group for group in at.get("button_group") if group.key == "attack"]
    return found


def test_plain_text_counts_thousands_and_reuses_fits(own):
    at = strong(own, voice="plain")
    said = next(m.value for m in at.markdown if "Of 1,000 pictures" in m.value)
    assert "DPPL-Mean" in said and "nothing limits" in said and "wrongly accusing 10" in said
    before = [c.value for c in at.caption if "192" in c.value or "fits, made" in c.value]
    attack(at).set_value("rmia").run()
    after = [c.value for c in at.caption if "192" in c.value or "fits, made" in c.value]
    assert not at.exception and before == after, "the same seconds: the same fits"
    attack(at).set_value("loss").run()
    assert not at.exception and "Shadow" not in captions(at)


def test_gain_by_images_per_class_is_on_demand(own):
    at = strong(own)
    assert len(at.get("plotly_chart")) == 1
    at.toggle(key="shots").set_value(True).run()
    assert not at.exception and len(at.get("plotly_chart")) == 2
    assert "too few gains can be told" in markdown(at) or "slope" in markdown(at)
    assert "arXiv 2402.06674" in captions(at)
