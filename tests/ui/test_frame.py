"""Undo and redo, a pinned result, presentation and report: by hand-made values, and on a page with
all that is around it.
"""

import json
import re
import shutil
from datetime import date

import plotly.graph_objects as go
import pytest

from dpviz import __version__
from dpviz.formatting import percent, points
from dpviz.machine import pdf
from dpviz.stats import Interval, difference, interval
from dpviz.text import settings as text
from dpviz.types import Budget, DpvizError
from dpviz.ui.frame import page_parts, presentation, undo
from dpviz.ui.frame.undo import MAX_STEPS, History, differ
from dpviz.views import page_as_shown, report, settings_in_words
from dpviz.views.page_as_shown import Picture
from dpviz.views.page_config import PageConfig
from tests.kit.seen import answer
from tests.kit.toys import HOSTILE
from tests.kit.whole_app import opened

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]

LINK = {"ir": "10", "m": "dppl-mean,dppl-public", "n": "3"}
VIEW = PageConfig(
    "mnist5k",
    "glyphnet",
    public="glyphs",
    ir=50.0,
    budget=Budget(1.0),
    first_seed=0,
    seeds=5,
    methods=("dppl-mean",),
)


# ------------------------------------------------------------------------------------ undo and redo


def test_history_undoes_redoes_and_drops_undone_steps():
    past = History()
    for value in (1, 2, 3):
        past.note({"a": value})
    assert past.move(-1) == {"a": 2} and past.move(-1) == {"a": 1} and past.move(-1) == {"a": 1}
    assert past.move(1) == {"a": 2}
    past.note({"a": 9})
    assert past.move(1) == {"a": 9} and [s["a"] for s in past.steps] == [1, 2, 9]


def test_newly_shown_control_is_not_a_step():
    past = History()
    past.note({"a": 1})
    past.note({"a": 1, "b": 2})
    assert past.steps == [{"a": 1, "b": 2}] and not differ({"a": 1}, {"b": 1})


def test_step_interrupted_by_next_key_is_kept(monkeypatch):
    state = {"eps": 1.0}
    monkeypatch.setattr(undo.st, "session_state", state)
    undo.history("x").note(state)
    for value in (0.5, 0.3):  # two runs that begin and never come to their end
        state["eps"] = value
        undo.begin("x")
    assert [step["eps"] for step in undo.history("x").steps] == [1.0, 0.5, 0.3]


def test_change_on_another_page_is_no_step(monkeypatch):
    state = {"eps": 1.0}
    monkeypatch.setattr(undo.st, "session_state", state)

    def run(page, value):
        state["eps"] = value
        undo.begin(page)
        undo.history(page).note({"eps": value})
        return [step["eps"] for step in undo.history(page).steps]

    assert run("x", 1.0) == [1.0] and run("y", 1.0) == [1.0]
    assert run("y", 3.0) == [1.0, 3.0]
    assert run("x", 3.0) == [3.0], "Undo stays disabled"
    assert run("x", 5.0) == [3.0, 5.0]


def test_control_removed_by_change_is_not_in_step():
    past = History()
    past.note({"look": "tables", "prompts": False})
    past.note({"look": "query", "prompts": False}, begun=True)
    past.note({"look": "query"})
    assert past.steps == [{"look": "tables", "prompts": False}, {"look": "query"}]


def test_history_is_bounded():
    past = History()
    for value in range(3 * MAX_STEPS):
        past.note({"a": value})
    assert (
        len(past.steps) == MAX_STEPS
        and past.position == MAX_STEPS - 1
        and past.steps[-1] == {"a": 3 * MAX_STEPS - 1}
    )


def test_buttons_undo_and_redo_every_control(own):
    at = opened("trade_off", LINK, data=own)
    assert at.button(key="undo").disabled and at.button(key="redo").disabled
    first = answer(at)
    at.number_input(key="eps").set_value(0.3).run()
    at.segmented_control(key="score").set_value("overall").run()
    at.multiselect(key="m").set_value(["dppl-mean"]).run()
    last = answer(at)
    for _ in range(3):
        at.button(key="undo").click().run()
    assert answer(at) == first and at.button(key="undo").disabled
    assert (
        at.multiselect(key="m").value == ["dppl-mean", "dppl-public"]
        and "eps" not in at.query_params
    )
    for _ in range(3):
        at.button(key="redo").click().run()
    assert (
        answer(at) == last != first
        and at.query_params["eps"] == "0.3"
        and at.button(key="redo").disabled
    )
    at.button(key="undo").click().run()
    at.number_input(key="eps").set_value(2.0).run()
    assert at.button(key="redo").disabled, "a change after undo drops what was undone"


# ------------------------------------------------------------------------------------------ A and B


