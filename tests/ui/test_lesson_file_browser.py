"""A lesson as a file, from the disk and without a network: its steps, predictions and drawings."""

import random
import re
from dataclasses import replace

import pytest

from dpviz.data import uploads
from dpviz.formatting import unbroken
from dpviz.stats import Interval
from dpviz.text import attackers_view as attack_text
from dpviz.text import export as text
from dpviz.text import lessons as lesson_text
from dpviz.ui.assets import asset
from dpviz.ui.explorable import html_file, lesson_asks, lesson_file, lesson_views
from dpviz.views import lessons, report
from dpviz.views.lessons import LESSONS, Drawing, Lesson, Outcome, Reason, Step, drawings
from tests.kit import axe
from tests.kit.from_disk import fits, opened
from tests.kit.lesson_steps import trade_off
from tests.kit.toys import HOSTILE, content
from tests.ui.test_front_file_browser import FRAME

DRAWINGS = [
    step.ask for one in LESSONS.values() for step in one.steps if isinstance(step.ask, Drawing)
]
TOLD = """([script, asked]) => {
  const drawnVerdict = new Function(`${script}; return drawnVerdict`)();
  return asked.map(([facts, drawn]) => drawnVerdict(facts, drawn));
}"""


def truth(ask, rng):
    """A curve as runs might give it, in halves of points as often as not."""
    means = [rng.choice((rng.random(), rng.randrange(201) / 200)) for _ in ask.values]
    wide = [rng.choice((0, 0, 0.004, 0.06)) for _ in means]
    return [Interval(m, max(0, m - w), min(1, m + w), 5) for m, w in zip(means, wide, strict=True)]


def curve(true, rng):
    """A drawing near the truth, or anywhere, or none."""
    far = rng.choice((3, 6, 12, 100))
    drawn = [min(100, max(0, round(100 * t.mean + rng.uniform(-far, far)))) for t in true]
    return drawn if rng.random() > 0.05 else []


def test_file_judges_drawn_curve_like_the_lesson(browser):
    rng, asked, told = random.Random(21), [], []
    for turn in range(400):
        ask = DRAWINGS[turn % len(DRAWINGS)]
        true = truth(ask, rng)
        drawn = curve(true, rng)
        asked.append([drawings.facts(ask, true), drawn])
        told.append(drawings.verdict(ask, true, drawn))
    tab = browser.new_page()
    found = tab.evaluate(TOLD, [asset("drawn_verdict.js"), asked])
    tab.close()
    assert {verdict.mark for verdict in told} == {"", "right", "near", "gap"}
    for verdict, one in zip(told, found, strict=True):
        assert one["words"] == unbroken(verdict.words)
        assert (one["mark"], one["came"]) == (verdict.mark, verdict.result)


# ------------------------------------------------------------------------------ a lesson of its own

ORIGIN = "https://example.org/dpviz/"
DRAW = Drawing("How does it run?", "eps", (0.1, 1, 10), "dppl-mean", gap="*So* it runs.")
ANSWER = "() => document.querySelector('.lf-answer').textContent"
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
TITLE = "Who is <b>asked</b>?"


