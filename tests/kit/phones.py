"""Phones that speak to a room's listener without a browser, and a listener for them."""

import http.client
import json
import threading
import time
from contextlib import contextmanager

from dpviz.classroom import connections, listener
from dpviz.classroom.joining import Pages
from dpviz.ui.server import classroom_listener

PATIENCE = 10
"""Seconds, fewer than between two signs of life of a stream."""


@contextmanager
def listening(classes):
    """A listener of this process for these rooms, on a free port of this machine; its port."""
    taken = listener.bind(("127.0.0.1", 0))
    pages = Pages(classroom_listener.scripts(), classroom_listener.styles())
    server = connections.server(pages, classes)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    until(lambda: server.started)
    try:
        yield taken.getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


def until(found):
    """Wait until something is true."""
    end = time.monotonic() + PATIENCE
    while not (result := found()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)
    return result


def ask(port, method, path, body=None, **headers):
    """Status, headers and body of one request, by a page of the listener's own unless told."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    own = {"Host": f"127.0.0.1:{port}"}
    if method == "POST":
        own |= {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    given = {n: v for n, v in (own | named).items() if v is not None}
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in given.items():
            connection.putheader(name, value)
        if body is not None and "Content-Length" not in given:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Phone:
    """One phone in a room."""

    def __init__(self, port, code, cookie=None):
        """Takes a seat, or shows the one it has."""
        self.port, self.code = port, code
        shown = {"Cookie": cookie} if cookie else {}
        self.status, headers, self.told = ask(port, "POST", f"/{code}/seat", b"{}", **shown)
        self.set = headers["Set-Cookie"] or ""
        self.cookie = self.set.partition(";")[0]

    def answer(self, number, value, **headers):
        """Status and sentence of an answer."""
        body = json.dumps({"number": number, "value": value}).encode()
        given = {"Cookie": self.cookie} | headers
        status, _, said = ask(self.port, "POST", f"/{self.code}/answer", body, **given)
        return status, json.loads(said).get("sorry", "") if said[:1] == b"{" else ""

    @contextmanager
    def listens(self):
        """Each event as it comes, of a connection that is torn at the end."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", f"/{self.code}/events", headers={"Cookie": self.cookie})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        try:
            yield lambda: next_event(answer)
        finally:
            answer.close()
            connection.close()


def next_event(answer):
    """The next event of a stream; None at its end."""
    while line := answer.readline():
        if line.startswith(b"data: "):
            return json.loads(line[6:])
    return None
