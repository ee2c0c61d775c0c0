"""The device and measured rate of embedding, kept in the folder of the features."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dpviz.machine.files import read_sealed, write_sealed
from dpviz.types import DpvizError

NAME = ".rate"


@dataclass(frozen=True)
class Rate:
    """One measured run: ``images`` embedded on ``device`` in ``seconds``, the reading included."""

    device: str
    images: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Images per second, above 0."""
        return self.images / self.seconds


def keep(folder: Path, rate: Rate) -> None:
    """Keep a measured run, unless a run with more images is kept already."""
    previous = read(folder)
    if rate.images and rate.seconds > 0 and (previous is None or previous.images <= rate.images):
        with suppress(DpvizError):  # features are of use without it
            write_sealed(folder / NAME, json.dumps(dataclasses.asdict(rate)).encode())


def read(folder: Path) -> Rate | None:
    """Return the run kept with the features of a folder; None if none was measured."""
    content = read_sealed(folder / NAME)
    return None if content is None else Rate(**json.loads(bytes(content)))


def together(rates: Iterable[Rate | None]) -> Rate | None:
    """Return the sum of several runs; None if one is not known or devices differ."""
    runs = list(rates)
    measured = [run for run in runs if run is not None]
    if not measured or len(measured) < len(runs) or len({run.device for run in measured}) > 1:
        return None
    return Rate(
        measured[0].device,
        sum(run.images for run in measured),
        sum(run.seconds for run in measured),
    )
