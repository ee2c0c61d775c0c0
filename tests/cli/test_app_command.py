"""``dpviz app``, from a checkout and where the package is installed."""

import socket
import sys
from pathlib import Path

import pytest

from dpviz.cli import main
from dpviz.machine import files
from dpviz.ui.server import serve


def test_command_runs_the_server(monkeypatch):
    became = []
    monkeypatch.setattr("runpy.run_module", lambda *call, **how: became.append((call, how)))
    monkeypatch.setattr("sys.argv", [])
    assert main(["app", "--port", "8599"]) == 0
    assert became == [(("dpviz.ui.server.serve",), {"run_name": "__main__"})]
    assert sys.argv[1:3] == ["--server.port", "8599"]


@pytest.mark.parametrize("port", ["x", "0", "70000", "9" * 500])
def test_app_refuses_invalid_port(capsys, port):
    for option in ("--port", "--room-port"):
        assert main(["app", "--room", option, port]) == 2
        error = capsys.readouterr().err
        assert option in error and "65535" in error and error.count("\n") == 1


def test_taken_port_is_refused(monkeypatch, capsys):
    monkeypatch.delenv("DPVIZ_ROOM", raising=False)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert serve.main(["--server.port", port, "--server.headless", "true"]) == 2
    error = capsys.readouterr().err
    assert f"cannot listen on port {port} (Address already in use). Use another --port" in error


def test_app_passes_its_options_to_the_server(tmp_path, monkeypatch):
    root = Path(__file__).resolve().parents[2]
    assert serve.app() == root / "app.py"
    monkeypatch.delenv("DPVIZ_CACHE", raising=False)
    assert files.cache_dir() == root / "cache"

    installed, shared = tmp_path / "site-packages", tmp_path / "share"
    shared.mkdir()
    (shared / "app.py").touch()
    monkeypatch.setattr(files, "ROOT", installed)
    monkeypatch.setattr(serve, "SHARED", shared)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert serve.app() == shared / "app.py"
    assert files.cache_dir() == tmp_path / "dpviz"
