"""What is installed: the lock holds what is pinned, and pins go together."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from benchmarks._lock import lock
from dpviz.machine import optional
from dpviz.types import DpvizError

ROOT = Path(__file__).resolve().parent.parent


def wanted(name):
    """Requirements of a file, without those of the files it includes."""
    lines = (ROOT / name).read_text().splitlines()
    return [Requirement(line) for line in lines if line and line[0] not in "#-"]


def locked():
    """Version of each package of the lock, every line of which names a version and a SHA-256."""
    lines = [
        line for line in (ROOT / "requirements.lock").read_text().splitlines() if line[0] != "#"
    ]
    found = [
        re.fullmatch(r"([a-z0-9-]+)==(\S+) --hash=sha256:[0-9a-f]{64}", line) for line in lines
    ]
    assert all(found), "a line without version and checksum, or with an address"
    return {match[1]: match[2] for match in found}


def test_ranges_of_package_hold_every_pin():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = project["optional-dependencies"]
    extras = [r for name, rows in listed.items() if name not in ("all", "notebook") for r in rows]
    ranges = {r.name: r for r in map(Requirement, [*project["dependencies"], *extras])}
    pins = {pin.name: pin for pin in wanted("requirements.txt")}
    assert set(ranges) == set(pins)
    for name, pin in pins.items():
        (version,) = (specifier.version for specifier in pin.specifier)
        assert ranges[name].specifier.contains(version), name
    assert set(listed["all"][0][6:-1].split(",")) == set(listed) - {"all"}


def test_optional_libraries_have_an_extra():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for library, (extra, _) in optional.EXTRAS.items():
        assert Requirement(project["optional-dependencies"][extra][0]).name == library


def test_missing_optional_library_is_a_sentence(monkeypatch):
    monkeypatch.setattr(optional.util, "find_spec", lambda name: None)
    with pytest.raises(DpvizError, match=r"pip install 'dpviz\[tune\]'"):
        optional.require("optuna")


def test_lock_holds_every_pin_and_dependency():
    versions = locked()
    for pin in wanted("requirements.txt"):
        assert str(pin.specifier) == f"=={versions[pin.name]}", pin
    assert {"starlette", "tornado", "triton", "sympy"} <= set(versions)
    assert "/" not in "".join(versions)


def test_development_requirements_match_locked_versions():
    """Which brings a triton of its own on Linux."""
    versions = locked()
    for name in ("requirements-dev.txt", "benchmarks/requirements.txt", "docs/requirements.txt"):
        for requirement in wanted(name):
            version = versions.get(requirement.name)
            assert version is None or requirement.specifier.contains(version), requirement


def test_lock_contains_only_names_versions_and_checksums():
    report = {
        "install": [
            {
                "metadata": {"name": "Some_Thing.x", "version": "1.0"},
                "download_info": {
                    "url": "file:///somewhere/some_thing.x-1.0.whl",
                    "archive_info": {"hashes": {"sha256": "0" * 64}},
                },
            }
        ]
    }
    lines = [line for line in lock(report).splitlines() if line[0] != "#"]
    assert lines == ["some-thing-x==1.0 --hash=sha256:" + "0" * 64]
