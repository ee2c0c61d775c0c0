from types import SimpleNamespace

import pytest

from dpviz.plots import class_error_parts

LARGE = SimpleNamespace(n=9, base=0.1, sampling=-0.05, clipping=0.05, noise=0.15, total=0.25)
SMALL = SimpleNamespace(n=4, base=0.2, sampling=0.2, clipping=0.1, noise=0.3, total=0.8)


def drawn(rows, names):
    return class_error_parts.info(rows, (0,), names)


def examples():
    many = [SimpleNamespace(**vars(SMALL) | {"n": n}) for n in range(50)]
    return [
        (drawn([SMALL, LARGE], ("small", "large")),),
        (drawn(many, [f"class {n}" for n in range(50)]),),
    ]


def test_info_is_exact():
    chart = drawn([SMALL, LARGE], ("small", "large"))
    assert (
        chart.names == ("large", "small")
        and chart.counts == (9, 4)
        and chart.minority == (False, True)
    )
    assert class_error_parts.means(chart, True)["noise"] == pytest.approx(0.3)
    assert [t["name"] for t in class_error_parts.figure(chart).to_dict()["data"][:5]] == [
        *(p[0] for p in class_error_parts.PARTS.values()),
        "total",
    ]
    lowest = class_error_parts.figure(chart).layout.yaxis.range[0]
    assert lowest == pytest.approx(-0.05), "a part that helps hangs below zero"
