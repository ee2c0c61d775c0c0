"""A release from the page: drawn anew at each press, named after its method, and nothing on the
page or in the file gives its noise away.
"""

import numpy as np

from dpviz.data import uploads
from dpviz.experiments import result_files
from dpviz.text import export as text
from dpviz.types import Budget, RunSpec
from dpviz.ui.widgets import method_check
from tests.kit import noise_search
from tests.kit.browser import PATIENCE, begin

DRAW = text.DRAW_RELEASE


def downloaded(page, folder, name):
    with page.expect_download(timeout=PATIENCE) as coming:
        page.get_by_role("button", name=DRAW).click()
    coming.value.save_as(folder / name)
    return coming.value.suggested_filename


def test_each_press_draws_another_release(page, server, tmp_path, monkeypatch):
    begin(page, server, m="dppl-mean", table="true", eps="0.05")
    page.get_by_text(text.PYTHON).click()
    page.get_by_text("spends the budget again").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name=method_check.BUTTON).click()
    page.get_by_role("button", name=DRAW).wait_for(timeout=PATIENCE)
    assert page.get_by_text(result_files.REPLAY).count() >= 2
    shown = page.locator("body").inner_text()
    names = [downloaded(page, tmp_path, name) for name in ("first", "again")]
    assert names == ["dppl-mean.npz"] * 2
    first, again = ((tmp_path / name).read_bytes() for name in ("first", "again"))
    assert not np.array_equal(*(noise_search.weights_of(file) for file in (first, again)))
    monkeypatch.setenv("DPVIZ_CACHE", str(server["cache"]))
    own = uploads.display_path(uploads.path(server["own"]))
    spec = RunSpec(own, None, "dppl-mean", Budget(0.05), ir=10.0)
    assert noise_search.seed_of(first, spec, shown, *names) is None
