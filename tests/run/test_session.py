"""What was shown, as the ledger takes it: whose noise a run has, and what it drew."""

import dataclasses
import itertools

import pytest

from dpviz.experiments import experiment, session, tuning
from dpviz.mechanisms import exponential_mechanism, gaussian_noise, randomness
from dpviz.methods import METHODS
from dpviz.methods.components.teachers import Ensemble
from dpviz.privacy import vote_costs
from dpviz.privacy.session_accountant import ShownRun, ledger
from dpviz.privacy.vote_ledger import Setting
from dpviz.types import Budget, DataConfig, DpvizError, RunSpec
from dpviz.views import session_in_words
from tests.kit.toys import content, full_content

PRIVATE = [key for key, method in METHODS.items() if method.private]
NEED_A_HEAD = {"prom-pate"}
"""Read the encoder's own scores, which features of a file come without."""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "own.npz").write_bytes(content())
    return str(tmp_path / "own.npz")


def spec(file, method, budget=1.0, seed=5, **params):
    return RunSpec(
        file,
        None,
        method=method,
        budget=Budget(budget),
        params=tuple(params.items()),
        seed=seed,
    )


def labels(file, method):
    """The streams that a run opens with its own seed; none where the data cannot do it."""
    found, opened = set(), randomness.generator

    def noted(seed, label):
        if seed == 987:
            found.add(label)
        return opened(seed, label)

    randomness._draw.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        for module in (randomness, gaussian_noise, exponential_mechanism):
            patch.setattr(module, "generator", noted, raising=False)
        try:
            experiment.run(spec(file, method, seed=987))
        except DpvizError:
            return set()
    return found


def apart(drawn):
    """Pairs whose streams bear an equal label, but which the ledger takes for strangers."""
    pairs = itertools.combinations(sorted(drawn), 2)
    alike = [(one, two) for one, two in pairs if drawn[one] & drawn[two]]
    return {(a, b) for a, b in alike if session.stream(a) != session.stream(b)}


@pytest.mark.slow
def test_methods_with_same_noise_labels_share_stream(tmp_path, monkeypatch):
    (tmp_path / "own.npz").write_bytes(full_content())  # public records with labels: all can run
    drawn = {key: labels(str(tmp_path / "own.npz"), key) for key in PRIVATE}
    assert {key for key in PRIVATE if not drawn[key]} <= NEED_A_HEAD
    assert not apart(drawn)
    for key in set(session.NOISE_SOURCES) - NEED_A_HEAD:
        left = {one: other for one, other in session.NOISE_SOURCES.items() if one != key}
        monkeypatch.setattr(session, "NOISE_SOURCES", left)
        assert any(key in pair for pair in apart(drawn)), f"{key} could leave its group unseen"
        monkeypatch.undo()


def test_equal_runs_count_once(file):
    short = spec(file, "dppl-public")
    whole = experiment.complete(short)
    assert short != whole
    assert len(ledger(session.shown_runs([short, whole]), (), 1e-5).lines) == 1
    assert ledger(session.shown_runs([short, whole]), (), 1e-5).epsilon == pytest.approx(
        1.0, rel=1e-3
    )


def test_reference_runs_have_no_cost(file):
    assert session.counts(spec(file, "dppl-mean"))
    assert not session.counts(spec(file, "class-mean"))
    assert not session.counts(spec(file, "dppl-mean", float("inf")))


def test_run_with_missing_data_has_no_bound(file):
    gone = spec(f"{file}.gone", "dppl-mean")
    assert ledger(session.shown_runs([gone]), (), 1e-5).epsilon == float("inf")


FULLY_PRIVATE = {"public_use": "private", "init": "none", "clip_mode": "fixed", "rank": 0}


def totals(*specs):
    return ledger(session.shown_runs(specs), (), 1e-5).totals


@pytest.fixture
def labeled(tmp_path):
    (tmp_path / "labeled.npz").write_bytes(full_content())
    return str(tmp_path / "labeled.npz")


def test_protected_and_published_records_have_no_common_total(labeled):
    protects = spec(labeled, "adamix", seed=1, **FULLY_PRIVATE)
    reads = spec(labeled, "dppl-public", seed=2)
    assert [total.scope.labeled for total in totals(protects, reads)] == [True, False]
    assert len(totals(protects, spec(labeled, "dppl-mean", seed=2))) == 1, "reads none of them"
    again = dataclasses.replace(reads, public=labeled.replace("labeled", "other"))
    [shown] = session.shown_runs([dataclasses.replace(again, dataset=f"{labeled}.gone.npz")])
    assert (again.public, "public") in shown.scope.public, "also where the data are gone"
    votes = session.NoisyVotes(
        DataConfig(labeled, None), Ensemble("linear", 10), Setting(6.0, 4.0, 3.0, 1e-5), 30, seed=5
    )
    every = [*session.shown_runs([protects]), *session.voted([votes])]
    assert len(ledger(every, (), 1e-5).totals) == 2
    secret = {"sampler": "random", "count": "geometric"}
    study = tuning.Search(labeled, None, "dppl-public", Budget(1.0), **secret)
    assert len(ledger(every[:1], [session.best(study)], 1e-5).totals) == 2


