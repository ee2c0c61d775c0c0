"""In a real browser a visitor is known again after a page is loaded anew, by a token that nothing
shows.
"""

from contextlib import contextmanager

import pytest

from dpviz.experiments import sweep_files
from dpviz.ui.frame import visitor
from dpviz.ui.server import visitor_cookie
from tests.kit.browser import DESK, PATIENCE, settled
from tests.kit.sweeps import toml


@contextmanager
def begun(server, who, name):
    """A sweep that this visitor began and that gives signs of life; with the word to stop it."""
    text = toml(server["own"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(server["cache"]))
        key = sweep_files.key(text, who)
        with sweep_files.watched(name, text, "here", who) as progress:
            progress("", 3, 24)
            yield sweep_files.folder() / f"{key}.stop"
        sweep_files.forget(key)


def test_visitor_is_recognized_and_others_see_nothing(page, server, browser):
    page.goto(f"{server['url']}/sweeps")
    page.get_by_text("No sweep yet").wait_for(timeout=PATIENCE)
    [cookie] = [c for c in page.context.cookies() if c["name"] == visitor_cookie.NAME]
    token = cookie["value"]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"
    with begun(server, visitor.name_of(token), "secret plan") as stop:
        page.reload()
        page.get_by_text("secret plan · running").first.wait_for(timeout=PATIENCE)
        settled(page)
        assert token not in page.content() + page.url + page.evaluate("document.cookie")
        stranger = browser.new_context(**DESK).new_page()
        stranger.goto(f"{server['url']}/sweeps")
        stranger.get_by_text("No sweep yet").wait_for(timeout=PATIENCE)
        settled(stranger)
        assert "secret" not in stranger.locator("body").inner_text()
        stranger.goto(page.url)  # a link that names it is shown, and gives no right to stop it
        stranger.get_by_text("secret plan · running").first.wait_for(timeout=PATIENCE)
        settled(stranger)
        assert not stranger.get_by_role("button", name="Stop", exact=True).count()
        stranger.context.close()
        page.get_by_role("button", name="Stop", exact=True).click()
        page.wait_for_timeout(300)
        settled(page)
        assert stop.exists()
