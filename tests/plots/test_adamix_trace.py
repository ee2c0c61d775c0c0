import numpy as np

from dpviz.methods.components import mixed_gradients
from dpviz.plots.adamix import StepTrace

PATH = mixed_gradients.Path(
    *(np.array([1.0, 2.0]) for _ in range(2)),
    np.array([[1, 2, 3], [4, 5, 6.0]]),
    *(np.array([0.5, 0.25]) for _ in range(4)),
)


def examples():
    return [(StepTrace.from_path(PATH),)]


def test_info_is_exact():
    shown = StepTrace.from_path(PATH)
    assert (
        shown.steps == 2
        and shown.traces[0].values == (2.0, 5.0)
        and shown.traces[0].band == ((1.0, 4.0), (3.0, 6.0))
    )
    rows = shown.table()
    assert rows[1]["threshold τ"] == 2.0 and rows[0]["records clipped"] == 0.5
    assert len(shown.figure().data) == 8
