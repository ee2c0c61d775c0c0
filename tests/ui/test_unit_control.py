"""To whom the promise is: a choice where the data know persons, a sentence where they do not."""

import re

import pytest

from dpviz.data import synthetic, uploads
from dpviz.diagnostics import collapse_runs
from dpviz.text import attackers_view as attack_text
from dpviz.text import controls as text
from dpviz.text import neural_collapse as collapse_text
from dpviz.ui.neural_collapse import controls
from tests.kit.seen import answer, captions, charts, html
from tests.kit.toys import content_of_persons
from tests.kit.whole_app import opened

pytestmark = pytest.mark.shared_cache

QUICK = {"ir": "1", "n": "2", "m": "dppl-mean,class-mean"}


@pytest.fixture
def sent():
    return uploads.keep(content_of_persons(8))


def test_user_unit_is_offered_and_kept_in_link(sent):
    at = opened("trade_off", QUICK, data=sent, unit="person", k="3")
    assert not at.error and not at.info
    assert "one person = at most 3 rows of the file; further records are dropped" in html(at)
    assert "add or remove one person with all their records" in html(
        at
    ) and "for one record" in html(at)
    assert at.query_params["unit"] == "person" and at.query_params["k"] == "3"
    again = opened("trade_off", QUICK, data=sent)
    assert "add or remove one record" in html(again) and "one person =" not in html(again)
    assert text.NO_PERSONS not in captions(again)


def test_unlimited_user_bound_is_marked_read_from_data(sent):
    at = opened("trade_off", QUICK, data=sent, unit="person", k="all")
    assert "(8 rows of the file), read from the private data" in html(at)


def test_data_without_users_show_message(own):
    assert text.NO_PERSONS in captions(opened("trade_off", QUICK, data=own))


def test_user_attack_is_only_by_coin_design(sent):
    link = {"ir": "1", "n": "2", "unit": "person", "k": "5", "data": sent}
    at = opened("attackers_view", link | {"attacked": "dppl-mean"})
    assert not at.error and "guesses correctly whether a person took part" in answer(at)
    assert attack_text.COIN_OF_PERSONS in captions(at) and "“took part”" in captions(at)
    assert "20 of 20" in html(at) and attack_text.ODDS["auc"] in html(at)
    at = opened("attackers_view", link | {"attacked": "dppl-mean", "tab": "guarantees"})
    assert "one person = at most 5 rows of the file" in html(at)
    strong = link | {"attacked": "dppl-mean", "attack": "rmia", "shadows": "64"}
    at = opened("attackers_view", strong)
    assert not at.error and "20 of 20 people attacked" in captions(at)
    at = opened("attackers_view", strong | {"tab": "methods"})
    assert "“took part”" in captions(at)
    at = opened("attackers_view", strong | {"tab": "exposed"})
    assert "person " in html(at) and "5 records" in html(at)
    at = opened("attackers_view", link | {"attacked": "dppl-mean", "dppl-mean.form": "printed"})
    assert "16 of 20" in html(at)
    at = opened("attackers_view", link | {"design": "test"})
    assert "The people behind the test records are unknown" in " ".join(e.value for e in at.error)


def test_mixed_and_tuning_pages_give_user_level_guarantee(sent):
    link = {"ir": "1", "unit": "person", "k": "2", "data": sent}
    mixed = opened("mixed_privacy", link | {"n": "1", "adamix.max_steps": "4"})
    assert not mixed.error and "one person = at most 2 rows of the file" in html(mixed)
    assert any("per person" in m.value for m in mixed.markdown)
    tuned = opened("tuning", link | {"trials": "2", "tm": "dp-ls"})
    texts = captions(tuned) + html(tuned) + " ".join(m.value for m in tuned.markdown)
    assert not tuned.error and "one person = at most 2 rows" in texts.replace("\\", "")


@pytest.mark.parametrize("page", ["dp_means", "public_prototypes"])
def test_single_record_users_show_record_level_numbers(page):
    alone = uploads.keep(content_of_persons(1))
    link = {"ir": "1", "n": "1", "data": alone}
    tab = {"look": "cost"} if page == "dp_means" else {"see": "cost"}
    link |= tab
    one, other = (opened(page, link | more) for more in ({}, {"unit": "person", "k": "1"}))
    assert charts(one) == charts(other) and not other.error
    tables = [re.findall(r"<dd>(\W?[εμρ] = [^<]+)</dd>", html(at))[:2] for at in (one, other)]
    assert tables[0] == tables[1] and len(tables[0]) == 2
    texts = [" ".join(m.value for m in at.markdown) for at in (one, other)]
    told = [re.sub(r" \(at most 1 record per person\), per person", "", t) for t in texts]
    assert told[0] == told[1]


def test_means_and_prototypes_views_give_user_level_guarantee(sent):
    link = {"ir": "1", "n": "2", "unit": "person", "k": "5", "data": sent}
    at = opened("dp_means", link | {"look": "forms"})
    assert not at.error and "one person = at most 5 rows of the file" in html(at)
    assert "whether your images were used" in html(at)
    assert "replace one person by another" in at.warning[0].value
    at = opened("dp_means", link | {"look": "steps"})
    assert "at most 5 images per person: **no image is read**" in captions(at)
    at = opened("public_prototypes", link | {"see": "cost"})
    assert not at.error and "one person = at most 5 rows of the file" in html(at)
    assert "whether your images were used" in html(at)
    at = opened("public_prototypes", link | {"see": "paper"})
    assert any("Guarantee per image" in m.value for m in at.markdown)


def test_collapse_page_marks_record_level_results_for_users(sent, monkeypatch):
    monkeypatch.setattr(collapse_runs, "DRAWS", 2)
    monkeypatch.setattr(collapse_runs, "DEPTHS", (1.0,))
    monkeypatch.setattr(controls, "COMPARISON_DATA", synthetic.name(n=100, dim=12))
    link = {"ir": "1", "n": "2", "unit": "person", "k": "5", "data": sent, "beside": "etf"}
    link |= {"noisy-gd.steps": "5"}
    at = opened("neural_collapse", link)
    assert not at.error and "one person = at most 5 rows of the file" in html(at)
    assert "per person" in answer(at) and collapse_text.SYNTHETIC not in answer(at)
    assert "Left out: Synthetic" in captions(at).replace("\\", "")
    at = opened("neural_collapse", link | {"look": "step"})
    assert collapse_text.PER_RECORD in captions(at)
    (told,) = [m.value for m in at.markdown if "exact one-step error" in m.value]
    assert ", per person: exact one-step error" in told
    at = opened("neural_collapse", link | {"unit": "picture"})
    assert ">Synthetic (ideal) <" in html(at) and "Left out" not in captions(at)


def test_teachers_hold_whole_users_under_user_level_guarantee(sent):
    few = {"ir": "1", "M": "10", "asked": "20", "data": sent}
    persons = few | {"unit": "person", "k": "3"}
    at = opened("teachers_vote", persons)
    assert not at.error and "one person = at most 3 rows of the file" in html(at)
    assert any(
        "-DP per person" in m.value for m in at.markdown
    ) and "All images of a person" in captions(at)
    code = opened("teachers_vote", persons | {"look": "table"}).code[-1].value
    assert "per_person=3" in code and "by_person=True" in code
    assert "one record = one row of the file" in html(opened("teachers_vote", few))
    assert "by_person" not in opened("teachers_vote", few | {"look": "table"}).code[-1].value
