"""The hash of a method's code changes with whatever its functions read from a plug-in."""

import dataclasses
import functools
import importlib
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from dpviz.experiments import method_verdicts, store
from dpviz.machine import code_fingerprint, plugin_code
from dpviz.methods import METHODS, dppl_mean
from dpviz.types import Budget, RunSpec
from tests.kit import toy_method

WRAPPED = """
import functools
import helper_of_plugin
from dpviz.methods import dppl_mean
@functools.wraps(dppl_mean.fit)
def fit(*given):
    return dppl_mean.fit(*given)
def closure(value):
    return lambda: value
"""


def write(path, content):
    """Write a file with a time before this process started, another one for other content."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode())
    os.utime(path, (1e9 + len(content), 1e9 + len(content)))


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """A package, and a module beside it that the package imports."""
    write(tmp_path / "helper_of_plugin.py", "SCALE = 1\n")
    write(tmp_path / "plugin" / "__init__.py", WRAPPED)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("plugin")
    for name in ("plugin", "helper_of_plugin"):
        del sys.modules[name]


@pytest.mark.parametrize(
    "file", ["plugin/__init__.py", "plugin/core.so", "plugin/table.csv", "helper_of_plugin.py"]
)
def test_changed_file_of_a_plugin_changes_the_hash(file, plugin, tmp_path):
    assert plugin.fit.__module__ == "dpviz.methods.dppl_mean"
    method = dataclasses.replace(dppl_mean.METHOD, fit=plugin.fit)
    before = plugin_code.digest(method)
    assert before == plugin_code.digest(method) != plugin_code.UNKNOWN_DIGEST
    write(tmp_path / file, WRAPPED + "# longer\n")
    assert before != plugin_code.digest(method) != plugin_code.UNKNOWN_DIGEST
    os.utime(tmp_path / file)  # after this process began, so other code may be loaded
    assert plugin_code.digest(method) == plugin_code.UNKNOWN_DIGEST


@pytest.mark.parametrize(
    "bound",
    [
        lambda closure, value: functools.partial(dppl_mean.fit, seeds=value),
        lambda closure, value: functools.lru_cache(functools.partial(dppl_mean.fit, value)),
        lambda closure, value: closure([{"x": value}]),
        lambda closure, value: closure(closure(value)),
        lambda closure, value: dataclasses.replace(METHODS["noisy-gd"].params[0], default=value),
    ],
)
def test_changed_bound_value_changes_the_hash(bound, plugin):
    def digest(value):
        return plugin_code.digest(bound(plugin.closure, value))

    assert plugin_code.UNKNOWN_DIGEST != digest(1.5) == digest(1.5) != digest(2.5)
    assert plugin_code.UNKNOWN_DIGEST != digest(np.zeros(2)) != digest(np.ones(2))


def typed():
    exec("def fit(): pass", names := {"__name__": "typed"})
    return names["fit"]


@pytest.mark.parametrize(
    "value", [typed(), functools.partial(dppl_mean.fit, threading.Lock()), object()], ids=type
)
def test_code_that_cannot_be_determined_is_unknown(value):
    assert plugin_code.digest(value) == plugin_code.UNKNOWN_DIGEST


def test_no_verdict_is_stored_for_unknown_code():
    for fit, stored in ((dppl_mean.METHOD.fit, True), (typed(), False)):
        method = dataclasses.replace(dppl_mean.METHOD, fit=fit)
        assert method_verdicts.keep(method, ()).passed
        assert bool(method_verdicts.stored(method)) == stored


def test_code_of_every_package_method_is_known():
    digests = [plugin_code.digest(method) for method in METHODS.values()]
    assert plugin_code.UNKNOWN_DIGEST not in digests and len(set(digests)) == len(digests)


def test_results_of_edited_plugin_get_another_key(tmp_path, monkeypatch):
    """The plug-in is edited between two processes."""
    code = "import mine; from dpviz.machine.plugin_code import digest; print(digest(mine.fit))"
    path = {"PYTHONPATH": f"{code_fingerprint.PACKAGE.parent}:{tmp_path}"}

    def digest():
        done = subprocess.run(
            [sys.executable, "-c", code], env=path, capture_output=True, text=True
        )
        return done.stdout.strip()

    write(tmp_path / "mine" / "__init__.py", "def fit(): return 1\n")
    first, again = digest(), digest()
    write(tmp_path / "mine" / "more.py", "")
    assert first and first == again != digest()
    spec = RunSpec("x.npz", None, "toy", Budget(1.0))
    unknown = store.key(spec, "data")
    monkeypatch.setitem(METHODS, "toy", toy_method.METHOD)
    assert store.key(spec, "data") != unknown
