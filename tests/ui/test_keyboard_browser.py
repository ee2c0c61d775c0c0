"""The keyboard alone moves, takes back and opens what is on a page, and no control is left out."""

import re

import pytest

from dpviz.text import glossary, lessons, trade_off
from tests.kit.browser import DESK, PATIENCE, begin, forget, sentence, settled

ONE_VISIT = True
FOCUSED = """() => {
  const { tagName, ariaLabel, textContent } = document.activeElement;
  return ["BODY", "MAIN", "SECTION"].includes(tagName) ? null : `${ariaLabel ?? ""} ${textContent}`;
}"""
"""Words of the control that has the focus."""
KINDS = (
    "stSelectbox stMultiSelect stSlider stNumberInput stButtonGroup stRadio stCheckbox "
    "stExpander stDownloadButton stButton stTextInput"
).split()
UNREACHED = """(kinds) => kinds
  .flatMap((id) => [...document.querySelectorAll(`[data-testid="${id}"]`)])
  .filter((e) => e.checkVisibility() && !e.querySelector(':disabled'))
  .filter((e) => !window.reached.some((r) => e.contains(r)))
  .map((e) => e.textContent.slice(0, 60))"""
MOST = 120
"""Presses of the Tab key."""


@pytest.fixture(scope="module", autouse=True)
def computed(tabs, server):
    """The results of the page: while a server computes its first ones, Tab skips the closer
    views and the notes, for as long as that page is open.
    """
    visitor = tabs(DESK)
    begin(visitor, server)
    forget(visitor, DESK)


def tab_to(page, words, key="Tab"):
    """Press ``key`` until what has the focus is called ``words`` (a regular expression)."""
    for _ in range(MOST):
        page.keyboard.press(key)
        if has_focus(page, words):
            return
    raise AssertionError(f"{MOST} presses of {key} did not reach {words!r}")


def has_focus(page, words):
    focused = page.evaluate(FOCUSED)
    return focused is not None and re.search(words, focused)


def test_every_control_is_reachable_by_tab(page, server):
    begin(page, server)
    page.evaluate(
        "window.reached = []; document.addEventListener('focusin', (event) =>"
        " window.reached.push(event.target))"
    )
    for _ in range(MOST // 20):
        for _ in range(20):
            page.keyboard.press("Tab")
        if not (unreached := page.evaluate(UNREACHED, KINDS)):
            break
    assert not unreached


def test_page_works_by_keyboard_alone(page, server):
    begin(page, server)
    first = sentence(page, r"At \(1, 1e-5\)-DP")
    tab_to(page, "^Privacy budget ε")
    told = {"1": first}
    for value in ("0.5", "0.3"):  # the focus stays where it is, so that the next press goes on
        page.keyboard.press("ArrowLeft")
        told[value] = sentence(page, rf"At \({re.escape(value)}, 1e-5\)-DP")
        settled(page)
        assert has_focus(page, "^Privacy budget ε") and f"eps={value}" in page.url
    tab_to(page, "Undo")
    for value in ("0.5", "1"):
        page.keyboard.press("Enter")
        again = sentence(page, rf"At \({re.escape(value)}, 1e-5\)-DP")
        assert again.partition(" At equal")[0] == told[value].partition(" At equal")[0]
        settled(page)
    page.wait_for_function("!location.search.includes('eps=')")
    tab_to(page, "Redo")
    page.keyboard.press("Enter")
    again = sentence(page, r"At \(0\.5, 1e-5\)-DP")
    assert again.partition(" At equal")[0] == told["0.5"].partition(" At equal")[0]
    settled(page)
    page.wait_for_function("location.search.includes('eps=0.5')")
    tab_to(page, "^Methods", "Shift+Tab")
    page.keyboard.press("Backspace")  # the last method goes
    page.wait_for_function("location.search.includes('m=')")
    settled(page)
    tab_to(page, r"^\s*Guarantees\s*$")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_text(trade_off.TARGET_LABEL).first.wait_for(timeout=PATIENCE)


CHOSEN = "(new URLSearchParams(location.search).get('m')?.split(',').length ?? 0)"
"""Methods, by the link; 0 as long as they are the default ones."""


def test_down_and_enter_add_one_method(page, server):
    begin(page, server, moved=True)
    first = page.evaluate(CHOSEN)  # an earlier test may have changed them
    tab_to(page, "^Methods")
    page.keyboard.press("Backspace")
    page.wait_for_function(f"{CHOSEN} !== {first}")
    settled(page)
    before = page.evaluate(CHOSEN)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_function(f"{CHOSEN} === {before + 1}")
    settled(page)


def test_menus_open_and_lead_on_without_reload(page, server):
    begin(page, server, moved=True)
    page.evaluate("window.same = true")
    tab_to(page, r"^\s*Learn\s*$")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=lessons.TITLE).wait_for(timeout=PATIENCE)
    settled(page)
    tab_to(page, r"^\s*Glossary\s*$")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=glossary.TITLE).wait_for(timeout=PATIENCE)
    assert page.evaluate("window.same"), "the page was reloaded, and what was pinned or set is lost"
