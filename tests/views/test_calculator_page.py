"""Sentences and tables of the calculator: rounded up, and no number where none is valid."""

import json

import numpy as np
import pytest

import dpviz
from dpviz.privacy.calculator import best_guesses, calculate
from dpviz.privacy.other_accountants import OtherEpsilon
from dpviz.privacy.stated_mechanisms import (
    ExponentialChoice,
    LaplaceNoise,
    NoisySteps,
    PublishedGuarantee,
    TeacherVotes,
)
from dpviz.views import calculator_page as page

SGD = calculate(NoisySteps(1.1, 0.01, 1000), 1e-5)
ACCOUNTS = [
    SGD,
    calculate(NoisySteps(1.1, 0.01, 1000), 1e-5, prior=0.1, images=3),
    calculate(NoisySteps(4, 1, 10), 1e-5),
    calculate(LaplaceNoise(2)),
    calculate(ExponentialChoice(0.5, 3), 1e-6),
    calculate(TeacherVotes(10, 5, 40, 20), 1e-5),
    calculate(PublishedGuarantee("approx", 3, 1e-5, "person")),
    calculate(PublishedGuarantee("zcdp", 0.5), 1e-5),
    calculate(PublishedGuarantee("approx", 3, 1e-5), images=2),
]


@pytest.mark.parametrize("account", ACCOUNTS)
def test_every_number_is_an_upper_bound(account):
    epsilon, guess, rho, mu = page.tiles(account, True)
    assert float(epsilon.value) >= account.epsilon
    assert float(
        guess.value.rstrip("%").removeprefix("more than ")
    ) / 100 >= account.best_guess or (guess.value.startswith("more than"))
    for tile, stated in ((rho, account.rho), (mu, account.mu)):
        if stated.value is None:
            assert tile.value == "none" and tile.note
        else:
            assert float(tile.value) >= stated.value * (1 - 1e-12)


def test_plain_tiles_have_guesses_of_further_cases():
    person, sure = page.tiles(SGD, False)[2:]
    many = calculate(SGD.mechanism, SGD.delta, images=10)
    assert person.label == "With 10 images" and sure.label == "Attacker 90% sure"
    assert 0 <= float(person.value.rstrip("%")) / 100 - many.best_guess < 1e-3
    nearly_sure = best_guesses(SGD, np.array([0.9]))[0]
    assert 0 <= float(sure.value.rstrip("%")) / 100 - nearly_sure < 1e-3
    for account in (calculate(PublishedGuarantee("approx", 3, 1e-5, "person")), many):
        assert [tile.label for tile in page.tiles(account, False)[2:]] == [sure.label]


@pytest.mark.parametrize("account", ACCOUNTS)
def test_result_names_neighbors_unit_delta_and_assumptions(account):
    terms = dict(page.definition_rows(account))
    assert all(terms.values()) and {"neighboring data sets", "unit", "assumptions"} <= set(terms)
    result = page.to_json(account)
    json.dumps(result)
    for key in ("adjacency", "unit", "assumptions", "rho_note", "mu_note", "source"):
        assert result[key]
    assert "δ" in page.answer(account, precise=True)


def test_sampled_noise_has_assumption_and_reason():
    said = " ".join([*page.assumptions(SGD), *page.notion_sentences(SGD)])
    assert "Poisson" in said and "No ρ is shown" in said and "No μ is shown" in said
    whole = calculate(NoisySteps(1.1, 1, 1000), 1e-5)
    said = " ".join([*page.assumptions(whole), *page.notion_sentences(whole)])
    assert "Poisson" not in said and "exact" in said


def test_finding_names_largest_gain():
    guesses = best_guesses(SGD, page.PRIORS)
    gains = guesses - np.maximum(page.PRIORS, 1 - page.PRIORS)
    assert page.PRIORS[np.argmax(gains)] == pytest.approx(0.5)
    assert "50%" in page.finding(guesses)


def test_persons_end_where_delta_is_too_large():
    approx = page.person_rows(calculate(PublishedGuarantee("approx", 3, 1e-5)))
    assert 1 < len(approx) < len(page.IMAGES)
    rows = page.person_rows(calculate(LaplaceNoise(2)))
    assert [row["ε"] for row in rows[:3]] == ["0.5", "1", "1.5"]


def test_library_without_number_has_reason():
    others = [
        OtherEpsilon("rdp", "0.6.0", 1.7100001, 1e-5),
        OtherEpsilon("opendp", "", None, 1e-5, "not installed"),
    ]
    own, rdp, opendp = page.library_rows(SGD, others)
    assert own["Version"] == dpviz.__version__ and float(own["ε"]) >= SGD.epsilon
    assert rdp["ε"] == "1.711" and opendp["ε"] == "" and opendp["Note"] == "not installed"


@pytest.mark.parametrize("account", ACCOUNTS)
def test_code_gives_the_same_numbers(account):
    names = {}
    exec(page.code(account).replace("print(", "found = ("), names)
    assert names["found"][:2] == (account.epsilon, account.best_guess)


def test_accounts_by_images_contain_chosen_number_and_grow():
    accounts = page.by_images(calculate(LaplaceNoise(2), images=4))
    assert [account.images for account in accounts] == [1, 2, 3, 4, 5, 10, 20]
    guesses = [account.best_guess for account in accounts]
    assert guesses == sorted(guesses)
    assert "better" in page.images_finding(accounts, False)
    assert "hardly" in page.images_finding(accounts[:1], False)


def test_images_do_not_matter_for_a_published_guarantee_per_person():
    assert page.images_matter(SGD)
    person = PublishedGuarantee("pure", 1.0, 0.0, "person")
    assert not page.images_matter(calculate(person))


def test_plain_rows_name_no_notion():
    rows = page.definition_rows(SGD, precise=False)
    words = " ".join(f"{term} {value}" for term, value in rows)
    assert "zCDP" not in words and "Gaussian DP" not in words and "-DP" not in words
