"""Pictures in, feature rows out: batches stream through the network on the device at hand.

On the CPU a batch has a fixed size and runs on one core, so that the last bits do not depend on the
machine's load or number of cores. On a GPU the network runs in bfloat16, in batches of the size
found to be fastest.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from queue import Queue
from threading import Event, Thread

import numpy as np
import torch
import torch.nn.functional as F

from dpviz.caches import cached
from dpviz.encoders import gpu_batches
from dpviz.encoders.encoder import Encoder
from dpviz.encoders.picture_decoding import decoded
from dpviz.machine.accelerator import devices, failures_in_words
from dpviz.machine.threads import all_cores, parallel_map
from dpviz.types import Files

Progress = Callable[[int, int], None]
Pictures = np.ndarray | Files
Loaded = tuple[range, Sequence[np.ndarray] | np.ndarray]
EmbeddedBatch = tuple[range, np.ndarray]
Stream = Generator[EmbeddedBatch, None, None]

AHEAD = 3
"""Batches handed to a GPU before the first of them is waited for."""
RAW = 2**26
"""Bytes of pictures as they come that are brought to the network's size at once."""


def embed(
    pixels: Pictures, encoder: Encoder, progress: Progress | None = None, batch: int | None = None
) -> np.ndarray:
    """Features of pictures, none of them kept on disk.

    The bits depend on the processor, torch's version and ``batch``, not on the number of cores.

    Args:
        pixels: (n, h, w) or (n, h, w, 3) uint8, or ``Files``.
        encoder: a row of the encoder table.
        progress: called with (done, total) after each batch, in the caller's thread; may raise
            ``Cancelled``.
        batch: pictures a pass; by default ``batch_size(encoder)``.

    Returns:
        (n, dim) float32.
    """
    out, completed = np.empty((len(pixels), encoder.dim), np.float32), 0
    with closing(
        stream(pixels, encoder, [range(len(pixels))], batch or batch_size(encoder))
    ) as parts:
        for rows, features in parts:
            out[rows.start : rows.stop] = features
            completed += len(rows)
            if progress:
                progress(completed, len(pixels))
    return out


def stream(pictures: Pictures, encoder: Encoder, parts: Sequence[range], batch: int) -> Stream:
    """(rows, features) of each batch as it is done; whoever stops listening stops the work.

    Args:
        parts: rows to embed; no batch reaches over the end of a part, and each part stays on one
            device.
        batch: pictures a pass.

    Yields:
        A range of rows and their features (k, dim) float32; those of one part in order.
    """
    on = devices()
    shares = [parts[i :: len(on)] for i in range(len(on))]
    streams = [
        _on_device(pictures, encoder, share, batch, device)
        for share, device in zip(shares, on, strict=True)
        if share
    ]
    return streams[0] if len(streams) == 1 else merged(streams)