def lesson(own):
    """Every kind of prediction, and every kind of thing to look at."""
    link = {"data": own, "n": "2"}
    reason = Reason("Why **so**?", ("Because of this.", "Because of that."), 1, "It is *that*.")
    outcome = Outcome("With a tenth of it?", "dppl-mean")
    methods = "dppl-mean,class-mean"
    steps = (
        Step("your-answer", {"honest": "50"}, "Look at **this**.", reason, at="own-answer"),
        trade_off(
            methods, 10, 1, "Classes.", outcome, at="trade-off-classes", tab="classes", **link
        ),
        trade_off(methods, 10, 0.1, "Draw.", DRAW, covered=True, at="answer", **link),
        Step("attackers-view", {"ir": "10", "eps": "1", **link}, "The card.", at="attack-odds"),
    )
    return Lesson("own", TITLE, "A gist.", steps, ("This can be said.",))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two files, without private views and with them; the lesson, and its pages."""
    folder, pages = tmp_path_factory.mktemp("lesson"), lesson_views.Pages()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(lesson_views, "STOPS", {"approx": (0.1, 1.0)})
        patch.setattr(lesson_views, "HONESTIES", (20, 50))
        patch.setattr(lesson_views, "Pages", lambda: pages)
        name, spec = uploads.keep(content()), lessons.spec
        # lessons are of pictures with names; an upload is a file of features, without an encoder
        patch.setattr(lessons, "suiting_encoder", lambda name: None)
        run = lambda *how: replace(spec(*how), dataset=str(uploads.path(name)))
        patch.setattr(lessons, "spec", run)
        own = lesson(name)
        patch.setitem(LESSONS, own.key, own)
        paths = [folder / f"{private}.html" for private in (False, True)]
        for private, path in enumerate(paths):
            path.write_text(lesson_file.html(own.key, ORIGIN, bool(private), "again"))
        yield paths, own, pages, lesson_asks.truth(own.steps[2], DRAW)


def bare(words):
    """Markdown without its marks, as it is read."""
    return re.sub(r"\*|\\(?=\W)", "", words)


def stroke(tab):
    """Draw from one side to the other with the mouse."""
    box = tab.locator(".dp-draw svg").bounding_box()
    tab.mouse.move(box["x"] + 40, box["y"] + 60)
    tab.mouse.down()
    tab.mouse.move(box["x"] + box["width"] - 10, box["y"] + 160, steps=5)
    tab.mouse.up()


def test_lesson_file_completes_by_pointer_and_keyboard(browser, made):
    (path, _), own, _, true = made
    assert path.stat().st_size < html_file.MAX_BYTES
    with opened(browser, path) as tab:
        tab.get_by_role("heading", name=TITLE).wait_for()
        tab.get_by_role("button", name="Yes").click()
        assert tab.locator(".stays").inner_text().startswith("Your answer: “yes”")
        tab.get_by_label("Because of this.").check()
        tab.get_by_role("button", name=lesson_text.SHOW).click()
        said = "You chose: Because of this. The right answer: Because of that. It is that."
        assert tab.locator(".lf-before").inner_text() == said
        assert tab.locator(".lf-before em").all_inner_texts() == ["Because of this.", "that"]
        tab.keyboard.press("ArrowRight")
        before = tab.locator(".lf-before").inner_text()
        assert re.search(r"before, .* now\.", before), "what came, without a guess"
        assert not tab.locator(".lf-main, .lf-hand").first.is_visible(), "covered"
        stroke(tab)
        drawn = [
            int(c.get_attribute("aria-valuenow")) for c in tab.locator(".dp-draw circle").all()
        ]
        tab.get_by_role("button", name="Show me the true curve").click()
        verdict = drawings.verdict(DRAW, true, drawn)
        assert tab.locator(".lf-before").inner_text() == bare(unbroken(verdict.words))
        assert tab.locator(".dp-draw path.true").count() == 1
        assert tab.locator(".lf-main .figure-svg").is_visible()
        assert not axe.problems(tab)
        tab.locator("body").click(position={"x": 2, "y": 2})
        tab.keyboard.press("PageDown")
        assert attack_text.ODDS_TITLE in tab.locator(".lf-part").inner_text()
        assert tab.locator(".lf-main").inner_text() == lesson_views.HIDDEN
        assert (
            tab.get_by_role("link", name=text.OPEN_STEP)
            .get_attribute("href")
            .startswith(f"{ORIGIN}attackers-view?")
        )
        tab.get_by_role("button", name=lesson_text.TO_END).click()
        assert own.says[0] in tab.locator(".lf-end").inner_text()
        came = tab.locator(".lf-predictions li b").all_inner_texts()
        assert came[0] == "✗ different" and len(came) == 2
        assert not axe.problems(tab)


def test_private_views_are_in_file_only_on_request(made):
    (without, with_them), *_ = made
    # the classes are named in the private view alone
    name = "onerror"
    assert name in HOSTILE
    assert not any(name in path.read_text() for path in (without,))
    assert len(with_them.read_text()) > len(without.read_text())


def test_every_stop_matches_page_in_both_modes(browser, made):
    (_, path), own, pages, _ = made
    with opened(browser, path) as tab:
        for step in own.steps:
            if step.ask is DRAW:
                tab.get_by_role("button", name="Skip the prediction").click()
                assert lesson_text.NOT_PREDICTED in tab.locator(".lf-asked").inner_text()
            key, values = lesson_views.hand(pages.view(step.page, step.link))
            slider = tab.locator("#lf-range")
            for place, value in enumerate(values):
                slider.fill(str(place))
                tab.evaluate(FRAMES)
                assert tab.locator(".lf-hand output").inner_text() == value
                shown = pages.view(step.page, {**step.link, key: value}).content
                assert tab.evaluate(ANSWER) == bare(shown.plain_answer)
                tab.locator(".lf-voice").click()
                assert tab.evaluate(ANSWER) == bare(shown.precise_answer)
                tab.locator(".lf-voice").click()
            if step.at == "trade-off-classes":
                tab.locator(".lf-promises summary", has_text=text.GUARANTEES).click()
                promised = tab.locator(".lf-promises td").first.inner_text()
                assert promised == report.guarantee_rows(shown)[0][1]
                badge = tab.locator(".lf-part .lf-badge")
                assert badge.inner_text() == "private view, not covered by the guarantee"
                assert HOSTILE in tab.locator(".lf-part svg").text_content()
            tab.locator(".lf-next").click()
        assert tab.url.endswith("#end")


def test_file_works_dark_printed_and_in_sandboxed_frame(browser, made):
    (path, _), *_ = made
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    with opened(browser, path, "#2", **phone) as tab:
        assert tab.locator("#lf-where").inner_text() == "Step 2 of 4"
        assert fits(tab)
        assert not axe.problems(tab)
        tab.emulate_media(media="print")
        assert not tab.locator(".lf-ways").is_visible()
        assert tab.locator(".lf-main .figure-svg").is_visible()
        ground = "getComputedStyle(document.body).backgroundColor"
        assert tab.evaluate(ground) == "rgb(255, 255, 255)", "paper is white"
        tab.emulate_media(media="screen")
        tab.evaluate(FRAME, path.read_text())
        inside = tab.frame_locator("iframe")
        inside.get_by_role("button", name="Skip").click()
        inside.get_by_role("heading", name="Step 2 of 4").wait_for()