def test_difference_is_stated_with_its_interval(own):
    at = opened("trade_off", LINK, data=own, tab="compare")
    at.button(key="pin").click().run()
    assert any(m.value == text.PINNED for m in at.markdown)
    a = at.session_state["trade-off:pin"]
    at.number_input(key="eps").set_value(0.1).run()
    said = next(m.value for m in at.markdown if m.value.startswith("**A → B:"))
    assert said.replace("\\", "").startswith("**A → B: ε 1 → 0.1.** DPPL-Mean **rare classes −")
    rows = at.dataframe[0].value
    one = a.scores["DPPL-Mean"]["minority"]
    assert (
        rows["A"][0] == percent(one)
        and rows["B − A"][0].endswith(" points")
        and "±" in rows["B − A"][0]
    )
    at.segmented_control(key="score").set_value("balanced").run()
    assert any("DPPL-Mean **all classes −" in m.value for m in at.markdown), (
        "every kind of accuracy was kept"
    )
    at.button(key="unpin").click().run()
    assert (
        not any("A → B" in m.value for m in at.markdown)
        and at.button(key="pin").label == "Pin as A"
    )


def test_comparison_is_described_in_words():
    a, b = interval([0.6, 0.62, 0.64]), interval([0.4, 0.42, 0.44])
    assert settings_in_words.verdict(a, b, True) == ""
    assert settings_in_words.verdict(a, interval([0.5, 0.6, 0.8]), False) == text.UNCLEAR
    assert settings_in_words.verdict(a, interval([0.4]), False) == text.SINGLE_RUN
    assert settings_in_words.verdict(a, a, False) == text.SAME
    before = settings_in_words.Pin(
        settings_in_words.words(VIEW), {"DPPL-Mean": {"minority": a}, "Only A": {"minority": a}}
    )
    other = PageConfig(
        "mnist5k",
        "glyphnet",
        public="glyphs",
        ir=10.0,
        budget=Budget(0.02, "zcdp"),
        first_seed=0,
        seeds=5,
        methods=("dppl-mean",),
        params=(("dppl-mean", (("k_pool", 2),)),),
    )
    after = settings_in_words.Pin(settings_in_words.words(other), {"DPPL-Mean": {"minority": b}})
    said = settings_in_words.pin_sentence(before, after, "minority").replace("\\", "")
    said = said.replace("\u00a0", " ")
    assert said.startswith(
        "**A → B: IR 50 → 10; ε 1 → ρ 0.02; DPPL-Mean k_pool 1 → 2.** DPPL-Mean **rare classes "
    )
    assert points(difference(a, b).gap, difference(a, b).half) in said and "Only A" not in said
    assert [row["B"] for row in settings_in_words.pin_table(before, after, "minority")] == [
        "42%",
        text.NOT_SHOWN,
    ]


def test_pinned_view_is_small():
    pin = settings_in_words.pin(VIEW, [])
    assert pin.scores == {} and all(isinstance(v, tuple) for v in pin.words.values())
    assert Interval(0.1, 0, 1, 3).mean == 0.1


@pytest.mark.parametrize("name", ["dp_means", "public_prototypes"])
def test_single_method_pages_can_be_pinned(name, own):
    tab = {"look": "compare", "see": "compare"}
    at = opened(name, {"ir": "10", "n": "2"} | tab, data=own)
    at.button(key="pin").click().run()
    at.number_input(key="eps").set_value(0.05).run()
    assert any(m.value.startswith("**A → B: ε 1 → 0") for m in at.markdown)


# ------------------------------------------------------------------------------------- presentation


def test_presentation_shows_odds_and_can_be_left(own):
    at = opened("trade_off", LINK, data=own)
    assert "unpresent" not in [b.key for b in at.button]
    at.button(key="present").click().run()
    assert at.query_params["present"] == "1"
    assert any(
        m.value.replace("\\", "").startswith(
            "Suppose an attacker is 50% sure that an image was used. The attacker's guess is"
            " right at most 62.3% of the time."
        )
        for m in at.markdown
    )
    assert any("stSidebar" in h.proto.body for h in at.get("html"))
    chart = json.loads(at.get("plotly_chart")[0].proto.spec)
    assert (
        chart["layout"]["font"]["size"] == presentation.PRESENTATION_LETTERS
        and len(chart["frames"]) > 10
    )
    at.button(key="unpresent").click().run()
    assert "present" not in at.query_params


# ------------------------------------------------------------------------------------------- report

DAY = date(2026, 11, 23)


@pytest.fixture
def drawn(own, monkeypatch):
    """A page's record and link, as its report gets them."""
    held = []
    monkeypatch.setattr(page_parts, "LISTENERS", [held.append])
    at = opened("trade_off", LINK, data=own)
    at.number_input(key="eps").set_value(0.5).run()
    return at, held[-1], held[-1].link


