"""Controls that pages share by key: a value kept on one page never ends another."""

import ast
from collections import defaultdict
from itertools import zip_longest
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.widgets import bounded
from tests.kit.seen import APP, PRECISE

pytestmark = pytest.mark.shared_cache

ROOT = Path(APP).parent
PAGES = sorted(page.name for page in (ROOT / "pages").glob("*.py"))
KINDS = ("slider", "number_input")
LIMITS = ("min_value", "max_value", "options")


def visited(session, page, **state):
    """A page of a session, opened with this state."""
    session.switch_page(f"pages/{page}")
    for key, value in state.items():
        session.session_state[key] = value
    session.run()
    assert not session.exception, (page, state, [one.value for one in session.exception])
    return session


def session(own):
    at = AppTest.from_file(APP, default_timeout=120)
    for name, value in (PRECISE | {"data": own, "ir": "4", "adamix.max_steps": "8"}).items():
        at.query_params[name] = value
    return at


def ranges(at):
    """Range of each slider and number box, by key."""
    widgets = [one for kind in KINDS for one in getattr(at, kind) if one.key]
    return {one.key: (one.min, one.max) for one in widgets}


def test_every_slider_is_range_checked():
    """Every slider and number box goes through ``bounded``, which moves kept values into range."""
    files = [*(ROOT / "dpviz" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    direct = []
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            made, owner = node.func.attr, node.func.value
            named = owner.id if isinstance(owner, ast.Name) else ""
            ranged = len(node.args) > 1 or any(one.arg in LIMITS for one in node.keywords)
            starred = any(isinstance(one, ast.Starred) for one in node.args)
            if made not in (*KINDS, "select_slider") or named == "bounded":
                continue
            if ranged or starred:
                direct.append(f"{file.name}:{node.lineno}")
    own = [place for place in direct if place.startswith("bounded.py")]
    assert direct == own and len(own) == 3


@pytest.mark.parametrize(
    ("kept", "low", "high", "default", "fitted"),
    [
        (1, 2, 20, 10, 2),
        (21, 2, 20, 10, 20),
        (5, 2, 20, 10, 5),
        (5.0, 2, 20, 10, 5),
        ("many", 2, 20, 10, 10),
        (float("nan"), 0.0, 1.0, 0.5, 0.5),
        (3, None, None, 0.5, 3.0),
        ((-1.0, 200.0), 0.0, 100.0, (0.0, 100.0), (0.0, 100.0)),
        (7, 0.0, 100.0, (0.0, 100.0), (0.0, 100.0)),
    ],
)
def test_kept_value_moves_into_range(kept, low, high, default, fitted):
    found = bounded.clamped(kept, low, high, default)
    assert found == fitted and type(found) is type(fitted)


def test_kept_value_moves_to_nearest_option():
    assert bounded._nearest(3, (1, 2, 5, 10), 2) == 2
    assert bounded._nearest(1000, (1, 2, 5, 10), 2) == 10
    assert bounded._nearest("x", (1, 2, 5, 10), 2) == 2
    assert bounded._nearest([4, 99], (1, 2, 5, 10), (1, 2)) == (5, 10)
    assert bounded._nearest(7, (1, 2, 5, 10), (1, 2)) == (1, 2)


def test_single_seed_from_other_page_is_clamped(own):
    """Seeds start at 1 on most pages and at 2 there: Streamlit refused the kept value."""
    at = visited(session(own), "attackers_view.py", n=1, attacked=["dppl-mean", "class-mean"])
    assert at.slider(key="n").value == 2
    assert visited(at, "trade_off.py", m=["dppl-mean"]).slider(key="n").value == 2


def out_of_range(ranges_by_page, page):
    """Ends of other pages' ranges that lie outside this page's, by key."""
    ends = defaultdict(set)
    for other, key in ((o, k) for o in PAGES for k in ranges_by_page[o]):
        if key in ranges_by_page[page]:
            low, high = ranges_by_page[page][key]
            ends[key] |= {end for end in ranges_by_page[other][key] if not low <= end <= high}
    return {key: sorted(values) for key, values in ends.items() if values}


@pytest.mark.slow
def test_shared_keys_open_every_page_at_range_ends(own):
    """One visit of a page sets one such end of each of its keys."""
    at = session(own)
    ranges_by_page = {page: ranges(visited(at, page)) for page in PAGES}
    checked = 0
    for page in PAGES:
        ends = out_of_range(ranges_by_page, page)
        for values in zip_longest(*ends.values()):
            chosen = {
                key: value for key, value in zip(ends, values, strict=True) if value is not None
            }
            for key, value in chosen.items():
                if key not in at.session_state or isinstance(at.session_state[key], int):
                    chosen[key] = int(value)
            opened = visited(at, page, **chosen)
            for key in chosen:
                low, high = ranges_by_page[page][key]
                assert low <= ranges_value(opened, key) <= high
            checked += len(chosen)
    assert checked, "some range differs between pages"


def ranges_value(at, key):
    """Value of the slider or number box."""
    return next(one.value for kind in KINDS for one in getattr(at, kind) if one.key == key)


def test_pages_keep_only_imbalance_that_somebody_set():
    at = AppTest.from_file(APP, default_timeout=120)
    for name, value in (PRECISE | {"data": "uci-digits", "n": "1"}).items():
        at.query_params[name] = value

    def ratio(page):
        return visited(at, page).select_slider(key="ir").value

    assert [ratio("teachers_vote.py"), ratio("who_pays.py")] == [5, 50]
    at.select_slider(key="ir").set_value(10).run()
    assert ratio("teachers_vote.py") == 10


def test_paper_axis_and_rho_name_the_same_budget():
    at = AppTest.from_file(APP, default_timeout=120)
    for name, value in (PRECISE | {"data": "uci-digits", "axis": "zcdp", "eps": "2"}).items():
        at.query_params[name] = value
    visited(at, "trade_off.py")
    at.segmented_control(key="axis").set_value("paper").run()
    assert at.number_input(key="eps").value == 2.0
    at.number_input(key="eps").set_value(1.0).run()
    at.segmented_control(key="axis").set_value("zcdp").run()
    assert at.number_input(key="eps").value == 0.5
