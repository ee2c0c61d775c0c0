"""The bundled encoder: a small convolutional network for 28 x 28 pictures of characters."""

from __future__ import annotations

from pathlib import Path

from torch import nn

from dpviz.caches import cached
from dpviz.types import Head

WEIGHTS = Path(__file__).with_name("glyphnet.safetensors")
HEAD = Path(__file__).with_name("glyphnet_head.safetensors")
DIM = 128
_WIDTHS = (32, 48, 96)


def network(norm: bool = False) -> nn.Sequential:
    """(n, 1, 28, 28) in [-1, 1] to (n, 128).

    Args:
        norm: with batch norms after each layer, as trained; without, as used (they are folded in).
    """

    def conv(wide_in: int, wide: int) -> list[nn.Module]:
        return [
            nn.Conv2d(wide_in, wide, 3, padding=1),
            *([nn.BatchNorm2d(wide)] if norm else []),
            nn.ReLU(),
        ]

    a, b, c = _WIDTHS
    layers = [
        nn.PixelUnshuffle(
            2
        ),  # the first layer sees 14 x 14 blocks: half the arithmetic of a 28 x 28 one
        *conv(4, a),
        *conv(a, b),
        nn.MaxPool2d(2),
        *conv(b, c),
        nn.MaxPool2d(2, ceil_mode=True),
        nn.Flatten(),
        nn.Linear(c * 16, DIM),
        *([nn.BatchNorm1d(DIM)] if norm else []),
    ]
    return nn.Sequential(*layers)


def load() -> nn.Module:
    """The network with its trained weights, in eval mode."""
    from safetensors.torch import load_file

    model = network()
    model.load_state_dict(load_file(WEIGHTS))
    return model.eval()


@cached(1)
def load_head() -> Head:
    """Scores of the characters it was trained to tell apart, look-alikes as one: scaled cosines, as
    in training.
    """
    from safetensors import safe_open

    with safe_open(HEAD, "np") as file:
        weights, names = file.get_tensor("weight"), file.metadata()["names"]
    return Head(weights, weights.sum(1) * 0, tuple(names.split(" ")), normalise=True)
