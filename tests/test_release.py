"""A release: what it lacks is listed, and what it holds is checked."""

import importlib.util
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def release():
    spec = importlib.util.spec_from_file_location("release", ROOT / "deploy" / "release.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [0.3.0] - 2026-12-01\n\n## [0.2.0] - 2026-11-21\n"
CITATION = "cff-version: 1.2.0\nversion: 0.3.0\ndate-released: 2026-12-01\n"
READY = {"number": "0.3.0", "changelog": CHANGELOG, "citation": CITATION, "status": "", "tags": ""}


def test_nothing_is_missing_of_a_ready_release(release):
    assert release.missing(**READY) == []


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("number", "0.3.0.dev0", "not 0.3.0.dev0"),
        ("changelog", CHANGELOG.replace("[0.3.0] - 2026-12-01", "[0.3.0]"), "with the date"),
        ("citation", CITATION.replace("version: 0.3.0", "version: 0.2.0"), "in CITATION.cff"),
        ("citation", CITATION.replace("2026-12-01", "2026-12-02"), "date-released"),
        ("status", " M app.py", "Commit or remove"),
        ("tags", "v0.2.0\nv0.3.0", "another commit"),
    ],
)
def test_what_a_release_lacks_is_listed(release, field, value, words):
    (sentence,) = release.missing(**READY | {field: value})
    assert words in sentence


def archives(release, folder, unwanted=""):
    wheel, sdist = folder / "a.whl", folder / "a.tar.gz"
    with zipfile.ZipFile(wheel, "w") as file:
        for name in (*release.IN_WHEEL, *filter(None, [unwanted])):
            file.writestr(f"x/{name}", "")
    with tarfile.open(sdist, "w:gz") as archive:
        for name in release.IN_SDIST:
            (folder / "empty").touch()
            archive.add(folder / "empty", f"x/{name}")
    return sdist, wheel


def test_complete_archives_are_accepted(release, tmp_path):
    release.check_contents(*archives(release, tmp_path))


@pytest.mark.parametrize("name", [".env", ".streamlit/secrets.toml", ".git/config", ".ssh/id_rsa"])
def test_unwanted_file_in_an_archive_is_refused(release, tmp_path, name):
    with pytest.raises(SystemExit, match="must not hold"):
        release.check_contents(*archives(release, tmp_path, name))


def test_checksums_are_those_of_the_files(release, tmp_path, monkeypatch):
    monkeypatch.setattr(release, "DIST", tmp_path)
    (tmp_path / "a").write_bytes(b"")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert release.write_checksums().read_text() == f"{empty}  a\n"


def test_version_is_that_of_the_package(release):
    from dpviz import __version__

    assert release.version() == __version__
