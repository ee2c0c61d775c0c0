"""Visual prompts: a trainable frame of pixels about each picture, one a teacher, learnt through the
frozen encoder.

x̂ = M ⊙ ω₁ + (1 − M) ⊙ ZeroPad(resize(x)), then a label mapping from the encoder's source scores.
Without the mask ω₁ lies over the whole picture: x̂ = ω₁ + resize(x).

Source: Li et al. 2023 (Prom-PATE), Equations 1 and 2.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz import encoders, mechanisms
from dpviz.lazy_imports import functional, torch
from dpviz.methods.components.ensembles import Block, Scorer, adam
from dpviz.types import Dataset, Head

EPOCHS, BATCH, RATE, DECAY = 10, 16, 0.05, 0.7
"""As reported: Adam, 0.05, decay 70% (read as: once an epoch), batches of 16, 10 epochs."""
PICTURES = 256
"""Pictures in one pass when queries are answered."""


@dataclass(frozen=True, eq=False)
class Canvas:
    """Where pictures stand inside the frame, and the frozen network that looks at them.

    Attributes:
        look: source scores (n, C_s) of prepared pictures (n, channels, size, size), differentiable.
        mask: (1, 1, size, size) float32, 1 where ω₁ shows; side: of the picture inside, in pixels.
        black: (1, channels, size, size), what the network is given for an empty picture; ω₁ counts
            from there.
    """

    look: Callable[[torch.Tensor], torch.Tensor]
    prepare: Callable[[np.ndarray], torch.Tensor]
    mask: torch.Tensor
    side: int
    black: torch.Tensor

    def place(self, pictures: torch.Tensor) -> torch.Tensor:
        """Pictures (n, channels, size, size) shrunk into the middle, black about them."""
        size = self.mask.shape[-1]
        if self.side == size:
            return pictures
        small = functional.interpolate(
            pictures, (self.side, self.side), mode="bilinear", align_corners=False, antialias=True
        )
        before = (size - self.side) // 2
        whole = self.black.repeat(len(pictures), 1, 1, 1)
        whole[:, :, before : before + self.side, before : before + self.side] = small
        return whole

    def prompt(self, pictures: torch.Tensor, frame: torch.Tensor) -> torch.Tensor:
        """x̂ of placed pictures (n, channels, size, size) under frames that broadcast to them."""
        return pictures + self.mask * frame


def canvas(data: Dataset, ratio: float, framed: bool) -> Canvas:
    """The canvas of a data set of pictures.

    Args:
        ratio: side of the picture inside the frame as a share of the encoder's; framed: whether ω₁
            is masked to the frame.
    """
    from dpviz.encoders.embedding import network, prepare

    assert data.encoder is not None and data.head is not None
    row, head = encoders.get(data.encoder), data.head()
    net, weights, bias = network(row), torch.from_numpy(head.weights), torch.from_numpy(head.bias)
    side = max(1, round(ratio * row.size)) if framed else row.size
    mask = torch.ones(1, 1, row.size, row.size)
    if framed:
        before = (row.size - side) // 2
        mask[:, :, before : before + side, before : before + side] = 0
    device = next(net.parameters()).device
    weights, bias = weights.to(device), bias.to(device)

    def look(pictures: torch.Tensor) -> torch.Tensor:
        return _logits(net(pictures), head, weights, bias)

    def ready(pixels: np.ndarray) -> torch.Tensor:
        return prepare(torch.from_numpy(np.array(pixels)), row).contiguous().to(device)

    return Canvas(
        look, ready, mask.to(device), side, ready(np.zeros((1, row.size, row.size), np.uint8))
    )


def _logits(
    features: torch.Tensor, head: Head, weights: torch.Tensor, bias: torch.Tensor
) -> torch.Tensor:
    return (functional.normalize(features) if head.normalise else features) @ weights.T + bias


@dataclass(frozen=True, eq=False)
class Mapping:
    """A label mapping a teacher: from source scores (T, n, C_s) to class scores (T, n, C).

    Attributes:
        weights: what is trained with the prompt; none for a random one-to-one mapping.
    """

    weights: list[torch.Tensor]
    apply: Callable[[torch.Tensor], torch.Tensor]


def mapping(
    kind: str, teachers: int, source: int, classes: int, seed: int, device: torch.device
) -> Mapping:
    """A fresh label mapping: ``random-map``, ``fc1`` or ``fc2``."""
    if kind == "random-map":
        chosen = torch.from_numpy(one_to_one(source, classes, seed)).to(device)
        return Mapping([], lambda logits: logits[..., chosen])
    sizes = [source, classes] if kind == "fc1" else [source, 32, classes]
    draw = mechanisms.generator(seed, f"mapping {sizes}")
    weights = []
    for a, b in itertools.pairwise(sizes):
        start = torch.from_numpy((draw.random((a, b), dtype=np.float32) * 2 - 1) / a**0.5)
        weights += [
            start.expand(teachers, -1, -1).clone().to(device),
            torch.zeros(teachers, 1, b, device=device),
        ]

    def apply(logits: torch.Tensor) -> torch.Tensor:
        out = torch.baddbmm(weights[1], logits, weights[0])
        return out if len(weights) == 2 else torch.baddbmm(weights[3], out.relu(), weights[2])

    return Mapping(weights, apply)


def one_to_one(source: int, classes: int, seed: int) -> np.ndarray:
    """The source class that stands for each class, (C,) int64, drawn without looking; with too few,
    they repeat.
    """
    order = mechanisms.generator(seed, "label mapping").permutation(source)
    return np.resize(order, classes)


def prompted(
    block: Block, pictures: torch.Tensor, prompt_canvas: Canvas, kind: str, seed: int
) -> Scorer:
    """Frames and mappings of a block's teachers, trained together: each on its own shard, in
    batches of its own.

    Args:
        pictures: (T, L, channels, size, size) prepared and placed.
    """
    teachers, records = block.mask.shape
    device, shape = pictures.device, (teachers, 1, *pictures.shape[2:])
    mask, labels = (part.to(device) for part in (block.mask, block.labels))
    frame = torch.zeros(shape, device=device)
    source = prompt_canvas.look(pictures[0, :1]).shape[1]
    label_mapping = mapping(kind, teachers, source, labels.shape[2], seed, device)
    weights = [frame, *label_mapping.weights]
    batches = -(-records // BATCH)
    draw = mechanisms.generator(seed, "prompt batches")
    with torch.enable_grad():
        for t, (_, step) in enumerate(adam(weights, EPOCHS * batches)):
            if t % batches == 0:
                places = (
                    torch.from_numpy(draw.permutation(batches * BATCH) % records)
                    .view(batches, BATCH)
                    .to(device)
                )
            batch = places[t % batches]
            batch_pictures = pictures[:, batch]
            for w in weights:
                w.requires_grad_()
            logits = prompt_canvas.look(
                prompt_canvas.prompt(batch_pictures, frame).flatten(0, 1)
            ).view(teachers, len(batch), source)
            loss = -(label_mapping.apply(logits).log_softmax(2) * labels[:, batch]).sum(2)
            share = loss.sum(1) / mask[:, batch].sum(1).clamp(min=1)
            gradients = torch.autograd.grad(share.sum(), weights)
            for w in weights:
                w.requires_grad_(False)
            step(gradients, RATE * DECAY ** (t // batches))
    return lambda queries: _answers(queries, prompt_canvas, frame, label_mapping)


def _answers(
    queries: torch.Tensor, on: Canvas, frame: torch.Tensor, label_mapping: Mapping
) -> torch.Tensor:
    """Scores (T, q, C) of placed queries (q, channels, size, size), a few at a time."""
    parts = []
    for part in queries.split(max(1, PICTURES // len(frame))):
        logits = on.look(on.prompt(part[None], frame).flatten(0, 1)).view(len(frame), len(part), -1)
        parts.append(label_mapping.apply(logits))
    return torch.cat(parts, 1).cpu()
