"""Batches on a GPU, on a stand-in whose memory is what a test says."""

import dataclasses

import numpy as np
import pytest
import torch

from dpviz.encoders import ENCODERS, embedding, gpu_batches
from dpviz.encoders.embedding import embed
from dpviz.types import DpvizError
from tests.kit import gpu_stand_in

GLYPHNET = ENCODERS["glyphnet"]


class Short(torch.nn.Module):
    """GlyphNet on a GPU that holds so many pictures."""

    def __init__(self, holds, error=torch.OutOfMemoryError):
        super().__init__()
        self.net, self.holds, self.error, self.tried = GLYPHNET.load(), holds, error, []

    def forward(self, x):
        self.tried.append(len(x))
        if len(x) > self.holds:
            raise self.error("CUDA error: out of memory")
        return self.net(x)


def pictures(n, side=28):
    return np.random.default_rng(0).integers(0, 256, (n, side, side), np.uint8)


@pytest.fixture
def short(monkeypatch, tmp_path):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    wanted = embed(pictures(100), GLYPHNET)
    gpu_stand_in.plug_in(monkeypatch)
    yield (
        lambda *setting: (lambda net: (net, dataclasses.replace(GLYPHNET, load=lambda: net)))(
            Short(*setting)
        ),
        wanted,
    )
    embedding.network.cache_clear()


@pytest.mark.parametrize("error", [torch.OutOfMemoryError, RuntimeError, torch.AcceleratorError])
def test_out_of_memory_halves_batch_and_continues(short, error):
    make, wanted = short
    net, row = make(20, error)
    gpu_batches.keep(row, 64)
    np.testing.assert_allclose(embed(pictures(100), row), wanted, atol=1e-5)
    assert net.tried[:4] == [64, 32, 16, 16] and max(net.tried[2:]) == 16


def test_smaller_batch_is_kept_for_retry(short):
    make, wanted = short
    first, row = make(20)
    gpu_batches.keep(row, 64)
    embed(pictures(100), row)
    net, row = make(20)
    assert embedding.batch_size(row) == 16
    np.testing.assert_allclose(embed(pictures(100), row), wanted, atol=1e-5)
    assert max(net.tried) == 16 and max(first.tried) == 64


def test_single_image_that_does_not_fit_gives_message(short):
    net, row = short[0](0)
    gpu_batches.keep(row, 4)
    with pytest.raises(DpvizError, match="Encoder glyphnet .* do not fit .*DPVIZ_DEVICE=cpu"):
        embed(pictures(10), row)
    assert net.tried == [4, 2, 1]


def test_other_gpu_failure_message_suggests_cpu(short, monkeypatch):
    make, _ = short
    net, row = make(0, torch.AcceleratorError)
    gpu_batches.keep(row, 4)
    monkeypatch.setattr(gpu_batches, "MEMORY_ERRORS", ())
    with pytest.raises(DpvizError, match="failed.*set DPVIZ_DEVICE=cpu"):
        embed(pictures(10), row)
    assert net.tried == [4]


def test_batch_size_is_measured_once_per_network_gpu(monkeypatch, tmp_path):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    rates = iter([{16: 1, 32: 9, 64: 9}, {16: 9, 32: 1}])
    monkeypatch.setattr(embedding, "_rate", lambda row, device, batch: current[batch])
    gpu_stand_in.plug_in(monkeypatch)
    current = next(rates)
    assert [embedding.batch_size(GLYPHNET) for _ in range(2)] == [32, 32]
    current = next(rates)
    assert embedding.batch_size(GLYPHNET) == 32
    assert embedding.batch_size(dataclasses.replace(GLYPHNET, size=56)) == 16
    gpu_stand_in.plug_in(monkeypatch, "Stand-in 2")
    assert embedding.batch_size(GLYPHNET) == 16


def test_large_images_are_prepared_in_small_exact_batches(monkeypatch):
    reference = pictures(40, side=61)
    colour = np.stack([reference] * 3, -1)
    for pixels, row in ((reference, GLYPHNET), (colour, GLYPHNET), (colour, ENCODERS["lite0"])):
        whole = embedding.prepare(embedding._tensors(pixels), row)
        monkeypatch.setattr(embedding, "RAW", 5 * pixels[0].nbytes)
        parts = embedding._tensors(pixels)
        assert len(parts) == 8 and torch.equal(embedding.prepare(parts, row), whole)
        assert len(embedding._tensors(list(pixels))) == 8
        assert len(embedding._tensors(pictures(3, side=400))) == 3
        monkeypatch.undo()
