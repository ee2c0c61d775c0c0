"""The section of a file that draws new noise: carried numbers, images and sentences."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import numpy as np

from dpviz import mechanisms
from dpviz.experiments import experiment
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS, dppl_mean
from dpviz.plots.kit.png import sheet_url
from dpviz.text import front as front_text
from dpviz.text import new_draws as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.ui.assets import asset
from dpviz.views import front_page, new_draws
from dpviz.views.front_page import BUDGETS, Scene
from dpviz.views.new_draws import NewPicks
from dpviz.views.page_config import PageConfig

STYLE = "new_draws.css"
BODY = '<section class="nd" hidden></section>'
MAX_IMAGES = 1024
"""Public images of a set in a file."""
RANKS = {"digits": 64, "clothes": 128}
"""Numbers per image by set: the error of similarities is then small compared with 8 bits."""
SIDE, PER_ROW = 40, 32
"""Largest side of an image in pixels, and images per row of the sheet."""
CHECKED_DRAWS = 100
"""Draws whose mean is compared with the stored runs."""
FIRST_EPSILON = 1.0
MAX_BYTES = 2_000_000
"""Of a file with this section."""


def script() -> str:
    """Return the script, as ``newDraws``."""
    scripts = "\n".join(map(asset, ("portable_draws.js", "new_draws.js")))
    return f"const newDraws = (() => {{\n{scripts}\nreturn newDraws;\n}})();"


def words() -> dict[str, str]:
    """Return what the script fills in."""
    return text.WORDS | {"title": text.TITLE, "chart": text.CHART}


def of_front(name: str, scene: Scene) -> dict[str, Any]:
    """Return the section of a set of images of the front page."""
    spec = front_page.spec(name, FIRST_EPSILON)
    data = experiment.prepared(spec)
    rows = np.arange(0, len(data.public), -(-len(data.public) // MAX_IMAGES))
    picks = new_draws.picks(spec, rows, RANKS[name])
    names = ", ".join(scene.names[c] for c in scene.rare)
    rare = render_text(front_text.RARE, names=names)
    counts = {"used": len(rows), "all": len(data.public)}
    return {
        "carried": picks.json(),
        "epsilon": FIRST_EPSILON,
        "intro": text.INTRO_PICKS,
        "groups": [rare, text.ALL_CLASSES],
        "caption": render_text(text.CAPTION, group=rare, data=str(spec.draw)),
        "noise": render_text(text.NOISE_PICKS, width=picks.width * mechanisms.UTILITY_STEP),
        "names": scene.names,
        "sheet": _sheet(name, rows),
        "notes": [
            *([render_text(text.SUBSET, **counts)] if len(rows) < len(data.public) else []),
            f"{text.ROUNDED} {_compared(picks, scene)}",
            *_warnings(text.SCORES),
        ],
    }


def of_means(view: PageConfig | None, metric: str) -> dict[str, Any]:
    """Return the section of Trade-off.

    Raises:
        DpvizError: If the data are not published or the settings do not fit.
    """
    if view is None:
        raise DpvizError(text.NEEDS_CHART)
    means = new_draws.means(view, metric)
    title = METHODS[dppl_mean.KEY].title
    names = experiment.prepared(view.spec(dppl_mean.KEY)).class_names
    rare = [names[c] for c in means.test.groups[0]]
    group = render_text(text.GROUPS[metric], **({"names": rare} if metric == "minority" else {}))
    return {
        "carried": means.json(),
        "epsilon": FIRST_EPSILON,
        "intro": render_text(text.INTRO_MEANS, method=title),
        "groups": [group],
        "caption": render_text(text.CAPTION, group=group, data=str(view.draw)),
        "noise": render_text(text.NOISE_MEANS, delta=means.delta),
        "notes": [
            render_text(text.OTHER_METHODS, method=title),
            text.ROUNDED,
            *_warnings(text.SUMS),
        ],
    }


def _warnings(what: str) -> list[str]:
    return [render_text(text.WITHOUT_NOISE, what=what), text.NOT_SECURE]


def _compared(picks: NewPicks, scene: Scene) -> str:
    """Return the accuracy on rare classes of draws and of stored runs at the largest budget."""
    largest = BUDGETS[-1]
    with one_numeric_thread():
        draws = [picks.draw(largest, seed).accuracies[0] for seed in range(1, CHECKED_DRAWS + 1)]
    stored = scene.accuracy(len(BUDGETS) - 1).mean
    own = render_text(text.STORED, share=fmean(draws))
    return f"{own} {render_text(text.STORED_THERE, share=stored)}"


def _sheet(name: str, rows: np.ndarray) -> dict[str, Any]:
    """Return all public images as one image, with the kind of each."""
    data = experiment.prepared(front_page.spec(name, FIRST_EPSILON))
    assert data.thumbnails is not None and data.y_public is not None
    kinds = data.public_names or data.class_names
    pixels = name == "digits"
    return {
        "url": sheet_url(data.thumbnails("public", rows), PER_ROW, SIDE),
        "perRow": PER_ROW,
        "rows": -(-len(rows) // PER_ROW),
        "pixels": pixels,
        "labels": data.y_public[rows].tolist(),
        "kinds": [(kind, front_page.kind_text(kind, pixels)) for kind in kinds],
    }
