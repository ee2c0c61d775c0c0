import numpy as np

from dpviz.methods.components import mixed_gradients
from dpviz.plots import adamix_trace

PATH = mixed_gradients.Path(
    *(np.array([1.0, 2.0]) for _ in range(2)),
    np.array([[1, 2, 3], [4, 5, 6.0]]),
    *(np.array([0.5, 0.25]) for _ in range(4)),
)


def examples():
    return [(adamix_trace.info(PATH),)]


def test_info_is_exact():
    shown = adamix_trace.info(PATH)
    assert (
        shown.steps == 2
        and shown.traces[0].values == (2.0, 5.0)
        and shown.traces[0].band == ((1.0, 4.0), (3.0, 6.0))
    )
    rows = adamix_trace.table(shown)
    assert rows[1]["threshold τ"] == 2.0 and rows[0]["records clipped"] == 0.5
    assert len(adamix_trace.figure(shown).data) == 8
