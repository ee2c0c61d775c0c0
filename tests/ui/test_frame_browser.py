"""Presentation, paper and report in a real browser; undo stands in test_keyboard_browser.py."""

import re

from dpviz.text import export, papers, trade_off
from tests.kit.browser import PATIENCE, PHONE_IN_THE_DARK, begin, sentence, settled

ONE_VISIT = True
GUARANTEES = trade_off.TABS["guarantees"]

PAPER = """() => {
  const main = document.querySelector(".stMainBlockContainer");
  const seen = (part) => [...document.querySelectorAll(part)].some((e) => e.offsetHeight > 0);
  return [main.scrollWidth <= main.clientWidth, seen('[data-testid="stSidebar"]'),
    seen(".st-key-picture .js-plotly-plot"), seen('[class*="st-key-card-"]')];
}"""


def sheets(pdf):
    """How many pages a PDF by Chromium has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_presentation_shows_one_chart_print_fits_one_sheet(page, server):
    begin(page, server)
    page.get_by_role("button", name="Present").click()
    back = page.get_by_role("button", name="Back to all settings")
    back.wait_for(timeout=PATIENCE)
    settled(page)
    assert "present=1" in page.url
    sentence(page, re.escape("At (1, 1e-5)-DP, no private method differs"))
    page.get_by_text("Attacker's best guess: at most 62.3%").wait_for(timeout=PATIENCE)
    assert (
        not page.get_by_test_id("stSidebar").is_visible()
        and not page.get_by_role("radio", name=GUARANTEES).is_visible()
    )
    assert (
        page.locator(".js-plotly-plot").first.is_visible()
        and sum(c.is_visible() for c in page.locator(".js-plotly-plot").all()) == 1
    )
    # repeated, since a run may replace the answer in the same moment
    page.wait_for_function(
        "parseFloat(getComputedStyle(document.querySelector('.st-key-answer p')).fontSize) >= 24",
        timeout=PATIENCE,
    )
    page.keyboard.press("Escape")
    page.wait_for_function("!location.search.includes('present')")
    page.get_by_role("radio", name=GUARANTEES).wait_for(timeout=PATIENCE)
    assert page.get_by_test_id("stSidebar").is_visible()
    settled(page)
    assert sheets(page.pdf(format="A4")) == 1
    page.emulate_media(media="print")
    assert page.evaluate(PAPER) == [True, False, True, True]
    page.emulate_media(media="null")


def test_report_opens_offline_and_charts_download_as_files(page, server, browser, tmp_path):
    begin(page, server)
    page.get_by_role("button", name=export.MENU).click()
    page.get_by_role("button", name=export.REPORT_HTML).wait_for(timeout=PATIENCE)
    settled(page)  # Streamlit forgets files that a run offers once the next run is over
    with page.expect_download(timeout=PATIENCE) as coming:
        page.get_by_role("button", name=export.REPORT_HTML).click()
    file = tmp_path / "report.html"
    coming.value.save_as(file)
    context = browser.new_context()
    alone, asked, errors = context.new_page(), [], []
    alone.on(
        "request",
        lambda r: (
            asked.append(r.url) if not r.url.startswith(("file:", "data:", "blob:")) else None
        ),
    )
    alone.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    alone.on("pageerror", lambda e: errors.append(str(e)))
    alone.goto(file.as_uri())
    alone.locator("figure > svg").first.wait_for(timeout=PATIENCE)
    assert alone.locator("figure > svg").count() == 1 and "At (1, 1e-5)-DP" in alone.text_content(
        "body"
    )
    assert sheets(alone.pdf(prefer_css_page_size=True)) == 1 and file.stat().st_size < 400_000
    settled(page)
    with page.expect_download(timeout=PATIENCE) as coming:
        page.get_by_role("button", name=export.REPORT_PDF).click()
    assert sheets(coming.value.path().read_bytes()) == 1
    assert not asked and not errors
    context.close()
    _a_chart_leaves_as_svg_and_png_and_says_what_it_shows(page, tmp_path)


def _a_chart_leaves_as_svg_and_png_and_says_what_it_shows(page, tmp_path):
    files = page.locator(".st-key-pictures-files")
    for kind in ("SVG", "PNG"):
        with page.expect_download(timeout=PATIENCE) as coming:
            files.get_by_role("button", name=re.compile(f"^{kind}: Accuracy ")).click()
        coming.value.save_as(tmp_path / kind)
        assert coming.value.suggested_filename == f"trade-off.{kind.lower()}"
    text = (tmp_path / "SVG").read_text()
    for words in ("IR 10", "(1, 1e-5)-DP", "add or remove one record", "DPPL-Public", "dpviz 0."):
        assert words in text
    assert (tmp_path / "PNG").read_bytes().startswith(b"\x89PNG")


LEFT = "document.querySelector('[data-testid=stTopNavLink]').getBoundingClientRect().left"
#: Whether the tools are above the title and in view; filter of lines.
ON_PHONE = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const line = document.querySelector(".js-plotly-plot .scatterlayer .lines");
  return [box(".st-key-tools").bottom <= box("h1").top, box(".st-key-tools").right <= innerWidth,
    getComputedStyle(line).filter];
}"""
TAB_IN_VIEW = """() => {
  const tab = document.querySelector('.st-key-pages a[href*="neural-collapse"]');
  const box = tab?.getBoundingClientRect();
  return box && box.left >= 0 && box.right <= innerWidth;
}"""


def test_navigation_keeps_its_place_without_side_bar(page, server):
    page.goto(f"{server['url']}/lessons")
    page.get_by_test_id("stTopNavLink").first.wait_for(timeout=PATIENCE)
    settled(page)
    without = page.evaluate(LEFT)
    page.get_by_test_id("stTopNavLink").filter(has_text="Data").click()
    page.get_by_test_id("stSidebarUserContent").wait_for(timeout=PATIENCE)
    settled(page)
    assert page.evaluate(LEFT) == without
    page.get_by_role("button", name="Navigate to home page").click()
    page.locator(".fp").wait_for(timeout=PATIENCE)


@PHONE_IN_THE_DARK
def test_phone_has_tools_in_top_bar_and_named_menu(page, server):
    begin(page, server, "neural-collapse", n=2)
    assert page.evaluate(ON_PHONE) == [True, True, "brightness(1.3)"]
    page.wait_for_function(TAB_IN_VIEW, timeout=5000)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    menu = page.get_by_test_id("stExpandSidebarButton")
    shown = menu.evaluate("e => getComputedStyle(e, '::after').content")
    assert shown == '"Menu"'
    menu.click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Papers").click()
    page.get_by_role("heading", name=papers.TITLE).wait_for(timeout=PATIENCE)
    settled(page)
    page.get_by_test_id("stSidebar").and_(page.locator('[data-collapsed="true"]')).wait_for(
        state="attached", timeout=PATIENCE
    )
