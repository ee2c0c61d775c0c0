"""Addresses in class names stay text: no page makes links of them."""

import pytest

from dpviz.data import uploads
from tests.kit.browser import PATIENCE, keep
from tests.kit.markdown_links import HOST, NAMES, links, texts
from tests.kit.toys import labelled_content
from tests.kit.whole_app import opened

pytestmark = pytest.mark.shared_cache

PAGES = [
    ("attackers_view", {"attack": "lira", "shadows": "8"}),
    ("dp_means", {"look": "steps"}),
    ("maps", {}),
]


def content() -> bytes:
    return labelled_content(class_names=NAMES)


@pytest.mark.parametrize(("page", "more"), PAGES)
def test_no_page_links_to_addresses_in_class_names(page, more):
    shown = texts(opened(page, {"data": uploads.keep(content()), "ir": "10"} | more))
    assert any(HOST in text.replace("\\", "") for text in shown), "the page shows the names"
    assert [text for text in shown if links(text)] == []


def test_browser_does_not_link_class_names(tab, server):
    own = keep(server["cache"], content())
    tab.goto(f"{server['url']}/attackers-view?data={own}&ir=10&attack=lira&shadows=8")
    tab.get_by_text(HOST).first.wait_for(timeout=2 * PATIENCE)
    assert tab.locator(f'a[href*="{HOST}"]').count() == 0
