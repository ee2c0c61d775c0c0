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
from dpviz.classroom.middleware import NOTHING, known_host
from dpviz.classroom.rooms import MOST_SEATS, UNTOUCHED
from dpviz.classroom.stream import STREAMS
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
    rooms = LiveClasses(lambda: clock[0])
    with listening(rooms) as port:
        yield port, rooms


@pytest.fixture
def port(served):
    return served[0]


@pytest.fixture
def room(served):
    opened = served[1].open("teacher")
    yield opened
    opened.end()


def test_a_phone_hears_of_each_phase_and_is_told_what_came_at_the_reveal_alone(port, room):
    phone = Phone(port, room.code)
    with phone.listens() as event:
        assert event() == {"phase": "waiting", "number": 0, "said": None}
        asked = room.ask(PICK)
        told = event()
        assert told["phase"] == "asked" and told["asked"]["options"] == ["this", "that"]
        assert phone.answer(asked, 1) == (200, "")
        assert room.snapshot().tally == (0, 1)
        room.close()
        assert event()["said"] == 1
        room.reveal("So it is.")
        came = event()["came"]
        assert (came["tally"], came["right"], came["words"]) == ([0, 1], 1, "So it is.")
        room.end()
        assert event()["phase"] == "ended"
        assert event() is None


@pytest.mark.parametrize("question", SECRETS, ids=lambda q: type(q).__name__)
def test_nothing_that_is_right_reaches_a_phone_before_the_reveal(port, room, question):
    value = [50, 50] if isinstance(question, Curve) else 1
    room.answer(room.join(), room.ask(question), value)
    with Phone(port, room.code).listens() as event:
        for phase in ("asked", "closed"):
            told = event()
            assert told["phase"] == phase and "came" not in told
            assert not {"right", "truth", "then", "tally"} & set(told["asked"])
            assert "reason" not in json.dumps(told)
            room.close()
        room.reveal()
        assert "reason" in event()["came"]["then"]


@pytest.mark.parametrize("way", ["coin", "server"])
def test_of_a_private_question_phones_are_told_the_words_alone(port, room, way):
    """Not even the own one comes back: who picks up a phone learns that it answered, not what."""
    phone = Phone(port, room.code)
    asked = room.ask(Private("Did you ever?", way, 1.0))
    assert phone.answer(asked, "yes") == (200, "")
    assert "first answer stands" in phone.answer(asked, "no")[1]
    room.reveal("About 3.")
    with phone.listens() as event:
        told = event()
    assert told["said"] is True
    assert told["came"] == {"answered": 1, "words": "About 3.", "then": ""}


def test_who_comes_late_twice_or_back_has_one_seat(port, room):
    asked = room.ask(PICK)
    phone = Phone(port, room.code)
    tab = Phone(port, room.code, cookie=phone.cookie)
    assert tab.cookie == phone.cookie
    with phone.listens() as event, tab.listens() as other:
        assert event() == other() and event is not other
        until(lambda: room.snapshot().connected == 1)
        phone.answer(asked, 0)
        tab.answer(asked, 1)
    until(lambda: room.snapshot().connected == 0)
    shot = room.snapshot()
    assert (shot.joined, shot.answered, shot.tally) == (1, 1, (0, 1))
    with phone.listens() as event:
        assert event()["said"] == 1


def test_of_too_many_tabs_the_oldest_is_told(port, room):
    phone = Phone(port, room.code)
    with ExitStack() as tabs:
        oldest, *others = [tabs.enter_context(phone.listens()) for _ in range(STREAMS + 1)]
        assert all(event()["phase"] == "waiting" for event in (oldest, *others))
        assert oldest()["phase"] == "elsewhere" and oldest() is None


def test_the_201st_seat_is_refused_in_a_sentence(port, room):
    for _ in range(MOST_SEATS):
        room.join()
    late = Phone(port, room.code)
    assert late.status == 409 and b"All 200 seats" in late.told and not late.set


def test_a_seat_is_a_cookie_that_no_script_reads_and_no_other_site_sends(port, room):
    parts = {part.strip().lower() for part in Phone(port, room.code).set.split(";")[1:]}
    assert {"httponly", "samesite=strict", f"path=/{room.code.lower()}"} <= parts


def test_a_link_is_looked_at_without_taking_a_seat(port, room):
    status, headers, page = ask(port, "GET", f"/{room.code}")
    assert status == 200 and b"Joining" in page and headers["Set-Cookie"] is None
    assert room.snapshot().joined == 0


# ------------------------------------------------------------------------------ who is refused


