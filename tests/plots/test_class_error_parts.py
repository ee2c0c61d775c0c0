from types import SimpleNamespace

import pytest

from dpviz.plots.by_class import ERROR_PARTS, ClassErrors

LARGE = SimpleNamespace(n=9, base=0.1, sampling=-0.05, clipping=0.05, noise=0.15, total=0.25)
SMALL = SimpleNamespace(n=4, base=0.2, sampling=0.2, clipping=0.1, noise=0.3, total=0.8)


def make_chart(rows, names):
    return ClassErrors.from_rows(rows, (0,), names)


def examples():
    many = [SimpleNamespace(**vars(SMALL) | {"n": n}) for n in range(50)]
    return [
        (make_chart([SMALL, LARGE], ("small", "large")),),
        (make_chart(many, [f"class {n}" for n in range(50)]),),
    ]


def test_info_is_exact():
    chart = make_chart([SMALL, LARGE], ("small", "large"))
    assert (
        chart.names == ("large", "small")
        and chart.counts == (9, 4)
        and chart.minority == (False, True)
    )
    assert chart.means(True)["noise"] == pytest.approx(0.3)
    assert [t["name"] for t in chart.figure().to_dict()["data"][:5]] == [
        *(p[0] for p in ERROR_PARTS.values()),
        "total",
    ]
    lowest = chart.figure().layout.yaxis.range[0]
    assert lowest == pytest.approx(-0.05), "a part that helps hangs below zero"
