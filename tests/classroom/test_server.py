"""What phones are told over real sockets, who is refused, and what everybody else is told."""

import json
import socket
import time
from contextlib import ExitStack, suppress

import pytest

from dpviz.classroom import (
    Choice,
    Curve,
    LiveClasses,
    Number,
    Private,
    connections,
    middleware,
    server,
)
from dpviz.classroom.live_class import MAX_ABSENCE, MAX_SEATS
from dpviz.classroom.middleware import NOT_FOUND, known_host
from dpviz.classroom.stream import MAX_STREAMS
from tests.kit.phones import Phone, ask, listening, until

PICK = Choice("Which?", ("this", "that"), right=1, then="For a reason.")
SECRETS = (
    PICK,
    Number("How many?", 0, 9, 1, right=7, then="For a reason."),
    Curve("How?", ("1", "2"), (0, 1), "x", "y", truth=((1, 2, 3), (4, 5, 6)), then="For a reason."),
)


@pytest.fixture(scope="module")
def clock():
    return [0.0]


@pytest.fixture(scope="module")
def served(clock):
    classes = LiveClasses(lambda: clock[0])
    with listening(classes) as port:
        yield port, classes


@pytest.fixture
def port(served):
    return served[0]


@pytest.fixture
def live_class(served):
    opened = served[1].open("teacher")
    yield opened
    opened.end()


def test_phone_gets_results_only_at_the_reveal(port, live_class):
    phone = Phone(port, live_class.code)
    with phone.listens() as event:
        assert event() == {"phase": "waiting", "number": 0, "said": None}
        asked = live_class.ask(PICK)
        told = event()
        assert told["phase"] == "asked" and told["asked"]["options"] == ["this", "that"]
        assert phone.answer(asked, 1) == (200, "")
        assert live_class.snapshot().tally == (0, 1)
        live_class.close()
        assert event()["said"] == 1
        live_class.reveal("So it is.")
        came = event()["came"]
        assert (came["tally"], came["right"], came["words"]) == ([0, 1], 1, "So it is.")
        live_class.end()
        assert event()["phase"] == "ended"
        assert event() is None


@pytest.mark.parametrize("question", SECRETS, ids=lambda q: type(q).__name__)
def test_right_answer_is_hidden_before_the_reveal(port, live_class, question):
    value = [50, 50] if isinstance(question, Curve) else 1
    live_class.answer(live_class.join(), live_class.ask(question), value)
    with Phone(port, live_class.code).listens() as event:
        for phase in ("asked", "closed"):
            told = event()
            assert told["phase"] == phase and "came" not in told
            assert not {"right", "truth", "then", "tally"} & set(told["asked"])
            assert "reason" not in json.dumps(told)
            live_class.close()
        live_class.reveal()
        assert "reason" in event()["came"]["then"]


@pytest.mark.parametrize("way", ["coin", "server"])
def test_private_question_reveals_words_only(port, live_class, way):
    """Not even the own one comes back: who picks up a phone learns that it answered, not what."""
    phone = Phone(port, live_class.code)
    asked = live_class.ask(Private("Did you ever?", way, 1.0))
    assert phone.answer(asked, "yes") == (200, "")
    assert "second answer would cost" in phone.answer(asked, "no")[1]
    live_class.reveal("About 3.")
    with phone.listens() as event:
        told = event()
    assert told["said"] is True
    assert told["came"] == {"answered": 1, "words": "About 3.", "then": ""}


def test_late_and_returning_phones_have_one_seat(port, live_class):
    asked = live_class.ask(PICK)
    phone = Phone(port, live_class.code)
    tab = Phone(port, live_class.code, cookie=phone.cookie)
    assert tab.cookie == phone.cookie
    with phone.listens() as event, tab.listens() as other:
        assert event() == other() and event is not other
        until(lambda: live_class.snapshot().connected == 1)
        phone.answer(asked, 0)
        tab.answer(asked, 1)
    until(lambda: live_class.snapshot().connected == 0)
    shot = live_class.snapshot()
    assert (shot.joined, shot.answered, shot.tally) == (1, 1, (0, 1))
    with phone.listens() as event:
        assert event()["said"] == 1


def test_oldest_of_too_many_tabs_is_closed(port, live_class):
    phone = Phone(port, live_class.code)
    with ExitStack() as tabs:
        oldest, *others = [tabs.enter_context(phone.listens()) for _ in range(MAX_STREAMS + 1)]
        assert all(event()["phase"] == "waiting" for event in (oldest, *others))
        assert oldest()["phase"] == "elsewhere" and oldest() is None


def test_seat_201_is_refused(port, live_class):
    for _ in range(MAX_SEATS):
        live_class.join()
    late = Phone(port, live_class.code)
    assert late.status == 409 and b"All 200 places" in late.told and not late.set


def test_seat_cookie_is_http_only_and_same_site(port, live_class):
    parts = {part.strip().lower() for part in Phone(port, live_class.code).set.split(";")[1:]}
    assert {"httponly", "samesite=strict", f"path=/{live_class.code.lower()}"} <= parts


