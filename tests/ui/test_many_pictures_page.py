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
from dpviz.text import many_pictures as text
from dpviz.ui.many_pictures import answer
from dpviz.ui.many_pictures.answer import AXIS_TITLE
from tests.kit.own_files import with_paths
from tests.kit.seen import captions, charts, html, markdown
from tests.kit.toys import content_of_persons
from tests.kit.whole_app import opened

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]
QUICK = {"ir": "1", "n": "1", "m": "dppl-mean,class-mean", "eps": "10.0"}
CLIPPED = {"m": "dppl-mean,noisy-gd,class-mean", "noisy-gd.steps": "5"}


@pytest.fixture
def sent():
    return uploads.keep(content_of_persons(8))


def told(at):
    """The answer."""
    return next(m.value for m in at.markdown if "person" in m.value).replace("\u00a0", " ")


def test_both_guarantees_are_drawn_described_and_on_cards(sent, capsys):
    at = opened("many_pictures", QUICK | CLIPPED, data=sent, tab="table")
    assert not at.error and "One noise seed cannot show a difference" in told(at)
    assert told(at).count("%") == 2
    assert text.TILE_PUBLIC in html(at) and "not cover the choice" in html(at)
    names = [trace.get("name") for trace in charts(at)[0]["data"]]
    assert set(text.DOTS) <= set(names)
    assert list(charts(at)[0]["layout"]["yaxis"]["ticktext"]) == "1 2 5 10 20 50 all".split()
    clipped = "Private linear probe, clipped per person"
    rows = at.dataframe[0].value
    scope = {}
    exec(with_paths(at.code[-1].value).split("print(")[0], scope)
    command = shlex.split(with_paths(at.code[0].value).splitlines()[0])
    assert main(command[3:]) == 0
    again, bound = json.loads(capsys.readouterr().out), command[command.index("--per-person") + 1]
    shown = rows[rows[AXIS_TITLE] == bound].set_index("line")["accuracy"]
    title = {"dppl-mean": "DPPL-Mean", "noisy-gd": "Private linear probe"}[again["method"]]
    title += ", clipped per person" if "person=clip" in command else ""
    assert again["accuracy"]["overall"] == shown[title]
    assert "--unit person" in at.code[0].value
    assert set(rows[AXIS_TITLE]) == set("1 2 5 10 20 50 all".split())
    at.segmented_control(key="tab").set_value("costs").run()
    assert clipped in html(at)
    lines = charts(at)[1]
    assert {"DPPL-Mean", "DPPL-Mean, per image", clipped} <= {t.get("name") for t in lines["data"]}
    assert answer.PER_IMAGE_TICK in lines["layout"]["xaxis"]["ticktext"]
    at.segmented_control(key="tab").set_value("guarantees").run()
    assert "add or remove one person with all their records" in html(
        at
    ) and "for one record" in html(at)
    assert "PATE does not depend" in markdown(at)
    at.segmented_control(key="tab").set_value("sender").run()
    assert "20 people with two images in one class" in captions(at)
    found = scope["found"].area
    assert f"**{percent(found)}" in next(m.value for m in at.markdown if "two pairs" in m.value)


def test_budget_and_image_limit_change_the_answer(sent):
    at = opened("many_pictures", QUICK, data=sent, kept="2", tab="guarantees")
    before = told(at)
    assert "at most 2 images per person" in html(at) and "at most 2 rows of the file" in html(at)
    at.number_input(key="eps").set_value(1.0).run()
    assert told(at) != before
    at.selectbox(key="kept").set_value("0").run()
    assert "all images of each person" in html(at)


def test_data_without_users_offer_sets_with_users(own):
    at = opened("many_pictures", QUICK, data=own)
    assert at.info[0].value == text.NO_PERSONS and not at.error and not charts(at)
    link = {"n": "1", "m": "dppl-mean,class-mean", "tab": "people"}
    at = opened("many_pictures", link, data="mnist5k")
    (offer,) = [b for b in at.button if b.label.startswith("Open Clothes")]
    offer.click().run(timeout=120)
    assert at.selectbox(key="data").value == "clothes" and at.select_slider(key="ir").value == 1
    assert not at.exception and "per person" in told(at)
    assert 'alt="Person 1: ' in html(at)
    at.segmented_control(key="tab").set_value("sender").run(timeout=120)
    plays(at)


def plays(at):
    """A guess shows whose the images are, and counts; the next line-up is another one."""
    before = html(at)
    assert "same person, cosine" not in before and f'alt="{text.GAME_FIRST}"' in before
    at.button(key="sender-B").click().run()
    said = next(m.value for m in at.info if "Your score" in m.value)
    right = re.match(r"(Correct|Wrong): \*\*(\w)\*\*", said)
    assert (right[1] == "Correct") == (right[2] == "B")
    assert f'alt="{right[2]}: ✓ same person, cosine' in html(at)
    assert f"Your score: **{int(right[2] == 'B')} of 1**" in said
    picked = re.findall(rf'alt="([^"]*{text.GAME_MINE}[^"]*)"', html(at))
    assert len(picked) == 1 and picked[0].startswith("B: ")
    at.button(key="sender-B").click().run()
    assert not at.exception and at.button(key="sender-A").label == "Choose A"
    assert html(at) != before and text.GAME_MINE not in html(at)


def test_refused_method_is_reported_once(sent):
    link = QUICK | {"m": "dppl-mean,dppl-public,class-mean", "dppl-public.d_min": "1.9"}
    at = opened("many_pictures", link | {"dppl-public.d_max": "1.5"}, data=sent)
    assert len(at.error) == 1
    assert "DPPL-Mean" in told(at).replace("\\", "") and "Public" not in told(at)


def test_trade_off_links_there_and_old_links_open(own, sent):
    at = opened("trade_off", QUICK, data=sent, whom="true")
    (link,) = re.findall(r'href="(many-pictures\?[^"]+)"', html(at))
    assert f"data={sent}" in link and "eps=10" in link
    assert not [i for i in at.info if "link" in i.value]
    assert "many-pictures" not in html(opened("trade_off", QUICK, data=own))
    at = opened("many_pictures", QUICK, data=sent, table="true")
    assert at.dataframe and not at.info, "a link from before the tabs opens the table"


def test_cost_by_user_is_explained_for_formula_lines(sent):
    link = QUICK | {"kept": "2", "m": "dppl-mean,dppl-publick", "tab": "paid"}
    at = opened("many_pictures", link, data=sent)
    said = next(m.value for m in at.markdown if "**Most images**" in m.value)
    assert said.count("20 people with 5–9 images") == 1
    assert "at most 2 images per person" in captions(at)
    assert "exact loss per record is available for K" in captions(at)
    spent, right = charts(at)[-2:]
    assert spent["layout"]["yaxis"]["type"] == "log" and len(right["data"]) == 2
