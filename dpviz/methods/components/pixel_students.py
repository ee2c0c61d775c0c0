"""Students from scratch: a small convolutional network that learns from released answers and the
rest of a public pool of pictures, without any encoder.

It sees public pictures and released answers alone, so it costs nothing: post-processing. Its start
and its views are public and the same in every run.

The network: three 3 × 3 convolutions of WIDTHS channels, the first two in strides of 2, each with
group normalisation and a ReLU; then means over 2 × 2 fields and one linear layer.

Source: Sohn et al. 2020 (FixMatch), Equations 3 and 4. Smaller than there: Adam in place of SGD
    with momentum (``ensembles.adam``), STEPS steps, no average of the weights.

Pictures are (n, channels, side, side) float32 in [0, 1]. What is drawn comes from a generator that
is passed in, and is public: views are made of public pictures.

*Weak view*: mirrored by a fair coin (never where pictures show letters or digits, as the paper does
not for SVHN), then shifted by whole pixels, up to an eighth of the side each way, what comes in
being the mirror image of what lies at the border. *Strong view*: a weak view, then two of the
fourteen moves of MOVES, drawn with their sizes for each picture anew, then a grey square of half
the side at a place of its own (Cutout).

Source of the views: Sohn et al. 2020 (FixMatch), Section 2.3 and the table of its moves and their
    ranges in the appendix; brightness, colour, contrast and sharpness blend as the Python Imaging
    Library does.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpviz import mechanisms
from dpviz.lazy_imports import functional, torch
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components.ensembles import adam
from dpviz.methods.components.public_sets import SEED

SHIFT = 1 / 8
MOVES_A_PICTURE = 2
HOLE = 0.5
GREY = 0.5
_LUMA = (0.299, 0.587, 0.114)


def weak_views(pictures: torch.Tensor, draw: np.random.Generator, mirrors: bool) -> torch.Tensor:
    """Weak views, one a picture.

    Args:
        mirrors: whether half of them are mirrored.
    """
    n, _, side, _ = pictures.shape
    if mirrors:
        turned = torch.from_numpy(draw.random(n) < 0.5)
        pictures = torch.where(turned[:, None, None, None], pictures.flip(3), pictures)
    most = max(1, round(SHIFT * side))
    wide = functional.pad(pictures, (most,) * 4, mode="reflect")
    down, right = (torch.from_numpy(draw.integers(0, 2 * most + 1, n)) for _ in range(2))
    rows = down[:, None] + torch.arange(side)
    columns = right[:, None] + torch.arange(side)
    found = wide[torch.arange(n)[:, None, None], :, rows[:, :, None], columns[:, None, :]]
    return found.permute(0, 3, 1, 2).contiguous()


def strong_views(pictures: torch.Tensor, draw: np.random.Generator, mirrors: bool) -> torch.Tensor:
    """Strong views, one a picture."""
    seen = weak_views(pictures, draw, mirrors)
    moves = list(MOVES.values())
    for _ in range(MOVES_A_PICTURE):
        which, size = draw.integers(len(moves), size=len(seen)), draw.random(len(seen))
        for number, (move, low, high) in enumerate(moves):
            rows = torch.from_numpy(np.flatnonzero(which == number))
            if len(rows):
                amount = torch.from_numpy(low + (high - low) * size).float()[rows]
                seen[rows] = move(seen[rows], amount[:, None, None, None])
    return _cut(seen, draw)


def _cut(pictures: torch.Tensor, draw: np.random.Generator) -> torch.Tensor:
    """A grey square, whose middle may be anywhere in the picture."""
    n, _, side, _ = pictures.shape
    across = torch.arange(side)
    middles = torch.from_numpy(draw.integers(0, side, (2, n)))
    half = max(1, round(HOLE * side / 2))
    in_rows, in_columns = ((across - m[:, None]).abs() < half for m in middles)
    hole = in_rows[:, None, :, None] & in_columns[:, None, None, :]
    return torch.where(hole, torch.tensor(GREY), pictures)


# ------------------------------------------------------------------------------------------ colours


def _grey(x: torch.Tensor) -> torch.Tensor:
    """(n, 1, side, side) brightness."""
    if x.shape[1] == 1:
        return x
    return (x * torch.tensor(_LUMA)[:, None, None]).sum(1, keepdim=True)


def _blend(from_: torch.Tensor, x: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
    return (from_ + share * (x - from_)).clamp(0, 1)


def _identity(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    return x


def _auto_contrast(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    """Each channel from its darkest to its lightest; one of a single value stays."""
    low, high = x.amin((2, 3), True), x.amax((2, 3), True)
    return torch.where(high > low, (x - low) / (high - low).clamp(min=1e-6), x)


def _brightness(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    return _blend(torch.zeros(()), x, amount)


def _colour(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    return _blend(_grey(x), x, amount)


def _contrast(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    return _blend(_grey(x).mean((1, 2, 3), True), x, amount)


def _equalize(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    """Each channel's values by their rank among its 256 levels."""
    level = (x * 255).round().long().flatten(2)
    counts = torch.zeros(*level.shape[:2], 256).scatter_add_(2, level, torch.ones(level.shape))
    upto = counts.cumsum(2)
    first = counts.gather(2, level.amin(2, keepdim=True))
    ranks = (upto - first) / (upto[..., -1:] - first).clamp(min=1)
    found = ranks.clamp(0, 1).gather(2, level).view(x.shape)
    return torch.where((upto[..., -1:] > first)[..., None], found, x)


