"""A lesson as a file: its steps with their pages, predictions, and what came true."""

from __future__ import annotations

import html as escaping
import re
from collections.abc import Callable, Sequence
from typing import Any

from dpviz.formatting import plain
from dpviz.text import export as text
from dpviz.text import lessons as lesson_text
from dpviz.text import navigation
from dpviz.text.cards import PRIVATE_VIEW
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.ui.assets import asset
from dpviz.ui.explorable import html_file, lesson_asks, lesson_views
from dpviz.ui.explorable.serialization import Pool
from dpviz.ui.explorable.walk import VisitedView
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import draw_curve
from dpviz.ui.your_answer import answer as own_answer
from dpviz.views import lessons
from dpviz.views.lessons import LESSONS, Lesson

Progress = Callable[[int, int], None]
COMPONENTS = {
    "drawCurve": "draw_curve.js",
    "ownCoin": "own_coin.js",
    "lessonEnd": "lesson_end.js",
}
STYLES = (
    *("every_page.css", "own_slider.css", "budget_slider.css", "figure_svg.css"),
    *("drawing_legend.css", "draw_curve.css", "own_coin.css", "lesson_path.css"),
    *("in_file.css", "lesson_file.css"),
)
BODY = """<main class="in-file lesson-file"><header><strong>dpviz</strong>
<a class="in-back" href="{origin}" target="_blank" rel="noreferrer">{text.OPEN_STEP}</a>
</header><h1>{title}</h1><noscript><p>{no_scripts}</p></noscript>
<div class="lf-step">
<section class="lf-say" aria-labelledby="lf-where"><h2 id="lf-where" tabindex="-1"></h2>
<div class="lf-before" aria-live="polite"></div><p class="lf-look"></p><p class="lf-cover"></p>
</section>
<section class="lf-page"><h3></h3><p class="lf-answer" aria-live="polite"></p>
<button type="button" class="lf-voice"></button>
<div class="lf-hand"><label for="lf-range"></label><div class="dp-budget"><input type="range"
 id="lf-range" class="own-slider" min="0" step="1"><output for="lf-range"></output></div>
<p><span>← more private</span><span>more accurate →</span></p></div>
<div class="lf-coin">{coin}</div><div class="lf-main"></div><div class="lf-part"></div>
<details class="lf-promises"><summary>{text.GUARANTEES}</summary><div></div></details>
<p class="lf-covered"></p></section>
<section class="lf-asked"></section>
<nav class="lf-ways" aria-label="Steps"><button type="button" class="lf-back"></button>
<button type="button" class="lf-next"></button></nav></div>
<section class="lf-end" hidden><h2 tabindex="-1">{ended}</h2><h3>{lesson_text.SAYS}</h3>
<ul>{says}</ul>{predictions}<p><button type="button" class="lf-again">{text.RESTART}</button>
</p></section>
<template class="lf-drawing">{drawing}</template>
<details class="in-words"><summary>{text.LESSON_TEXT}</summary>{words}</details>
<details class="in-from"><summary>{text.SOURCES}</summary><div>
<p class="lf-command">{text.COMMAND} <code></code></p>{made}</div></details>
<footer><p>{only}</p></footer></main>"""
PREDICTIONS = f"""<h3>{lesson_text.PREDICTIONS}</h3>
<div class="dp-lessons lf-predictions"><ul></ul></div>"""