def test_report_is_self_contained_and_matches_page(drawn):
    at, found, link = drawn
    page = report.page(found, link, DAY)
    assert page == report.page(found, link, DAY), "equal views give equal files"
    assert report.prose(answer(at)) in page and "What does privacy cost" in page
    own_part = page.partition("</style>")[0] + page.rpartition("</head>")[2]
    assert not re.search(r"""(src|href)=["']?http""", own_part), "nothing is fetched"
    assert page.count("<!--chart ") == 1 and own_part.count("add or remove one record") >= 2
    assert len(page) < 100_000 and all(page.count(c["mark"]) == 1 for c in report.charts(found))
    for words in (
        "python -m dpviz run",
        "eps=0.5",
        "pure DP, ε = 0.5",
        "right at most 56.3%",
        f"dpviz {__version__}, code ",
        "23 November 2026",
        report.text.LINK_WITHOUT_SERVER,
        "The guarantee covers one record (",
        "Rare classes and others",
        "At equal attacker success",
        "Here: per image",
        "Here: the data holder",
        "All runs at this budget",
        *(tile.note for tile in found.tiles),
    ):
        assert words in own_part
    server = "https://dp.example.org"
    known = report.page(found, f"{server}/{link}", DAY, f"{server}/trade-off?eps=0.5")
    assert (
        f">{server}/trade-off?eps=0.5</a>" in known and report.text.LINK_WITHOUT_SERVER not in known
    )
    assert f'href="{server}/{link.replace("&", "&amp;")}"' in known
    assert "<img src=x" not in own_part and HOSTILE[:4] not in own_part.replace("<img-", "")
    assert found.private and "Its accuracies use test records" in own_part, (
        "the main chart is no private view, though class sizes below it are one"
    )


@pytest.mark.parametrize("name", ["teachers_vote", "who_pays", "attackers_view"])
def test_pages_without_sweeps_include_their_code_in_report(name, own, monkeypatch):
    held = []
    monkeypatch.setattr(page_parts, "LISTENERS", [held.append])
    at = opened(
        name,
        {"ir": "5", "M": "20", "asked": "50", "n": "2", "attacked": "dppl-mean,class-mean"},
        data=own,
    )
    assert held, [e.value for e in at.error]
    page = report.page(held[-1], held[-1].link, DAY).rpartition("</head>")[2]
    assert (
        "dpviz" in held[-1].reproduction and report.text.PRIVATE_VIEW in page and "<figure>" in page
    )
    assert held[-1].reproduction.splitlines()[0][:20] in page


def test_report_draws_currently_viewed_budget(drawn):
    _, found, _ = drawn
    figure = found.pictures["trade-off"].figure
    still = page_as_shown.still_figure(figure, "0.5")
    assert "(0.5, 1e-5)-DP" in still.to_json().split('"frames"')[0]
    assert "(0.5, 1e-5)-DP" not in json.dumps(figure.to_plotly_json()["data"]), (
        "this view's chart was drawn at another budget"
    )


def test_frame_replaces_only_named_traces():
    figure = go.Figure(
        [go.Scatter(y=[1], name="still"), go.Scatter(y=[2], name="moving")],
        frames=[
            go.Frame(name=n, data=[go.Scatter(y=[v])], traces=[1])
            for n, v in (("0.1", 5), ("1", 7))
        ],
    )
    moved = page_as_shown.still_figure(figure, "1")
    assert [tuple(t.y) for t in moved.data] == [(1,), (7,)]
    assert figure.data[1].y == (2,) and page_as_shown.still_figure(figure, "3").data[1].y == (2,)


def test_exported_figure_matches_page_without_controls(drawn):
    _, found, _ = drawn
    figure = found.pictures["trade-off"].figure
    made = json.loads(
        page_as_shown.figure_json(
            page_as_shown.file_figure(page_as_shown.still_figure(figure, found.frame))
        )
    )
    assert "(0.5, 1e-5)-DP" in json.dumps(made["data"]) and "frames" not in made
    for words in (
        "DPPL-Mean, DPPL-Public",
        "IR 10",
        "noise seed",
        "data draw 0",
        "(0.5, 1e-5)-DP",
        "add or remove one record",
        "private views are not covered",
        f"dpviz {__version__}, code ",
    ):
        assert words in page_as_shown.foot_text(found)


def test_prose_keeps_only_bold():
    assert (
        report.prose("**a** \\<b\\> <i> \\*x\\* & \\&")
        == "<b>a</b> &lt;b&gt; &lt;i&gt; &#42;x&#42; &amp; &amp;"
    )
    assert "<i>" not in report.prose("<i>") and "<script" not in report.prose("\\<script\\>")


def test_missing_chromium_gives_message_instead_of_pdf(monkeypatch):
    monkeypatch.setattr(pdf, "browser", lambda: None)
    with pytest.raises(DpvizError, match="Chromium not found"):
        pdf.printed("<p>x</p>")


def test_failing_chromium_gives_message(monkeypatch):
    monkeypatch.setattr(pdf, "browser", lambda: shutil.which("false"))
    with pytest.raises(DpvizError, match="failed to print"):
        pdf.printed("<p>x</p>")


@pytest.mark.skipif(pdf.browser() is None, reason="a PDF needs Chromium")
def test_pdf_is_printed():
    assert pdf.printed("<!doctype html><h1>Hello</h1>").startswith(b"%PDF")


def test_nothing_is_collected_outside_a_run():
    page_parts.current_page().pictures["x"] = Picture("x")
    assert page_parts.current_page().pictures == {}
    with page_parts.collecting() as found:
        page_parts.current_page().question = "why?"
    assert found.question == "why?" and page_parts.current_page().question == ""
