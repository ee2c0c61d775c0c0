"""Embedding beside the same encoder's forward-only rate on the same device: how busy the device is
kept.

Forward only: batches that are ready on the device, one after another (one a core on the CPU),
    nothing else. Arrays in
memory: resize, normalise, forward, and features back, as `embed` does. Files: JPEGs decoded in
    workers as well.

    make bench BENCH=benchmarks/embedding.py
    python benchmarks/embedding.py timm:vit_base_patch16_224@random      another encoder (its
    weights do not matter here)
"""

from __future__ import annotations

import dataclasses
import io
import os
import sys
from collections.abc import Callable

import numpy as np
import torch
from _common import cost, table, take_turns, verdict
from PIL import Image

from dpviz import encoders
from dpviz.encoders.embedding import batch_size, devices, embed, forward, network, prepare
from dpviz.encoders.encoder import Encoder
from dpviz.machine.threads import parallel_map
from dpviz.types import Files

SIZE, ROUNDS, TARGET = 64, 2, 0.8


@dataclasses.dataclass(frozen=True)
class Jpegs:
    """Pictures of a few seeds as JPEG files in memory."""

    files: tuple[bytes, ...]

    def __call__(self, i: int) -> np.ndarray:
        return np.asarray(Image.open(io.BytesIO(self.files[i % len(self.files)])).convert("RGB"))


def jpeg(pixels: np.ndarray) -> bytes:
    """One picture, compressed."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "jpeg", quality=90)
    return buffer.getvalue()


def forward_only(row: Encoder, n: int, batch: int, device: str) -> Callable[[], None]:
    """Passes over one prepared batch until n pictures are done."""
    net = network(row, device)
    ready = prepare(torch.zeros((batch, SIZE, SIZE, 3), dtype=torch.uint8, device=device), row)

    @torch.inference_mode()
    def one(_: int) -> None:
        forward(net, ready)

    def work() -> None:
        if device == "cpu":
            list(parallel_map(one, range(n // batch)))
        else:
            for i in range(n // batch):
                one(i)
            torch.cuda.synchronize(device)

    return work


def main(key: str) -> None:
    """Time all three in turns."""
    row, device = encoders.get(key), devices()[0]
    batch = batch_size(row)
    n = 8 * batch if device == "cpu" else 64 * batch
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (n, SIZE, SIZE, 3), np.uint8)
    files = Files(np.zeros(n, np.int64), Jpegs(tuple(jpeg(p) for p in pixels[:64])), "benchmark")
    work: dict[str, Callable[[], object]] = {
        "forward only": forward_only(row, n, batch, device),
        "arrays in memory": lambda: embed(pixels, row),
        "files (JPEG)": lambda: embed(files, row),
    }
    work["forward only"]()
    costs = take_turns({name: lambda w=w: cost(w) for name, w in work.items()}, ROUNDS)
    where = torch.cuda.get_device_name() if device != "cpu" else f"{os.cpu_count()} cores"
    print(
        f"{key} on {where}, {n} pictures of {SIZE} x {SIZE}, batches of {batch}, load"
        f" {os.getloadavg()[0]:.1f}"
    )
    rows = [(name, f"{n / c.wall:.0f}", f"{c.cpu:.2f}") for name, c in costs.items()]
    table(["", "pictures a second", "CPU s"], rows)
    first = costs["forward only"]
    for name in ("arrays in memory", "files (JPEG)"):
        share = first.wall / costs[name].wall if device != "cpu" else first.cpu / costs[name].cpu
        verdict(f"of the forward-only rate, {name}", share, TARGET)
    print()


if __name__ == "__main__":
    for name in sys.argv[1:] or ("lite0-128",):
        main(name)