def _on_device(
    pictures: Pictures, encoder: Encoder, parts: Sequence[range], batch: int, device: str
) -> Stream:
    net, batches = network(encoder, device), _cut(parts, batch)
    loads: Iterator[Loaded]
    if isinstance(pictures, Files):
        cores = all_cores()
        loads = decoded(
            pictures.read,
            batches,
            enough=4 * resized_side(encoder),
            workers=max(1, cores // 4) if device == "cpu" else cores,
        )
    else:
        loads = ((rows, pictures[rows.start : rows.stop]) for rows in batches)
    if device == "cpu":
        return _on_cpu(net, loads, encoder)
    return _on_gpu(net, loads, encoder, device, batch)


def _cut(parts: Iterable[range], batch: int) -> list[range]:
    return [
        range(start, min(start + batch, part.stop))
        for part in parts
        for start in range(part.start, part.stop, batch)
    ]


def _on_cpu(net: torch.nn.Module, loads: Iterator[Loaded], encoder: Encoder) -> Stream:
    @torch.inference_mode()
    def run(load: Loaded) -> EmbeddedBatch:
        rows, pictures = load
        return rows, net(prepare(_tensors(pictures), encoder)).float().numpy()

    return parallel_map(run, loads)


@torch.inference_mode()
def _on_gpu(
    net: torch.nn.Module, loads: Iterator[Loaded], encoder: Encoder, device: str, batch: int
) -> Stream:
    """Copies and passes are queued up to ``AHEAD`` batches before the first of them is waited for,
    so that the device has work while this thread reads; it does them one after another.
    """
    waiting: deque[tuple[range, torch.Tensor, torch.cuda.Event]] = deque()
    halving = gpu_batches.Halving(encoder, batch)

    def take() -> EmbeddedBatch:
        rows, features, event = waiting.popleft()
        event.synchronize()
        return rows, features.numpy()

    def passed(pictures: Sequence[np.ndarray] | np.ndarray) -> torch.Tensor:
        raw = (_upwards(part, device) for part in _tensors(pictures))
        return forward(net, prepare(raw, encoder))

    with failures_in_words(device), torch.cuda.device(device):
        for rows, pictures in loads:
            features = _downwards(halving.run(passed, pictures))
            event = torch.cuda.Event()
            event.record()
            waiting.append((rows, features, event))
            if len(waiting) == AHEAD:
                yield take()
        while waiting:
            yield take()


def _upwards(images: torch.Tensor, device: str) -> torch.Tensor:
    return images.pin_memory().to(device, non_blocking=True)


def _downwards(features: torch.Tensor) -> torch.Tensor:
    buffer = torch.empty(features.shape, dtype=torch.float32, pin_memory=True)
    return buffer.copy_(features, non_blocking=True)


def forward(net: torch.nn.Module, ready: torch.Tensor) -> torch.Tensor:
    """Features (n, dim) float32 of prepared pictures: bfloat16 arithmetic on a GPU, float32 on the
    CPU.
    """
    with torch.autocast("cuda", torch.bfloat16, enabled=ready.is_cuda):
        return net(ready).float()


def merged(streams: Sequence[Stream]) -> Stream:
    """What streams give, as it comes, each in a thread of its own; an error in one stops all."""
    ready: Queue = Queue(maxsize=AHEAD * len(streams))
    stop = Event()

    def follow(stream: Stream) -> None:
        try:
            with closing(stream):
                for batch in stream:
                    ready.put(batch)
                    if stop.is_set():
                        break
            ready.put(None)
        except BaseException as error:
            ready.put(error)

    threads = [Thread(target=follow, args=(stream,), daemon=True) for stream in streams]
    for thread in threads:
        thread.start()
    try:
        left = len(streams)
        while left:
            batch = ready.get()
            if isinstance(batch, BaseException):
                raise batch
            left -= batch is None
            if batch is not None:
                yield batch
    finally:
        stop.set()
        while any(thread.is_alive() for thread in threads):
            while not ready.empty():
                ready.get()
            threads[0].join(0.01) if threads[0].is_alive() else time.sleep(0.01)


@cached(8)
def network(encoder: Encoder, device: str | None = None) -> torch.nn.Module:
    """The frozen network on a device, by default the first at hand; kept in memory."""
    device = device or devices()[0]
    net = encoder.load().requires_grad_(False)
    with failures_in_words(device):
        # Pixels side by side in memory: the CPU convolutions run up to three times as fast.
        return net.to(device, memory_format=torch.channels_last)


# --------------------------------------------------------------------------------------- batch size


def batch_size(encoder: Encoder) -> int:
    """Pictures a pass: the encoder's own on the CPU, where bits depend on it; the fastest found on
    a GPU.
    """
    device = devices()[0]
    if device == "cpu":
        return encoder.batch
    with failures_in_words(device):
        return gpu_batches.size(encoder, lambda batch: _rate(encoder, device, batch))


@torch.inference_mode()
def _rate(encoder: Encoder, device: str, batch: int) -> float | None:
    """Pictures a second; None where memory does not suffice."""
    net = network(encoder, device)
    try:
        ready = torch.zeros((batch, encoder.channels, encoder.size, encoder.size), device=device)
        ready = ready.contiguous(memory_format=torch.channels_last)
        seconds = [_seconds(lambda: forward(net, ready), device) for _ in range(3)]
    except RuntimeError as error:
        if not gpu_batches.out_of_memory(error):
            raise
        torch.cuda.empty_cache()
        return None
    return batch / min(seconds[1:])


def _seconds(work: Callable[[], object], device: str) -> float:
    start = time.perf_counter()
    work()
    torch.cuda.synchronize(device)
    return time.perf_counter() - start


# ------------------------------------------------------------------------------------ preprocessing


def _tensors(pictures: Sequence[np.ndarray] | np.ndarray) -> list[torch.Tensor]:
    """Pictures of equal size together, (n, h, w[, 3]) of at most ``RAW`` bytes; others one by
    one.
    """
    if len({picture.shape for picture in pictures}) > 1:
        return [torch.from_numpy(np.array(picture))[None] for picture in pictures]
    step = max(1, RAW // max(1, pictures[0].nbytes))
    parts = (pictures[start : start + step] for start in range(0, len(pictures), step))
    return [torch.from_numpy(np.array(part)) for part in parts]


def prepare(pixels: torch.Tensor | Iterable[torch.Tensor], encoder: Encoder) -> torch.Tensor:
    """What the network is given: (n, h, w[, 3]) uint8 to (n, channels, size, size) float32,
    channels last.

    Several tensors of different sizes are brought to one size and put in a row.
    """
    fitted = [
        _fitted(part, encoder)
        for part in ([pixels] if isinstance(pixels, torch.Tensor) else pixels)
    ]
    images = fitted[0] if len(fitted) == 1 else torch.cat(fitted)
    mean, std = (
        torch.tensor(v, device=images.device).view(1, -1, 1, 1) for v in (encoder.mean, encoder.std)
    )
    if images.shape[1] < mean.shape[1]:  # grey pictures, another mean a colour
        images = images.expand(-1, mean.shape[1], -1, -1).clone()
    images = (
        images.sub_(mean).div_(std).expand(-1, encoder.channels, -1, -1)
    )  # in place: the passes over memory are what it costs
    return images.contiguous(memory_format=torch.channels_last)


def resized_side(encoder: Encoder) -> int:
    """Pixels of the side that a picture is resized to before the square is cut out."""
    return math.floor(encoder.size / encoder.crop)


def _fitted(pixels: torch.Tensor, encoder: Encoder) -> torch.Tensor:
    """(n, h, w[, 3]) uint8 to (n, 1 or 3, size, size) float32 in [0, 1], resized and cut as timm
    does.
    """
    images = pixels[..., None] if pixels.dim() == 3 else pixels
    images = images.permute(0, 3, 1, 2).float().div_(255)
    if images.shape[1] == 3 and encoder.channels == 1:
        red, green, blue = images.unbind(1)
        images = (
            (red + green).add_(blue).div_(3)[:, None]
        )  # the bits of mean(1) in two fifths of its time
    high, wide = images.shape[2:]
    side, short = resized_side(encoder), min(high, wide)
    to = (side, side) if encoder.fit == "squash" else (side * high // short, side * wide // short)
    if (high, wide) != to:
        images = _resized(images, to, encoder.interpolation)
    top, left = (round((have - encoder.size) / 2) for have in to)
    return images[..., top : top + encoder.size, left : left + encoder.size]


def _resized(images: torch.Tensor, to: tuple[int, int], mode: str) -> torch.Tensor:
    # The cubic kernel that networks were trained with is the one torch uses when it smooths; it
    # overshoots.
    smooth = mode == "bicubic" or min(to) < max(images.shape[2:])
    return F.interpolate(images, to, mode=mode, align_corners=False, antialias=smooth).clamp_(0, 1)
