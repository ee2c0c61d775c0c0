"""A page as a file: sliders over views that the page itself computed."""

from __future__ import annotations

import html
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dpviz.formatting import SYMBOLS
from dpviz.methods import METHODS
from dpviz.text import export as text
from dpviz.text import navigation
from dpviz.text.cards import PRIVATE_VIEW
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.ui.assets import asset
from dpviz.ui.explorable import draws_section, html_file, walk
from dpviz.ui.explorable.serialization import Pool, cell
from dpviz.ui.explorable.spec import BUDGET, RATIO, Spec, suiting
from dpviz.ui.explorable.walk import VisitedView
from dpviz.ui.frame import detail_level
from dpviz.views import page_as_shown

Progress = Callable[[int, int], None]
STYLES = ("own_slider.css", "figure_svg.css", "in_file.css", "explorable.css")
BODY = """<main class="in-file"><header><strong>dpviz</strong>
<a class="in-back" target="_blank" rel="noreferrer">{open}</a></header>
<h1>{title}</h1><p class="ex-set">{set}</p>
<noscript><p>{answer}</p><p>{picture}</p><p>{no_scripts}</p></noscript>
<section class="ex-hands" aria-label="Settings"></section>
<div class="ex-said"><p class="ex-answer" aria-live="polite"></p><p class="ex-ghost"
 aria-hidden="true"></p></div><button type="button" class="ex-voice"></button>
<figure><p class="ex-badge" hidden></p><div class="ex-picture"></div></figure>
<p class="ex-covered"></p>{draws}<section class="ex-tables"></section>
<details class="in-words"><summary>{chart}</summary><p></p></details>
<details class="in-from"><summary>{sources}</summary><div></div></details>
<footer><p>{only}</p></footer></main>"""


def build(spec: Spec, again: str, progress: Progress = lambda count, total: None) -> str:
    """The file of a page.

    Args:
        again: command that makes the file; progress: called with the views done and all views.

    Raises:
        DpvizError: If a view cannot be computed, or the file would be too large.
    """
    first_view = walk.view(spec.page, spec.settings)
    spec = replace(spec, sliders=spec.sliders or suiting(spec.page, first_view.settings))
    if not spec.sliders:
        raise DpvizError(f"The page {spec.page} has no setting for a slider.")
    pool, draws = Pool(), spec.new_noise
    places = list(itertools.product(*spec.sliders.values()))
    cells, visited = [], first_view
    for count, values in enumerate(places):
        progress(count, len(places))
        visited = _view_at(spec, dict(zip(spec.sliders, values, strict=True)))
        shown = cell(visited, pool, spec.private)
        cells.append(shown | (_draws(visited, pool) if draws and "refused" not in shown else {}))
    progress(len(places), len(places))
    view = first_view.content.view
    data = {
        "page": spec.page,
        "sliders": _sliders(spec, first_view),
        "cells": cells,
        "pool": pool.pieces,
        "server": spec.server,
        "voices": tuple(navigation.TO_OTHER_LEVEL.values()),
        "precise": detail_level.PRECISE,
        "badge": PRIVATE_VIEW,
        "command": text.COMMAND,
        "words": draws_section.words() if draws else {},
        "from": [*html_file.provenance([view] if view else []), again],
    }
    return html_file.write_html(
        first_view.content.question,
        _body(first_view, draws),
        data,
        [html_file.charts(), *[draws_section.script()] * draws, asset("explorable.js")],
        [asset(name) for name in (*STYLES, *[draws_section.STYLE] * draws)],
        draws_section.MAX_BYTES if draws else html_file.MAX_BYTES,
    )


def _draws(visited: VisitedView, pool: Pool) -> dict[str, Any]:
    """Return the section of a view that draws new noise; its test images are a piece of their own.

    Raises:
        DpvizError: If the view cannot draw new noise.
    """
    try:
        section = draws_section.of_means(visited.content.view, visited.content.metric)
    except DpvizError as error:
        raise DpvizError(render_text(draws_section.text.REMOVE, reason=str(error))) from None
    return {"test": pool.place(section["carried"].pop("test")), "draws": pool.place(section)}


def _view_at(spec: Spec, values: Mapping[str, str]) -> VisitedView:
    """Return one view with the requested values."""
    visited = walk.view(spec.page, {**spec.settings, **values})
    for key, value in values.items():
        if key not in visited.settings:
            names = ", ".join(sorted(visited.settings))
            raise DpvizError(f"The page {spec.page} has no setting {key[:40]!r}. It has: {names}.")
        if not _is_same(visited.settings[key], value):
            raise DpvizError(
                f"The page {spec.page} does not accept {key} = {value[:40]}. It used"
                f" {visited.settings[key][:40]}."
            )
    return visited


def _is_same(current: str, value: str) -> bool:
    try:
        return float(current) == float(value)
    except ValueError:
        return current == value


def _sliders(spec: Spec, first_view: VisitedView) -> list[dict[str, Any]]:
    """Return label, values, names and first position of each slider."""
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
        symbol = SYMBOLS[first_view.settings.get("axis", "approx")]
        return render_text(text.BUDGET, symbol=symbol)
    method = METHODS.get(key.partition(".")[0])
    label = first_view.labels.get(key, key)
    if method and "." in key:
        return render_text(text.EXTRA_PARAM, method=method.title, label=label)
    return text.RATIO if key == RATIO else label


def _body(first_view: VisitedView, draws: bool) -> str:
    content = first_view.content
    unmoved = " · ".join(page_as_shown.settings(content)[:2])  # by any slider
    words = next((picture.words for picture in content.pictures.values()), "")
    return BODY.format(
        title=html.escape(content.question),
        set=html.escape(unmoved),
        draws=draws_section.BODY if draws else "",
        only=html.escape(text.WITH_DRAWS_ONLY if draws else text.PAGE_ONLY),
        no_scripts=html.escape(text.PAGE_NO_SCRIPTS),
        open=text.OPEN,
        chart=text.CHART_TEXT,
        sources=text.SOURCES,
        answer=html.escape(content.plain_answer.replace("**", "").replace("\\", "")),
        picture=html.escape(words),
    )
