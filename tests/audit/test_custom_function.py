"""Right functions are not called broken, broken ones and twins are caught, and what cannot be
audited is said in a sentence.

An audit is wrong with a chance of 0.001; its seeds are fixed.
"""

import os
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from dpviz import audits
from dpviz.audits import (
    bounds,
    custom_calls,
    custom_function,
    custom_releases,
    custom_verdict,
    distinguisher,
)
from dpviz.audits.custom_verdict import BROKEN, NOT_BROKEN, NOT_NOTICED
from dpviz.privacy import claimed_guarantee
from dpviz.types import Cancelled, DpvizError
from tests.kit import leaks, strangers

FEW = 2_000
COUNTED = np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2])


def of(function, more=strangers.WITH, less=strangers.WITHOUT, most=FEW, **claim):
    return audits.release_function(function, more, less, most=most, **(claim or {"epsilon": 1}))


def skip_variants(stage, done, total):
    """End an audit once the function itself is audited, in half the time."""
    if stage != custom_calls.STAGES[0]:
        raise Cancelled


@pytest.mark.parametrize(
    "function, data, claim",
    [
        (strangers.laplace, strangers.PAIR, {"epsilon": 1}),
        (strangers.gaussian, strangers.PAIR, {"mu": 1}),
        (strangers.gaussian, strangers.PAIR, {"rho": 0.5}),
        (strangers.response, strangers.PAIR, {"epsilon": 1}),
        (strangers.choice, COUNTED, {"epsilon": 1}),
        (strangers.wide, strangers.PAIR, {"mu": 1}),
        (strangers.laplace, strangers.PAIR[::-1], {"epsilon": 1}),
        (strangers.forgets_its_seed, strangers.PAIR, {"epsilon": 1}),
    ],
)
def test_kept_claim_passes_and_faulty_variant_is_caught(function, data, claim):
    found = of(function, *data, **claim)
    assert (found.broken, found.twin.broken, found.status) == (False, True, NOT_BROKEN), found
    assert 0 < found.function.shown <= found.claimed < found.twin.shown, found
    assert found.function.runs == FEW and "not a proof" in found.verdict


