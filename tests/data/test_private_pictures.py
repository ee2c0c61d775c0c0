"""Pictures of an upload are decoded in processes with caps: the same numbers and thumbnails, or a
sentence; what was made of them lies beside them.
"""

import dataclasses
import os

import numpy as np
import pytest

from dpviz import data
from dpviz.data import feature_cache, private_pictures, uploads
from dpviz.data import held_aside as aside
from dpviz.data.readers import folders, picture_files
from dpviz.encoders import ENCODERS
from dpviz.experiments import embedding_work
from dpviz.experiments.embedding_work import Task
from dpviz.machine.sandbox import WorkEnded
from dpviz.types import DpvizError
from tests.kit.picture_uploads import flat, two_classes

GLYPHNET = ENCODERS["glyphnet"]
TOO_MUCH = r"(needed more than 0.0625 GiB|crashed, possibly for lack of memory)"
"""A library in C++ that gets no memory may end the process before anybody can say so."""


def silent(*stage):
    return None


def uploaded(content):
    """The path of an upload of pictures, sorted."""
    name = uploads.keep_unsorted(content)
    embedding_work.sort(Task("sort", name), silent)
    return uploads.path(name)


def here(monkeypatch):
    """From here on no picture may be decoded in this process."""

    def refuse(*args):
        pytest.fail("a stranger's picture was decoded in the server")

    monkeypatch.setattr(picture_files, "decode", refuse)


def test_isolated_upload_gives_same_features_and_thumbnails(tmp_path, monkeypatch):
    path = uploaded(two_classes())
    single = folders.read(path).splits
    texts = picture_files.thumbnails(single["train"], np.array([0, 30]))
    features = feature_cache.embedded(single["test"], GLYPHNET, home=tmp_path)
    public = aside.rows(data.source(str(path)))
    held_aside = picture_files.thumbnails(single["train"], public[:1])
    with monkeypatch.context() as patched:
        here(patched)
        product = data.load(str(path), "glyphnet", "held-aside")
        assert np.array_equal(product.x_test, features)
        assert np.array_equal(product.thumbnails("train", np.array([0, 30])), texts)
        assert np.array_equal(np.setdiff1d(np.arange(48), product.rows), public)
        assert np.array_equal(product.thumbnails("public", np.array([0])), held_aside)
        assert embedding_work.inspect(Task("look", str(path)), silent).images.shape == (
            6,
            96,
            96,
            3,
        )
        monkeypatch.setattr(private_pictures._embedding._pool, "free", [])
        data.clear()
        assert np.array_equal(data.load(str(path), "glyphnet").x_test, features), "it is kept"
    assert uploads.features(path.stem).exists()
    shared = [feature_cache.place(images, GLYPHNET) for images in single.values()]
    assert not any(folder.exists() for folder in shared), "they lie beside the upload alone"
    assert embedding_work.ready(data.source(str(path)), "glyphnet")
    uploads.delete(path.stem)
    assert not uploads.features(path.stem).exists()


def test_images_beyond_memory_limit_give_message(monkeypatch):
    path = uploaded(two_classes(flat(2_000, 8_000), 1, 1))
    for name in ("EMBEDDING", "DRAWING"):
        small = dataclasses.replace(getattr(private_pictures, name), memory=2**26)
        monkeypatch.setattr(private_pictures, name, small)
    assert path.stat().st_size < 2**19
    with pytest.raises(WorkEnded, match=f"Embedding these images {TOO_MUCH}"):
        data.load(str(path), "lite0", "held-aside")
    with pytest.raises(WorkEnded, match=f"Drawing these images {TOO_MUCH}"):
        private_pictures.thumbnails(data.source(str(path)), "train", np.arange(2))


def test_features_that_cannot_be_stored_are_still_used(monkeypatch):
    path = uploaded(two_classes())
    row = data.source(str(path))
    features = {"train": np.ones((48, 128), np.float32)}
    monkeypatch.setattr(private_pictures._embedding, "ask", lambda *requests: features)
    assert private_pictures.features(row, GLYPHNET, None) is features
    monkeypatch.setattr(private_pictures._embedding, "ask", lambda *requests: {})
    with pytest.raises(DpvizError, match="deleted during the computation"):
        private_pictures.features(row, GLYPHNET, None)


def test_quota_is_checked_before_features_are_computed(monkeypatch):
    name = uploads.keep_unsorted(two_classes(), "a" * 32)
    embedding_work.sort(Task("sort", name), silent)
    monkeypatch.setattr(uploads, "MAX_UPLOAD_BYTES", uploads.size(name) + 2 * 128 * 52 - 1)
    monkeypatch.setattr(private_pictures._embedding, "ask", lambda *requests: os.abort())
    with pytest.raises(DpvizError, match="Delete another upload"):
        data.load(str(uploads.path(name)), "glyphnet", "held-aside")
