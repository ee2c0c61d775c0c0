"""The one-file page in the export menu: choice of views, and the file."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from dpviz.experiments.jobs import Group, Progress, Work
from dpviz.machine import files
from dpviz.machine.sandbox import PARENT
from dpviz.methods import METHODS
from dpviz.text import export as text
from dpviz.text.template import render, render_text
from dpviz.types import DpvizError
from dpviz.ui.explorable import spec, walk
from dpviz.ui.explorable.spec import RATIO, Spec, suiting
from dpviz.ui.frame import page_parts, public_demo
from dpviz.ui.live import long_work
from dpviz.ui.widgets.shared_controls import RATIOS
from dpviz.views import new_draws
from dpviz.views import page_links as links
from dpviz.views.lessons import LESSONS, Lesson
from dpviz.views.page_as_shown import ShownPage

PAGES = ("trade-off", "dp-means", "public-prototypes", "mixed-privacy", "many-pictures")
FRONT = ""
"""Address of the front page."""
KEY = "home"
"""Key of the expander."""
COMMAND = "python -m dpviz explorable spec.toml --out {}"
LINES = 400
"""Lines of the command that are kept for an error message."""
NO_SLIDER = "none"


def is_offered(page: str, content: ShownPage) -> bool:
    """Return whether the view can become a file: a step of a lesson, or one of ``PAGES``."""
    if "lesson" in st.query_params:
        return _lesson() is not None
    return page == FRONT or (page in PAGES and content.has_report)


def _lesson() -> Lesson | None:
    return LESSONS.get(st.query_params.get("lesson", ""))


def fold(page: str, content: ShownPage) -> None:
    """Draw the choices and the button that creates the file; in a lesson, of the lesson."""
    lesson = _lesson()
    title = text.LESSON_FILE if lesson else text.PAGE_FILE
    folded = st.expander(title, key=KEY, on_change="rerun", icon=":material/web_asset:")
    if not folded.open:
        return
    with folded:
        st.caption(text.FILE_NOTE)
        server = _server()
        if lesson:
            lesson_file(lesson)
            return
        if page == FRONT:
            pictures = st.query_params.get("pictures")
            request: Spec | None = Spec(
                "front", {"pictures": pictures} if pictures else {}, server=server
            )
        else:
            request = _page(page, content, server)
        if request:
            _make(request, f"dpviz-{page or 'start'}.html")


def lesson_file(lesson: Lesson) -> None:
    """Draw the choice and the button that creates the file of a lesson."""
    private = st.checkbox(text.PRIVATE_LESSON, key="home-private")
    request = Spec(lesson=lesson.key, private=private, server=_server())
    _make(request, f"dpviz-{lesson.key}.html")


def _page(page: str, content: ShownPage, server: str) -> Spec | None:
    """Return the chosen views of a page; None if there are none."""
    settings = {
        key: words
        for key, words in walk.link_settings(content.link).items()
        if key not in ("voice", *links.NON_CONTROLS)
    }
    sliders = {}
    for key, values in suiting(page, settings).items():
        label, choices = text.BUDGETS, values
        if key == RATIO:
            label = text.RATIOS
            choices = spec.with_current([f"{ratio:g}" for ratio in RATIOS], settings[RATIO])
        chosen = st.multiselect(
            label, choices, values, key=f"home-{key}", select_all=False, help=text.POSITIONS_HELP
        )
        if chosen:
            sliders[key] = tuple(value for value in choices if value in chosen)
    extra = _extra_slider(settings, content)
    sliders |= extra or {}
    private = content.private_answer and st.checkbox(text.PRIVATE_PAGE, key="home-private")
    if content.private_answer and not private:
        st.caption(text.NEEDS_PRIVATE)
        return None
    fields = {
        "view": links.address(page, settings, set()),
        "private": private,
        "server": server,
        "new_noise": page == spec.NEW_NOISE_PAGE and _new_noise(content),
    }
    try:
        return spec.spec_of(
            fields | {"sliders": {key: list(places) for key, places in sliders.items()}}
        )
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return None


def _new_noise(content: ShownPage) -> bool:
    """Return whether the file shall draw new noise; say why it cannot."""
    if content.view is None:
        return False
    try:
        new_draws.means(content.view, content.metric)
    except DpvizError as error:
        st.caption(str(error))
        return False
    return st.checkbox(text.NEW_NOISE, True, key="home-new-noise", help=text.NEW_NOISE_HELP)


def _extra_slider(settings: Mapping[str, str], content: ShownPage) -> dict[str, tuple[str, ...]]:
    """Return a second slider with its values, if one is chosen."""
    named = {
        f"{method.key}.{param.name}": render_text(
            text.EXTRA_PARAM, method=method.title, label=param.label
        )
        for method in METHODS.values()
        for param in method.params
        if f"{method.key}.{param.name}" in settings
    }
    named |= {key: content.labels[key] for key in content.labels if key in settings}
    key = st.selectbox(
        text.EXTRA,
        [NO_SLIDER, *named],
        format_func=lambda key: named.get(key, text.NO_EXTRA),
        key="home-more",
    )
    if key == NO_SLIDER:
        return {}
    if titles := content.titles.get(key):
        chosen = st.multiselect(
            text.EXTRA_POSITIONS,
            list(titles),
            [settings[key]] if settings[key] in titles else [],
            format_func=titles.__getitem__,
            key=f"home-{key}",
            select_all=False,
        )
        return {key: tuple(value for value in titles if value in chosen)}
    values = st.text_input(text.EXTRA_VALUES, settings[key], key=f"home-{key}")
    return {key: tuple(filter(None, (word.strip() for word in values.split(","))))}


def _server() -> str:
    parts = urlsplit(st.context.url or spec.SERVER)
    return f"{parts.scheme}://{parts.netloc}/" if parts.netloc else spec.SERVER


# --------------------------------------------------------------------------------------- the file


def _make(request: Spec, name: str) -> None:
    """Draw the command, the button, progress and the file."""
    if public_demo.closed("files"):
        return
    words = text.MAKE_ONE_HELP
    if request.sliders:
        words = render(text.MAKE_HELP, views=request.cells)
    file_request = (request.toml(), name)
    if st.button(text.MAKE, key="home-make", help=words):
        st.session_state["home:wanted"] = file_request
    if st.session_state.get("home:wanted") == file_request:
        file = long_work.run_one("home", file_request, FILES)
        if file is not None:
            label = render(text.SAVE, name=name, kilobytes=round(len(file) / 1000))
            st.download_button(label, file, name, "text/html", key="home-save")
    else:
        st.caption(words)
    with st.expander(text.SHELL, key="home-shell"):
        st.code(request.toml(), language="toml", wrap_lines=True)
        st.code(COMMAND.format(name), language="bash", wrap_lines=True)


def _build(group: Group, progress: Progress) -> list[bytes]:
    """Create the file with the command line."""
    ((toml, name),) = group
    with tempfile.TemporaryDirectory() as folder:
        place, out = Path(folder, "spec.toml"), Path(folder, name)
        place.write_text(toml)
        words = [sys.executable, "-m", "dpviz", "explorable", str(place), "--out", str(out)]
        environment = os.environ | {PARENT: str(os.getpid())}
        with subprocess.Popen(
            words, stderr=subprocess.PIPE, text=True, cwd=files.ROOT, env=environment
        ) as child:
            lines = _watched(child, progress)
        if child.returncode:
            raise DpvizError(lines[-1] if lines else text.FAILED)
        return [out.read_bytes()]


def _watched(child: subprocess.Popen, progress: Progress) -> list[str]:
    """Return the command's messages; report progress, and end the command when nobody waits."""
    lines: list[str] = []
    try:
        for line in child.stderr or ():
            words = line.split()
            if words[1:2] == ["of"] and words[3:] == ["views"]:
                progress(text.COMPUTING, int(words[0]), int(words[2]))
            elif words:
                lines = [*lines[-LINES:], line.strip()]
    except BaseException:
        child.kill()
        raise
    return lines


# the budgets in a file share one seed, so no cost is known
FILES = Work(_build, max_groups=4, max_running=1, feature="files")
"""The latest files."""
