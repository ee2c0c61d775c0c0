"""Students from scratch: a small convolutional network that learns from released answers and the
rest of a public pool of pictures, without any encoder.

It sees public pictures and released answers alone, so it costs nothing: post-processing. Its start
and its views are public and the same in every run.

The network: three 3 × 3 convolutions of WIDTHS channels, the first two in strides of 2, each with
group normalisation and a ReLU; then means over 2 × 2 fields and one linear layer.

Source: Sohn et al. 2020 (FixMatch), Equations 3 and 4. Smaller than there: Adam in place of SGD
    with momentum (``ensembles.adam``), STEPS steps, no average of the weights.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpviz import mechanisms
from dpviz.lazy_imports import functional, torch
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components import picture_views
from dpviz.methods.components.ensembles import adam
from dpviz.methods.components.public_sets import SEED

SIDE = 32
"""Pictures are brought to this side at most."""
WIDTHS = (24, 48, 64)
GROUPS = 8
STEPS, RATE, LABELLED, UNLABELLED = 240, 3e-3, 32, 64
CONFIDENT = 0.95
AT_ONCE = 500
KINDS = ("supervised", "fixmatch")

Progress = Callable[[str, int, int], None]


def prepared(pixels: np.ndarray) -> torch.Tensor:
    """Pictures (n, h, w[, 3]) uint8 as the network takes them, (n, 1 or 3, side, side), 0 to 1."""
    x = torch.from_numpy(np.ascontiguousarray(pixels)).float() / 255
    x = x[:, None] if x.dim() == 3 else x.permute(0, 3, 1, 2)
    side = min(SIDE, min(x.shape[2:]))
    return functional.adaptive_avg_pool2d(x, side)


def mirrors(class_names: tuple[str, ...]) -> bool:
    """Whether a mirrored picture shows the same: not where classes are single characters."""
    return not all(len(name) == 1 for name in class_names)


def predicted(
    kind: str,
    pool: torch.Tensor,
    labels: np.ndarray,
    asked: torch.Tensor,
    classes: int,
    mirrored: bool,
    progress: Progress,
) -> np.ndarray:
    """The class of each picture of ``asked`` (m,) int64, by a student of ``pool`` (q, ...) and its
    answers ``labels`` (q,), -1 where there is none. With no answer at all everything is class 0.

    Args:
        kind: of KINDS; mirrored: whether weak views may be mirrored.
        progress: called with (stage, steps done, steps); may raise ``Cancelled``.

    Guarantee: post-processing of the answers.
    """
    if not (labels >= 0).any():
        return np.zeros(len(asked), np.int64)
    with one_numeric_thread():
        weights = _learned(kind, pool, labels, classes, mirrored, progress)
        with torch.no_grad():
            scores = [_scores(weights, part) for part in asked.split(AT_ONCE)]
    return torch.cat(scores).argmax(1).numpy()


def _learned(
    kind: str,
    pool: torch.Tensor,
    labels: np.ndarray,
    classes: int,
    mirrored: bool,
    progress: Progress,
) -> list[torch.Tensor]:
    """Answers by cross-entropy of weak views, the pool by agreement of weak and strong ones."""
    draw = mechanisms.generator(SEED, "pixel student")
    weights = _fresh(pool.shape[1], classes, draw)
    known, y = np.flatnonzero(labels >= 0), torch.from_numpy(labels)
    for number, (size, step) in enumerate(adam(weights, STEPS, RATE)):
        progress("A student learns from pixels", number, STEPS)
        for w in weights:
            w.requires_grad_()
        rows = torch.from_numpy(draw.choice(known, LABELLED))
        seen = picture_views.weak(pool[rows], draw, mirrored)
        loss = functional.cross_entropy(_scores(weights, seen), y[rows])
        if kind == "fixmatch":
            rows = torch.from_numpy(draw.integers(0, len(pool), UNLABELLED))
            loss = loss + _agreement(weights, pool[rows], draw, mirrored)
        gradients = torch.autograd.grad(loss, weights)
        for w in weights:
            w.requires_grad_(False)
        step(gradients, size)
    return weights


def _agreement(
    weights: list[torch.Tensor], some: torch.Tensor, draw: np.random.Generator, mirrored: bool
) -> torch.Tensor:
    """FixMatch's loss of the pool: strong views should say what a weak view is sure of."""
    with torch.no_grad():
        weak = _scores(weights, picture_views.weak(some, draw, mirrored))
        best, label = weak.softmax(1).max(1)
    strong = _scores(weights, picture_views.strong(some, draw, mirrored))
    return (functional.cross_entropy(strong, label, reduction="none") * (best >= CONFIDENT)).mean()


def _fresh(channels: int, classes: int, draw: np.random.Generator) -> list[torch.Tensor]:
    """Weights of the layers, drawn with variance 2 / inputs, and the last layer's biases."""
    layers = zip((channels, *WIDTHS), WIDTHS, strict=False)
    shapes: list[tuple[int, ...]] = [*((w, c, 3, 3) for c, w in layers)]
    shapes.append((classes, 4 * WIDTHS[-1]))
    made = [
        torch.from_numpy((2 * draw.random(s, np.float32) - 1) * float(6 / np.prod(s[1:])) ** 0.5)
        for s in shapes
    ]
    return [w.float() for w in (*made, torch.zeros(classes))]


def _scores(weights: list[torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Class scores (n, C) of pictures (n, channels, side, side)."""
    *layers, last, bias = weights
    x = 2 * x - 1
    for number, layer in enumerate(layers):
        stride = 1 if number == len(layers) - 1 else 2
        x = functional.conv2d(x, layer, padding=1, stride=stride)
        x = functional.group_norm(x, GROUPS).relu()
    return functional.linear(functional.adaptive_avg_pool2d(x, 2).flatten(1), last, bias)
