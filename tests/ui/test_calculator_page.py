"""Calculator: every mechanism and tab, a pasted text, hostile texts, and no computed default."""

import io
import json
from datetime import date
from pathlib import Path

import pytest

from dpviz.experiments import registry_card, registry_file
from dpviz.privacy import budget_split, calculator
from dpviz.privacy.stated_mechanisms import NoisySteps
from dpviz.text import calculator as text
from dpviz.types import Budget
from dpviz.ui import streamlit_internals
from dpviz.ui.calculator import deployments_table as table
from dpviz.ui.calculator import split
from dpviz.views import budget_split_page, calculator_page
from tests.kit.seen import captions, html, markdown
from tests.kit.tiles import tiles
from tests.kit.whole_app import opened

pytestmark = pytest.mark.slow
WITH_TABLE = ("person", "split", "deployments", "libraries", "table")
HOSTILE = (
    *("", "\x00\x01", "(" * 19_000, "x" * 30_000, "import os; os.system('x')"),
    *("noise_multiplier = nan", "noise_multiplier = -1, sample_rate = 1, steps = 1"),
    *("noise_multiplier = 1e308, sample_rate = 1, steps = 1", "make_private(noise_multiplier=1)"),
)


def test_answer_and_tiles_of_dp_sgd():
    at = opened("calculator", {"g.sigma": "1.1", "g.rate": "0.01", "g.steps": "1000"})
    shown = tiles(at)
    assert shown[text.TILES["epsilon"]] == ("1.517", "at δ = 1e-5")
    assert shown[text.TILES["guess"]][0] == "57.1%"
    assert shown[text.TILES["rho"]][0] == shown[text.TILES["mu"]][0] == "none"
    assert "**ε = 1.517**" in markdown(at)
    at.number_input(key="g.sigma").set_value(2.2).run()
    assert float(tiles(at)[text.TILES["epsilon"]][0]) < 1


@pytest.mark.parametrize("kind", text.KINDS)
def test_each_mechanism_has_answer(kind):
    at = opened("calculator", {"mech": kind, "voice": "plain"})
    assert not at.error and "Attackers guess correctly" in markdown(at)
    assert float(tiles(at)[text.TILES["epsilon"]][0]) > 0


@pytest.mark.parametrize("tab", [tab for tab in text.TABS if tab != "accuracy"])
@pytest.mark.parametrize("kind", ["dp-sgd", "laplace", "published"])
def test_each_tab_has_content(tab, kind):
    at = opened("calculator", {"mech": kind, "tab": tab})
    assert not at.error
    assert len(at.dataframe) == (tab in WITH_TABLE)
    assert "".join(at.query_params.get("tab", "meaning")) in calculator_page.TABS


def test_pasted_delta_replaces_control():
    at = opened("calculator", {"mech": "pasted"})
    assert "Opacus configuration" in captions(at) and not at.number_input(key="g.images").disabled
    assert not [box for box in at.number_input if box.key == "delta"]
    words = "noise_multiplier = 2\nsample_rate = 0.1\nsteps = 100"
    at.text_area(key="g.paste").set_value(words).run()
    assert [box for box in at.number_input if box.key == "delta"] and not at.error


@pytest.mark.parametrize("pasted", HOSTILE)
def test_hostile_text_gives_one_sentence(pasted):
    at = opened("calculator", {"mech": "pasted"})
    at.text_area(key="g.paste").set_value(pasted).run()
    assert not at.exception and len(at.error) == 1
    assert len(at.error[0].value) < 400 and "Traceback" not in html(at)
    at.text_area(key="g.paste").set_value("noise_multiplier=1, sample_rate=1, steps=1").run()
    assert not at.error


def test_pasted_text_is_not_in_link():
    at = opened("calculator", {"mech": "pasted"})
    assert "g.paste" not in at.query_params


