"""What the sentence of a page says of a difference, and how sure a page is of a number."""

import pytest

from dpviz.experiments import experiment
from dpviz.formatting import bands
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.stats import difference, interval
from dpviz.types import Budget, DataConfig, RunSpec
from dpviz.views import settings_in_words
from dpviz.views.settings_in_words import Pin
from tests.kit.seen import page

DATA = DataConfig("toy", None)


@pytest.mark.slow
def test_interval_of_quiet_method_reflects_1000_test_records():
    """DPPL-Mean on the default data: ± 0.07 points over its seeds, ± 1.2 with its test records."""
    wanted = [
        RunSpec("mnist5k", "glyphnet", "dppl-mean", Budget(8.0), seed=seed) for seed in range(5)
    ]
    runs = experiment.sweep(wanted)
    curve = BudgetCurve.from_results(runs, {"dppl-mean": "DPPL-Mean"}, "balanced", Budget(0.1))
    point = curve.points_at(8.0)["dppl-mean"]
    seeds = interval([r.scores.balanced for r in runs])
    assert seeds.high - seeds.mean < 0.002, "seeds alone are sure of it"
    assert (point.high - point.low) / 2 == pytest.approx(0.0121, abs=0.001)
    assert "test records" in curve.caption()


def test_changes_of_several_methods_are_tested_jointly():
    words = {"budget": ("ε", "1")}
    barely = interval([0.50, 0.51, 0.52]), interval([0.53, 0.54, 0.55])
    still = interval([0.5, 0.51, 0.52])
    assert difference(*barely).p < 0.05

    def told(methods: int) -> str:
        scores = [
            {"Barely": {"balanced": side}} | {f"m{i}": {"balanced": still} for i in range(methods)}
            for side in barely
        ]
        before, after = Pin(words, scores[0]), Pin({"budget": ("ε", "2")}, scores[1])
        return settings_in_words.pin_table(before, after, "balanced")[0]["Significant"]

    assert told(0) == "yes" and told(5) == "not significant"


def test_all_pages_describe_uncertainty_identically(own):
    at = page(own, m="dppl-mean,noisy-gd", tab="about")
    assert any("Holm" in m.value for m in at.markdown), "in the notes about the numbers"
    assert any("95% intervals over" in c.value for c in at.caption), "below the chart"
    assert "records" in bands(5) and "no bands" in bands(1)


def test_caption_names_drawn_elements():
    assert bands(5, precise=False).startswith("Shaded: 95% confidence bands")
    for precise in (True, False):
        assert bands(5, precise, bars=True).startswith("Error bars: ")
        assert "Shaded" not in bands(5, precise, bars=True)
        assert "band" not in bands(1, precise, bars=True) + bands(5, precise, bars=True)
