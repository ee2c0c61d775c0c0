import numpy as np

from dpviz.plots.record_cards import RecordCard, record_cards_html
from tests.kit.charts import HOSTILE


def test_cards_escape_names_and_show_numbers():
    record = RecordCard(
        "record 7", (np.zeros((2, 2), np.uint8),), HOSTILE, True, (0.1234, 1.0), (True, False)
    )
    drawn = record_cards_html([record], [("noisy-gd", "N"), ("dppl-mean", "M")], "ε′")
    assert (
        "<img src=x" not in drawn
        and "0.123" in drawn
        and "record 7" in drawn
        and "M: ε′ 1, wrong" in drawn
    )


def test_user_card_has_several_images_and_share():
    pictures = (np.zeros((2, 2), np.uint8),) * 3
    one = RecordCard("person 3", pictures, "5 pictures", False, (0.5,), (0.8,))
    drawn = record_cards_html([one], [("noisy-gd", "N")], "ε′")
    assert drawn.count("<img") == 3 and "80% correct" in drawn and "✓" not in drawn
