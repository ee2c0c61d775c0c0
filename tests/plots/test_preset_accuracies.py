import pytest

from dpviz.plots.comparisons import PresetBars
from dpviz.stats import interval


def examples():
    both = {(n, s): interval([0.1, 0.2]) for n in ("AdaMix", "NGD") for s in ("one", "two")}
    return [
        (PresetBars.from_accuracies(both, "balanced"),),
        (PresetBars.from_accuracies({("NGD", ""): interval([0.9])}, "minority"),),
    ]


def test_info_is_exact():
    said = {("AdaMix", "one"): [0.1, 0.3], ("AdaMix", "two"): [0.2], ("NGD", "one"): [0.4]}
    bars = PresetBars.from_accuracies(
        {key: interval(accuracies) for key, accuracies in said.items()}, "balanced"
    )
    assert bars.names == ("AdaMix", "NGD") and bars.series == ("one", "two")
    assert (
        bars.points["AdaMix", "one"].mean == pytest.approx(0.2)
        and bars.points["NGD", "one"].mean == 0.4
    )
    drawn = bars.figure().data
    assert len(drawn) == 4 and list(drawn[2]["x"]) == [0.2]
