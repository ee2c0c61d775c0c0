"""The embedding loop: worker processes, several devices, the batch that is found, errors on the
way.
"""

import dataclasses
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch

from dpviz.data import feature_cache as store
from dpviz.encoders import ENCODERS, embedding, picture_decoding
from dpviz.encoders.embedding import embed, merged, stream
from dpviz.encoders.gpu_batches import doubled
from dpviz.encoders.picture_decoding import decoded
from dpviz.types import Cancelled, DpvizError, Files
from tests.kit.picture_readers import Counted, Deadly, Reader

pytestmark = pytest.mark.slow

GLYPHNET = ENCODERS["glyphnet"]


def files(n: int, **setting) -> Files:
    return Files(np.zeros(n, np.int64), Reader(**setting), f"{n} {setting}")


def test_lazy_images_give_same_features_as_in_memory():
    reference = np.stack([Reader()(i) for i in range(300)])
    np.testing.assert_array_equal(embed(files(300), GLYPHNET), embed(reference, GLYPHNET))


def test_images_of_many_sizes_are_resized_to_one():
    single = [embed(Reader(ragged=True)(i)[None], GLYPHNET)[0] for i in range(20)]
    np.testing.assert_allclose(
        embed(files(20, ragged=True), GLYPHNET), single, rtol=1e-4, atol=1e-4
    )


def test_removing_one_image_changes_no_other_features():
    """Or a record more would change what others add, and which teacher hears them."""
    pixels = np.stack([Reader()(i) for i in range(300)])
    whole = embed(pixels, GLYPHNET)
    for row in (0, 150, 299):
        assert np.array_equal(embed(np.delete(pixels, row, 0), GLYPHNET), np.delete(whole, row, 0))


def test_color_images_convert_to_exact_mean_gray():
    pictures = torch.from_numpy(np.stack([Reader()(i) for i in range(20)]))
    assert pictures.shape[3] == 3
    scaled = pictures.permute(0, 3, 1, 2).float().div_(255)
    wanted = embedding._resized(scaled.mean(1, keepdim=True), (28, 28), GLYPHNET.interpolation)
    assert torch.equal(embedding.prepare(pictures, GLYPHNET), wanted.sub_(0.5).div_(0.5))


def test_worker_processes_return_batches_in_order():
    batches = [range(7), range(7, 9), range(9, 20)]
    first, pair = (list(decoded(Reader(ragged=True), batches, 100, workers)) for workers in (1, 2))
    assert [rows for rows, _ in pair] == batches
    for (_, small), (_, count) in zip(first, pair, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(small, count, strict=True))


@pytest.mark.parametrize(("workers", "processes"), [(1, True), (2, True), (2, False), (8, False)])
def test_slow_network_bounds_images_decoded_ahead(tmp_path, monkeypatch, workers, processes):
    if not processes:  # threads in their place: eight processes take their time to start
        monkeypatch.setattr(
            "joblib.externals.loky.get_reusable_executor",
            lambda workers, timeout: ThreadPoolExecutor(workers),
        )
    read, batches = Counted(str(tmp_path / "count")), [range(i, i + 20) for i in range(0, 600, 20)]
    largest = picture_decoding.window(workers, 0) * picture_decoding.PIECE if workers > 1 else 0
    for rows, pictures in decoded(read, batches, 100, workers):
        assert [p[0, 0, 0] for p in pictures] == [i % 256 for i in rows]
        time.sleep(0.005)
        assert read.count - rows.stop <= largest
    assert read.count == 600


def test_larger_images_reduce_decoding_ahead(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "joblib.externals.loky.get_reusable_executor",
        lambda workers, timeout: ThreadPoolExecutor(workers),
    )
    monkeypatch.setattr(picture_decoding, "BYTES_AHEAD", 2 * 8 * 8 * 8 * 3)
    read, batches = Counted(str(tmp_path / "count")), [range(i, i + 8) for i in range(0, 400, 8)]
    ahead = []
    for rows, _ in decoded(read, batches, 100, 8):
        time.sleep(0.002)
        ahead.append(read.count - rows.stop)
    assert max(ahead[20:]) <= 2 * 8 < max(ahead[:5])


def test_killed_worker_process_gives_message():
    with pytest.raises(DpvizError, match="ended from outside.*Finished work is stored"):
        list(decoded(Deadly(), [range(4)], 100, 2))
    assert len(list(decoded(Reader(), [range(4)], 100, 2))) == 1, "the next gets new processes"


