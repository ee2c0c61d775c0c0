"""Every page of the navigation, opened once: the first view of some on a phone and on a screen of
1440 × 900 pixels, then all under axe-core, light and dark.
"""

from urllib.parse import urlencode

import numpy as np
import pytest

from dpviz.text import sweeps
from dpviz.text.navigation import ENTRIES, LINKED
from dpviz.text.your_answer import GUESS_HELP, GUESS_NOTE
from tests.kit import axe
from tests.kit.browser import DESK, PATIENCE, PHONE, ROOT, forget, keep, settled
from tests.kit.toys import content, toy_data

NAMES = (*(name for titles in ENTRIES.values() for name in titles), *LINKED)
PAGES = [name.replace("_", "-") for name in NAMES]
FRONT = "front"
DEFAULT = ("public-prototypes", "trade-off")
"""Pages that are opened without a link: their words are counted."""
LINKS = {
    "front": {"pictures": "clothes", "privacy": 0.2},
    "neural-collapse": {
        "data": "etf",
        "etf.dim": 16,
        "etf.n": 300,
        "etf.beta": 0.1,
        "beside": "",
        "noisy-gd.steps": 10,
    },
    "teachers-vote": {"ir": 1, "M": 20, "asked": 20, "T": 60},
    "data": {"data": "uci-digits"},
    "break-it": {"n": 2, "of": "dppl-mean", "noticed": "no"},
    "many-pictures": {"n": 1, "m": "dppl-mean,class-mean"},
    "tuning": {"trials": 4},
    "maps": {"map": "pool", "n": 1},
}
"""Settings of a page that make it small, with the toy upload and few seeds."""

PHONE_HEIGHT, ANSWER_LINE, PLOT_TOP = 844, 26, 440
"""Pixels of a phone's first view, of a line of the answer, rounded up, and above a chart."""
ANSWER = ".st-key-answer p"
TILE = ".dp-tiles:not(.dp-waiting) .dp-tile"
SLIDER = ".st-key-phone-slider input:visible, [class*='st-key-slide-'] .own-slider:visible"
CHART = ".st-key-picture .js-plotly-plot"
WITH_SLIDER = (
    *("trade-off", "dp-means", "public-prototypes", "mixed-privacy", "neural-collapse"),
    *("who-pays", "attackers-view", "many-pictures", "tuning"),
)
"""Pages with a main slider; it moves the privacy budget."""
ON_PHONE = {
    **dict.fromkeys(WITH_SLIDER, (ANSWER, TILE, SLIDER)),
    "your-answer": (ANSWER, TILE, f"{CHART} .main-svg"),
    "sweeps": (),
}
"""Pages whose first view on a phone is looked at, and what is waited for."""

