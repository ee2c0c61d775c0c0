"""Two visitors of one server: neither sees, stops nor forgets what is the other's."""

import os
import time
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.cli import main
from dpviz.data import uploads
from dpviz.experiments import sweep_files
from dpviz.machine import ownership
from dpviz.text import sweeps as text
from dpviz.ui.frame import visitor
from dpviz.ui.server import visitor_cookie
from dpviz.ui.server.visitor_cookie import VisitorCookie
from tests.kit import seen
from tests.kit.sweeps import toml

PAGES = Path(__file__).resolve().parents[2] / "pages"
UPLOADS = """
import streamlit as st
from dpviz.data import uploads
from dpviz.ui.frame import visitor
from dpviz.ui.widgets import uploader
class File:
    name = st.session_state.get("name", "")
    def getvalue(self):
        return st.session_state.pop("file")
if "file" in st.session_state:
    uploader.store_upload(uploads.keep, File())
uploader.refused()
uploader.all_mine()
st.session_state.choices = visitor.my_uploads()
visitor.visitor_name()
"""
A, B = "a" * 32, "b" * 32


def opened(at, who="", **link):
    for key, value in link.items():
        at.query_params[key] = value
    if who:
        at.session_state[visitor.VISITOR] = who
    at.run()
    assert not at.exception
    return at


def uploading(who="", **link):
    return opened(AppTest.from_string(UPLOADS, default_timeout=90), who, **link)


def put(at, content):
    at.session_state["file"] = content
    at.run()
    assert not at.exception
    return at


def test_refused_upload_is_named_by_its_title():
    said = f"y_train in cache/uploads/own-{'0a' * 10}.npz holds 1,001 classes."
    told = "y_train in your own features (0a0a0a) holds 1,001 classes."
    assert uploads.with_titles(said) == told
    assert uploads.with_titles("own-data.npz is empty.") == "own-data.npz is empty."


def choices(at):
    return at.run().session_state["choices"]


def sweeps(who, **link):
    return opened(AppTest.from_file(PAGES / "sweeps.py", default_timeout=90), who, **link)


def words(at):
    progress = [one.proto.text for one in at.get("progress")]
    texts = [m.value for m in at.markdown] + [c.value for c in at.caption] + progress
    return " ".join(texts) + str([box.options for box in at.selectbox])


# ------------------------------------------------------------------------------------------ uploads


def test_uploads_are_private_but_usable_by_link():
    first, second = uploading(), uploading()
    put(first, b"mine")
    [name] = choices(first)
    assert choices(second) == [] and not second.button and name not in words(second)
    follower = uploading(data=name)
    assert choices(follower) == [name] and not follower.button, "a link gives no right to forget"
    again = uploading(first.session_state[visitor.VISITOR])
    assert choices(again) == [name], "a page that is loaded anew has the same visitor"
    again.button[0].click().run()
    assert choices(again) == choices(first) == choices(follower) == []
    assert not uploads.path(name).exists()


def test_upload_link_keeps_chosen_encoder():
    first = put(uploading(), b"mine")
    [name] = choices(first)
    assert f'href="trade-off?data={name}"' in seen.html(first)
    chosen = uploading(first.session_state[visitor.VISITOR], data=name, enc="lite0-128")
    assert f'href="trade-off?data={name}&amp;enc=lite0-128"' in seen.html(chosen)


def test_shared_upload_stays_until_both_owners_forget_it():
    first, second = put(uploading(A), b"same"), put(uploading(B), b"same")
    [name] = choices(first)
    first.button[0].click().run()
    assert choices(first) == [] and choices(second) == [name]
    second.button[0].click().run()
    assert not uploads.path(name).exists()


def test_each_owner_sees_own_file_name():
    first, second = (uploading(who) for who in (A, B))
    for at, name in ((first, "x**<b>.npz"), (second, "C:\\b.npz")):
        at.session_state["name"] = name
        put(at, b"same")
    [name] = choices(first)
    for who, told, other in ((A, "x\\*\\*\\<b\\>\\.npz", "b.npz ("), (B, "b\\.npz", "x")):
        again = uploading(who)
        assert f"{told} \\({name[4:10]}\\), 0.0 MiB" in words(again) and other not in words(again)
    first.button[0].click().run()
    assert "b\\.npz" in words(uploading(B))
    follower = uploading(data=name)
    assert choices(follower) == [name] and not words(follower).strip("[]")


def test_excess_upload_is_refused_without_affecting_others(monkeypatch):
    monkeypatch.setattr(uploads, "MAX_UPLOADS", 2)
    theirs = choices(put(uploading(B), b"theirs"))
    first = uploading(A)
    for content in (b"1", b"2", b"3", b"2"):
        put(first, content)
        assert len(first.error) == (content == b"3")
    assert len(choices(first)) == 2 and choices(uploading(B)) == theirs
    put(first, b"3")
    assert "Limit of 2 uploads per visitor" in first.error[0].value
    monkeypatch.setattr(uploads, "MAX_UPLOAD_BYTES", 4)
    monkeypatch.setattr(uploads, "MAX_UPLOADS", 9)
    assert "uploads per visitor reached" in put(first, b"345").error[0].value
    assert not put(first, b"34").error


