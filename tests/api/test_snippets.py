"""The Python of the README and of the library guide runs as printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SNIPPETS = [
    (page, code)
    for page in ("README.md", "docs/reference/library.md")
    for code in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
]


def test_pages_have_snippets():
    assert len(SNIPPETS) >= 3


@pytest.mark.slow
@pytest.mark.parametrize(("page", "code"), SNIPPETS)
def test_snippet_runs(page, code, tmp_path):
    environment = {"PYTHONPATH": str(ROOT), "DPVIZ_CACHE": str(tmp_path), "HOME": str(tmp_path)}
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], check=True, cwd=tmp_path, env=environment
    )
