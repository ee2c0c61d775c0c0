"""Links: every control of every page survives the way into a link and out of it, and what a link
cannot say is told.
"""

import json
import re
import shlex
import sys
from urllib.parse import parse_qs

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from dpviz.cli import main
from dpviz.data import uploads
from dpviz.experiments import reproduce
from dpviz.types import Budget, RunSpec
from dpviz.ui.teachers_vote import student_sections
from dpviz.views import page_links, teachers_vote_page
from dpviz.views.lessons import LESSONS
from dpviz.views.teachers_vote_page import across
from tests.kit.seen import html
from tests.kit.sweeps import ran, toml
from tests.kit.toys import content_of_persons, full_content
from tests.kit.whole_app import opened

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]
QUICK = {"ir": "5", "n": "2"}
STARTS = {
    "trade_off": QUICK | {"m": "dppl-mean,dppl-public", "back": "true", "ranked": "true"},
    "dp_means": QUICK | {"table": "true"},
    "public_prototypes": QUICK | {"table": "true"},
    "who_pays": {"ir": "5", "table": "true"},
    "attackers_view": QUICK | {"attacked": "dppl-mean,class-mean", "table": "true"},
    "break_it": QUICK | {"of": "dppl-mean", "noticed": "no", "table": "true"},
    "many_pictures": {"ir": "1", "n": "1", "m": "dppl-mean,class-mean", "table": "true"},
    "teachers_vote": {"ir": "3", "M": "20", "asked": "50", "table": "true"},
    "mixed_privacy": QUICK | {"adamix.max_steps": "8"},
    "neural_collapse": QUICK | {"beside": "etf", "of": "1", "noisy-gd.steps": "10"},
    "data": {"data": "uci-digits"},
    "sweeps": {"seps": "0.1"},
    "maps": {"ir": "5", "n": "1", "map": "pool", "mapcol": "2"},
    "tuning": {"ir": "5", "trials": "3", "table": "true", "slices": "true"},
    "papers": {"paper": "mixed", "table": "true"},
    "class": {"eps": "2.0", "table": "true"},
    "glossary": {},
    "calculator": {"g.sigma": "2"},
}
"""Small work; these values are no defaults and must survive as well."""
HELD = {
    "data",
    "n",
    "m",
    "attacked",
    "M",
    "asked",
    "pre",
    "teach",
    "adamix.max_steps",
    "prompts",
    "auc",
}
"""Not moved where a move only costs time."""
FITTING = {"f.pca": 2}
"""Where a step from the default asks for what such small data cannot give."""
LOOKS = ("look", "see", "mix")
SLOW = {"moved", "imbalanced", "kept", "table"}
"""Tabs of many runs, whose own tests move their controls, and the tab that checks a method."""
FEW = {"glossary": 1, "class": 0, "data": 2, "papers": 3}
"""Pages with fewer controls than five to move."""
KINDS = (
    "number_input",
    "slider",
    "select_slider",
    "selectbox",
    "radio",
    "multiselect",
    "toggle",
    "text_input",
    "segmented_control",
)


def controls(at):
    """What the controls on the page stand at, by their name in the link."""
    history = at.session_state["memory:"]
    drawn = {w.key for kind in KINDS for w in getattr(at, kind)}
    return {
        key: value
        for key, value in history.steps[history.position].items()
        if key in drawn or isinstance(value, bool)
    }


def address(at):
    """The link of the page as it stands, as a browser would read it."""
    choices = {w.key for w in at.multiselect}
    return parse_qs(
        page_links.address("", controls(at), choices).partition("?")[2], keep_blank_values=True
    )


def other(widget):
    """A value that a control may have and has not, where it has a choice."""
    kind, now = widget.type, widget.value
    if widget.key in FITTING:
        return FITTING[widget.key]
    if kind == "multiselect":
        return list(now)[:-1] if len(now) > 1 else list(now)
    if hasattr(type(widget), "format_func"):
        titles = getattr(widget.format_func, "__self__", None)
        return next((v for v in titles or map(type(now), widget.options) if v != now), now)
    if isinstance(now, str | bool):
        return "clip & <b>" if isinstance(now, str) else not now
    if isinstance(now, tuple | list):
        return (now[0], now[1] - 1)
    if now is None:
        return widget.min
    step = widget.step or 1
    return now + step if widget.max is None or now + step <= widget.max else now - step


