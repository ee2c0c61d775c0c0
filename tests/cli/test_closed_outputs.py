"""Commands whose standard output or standard error is full, closed or read no more."""

import json
import os
import subprocess
import sys

import pytest

DPVIZ = f"{sys.executable} -m dpviz"
pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


def shell(line):
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", ["list methods", "list methods --json", "--version", "--help"])
def test_full_output_device_is_an_error(words, unbuffered):
    ended = shell(f"PYTHONUNBUFFERED={unbuffered} {DPVIZ} {words} > /dev/full")
    assert ended.stderr == (
        "Cannot write to standard output (No space left on device). Redirect it to another file.\n"
    )
    assert ended.returncode == 2


def test_closed_output_is_ignored():
    for words in ("list methods", "list methods --json"):
        ended = shell(f"{DPVIZ} {words} >&-")
        assert (ended.returncode, ended.stderr) == (0, "")


def test_closed_error_output_stays_out_of_the_result():
    ended = shell(f"{DPVIZ} list nothing 2>&-")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert json.loads(shell(f"{DPVIZ} list methods --json 2>&-").stdout)


def test_unread_output_is_no_error():
    ended = shell(f"{{ {DPVIZ} list methods; echo $? >&2; }} | true")
    assert ended.stderr == "0\n"


@pytest.mark.parametrize("error", ["/dev/full", "&-"])
def test_error_output_that_fails_keeps_the_exit_status(error):
    ended = shell(f"{DPVIZ} list nothing 2>{error}")
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", "")


def test_unread_error_output_keeps_exit_status():
    read, write = os.pipe()
    os.close(read)
    words = [sys.executable, "-m", "dpviz", "list", "nothing"]
    assert subprocess.run(words, stderr=write).returncode == 2
    os.close(write)
