"""Predictions beside what came: by other formulas, at the edges of their answers, and in noise."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from scipy import stats

from dpviz import content, privacy
from dpviz.diagnostics import attack_bound
from dpviz.experiments import experiment
from dpviz.formatting import percent_up, points
from dpviz.stats import Interval
from dpviz.text import lessons as text
from dpviz.views import lessons
from dpviz.views.lessons import Drawing, Outcome, change, drawings, verdict
from tests.kit.lesson_steps import trade_off

ASK = Outcome("", "dppl-mean")
DRAWING = Drawing("", "eps", (0.1, 1, 10), "dppl-mean", gap="Look left.")
TRUE = [Interval(0.1, 0.05, 0.2, 5, 0.1), Interval(0.5, 0.45, 0.55, 5, 0.1), Interval(1, 1, 1, 5)]


def test_each_change_has_one_answer():
    edges = [change(c) for c in (0.3, 0.051, 0.05, -0.05, -0.051, -0.2, -0.201)]
    assert edges == ["up", "up", "same", "same", "down", "down", "lost"]


def test_verdict_states_both_numbers_and_difference():
    before, after = Interval(0.9, 0.89, 0.91, 5, 0.01), Interval(0.4, 0.35, 0.45, 5, 0.04)
    said = verdict(ASK, before, after, "lost")
    assert said.words.startswith(text.RIGHT) and said.mark == "right"
    words = said.words.replace("\u00a0", " ")
    assert "**90%** before, **40%** now. Difference: −50 ± 5 points (95% interval" in words
    assert said.result == "Rare classes: 90% → 40%"
    assert verdict(ASK, before, after, "<b>").words.startswith("Rare classes, DPPL-Mean: **90%**")
    assert verdict(ASK, before, after, "same").mark == "wrong"
    assert (
        points(0.005, 0.001) == "+0.5 ± 0.1 points" and points(-0.2, float("inf")) == "−20 points"
    )


def test_statistically_possible_answer_is_not_marked_wrong():
    before, after = Interval(0.9, 0.8, 1, 5, 0.1), Interval(0.83, 0.73, 0.93, 5, 0.1)
    marks = {said: verdict(ASK, before, after, said).mark for said in lessons.CHANGES}
    assert marks == {"up": "open", "same": "open", "down": "right", "lost": "open"}
    assert "not significant" in verdict(ASK, before, after, "down").words


def test_verdict_on_curve_states_where_it_deviates():
    said = drawings.verdict(DRAWING, TRUE, [60, 50, 80])
    assert said.words == (
        "**Far off.** Your curve is 23 points off on average. Your curve is too high at ε = 0.1."
        " Your curve is too low at ε = 10. The largest gap is **50 points**, at ε = 0.1. You drew"
        " 60%; the true value is 10% (95% interval 5–20). Look left."
    )
    assert (said.mark, said.result) == ("gap", "Your curve was 23 points off on average")
    wide = [Interval(0.1, 0.0, 0.3, 5, 0.1), *TRUE[1:]]
    said = drawings.verdict(DRAWING, wide, [29, 50, 89])
    assert "gap outside the 95% interval is **11 points**, at ε = 10" in said.words
    marks = [drawings.verdict(DRAWING, TRUE, [10, 50, y]).mark for y in (85, 84, 55, 53)]
    assert marks == ["right", "near", "near", "gap"]
    near = drawings.verdict(DRAWING, TRUE, [19, 55, 96])
    assert near.mark == "right" and "within 5 points of the true curve everywhere" in near.words


@pytest.mark.parametrize("bad", ["", "1.2", "1.2.101", "1.2.3.4", "-1.2.3", "a.b.c", "1..3", "<b>"])
def test_incomplete_curve_in_link_counts_as_undrawn(bad):
    assert drawings.read(bad, DRAWING) is None
    assert drawings.read(drawings.link_text([0, 50, 100]), DRAWING) == [0, 50, 100]


def test_skipped_drawing_shows_curve_without_scoring():
    skipped = drawings.read(drawings.SKIPPED, DRAWING)
    said = drawings.verdict(DRAWING, TRUE, skipped)
    assert said.words == "The true curve: 10% at ε = 0.1, 100% at ε = 10. Look left."
    assert not said.mark


def test_lesson_texts_match_guess_accuracy_at_budgets():
    """The number of ε alone, of the coin, and of both methods; with the digits of every page."""
    right = lambda promise: percent_up(attack_bound.success_bound(promise))

    def promise(method, eps):
        spec = lessons.spec(trade_off(method, 1, eps, ""), method, 0)
        return experiment.planned(spec).guarantee

    alone = lambda eps: replace(promise("dppl-mean", eps), notion="approx", value=eps)
    assert right(alone(1.0)) == "73.2" and right(alone(10.0)) == "more than 99.9"
    assert right(promise("dppl-public", 1)) == "62.3" and right(promise("dppl-mean", 1)) == "55.4"
    assert right(promise("dppl-mean", 10)) == "84.2"
    texts = "".join(path.read_text() for path in Path(content.__file__).parent.rglob("*.toml"))
    assert "73.2%" in texts and not re.search(r"\b(74|63|56)% success|limit of 56%", texts)
    assert privacy.response_epsilon(0.5) == pytest.approx(1.1, abs=0.05)


def test_curve_runs_differ_only_in_drawn_axis():
    step = trade_off("dppl-mean", 50, 1, "", data="mnist", **{"dppl-mean.form": "coinpress"})
    drawn = {
        "eps": ((0.1, 10.0), lambda spec: spec.budget.value),
        "ir": ((1.0, 50.0), lambda spec: spec.ir),
        "records": ((10.0, 400.0), lambda spec: spec.records),
        "per_person": ((1.0, 5.0), lambda spec: (spec.per_person, spec.unit)[0]),
    }
    for over, (values, read) in drawn.items():
        groups = drawings.groups(step, Drawing("", over, values, "dppl-mean"))
        assert tuple(read(group[0]) for group in groups) == values
        assert {spec.seed for spec in groups[0]} == set(range(5))
        assert all(dict(s.params) == {"form": "coinpress"} for group in groups for s in group)
        assert groups[0][0].unit == ("person" if over == "per_person" else "picture")


def test_formulas_match_known_values():
    step = trade_off("", 1, 1, "", prior="90")
    curve = lambda key, over, *values: [
        one.mean for one in drawings.by_formula(step, Drawing("", over, values, curve=key))
    ]
    e = math.e
    assert curve("posterior", "eps", 1, 2) == pytest.approx(
        [0.9 * e / (0.9 * e + 0.1), 0.9 * e**2 / (0.9 * e**2 + 0.1)]
    )
    assert curve("posterior", "prior", 50) == pytest.approx([e / (1 + e)])
    assert curve("randomised-response", "eps", 1) == pytest.approx([e / (1 + e)])
    mu = privacy.gdp_mu(1.0, 1e-5)
    assert curve("two-releases", "releases", 1, 4) == pytest.approx(
        [stats.norm.cdf(mu / 2), stats.norm.cdf(mu)]
    )
    step = trade_off("", 1, 1, "", promise="1")
    missed = [stats.norm.cdf(stats.norm.isf(share) - mu) for share in (0.05, 0.5)]
    assert curve("fewest-misses", "alarms", 5, 50) == pytest.approx(missed)
