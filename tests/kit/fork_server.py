"""A stand-in for ``python`` that starts in milliseconds.

A new Python takes seconds to import torch and the other libraries that dpviz builds on, which is
most of the time of a short command. ``serving`` starts one process that imports them and computes
nothing. Each call of the program ``python`` in its folder is a fork of that process, with the
arguments, folder, environment, open files and exit status of the call. It imports dpviz itself, so
that tables, plugins and settings are as in a new process. That libraries are imported where they
are needed is not checked this way; some tests still start Python (``test_snippets``).
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
import types
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Libraries that commands import; what is not installed is left out. None makes a temporary folder
#: when it is imported, as Streamlit's tests do: the first call to end would remove it for all.
PRELOADED = (
    *("autodp.mechanism_zoo", "autodp.transformer_zoo", "IPython", "matplotlib.pyplot"),
    *("opendp.prelude", "pandas", "PIL.ImageOps", "safetensors.torch", "scipy.ndimage"),
    *("scipy.optimize", "scipy.stats", "sklearn.datasets", "sklearn.decomposition"),
    *("sklearn.linear_model", "streamlit", "torch", "yaml"),
)
#: The program that calls the server; it imports next to nothing.
CLIENT = """#!{python} -IS
import array, json, os, signal, socket, sys

question = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
files = array.array("i", [0, 1, 2])
server.sendmsg(
    [len(question).to_bytes(8, "big")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)]
)
server.sendall(question)
status = int(server.makefile().read() or 1)
if status < 0:
    signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
os._exit(status)
"""


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Path]:
    """Start the server; yield the path of a program that stands in for ``python``.

    Args:
        folder: where the program and the socket are written; a short path.
    """
    address, program = str(folder / "socket"), folder / "python"
    program.write_text(CLIENT.format(python=sys.executable, address=address))
    program.chmod(0o755)
    alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.kit.fork_server", address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | alone,
        cwd=ROOT,
    )
    try:
        assert server.stdout is not None and server.stdout.readline() == b"ready\n"
        yield program
    finally:
        server.kill()
        server.communicate()


def serve(address: str) -> socket.socket:
    """Wait for calls; return the connection of one in the process that is to answer it."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    os.write(1, b"ready\n")
    while True:
        ready, _, _ = select.select([listener, 0], [], [])
        if 0 in ready:  # the tests have ended
            os._exit(0)
        call, _ = listener.accept()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if os.fork() == 0:
            listener.close()
            return call
        call.close()


def supervise(call: socket.socket, process: int) -> None:
    """Send the exit status of a process; kill it where its caller was killed."""
    ended = os.pidfd_open(process)
    if call in select.select([ended, call], [], [])[0]:
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    with contextlib.suppress(OSError):
        call.sendall(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def become(call: socket.socket) -> list[str]:
    """Take folder, environment and open files of a call; return its arguments."""
    head, files, _, _ = socket.recv_fds(call, 8, 3)
    body = b""
    while len(body) < int.from_bytes(head, "big"):
        body += call.recv(1 << 20)
    if process := os.fork():
        for file in files:
            os.close(file)
        supervise(call, process)
    call.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    arguments, folder, environment = json.loads(body)
    # these remember whether the server's files could seek
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    return list(arguments)


def run(arguments: list[str]) -> None:
    """Run what ``python`` with these arguments would run; return or raise as it ends."""
    while arguments[0] == "-W":
        sys.warnoptions.append(arguments[1])
        warnings.simplefilter(arguments[1])  # type: ignore[arg-type]
        arguments = arguments[2:]
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if arguments[0] in ("-m", "-c"):
        kind, target, *rest = arguments
    else:
        kind, target, rest = "", arguments[0], arguments[1:]
    sys.path[:1] = ["" if kind == "-c" else os.getcwd(), *paths]
    sys.argv = ["-c" if kind == "-c" else target, *rest]
    if kind == "-m":
        runpy.run_module(target, run_name="__main__", alter_sys=True)
    elif kind == "-c":
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(target, "<string>", "exec"), vars(main))
    else:
        sys.path[0] = str(Path(target).resolve().parent)
        runpy.run_path(target, run_name="__main__")


def ended(arguments: list[str]) -> int:
    """Run a call; return its exit status, after what Python does before it takes itself apart.

    The rest only costs time: it touches, and so copies, each object that the server imported.
    """
    status = 0
    try:
        run(arguments)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    return status


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in PRELOADED:
            with contextlib.suppress(ImportError):
                import_module(name)
    assert threading.active_count() == 1, "a fork has no other threads"
    gc.freeze()
    asked = become(serve(sys.argv[1]))
    os._exit(ended(asked))
