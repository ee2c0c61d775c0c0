"""Encoders: shapes, known accuracies, and features that depend on nothing but the picture."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from dpviz import encoders
from dpviz.data import bundled, synthetic_glyphs
from dpviz.encoders import ENCODERS, glyphnet, train_glyphnet
from dpviz.encoders.embedding import embed, prepare
from dpviz.machine import threads
from dpviz.machine.threads import parallel_map
from dpviz.types import Cancelled, DpvizError, unit_rows

GLYPHNET, LITE0 = ENCODERS["glyphnet"], ENCODERS["lite0"]


@pytest.fixture(scope="module")
def mnist(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield bundled.mnist5k()


def accuracies(train, test, y, y_test):
    """(nearest class mean by cosine, logistic regression) on features."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    unit = unit_rows(train)
    means = unit_rows(np.stack([unit[y == c].mean(0) for c in range(10)]))
    nearest = np.mean(np.argmax(unit_rows(test) @ means.T, axis=1) == y_test)
    with threadpool_limits(1):  # many threads on a busy machine wait for one another
        logistic = LogisticRegression(C=0.1, max_iter=200).fit(train, y)
    return nearest, logistic.score(test, y_test)


def test_glyphnet_separates_unseen_mnist_digits(mnist):
    train, test = mnist["train"], mnist["test"]
    x, x_test = embed(train.pixels, GLYPHNET), embed(test.pixels, GLYPHNET)
    nearest, logistic = accuracies(x, x_test, train.labels, test.labels)
    assert nearest >= 0.93
    assert logistic >= 0.977


def test_lite0_separates_digits_on_a_part_of_mnist(mnist):
    train, test = mnist["train"], mnist["test"]
    x, x_test = embed(train.pixels[:400], LITE0), embed(test.pixels[:200], LITE0)
    assert x.shape == (400, 1280)
    nearest, logistic = accuracies(x, x_test, train.labels[:400], test.labels[:200])
    assert nearest >= 0.65
    assert logistic >= 0.8


@pytest.mark.parametrize("row", [GLYPHNET, LITE0, ENCODERS["scatter"]], ids=lambda row: row.key)
@pytest.mark.parametrize(
    "shape", [(3, 28, 28), (3, 28, 28, 3), (3, 64, 48, 3), (3, 8, 8), (1, 200, 200)]
)
def test_any_image_size_and_color_is_accepted(row, shape):
    pixels = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
    ready = prepare(torch.from_numpy(pixels), row)
    assert ready.shape == (shape[0], row.channels, row.size, row.size)
    assert ready.min() >= -1.01 and ready.max() <= 1.01
    features = embed(pixels, row)
    assert (
        features.shape == (shape[0], row.dim)
        and features.dtype == np.float32
        and np.isfinite(features).all()
    )


def test_no_images_give_no_features():
    assert embed(np.zeros((0, 28, 28), np.uint8), GLYPHNET).shape == (0, 128)


def test_features_are_independent_of_core_count(mnist):
    pixels = mnist["test"].pixels[:500]
    with threads.limited_cores(2):
        count = embed(pixels, GLYPHNET)
    with threads.limited_cores(1):
        np.testing.assert_array_equal(count, embed(pixels, GLYPHNET))


def test_embedding_does_not_modify_images(mnist):
    pixels = mnist["test"].pixels[:50].copy()
    initial = pixels.copy()
    embed(pixels, GLYPHNET)
    np.testing.assert_array_equal(pixels, initial)


def test_progress_reaches_end_and_can_cancel(mnist):
    values = []
    embed(mnist["test"].pixels[:300], GLYPHNET, lambda *step: values.append(step), batch=128)
    assert values == [(128, 300), (256, 300), (300, 300)]

    def stop(completed, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        embed(mnist["test"].pixels, GLYPHNET, stop)


def test_parallel_map_keeps_order_and_raises_errors():
    assert list(parallel_map(lambda i: i * i, range(20), workers=3)) == [i * i for i in range(20)]
    with pytest.raises(ZeroDivisionError):
        list(parallel_map(lambda i: 1 / (5 - i), range(20)))


def test_unknown_encoder_error_lists_known_ones():
    with pytest.raises(DpvizError, match="Use one of glyphnet, lite0"):
        encoders.get("resnet")


def test_encoder_table_imports_neither_torch_nor_timm():
    code = (
        "import sys, dpviz.encoders; sys.exit(bool({'torch', 'timm', 'torchvision'} &"
        " set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_identity_depends_on_weights_and_preprocessing():
    import dataclasses

    assert GLYPHNET.identity == encoders.get("glyphnet").identity
    assert dataclasses.replace(LITE0, size=LITE0.size + 32).identity != LITE0.identity
    assert dataclasses.replace(GLYPHNET, weights=LITE0.weights).identity != GLYPHNET.identity


def test_glyphnet_weights_fit_in_repository():
    assert glyphnet.WEIGHTS.stat().st_size < 2e6


def test_folding_norm_layers_keeps_output():
    torch.manual_seed(0)
    model = glyphnet.network(norm=True)
    x = torch.randn(64, 1, 28, 28)
    model(x)  # moves the running statistics off their start
    model.eval()
    torch.testing.assert_close(train_glyphnet.fold(model)(x), model(x), rtol=1e-4, atol=1e-5)


@pytest.fixture
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(False)


def test_training_reduces_loss_and_is_reproducible(monkeypatch, one_thread):
    monkeypatch.setattr(train_glyphnet, "STEPS", 6)
    monkeypatch.setattr(train_glyphnet, "BATCH", 64)
    messages = []
    first = train_glyphnet.train(2, seed=3, report=messages.append).state_dict()
    again = train_glyphnet.train(2, seed=3, report=messages.append).state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in messages]
    assert losses[1] < losses[0]


def test_training_merges_only_similar_characters():
    classes = dict(zip(synthetic_glyphs.CHARACTERS, train_glyphnet.targets().tolist(), strict=True))
    assert classes["0"] == classes["O"] == classes["o"] and classes["1"] == classes["l"]
    assert len({classes[c] for c in "0123456789"}) == 10