def test_an_answer_without_a_seat_is_refused(served, port, room):
    asked = room.ask(PICK)
    elsewhere = served[1].open()
    stranger = Phone(port, elsewhere.code)
    stranger.code = room.code
    for cookie in (stranger.cookie, None, "dpviz_seat=" + "x" * 43, "dpviz_seat=\xff", "=;;="):
        assert stranger.answer(asked, 0, Cookie=cookie)[0] == 403
        assert ask(port, "GET", f"/{room.code}/events", Cookie=cookie)[0] == 403
    assert room.snapshot().answered == 0
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
def test_another_sites_page_is_told_that_nothing_is_here(port, room, headers):
    phone, asked = Phone(port, room.code), room.ask(PICK)
    assert phone.answer(asked, 0, **headers)[0] in (404, 400)
    assert ask(port, "POST", f"/{room.code}/seat", b"{}", **headers)[0] in (404, 400)
    assert (room.snapshot().answered, room.snapshot().joined) == (0, 1)


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
def test_a_name_that_was_made_to_lead_here_is_not_this_machines(host, known):
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
def test_every_other_page_is_none(port, path):
    status, headers, body = ask(port, "GET", path)
    assert (status, body) == (404, NOTHING)
    assert headers["Server"] is None and headers["Allow"] is None and headers["Location"] is None


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "X"])
def test_every_other_method_is_none(port, room, method):
    for path in ("/", f"/{room.code}", f"/{room.code}/answer"):
        status, headers, _ = ask(port, method, path)
        assert (status, headers["Allow"]) == (404, None)


def test_a_room_that_is_none_is_said_to_be_none(port):
    status, headers, page = ask(port, "GET", "/ABCDE")
    assert status == 404 and b"no open room" in page
    assert "script-src 'none'" in headers["Content-Security-Policy"]


def test_a_typed_code_leads_to_its_room_and_hostile_words_to_none(port, room):
    typed = f"/?code=%20{room.code[:3].lower()}-{room.code[3:]}"
    status, headers, _ = ask(port, "GET", typed)
    assert (status, headers["Location"]) == (303, f"/{room.code}")
    assert ask(port, "GET", f"/{room.code.lower()}")[1]["Location"] == f"/{room.code}"
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
def test_what_is_no_answer_is_refused_in_a_sentence(port, room, body):
    phone = Phone(port, room.code)
    room.ask(PICK)
    status, _, said = ask(port, "POST", f"/{room.code}/answer", body, Cookie=phone.cookie)
    assert status in (400, 409) and json.loads(said)["sorry"].endswith(".")
    assert room.snapshot().answered == 0


def test_a_body_too_large_is_refused(port, room):
    phone = Phone(port, room.code)
    body = b" " * (server.BODY + 1)
    assert ask(port, "POST", f"/{room.code}/answer", body, Cookie=phone.cookie)[0] == 413
    assert ask(port, "POST", f"/{room.code}/seat", body)[0] == 413


def raw(port, words, patience=10):
    """What comes back for these bytes until the connection ends."""
    with socket.create_connection(("127.0.0.1", port), patience) as line:
        line.sendall(words)
        found = b""
        while some := line.recv(65_536):
            found += some
        return found


def test_a_head_too_long_or_none_at_all_is_refused(port):
    long = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * (4 * middleware.HEAD)
    for words in (long, b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"hello\r\n\r\n"):
        assert raw(port, words).startswith(b"HTTP/1.1 400")


def test_whole_head_beyond_limit_is_refused(port):
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
def test_endless_body_closes_the_connection(port, room, path, method):
    phone = Phone(port, room.code)
    head = (
        f"{method} {path.format(code=room.code)} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
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


def test_who_does_not_finish_asking_is_left(port, room, monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.1)
    monkeypatch.setattr(server, "PATIENCE", 0.1)
    assert raw(port, b"GET / HT") == b""
    assert raw(port, b"") == b""
    own = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n".encode()
    head = b"POST /" + room.code.encode() + b"/seat HTTP/1.1\r\nContent-Length: 9\r\n"
    kind = b"Content-Type: application/json\r\n"
    assert raw(port, head + own + kind + b"\r\n{").startswith(b"HTTP/1.1 408")


def test_no_more_than_so_many_connect_at_once(port, monkeypatch):
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 0)
    with pytest.raises((ConnectionError, AssertionError)):
        assert raw(port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")


def test_a_web_socket_is_none(port, room):
    told = ask(port, "GET", f"/{room.code}/events", Upgrade="websocket", Connection="Upgrade")
    assert told[0] in (403, 404)


def test_every_answer_has_the_headers(port, room):
    for path in ("/", f"/{room.code}", "/none", f"/{room.code}/events"):
        _, headers, _ = ask(port, "GET", path)
        told = headers["Content-Security-Policy"]
        assert "default-src 'none'" in told and "frame-ancestors 'none'" in told, path
        assert "unsafe" not in told and headers["X-Content-Type-Options"] == "nosniff"
        assert (
            headers["Referrer-Policy"] == "no-referrer" and headers["Cache-Control"] == "no-store"
        )
    page = ask(port, "GET", f"/{room.code}")[2].decode()
    assert (
        "http://" not in page.replace("http://www.w3.org/2000/svg", "") and "https://" not in page
    )


def test_phones_hear_that_the_teacher_is_gone(served, port, room, clock):
    with Phone(port, room.code).listens() as event:
        event()
        clock[0] += UNTOUCHED + 1
        served[1].end_untouched()
        assert event()["phase"] == "ended"
    assert ask(port, "POST", f"/{room.code}/seat", b"{}")[0] == 404