def moved(at, done):
    """The page with every control that is not in ``done`` moved; ``done`` grows."""
    mine = controls(at)
    todo = [
        w
        for kind in KINDS
        for w in getattr(at, kind)
        if w.key in mine and w.key not in done | HELD | set(LOOKS)
    ]
    for widget in todo:
        at.session_state[widget.key] = other(widget)
        done.add(widget.key)
    at.run()
    errors = [e.value for e in at.error]
    assert not at.exception
    assert all("Label mappings" in e or "images without noise" in e for e in errors), errors
    return at


def _open(values):
    return {key: value for key, value in values.items() if value is not False}


def _texts(at):
    # the note on releases waits for the method's checks
    return [m.value for m in at.markdown if not m.value.startswith("This page shows a simulation")]


def reopened(name, at):
    """The page as another person sees it who follows the link."""
    found = opened(name, address(at))
    # a closed fold is not in a link
    assert _open(controls(found)) == _open(controls(at))
    assert not [i.value for i in found.info if "Not all of the link" in i.value]
    assert _texts(found) == _texts(at)


def one_data_set(courses):
    """Of the table over data sets one that is small: a link is kept as well by few."""
    return {title: course for title, course in courses.items() if title.startswith("uci-digits")}


@pytest.mark.parametrize("name", STARTS)
def test_every_control_is_kept_in_link(name, labelled, tmp_path, monkeypatch):
    monkeypatch.setattr(student_sections, "SEEDS", 1)
    monkeypatch.setattr(teachers_vote_page, "across", lambda now: one_data_set(across(now)))
    if name == "many_pictures":
        labelled = uploads.keep(content_of_persons(8))
        # AppTest cannot serialize this slider where a run takes stops away from it
        monkeypatch.setattr(sys.modules[__name__], "HELD", HELD | {"records"})
    if name == "sweeps":
        ran(labelled, tmp_path, text=toml(labelled, "delta = 1e-6\n"))
        ran(labelled, tmp_path)
    at = opened(name, {"data": labelled} | STARTS[name] if STARTS[name] else {})
    look = next((w for kind in KINDS for w in getattr(at, kind) if w.key in LOOKS), None)
    done = set()
    for value in [v for v in look.format_func.__self__ if v not in SLOW] if look else [None]:
        if look:
            at.session_state[look.key] = value
            at.run()
        reopened(name, moved(at, done))
    assert len(done) >= FEW.get(name, 5)
    assert not done & page_links.NON_CONTROLS, (
        "a control's name in the link means something else as well"
    )


PAGE = """
from dpviz.ui.frame import link_notes, page_parts
from dpviz.views import page_links
from tests.kit.sidebar import sidebar
from dpviz.ui.widgets import shared_controls
with page_parts.collecting() as drawn:
    import streamlit as st
    st.session_state["view"] = (sidebar(), shared_controls.metric())
    st.session_state["link"] = page_links.address("", link_notes.controls(), drawn.choices)
"""
WORDS = {
    "axis": st.sampled_from(["approx", "zcdp", "paper"]),
    "data": st.sampled_from(["mnist5k", "uci-digits"]),
    "delta": st.sampled_from([1e-5, 1e-6, 3e-9]),
    "eps": st.one_of(st.sampled_from([0.01, 1.0, 10.0]), st.floats(1e-6, 1e6, allow_nan=False)),
    "ir": st.sampled_from([1, 50, 1000]),
    "m": st.lists(
        st.sampled_from(["dppl-mean", "dppl-public", "noisy-gd", "class-mean"]),
        unique=True,
        max_size=4,
    ),
    "n": st.integers(1, 20),
    "records": st.sampled_from(["100", "all"]),
    "seed": st.integers(0, 2**31),
    "dppl-mean.form": st.sampled_from(["sum", "printed", "coinpress"]),
    "dppl-public.d_min": st.floats(0, 1.9).map(lambda v: round(v, 2)),
    "f.pca": st.sampled_from([0, 8]),
}


