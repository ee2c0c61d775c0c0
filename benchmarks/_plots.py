"""Plots of the pages in docs/measured, as small SVG files that are equal for equal numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib
import numpy as np

MEASURED = Path(__file__).resolve().parents[1] / "docs" / "measured"
#: Colors and markers of up to four series, on white and on dark pages.
SERIES = (("#5f4dc4", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#777777", "D"))
ROW, WIDTH = 0.24, 7.2


def dots(
    name: str,
    labels: Sequence[str],
    series: Mapping[str, Sequence[float]],
    title: str,
    half: Mapping[str, Sequence[float]] | None = None,
    limit: float | None = None,
) -> None:
    """Write ``docs/measured/<name>.svg``: a row per label, a point per series.

    Args:
        half: half of each interval; limit: where a vertical line stands.
    """
    matplotlib.use("svg")
    from matplotlib import pyplot

    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": name, "font.size": 9})
    figure, axes = pyplot.subplots(figsize=(WIDTH, 1.0 + ROW * len(labels)), layout="constrained")
    places = np.arange(len(labels))[::-1]
    for (color, marker), (label, values) in zip(SERIES, series.items(), strict=False):
        errors = (half or {}).get(label)
        style = {"color": color, "marker": marker, "linestyle": "none", "markersize": 4}
        axes.errorbar(values, places, xerr=errors, elinewidth=0.8, label=label, **style)
    if limit is not None:
        axes.axvline(limit, color="#777777", linewidth=0.8, linestyle="--")
    axes.set_yticks(places, labels)
    axes.set_ylim(-0.7, len(labels) - 0.3)
    axes.set_xlabel(title)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if len(series) > 1:
        figure.legend(loc="outside upper center", ncols=len(series), frameon=False)
    figure.savefig(MEASURED / f"{name}.svg", metadata={"Date": None})
    pyplot.close(figure)
