"""Sentences on public data alone."""

import dataclasses

import pytest

from dpviz.data import public_domains
from dpviz.stats import interval
from dpviz.types import Budget
from dpviz.views import public_only
from dpviz.views.page_config import PageConfig

PUBLIC = interval([0.76], noisy=False)
VIEW = PageConfig("uci-digits", "glyphnet", budget=Budget(1.0), first_seed=0, seeds=2, methods=())


@pytest.mark.parametrize(
    ("means", "said"),
    [
        ([0.5, 0.51, 0.49, 0.5], "significantly more than the best private method."),
        ([0.9, 0.91, 0.89, 0.9], "significantly less than the best private method."),
        ([0.5, 0.9, 0.95, 0.6], "not significantly different from the best private method."),
    ],
)
def test_sentence_states_significance_of_difference(means, said):
    points = {"best": interval(means), "worse": interval([0.1, 0.11])}
    told = public_only.sentence(points, PUBLIC)
    assert told == f"Public images alone reach **76%**, {said}"


def test_single_seed_states_no_difference():
    told = public_only.sentence({"one": interval([0.5])}, PUBLIC, public_only.PLAIN)
    assert told == "Public images alone reach **76%**."


def test_lowest_error_is_compared():
    points = {"best": interval([0.1, 0.11, 0.1]), "worse": interval([0.9, 0.91, 0.9])}
    told = public_only.sentence(points, PUBLIC, public_only.ERROR, lowest=True)
    assert told.endswith(
        "the error is **76%**, significantly higher than with the best private method."
    )


def test_reference_is_one_run_for_all_settings():
    spec = public_only.spec(VIEW)
    other = dataclasses.replace(VIEW, budget=Budget(3.0), first_seed=0, seeds=9)
    assert spec == public_only.spec(other) and not spec.budget.private
    assert public_only.public_run(VIEW.spec("dppl-public")).digest == spec.digest


def test_no_reference_without_shared_classes():
    assert public_only.spec(dataclasses.replace(VIEW, public="letters")) is None
    assert public_only.spec(dataclasses.replace(VIEW, public="none")) is None


def test_other_domain_requires_both_data_sets():
    assert public_domains.domains("omniglot-10")["other"] == "omniglot-other"
    assert public_domains.domains("etf") == {} and public_domains.domains("own.npz") == {}
    assert public_domains.counterpart("clothes", "other-clothes") == ("same", "clothes-public")
