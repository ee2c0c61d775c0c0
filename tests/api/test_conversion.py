"""Data sets from frames and from image data sets of other libraries."""

import numpy as np
import pandas
import pytest
import torch
from PIL import Image

import dpviz
from dpviz import DpvizError
from dpviz.experiments import experiment
from tests.api.test_estimators import blobs


def frame(seed=0):
    x, y = blobs(60, seed=seed)
    table = pandas.DataFrame(x, columns=[f"f{i}" for i in range(x.shape[1])])
    return table.assign(label=np.array(["a", "b", "c"])[y], who=np.arange(60) // 2)


def test_frame_gives_features_labels_and_persons():
    data = dpviz.from_frame(frame(), "label", frame(1), frame(2), person="who")
    assert data.x.shape == (60, 8) and data.class_names == ("a", "b", "c")
    assert len(np.unique(data.persons)) == 30 and len(data.labelled_public[1]) == 60
    unlabeled = frame(2).drop(columns="label")
    assert dpviz.from_frame(frame(), "label", public=unlabeled, person="who").y_public is None


def test_missing_column_is_a_sentence():
    with pytest.raises(DpvizError, match="train data have no column lable"):
        dpviz.from_frame(frame(), "lable")
    with pytest.raises(DpvizError, match="test data have no column f3"):
        dpviz.from_frame(frame(), "label", frame().drop(columns="f3"), person="who")


class Pairs:
    """Images as torchvision gives them."""

    classes = ("zero", "one")

    def __init__(self, n, kind):
        self.n, self.kind = n, kind

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        pixels = np.zeros((20, 16), np.uint8)
        pixels[5:15, 3 + 8 * (i % 2) : 6 + 8 * (i % 2)] = 255 - i
        if self.kind == "pil":
            return Image.fromarray(pixels), i % 2
        scaled = torch.from_numpy(pixels)[None].float() / 255
        return (scaled if self.kind == "tensor" else scaled - 0.5), i % 2


class Rows(Pairs):
    """Images as the datasets library gives them."""

    def __getitem__(self, i):
        image, label = super().__getitem__(i)
        return {"image": image, "label": label}


def test_same_images_from_both_libraries_have_same_features():
    data = dpviz.from_torchvision(Pairs(12, "pil"), Pairs(6, "pil"), "glyphnet")
    tensors = dpviz.from_torchvision(Pairs(12, "tensor"), Pairs(6, "tensor"), "glyphnet")
    rows = dpviz.from_hugging_face(
        Rows(12, "pil"), Rows(6, "pil"), "glyphnet", public=Rows(8, "pil")
    )
    assert np.array_equal(data.x, tensors.x) and np.array_equal(data.x, rows.x)
    assert data.class_names == ("zero", "one") and len(rows.labelled_public[1]) == 8
    result = dpviz.run("dppl-mean", data, epsilon=100)
    assert experiment.prepared(result.spec).class_names == data.class_names


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dpviz.from_torchvision(Pairs(4, "raw"), Pairs(2, "raw"), "glyphnet"), "outside"),
        (lambda: dpviz.from_torchvision(Rows(4, "pil"), Rows(2, "pil"), "glyphnet"), "pair"),
        (lambda: dpviz.from_hugging_face(Pairs(4, "pil"), [], "glyphnet"), "no column label"),
        (lambda: dpviz.from_torchvision(Pairs(4, "pil"), Pairs(2, "pil"), "glyf"), "Unknown enc"),
    ],
)
def test_items_of_other_kinds_are_a_sentence(call, message):
    with pytest.raises(DpvizError, match=message):
        call()
