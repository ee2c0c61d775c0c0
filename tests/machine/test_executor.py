"""The end of a command whose work runs in several processes."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.machine.test_sandbox import _alive

COMMAND = """
if __name__ == "__main__":
    import sys
    from dpviz.audits import all_audits
    from tests.kit import busy
    try:
        list(all_audits._parallel_rows(busy.compute, ["a", "b"]))
    except KeyboardInterrupt:
        sys.exit(130)
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


@pytest.mark.parametrize(
    "end, number, status",
    [
        (os.killpg, signal.SIGINT, 130),
        (os.kill, signal.SIGINT, 130),
        (os.kill, signal.SIGTERM, -signal.SIGTERM),
    ],
    ids=["Ctrl-C", "SIGINT", "SIGTERM"],
)
def test_interrupted_audit_ends_with_its_workers(tmp_path, end, number, status):
    script = tmp_path / "command.py"
    script.write_text(COMMAND)
    command = subprocess.Popen(
        [sys.executable, script],
        env=os.environ | {"PYTHONPATH": os.getcwd()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        worker = int(command.stdout.readline())
        end(command.pid, number)
        assert command.wait(5) == status
        until = time.monotonic() + 5
        while _alive(worker):
            assert time.monotonic() < until, "a worker outlives its command"
            time.sleep(0.05)
        assert "Traceback" not in command.stderr.read()
    finally:
        os.killpg(command.pid, signal.SIGKILL)
        command.wait()
