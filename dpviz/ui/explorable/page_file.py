"""A page as a file: sliders over views that were all computed by the page itself."""

from __future__ import annotations

import html
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dpviz.formatting import SYMBOLS
from dpviz.methods import METHODS
from dpviz.types import DpvizError
from dpviz.ui.assets import asset
from dpviz.ui.explorable import html_file, walk
from dpviz.ui.explorable.serialization import PRIVATE, Pool, cell
from dpviz.ui.explorable.spec import BUDGET, RATIO, Spec, suiting
from dpviz.ui.explorable.walk import VisitedView
from dpviz.ui.frame import detail_level
from dpviz.views import page_as_shown

Progress = Callable[[int, int], None]
STYLES = ("own_slider.css", "figure_svg.css", "in_file.css", "explorable.css")
ONLY = (
    "Everything on this page was computed beforehand, each view by runs of its own; nothing is"
    " interpolated, and nothing is loaded or sent. A slider stops only where there is a view."
)
BODY = """<main class="in-file"><header><strong>dpviz</strong>
<a class="in-back" target="_blank" rel="noreferrer">This view in the dashboard</a></header>
<h1>{title}</h1><p class="ex-set">{set}</p>
<noscript><p>{answer}</p><p>{picture}</p><p>{no_scripts}</p></noscript>
<section class="ex-hands" aria-label="Settings"></section>
<div class="ex-said"><p class="ex-answer" aria-live="polite"></p><p class="ex-ghost"
 aria-hidden="true"></p></div><button type="button" class="ex-voice"></button>
<figure><p class="ex-badge" hidden></p><div class="ex-picture"></div></figure>
<p class="ex-covered"></p><section class="ex-tables"></section>
<details class="in-words"><summary>The picture in words</summary><p></p></details>
<details class="in-from"><summary>Where these numbers come from</summary><div></div></details>
<footer><p>{only}</p></footer></main>"""
NO_SCRIPTS = "The sliders need scripts, which are part of this file."


def build(spec: Spec, again: str, progress: Progress = lambda count, total: None) -> str:
    """The file of a page.

    Args:
        again: the command that makes it; progress: told how many of all views are there.

    Raises:
        DpvizError: where a view cannot be had, or the file would be too large.
    """
    first_view = walk.view(spec.page, spec.settings)
    spec = replace(spec, sliders=spec.sliders or suiting(spec.page, first_view.settings))
    if not spec.sliders:
        raise DpvizError(f"The page {spec.page} has no setting for a slider to move.")
    pool = Pool()
    places = list(itertools.product(*spec.sliders.values()))
    cells, visited = [], first_view
    for count, values in enumerate(places):
        progress(count, len(places))
        visited = _view_at(spec, dict(zip(spec.sliders, values, strict=True)))
        cells.append(cell(visited, pool, spec.private))
    progress(len(places), len(places))
    view = first_view.content.view
    data = {
        "page": spec.page,
        "sliders": _sliders(spec, first_view),
        "cells": cells,
        "pool": pool.pieces,
        "server": spec.server,
        "voices": [detail_level.OTHER[kind][::2] for kind in detail_level.LEVELS],
        "precise": detail_level.PRECISE,
        "badge": PRIVATE,
        "from": [*html_file.provenance([view] if view else []), again],
    }
    return html_file.write_html(
        first_view.content.question,
        _body(first_view),
        data,
        [html_file.charts(), asset("explorable.js")],
        [asset(name) for name in STYLES],
    )


def _view_at(spec: Spec, values: Mapping[str, str]) -> VisitedView:
    """One view, which stands where it was asked to."""
    visited = walk.view(spec.page, {**spec.settings, **values})
    for key, value in values.items():
        if key not in visited.settings:
            names = ", ".join(sorted(visited.settings))
            raise DpvizError(f"The page {spec.page} has no setting {key[:40]!r}; it has {names}.")
        if not _is_same(visited.settings[key], value):
            raise DpvizError(
                f"The page {spec.page} cannot have {key} = {value[:40]}; it took"
                f" {visited.settings[key][:40]}."
            )
    return visited


def _is_same(current: str, value: str) -> bool:
    try:
        return float(current) == float(value)
    except ValueError:
        return current == value


def _sliders(spec: Spec, first_view: VisitedView) -> list[dict[str, Any]]:
    """Label, values and their names of each, and where it stands at first."""
    sliders = []
    for key, values in spec.sliders.items():
        titles = first_view.content.titles.get(key, {})
        matches = [_is_same(first_view.settings.get(key, ""), value) for value in values]
        sliders.append(
            {
                "key": key,
                "label": _label(key, first_view),
                "values": values,
                "names": [titles.get(value, value) for value in values],
                "now": matches.index(True) if any(matches) else len(values) // 2,
                "plays": key == BUDGET,
            }
        )
    return sliders


def _label(key: str, first_view: VisitedView) -> str:
    if key == BUDGET:
        return f"Budget {SYMBOLS[first_view.settings.get('axis', 'approx')]}"
    method = METHODS.get(key.partition(".")[0])
    label = first_view.labels.get(key, key)
    if method and "." in key:
        return f"{method.title}: {label}"
    return "Imbalance ratio" if key == RATIO else label


def _body(first_view: VisitedView) -> str:
    content = first_view.content
    unmoved = " · ".join(page_as_shown.settings(content)[:2])  # by any slider
    words = next((picture.words for picture in content.pictures.values()), "")
    return BODY.format(
        title=html.escape(content.question),
        set=html.escape(unmoved),
        only=html.escape(ONLY),
        no_scripts=html.escape(NO_SCRIPTS),
        answer=html.escape(content.plain_answer.replace("**", "").replace("\\", "")),
        picture=html.escape(words),
    )
