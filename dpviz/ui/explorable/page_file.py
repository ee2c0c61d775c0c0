"""A page as a file: sliders over views that were all computed by the page itself."""

from __future__ import annotations

import html
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpviz.formatting import SYMBOLS
from dpviz.methods import METHODS
from dpviz.run import store
from dpviz.types import DpvizError
from dpviz.ui.assets import asset
from dpviz.ui.explorable import html_file, walk
from dpviz.ui.explorable.serialization import PRIVATE, Pool, cell
from dpviz.ui.explorable.spec import BUDGET, RATIO, Spec, suiting
from dpviz.ui.explorable.walk import VisitedView
from dpviz.ui.frame import detail_level
from dpviz.views import origins, page_as_shown

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


def build(spec: Spec, again: str, progress: Progress = lambda done, total: None) -> str:
    """The file of a page.

    Args:
        again: the command that makes it; progress: told how many of all views are there.

    Raises:
        DpvizError: where a view cannot be had, or the file would be too large.
    """
    first = walk.view(spec.page, spec.settings)
    spec = replace(spec, sliders=spec.sliders or suiting(spec.page, first.settings))
    if not spec.sliders:
        raise DpvizError(f"The page {spec.page} has no setting for a slider to move.")
    pool = Pool()
    places = list(itertools.product(*spec.sliders.values()))
    cells, seen = [], first
    for done, values in enumerate(places):
        progress(done, len(places))
        seen = _view_at(spec, dict(zip(spec.sliders, values, strict=True)))
        cells.append(cell(seen, pool, spec.private))
    progress(len(places), len(places))
    data = {
        "page": spec.page,
        "sliders": _sliders(spec, first),
        "cells": cells,
        "pool": pool.pieces,
        "server": spec.server,
        "voices": [_detail_level(kind) for kind in (detail_level.PLAIN, detail_level.PRECISE)],
        "precise": detail_level.PRECISE,
        "badge": PRIVATE,
        "from": _from(first, again),
    }
    return html_file.write_html(
        first.shown.question,
        _body(first),
        data,
        [html_file.charts(), asset("explorable.js")],
        [asset(name) for name in STYLES],
    )


def _view_at(spec: Spec, values: Mapping[str, str]) -> VisitedView:
    """One view, which stands where it was asked to."""
    seen = walk.view(spec.page, {**spec.settings, **values})
    for key, asked in values.items():
        if key not in seen.settings:
            there = ", ".join(sorted(seen.settings))
            raise DpvizError(f"The page {spec.page} has no setting {key[:40]!r}; it has {there}.")
        if not _same(seen.settings[key], asked):
            raise DpvizError(
                f"The page {spec.page} cannot have {key} = {asked[:40]}; it took"
                f" {seen.settings[key][:40]}."
            )
    return seen


def _same(stands: str, asked: str) -> bool:
    try:
        return float(stands) == float(asked)
    except ValueError:
        return stands == asked


def _sliders(spec: Spec, first: VisitedView) -> list[dict[str, Any]]:
    """Label, values and their names of each, and where it stands at first."""
    found = []
    for key, values in spec.sliders.items():
        titles = first.shown.titles.get(key, {})
        now = [_same(first.settings.get(key, ""), value) for value in values]
        found.append(
            {
                "key": key,
                "label": _label(key, first),
                "values": values,
                "names": [titles.get(value, value) for value in values],
                "now": now.index(True) if any(now) else len(values) // 2,
                "plays": key == BUDGET,
            }
        )
    return found


def _label(key: str, first: VisitedView) -> str:
    if key == BUDGET:
        return f"Budget {SYMBOLS[first.settings.get('axis', 'approx')]}"
    method = METHODS.get(key.partition(".")[0])
    label = first.labels.get(key, key)
    if method and "." in key:
        return f"{method.title}: {label}"
    return "Imbalance ratio" if key == RATIO else label


def _detail_level(kind: str) -> list[str]:
    """What the button says in a voice, and why one would touch it."""
    label, _, how = detail_level.OTHER[kind]
    return [label, how]


def _from(first: VisitedView, again: str) -> list[str]:
    """Data with their terms, versions, and the command that makes the file; each a paragraph, the
    last one code.
    """
    view = first.shown.view
    versions = ", ".join(f"{name} {value}" for name, value in store.versions().items())
    return [*(origins.data(view) if view else []), f"Computed by {versions}.", again]


def _body(first: VisitedView) -> str:
    shown = first.shown
    return BODY.format(
        title=html.escape(shown.question),
        set=html.escape(_set(first)),
        only=html.escape(ONLY),
        no_scripts=html.escape(NO_SCRIPTS),
        answer=html.escape(shown.plain_answer.replace("**", "").replace("\\", "")),
        picture=html.escape(_words(list(shown.pictures.values()))),
    )


def _set(first: VisitedView) -> str:
    """The settings that no slider moves, in a line."""
    return " · ".join(page_as_shown.settings(first.shown)[:2])


def _words(pictures: Sequence[Any]) -> str:
    return pictures[0].words if pictures else ""
