"""The notebooks of ``examples/notebooks`` run from the top, and objects have a rich display."""

import json
import subprocess
from pathlib import Path

import pytest

from dpviz.notebook import progress_bar

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
#: Runs the cells of a notebook in IPython and prints the number of cells with an HTML display.
RUNNER = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shown = 0
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] != "code":
        continue
    done = shell.run_cell("".join(cell["source"]))
    done.raise_error()
    if done.result is not None:
        shown += "text/html" in shell.display_formatter.format(done.result)[0]
print("shown", shown)
"""


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_from_the_top(notebook, tmp_path, quick_python, pages_cache):
    pytest.importorskip("IPython", reason="notebooks need IPython")
    done = subprocess.run(
        [quick_python, "-W", "ignore", "-c", RUNNER, str(notebook)],
        capture_output=True,
        text=True,
        cwd=notebook.parent,
        env={
            "PATH": "",
            "PYTHONPATH": str(ROOT),
            "DPVIZ_CACHE": str(pages_cache),
            "HOME": str(tmp_path),
        },
        timeout=180,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[-1]) >= 2


def test_notebooks_are_stored_without_output():
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text())["cells"]
        assert not any(cell.get("outputs") for cell in cells)


def test_progress_bar_shows_stage_and_count(capsys):
    pytest.importorskip("tqdm", reason="the bar is tqdm's")
    report = progress_bar()
    report("Fitting", 2, 8)
    report("Scoring", 3, 4)
    shown = capsys.readouterr().err
    assert "Fitting" in shown and "2/8" in shown
    assert "Scoring" in shown and "3/4" in shown