@pytest.mark.parametrize(
    "link",
    [
        {"g.sigma": "nan"},
        {"g.sigma": "1e400", "g.rate": "-1"},
        {"mech": "none", "delta": "5", "g.images": "1e9"},
        {"mech": "pate", "g.queries": "3", "g.answered": "9"},
    ],
)
def test_bad_link_keeps_page(link):
    at = opened("calculator", link)
    assert not at.exception and tiles(at)


def test_split_follows_total_and_releases():
    at = opened("calculator", {"tab": "split"})
    rows = at.dataframe[0].value
    assert list(rows["release"]) == ["First look", "Main result", "Check"]
    assert "3 releases, planned together: ε = " in html(at).replace("\xa0", " ")
    assert "2 analysts with this plan, unaware of each other: **ε = 1.4" in markdown(at)
    at.number_input(key="g.total").set_value(2.0).run()
    assert float(at.dataframe[0].value["ρ"][0]) > float(rows["ρ"][0])
    at.text_area(key="g.split").set_value("a = x").run()
    assert len(at.error) == 1 and "must be a number between" in at.error[0].value
    at.text_area(key="g.split").set_value("a\nb = 3").run()
    assert not at.error and list(at.dataframe[0].value["release"]) == ["a", "b"]


def test_releases_with_given_epsilons_are_composed():
    at = opened("calculator", {"tab": "split", "g.plan": "each"})
    at.text_area(key="g.each").set_value("a = 0.5\nb = 0.5\nc = 0.5\nd\ne = 1").run()
    found = html(at).replace("\xa0", " ")
    assert (
        "5 releases, planned together: ε = 1.769 at δ = 1e-5. Sum of the separate ε: 3.5" in found
    )
    assert not [box for box in at.number_input if box.label == "Total ε"]


def test_notebook_of_a_plan_runs_each_release_at_its_rho():
    plan = budget_split.split(Budget(1.0), budget_split_page.shares("a\nb = 3"))
    cells = json.loads(split.notebook(plan, ""))["cells"]
    code = "".join("".join(cell["source"]) for cell in cells)
    assert all(f"{release.rho!r}" in code for release in plan.releases) and "'zcdp'" in code


def test_deployments_tab_compares_by_unit_and_filters():
    at = opened("calculator", {"mech": "dp-sgd", "tab": "deployments"})
    rows = at.dataframe[0].value
    shown = rows[rows["Like yours"] == "yes"]
    assert len(rows) == 12 and set(shown["Unit"]) <= {"one record"}
    at.selectbox(key="r.unit").set_value("person").run()
    assert set(at.dataframe[0].value["Unit"]) == {"one person"} and not at.error
    person = opened("calculator", {"mech": "dp-sgd", "g.images": "5", "tab": "deployments"})
    rows = person.dataframe[0].value
    assert set(rows[rows["Like yours"] == "yes"]["Unit"]) == {"one person"}
    assert len(rows[rows["Like yours"] == "yes"]) >= 1


def test_deployments_of_uploaded_file_are_read_once(monkeypatch):
    account = calculator.calculate(NoisySteps(1.0, 0.1, 10), 1e-5)
    assumed = calculator_page.assumptions(account)
    entry = registry_card.guarantee_entry(
        account, assumed, Path("own.yaml"), date(2026, 1, 31), "Summary statistics"
    )
    upload = io.BytesIO(registry_file.write(entry).encode())
    upload.name = "own.yaml"
    state = {table.UPLOAD: upload}
    monkeypatch.setattr(table.st, "session_state", state)
    table._take()
    assert state[table.ENTRIES] == [entry] and table.REFUSAL not in state
    upload = io.BytesIO(b"x: 1")
    upload.name = "own.yaml"
    state[table.UPLOAD] = upload
    table._take()
    assert table.ENTRIES not in state and "own.yaml" in state[table.REFUSAL]
    state[table.UPLOAD] = streamlit_internals.DeletedFile("x")
    table._take()
    assert not {table.ENTRIES, table.REFUSAL} & state.keys(), "the file of an ended session"
