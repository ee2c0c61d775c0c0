"""Figures and tables of the five papers that ``dpviz reproduce`` computes."""

from __future__ import annotations

from dpviz.papers.figures import (
    collapse_figures,
    mixed_figures,
    prompt_figures,
    prototype_figures,
)
from dpviz.papers.figures.model import Figure
from dpviz.types import DpvizError
from dpviz.types.checks import quoted

FIGURES: dict[str, Figure] = {
    figure.key: figure
    for figure in (
        *prototype_figures.FIGURES,
        *mixed_figures.FIGURES,
        *prompt_figures.FIGURES,
        *collapse_figures.FIGURES,
    )
}


def get(key: str) -> Figure:
    """The figure of that name.

    Raises:
        DpvizError: for an unknown name.
    """
    if key not in FIGURES:
        raise DpvizError(
            f"There is no figure {quoted(key)}; `dpviz reproduce --list` lists all of them."
        )
    return FIGURES[key]
