"""The examples of README, library guide and tutorials run as printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
#: A block of code: its language, its file name if the reader saves it, and its lines.
BLOCK = re.compile(r'```(python|sh|toml)(?: title="([^"]+)")?\n(.*?)```', re.S)
#: Pages whose Python needs files that the page describes elsewhere.
LEFT_OUT = {"audit-your-own.md"}
#: Pages whose examples start Python itself, as a reader does; the others start a copy of a process
#: that has imported the libraries.
LIKE_A_READER = {"README.md", "first-answer.md", "limits.md"}
SNIPPETS = [
    (page.name, code)
    for page in PAGES
    if page.name not in LEFT_OUT
    for language, file, code in BLOCK.findall(page.read_text())
    if language == "python" and not file
]
SHELL = [
    page
    for page in PAGES
    if any(language == "sh" for language, _, _ in BLOCK.findall(page.read_text()))
]


def test_pages_have_snippets():
    assert len(SNIPPETS) >= 6 and len(SHELL) >= 6


@pytest.fixture
def python(page, request):
    """The Python of a page's examples."""
    named = page if isinstance(page, str) else page.name
    return sys.executable if named in LIKE_A_READER else request.getfixturevalue("quick_python")


@pytest.fixture
def clone(tmp_path, pages_cache, python):
    """A folder like a clone after `make app`, and the environment of its shell. All pages share a
    cache, so that images are embedded once.
    """
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    activate = tmp_path / ".venv" / "bin" / "activate"
    activate.parent.mkdir(parents=True)
    activate.write_text(f'PATH="{Path(python).parent}:{Path(sys.executable).parent}:$PATH"\n')
    return tmp_path, {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "DPVIZ_CACHE": str(pages_cache),
        "HOME": str(tmp_path),
    }


@pytest.mark.slow
@pytest.mark.parametrize(("page", "code"), SNIPPETS)
def test_snippet_runs(page, code, clone, python):
    folder, environment = clone
    subprocess.run([python, "-W", "ignore", "-c", code], check=True, cwd=folder, env=environment)


@pytest.mark.slow
@pytest.mark.parametrize("page", SHELL, ids=lambda page: page.stem)
def test_commands_of_a_page_run_in_order(page, clone):
    folder, environment = clone
    script = "set -e\n. .venv/bin/activate\n"
    for language, file, code in BLOCK.findall(page.read_text()):
        if file:
            (folder / file).write_text(code)
        elif language == "sh":
            script += code
    subprocess.run(["bash", "-c", script], check=True, cwd=folder, env=environment)
