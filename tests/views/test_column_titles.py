"""Tables show readable column titles; CSV files keep their names."""

import pytest

from dpviz.experiments import result_files
from dpviz.views import column_titles
from tests.kit.charts import results


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("method", "Method"),
        ("private_view.accuracy", "Accuracy (private view)"),
        ("private_view.95% interval", "95% interval (private view)"),
        ("balanced low", "All classes, 95% low"),
        ("ratio_reached", "Actual imbalance ratio"),
        ("k_pool", "k_pool"),
        ("ε at δ = 1e-5", "ε at δ = 1e-5"),
    ],
)
def test_column_title_is_readable(name, shown):
    assert column_titles.title(name) == shown
    assert column_titles.titles([name]) == ({} if name == shown else {name: shown})


def test_result_columns_have_titles_without_underscore():
    shown = [column_titles.title(name) for name in result_files.row(results()[0])]
    assert not [title for title in shown if "_" in title and title not in ("d_min", "d_max")]
    assert len(set(shown)) == len(shown)
