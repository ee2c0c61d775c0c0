"""Build and check a release: all steps of ``make release``, up to the upload.

Writes wheel, sdist, SBOM and checksums to ``dist/``. A version such as 0.3.0 needs a dated section
of the changelog, the same version and date in CITATION.cff, and a clean working tree; it gets a
tag. A version under development, such as 0.3.0.dev0, is built and installed likewise, and the
script lists what a release of it lacks.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST, WORK = ROOT / "dist", ROOT / "build" / "release"
FINAL = re.compile(r"\d+\.\d+\.\d+")
#: Files that an installation needs, by a part of their names in the wheel.
IN_WHEEL = (
    *("data/share/dpviz/app.py", "data/share/dpviz/pages/front.py", "dpviz/py.typed"),
    *("data/share/dpviz/.streamlit/config.toml", "dpviz/ui/assets/frame.css", "licenses/LICENSE"),
)
IN_SDIST = ("CHANGELOG.md", "CITATION.cff", "docs/", "tests/kit/", "pyproject.toml", "Makefile")
#: Names that no release contains.
UNWANTED = re.compile(r"(^|/)(\.env|\.git|\.venv|__pycache__|secrets\.toml|id_[a-z0-9]+)(/|$)")
SECONDS_TO_START = 60.0


def version() -> str:
    """Return the version of the package."""
    found = re.search(r'__version__ = "(.+)"', (ROOT / "dpviz/__init__.py").read_text())
    assert found, "dpviz/__init__.py has no version"
    return found[1]


def changelog_date(text: str, number: str) -> str:
    """Return the date of a version's section in the changelog; empty without one."""
    found = re.search(rf"^## \[{re.escape(number)}\] - (\d{{4}}-\d\d-\d\d)$", text, re.M)
    return found[1] if found else ""


def missing(number: str, changelog: str, citation: str, status: str, tags: str) -> list[str]:
    """Return what a release of this version lacks, a sentence each.

    Args:
        number: the version; changelog, citation: texts of both files; status: of git, short; tags:
            of git that point to other commits, one a line.
    """
    lacks = []
    if not FINAL.fullmatch(number):
        lacks.append(f"Set __version__ to a version such as 0.3.0, not {number}.")
    release = number.partition(".dev")[0]
    date = changelog_date(changelog, release)
    if not date:
        lacks.append(f"Rename [Unreleased] in CHANGELOG.md to [{release}] with the date.")
    if f"\nversion: {release}\n" not in citation:
        lacks.append(f"Set version to {release} in CITATION.cff.")
    if date and f"\ndate-released: {date}\n" not in citation:
        lacks.append(f"Set date-released to {date} in CITATION.cff.")
    if status:
        lacks.append("Commit or remove changed files.")
    if f"v{release}" in tags.split():
        lacks.append(f"Tag v{release} points to another commit. Raise the version.")
    return lacks


def run(*command: object, **options: object) -> str:
    """Run a command in the project; return its output, or end with it where it fails."""
    words = list(map(str, command))
    done = subprocess.run(words, cwd=ROOT, text=True, stdout=subprocess.PIPE, **options)
    if done.returncode:
        sys.exit(f"{done.stdout}\nFailed: {' '.join(words)}")
    return str(done.stdout)


def build() -> list[Path]:
    """Build sdist and wheel from the committed files; return both."""
    for folder in (DIST, WORK):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    source = WORK / "source"
    source.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", source], input=archive.stdout, check=True)
    epoch = run("git", "log", "-1", "--format=%ct").strip()
    run(
        sys.executable,
        "-m",
        "build",
        "--outdir",
        DIST,
        source,
        env=os.environ | {"SOURCE_DATE_EPOCH": epoch},
    )
    return sorted(DIST.iterdir())


def check_contents(sdist: Path, wheel: Path) -> None:
    """Check that both hold what they must and nothing else; end otherwise."""
    with zipfile.ZipFile(wheel) as file:
        in_wheel = file.namelist()
    with tarfile.open(sdist) as archive:
        in_sdist = archive.getnames()
    for names, needed in ((in_wheel, IN_WHEEL), (in_sdist, IN_SDIST)):
        lacks = [part for part in needed if not any(part in f"{name}/" for name in names)]
        unwanted = [name for name in names if UNWANTED.search(name)]
        if lacks or unwanted:
            sys.exit(f"The release lacks {lacks} and must not hold {unwanted}.")


def install(wheel: Path) -> Path:
    """Install the wheel into an environment of its own; return its Python."""
    run(sys.executable, "-m", "venv", WORK / "venv")
    python = WORK / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    return python


def try_out(python: Path, number: str) -> None:
    """Run the installed commands and the dashboard, outside the project; end if one fails."""
    home = WORK / "home"
    home.mkdir()
    environment = {"PATH": f"{python.parent}:/usr/bin:/bin", "HOME": str(home)}
    options = {"cwd": home, "env": environment}
    command = python.with_name("dpviz")
    printed = subprocess.check_output([command, "--version"], text=True, **options)
    assert number in printed, f"dpviz --version printed {printed!r}"
    words = "run --dataset mnist5k --encoder glyphnet --method class-mean --budget inf --json"
    printed = subprocess.check_output([command, *words.split()], text=True, **options)
    assert json.loads(printed), f"dpviz run printed {printed!r}"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([command, "app", "--port", str(port)], **options)
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health", server)
    finally:
        server.terminate()
        server.wait(20)


def wait_for(address: str, server: subprocess.Popen) -> None:
    """Wait until an address answers."""
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    sys.exit(f"The installed dashboard did not answer within {SECONDS_TO_START:g} s.")


def write_sbom(python: Path, number: str) -> Path:
    """Write the bill of materials of the environment in which the wheel was tried out."""
    path = DIST / f"dpviz-{number}.cdx.json"
    options = ("--output-reproducible", "--output-format", "JSON", "--output-file", path)
    run(sys.executable, "-m", "cyclonedx_py", "environment", *options, python)
    return path


def write_checksums() -> Path:
    """Write the SHA-256 of every file of ``dist/`` as ``sha256sum --check`` reads them."""
    files = sorted(DIST.iterdir())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    path = DIST / "SHA256SUMS"
    path.write_text("".join(lines))
    return path


def main() -> int:
    """Build and check; return exit status 0."""
    number = version()
    tags = run("git", "tag", "--no-contains", "HEAD")
    status = run("git", "status", "--short")
    changelog, citation = (ROOT / "CHANGELOG.md").read_text(), (ROOT / "CITATION.cff").read_text()
    lacks = missing(number, changelog, citation, status, tags)
    if FINAL.fullmatch(number) and lacks:
        sys.exit("\n".join(lacks))
    sdist, wheel = sorted(build(), key=lambda path: path.suffix == ".whl")
    print(run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel), end="")
    check_contents(sdist, wheel)
    python = install(wheel)
    try_out(python, number)
    write_sbom(python, number)
    write_checksums()
    for path in sorted(DIST.iterdir()):
        print(f"dist/{path.name}  {path.stat().st_size:,} bytes")
    if lacks:
        print("Built, but not to be released yet:", *lacks, sep="\n- ")
        return 0
    if f"v{number}" not in run("git", "tag", "--points-at", "HEAD").split():
        run("git", "tag", "--annotate", f"v{number}", "--message", f"dpviz {number}")
    print(
        f"Tagged v{number}. To publish: git push --tags, and twine upload dist/*.whl dist/*.tar.gz"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
