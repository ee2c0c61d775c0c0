"""What is bound to which address: nothing beyond this machine without ``--room``, and with it the
joining pages alone.
"""

import http.client
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from dpviz.classroom import joining, listener
from dpviz.classroom.middleware import NOT_FOUND
from dpviz.cli import main
from dpviz.types import DpvizError
from dpviz.ui.server import classroom_listener
from tests.kit.browser import ROOT, serving
from tests.kit.phones import ask, until

LISTENS = "0A"
"""A listening socket's state in ``/proc/net/tcp``."""
PROC = pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="needs Linux's /proc")


def family(process):
    """The process and all that it started."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            parents[int(status.parent.name)] = int(
                re.search(r"PPid:\s(\d+)", status.read_text())[1]
            )
        except OSError:
            continue
    found = {process.pid}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def inodes(process):
    """Sockets that these hold."""
    found = set()
    for pid in family(process):
        for file in Path(f"/proc/{pid}/fd").glob("*"):
            try:
                found |= set(re.findall(r"socket:\[(\d+)\]", os.readlink(file)))
            except OSError:
                continue
    return found


def bound(process):
    """(address, port) of all on which the server or what it started listens, IPv6 as it is
    written there.
    """
    own, found = inodes(process), set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            parts = line.split()
            address, port = parts[1].split(":")
            if parts[3] == LISTENS and parts[9] in own:
                if table == "tcp":
                    address = socket.inet_ntoa(bytes.fromhex(address)[::-1])
                found.add((address, int(port, 16)))
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@PROC
@pytest.mark.slow
def test_without_live_class_only_loopback_is_bound(tmp_path, monkeypatch):
    monkeypatch.delenv(listener.SETTING, raising=False)
    with serving(tmp_path) as server:
        port = int(server["url"].rpartition(":")[2])
        found = bound(server["process"])
        assert ("127.0.0.1", port) in found
        assert {address for address, _ in found} == {"127.0.0.1"}


@PROC
@pytest.mark.slow
def test_live_class_listener_serves_joining_pages_only(tmp_path, monkeypatch):
    room = free_port()
    monkeypatch.setenv(listener.SETTING, f"0.0.0.0:{room}")
    monkeypatch.setenv(classroom_listener.ADDRESS, "0.0.0.0")  # even so
    with serving(tmp_path) as server:
        port = int(server["url"].rpartition(":")[2])
        until(lambda: ("0.0.0.0", room) in bound(server["process"]))
        found = bound(server["process"])
        assert {address for address, at in found if at != room} == {"127.0.0.1"}
        told = server["log"].read_text()
        assert f"127.0.0.1:{port}, for this computer only. Live class: 0.0.0.0:{room}" in told
        app = set(re.findall(r'"(\./static/[^"]+)"', ask(port, "GET", "/")[2].decode()))
        assert app
        for path in (*app, *"trade-off class _stcore/health _stcore/stream media/x".split()):
            asked = f"/{path.removeprefix('./')}"
            assert ask(room, "GET", asked)[::2] == (404, NOT_FOUND), path
        assert b"Join a live class" in ask(room, "GET", "/")[2]
        for own in joining.own_addresses():
            beyond = http.client.HTTPConnection(own, room, timeout=10)
            beyond.request("GET", "/")
            assert beyond.getresponse().status == 200
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((own, port), 10)


def test_taken_port_is_refused():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        words = f"127.0.0.1:{other.getsockname()[1]}"
        command = [sys.executable, "-m", "dpviz.ui.server.serve", "--server.port", "8501"]
        ended = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {listener.SETTING: words},
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert ended.returncode == 2
    assert words in ended.stderr and "--room-port" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_server_address_with_live_class_is_refused(monkeypatch):
    monkeypatch.setenv(listener.SETTING, "0.0.0.0:8502")
    with pytest.raises(DpvizError, match="Leave out --server.address"):
        classroom_listener.bind(["--server.address", "0.0.0.0"])


@pytest.mark.parametrize("address", ["0.0.0.0", "127.0.0.1"])
@pytest.mark.parametrize(("options", "port"), [(["--server.port", "8599"], 8599), ([], 8501)])
def test_live_class_on_the_dashboards_port_is_refused(monkeypatch, address, options, port):
    monkeypatch.setenv(listener.SETTING, f"{address}:{port}")
    with pytest.raises(DpvizError, match=f"Port {port} .* Set --room-port to another"):
        classroom_listener.bind(options)


def test_without_setting_no_socket_is_opened(monkeypatch):
    monkeypatch.delenv(listener.SETTING, raising=False)
    assert classroom_listener.bind(["--server.port", "8501"]) is None
    assert listener.links() == () and not listener.is_open()


@pytest.mark.parametrize(
    ("words", "setting"),
    [
        (["--room"], "0.0.0.0:8502"),
        (["--room", "192.168.1.5", "--port", "8600"], "192.168.1.5:8601"),
        (["--room", "--room-port", "9000"], "0.0.0.0:9000"),
        ([], None),
    ],
)
def test_command_passes_address_to_server(monkeypatch, words, setting):
    monkeypatch.setattr("runpy.run_module", lambda *call, **how: None)
    monkeypatch.setattr("sys.argv", [])
    monkeypatch.setenv(listener.SETTING, "")  # so that it is taken back
    assert main(["app", *words]) == 0
    assert (os.environ[listener.SETTING] or None) == setting


@pytest.mark.parametrize(
    "words",
    [
        ["--room", "example.org"],
        ["--room", "::"],
        ["--room", ""],
        ["--room", "0.0.0.0:80"],
        ["--room", "--port", "65535"],
        ["--room", "--room-port", "0"],
        ["--room-port", "8502"],
    ],
)
def test_invalid_address_is_refused(capsys, monkeypatch, words):
    monkeypatch.setattr("runpy.run_module", lambda *call, **how: pytest.fail("it was served"))
    assert main(["app", *words]) == 2
    assert re.search(r"(Add|Use|use|give|must) .*\.$", capsys.readouterr().err.strip())


def test_own_addresses_are_found_without_a_packet(monkeypatch):
    """What is connected is a socket for datagrams, on which nothing is sent."""
    sent = []
    for name in ("send", "sendto", "sendmsg"):
        monkeypatch.setattr(socket.socket, name, lambda *_: sent.append(1), raising=False)
    found = joining.own_addresses()
    assert not sent and not any(one.startswith("127.") for one in found)
    assert joining.links(("192.168.1.5", 8502)) == ("http://192.168.1.5:8502",)


def test_port_above_all_others_is_refused():
    with pytest.raises(DpvizError, match="no such port"):
        listener.bind(("127.0.0.1", 65_536))
