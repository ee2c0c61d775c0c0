import numpy as np

from dpviz.plots import record_cards
from tests.kit.charts import HOSTILE


def test_cards_escape_and_tell():
    record = record_cards.Record(
        7, np.zeros((2, 2), np.uint8), HOSTILE, True, (0.1234, 1.0), (True, False)
    )
    drawn = record_cards.html([record], [("noisy-gd", "N"), ("dppl-mean", "M")], "ε′")
    assert (
        "<img src=x" not in drawn
        and "0.123" in drawn
        and "record 7" in drawn
        and "M: ε′ 1, wrong" in drawn
    )