def html(
    key: str,
    origin: str,
    private: bool = False,
    again: str = "",
    progress: Progress = lambda count, total: None,
) -> str:
    """The file; its runs are computed where they are not in the store.

    Args:
        key: of ``LESSONS``; origin: the app's address, with a slash at its end; private: views of
            private records are in it, with their badge; again: the command that makes the file;
            progress: told how many of all steps are there.

    Raises:
        DpvizError: for no lesson of ours, and where a view cannot be had.
    """
    if key not in LESSONS:
        raise DpvizError(f"Unknown lesson {key[:40]!r}. Use one of: {', '.join(LESSONS)}.")
    lesson, pool, pages = LESSONS[key], Pool(), lesson_views.Pages()
    steps, views = [], []
    for at, step in enumerate(lesson.steps):
        progress(at, len(lesson.steps))
        data_of_step, first_view = lesson_views.view(step, pages, pool, private, origin)
        link = f"{origin}{lessons.address(lesson, at).removeprefix('./')}"
        ask = lesson_asks.ask(lesson, at)
        steps.append(data_of_step | {"look": step.look, "at": step.at, "link": link, "ask": ask})
        views.append(first_view)
    progress(len(steps), len(steps))
    data: dict[str, Any] = {"key": key, "title": lesson.title, "origin": origin, "steps": steps}
    data |= {
        "pool": pool.pieces,
        "voices": tuple(navigation.TO_OTHER_LEVEL.values()),
        "precise": detail_level.PRECISE,
        "words": _words(),
        "predicted": lesson_text.PREDICTED,
    }
    scripts = [html_file.charts(), asset("stroke.js"), asset("coin.js")]
    scripts += [f"const {n} = {html_file.component(name)};" for n, name in COMPONENTS.items()]
    scripts += [asset(f"{name}.js") for name in ("marked", "drawn_verdict", "lesson_file")]
    body = _body(lesson, origin, steps, views, again)
    return html_file.write_html(lesson.title, body, data, scripts, [asset(name) for name in STYLES])


def _words() -> dict[str, str]:
    return {
        "back": lesson_text.BACK,
        "next": lesson_text.NEXT,
        "show": lesson_text.SHOW,
        "skip": lesson_text.SKIP,
        "end": lesson_text.TO_END,
        "first": lesson_text.PREDICT_FIRST,
        "were": lesson_text.ASKED_BEFORE,
        "none": lesson_text.NOT_PREDICTED,
        "covered": lesson_text.COVERED,
        "badge": PRIVATE_VIEW,
        "hidden": lesson_views.HIDDEN,
    }


# ----------------------------------------------------------------------------------------- the body


def _body(
    lesson: Lesson, origin: str, steps: Sequence[dict], views: Sequence[VisitedView], again: str
) -> str:
    configs = [visited.content.view for visited in views if visited.content.view]
    provenance = "".join(f"<p>{plain(words)}</p>" for words in html_file.provenance(configs))
    return BODY.format(
        origin=plain(origin),
        title=plain(lesson.title),
        text=text,
        no_scripts=text.LESSON_NO_SCRIPTS,
        coin=own_answer.HTML,
        drawing=draw_curve.HTML,
        lesson_text=lesson_text,
        ended=plain(render_text(lesson_text.END_TITLE, title=lesson.title)),
        says="".join(f"<li>{_bare(words)}</li>" for words in lesson.says),
        predictions=PREDICTIONS * any(step.ask is not None for step in lesson.steps),
        words="".join(_step_text(lesson, at, views[at], steps[at]) for at in range(len(steps))),
        made=provenance + (f"<p><code>{plain(again)}</code></p>" if again else ""),
        only=text.LESSON_ONLY,
    )


def _step_text(lesson: Lesson, at: int, visited: VisitedView, step: dict) -> str:
    """Return a step as text: instruction, question, answer, chart, prediction and reason."""
    parts = [lesson.steps[at].look, visited.content.question, visited.content.plain_answer]
    parts += [picture.words for picture in list(visited.content.pictures.values())[:1]]
    ask = step["ask"]
    if ask:
        parts += [ask["text"], " / ".join(title for _, title in ask.get("options", ()))]
        parts += [
            ask["verdicts"][""]["words"] if "verdicts" in ask else ask["facts"]["says"]["skipped"]
        ]
    paragraphs = "".join(f"<p>{_bare(words)}</p>" for words in parts if words)
    return f"<h3>Step {at + 1} of {len(lesson.steps)}</h3>{paragraphs}"


def _bare(words: str) -> str:
    """Return Markdown as HTML without marks."""
    words = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", words)
    return escaping.escape(re.sub(r"\*+|\\(?=\W)", "", words))