def _posterize(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    """So many bits of eight are kept."""
    step = 2.0 ** (8 - amount.floor())
    return ((x * 255 / step).floor() * step / 255).clamp(0, 1)


def _sharpness(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    """Towards its smoothed self, away from the border."""
    kernel = torch.ones(3, 3)
    kernel[1, 1] = 5
    weights = (kernel / 13).expand(x.shape[1], 1, 3, 3)
    smooth = x.clone()
    smooth[:, :, 1:-1, 1:-1] = functional.conv2d(x, weights, groups=x.shape[1])
    return _blend(smooth, x, amount)


def _solarize(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    return torch.where(x >= amount, 1 - x, x)


# ------------------------------------------------------------------------------------------- shapes


def _warp(x: torch.Tensor, entries: list[list[torch.Tensor]]) -> torch.Tensor:
    """Under a map of places, black where nothing was; ``entries``: two rows of three (n,)."""
    theta = torch.stack([torch.stack(row, 1) for row in entries], 1)
    grid = functional.affine_grid(theta, list(x.shape), align_corners=False)
    return functional.grid_sample(x, grid, align_corners=False)


def _along(place: tuple[int, int], scale: float = 1.0) -> Callable:
    """A map that is the identity but for one entry, a signed amount of either sign as drawn."""

    def move(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
        a = amount.flatten() * scale
        zero, one = torch.zeros_like(a), torch.ones_like(a)
        entries = [[one, zero, zero], [zero, one, zero]]
        entries[place[0]][place[1]] = a
        return _warp(x, entries)

    return move


def _rotate(x: torch.Tensor, amount: torch.Tensor) -> torch.Tensor:
    a = amount.flatten() * (math.pi / 180)
    zero = torch.zeros_like(a)
    return _warp(x, [[a.cos(), -a.sin(), zero], [a.sin(), a.cos(), zero]])


Move = Callable[["torch.Tensor", "torch.Tensor"], "torch.Tensor"]
MOVES: dict[str, tuple[Move, float, float]] = {
    "auto contrast": (_auto_contrast, 0, 0),
    "brightness": (_brightness, 0.05, 0.95),
    "colour": (_colour, 0.05, 0.95),
    "contrast": (_contrast, 0.05, 0.95),
    "equalize": (_equalize, 0, 0),
    "identity": (_identity, 0, 0),
    "posterize": (_posterize, 4, 8),
    "rotate": (_rotate, -30, 30),
    "sharpness": (_sharpness, 0.05, 0.95),
    "shear x": (_along((0, 1)), -0.3, 0.3),
    "shear y": (_along((1, 0)), -0.3, 0.3),
    "solarize": (_solarize, 0, 1),
    "translate x": (_along((0, 2), 2.0), -0.3, 0.3),
    "translate y": (_along((1, 2), 2.0), -0.3, 0.3),
}
"""What each does to pictures, and between which sizes it is drawn: shares, bits, degrees, shares of
the side.
"""


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
        seen = weak_views(pool[rows], draw, mirrored)
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
        weak = _scores(weights, weak_views(some, draw, mirrored))
        best, label = weak.softmax(1).max(1)
    strong = _scores(weights, strong_views(some, draw, mirrored))
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
