"""To whom the promise is: a choice where the data know persons, a sentence where they do not."""

import re

import pytest

from dpviz.data import synthetic, uploads
from dpviz.diagnostics import collapse_runs
from dpviz.ui.neural_collapse import controls
from dpviz.ui.widgets import budget_control
from tests.kit.seen import answer, captions, charts, html
from tests.kit.toys import content_of_persons
from tests.kit.whole_app import opened

QUICK = {"ir": "1", "n": "2", "m": "dppl-mean,class-mean"}


@pytest.fixture
def sent():
    return uploads.keep(content_of_persons(8))


def test_user_unit_is_offered_and_kept_in_link(sent):
    at = opened("trade_off", QUICK, data=sent, unit="person", k="3")
    assert not at.error and not at.info
    assert "one person = at most 3 rows of the file, which are kept" in html(at)
    assert "add or remove one person with all records" in html(at) and "to one record" in html(at)
    assert "at most 3 records a person), for persons" in answer(at)
    assert any("-DP for each person the noise" in text.value for text in at.markdown)
    again = opened("trade_off", QUICK, data=sent)
    assert "add or remove one record" in html(again) and "one person =" not in html(again)
    assert budget_control.NO_PERSONS not in captions(again)


def test_unlimited_user_bound_is_marked_read_from_data(sent):
    at = opened("trade_off", QUICK, data=sent, unit="person", k="all")
    assert "(8 rows of the file), read off the private data" in html(at)


def test_data_without_users_show_message(own):
    assert budget_control.NO_PERSONS in captions(opened("trade_off", QUICK, data=own))


def test_user_attack_is_only_by_coin_design(sent):
    link = {"ir": "1", "n": "2", "unit": "person", "k": "5", "data": sent}
    at = opened("attackers_view", link | {"attacked": "dppl-mean"})
    assert not at.error and "one person = at most 5 rows of the file" in html(at)
    assert "any of a person's pictures was used" in answer(at) and "area of" in answer(at)
    assert "which people are in" in captions(at) and "the person was in" in captions(at)
    assert "20 of 20" in html(at) and "of 20 people" not in answer(at)
    at = opened(
        "attackers_view", link | {"attacked": "dppl-mean", "attack": "rmia", "shadows": "64"}
    )
    assert not at.error and "(20 judged)" in answer(at) and "person was in" in captions(at)
    assert "person " in html(at) and "5 records" in html(at)
    at = opened("attackers_view", link | {"attacked": "dppl-mean", "dppl-mean.form": "printed"})
    assert "on 16 of 20 people, the middle one with 5 records, reaches" in answer(at)
    at = opened("attackers_view", link | {"design": "test"})
    assert "Whose the test records are is not known" in " ".join(e.value for e in at.error)


def test_mixed_and_tuning_pages_give_user_level_guarantee(sent):
    link = {"ir": "1", "unit": "person", "k": "2", "data": sent}
    mixed = opened("mixed_privacy", link | {"n": "1", "adamix.max_steps": "4"})
    assert not mixed.error and "one person = at most 2 rows of the file" in html(mixed)
    assert any("for persons" in text.value for text in mixed.markdown)
    tuned = opened("tuning", link | {"trials": "2", "tm": "dp-ls"})
    texts = captions(tuned) + html(tuned) + " ".join(text.value for text in tuned.markdown)
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
    texts = [" ".join(text.value for text in at.markdown) for at in (one, other)]
    told = [re.sub(r" \(at most 1 record a person\), for persons", "", t) for t in texts]
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
    assert any("Guarantee per image" in text.value for text in at.markdown)


def test_collapse_page_marks_record_level_results_for_users(sent, monkeypatch):
    monkeypatch.setattr(collapse_runs, "DRAWS", 2)
    monkeypatch.setattr(collapse_runs, "DEPTHS", (1.0,))
    monkeypatch.setattr(controls, "COMPARISON_DATA", synthetic.name(n=100, dim=12))
    link = {"ir": "1", "n": "2", "unit": "person", "k": "5", "data": sent, "beside": "etf"}
    link |= {"noisy-gd.steps": "5", "look": "step"}
    at = opened("neural_collapse", link)
    assert not at.error and "one person = at most 5 rows of the file" in html(at)
    assert "for persons" in answer(at) and "Synthetic" not in answer(at)
    assert "records that are nobody's: Synthetic" in captions(at).replace("\\", "")
    assert "with them the promise is to each record" in captions(at)
    (told,) = [text.value for text in at.markdown if "exact one-step error" in text.value]
    assert "promised to persons, the exact one-step error" in told
    at = opened("neural_collapse", link | {"unit": "picture"})
    assert "Synthetic" in answer(at) and "nobody's" not in captions(at)


def test_teachers_hold_whole_users_under_user_level_guarantee(sent):
    few = {"ir": "1", "M": "10", "asked": "20", "data": sent, "table": "true"}
    at = opened("teachers_vote", few | {"unit": "person", "k": "3"})
    assert not at.error and "one person = at most 3 rows of the file" in html(at)
    (told,) = [m.value for m in at.markdown if "; each teacher alone" in m.value]
    assert "-DP** to each person whatever" in told and "All records of a person" in captions(at)
    assert "per_person=3" in at.code[-1].value and "by_person=True" in at.code[-1].value
    at = opened("teachers_vote", few)
    assert "one record = one row of the file" in html(at) and "by_person" not in at.code[-1].value
