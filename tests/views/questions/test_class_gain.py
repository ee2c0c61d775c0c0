"""A class's gain against scipy and by hand; on classes that learned nothing it is seldom claimed,
and statistics that claim it more often are caught.
"""

import numpy as np
import pytest
from scipy import stats as reference

from dpviz.text import questions as text
from dpviz.views.questions import QUESTIONS, class_files, class_gain
from dpviz.views.questions.class_gain import Pairs
from tests.kit.made_up_class import csv, rows


def answers(*how, **more):
    return class_files.read([("made-up.csv", csv(rows(*how, **more)))]).answers


def drawn(people, knew, knows, seed):
    """Pairs of which each person knows some more than others, so that answers go together."""
    rng = np.random.default_rng(seed)
    able = rng.uniform(-0.25, 0.25, (people, 1))
    before, after = (rng.random((people, 12)) < share + able for share in (knew, knows))
    sure = np.full((people, 12), 0.5)
    return Pairs(tuple(map(str, range(people))), before, after, sure, sure, 0)


def test_gain_matches_scipy_paired_test():
    of = class_gain.pairs(answers(20, 0.4, 0.6))
    found = class_gain.gain(of)
    said = reference.ttest_rel(of.after.mean(1), of.before.mean(1))
    low, high = said.confidence_interval()
    assert found.gap == pytest.approx((low + high) / 2)
    assert found.half == pytest.approx((high - low) / 2, rel=1e-5)
    assert found.p == pytest.approx(said.pvalue, rel=1e-4)
    before, after = of.before.mean(), of.after.mean()
    assert class_gain.normalised(of) == pytest.approx((after - before) / (1 - before))


def claims(test, knows=0.5, classes=400):
    """In how many classes a gain is claimed at 5%."""
    return sum(test(drawn(12, 0.5, knows, seed)) for seed in range(classes))


def test_false_gain_rate_is_within_stated_error():
    # 400 classes at 5 %: more than 36 in fewer than 1 of 1,000 such tests
    most = int(reference.binom.isf(0.001, 400, 0.05))
    assert claims(lambda of: class_gain.gain(of).p < 0.05) <= most
    twin = lambda of: reference.ttest_rel(of.after.mean(1), of.before.mean(1)).pvalue < 0.2
    assert claims(twin) > most
    assert claims(lambda of: class_gain.gain(of).p < 0.05, knows=0.7) > 350, "and a gain is seen"


def test_question_claims_are_corrected_for_twelve_tests():
    """Any of the twelve in at most 5% of classes; without Holm, in many more."""
    most = int(reference.binom.isf(0.001, 400, 0.05))
    any_told = lambda of: any(item.significant for item in class_gain.items(of))
    assert claims(any_told) <= most
    uncorrected = lambda of: any(
        class_gain.sign_test(item.won, item.lost) <= 0.05 for item in class_gain.items(of)
    )
    assert claims(uncorrected) > most


@pytest.mark.parametrize(("won", "lost"), [(0, 0), (6, 0), (9, 2), (5, 5), (1, 4)])
def test_changes_are_tested_exactly(won, lost):
    exact = reference.binomtest(won, won + lost).pvalue if won + lost else 1
    assert class_gain.sign_test(won, lost) == pytest.approx(exact)


def test_discrimination_excludes_the_question_itself():
    rng = np.random.default_rng(1)
    right = rng.random((200, 12)) < 0.5
    alone = [class_gain.discrimination(right, i) for i in range(12)]
    # independent answers: a correlation beyond 0.25 in fewer than 1 of 200 for any of the twelve
    assert max(map(abs, alone)) < 0.25
    with_itself = np.corrcoef(right[:, 0], right.mean(1))[0, 1]
    assert with_itself > 0.25, "the twin that counts the question in its own score"
    right[:, 3] = right[:, 4:].mean(1) > 0.5
    assert class_gain.discrimination(right, 3) > 0.5
    assert class_gain.discrimination(right[: class_gain.MIN_CORRELATION_PEOPLE - 1], 3) is None


def test_only_complete_pairs_of_answers_are_compared():
    some = [a for a in answers(7, 0.5, 0.5) if not (a.person == "p00000002" and a.item == 4)]
    of = class_gain.pairs(some)
    assert len(of.people) == 6 and of.incomplete == 1
    assert any("Left out: 1 person" in note for note in class_gain.gain_text(of).notes)


def test_options_are_counted_for_compared_people():
    given = answers(9, 0.3, 0.6)
    counts = class_gain.chosen(given, class_gain.pairs(given).people)
    for question in {row["question"] for row in counts}:
        mine = [row for row in counts if row["question"] == question]
        assert sum(row["before"] for row in mine) == sum(row["after"] for row in mine) == 9
    right = sum(row["after"] for row in counts if row["right"])
    drawn_items = [i for i, q in enumerate(QUESTIONS.values()) if not hasattr(q.a, "options")]
    of = class_gain.pairs(given)
    assert right == np.delete(of.after, drawn_items, 1).sum()


def test_calibration_counts_every_answer_once():
    of = class_gain.pairs(answers(8, 0.5, 0.5))
    points = class_gain.calibration(of.sure_after, of.after)
    assert sum(n for _, n, _ in points) == 8 * 12
    assert sum(n * share for _, n, share in points) == pytest.approx(of.after.sum())
    too = class_gain.overconfidence(of.sure_after * 0 + 0.95, of.after)
    assert too.gap > 0 and too.p < 0.001


def test_gain_is_described_in_words():
    small = class_gain.pairs(answers(class_gain.MIN_PEOPLE - 1, 0.2, 0.9))
    assert class_gain.too_few(small).startswith("4 people completed both tests.")
    of = class_gain.pairs(answers(20, 0.2, 0.9))
    assert not class_gain.too_few(of)
    found = class_gain.gain_text(of)
    assert "Right answers out of 12: **" in found.plain and "20 people" in found.precise
    facts, situations = class_gain.kinds(of)
    assert facts.startswith("Facts (4 questions): +")
    assert situations.startswith("New situations (8 questions): +")
    assert "right answers." in found.notes[0] and "Student's t" in found.precise
    assert [tile[0] for tile in found.tiles] == list(text.TILES.values())
    assert "more right answers: " in class_gain.changed_questions(class_gain.items(of))
    same = class_gain.pairs(answers(20, 0.5, 0.5, seed=3))
    assert "No clear gain" in class_gain.gain_text(same).plain
    assert class_gain.changed_questions(class_gain.items(same)) == text.NO_CHANGE


def test_identical_gains_have_no_interval():
    of = drawn(6, 0.5, 0.5, 0)
    alike = Pairs(
        of.people, np.zeros((6, 12), bool), np.ones((6, 12), bool), *[of.sure_after] * 2, 0
    )
    found = class_gain.gain_text(alike)
    assert "No interval" in found.precise and "same" in class_gain.kinds(alike)[0]
    assert not any("between" in note for note in found.notes)
