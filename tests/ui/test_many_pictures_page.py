"""The page "One person, many pictures" without a browser: both promises, who is missing, the way
there.
"""

import json
import re
import shlex

import pytest

from dpviz.cli import main
from dpviz.data import uploads
from dpviz.formatting import percent
from dpviz.ui.many_pictures import answer
from dpviz.ui.many_pictures.answer import AXIS_TITLE
from tests.kit.own_files import with_paths
from tests.kit.seen import captions, charts, html, markdown, sentence
from tests.kit.toys import content_of_persons
from tests.kit.whole_app import opened

pytestmark = pytest.mark.slow
QUICK = {"ir": "1", "n": "1", "m": "dppl-mean,class-mean", "eps": "10.0"}
CLIPPED = {"m": "dppl-mean,noisy-gd,class-mean", "noisy-gd.steps": "5"}


@pytest.fixture
def sent():
    return uploads.keep(content_of_persons(8))


def test_both_guarantees_are_drawn_described_and_on_cards(sent, capsys):
    at = opened("many_pictures", QUICK | CLIPPED, data=sent, table="true")
    told = sentence(at)
    assert not at.error and "the promise to a person costs" in told and "by a look" in told
    told, alone = told.split(" Public data alone reaches ")
    assert (
        told.count("%") == 2
        and alone.count("%") == 1
        and "Private linear probe, each person clipped" in html(at)
    )
    names = [trace.get("name") for trace in charts(at)[0]["data"]]
    assert {"DPPL-Mean", "DPPL-Mean, to each picture", answer.DOTTED_TEXT} <= set(names)
    assert "add or remove one person with all records" in html(at) and "to one record" in html(at)
    rows = at.dataframe[0].value
    assert "of 20 persons who have two pictures in one class" in captions(at)
    scope = {}
    exec(with_paths(at.code[-1].value).split("print(")[0], scope)
    assert f"**{percent(scope['found'].area)}** of the time" in "".join(
        m.value for m in at.markdown
    )
    command = shlex.split(with_paths(at.code[0].value).splitlines()[0])
    assert main(command[3:]) == 0
    again, bound = json.loads(capsys.readouterr().out), command[command.index("--per-person") + 1]
    shown = rows[rows[AXIS_TITLE] == bound].set_index("line")["accuracy"]
    title = {"dppl-mean": "DPPL-Mean", "noisy-gd": "Private linear probe"}[again["method"]]
    title += ", each person clipped" if "person=clip" in command else ""
    assert again["accuracy"]["overall"] == shown[title]
    assert "--unit person" in at.code[0].value and "Why PATE does not care" in markdown(at)
    assert set(rows[AXIS_TITLE]) == set("1 2 5 10 20 50 all".split())


def test_budget_and_image_limit_change_the_answer(sent):
    at = opened("many_pictures", QUICK, data=sent, kept="2")
    before = sentence(at)
    assert (
        "with at most 2 pictures of each person" in before
        and "at most 2 rows of the file" in html(at)
    )
    at.number_input(key="eps").set_value(1.0).run()
    assert "(1, 1e-5)-DP" in sentence(at) != before
    at.selectbox(key="kept").set_value("0").run()
    assert "with all pictures of each person" in sentence(at)


def test_data_without_users_offer_sets_with_users(own):
    at = opened("many_pictures", QUICK, data=own)
    assert "do not say whose" in at.info[0].value and not at.error and not charts(at)
    at = opened("many_pictures", {"n": "1", "m": "dppl-mean,class-mean"}, data="mnist5k")
    (offer,) = [b for b in at.button if b.label.startswith("Look at")]
    offer.click().run(timeout=120)
    assert at.selectbox(key="data").value == "clothes" and at.select_slider(key="ir").value == 1
    assert not at.exception and "at original class sizes" in sentence(at).lower()
    assert 'alt="Person 1: ' in html(at)
    plays(at)


def plays(at):
    """A guess tells the sender, and counts; the next line-up is another one."""
    before = html(at)
    assert "same person, cosine" not in before and 'alt="Who sent this?"' in before
    at.button(key="sender-B").click().run()
    told = next(m.value for m in at.info if m.value.startswith("It is **"))
    right = re.match(r"It is \*\*(\w)\*\*. You said B, (\w+). The features say \w, ", told)
    assert (right[2] == "rightly") == (right[1] == "B")
    assert f'alt="{right[1]}: ✓ same person, cosine' in html(at)
    assert f"right **{int(right[1] == 'B')} of 1** times" in told
    picked = re.findall(r'alt="([^"]*your pick[^"]*)"', html(at))
    assert len(picked) == 1 and picked[0].startswith("B: ")
    at.button(key="sender-B").click().run()
    assert not at.exception and at.button(key="sender-A").label == "It is A"
    assert html(at) != before and "your pick" not in html(at)


def test_refused_method_is_reported_once(sent):
    link = QUICK | {"m": "dppl-mean,dppl-public,class-mean", "dppl-public.d_min": "1.9"}
    at = opened("many_pictures", link | {"dppl-public.d_max": "1.5"}, data=sent)
    assert len(at.error) == 1 and "must lie below" in at.error[0].value
    assert "costs DPPL-Mean" in sentence(at) and "DPPL-Public" not in sentence(at)


def test_trade_off_links_there_and_old_links_open(own, sent):
    at = opened("trade_off", QUICK, data=sent, whom="true")
    (link,) = re.findall(r'href="(many-pictures\?[^"]+)"', html(at))
    assert f"data={sent}" in link and "eps=10" in link
    assert not [i for i in at.info if "link" in i.value]
    assert "many-pictures" not in html(opened("trade_off", QUICK, data=own))


def test_cost_by_user_is_explained_for_formula_lines(sent):
    at = opened("many_pictures", QUICK | {"kept": "2", "m": "dppl-mean,dppl-publick"}, data=sent)
    told = next(m.value for m in at.markdown if m.value.startswith("Those who sent most"))
    assert "with at most 2 pictures of each person" in told
    assert told.count("20 people with 5–9 pictures") == 1
    assert "With K above 1 a record's loss" in captions(at)
    spent, right = charts(at)[-2:]
    assert spent["layout"]["yaxis"]["type"] == "log" and len(right["data"]) == 2
