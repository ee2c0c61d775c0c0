"""ScatterNet: two layers of fixed wavelets and a normalisation of each picture by itself. Nothing
of it was learned from any picture.

Source: Oyallon and Mallat 2015 (the transform, by kymatio); Tramèr and Boneh 2021, section 2.2
    (J = 2, L = 8, group normalisation over 27 groups of a grey picture's 81 channels).
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from scipy import special
from torch import nn

from dpviz.machine import optional

SCALE, ANGLES = 2, 8
"""J and L: octaves of the wavelets, and directions."""
CHANNELS = 1 + SCALE * ANGLES + SCALE * (SCALE - 1) // 2 * ANGLES**2
"""A colour: the blurred picture, one wavelet's modulus, and two wavelets' one after the other."""
GROUP = 3
"""Channels normalised together: 27 groups of a grey picture, 81 of one in colour."""


class ScatterNet(nn.Module):
    """(n, colours, side, side) to (n, colours * 81 * (side / 4)^2), each row from its picture
    alone.
    """

    def __init__(self, side: int, colours: int) -> None:
        """side: of the pictures, a multiple of 4; colours: 1 or 3."""
        super().__init__()
        prepare_kymatio()
        from kymatio.torch import Scattering2D

        self.waves = Scattering2D(J=SCALE, shape=(side, side), L=ANGLES)
        self.groups = colours * CHANNELS // GROUP

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Features of prepared pictures."""
        maps = self.waves(pictures.contiguous()).flatten(1, 2)
        return F.group_norm(maps, self.groups).flatten(1)


def prepare_kymatio() -> None:
    """Let ``import kymatio`` succeed beside a scipy without ``sph_harm``; else do nothing.

    kymatio's filters in three dimensions import it by that name. scipy has it under another, with
    orders and angles the other way round. The scattering of images calls none of it.
    """
    optional.require("kymatio")
    if not hasattr(special, "sph_harm"):
        special.sph_harm = lambda m, n, theta, phi: special.sph_harm_y(n, m, phi, theta)
