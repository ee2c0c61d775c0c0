import numpy as np

from dpviz.plots.prototypes import ClassSimilarity, similarity_html
from dpviz.text.charts import ONE_IMAGE, SAME_NAME
from tests.kit.charts import HOSTILE


def row(**changes):
    fields = {"name": "t-shirt", "minority": True, "named": False, "picture": None}
    fields |= {"called": HOSTILE, "nearest": 0.414, "among": float("nan")}
    return ClassSimilarity(**fields | changes)


def test_table_escapes_names_and_marks_missing_values():
    text = similarity_html([row(), row(named=None, called=None, among=0.6)])
    assert "<img src=x" not in text and ">t-shirt<" in text and "0.41" in text
    assert ">none<" in text and SAME_NAME[None] in text and ONE_IMAGE in text and "0.60" in text


def test_photographs_are_rendered_smoothly():
    large, small = (np.zeros((side, side, 3), np.uint8) for side in (96, 28))
    assert "data:image/jpeg" in similarity_html([row(picture=large)])
    assert "pixelated" in similarity_html([row(picture=small)])
