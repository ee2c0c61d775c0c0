"""The page "Data" in a real browser: a zip is dropped, sorted, listed with reasons, and chosen; a phone shows it whole."""

import pytest

from tests import test_browser
from tests.test_browser import PATIENCE, browser, done, page, sentence, server, settled  # noqa: F401
from tests.test_sorting import write_upload

pytestmark = test_browser.pytestmark


def begin(page, server):  # noqa: F811
    # the front page first: a server that has shown none yet does not know the others' addresses
    page.goto(f"{server['url']}/?data={server['own']}&ir=10")
    page.get_by_role("heading", name="What does privacy cost").wait_for(timeout=PATIENCE)
    page.goto(f"{server['url']}/data?data=uci-digits")
    page.get_by_text("Training pictures a class").wait_for(timeout=PATIENCE)
    settled(page)


def test_a_zip_is_sorted_listed_and_chosen(page, server, request, tmp_path):  # noqa: F811
    begin(page, server)
    assert "1,437 private and 360 test pictures of 10 classes" in sentence(page, "UCI digits, 1,797 pictures holds")
    write_upload(tmp_path / "upload.zip", 300)
    page.locator('input[type="file"][accept*="zip"]').set_input_files(tmp_path / "upload.zip")
    sentence(page, r"used, \d+ refused")
    settled(page)
    page.get_by_role("button", name="Choose this upload").click()
    sentence(page, r"pictures\.* holds|\.zip holds")
    settled(page)
    assert "data=pictures-" in page.url
    done(request)


@pytest.mark.parametrize("page", [{"color_scheme": "dark", "viewport": {"width": 390, "height": 844}}], indirect=True)
def test_a_phone_in_the_dark_needs_no_sideways_scroll(page, server, request):  # noqa: F811
    begin(page, server)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    done(request)
