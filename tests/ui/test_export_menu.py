"""The export menu's files for papers show the accuracy of the chart."""

import pytest

from dpviz import publication
from dpviz.ui.frame import export_menu
from dpviz.views.page_as_shown import ShownPage
from tests.kit.charts import results


@pytest.mark.parametrize("metric", ["minority", "balanced", "overall"])
def test_paper_files_use_metric_of_chart(metric, monkeypatch):
    made, metrics = {}, []
    record = lambda label, make, file, *rest: made.update({file: make})
    monkeypatch.setattr(export_menu, "_file", record)
    monkeypatch.setattr(publication, "file", lambda runs, kind, metric: metrics.append(metric))
    export_menu._data(ShownPage(results=results(), metric=metric), "page")
    made["page.tex"]()
    made["page-figure.pdf"]()
    assert metrics == [metric, metric]
