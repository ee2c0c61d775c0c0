"""One colour, dash and marker for each name of the AdaMix paper."""

from __future__ import annotations

from dpviz.plots.kit.style import BLUE, GREEN, PURPLE, SKY, Look, look

_LOOKS = {
    "AdaMix": look("adamix"),
    "NGD": Look(BLUE, "dash", "square"),
    "Fully-Private": look("noisy-gd"),
    "no-init": Look(GREEN, "dot", "diamond"),
    "no-clip-adapt": Look(PURPLE, "dot", "pentagon"),
    "no-projection": Look(SKY, "dot", "hexagon"),
    "Only-Public": look("only-public"),
    "paragon": look("paragon"),
}
"""Fully-Private is noisy gradient descent, so it looks like it."""


def preset_look(name: str) -> Look:
    """The look of a preset."""
    return _LOOKS[name]
