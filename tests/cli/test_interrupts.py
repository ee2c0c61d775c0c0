"""Commands that SIGINT ends."""

import os
import signal
import subprocess
import sys
import time

import pytest

from dpviz.machine.interrupts import STOP_MESSAGE

SPEC = """
view = "trade-off?data=synthetic"
[sliders]
b = ["0.5", "1", "2", "4", "8"]
"""
INSIDE_EXEC = """
import sys
from dpviz.cli import list_command, main

def wait():
    print("importing", flush=True)
    try:
        exec("import time; time.sleep(60)")
    except KeyboardInterrupt as error:
        raise ImportError("half loaded") from error

list_command.command = lambda args: wait()
sys.exit(main(["list", "methods"]))
"""
SLOW_WORK = """
import sys, time
from dpviz.ui.live import long_work
from dpviz.cli import main

def run_long(*_, **__):
    print("computing", flush=True)
    time.sleep(60)

long_work.collect = run_long
sys.exit(main(sys.argv[1:]))
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


def interrupted(process):
    """Exit status and standard error of a process after SIGINT."""
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=5)[1]
    return process.returncode, error


def test_interrupted_import_ends_with_message(tmp_path):
    """Also where an imported module turns the interrupt into another error."""
    (tmp_path / "numpy.py").write_text(
        "import time\n"
        "print('importing', flush=True)\n"
        "try:\n"
        "    time.sleep(60)\n"
        "except KeyboardInterrupt as error:\n"
        "    raise ImportError('half loaded') from error\n"
    )
    path = os.pathsep.join((str(tmp_path), os.getcwd()))
    process = subprocess.Popen(
        [sys.executable, "-m", "dpviz", "list", "methods"],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "importing\n"
    assert interrupted(process) == (130, f"{STOP_MESSAGE}\n")


def test_interrupted_import_inside_command_ends_with_message():
    process = subprocess.Popen(
        [sys.executable, "-c", INSIDE_EXEC],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "importing\n"
    time.sleep(0.2)
    assert interrupted(process) == (130, f"{STOP_MESSAGE}\n")


def test_interrupted_explorable_does_not_wait_for_views(tmp_path):
    spec = tmp_path / "spec.toml"
    spec.write_text(SPEC)
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_WORK, "explorable", spec, "--out", tmp_path / "page.html"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "computing\n"
        time.sleep(0.2)
        status, errors = interrupted(process)
        assert status == 130 and errors.endswith(f"{STOP_MESSAGE}\n")
        assert "Traceback" not in errors, "an older Streamlit logs to it as well"
        assert list(tmp_path.iterdir()) == [spec]
    finally:
        process.kill()
