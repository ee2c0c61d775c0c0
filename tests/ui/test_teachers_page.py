"""The PATE page without a browser, and the exact numbers behind its charts."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import attack_bound, pate_votes, vote_answers
from dpviz.diagnostics.pate_votes import Poll
from dpviz.diagnostics.vote_students import Course
from dpviz.experiments.jobs import Job
from dpviz.formatting import number_up, percent_up, unbroken
from dpviz.methods.components import students
from dpviz.methods.components.teachers import Ensemble
from dpviz.privacy import vote_costs
from dpviz.privacy.vote_ledger import Setting
from dpviz.text import teachers_vote as text
from dpviz.text.template import render
from dpviz.types import DataConfig
from dpviz.ui.live import long_work, session_cost
from dpviz.ui.teachers_vote import answer, student_sections
from dpviz.views import teachers_vote_page
from tests.kit.seen import charts, markdown, opened
from tests.kit.toys import blurred_content

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "teachers_vote.py")
BY = Setting(18.0, 4.0, 3.0, 1e-5)
VOTES = np.array([[25, 3, 2], [12, 10, 8], [30, 0, 0], [1, 28, 1], [10, 10, 10], [4, 22, 4]])


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """A look at students asks dozens of them."""
    monkeypatch.setattr(teachers_vote_page, "TEACHERS", (10,))
    monkeypatch.setattr(teachers_vote_page, "HEADCOUNTS", (10, 20))
    monkeypatch.setattr(student_sections, "SEEDS", 2)
    monkeypatch.setattr(students, "KINDS", ("supervised",))


@pytest.fixture
def own():
    return uploads.keep(blurred_content(40, 60, 1.2))


def page(own, **link):
    return opened(PAGE, {"data": own, "ir": "3", "M": "20", "asked": "50", **link})


def sentence(at):
    return next(
        m.value for m in at.markdown if re.search("teachers answer|No class gets more", m.value)
    )


def tiles(at):
    return next(h.proto.body for h in at.get("html") if 'class="dp-tiles"' in h.proto.body)


def test_answer_states_ledger_epsilon_for_its_answers(own):
    at = page(own, T="70", s1="30", s2="25", seed="4")
    shown = re.search(r"<strong>(\d+) of (\d+)</strong>", tiles(at))
    answered, asked = int(shown[1]), int(shown[2])
    assert 0 < answered < asked <= 50
    exact = vote_costs.data_independent(asked, asked, 6.0, 5.0, 1e-5).epsilon_delta
    expected = f"At ({number_up(exact)}, 1e-5)-DP, the teachers answer **{answered / asked:.0%}**"
    assert expected in sentence(at), "as its card prints it"
    card, caption = " ".join(h.proto.body for h in at.get("html")), captions(at)
    whatever = attack_bound.success_bound(vote_costs.data_independent(asked, asked, 6.0, 5.0, 1e-5))
    if_cap = vote_costs.data_independent(asked, answered, 6.0, 5.0, 1e-5)
    guess = attack_bound.success_bound(if_cap)
    assert f"{percent_up(whatever)}%" in card and f"{percent_up(guess)}%" not in card
    assert (
        unbroken(
            render(
                text.CAP, asked=asked, answered=answered, epsilon=if_cap.epsilon_delta, guess=guess
            )
        ).replace("\u00a0", " ")
        in caption
    )
    assert len(charts(at)) == 1 and all(c.proto.alt for c in at.get("plotly_chart"))


def captions(at):
    return " ".join(c.value for c in at.caption).replace("\u00a0", " ")


def test_aggregation_controls_change_the_answer(own):
    at = page(own)
    seen = [sentence(at) + tiles(at)]
    for key, value in (("T", 60), ("s1", 80), ("s2", 60)):
        at.select_slider(key=key).set_value(value).run()
        seen.append(sentence(at) + tiles(at))
    at.select_slider(key="asked").set_value(20).run()
    seen.append(sentence(at) + tiles(at))
    at.select_slider(key="M").set_value(10).run()
    seen.append(sentence(at) + tiles(at))
    assert len(set(seen)) == len(seen) and not at.exception and not at.error
    for key in ("s1", "s2"):
        noise = [int(value) for value in at.select_slider(key=key).options]
        assert noise == sorted(noise, reverse=True), "more private lies to the left"
    bar = [int(value) for value in at.select_slider(key="T").options]
    assert bar == sorted(bar), "as on the axis of the chart"


def test_without_threshold_test_all_queries_are_answered_free(own):
    at = page(own, rule="gnmax", asked="20")
    assert "answer **100%**" in sentence(at) and "20 of 20" in tiles(at)
    exact = vote_costs.data_independent(20, 20, math.inf, 4.0, 1e-5).epsilon_delta
    assert f"({number_up(exact)}, 1e-5)-DP" in sentence(at)
    assert "undercounts ρ by **a factor of 2**" in at.warning[0].value


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ("query", "the noisy test counted"),
        ("classes", "Rare classes: **"),
        ("growth", "set beforehand, ε would be **"),
        ("tables", "use the same noise in votes"),
    ],
)
def test_each_view_opens_from_a_link(own, look, words):
    at = page(own, look=look)
    assert words in markdown(at) + captions(at) and len(charts(at)) == 2
    assert "private view" in markdown(at)


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ("query", "Query 1: "),
        ("classes", "correct answers: "),
        ("growth", "answers: ε"),
        ("learned", "A student reaches "),
    ],
)
def test_plain_views_open_with_a_finding_and_no_delta(own, look, words):
    at = page(own, look=look, voice="plain")
    findings = [h.proto.body for h in at.get("html") if '<h3 class="dp-finding">' in h.proto.body]
    assert len(findings) == 1 and words in findings[0] and "-DP" not in findings[0]
    said = [m.value for m in at.markdown if sentence(at) != m.value] + [captions(at)]
    assert not any("1e-5" in words for words in said)


def test_only_the_guarantee_of_the_answer_is_called_guarantee(own):
    at = page(own, look="growth")
    epsilon = re.search(r"\(([\d.]+), 1e-5\)-DP", sentence(at)).group(1)
    assert f"The guarantee counts all 50 queries as answered: **ε = {epsilon}**" in markdown(at)
    assert "This is the guarantee" not in markdown(at)


def test_votes_feed_a_student_and_settings_are_compared(own):
    at = page(own, look="learned", printed="true")
    assert re.search(r"trained on \*\*\d+ answers\*\* classifies .* 50 queries", markdown(at))
    _, grid, curve = charts(at)
    assert len(grid["layout"]["annotations"]) == 5, "T, σ₁, σ₂, queries, teachers"
    assert "ublished" in curve["data"][-1]["name"] and "from the paper" in captions(at)
    assert list(at.selectbox(key="sees").options) == [text.SEES_SAME]


def test_one_setting_varies_and_vote_noise_follows_teachers():
    poll = Poll(DataConfig("mnist5k", "glyphnet"), Ensemble("linear", 100))
    now = Course(poll, Setting(80.0, 40.0, 20.0, 1e-5), 100)
    panels, names = teachers_vote_page.one_at_a_time(now, 200)
    assert all(panels[title][names[title]] == now for title in panels) and len(panels) == 5
    few = panels[text.PANELS["teachers"]]["10"]
    assert (few.setting.threshold, few.setting.sigma1, few.setting.sigma2) == (8.0, 40.0, 20.0)
    assert list(panels[text.PANELS["queries"]]) == ["20", "50", "100", "200"]


def test_paper_tables_are_rows_on_this_data():
    poll = Poll(DataConfig("mnist5k", "glyphnet"), Ensemble("linear", 100))
    now = Course(poll, Setting(80.0, 40.0, 20.0, 1e-5), 100)
    panels = teachers_vote_page.paper_tables(now, True, True, "supervised", ("lite0",), True)
    letters = panels[text.PANELS["letters"]]
    assert "".join(letters) == "ABCDEF" and letters["B"].sees == "pixels" != letters["A"].sees
    assert {course.kind for course in letters.values()} == {"supervised"}
    assert {f"{key}, linear" for key in ("mnist5k", "clothes")} <= set(panels[text.PANELS["sets"]])
    assert panels[text.PANELS["mask"]][text.MASKS["all"]].poll.ensemble.framed is False
    few = teachers_vote_page.paper_tables(now, False, False, "", (), False)
    assert text.PANELS["letters"] not in few
    assert not {"1 FC", "random map"} & set(few[text.PANELS["kinds"]])


def test_prompted_ensembles_run_as_background_job(own, monkeypatch):
    collect, asked = long_work.collect, []

    def noted(key, groups, status, draw=lambda job: None, **more):
        if not key.endswith("-tables"):
            return collect(key, groups, status, draw, **more)
        asked.append((groups, more["work"]))
        return Job(groups)

    monkeypatch.setattr(long_work, "collect", noted)
    at = page(own, look="tables", prompts="true")
    groups, work = asked[-1]
    prompted = [c for (c,) in groups if c.poll.ensemble.kind == "prompt"]
    assert len(prompted) == len(teachers_vote_page.RATIOS) + 1 and work is student_sections.COURSES
    assert "with noise scaled to match" in captions(at) and not at.exception


def test_undercount_warning_states_its_size(own):
    warning = page(own).warning[0].value
    assert re.search(r"instead of [\d.]+\.", warning)
    assert re.search(r"factor of [23]\.?\d*\*\*", warning) and "nothing for tests" in warning
    assert "If it charged for all" in warning
    assert "not from this proof" in warning


def test_unreachable_threshold_is_reported():
    made = lambda threshold: teachers_vote_page.VoteOutcome(30, 20, 6, 2, 1, 2, 0.7, 30, threshold)
    assert made(31.0).unreached and not made(30.0).unreached
    guarantee = vote_costs.data_independent(6, 6, 4.0, 3.0, 1e-5)
    said = teachers_vote_page.answer(made(31.0), guarantee, True)
    assert "only because of noise" in said and "No class gets more than **30** votes" in said


def test_delta_above_one_in_n_is_flagged(own):
    said = lambda **link: " ".join(c.value for c in page(own, **link).caption)
    assert "above 1/n" in said(delta="0.1") and "above 1/n" not in said()


def test_invalid_link_falls_back_and_query_is_clamped(own):
    at = page(
        own, T="-5", s1="x", M="7", rule="?", look="nothing", pool="none", teach="magic", q="40"
    )
    assert at.select_slider(key="M").value == 100 and sentence(at) and not at.error
    at.segmented_control(key="look-tab").set_value("query").run()
    at.select_slider(key="asked").set_value(10).run()
    assert at.number_input(key="q").value == 10 and not at.exception


@pytest.mark.parametrize("changes", [{"X_public": None, "y_public": None}])
def test_missing_public_set_gives_message(changes):
    at = page(uploads.keep(blurred_content(40, 60, 1.2, **changes)))
    assert "public" in at.error[0].value.lower() and not charts(at)


def test_source_labels_require_a_head(own):
    assert "linear" in page(own, teach="fc1").error[0].value


# ------------------------------------------------------------------------------------------ numbers


def test_answers_share_noise_across_settings_and_queries():
    one = vote_answers.answer(VOTES, BY, 3)
    fewer = vote_answers.answer(VOTES[:3], BY, 3)
    wider = vote_answers.answer(VOTES, Setting(18.0, 8.0, 3.0, 1e-5), 3)
    assert np.array_equal(one.labels[:3], fewer.labels) and np.allclose(one.noisy[:3], fewer.noisy)
    assert (wider.noisy_top - VOTES.max(1)) == pytest.approx(2 * (one.noisy_top - VOTES.max(1)))
    assert np.array_equal(one.answered, one.noisy_top >= 18)
    assert one.guarantee(2).rho == pytest.approx(2 / 32 + one.answered[:2].sum() / 9)


def test_growth_ends_at_cost_of_whole_run():
    made = vote_answers.answer(np.tile(VOTES, (20, 1)), BY, 1)
    grown = vote_answers.growth(made)
    assert (
        grown.queries[-1] == 120
        and len(grown.queries) == vote_answers.MAX_POINTS
        and grown.answered[-1] == made.answered.sum()
    )
    assert grown.independent[-1] == pytest.approx(made.guarantee().epsilon_delta)
    whole, _ = vote_costs.epsilon(made.costs.spent(made.answered).sum(0), made.costs.orders, 1e-5)
    assert grown.dependent[-1] == pytest.approx(float(whole))
    assert (
        np.all(np.array(grown.dependent) <= grown.converted)
        and grown.independent[-1] < (grown.converted[-1])
    ), "like with like"
    assert all(np.diff(grown.independent) >= 0) and grown.proof[-1] < grown.independent[-1]
    assert not vote_answers.growth(made, sanitise=False).sanitised


def test_query_cost_is_its_share():
    made = vote_answers.answer(VOTES, BY, 3)
    cost = vote_answers.query_cost(made, 2)
    assert cost.test <= cost.test_any and cost.vote <= cost.vote_any
    assert cost.chance == pytest.approx(0.99865, abs=1e-4)
    refused = int(np.flatnonzero(~made.answered)[0])
    assert vote_answers.query_cost(made, refused).vote == 0


def test_histogram_counts_are_exact():
    made = vote_answers.answer(VOTES, Setting(-math.inf, math.inf, 0.1, 1e-5), 0)
    truth = np.array([0, 1, 0, 1, -1, 2])
    assert pate_votes.outcomes(made, truth).tolist() == [
        "right",
        "wrong",
        "right",
        "right",
        "unknown",
        "wrong",
    ]
    chart = answer.histogram(made, truth)
    assert {kind: int(counts.sum()) for kind, counts in chart.counts.items()} == {
        "right": 3,
        "wrong": 2,
        "unknown": 1,
    }
    assert chart.threshold is None and pate_votes.accuracy(made, truth) == pytest.approx(3 / 5)


def test_answers_and_students_enter_the_session_ledger(own):
    votes = page(own, seed="4").session_state[session_cost.LEDGER].votes
    assert [(one.queries, one.seed) for one in votes] == [(50, 4)]
    at = page(own, seed="4", look="learned")
    votes = at.session_state[session_cost.LEDGER].votes
    assert len(votes) > 2 and {one.seed for one in votes} == {4, 5}
