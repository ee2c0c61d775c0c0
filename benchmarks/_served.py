"""A server of its own for a benchmark that needs one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def precisely(path: str) -> str:
    """The address of a page, and the precise voice, whose sentences are waited for."""
    return f"{path}{'&' if '?' in path else '?'}voice=precise"


@contextmanager
def served(
    *command: str, root: Path = ROOT, **environment: str
) -> Iterator[tuple[str, subprocess.Popen]]:
    """Address and process of a Python module that serves the dashboard or another page, ended with
    the block; ``root``: the checkout it is of.
    """
    port = free_port()
    options = ["--server.port", str(port), "--server.headless", "true"]
    process = subprocess.Popen(
        [sys.executable, "-m", *command, *options],
        cwd=root,
        stdout=subprocess.DEVNULL,
        env=os.environ | environment,
    )
    try:
        wait_until_served(port)
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        process.wait(20)


def in_turns(stack: ExitStack, old: Path | None) -> dict[str, tuple[str, subprocess.Popen]]:
    """Address and process of the dashboard of this checkout, ``here``, and of an older one,
    ``before``, each with a throw-away folder for results, until ``stack`` is closed.
    """
    servers = {}
    for name, root in {"here": ROOT, "before": old}.items():
        if root:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            server = served("dpviz.ui.server.serve", root=root.resolve(), DPVIZ_CACHE=folder)
            servers[name] = stack.enter_context(server)
    return servers


def free_port() -> int:
    """A port of the loopback address that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_served(port: int, path: str = "_stcore/health") -> None:
    """Return as soon as Streamlit answers there, or with another path what a browser asks first.

    Raises:
        TimeoutError: after a minute.
    """
    address = f"http://127.0.0.1:{port}/{path}"
    request = urllib.request.Request(address, headers={"Accept": "text/html"})
    for _ in range(6000):
        try:
            urllib.request.urlopen(request, timeout=1)
            return
        except OSError:
            time.sleep(0.01)
    raise TimeoutError(address)