def test_huge_image_is_downsampled_in_worker_by_blocks():
    def ramp(i):
        return np.broadcast_to(np.arange(600, dtype=np.uint8)[:, None, None] // 3, (600, 900, 3))

    [(_, [picture])] = decoded(ramp, [range(1)], 100, 1)
    assert picture.shape == (100, 150, 3)
    np.testing.assert_allclose(picture[:, 0, 0], ramp(0)[:, 0, 0].reshape(100, 6).mean(1), atol=1)


def test_undecodable_image_gives_message_and_keeps_finished_parts(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    monkeypatch.setattr(store, "BATCHES", 1)
    with pytest.raises(DpvizError, match="Picture 1500 cannot be decoded; replace it"):
        store.embedded(files(2000, bad=1500), GLYPHNET)
    completed = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert 3 <= len(completed) <= 1500 // 128
    fixed = dataclasses.replace(files(2000), mark=files(2000, bad=1500).mark)
    np.testing.assert_array_equal(
        store.embedded(fixed, GLYPHNET),
        store.embedded(np.stack([Reader()(i) for i in range(2000)]), GLYPHNET),
    )


def test_files_are_identified_by_their_mark():
    assert store.key(files(5), GLYPHNET) == store.key(
        dataclasses.replace(files(5), read=Reader(bad=1)), GLYPHNET
    )
    assert store.key(files(5), GLYPHNET) != store.key(
        dataclasses.replace(files(5), mark="other"), GLYPHNET
    )


@pytest.fixture
def two_devices(monkeypatch):
    monkeypatch.setattr(embedding, "devices", lambda: ["cpu", "cpu"])


def test_several_devices_give_same_bits(monkeypatch):
    reference = np.stack([Reader()(i) for i in range(700)])
    parts = [range(i, min(i + 128, 700)) for i in range(0, 700, 128)]
    single = embed(reference, GLYPHNET)
    monkeypatch.setattr(embedding, "devices", lambda: ["cpu", "cpu"])
    result, rows_seen = np.zeros_like(single), []
    for rows, features in stream(reference, GLYPHNET, parts, 128):
        result[rows.start : rows.stop] = features
        rows_seen.append(rows)
    np.testing.assert_array_equal(result, single)
    assert sorted(rows_seen, key=lambda rows: rows.start) == parts


def test_error_on_one_device_stops_all_others():
    ended = []

    def endless():
        try:
            while True:
                yield range(1), np.zeros((1, 2))
        finally:
            ended.append(True)

    def failing():
        yield range(1), np.zeros((1, 2))
        raise DpvizError("broken")

    with pytest.raises(DpvizError, match="broken"):
        for _ in merged([endless(), failing()]):
            pass
    assert ended == [True]


def test_cancel_stops_every_device(two_devices):
    reference = np.zeros((2000, 28, 28), np.uint8)

    def stop(completed, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        embed(reference, GLYPHNET, stop)


@pytest.mark.parametrize(
    ("rates", "size"),
    [
        ({16: 10, 32: 19, 64: 30, 128: 31}, 64),
        ({16: 10, 32: 20, 64: None}, 32),
        ({16: None, 32: None}, 16),
        ({16: 5, 32: 4}, 16),
    ],
)
def test_batch_doubles_while_faster_and_memory_suffices(rates, size):
    assert doubled(rates.__getitem__) == size


def test_batch_size_stops_at_maximum():
    assert doubled(lambda size: float(size), largest=256) == 256


def test_cpu_uses_batch_size_of_encoder():
    if not torch.cuda.is_available():
        assert embedding.batch_size(GLYPHNET) == GLYPHNET.batch


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_gpu_matches_cpu_within_bfloat16_rounding(monkeypatch):
    reference = np.stack([Reader()(i) for i in range(500)])
    fast = embed(reference, GLYPHNET)
    monkeypatch.setattr(embedding, "devices", lambda: ["cpu"])
    exact = embed(reference, GLYPHNET)
    assert np.linalg.norm(fast - exact) <= 2**-6 * np.linalg.norm(exact)


def test_decoder_does_not_import_torch():
    text = Path(decoded.__code__.co_filename).read_text()
    assert "import torch" not in text