@given(drawn=st.fixed_dictionaries({}, optional=WORDS))
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_view_is_kept_in_link(drawn):
    at = AppTest.from_string(PAGE, default_timeout=60)
    at.query_params["voice"] = "precise"  # which offers every axis
    at.run()
    for key, value in drawn.items():
        at.session_state[key] = value
    at.run()
    again = AppTest.from_string(PAGE, default_timeout=60)
    again.query_params |= parse_qs(
        at.session_state["link"].partition("?")[2], keep_blank_values=True
    )
    again.run()
    assert not at.exception and not again.exception
    assert (
        again.session_state["view"] == at.session_state["view"]
        and again.session_state["link"] == at.session_state["link"]
    )
    view = at.session_state["view"][0]
    assert (
        view.budget.value == drawn.get("eps", 1.0)
        and view.first_seed == drawn.get("seed", 0)
        and view.ir == drawn.get("ir", 50)
    )


@pytest.mark.parametrize(("key", "value"), [("enc", None), ("pub", None), ("f.centre", "yes")])
def test_encoder_public_set_and_preparation_survive_the_link(key, value):
    at = AppTest.from_string(PAGE, default_timeout=60).run()
    widget = next(
        w for w in (*at.selectbox, *at.toggle, *at.radio, *at.number_input) if w.key == key
    )
    at.session_state[key] = wanted = other(widget)
    at.run()
    again = AppTest.from_string(PAGE, default_timeout=60)
    again.query_params |= parse_qs(at.session_state["link"].partition("?")[2])
    again.run()
    assert (
        again.session_state["view"] == at.session_state["view"]
        and again.session_state[key] == wanted
    )


# ------------------------------------------------------------------------ what a link could not say


def test_invalid_link_values_are_noted_until_control_moves(own):
    at = opened(
        "trade_off",
        {"data": own, "ir": "10", "m": "dppl-mean", "n": "2", "eps": "many", "epz": "3"},
        score="vibes",
    )
    note = at.info[0].value
    assert "**eps** cannot be “many”; 1 is used." in note and "**epz** (“3”) is no setting" in note
    assert "**score** cannot be “vibes”; minority is used." in note and "**ir**" not in note
    at.number_input(key="eps").set_value(0.5).run()
    assert not at.info


@pytest.mark.parametrize("name", ["glossary", "data"])
def test_page_without_runs_ignores_settings_of_others(name, own):
    at = opened(name, {"data": own, "unit": "person", "k": "5"})
    assert not [i.value for i in at.info if "unit" in i.value]


@pytest.mark.parametrize(
    ("name", "bad", "used"),
    [
        ("data", {"data": "moon", "enc": "eyes", "pub": "1"}, ("mnist5k", "glyphnet", "glyphs")),
        (
            "sweeps",
            {"sweep": "gone", "sir": "7", "seps": "x", "set.dppl-mean": "y", "score": "z"},
            (None, "1", "1", "clip=0.5", "minority"),
        ),
        (
            "tuning",
            {
                "tm": "luck",
                "trials": "1",
                "sampler": "dice",
                "count": "0",
                "only.dppl-public": "d",
                "tseed": "-1",
            },
            ("dppl-public", "20", "tpe", "fixed", "nothing", "0"),
        ),
    ],
)
def test_invalid_values_fall_back_with_notes(name, bad, used, own, tmp_path):
    if name == "sweeps":
        ran(own, tmp_path)
    needed = {"tuning": {"data": own, "ir": "5"}, "sweeps": {"data": own}}
    at = opened(name, needed.get(name, {}) | bad)
    note = at.info[0].value.replace("\\", "")
    for (key, value), other in zip(bad.items(), used, strict=True):
        assert f"**{key}** cannot be “{value}”; {other or ''}" in note


def test_sweep_link_names_sweep_even_if_newest(own, tmp_path):
    ran(own, tmp_path)
    at = opened("sweeps", data=own)
    newest = at.query_params["sweep"]
    ran(own, tmp_path, text=toml(own, "delta = 1e-6\n"))
    assert opened("sweeps", data=own).query_params["sweep"] != newest
    assert controls(opened("sweeps", {"sweep": newest}))["sweep"] == newest


