"""Pictures in, feature rows out: batches stream through the network on the device at hand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import lru_cache

import numpy as np
import torch
import torch.nn.functional as F

from dpviz.encoders import Encoder
from dpviz.threads import each

Progress = Callable[[int, int], None]


def embed(
    pixels: np.ndarray, encoder: Encoder, progress: Progress | None = None, batch: int | None = None
) -> np.ndarray:
    """Features of pictures.

    The bits depend on the processor, torch's version and ``batch``, not on the number of cores.

    Args:
        pixels: (n, h, w) or (n, h, w, 3) uint8.
        encoder: a row of the encoder table.
        progress: called with (done, total) after each batch, in the caller's thread; may raise ``Cancelled``.
        batch: pictures a pass; the encoder's own by default.

    Returns:
        (n, dim) float32.
    """
    batch = batch or encoder.batch
    net = network(encoder)
    device = next(net.parameters()).device.type

    @torch.inference_mode()
    def run(start: int) -> np.ndarray:
        part = torch.from_numpy(np.array(pixels[start : start + batch])).to(device)
        return net(prepare(part, encoder)).float().cpu().numpy()

    out = np.empty((len(pixels), encoder.dim), np.float32)
    starts = range(0, len(pixels), batch)
    with closing(each(run, starts, workers=1 if device == "cuda" else None)) as parts:
        for start, part in zip(starts, parts, strict=True):
            out[start : start + len(part)] = part
            if progress:
                progress(start + len(part), len(pixels))
    return out


@lru_cache(maxsize=2)
def network(encoder: Encoder) -> torch.nn.Module:
    """The frozen network on the device at hand, kept in memory."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    # Pixels side by side in memory: the CPU convolutions run up to three times as fast.
    return encoder.load().requires_grad_(False).to(device, memory_format=torch.channels_last)


def prepare(pixels: torch.Tensor, encoder: Encoder) -> torch.Tensor:
    """What the network is given: (n, h, w[, 3]) uint8 to (n, channels, size, size) float32, channels last."""
    images = pixels[..., None] if pixels.dim() == 3 else pixels
    images = images.permute(0, 3, 1, 2).float().div_(255)
    if images.shape[1] == 3 and encoder.channels == 1:
        images = images.mean(1, keepdim=True)
    if images.shape[2:] != (encoder.size, encoder.size):
        images = _resize(images, encoder)
    images = images.sub_(encoder.mean).div_(encoder.std)
    images = images.expand(-1, encoder.channels, -1, -1)
    return images.contiguous(memory_format=torch.channels_last)


def _resize(images: torch.Tensor, encoder: Encoder) -> torch.Tensor:
    smaller = encoder.size < max(images.shape[2:])
    size = (encoder.size, encoder.size)
    return F.interpolate(images, size, mode=encoder.interpolation, align_corners=False, antialias=smaller)