def test_link_preview_takes_no_seat(port, live_class):
    status, headers, page = ask(port, "GET", f"/{live_class.code}")
    assert status == 200 and b"Joining" in page and headers["Set-Cookie"] is None
    assert live_class.snapshot().joined == 0


# ------------------------------------------------------------------------------ who is refused


def test_answer_without_seat_is_refused(served, port, live_class):
    asked = live_class.ask(PICK)
    elsewhere = served[1].open()
    stranger = Phone(port, elsewhere.code)
    stranger.code = live_class.code
    for cookie in (stranger.cookie, None, "dpviz_seat=" + "x" * 43, "dpviz_seat=\xff", "=;;="):
        assert stranger.answer(asked, 0, Cookie=cookie)[0] == 403
        assert ask(port, "GET", f"/{live_class.code}/events", Cookie=cookie)[0] == 403
    assert live_class.snapshot().answered == 0
    elsewhere.end()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": None},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Content_Type": "text/plain"},
        {"Content_Type": None},
        {"Host": "evil.example", "Origin": "http://evil.example"},
        {"Host": None},
    ],
    ids=str,
)
def test_post_of_another_site_is_refused(port, live_class, headers):
    phone, asked = Phone(port, live_class.code), live_class.ask(PICK)
    assert phone.answer(asked, 0, **headers)[0] in (404, 400)
    assert ask(port, "POST", f"/{live_class.code}/seat", b"{}", **headers)[0] in (404, 400)
    assert (live_class.snapshot().answered, live_class.snapshot().joined) == (0, 1)


@pytest.mark.parametrize(
    ("host", "known"),
    [
        *((host, True) for host in ("192.168.1.5:8502", "127.0.0.1", "localhost:8502")),
        (socket.gethostname(), True),
        *((host, False) for host in ("", "a.org:8502", "1.2.3.4.a.org", "127.1", "u@127.0.0.1")),
        *(
            (host, False)
            for host in ("127.0.0.1:x", "127.0.0.1/", "[::1]", "127.0.0.1:8502:1", "é")
        ),
    ],
)
def test_rebound_host_name_is_refused(host, known):
    assert known_host(host) == known


ELSEWHERE = (
    *("/index.html", "/favicon.ico", "/static/js/main.js", "/_stcore/health", "/_stcore/stream"),
    *(
        "/trade-off",
        "/class",
        "/media/x.png",
        "/component/x",
        "/.env",
        "/robots.txt",
        "//",
        "/a/b/c",
    ),
    *("/%2e%2e/etc/passwd", "/..%5c..%5cetc", "/ABCDE/", "/ABCDE/seat", "/ABCDE/events", "/I0L1O"),
)


@pytest.mark.parametrize("path", ELSEWHERE)
def test_unknown_path_is_not_found(port, path):
    status, headers, body = ask(port, "GET", path)
    assert (status, body) == (404, NOT_FOUND)
    assert headers["Server"] is None and headers["Allow"] is None and headers["Location"] is None


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "X"])
def test_unknown_method_is_not_found(port, live_class, method):
    for path in ("/", f"/{live_class.code}", f"/{live_class.code}/answer"):
        status, headers, _ = ask(port, method, path)
        assert (status, headers["Allow"]) == (404, None)


def test_unknown_code_is_not_found(port):
    status, headers, page = ask(port, "GET", "/ABCDE")
    assert status == 404 and b"no live class with this code" in page
    assert "script-src 'none'" in headers["Content-Security-Policy"]


def test_typed_code_redirects_to_its_class(port, live_class):
    typed = f"/?code=%20{live_class.code[:3].lower()}-{live_class.code[3:]}"
    status, headers, _ = ask(port, "GET", typed)
    assert (status, headers["Location"]) == (303, f"/{live_class.code}")
    assert ask(port, "GET", f"/{live_class.code.lower()}")[1]["Location"] == f"/{live_class.code}"
    for words in ("%3Cscript%3Ealert(1)%3C/script%3E", "%0d%0aX:y", "%00", "//a.org", "x" * 500):
        status, headers, page = ask(port, "GET", f"/?code={words}")
        assert status == 404 and b"alert(" not in page and headers["X"] is None


HOSTILE = (
    *(b"", b"null", b"[]", b"1", b'"x"', b"{", b"\xff\xfe", b"[" * 2000, b'{"number":1}'),
    *(b'{"number":"1","value":0}', b'{"number":1,"value":{"a":1}}', b'{"number":1,"value":1e400}'),
    *(b'{"number":1,"value":NaN}', b'{"number":true,"value":[0]}', b'{"number":[1],"value":0.0}'),
    *(b'{"number":1,"value":"<script>"}', b'{"number":1,"value":' + b"9" * 1900 + b"}"),
)


