"""Sweeps, Tuning and the ledger of a session in a real browser."""

import re

from dpviz.data import uploads
from dpviz.text import sweeps as text
from dpviz.text import tuning
from dpviz.text.session import TITLE
from tests.kit.browser import PATIENCE, settled


def test_sweep_starts_and_opens_and_study_is_counted(page, server):
    page.goto(f"{server['url']}/trade-off?data={server['own']}&m=class-mean")
    page.get_by_text(TITLE).click()
    page.get_by_text("No private run has been shown yet").wait_for(timeout=PATIENCE)
    page.goto(f"{server['url']}/sweeps")
    page.get_by_text("No sweep yet").wait_for(timeout=PATIENCE)
    settled(page)
    page.get_by_role("radio", name="TOML", exact=True).or_(
        page.get_by_role("button", name="TOML", exact=True)
    ).or_(page.get_by_text("TOML", exact=True)).first.click()
    box = page.get_by_role("textbox", name=text.TOML_TEXT)
    box.fill(f'dataset = "{uploads.PREFIX}nothing.npz"\nbudgets = [1]\nmethods = ["dppl-mean"]')
    box.press("Control+Enter")
    page.wait_for_timeout(500)
    settled(page)
    page.get_by_role("button", name=text.START, exact=True).click()
    page.get_by_text("is not available on this page").wait_for(timeout=PATIENCE)
    page.goto(f"{server['url']}/tuning?voice=precise&data={server['own']}&ir=10&trials=4")
    page.get_by_text("Showing all trials").first.wait_for(timeout=PATIENCE)
    page.get_by_text(TITLE).click()
    page.get_by_text("Total for a plan fixed beforehand").wait_for(timeout=PATIENCE)
    page.get_by_text(re.compile(r"1 run, seed 1.*ε = ")).wait_for(timeout=PATIENCE)
    settled(page)
    page.get_by_text(tuning.TABS["slices"], exact=True).first.click()
    page.get_by_text("Score against each setting").wait_for(timeout=PATIENCE)
    settled(page)  # a click while the page is drawn is lost
    page.get_by_text(tuning.TABS["prices"], exact=True).first.click()
    settled(page)
    page.get_by_role("combobox", name=tuning.SAMPLER).click()
    page.get_by_role("option", name="Random: independent trials").click()
    page.get_by_text("Private selection does not cover a fixed number of trials").wait_for(
        timeout=PATIENCE
    )
    settled(page)


def test_ledger_starts_closed_and_opens_on_two_pages(page, server):
    link = f"data={server['own']}&ir=10&m=dppl-mean&n=2"
    page.goto(f"{server['url']}/trade-off?voice=precise&{link}")
    page.get_by_text(TITLE).wait_for(timeout=PATIENCE)
    settled(page)
    assert not page.get_by_text("plan fixed beforehand").count(), "a newcomer is not met with it"
    page.get_by_text(TITLE).click()
    page.get_by_text("Some of these runs share their noise").wait_for(timeout=PATIENCE)
    page.get_by_text("26 runs: 13 budgets, seeds 0 to 1").wait_for(timeout=PATIENCE)
    settled(page)
    said = page.get_by_test_id("stSidebar").inner_text()
    assert said.count("Simulated with fixed seeds. Anyone") == 1
    study = "trials=4&sampler=random&count=geometric&tseed=3"
    page.goto(f"{server['url']}/tuning?voice=precise&data={server['own']}&ir=10&{study}")
    page.get_by_text("a secret number of trials").first.wait_for(timeout=PATIENCE)
    settled(page)
    assert not page.locator(".js-plotly-plot").count()
    page.get_by_text(TITLE).click()
    page.get_by_text("best of a secret number of runs;").wait_for(timeout=PATIENCE)
    page.get_by_text(tuning.TABS["curtain"], exact=True).first.click()
    page.locator(".js-plotly-plot").first.wait_for(timeout=PATIENCE)
    page.get_by_text("private view, not covered by the guarantee").wait_for(timeout=PATIENCE)
    page.get_by_text("best of a secret number of runs;").wait_for(
        state="detached", timeout=PATIENCE
    )
    settled(page)
