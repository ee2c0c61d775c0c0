"""Memory pools of the C allocator in a server with many threads."""

import ctypes
import os
import subprocess
import sys

import pytest

THREADS = 12
COUNT = f"""
import ctypes, sys, threading
from dpviz.ui.server import application
if sys.argv[1] == "server":
    application.middleware()
barrier = threading.Barrier({THREADS} + 1)
def work():
    held = bytearray(100_000)
    barrier.wait()
    barrier.wait()
for _ in range({THREADS}):
    threading.Thread(target=work).start()
barrier.wait()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(sys.argv[2].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
barrier.wait()
"""


def pools(kind, folder, **environment):
    """Memory pools of a process after ``THREADS`` threads allocated at the same time."""
    file = folder / "pools.xml"
    given = {k: v for k, v in os.environ.items() if k != "MALLOC_ARENA_MAX"}
    command = [sys.executable, "-c", COUNT, kind, str(file)]
    subprocess.run(command, check=True, env=given | environment)
    return file.read_text().count("<heap nr=")


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_info"), reason="needs the allocator of glibc"
)
@pytest.mark.slow
def test_server_threads_share_two_memory_pools(tmp_path):
    assert pools("server", tmp_path) <= 2
    assert pools("plain", tmp_path) > 2
    assert pools("server", tmp_path, MALLOC_ARENA_MAX="5") == 5