def test_one_total_never_protects_and_publishes_same_records():
    def scope(**material):
        one = {"encoder": "glyphnet", "method": "dppl-public", "budget": Budget(1.0)} | material
        return session.scope(RunSpec(**one))

    aside = scope(dataset="mnist5k", public="held-aside")
    drawn = scope(dataset="mnist5k", public="glyphs")
    digits = scope(dataset="uci-digits", public="glyphs")
    published = scope(dataset="mnist5k", public="uci-digits")
    assert aside.contests(drawn) and digits.contests(published)
    assert aside.contests(published), "which protects the images held aside"
    assert not drawn.contests(digits) and not aside.contests(digits)
    params = tuple(FULLY_PRIVATE.items())
    letters = scope(dataset="mnist5k", public="letters", method="adamix", params=params)
    assert letters.labeled and letters.contests(drawn), "letters are part of glyphs"
    few = scope(dataset="omniglot-10", public="held-aside")
    assert few.contests(scope(dataset="omniglot")), "both have drawings of the same people"
    assert not scope(dataset="omniglot-10").contests(scope(dataset="omniglot"))


def test_draws_from_one_pool_have_no_common_total():
    """What one draw trains on is public test data under another."""
    one = RunSpec("mnist5k", "glyphnet", method="dppl-mean", budget=Budget(1.0))
    other = dataclasses.replace(one, draw=1, seed=1)
    assert session.scope(one).contests(session.scope(other))
    assert not session.scope(one).contests(session.scope(dataclasses.replace(one, ir=50.0)))
    clothes = dataclasses.replace(one, dataset="clothes", encoder="lite0-128")
    again = dataclasses.replace(clothes, draw=1)
    assert not session.scope(clothes).contests(session.scope(again)), "its test set is fixed"
    assert not session.scope(one).contests(session.scope(again))
    found = totals(one, other, dataclasses.replace(one, seed=2))
    assert [total.runs for total in found] == [2, 1]
    said = session_in_words.neighbors(found[1], found)
    assert "split by data draw 1" in said


def test_starting_points_of_runs_are_recorded(file):
    runs = [spec(file, "dppl-mean"), dataclasses.replace(spec(file, "noisy-gd"), records=5)]
    whole, few = ledger(session.shown_runs(runs), (), 1e-5).lines
    assert whole.scope.starts == "at the rows of the file"
    assert "after the first 5 records of each class were selected" in few.scope.starts


def test_study_keeps_one_set_of_protected_records(labeled):
    search = tuning.Search(labeled, None, "adamix", Budget(1.0), only=("public_use",))
    (param,) = tuning.space(search)
    assert "private" not in param.choices


def test_noisy_votes_share_pate_noise_at_same_seed(file):
    by, teachers = Setting(6.0, 4.0, 3.0, 1e-5), Ensemble("linear", 10)
    votes = session.NoisyVotes(DataConfig(file, None), teachers, by, 30, seed=5)
    exact = vote_costs.data_independent(30, 30, 4.0, 3.0, 1e-5).epsilon_delta
    [shown] = session.voted([votes])
    assert ledger([shown], (), 1e-5).epsilon == pytest.approx(exact, rel=1e-3)
    run = ShownRun(
        spec(file, "transfer-pate", seed=5), session.stream("transfer-pate"), shown.events
    )
    other = dataclasses.replace(run, spec=spec(file, "transfer-pate", seed=6))
    assert ledger([shown, run], (), 1e-5).epsilon == float("inf")
    assert ledger([shown, other], (), 1e-5).epsilon < float("inf")
    later = dataclasses.replace(votes, setting=dataclasses.replace(by, delta=1e-6))
    assert session.voted([later]) == [shown], "delta changes no noise"
    title = session_in_words.title(shown.spec)
    assert "teachers 10" in title and "sigma2 3" in title and "queries 30" in title


def test_best_of_study_may_have_any_seed(file):
    wish = tuning.Search(
        file, None, "dppl-public", Budget(1.0), sampler="random", count="geometric", seed=2
    )
    best = session.best(wish)
    assert wish.spec(trial=0).seed in best.seeds and wish.spec(trial=9_999).seed in best.seeds
    after = dataclasses.replace(wish, seed=3)
    assert after.spec().seed not in best.seeds
    alone = ledger([], [best], 1e-5)
    assert alone.epsilon == tuning.costs(wish, ()).selected["geometric"]
    trial = session.shown_runs([wish.spec(trial=4)])
    assert ledger(trial, [best], 1e-5).epsilon == float("inf")


@pytest.mark.slow
def test_no_bound_if_two_runs_give_the_noise_free_value(file):
    """Two budgets of one seed, combined so that the noise goes out; of two seeds it stays."""

    def left(first, second):
        """The largest difference between the combination and what has no noise, and its ledger."""
        settings = {"steps": 1, "count": "public"}
        pair = [spec(file, "noisy-gd", b, seed, **settings) for b, seed in (first, second)]
        one, two = (experiment.release(run).weights for run in pair)
        [a], [b] = ([e.sigma for e in experiment.planned(run).events.values()] for run in pair)
        quiet = experiment.release(spec(file, "noisy-gd", float("inf"), **settings)).weights
        apart = abs((a * two - b * one) / (a - b) - quiet).max()
        return apart, ledger(session.shown_runs(pair), (), 1e-5).epsilon

    shared, no_bound = left((1.0, 5), (2.0, 5))
    assert shared < 1e-6 and no_bound == float("inf")
    fresh, bound = left((1.0, 5), (2.0, 6))
    assert fresh > 1e-2 and bound < 3