MOST_WORDS = 120
"""Outside the side bar."""
WORDS = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (parent.closest('style, script, [data-testid="stIconMaterial"], .dp-icon')) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || box.bottom <= 0 || box.top >= innerHeight) continue;
    words.push(...node.textContent.split(/\\s+/).filter((word) => /\\p{L}/u.test(word)));
  }
  return words;
}"""
UNTOLD = """() => [...document.querySelectorAll('.stPlotlyChart')]
  .map((c) => c.ariaLabel || "").filter((words) => words.length < 20)"""
GROUND = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"


@pytest.fixture(scope="module")
def look(tabs, server):
    """``look(name)``, what was seen of a page; ``again`` opens it again."""
    data = toy_data(per_class=60)
    persons = np.arange(len(data.x)) // 8
    # labels on its public set, which Mixed privacy needs
    upload = keep(server["cache"], content(y_public=data.y_public, persons=persons))
    seen = {}

    def of(name, again=False):
        if again or name not in seen:
            settings = PHONE if name in ON_PHONE else DESK
            tab = tabs(settings)
            seen[name] = _visit(tab, f"{server['url']}/{_path(name, upload)}", name)
            forget(tab, settings)
        return seen[name]

    return of


@pytest.fixture
def seen(look, name, request):
    """What was seen of the page of a test, which looks again if it failed."""
    return look(name, again=getattr(request.node, "execution_count", 1) > 1)


def _path(name, upload):
    toy = {"data": upload, "ir": 10, "n": 2} if name not in (FRONT, *DEFAULT) else {}
    link = urlencode(toy | LINKS.get(name, {}))
    return f"{name if name != FRONT else ''}?{link}"


def _visit(tab, address, name):
    tab.goto(address)
    tab.locator("h1").first.wait_for(timeout=PATIENCE)
    for part in ON_PHONE.get(name, ()):
        tab.locator(part).first.wait_for(timeout=PATIENCE)
    settled(tab)
    seen = _first_view_on_phone(tab, name) if name in ON_PHONE else {}
    if name in ON_PHONE:
        _widen(tab)
    if name in DEFAULT:
        seen["words"] = tab.evaluate(WORDS)
    _open_everything(tab)
    seen["untold"] = tab.evaluate(UNTOLD)
    if tab.locator(".stPlotlyChart").count():  # the Export menu has the data behind it
        tab.locator(".st-key-export button").first.wait_for(timeout=PATIENCE)
    # else colours fade into each other
    tab.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    seen["problems"] = axe.problems(tab)
    light = tab.evaluate(GROUND)
    tab.emulate_media(color_scheme="dark")
    tab.wait_for_function(f"{GROUND} !== '{light}'", timeout=PATIENCE)
    seen["problems"] += [f"dark: {each}" for each in axe.problems(tab, **axe.CONTRAST)]
    return seen


def _first_view_on_phone(tab, name):
    """Boxes of parts of the page, and more of some pages."""
    if name == "sweeps":
        return {"boxes": [tab.get_by_role("button", name=sweeps.START).bounding_box()]}
    boxes = lambda *parts: [tab.locator(part).first.bounding_box() for part in parts]
    if name != "your-answer":
        return {"boxes": boxes(*ON_PHONE[name]), "sliders": tab.locator(SLIDER).count()}
    seen = {"boxes": boxes(ANSWER, ".st-key-own-answer", CHART)}
    tip = tab.locator(".dp-tile .dp-tip").first
    tip.tap()
    return seen | {"tip": tip.evaluate("(tip) => getComputedStyle(tip, '::after').content")}


def _widen(tab):
    """Give a phone's tab the size of a screen, where its side bar opens."""
    tab.set_viewport_size({"width": 1440, "height": 900})
    if tab.get_by_test_id("stSidebar").count():
        tab.locator('[data-testid="stSidebar"][data-collapsed="false"]').wait_for(timeout=PATIENCE)
    settled(tab)


def _open_everything(tab):
    """Open all folds: what is folded is part of the page."""
    for _ in range(2):
        tab.evaluate(
            "document.querySelectorAll('details:not([open]) > summary').forEach((s) => s.click())"
        )
        tab.wait_for_timeout(150)
        settled(tab)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_serious_violations_in_either_theme(seen, name):
    assert not seen["untold"], "a chart without a text that says what it shows"
    assert not seen["problems"], "\n".join(seen["problems"])


@pytest.mark.parametrize("name", DEFAULT)
def test_first_view_has_few_words(seen, name):
    assert 40 < len(seen["words"]) <= MOST_WORDS, " ".join(seen["words"])


@pytest.mark.parametrize("name", WITH_SLIDER)
def test_phone_shows_answer_tile_and_one_slider(seen, name):
    assert len(seen["boxes"]) == 3
    assert all(box["y"] + box["height"] <= PHONE_HEIGHT for box in seen["boxes"]), seen["boxes"]
    assert seen["sliders"] == 1


@pytest.mark.parametrize("name", ["your-answer"])
def test_phone_shows_answer_question_and_whole_chart(seen, name):
    answer, question, chart = seen["boxes"]
    assert answer["height"] <= 3 * ANSWER_LINE, answer
    assert chart["y"] <= PLOT_TOP and chart["y"] + chart["height"] <= PHONE_HEIGHT, chart
    assert answer["y"] < question["y"] < chart["y"], "the question is the hook of the page"
    assert GUESS_NOTE in seen["tip"] and GUESS_HELP in seen["tip"]


@pytest.mark.parametrize("name", ["sweeps"])
def test_phone_shows_button_of_new_sweep(seen, name):
    [button] = seen["boxes"]
    assert button["y"] + button["height"] <= PHONE_HEIGHT, button


def test_every_page_file_is_in_navigation():
    assert {file.stem.replace("_", "-") for file in (ROOT / "pages").glob("*.py")} == set(PAGES)
