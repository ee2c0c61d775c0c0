"""What an encoder is: a network that turns pictures into feature rows, described without torch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.encoders.weights_files import digest
from dpviz.types import Head


@dataclass(frozen=True)
class Encoder:
    """One row of the encoder table.

    Attributes:
        key, title, source, licence: name in the shell, name for people, where it comes from, terms.
        trained_on: what its weights have seen; the guarantee holds only if that is public.
        dim: features a picture.
        size: side in pixels that the network is given; channels: 1 or 3.
        mean, std: of the input scaled to [0, 1], one number a channel, or one for all.
        interpolation: ``bilinear`` or ``bicubic``, where a picture has another size.
        batch: pictures a pass on the CPU, where the last bits depend on it; on a GPU it is found.
        weights: path of the weights file; None where there is none, since they are random on
            purpose or nothing was learned. Refuses where a file or a package is missing.
        load: the network on the CPU in eval mode, (n, channels, size, size) to (n, dim).
        fit: ``squash`` a picture to the square, or resize its shorter side and cut out the
            ``centre``.
        crop: share of the resized side that is cut out.
        head: gives the classifier that its weights were trained with; None where that is not at
            hand.
        texts: turns class names into a linear rule on the features (C, dim); None without a text
            tower.
    """

    key: str
    title: str
    source: str
    licence: str
    trained_on: str
    dim: int
    size: int
    channels: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    interpolation: str
    batch: int
    weights: Callable[[], Path | None]
    load: Callable[[], Any]
    fit: str = "squash"
    crop: float = 1.0
    head: Callable[[], Head] | None = None
    texts: Callable[[tuple[str, ...]], np.ndarray] | None = None

    @property
    def unlearned(self) -> bool:
        """Whether no picture had a say in what it computes, so that calling it public takes
        nothing.
        """
        return self.trained_on.startswith("nothing")

    @property
    def identity(self) -> str:
        """Changes whenever the features of a picture would."""
        settings = (
            self.key,
            self.size,
            self.channels,
            self.mean,
            self.std,
            self.interpolation,
            self.batch,
            self.fit,
            self.crop,
        )
        path = self.weights()
        return f"{settings} {digest(path) if path else 'random'}"
