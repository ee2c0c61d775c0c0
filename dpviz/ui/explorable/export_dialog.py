"""The fold “Take this page home”: which views go into the file, and the file."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from dpviz.machine import files
from dpviz.machine.sandbox import PARENT
from dpviz.methods import METHODS
from dpviz.run.jobs import Group, Progress, Work
from dpviz.types import DpvizError
from dpviz.ui.assets import asset
from dpviz.ui.explorable import spec, walk
from dpviz.ui.explorable.spec import RATIO, Spec, suiting
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets.shared_controls import RATIOS
from dpviz.views import page_links as links
from dpviz.views.lessons import LESSONS, Lesson
from dpviz.views.page_as_shown import ShownPage

PAGES = ("trade-off", "dp-means", "public-prototypes", "mixed-privacy", "many-pictures")
FRONT = ""
"""Address of the front page."""
KEY = "home"
"""Of the fold."""
TITLE = "Take this {} home: one file that plays without a server"
DESCRIPTION = (
    "One HTML file with the picture, its sentences in both voices, its promises and where the"
    " numbers come from. Every place of its sliders is computed first; nothing is interpolated. It"
    " opens from a disk or a phone, needs no network, and holds no script but this project's."
)
PRIVATE = (
    "The answer and the picture are private views, which no guarantee covers: include them under a"
    " badge"
)
PRIVATE_LABEL = "With views of private records, each under a badge that says so"
PLACES_HELP = "The places of this slider in the file: each is computed."
ALL_PRIVATE_NOTE = (
    "Without them the file would be empty. A score by the minority is always a private view."
)
COMMAND = "python -m dpviz explorable spec.toml --out {}"
LINES = 400
"""Of what the program writes, kept for the reason why it ended."""
NO_SLIDER = "none"


def is_offered(page: str, content: ShownPage) -> bool:
    """Whether this view can be taken home: a step of a lesson, or one of some pages."""
    if "lesson" in st.query_params:
        return _lesson() is not None
    return page == FRONT or (page in PAGES and content.has_report)


def button() -> None:
    """The button in the side bar, which opens the fold below the page and goes there."""
    st.button(
        f"Take this {'lesson' if _lesson() else 'page'} home",
        key="home-go",
        icon=":material/download:",
        on_click=_open,
        width="stretch",
        help="This page as one file that plays without a server: to send, to embed, to keep.",
    )


def _open() -> None:
    st.session_state[KEY] = st.session_state["home:go"] = True


def _lesson() -> Lesson | None:
    return LESSONS.get(st.query_params.get("lesson", ""))


def fold(page: str, content: ShownPage) -> None:
    """The fold below a page that can be taken home; below a step of a lesson, the lesson's."""
    lesson = _lesson()
    title = TITLE.format("lesson" if lesson else "page")
    folded = st.expander(title, key=KEY, on_change="rerun", icon=":material/download:")
    if st.session_state.pop("home:go", False):
        part = st.components.v2.component("dpviz.to-fold", js=asset("to_fold.js"))
        part(key="hand-to-fold", data={"key": KEY})
    if not folded.open:
        return
    with folded:
        st.markdown(DESCRIPTION)
        server = _server()
        if lesson:
            private = st.checkbox(PRIVATE_LABEL, key="home-private")
            request: Spec | None = Spec(lesson=lesson.key, private=private, server=server)
        elif page == FRONT:
            pictures = st.query_params.get("pictures")
            request = Spec("front", {"pictures": pictures} if pictures else {}, server=server)
        else:
            request = _page(page, content, server)
        if request:
            _make(request, f"dpviz-{lesson.key if lesson else page or 'start'}.html")


def _page(page: str, content: ShownPage, server: str) -> Spec | None:
    """What to take of a page; None where nothing can be."""
    settings = {
        key: words
        for key, words in walk.link_settings(content.link).items()
        if key not in ("voice", *links.NON_CONTROLS)
    }
    sliders = {}
    for key, values in suiting(page, settings).items():
        label, choices = "Budgets", values
        if key == RATIO:
            label = "Imbalance ratios"
            choices = spec.with_current([f"{ratio:g}" for ratio in RATIOS], settings[RATIO])
        chosen = st.multiselect(
            label, choices, values, key=f"home-{key}", select_all=False, help=PLACES_HELP
        )
        if chosen:
            sliders[key] = tuple(value for value in choices if value in chosen)
    extra = _extra_slider(settings, content)
    sliders |= extra or {}
    private = content.private_answer and st.checkbox(PRIVATE, key="home-private")
    if content.private_answer and not private:
        st.caption(ALL_PRIVATE_NOTE)
        return None
    fields = {"view": links.address(page, settings, set()), "private": private, "server": server}
    try:
        return spec.spec_of(
            fields | {"sliders": {key: list(places) for key, places in sliders.items()}}
        )
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return None


