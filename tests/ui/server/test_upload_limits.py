"""Caps on uploads in memory: what counts, and what a request may send."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.runtime.uploaded_file_manager import DeletedFile

from dpviz.ui.server import upload_limits
from dpviz.ui.server.upload_limits import UploadLimits
from dpviz.ui.widgets import uploader

LENGTH = (b"content-length", b"10")
CHUNKED = (b"transfer-encoding", b"chunked")


async def put(app, *headers, session="a", chunks=(b"",), number=0):
    """Statuses that one upload is answered with."""
    messages = [{"type": "http.request", "body": one, "more_body": True} for one in chunks]
    messages[-1] = messages[-1] | {"more_body": False}
    parts, sent = iter(messages), []

    async def receive():
        return next(parts)

    async def send(message):
        sent.append(message)

    path = f"/_stcore/upload_file/{session}/{number}"
    scope = {"type": "http", "method": "PUT", "path": path, "headers": list(headers)}
    await app(scope, receive, send)
    return [message["status"] for message in sent if message["type"] == "http.response.start"]


class Streamlit:
    """Reads the whole body of every upload, at once or when ``may_read`` is set."""

    def __init__(self):
        self.read, self.waiting, self.may_read = 0, 0, asyncio.Event()
        self.may_read.set()

    async def __call__(self, scope, receive, send):
        self.waiting += 1
        await self.may_read.wait()
        more = True
        while more:
            message = await receive()
            self.read += len(message["body"])
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def run(scenario):
    """Run a coroutine function in an event loop of its own thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(scenario())).result()


@pytest.mark.parametrize("headers", [(LENGTH, CHUNKED), (CHUNKED, LENGTH), (CHUNKED,), ()])
def test_upload_without_a_known_length_is_refused(headers):
    async def scenario():
        streamlit = Streamlit()
        statuses = await put(UploadLimits(streamlit), *headers, chunks=[bytes(10)])
        assert statuses == [411] and not streamlit.waiting

    run(scenario)


def test_upload_longer_than_its_length_is_cut():
    async def scenario():
        streamlit = Streamlit()
        app = UploadLimits(streamlit)
        assert await put(app, LENGTH, chunks=[bytes(5), bytes(5)]) == [204]
        assert await put(app, LENGTH, chunks=[bytes(10), b"1", bytes(1000)]) == [400]
        assert streamlit.read == 20

    run(scenario)


@pytest.mark.parametrize(
    "tabs, cap", [(1, "SESSION_FILES"), (60, "UPLOADS_AT_ONCE")], ids=["one tab", "all tabs"]
)
def test_uploads_in_progress_count_as_files(tabs, cap):
    async def scenario():
        streamlit, most = Streamlit(), getattr(upload_limits, cap)
        app = UploadLimits(streamlit)
        streamlit.may_read.clear()

        def upload(number):
            return asyncio.create_task(put(app, LENGTH, session=str(number % tabs), number=number))

        started = [upload(number) for number in range(most + 40)]
        while len([task for task in started if task.done()]) < 40:
            assert streamlit.waiting <= most
            await asyncio.sleep(0)
        streamlit.may_read.set()
        answers = sorted(status for (status,) in await asyncio.gather(*started))
        assert answers == [204] * most + [413] * 40
        assert await put(app, LENGTH) == [204], "finished uploads no longer count"

    run(scenario)


def test_file_of_expired_session_is_requested_again(monkeypatch):
    state = {}
    monkeypatch.setattr(uploader.st, "session_state", state)
    assert uploader.store_upload(lambda *_: "own", DeletedFile("1")) is None
    assert state == {uploader.REFUSED: uploader.FILE_GONE}
