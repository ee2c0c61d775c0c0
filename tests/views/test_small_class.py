"""What the smallest class is told: lengths of noise and intervals, by other formulas."""

import math

import pytest
from scipy import stats

from dpviz import privacy
from dpviz.types import Budget
from dpviz.views import data_page


def test_class_of_twelve_gets_expected_accuracy():
    said = data_page.expectation(
        "triangle", 12, 3, data_page.noise_length(128, privacy.mu_for(Budget(1.0))), Budget(1.0)
    )
    noise = math.sqrt(128) / 0.26805112  # mu at (1, 1e-5)
    assert f"at least **{noise / 12:.1f} times** as large" in said, "class means are shorter than 1"
    assert f"needs at least {math.ceil(noise)} images" in said
    low = stats.binomtest(3, 3).proportion_ci(method="exact").low
    assert "**12 private images**" in said and f"at least **{math.floor(100 * low)}%**" in said


@pytest.mark.parametrize("budget", [Budget(math.inf), Budget(0.5, "zcdp"), Budget(2.0, "paper")])
@pytest.mark.parametrize(("records", "tested"), [(0, 0), (1, 1), (5000, 900)])
def test_every_size_and_axis_has_a_description(records, tested, budget):
    noise = data_page.noise_length(64, privacy.mu_for(budget))
    said = data_page.expectation("<b>*x*", records, tested, noise, budget)
    assert said.endswith(".") and "nan" not in said and "\\<b\\>\\*x" in said
    assert ("1 private image**" in said) == (records == 1)
