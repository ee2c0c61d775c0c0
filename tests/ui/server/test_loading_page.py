"""The page that a browser shows first, and what readers of a shared link are shown."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest

from dpviz.text import front
from dpviz.text import link_previews as text
from dpviz.text.navigation import ENTRIES, LINKED
from dpviz.ui.server import link_previews, loading_page

#: Text module of a page, where its name differs.
MODULES = {"class": "teach", "class-results": "teach"}


def test_page_without_plotly_script_has_the_loading_message():
    page = b"<title>Streamlit</title><body><div id='root'></div></body>"
    found = loading_page.with_loading_message(page, [])
    assert b"what privacy costs</title>" in found and b"One moment" in found
    assert 0 < found.index(b".stMainBlockContainer") < found.index(b"id='root'")
    assert b"import(" not in found and b"import(" in loading_page.with_loading_message(
        page, ["./static/js/P.js"]
    )


def test_loading_page_marks_the_open_entry():
    page = b"<body><div id='root'></div></body>"
    found = loading_page.with_loading_message(page, [], path="/dpviz/class-results").decode()
    assert "<b>Learn</b>" in found and "<span>Home</span>" in found
    assert "<b>Home</b>" in loading_page.with_loading_message(page, []).decode()
    embedded = loading_page.with_loading_message(page, [], is_embedded=True).decode()
    assert "<span>" not in embedded
    assert b"<span>Home" in given("/data", b"text/html", b"ir=10")[1]
    assert b"<span>Home" not in given("/data", b"text/html", b"present=1")[1]


def test_preview_tags_refuse_forged_hosts():
    told = link_previews.head("/dpviz/who-pays", "privacy.example.org:8501", secure=True)
    picture = 'og:image" content="https://privacy.example.org:8501/dpviz/preview.png"'
    assert "Who loses more privacy?" in told and picture in told
    for host in ('x"><script>', "a b", "x/..", ""):
        assert "og:image" not in link_previews.head("/", host, secure=False)
    assert link_previews.head("/<b>", "x", secure=False).count("<") == 6, (
        "the start, without a picture"
    )
    assert link_previews.PICTURE.stat().st_size < 100_000


def test_every_preview_belongs_to_a_page():
    names = {name for titles in ENTRIES.values() for name in titles} | set(LINKED)
    assert {name.replace("_", "-") for name in names} == set(text.PAGES) | {"front"}


@pytest.mark.parametrize("page", text.PAGES)
def test_preview_has_the_title_of_its_page(page):
    module = import_module(f"dpviz.text.{MODULES.get(page, page.replace('-', '_'))}")
    assert text.PAGES[page][0] == module.TITLE


def test_start_preview_has_the_title_of_the_front_page():
    assert text.START[0] == front.TITLE


def given(path, accept, query=b""):
    """Headers and body that a client is sent."""

    async def server(scope, receive, send):
        told = [(b"content-type", b"text/html")]
        await send({"type": "http.response.start", "status": 200, "headers": told})
        await send({"type": "http.response.body", "body": b"<head></head><body></body>"})

    sent = []

    async def send(message):
        sent.append(message)

    heard = [(b"accept", accept), (b"host", b"here")]
    scope = {"type": "http", "method": "GET", "path": path, "headers": heard, "query_string": query}
    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        thread.submit(asyncio.run, loading_page.LoadingPage(server)(scope, None, send)).result()
    return dict(sent[0]["headers"]), sent[1]["body"]


def test_styles_of_a_frame_come_only_in_a_frame():
    styles = b".stApp.streamlit-embedded {"
    assert styles in given("/data", b"text/html", b"ir=10&embed=true")[1]
    assert styles not in given("/data", b"text/html", b"ir=10")[1]


def test_preview_is_sent_to_clients_that_accept_anything():
    assert b'content="http://here/preview.png"' in given("/data", b"*/*")[1]
    assert b"og:" not in given("/static/js/x.js", b"*/*")[1]
    told, body = given("/preview.png", b"image/*")
    assert body.startswith(b"\x89PNG") and told[b"content-type"] == b"image/png"