def _extra_slider(settings: Mapping[str, str], content: ShownPage) -> dict[str, tuple[str, ...]]:
    """One more setting to slide, with its values."""
    named = {
        f"{method.key}.{param.name}": f"{method.title}: {param.label}"
        for method in METHODS.values()
        for param in method.params
        if f"{method.key}.{param.name}" in settings
    }
    named |= {key: content.labels[key] for key in content.labels if key in settings}
    key = st.selectbox(
        "One more setting to slide",
        [NO_SLIDER, *named],
        format_func=lambda key: named.get(key, "None"),
        key="home-more",
    )
    if key == NO_SLIDER:
        return {}
    if titles := content.titles.get(key):
        chosen = st.multiselect(
            "Its places",
            list(titles),
            [settings[key]] if settings[key] in titles else [],
            format_func=titles.__getitem__,
            key=f"home-{key}",
            select_all=False,
        )
        return {key: tuple(value for value in titles if value in chosen)}
    text = st.text_input("Its values, apart by commas", settings[key], key=f"home-{key}")
    return {key: tuple(filter(None, (word.strip() for word in text.split(","))))}


def _server() -> str:
    parts = urlsplit(st.context.url or spec.SERVER)
    return f"{parts.scheme}://{parts.netloc}/" if parts.netloc else spec.SERVER


# --------------------------------------------------------------------------------------- the file


def _make(request: Spec, name: str) -> None:
    """The button, the work, and the file."""
    many = (
        f" {request.cells} views are computed or taken from the store." if request.sliders else ""
    )
    with st.expander("The same from a shell", key="home-shell"):
        st.code(request.toml(), language="toml", wrap_lines=True)
        st.code(COMMAND.format(name), language="bash", wrap_lines=True)
    file_request = (request.toml(), name)
    if st.button("Make the file", key="home-make", help=f"Takes a while.{many}"):
        st.session_state["home:wanted"] = file_request
    if st.session_state.get("home:wanted") != file_request:
        st.caption(f"{many} Some take a second each.".strip())
        return
    file = long_work.run_one("home", file_request, FILES)
    if file is not None:
        st.download_button(
            f"Save {name} ({len(file) / 1000:,.0f} kB)", file, name, "text/html", key="home-save"
        )


def _build(group: Group, progress: Progress) -> list[bytes]:
    """The file, by the very command that a shell has."""
    ((text, name),) = group
    with tempfile.TemporaryDirectory() as folder:
        place, out = Path(folder, "spec.toml"), Path(folder, name)
        place.write_text(text)
        words = [sys.executable, "-m", "dpviz", "explorable", str(place), "--out", str(out)]
        environment = os.environ | {PARENT: str(os.getpid())}
        with subprocess.Popen(
            words, stderr=subprocess.PIPE, text=True, cwd=files.ROOT, env=environment
        ) as child:
            lines = _watched(child, progress)
        if child.returncode:
            raise DpvizError(lines[-1] if lines else "The file could not be made.")
        return [out.read_bytes()]


def _watched(child: subprocess.Popen, progress: Progress) -> list[str]:
    """What it says, apart from how far it is; ended where nobody waits for it any more."""
    lines: list[str] = []
    try:
        for line in child.stderr or ():
            words = line.split()
            if words[1:2] == ["of"] and words[3:] == ["views"]:
                progress("Computing the views", int(words[0]), int(words[2]))
            elif words:
                lines = [*lines[-LINES:], line.strip()]
    except BaseException:
        child.kill()
        raise
    return lines


# the budgets in a file share one seed, so no cost is known
FILES = Work(_build, max_groups=4, max_running=1)
"""Files that were made last."""