@pytest.mark.parametrize(
    "function, claim",
    [
        (strangers.half_the_noise, {"mu": 1}),
        (strangers.half_the_noise, {"rho": 0.5}),
        (strangers.unclipped, {"epsilon": 1}),
        (strangers.private_count, {"epsilon": 1}),
        (strangers.published_seed, {"epsilon": 1}),
        (strangers.present, {"epsilon": 1}),
        (strangers.missing, {"epsilon": 1}),
        (strangers.no_noise, {"epsilon": 1}),
        (strangers.no_noise, {"epsilon": 1, "delta": 1e-5}),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_broken_claim_is_caught_in_either_data_order(function, claim, turned):
    found = of(function, *strangers.PAIR[:: -1 if turned else 1], **claim)
    assert (found.broken, found.status) == (True, BROKEN), found
    assert found.function.runs <= FEW and found.verdict.startswith("Violated: ")
    assert found.function.misses[2] < found.function.allowed


def test_failure_in_one_of_fifty_releases_is_caught():
    assert of(strangers.now_and_then, most=20_000).broken


def test_false_alarm_rate_stays_within_stated_error():
    """Of the tightest there is: randomised response, whose two answers lie e apart."""

    def response(data, seed):
        return data if seed * 2654435761 % 2**32 / 2**32 < np.e / (1 + np.e) else 1 - data

    error, tries = 0.5, 20
    claim = {"epsilon": 1, "most": 500, "error": error, "progress": skip_variants}
    found = [
        audits.release_function(response, 1, 0, start=start, **claim) for start in range(tries)
    ]
    assert sum(one.broken for one in found) <= error / 2 * tries
    assert sum(one.function.shown for one in found) / tries > 0.5, "but much is shown"
    loose = [audits.release_function(response, 1, 0, epsilon=0.7, most=2_000, error=error)]
    assert loose[0].broken, "a claim a little too small is caught"


def test_identical_neighbors_give_inconclusive_audit():
    same = of(strangers.laplace, strangers.WITH, strangers.WITH)
    assert (same.broken, same.noticed, same.status) == (False, False, NOT_NOTICED)
    assert same.verdict.startswith("Inconclusive: ") and same.twin.runs == FEW


@pytest.mark.parametrize(
    "function, note",
    [
        (strangers.constant, "all releases are equal on both data sets"),
        (strangers.no_noise, "adds no noise"),
        (strangers.forgets_its_seed, "the same seed gives different releases"),
        (strangers.published_seed, "each release contains its seed"),
        (strangers.changes_its_data, "each release uses a copy"),
        (strangers.present, "differ in shape, types or order of keys"),
        (strangers.missing, "nan or missing"),
    ],
)
def test_audit_notes_report_anomalies(function, note):
    data = [one.copy() for one in strangers.PAIR]
    assert any(note in one for one in of(function, *data, most=500).notes)


def test_function_that_mutates_data_gets_fresh_copies():
    found = of(strangers.changes_its_data, *[one.copy() for one in strangers.PAIR])
    assert not found.function.broken and found.function.shown < 2


def test_hostile_numbers_are_counted():
    found = of(strangers.huge, most=500)
    assert (found.broken, found.status) == (False, NOT_NOTICED)


def test_custom_faulty_variant_is_reported():
    found = of(strangers.gaussian, most=500, mu=1, twin=strangers.half_the_noise)
    assert found.own_twin.broken and found.noticed and "both faulty variants" in found.verdict
    assert "two faulty variants, " in found.certainty
    blind = of(strangers.gaussian, most=500, mu=1, twin=strangers.gaussian)
    assert blind.status == NOT_NOTICED and "your faulty variant" in blind.verdict


@pytest.mark.parametrize(
    "function, sentence",
    [
        (strangers.fails, "failed on the .* data set with seed .*IndexError.*strangers.py, line"),
        (strangers.quits, "SystemExit"),
        (strangers.strange, "a value of type object"),
        (strangers.too_many, "more than 4096 numbers"),
        (strangers.endless, "more than 20 nested lists"),
        (7, "must be a function, got int"),
        ("tests.kit.strangers:nothing", "has no attribute"),
        ("tests.kit.strangers", "has no module name"),
        ("tests.kit.none_such:it", "No module named"),
    ],
)
def test_invalid_audit_request_is_refused_with_message(function, sentence):
    with pytest.raises(DpvizError, match=sentence) as refused:
        of(function)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "name, sentence",
    [
        ("crashes", "crashed, possibly"),
        ("eats", "needed more than 4 GiB of memory"),
        ("hangs", "took longer than 4 seconds"),
    ],
)
def test_function_beyond_limits_is_stopped_with_message(name, sentence, monkeypatch):
    monkeypatch.setattr(custom_calls, "ANSWER_SECONDS", 4 if name == "hangs" else 100)
    with pytest.raises(DpvizError, match=sentence):
        of(f"tests.kit.strangers:{name}")


def test_named_function_gives_same_results_in_own_process(capfd):
    here, apart = (of(one, most=500) for one in (strangers.laplace, "tests.kit.strangers:laplace"))
    assert (here.function, here.twin) == (apart.function, apart.twin)
    with pytest.raises(DpvizError, match="IndexError"):
        of("tests.kit.strangers:fails")
    assert capfd.readouterr() == ("", "")
    with pytest.raises(DpvizError, match="Cannot send the data sets to another process"):
        of("tests.kit.strangers:laplace", lambda: 0, 0)


@pytest.mark.parametrize(
    "claim",
    [{}, {"epsilon": 1, "rho": 1}, {"epsilon": 0}, {"mu": "x"}, {"epsilon": 1, "delta": 1}]
    + [{"rho": 1, "delta": 0}, {"epsilon": 1, "most": 3}, {"epsilon": 1, "error": 0}],
)
def test_invalid_claim_is_refused(claim):
    with pytest.raises(DpvizError):
        audits.release_function(strangers.laplace, *strangers.PAIR, **claim)


def test_claims_map_to_accountant_notions():
    kinds = [
        claimed_guarantee("x", **c).notion for c in ({"epsilon": 1}, {"epsilon": 1, "delta": 0})
    ]
    assert kinds == ["pure", "pure"]
    assert claimed_guarantee("x", epsilon=1, delta=1e-6).notion == "approx"
    assert claimed_guarantee("x", mu=1).epsilon_delta == pytest.approx(4.3767, abs=1e-3)


def test_canceled_audit_reports_result_so_far():
    def stop_after(releases):
        def progress(stage, done, total):
            if done > releases:
                raise Cancelled

        return progress

    given = {"epsilon": 1, "most": 20_000}
    with pytest.raises(Cancelled):
        audits.release_function(strangers.laplace, 1, 0, progress=stop_after(-1), **given)
    slow = {"seconds": 1e-3, **given}
    with pytest.raises(DpvizError, match="Too few releases"):
        audits.release_function(strangers.laplace, *strangers.PAIR, **slow)
    given["progress"] = stop_after(2_000)
    found = audits.release_function(strangers.laplace, *strangers.PAIR, **given)
    assert 0 < found.function.runs < 20_000 and found.status == NOT_NOTICED
    assert any("before all releases" in note for note in found.notes)


def test_seeds_are_distinct_and_independent_of_side():
    first = [custom_calls.seed_of(i) for i in range(20_000)]
    assert len(set(first)) == len(first) and max(first) < 2**32
    odd = [np.mean([seed % 2 for seed in first[side::2]]) for side in (0, 1)]
    assert max(abs(share - 0.5) for share in odd) < 0.03
    top = custom_calls.STARTS * custom_calls.STREAMS * custom_calls.SEEDS_PER_STREAM
    assert top <= 2**32
    assert (
        2 * custom_calls.COMBINED_RELEASES * custom_function.MAX_RELEASES
        < custom_calls.SEEDS_PER_STREAM
    )


LEAKS = [
    getattr(module, name)
    for module in (strangers, leaks)
    for name in dir(module)
    if name.startswith("in_")
]


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_leak_outside_number_magnitude_breaks_claim(leak):
    found = of(leak, most=500, mu=1)
    assert (found.status, found.twin.broken) == (BROKEN, True), found


HONEST = [
    (strangers.laplace, {"epsilon": 1}),
    (strangers.gaussian, {"mu": 1}),
    (strangers.wide, {"mu": 1}),
    (strangers.binary_fixed_point, {"epsilon": 1}),
    (strangers.moments, {"mu": 1}),
    (leaks.long_and_wide, {"mu": 1}),
]


@pytest.mark.parametrize("function, claim", HONEST)
def test_digit_and_product_scores_keep_false_alarm_rate(function, claim):
    """With a chance of error of 0.5 in each audit, half of it for the function itself. At a share
    of 0.25 a count of 8 or more of 12 has a chance of 0.003.
    """
    options = {"most": 500, "error": 0.5, "progress": skip_variants}
    found = [of(function, start=start, **options, **claim) for start in range(12)]
    assert sum(one.broken for one in found) < 8


def test_long_numbers_with_noise_keep_their_claim():
    found = of(strangers.fixed_point, mu=1)
    assert found.status == NOT_BROKEN and any(
        "long numbers, strings" in note for note in found.notes
    )


def test_shown_bound_uses_unit_of_claim():
    """Randomised response of epsilon 1 spends no more, whatever its rho converts to."""
    found = of(strangers.response, rho=0.5)
    assert (found.sign, found.claimed, found.status) == ("ρ", 0.5, NOT_BROKEN)
    truly = np.tanh(1 / 2)  # Kullback and Leibler's divergence of its answers, at order 1
    assert truly / 2 < found.function.shown < truly and found.function.converted > 2
    assert "ρ ≥ 0." in found.verdict and "The actual ε may be smaller" in found.verdict
    assert "at least ε" not in found.verdict
    pure = of(strangers.response, epsilon=1)
    assert (pure.sign, pure.function.shown) == ("ε", pure.function.converted)
    assert "converts" not in pure.verdict


def test_lower_bounds_round_down_and_upper_bounds_up():
    down, up = custom_verdict.down, custom_verdict.up
    assert (down(0.99999), up(1.0001), down(3.456), up(3.451)) == ("0.999", "1.01", "3.45", "3.46")
    assert (down(0.0), up(float("inf")), down(250.0)) == ("0", "inf", "250")


def test_constant_function_gives_no_evidence():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = of(strangers.constant, most=500, mu=1)
    assert found.status == NOT_NOTICED and found.function.shown == 0
    assert bounds.mu_of(0.0, 0.0) == bounds.mu_of(1.0, 1.0) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_audit_continues_after_function_forks():
    assert of("tests.kit.strangers:forks_once", most=500, mu=1).function.runs == 500


@pytest.mark.parametrize(
    "name, sentence",
    [
        ("interrupts", "failed on the .* KeyboardInterrupt"),
        ("ends_in_its_own_way", "failed on the .*Own: so"),
        ("quits_when_read", "Cannot read the output of .* SystemExit: 3"),
    ],
)
def test_function_exit_of_any_kind_is_no_crash(name, sentence):
    with pytest.raises(DpvizError, match=sentence):
        of(f"tests.kit.strangers:{name}")


def test_bins_detect_differences_beyond_mean_and_spread():
    """Two mixtures of the same mean and spread."""
    own = np.random.default_rng(0)
    more = own.choice([-1.0, 1.0], (800, 1)) + 0.1 * own.normal(size=(800, 1))
    less = own.choice([-2.0, 0, 0, 0, 0, 0, 0, 2.0], (800, 1)) + 0.1 * own.normal(size=(800, 1))
    score = distinguisher.best(more, less, claimed_guarantee("x", epsilon=1))
    assert np.mean(score(more)) > np.mean(score(less)) + 3


def test_files_are_neighbors(tmp_path):
    np.save(tmp_path / "a.npy", strangers.WITH)
    (tmp_path / "b.csv").write_text("x\n0\n1\n")
    found = custom_releases._neighbours(("a.npy", "b.csv"), str(tmp_path))
    assert [one.tolist() for one in found] == [[1, 1], [0, 1]]
    (tmp_path / "c.csv").write_text("x\n0\nword\n")
    for texts, sentence in (
        (("a.npy", "c.csv"), "Cannot read c.csv"),
        (("a.npy", "d.csv"), "No such file"),
        (("a.npy", "b.txt"), "must be a .npy or .csv file"),
        (("a.npy",), "has no module name"),
        (("a.npy",) * 3, "one module:name of a pair or two files"),
        (("tests.kit.strangers:constant",), "is not a pair of data sets"),
    ):
        with pytest.raises(DpvizError, match=re.escape(sentence)):
            custom_releases._neighbours(texts, str(tmp_path))


def test_no_page_runs_a_custom_function():
    root = Path(__file__).resolve().parents[2]
    pages = [*(root / "pages").rglob("*.py"), root / "app.py"]
    pages += [p for part in ("ui", "views", "plots") for p in (root / "dpviz" / part).rglob("*.py")]
    words = re.compile(
        r"\bstrangers_(function|calls|releases|verdict|outputs)\b|\boutput_tokens\b"
        r"|\brelease_function\b"
    )
    assert len(pages) > 50 and not [path for path in pages if words.search(path.read_text())]