def test_missing_sweep_is_reported(own):
    at = opened("sweeps", {"sweep": "gone"})
    assert "This server has no sweep with that link" in at.markdown[0].value


def test_hostile_link_is_quoted_and_truncated():
    found = page_links.notes(
        {"<b>": ["<script>" * 50], "eps": ["[x](javascript:1)"], "lesson": ["x"]},
        {"eps": 1.0},
        set(),
        True,
    )
    assert len(found) == 2 and all(len(line) < 250 for line in found)
    assert "<" not in "".join(found).replace("\\<", "") and "[x](" not in "".join(found)


def test_known_list_values_are_kept_and_others_named():
    raw, values = {"m": ["dppl-mean,luck,dice"]}, {"m": ["dppl-mean"]}
    [note] = page_links.notes(raw, values, {"m"}, True)
    assert note.replace("\\", "") == "**m** has no “luck, dice”; dppl-mean is used."
    [note] = page_links.notes({"m": ["luck"]}, values, {"m"}, True)
    assert "cannot be “luck”" in note


def test_known_methods_are_kept_beside_unknown_one(own):
    at = opened("trade_off", {"data": own, "ir": "10", "m": "dppl-mean,luck", "n": "1"})
    assert at.multiselect(key="m").value == ["dppl-mean"]
    assert "**m** has no “luck”; dppl\\-mean is used." in at.info[0].value


def test_values_unread_by_partial_page_are_not_unknown():
    assert page_links.notes({"want": ["70"]}, {}, set(), False) == [] and page_links.notes(
        {"want": ["70"]}, {}, set(), True
    )


def test_valid_links_and_explicit_defaults_give_no_note():
    raw = {"eps": ["1.0"], "delta": ["1e-05"], "back": ["TRUE"], "m": ["a,b"], "band": ["10", "90"]}
    assert (
        page_links.notes(
            raw,
            {"eps": 1.0, "delta": 1e-5, "back": True, "m": ["a", "b"], "band": [10.0, 90.0]},
            {"m"},
            True,
        )
        == []
    )


@pytest.mark.parametrize("lesson", LESSONS)
def test_lessons_set_only_parameters_of_their_page(lesson):
    """By name: the pages' own tests draw them."""
    known = {"m", "ir", "eps", "score", "data", "enc", "pub", "look", "see", "tab"}
    own = {
        "attackers-view": {"prior", "attacked", "risk"},
        "teachers-vote": {"M"},
        "your-answer": {"honest", "times", "people"},
        "break-it": {"mistake", "noticed", "of", "promise"},
    }
    for step in LESSONS[lesson].steps:
        names = known | own.get(step.page, set())
        assert all(key in names or "." in key for key in step.link), step.link


# ----------------------------------------------------------------------------------- page → command


def test_printed_figure_matches_command(own, capsys):
    at = opened(
        "trade_off",
        {"data": own, "ir": "10", "m": "dppl-public", "n": "3", "eps": "0.3", "score": "balanced"},
    )
    said = re.search(r"<strong>([\d.]+)%", html(at))[1]
    values = []
    for seed in range(3):
        spec = RunSpec(
            uploads.display_path(uploads.path(own)),
            None,
            "dppl-public",
            Budget(0.3),
            ir=10.0,
            params=(),
            seed=seed,
        )
        assert main(shlex.split(reproduce.run_command(spec))[3:]) == 0
        values.append(json.loads(capsys.readouterr().out)["accuracy"]["balanced"])
    places = len(said.partition(".")[2])
    assert said == f"{100 * np.mean(values):.{places}f}"


@pytest.mark.parametrize("name", ["trade_off", "attackers_view", "teachers_vote"])
def test_infinite_link_number_is_noted_and_page_drawn(name):
    own = uploads.keep(full_content())
    at = opened(name, {"data": own, "seed": "1e400", "n": "2", "M": "20", "asked": "50"})
    assert not at.exception and "1e400" in " ".join(i.value for i in at.info)


def test_infinite_numbers_are_recognized():
    assert all(map(page_links.endless, ("1e400", "inf", "-Infinity", "nan", "9" * 400)))
    assert not any(map(page_links.endless, ("1e30", "-1", "", "∞", "glyphs", "0x10")))
