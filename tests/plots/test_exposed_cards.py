import numpy as np

from dpviz.plots.record_cards import ExposedCard, exposed_cards_html
from tests.kit.charts import HOSTILE


def test_cards_escape_names_and_show_numbers():
    pictures = (np.zeros((2, 2), np.uint8),) * 2
    one = ExposedCard("record 7", pictures, HOSTILE, ("found 12 of 14",))
    drawn = exposed_cards_html([one])
    assert "<img src=x" not in drawn and drawn.count("<img") == 2 and "people" in drawn
    assert "found 12 of 14" in drawn and "record 7" in drawn
    bare = exposed_cards_html([ExposedCard("record 7", (), "3", ())])
    assert "<img" not in bare and "people" not in bare.split("</style>")[1]
