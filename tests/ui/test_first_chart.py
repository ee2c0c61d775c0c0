"""What the first chart waits for: nothing that computes, where its numbers are stored."""

import os
import subprocess
import sys

import pytest
from streamlit import config

from dpviz.ui.live import imports_ahead
from dpviz.ui.server import warmup
from tests.kit.whole_app import ROOT, opened

COMPUTES = {
    *("torch", "autodp", "dp_accounting", "opendp", "scipy.stats", "scipy.optimize", "sklearn"),
    *("optuna", "distributed", "timm", "pandas", "matplotlib"),
}
FEW = {"m": "dppl-mean", "n": "2"}
FROM_THE_STORE = f"""
import sys
import {", ".join(imports_ahead.CHART_MODULES)}
from streamlit.testing.v1 import AppTest
page = AppTest.from_file("app.py", default_timeout=120)
for name, value in ({FEW} | {{"data": sys.argv[1]}}).items():
    page.query_params[name] = value
page.run()
assert not page.exception and len(page.get("plotly_chart")) == 1
print(*sys.modules)
"""


@pytest.mark.slow
def test_stored_chart_is_drawn_without_compute_modules(own):
    opened("trade_off", data=own, **FEW)
    command = [sys.executable, "-c", FROM_THE_STORE, own]
    found = subprocess.check_output(command, cwd=ROOT, env=os.environ, text=True).split()
    assert not sorted(set(found) & COMPUTES)


@pytest.mark.shared_cache
@pytest.mark.parametrize(("page", "status"), [("import streamlit", 0), ("1 / 0", 1)])
def test_setup_reports_whether_first_page_works(page, status, tmp_path, monkeypatch, capsys):
    (tmp_path / "app.py").write_text(page)
    (tmp_path / "pages").mkdir()
    for name in warmup.ALL_PAGES:
        (tmp_path / "pages" / f"{name}.py").touch()
    monkeypatch.setattr(warmup.serve, "app", lambda: tmp_path / "app.py")
    before = config.get_option("client.showErrorDetails")
    assert warmup.main(["--all"]) == status
    config.set_option("client.showErrorDetails", before)
    told = capsys.readouterr()
    assert told.out.startswith("First start: ") and ("division" in told.err) == bool(status)
