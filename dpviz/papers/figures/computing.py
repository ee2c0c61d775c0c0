"""Compute the numbers of a figure: fetch and embed its data, run its methods."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.experiments import experiment
from dpviz.papers.figures.model import Cell, Figure, Number, Progress
from dpviz.stats import accuracy
from dpviz.types import DataConfig, DpvizError, Result


@dataclass(frozen=True)
class Computed:
    """A figure with its computed numbers.

    Attributes:
        figure, scale: what was computed; numbers: in drawing order.
        missing: one sentence for each data set or encoder that could not be had.
        encoder: encoder that replaced those of the figure; "" for the figure's own.
    """

    figure: Figure
    scale: str
    numbers: tuple[Number, ...]
    missing: tuple[str, ...] = ()
    encoder: str = ""


def compute(figure: Figure, scale: str, progress: Progress, encoder: str = "") -> Computed:
    """Compute a figure at a scale.

    Args:
        encoder: replaces the figure's encoder, such as ``timm:NAME@FILE`` with local weights.

    Raises:
        DpvizError: if none of its data can be had, or ``encoder`` cannot replace the figure's.
    """
    setting = figure.settings[scale]
    if setting.measure:
        if encoder:
            raise DpvizError(f"Figure {figure.key} has its own encoders; leave --encoder out.")
        return Computed(figure, scale, tuple(setting.measure(progress)))
    cells = (
        [_with_encoder(cell, encoder) for cell in setting.cells()] if encoder else setting.cells()
    )
    _check_encoders(figure, encoder, setting.cells() if encoder else [])
    refused = _refused(cells, progress)
    available = [cell for cell in cells if _material(cell) not in refused]
    if not available:
        raise DpvizError(next(iter(refused.values())))
    results = experiment.sweep([spec for cell in available for spec in cell.specs], progress)
    numbers, start = [], 0
    for cell in available:
        numbers.append(_number(figure, cell, results[start : start + len(cell.specs)]))
        start += len(cell.specs)
    return Computed(figure, scale, tuple(numbers), tuple(dict.fromkeys(refused.values())), encoder)


def _check_encoders(figure: Figure, encoder: str, cells: Sequence[Cell]) -> None:
    encoders = {cell.specs[0].encoder for cell in cells}
    if encoder and len(encoders) > 1:
        raise DpvizError(f"Figure {figure.key} compares encoders; leave --encoder out.")
    if encoder and encoders == {None}:
        raise DpvizError(f"Figure {figure.key} has no encoder; leave --encoder out.")


def _with_encoder(cell: Cell, encoder: str) -> Cell:
    specs = tuple(dataclasses.replace(spec, encoder=encoder) for spec in cell.specs)
    return dataclasses.replace(cell, specs=specs)


def _material(cell: Cell) -> DataConfig:
    """Data set, encoder and public set of a cell, as they are loaded."""
    spec = cell.specs[0]
    return DataConfig(spec.dataset, spec.encoder, public=spec.public)


def _refused(cells: Sequence[Cell], progress: Progress) -> dict[DataConfig, str]:
    """The reason why a data set cannot be had, for each that cannot."""
    reasons = {}
    for material in dict.fromkeys(map(_material, cells)):
        try:
            experiment.prepared(material, progress)
        except DpvizError as error:
            reasons[material] = str(error)
    return reasons


def _number(figure: Figure, cell: Cell, results: Sequence[Result]) -> Number:
    value = accuracy(results, figure.metric)
    if figure.wrong:
        value = value.wrong
    private = results[0].spec.budget.private
    return Number(
        cell.panel,
        cell.line,
        cell.x,
        value.mean,
        value.low,
        value.high,
        value.runs,
        results[0].guarantee if private else None,
    )