@pytest.mark.parametrize("body", HOSTILE, ids=lambda body: ascii(body[:30]))
def test_invalid_answer_is_refused(port, live_class, body):
    phone = Phone(port, live_class.code)
    live_class.ask(PICK)
    status, _, said = ask(port, "POST", f"/{live_class.code}/answer", body, Cookie=phone.cookie)
    assert status in (400, 409) and json.loads(said)["sorry"].endswith(".")
    assert live_class.snapshot().answered == 0


def test_oversized_body_is_refused(port, live_class):
    phone = Phone(port, live_class.code)
    body = b" " * (server.MAX_BODY_BYTES + 1)
    assert ask(port, "POST", f"/{live_class.code}/answer", body, Cookie=phone.cookie)[0] == 413
    assert ask(port, "POST", f"/{live_class.code}/seat", body)[0] == 413


def raw(port, words, patience=10):
    """What comes back for these bytes until the connection ends."""
    with socket.create_connection(("127.0.0.1", port), patience) as line:
        line.sendall(words)
        found = b""
        while some := line.recv(65_536):
            found += some
        return found


def test_long_or_malformed_head_is_refused(port):
    long = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * (4 * middleware.MAX_HEAD_BYTES)
    for words in (long, b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"hello\r\n\r\n"):
        assert raw(port, words).startswith(b"HTTP/1.1 400")


def test_oversized_complete_head_is_refused(port):
    """A head that arrives in one piece counts as well as one that is not finished."""
    head = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX: "
    assert raw(port, head + b"x" * 7_000 + b"\r\n\r\n").startswith(b"HTTP/1.1 200")
    assert raw(port, head + b"x" * 60_000 + b"\r\n\r\n").startswith(b"HTTP/1.1 431")


def swallowed(port, head, most=2**24, seconds=5):
    """Bytes of an endless body that the listener takes, up to ``most``."""
    chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
    end, taken = time.monotonic() + seconds, 0
    with socket.create_connection(("127.0.0.1", port), 1) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
        try:
            line.sendall(head)
            while taken < most and time.monotonic() < end:
                line.sendall(chunk)
                taken += len(chunk)
        except OSError:
            pass
    return taken


@pytest.mark.parametrize("path", ["/", "/none", "/{code}/seat", "/{code}/events"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_endless_body_closes_the_connection(port, live_class, path, method):
    phone = Phone(port, live_class.code)
    head = (
        f"{method} {path.format(code=live_class.code)} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Origin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Cookie: {phone.cookie}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    assert swallowed(port, head.encode()) < 2**23


def test_requests_beyond_the_rate_close_the_connection(port, monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 600.0)  # one window, however busy the machine is
    one = b"GET /none HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    taken = 0
    with socket.create_connection(("127.0.0.1", port), 5) as line, suppress(OSError):
        while taken < 4 * connections.WINDOW_BYTES:
            line.sendall(one)
            taken += len(one)
            answer = b""
            while not answer.endswith(b"Nothing here.\n") and (part := line.recv(65_536)):
                answer += part
            if not answer.endswith(b"Nothing here.\n"):
                break
    assert taken <= connections.WINDOW_BYTES + len(one)


def test_unfinished_request_times_out(port, live_class, monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.1)
    monkeypatch.setattr(server, "PATIENCE", 0.1)
    assert raw(port, b"GET / HT") == b""
    assert raw(port, b"") == b""
    own = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n".encode()
    head = b"POST /" + live_class.code.encode() + b"/seat HTTP/1.1\r\nContent-Length: 9\r\n"
    kind = b"Content-Type: application/json\r\n"
    assert raw(port, head + own + kind + b"\r\n{").startswith(b"HTTP/1.1 408")


def test_connections_above_the_limit_are_closed(port, monkeypatch):
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 0)
    with pytest.raises((ConnectionError, AssertionError)):
        assert raw(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")


def test_web_socket_is_refused(port, live_class):
    told = ask(port, "GET", f"/{live_class.code}/events", Upgrade="websocket", Connection="Upgrade")
    assert told[0] in (403, 404)


def test_every_response_has_security_headers(port, live_class):
    for path in ("/", f"/{live_class.code}", "/none", f"/{live_class.code}/events"):
        _, headers, _ = ask(port, "GET", path)
        told = headers["Content-Security-Policy"]
        assert "default-src 'none'" in told and "frame-ancestors 'none'" in told, path
        assert "unsafe" not in told and headers["X-Content-Type-Options"] == "nosniff"
        assert (
            headers["Referrer-Policy"] == "no-referrer" and headers["Cache-Control"] == "no-store"
        )
    page = ask(port, "GET", f"/{live_class.code}")[2].decode()
    assert (
        "http://" not in page.replace("http://www.w3.org/2000/svg", "") and "https://" not in page
    )


def test_phones_are_told_that_the_class_ended(served, port, live_class, clock):
    with Phone(port, live_class.code).listens() as event:
        event()
        clock[0] += MAX_ABSENCE + 1
        served[1].end_abandoned()
        assert event()["phase"] == "ended"
    assert ask(port, "POST", f"/{live_class.code}/seat", b"{}")[0] == 404