def test_full_disk_evicts_oldest_upload_of_largest_owner(monkeypatch):
    monkeypatch.setattr(uploads, "TOTAL", 100)
    kept = {}
    for who, content in ((B, b"b" * 30), (A, b"1" * 25), (A, b"2" * 20)):
        [kept[content]] = {uploads.keep(content, who)}
        for path in ownership.folder().glob("*/*"):
            os.utime(path, (path.stat().st_mtime - 100,) * 2)
    uploads.keep(b"3" * 30, A)
    assert not uploads.path(kept[b"1" * 25]).exists(), "twenty tiny ones cost a stranger nothing"
    assert uploads.path(kept[b"b" * 30]).exists() and uploads.path(kept[b"2" * 20]).exists()


def test_team_mode_shows_and_controls_everything(monkeypatch, own):
    [name] = choices(put(uploading(A), b"mine"))
    monkeypatch.setenv(visitor.SHARED, "1")
    second = uploading(B)
    assert choices(second) == [name]
    second.button[0].click().run()
    assert choices(second) == []
    running(A, own)
    assert [b.label for b in sweeps(B).button if b.label == "Stop"]


def test_shared_option_enables_team_mode(monkeypatch):
    monkeypatch.delenv(visitor.SHARED, raising=False)
    monkeypatch.setattr("runpy.run_module", lambda *_, **__: None)
    monkeypatch.setattr("sys.argv", [])
    monkeypatch.setattr("os.environ", dict(os.environ))
    assert main(["app"]) == 0 and visitor.SHARED not in os.environ
    assert main(["app", "--shared"]) == 0 and visitor.shared()


# ------------------------------------------------------------------------------------------- sweeps


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A sign of life counts for as long as a test may take."""
    monkeypatch.setattr(sweep_files, "MAX_SILENCE", 600.0)


def running(who, own, name="secret plan"):
    """The status of a sweep that a visitor began and that gives signs of life."""
    text, now = toml(own), time.time()
    key = sweep_files.key(text, who)
    status = sweep_files.Status(key, name, text, "here", "running", "", 3, 24, now, now, who)
    sweep_files.keep(status)
    return key


def test_sweep_is_private_and_link_offers_no_stop(own):
    key = running(A, own)
    mine = sweeps(A)
    assert "**secret plan** · running" in words(mine)
    stranger = sweeps(B)
    assert "secret" not in words(stranger) and own not in words(stranger)
    assert "No sweep yet." in words(stranger)
    follower = sweeps(B, sweep=key)
    assert "secret plan" in words(follower)
    assert not [b for b in follower.button if b.label in (text.STOP, text.FORGET)]
    [stop] = [b for b in mine.button if b.label == "Stop"]
    stop.click().run()
    assert (sweep_files.folder() / f"{key}.stop").exists()


def test_identical_sweeps_of_two_visitors_stop_separately(own):
    first, second = running(A, own), running(B, own)
    assert first != second and len(sweep_files.statuses()) == 2
    [stop] = [b for b in sweeps(A).button if b.label == "Stop"]
    stop.click().run()
    assert not (sweep_files.folder() / f"{second}.stop").exists()


def test_shell_sweep_is_shown_without_upload_details(own):
    running("", own, "hers by shell")
    assert "hers by shell" in words(sweeps(B, data=own))
    assert "hers by shell" not in words(sweeps(B)) and own not in words(sweeps(B))
    plain = "dataset = 'mnist5k'\nencoder = 'glyphnet'\nbudgets = [1]\nmethods = ['dppl-mean']\n"
    status = sweep_files.Status(sweep_files.key(plain), "plain", plain, "here", "finished")
    sweep_files.keep(status)
    at = sweeps(B)
    assert "plain" in words(at) and not [b for b in at.button if b.label == text.FORGET]


# ------------------------------------------------------------------------------------------- cookie


def answered(kind="http", accept=b"text/html,*/*", cookie=b"", scheme="http"):
    """The headers of an answer to who sends these."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "headers": [(b"x", b"y")]})
        await send({"type": "http.response.body"})

    async def send(message):
        sent.append(message)

    headers = [(b"accept", accept), (b"cookie", cookie)]
    scope = {"type": kind, "headers": headers, "scheme": scheme}
    with pytest.raises(StopIteration):  # nothing in it waits, and the browser tests have the loop
        VisitorCookie(app)(scope, None, send).send(None)
    assert sent[0]["headers"][0] == (b"x", b"y")
    return dict(sent[0]["headers"]).get(b"set-cookie", b"").decode()


def test_page_sets_http_only_cookie_and_keeps_it():
    line = answered()
    value = SimpleCookie(line)[visitor_cookie.NAME].value
    assert visitor_cookie.token(value) and "HttpOnly; SameSite=Lax" in line
    assert "Secure" not in line and answered(scheme="https").endswith("; Secure")
    kept = answered(cookie=f"other=1; {visitor_cookie.NAME}={value}".encode())
    assert SimpleCookie(kept)[visitor_cookie.NAME].value == value
    assert answered() != line, "two browsers have two"


@pytest.mark.parametrize("bad", ["", "x", "a" * 44, "../" * 10, "é" * 43])
def test_invalid_token_is_replaced(bad):
    line = answered(cookie=f"{visitor_cookie.NAME}={bad}".encode("latin-1"))
    value = SimpleCookie(line)[visitor_cookie.NAME].value
    assert value != bad and visitor_cookie.token(value)


def test_scripts_images_and_sockets_get_no_cookie():
    assert not answered(accept=b"*/*") and not answered(kind="websocket")
