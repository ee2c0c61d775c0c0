"""The page "Data" in a real browser: a zip is dropped, sorted, listed with reasons, and chosen; a
phone shows it whole.
"""

from dpviz.text import data
from tests.kit.browser import PATIENCE, PHONE_IN_THE_DARK, sentence, settled, visit
from tests.kit.picture_uploads import write_upload

ONE_VISIT = True


def begin(page, server):
    ready = lambda: page.get_by_text(data.CAPTION_EQUAL).wait_for(timeout=PATIENCE)
    visit(page, f"{server['url']}/data?data=uci-digits&voice=precise", ready)


@PHONE_IN_THE_DARK
def test_phone_in_dark_mode_needs_no_horizontal_scroll(page, server):
    begin(page, server)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_zip_is_sorted_listed_and_selected(page, server, tmp_path):
    begin(page, server)
    sentence(page, "UCI digits, 1,797 images has no features from GlyphNet yet")
    tiles = [tile.inner_text() for tile in page.locator(".dp-tile").all()]
    for title, value in (
        (data.PRIVATE, "1,437"),
        (data.TEST, "360"),
        (data.CLASSES, "10"),
    ):
        assert any(title in tile and value in tile for tile in tiles), tiles
    write_upload(tmp_path / "upload.zip", 300)
    page.get_by_text(data.TABS["own"], exact=True).click()
    page.locator('input[type="file"][accept*="zip"]').set_input_files(tmp_path / "upload.zip")
    sentence(page, r"used, \d+ rejected")
    settled(page)
    page.wait_for_function("location.search.includes('data=pictures-')", timeout=PATIENCE)
    settled(page)
