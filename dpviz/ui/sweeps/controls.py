"""The page "Sweeps": what runs and what is done, results from the store, and a sweep begun in a
process of its own.
"""

from __future__ import annotations

import dataclasses
import math
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from dpviz.data import DATASETS, synthetic
from dpviz.encoders import ENCODERS
from dpviz.machine.files import write_atomic
from dpviz.methods import METHODS
from dpviz.run import experiment, result_files, sweep_files
from dpviz.run.sweep_files import Status
from dpviz.types import DpvizError, Result, RunSpec
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import shared_controls, text, uploads
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import View
from dpviz.words import SYMBOLS, number

DRAWN = 20_000
"""Cells of a sweep that is opened here; larger ones have their CSV."""
STARTED = 5_000
LETTERS = 20_000
"""Cells and letters of a sweep that is begun here."""
BEGUN, BUDGET = "sweeps:begun", "seps"
EXAMPLE = """dataset = "mnist5k"
encoder = "glyphnet"
axis = "zcdp"
budgets = [0.1, 1, 10]
ir = [1, 50]
seeds = 5
[methods.dppl-mean]
[methods.dppl-public]
d_min = [1.2, 1.3]
"""
SIGNS = {"running": "▶", "finished": "✓", "stopped": "❚❚", "failed": "✕", "broken off": "⚡"}
WORDS = {
    "running": "is running",
    "finished": "is finished",
    "stopped": "was stopped",
    "failed": "failed",
    "broken off": "broke off (no sign of life)",
}

# ------------------------------------------------------------------------------------------- status


def panel(found: Sequence[Status]) -> None:
    """All sweeps with their progress; looked at anew every two seconds while one runs."""
    live = [s.key for s in found if s.now == "running"]

    @st.fragment(run_every=2 if live else None)
    def rows() -> None:
        now = sweep_files.statuses()
        if live and not any(s.key in live and s.now == "running" for s in now):
            st.rerun()
        for status in now[:10]:
            _row(status)
        if len(now) > 10:
            st.caption(f"and {len(now) - 10} older ones, to be chosen on the left")

    with st.container(key="all-sweeps"):  # their progress is not this page's own
        rows()


def _row(status: Status) -> None:
    left, right = st.columns([3, 2], vertical_alignment="center")
    left.progress(
        status.done / status.total if status.total else 0.0,
        f"{SIGNS[status.now]} {state_sentence(status)}",
    )
    with right.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"begun {_ago(status.started)} ago, on {text.literal(status.where)}", width="content"
        )
        if status.now == "running" and (sweep_files.folder() / f"{status.key}.toml").exists():
            st.button(
                "Stop",
                key=f"stop-{status.key}",
                on_click=sweep_files.ask_to_stop,
                args=(status.key,),
                help="What is done is kept.",
            )
    if status.now == "failed":
        text.refusals([status.stage])


def _ago(then: float) -> str:
    seconds = max(0.0, time.time() - then)
    for size, word in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {word}"
    return f"{seconds:.0f} s"


# ------------------------------------------------------------------------------------------ results


@dataclass(frozen=True)
class Shown:
    """What of a sweep is drawn: results of one setting a method at one imbalance ratio, and the
    budget looked at.
    """

    results: tuple[Result, ...]
    ir: float
    budget: float

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods, in table order."""
        present = {r.spec.method for r in self.results}
        return {key: row.title for key, row in METHODS.items() if key in present}

    @property
    def now(self) -> list[Result]:
        """Private runs at the budget looked at."""
        return [
            r
            for r in self.results
            if r.spec.budget.value == self.budget and METHODS[r.spec.method].private
        ]

    @property
    def view(self) -> View:
        """The same as settings of a page."""
        first, seeds = self.results[0].spec, {r.spec.seed for r in self.results}
        params = {r.spec.method: r.spec.params for r in self.results if r.spec.params}
        return View(
            **first.facts,
            budget=dataclasses.replace(first.budget, value=self.budget),
            first_seed=min(seeds),
            seeds=len(seeds),
            methods=tuple(self.titles),
            params=tuple(params.items()),
        )


@page_caches.remembered(8, "Reading the store")
def opened(key: str, done: int, beat: float) -> tuple[Result, ...]:
    """A sweep's results as far as they are stored.

    Args:
        done, beat: how far it is, so that what came since is read anew.
    """
    status = sweep_files.load(key)
    return (
        tuple(experiment.stored(sweep_files.parse(status.text, status.name, DRAWN)))
        if status
        else ()
    )


def read(status: Status) -> tuple[Result, ...]:
    """As ``opened``; a running sweep is read anew only when more is done."""
    return opened(status.key, status.done, 0.0 if status.now == "running" else status.beat)


def pick(found: Sequence[Status]) -> Status:
    """The sweep to look at, in the link."""
    with st.sidebar:
        st.header("Data")
        if BEGUN in st.session_state:
            st.session_state["sweep"] = st.session_state.pop(BEGUN)
        titles = {s.key: f"{SIGNS[s.now]} {s.name} ({_ago(s.started)} ago)" for s in found}
        key = choice(st.selectbox, "Sweep", titles, found[0].key, "sweep", always=True)
    return next(s for s in found if s.key == key)


def narrowed(results: Sequence[Result]) -> Shown:
    """The controls that choose one line a method."""
    with st.sidebar:
        ratios = {f"{r.spec.ir:g}": f"{r.spec.ir:g}" for r in results}
        ir = float(choice(st.selectbox, "Imbalance ratio (IR)", ratios, next(iter(ratios)), "sir"))
        kept = [r for r in results if f"{r.spec.ir:g}" == f"{ir:g}"]
        st.header("Privacy")
        axis = results[0].spec.budget.axis
        budgets = {
            f"{b:g}": number(b)
            for b in sorted({r.spec.budget.value for r in kept if r.spec.budget.private})
        }
        middle = list(budgets)[len(budgets) // 2] if budgets else ""
        budget = (
            float(choice(st.select_slider, f"Budget {SYMBOLS[axis]}", budgets, middle, BUDGET))
            if budgets
            else 1.0
        )
        heading = st.empty()
        for key in dict.fromkeys(r.spec.method for r in kept):
            settings = {_setting(r.spec): _setting(r.spec) for r in kept if r.spec.method == key}
            if len(settings) > 1:
                heading.header("Method")
                chosen = choice(
                    st.selectbox,
                    METHODS[key].title,
                    settings,
                    next(iter(settings)),
                    f"set.{key}",
                    help=f"{len(settings)} settings in this sweep",
                )
                kept = [r for r in kept if r.spec.method != key or _setting(r.spec) == chosen]
        shared_controls.reset_link()
    return Shown(tuple(kept), ir, budget)


def set_budget(value: float) -> None:
    """Move the budget, from a callback."""
    st.session_state[BUDGET] = f"{value:g}"


def _setting(spec: RunSpec) -> str:
    return (
        ", ".join(
            f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in spec.params
        )
        or "no settings"
    )


def drawable(shown: Shown) -> list[Result]:
    """The runs that lines are drawn from. A method without noise is the same at every budget: one
    line across.
    """
    noisy = [r for r in shown.results if METHODS[r.spec.method].private and r.spec.budget.private]
    across = {r.spec.method: r for r in shown.results if not METHODS[r.spec.method].private}
    return noisy + [_without_budget(r) for r in across.values()]


def _without_budget(result: Result) -> Result:
    budget = dataclasses.replace(result.spec.budget, value=math.inf)
    return dataclasses.replace(result, spec=dataclasses.replace(result.spec, budget=budget))


def state_sentence(status: Status) -> str:
    """How far the sweep is, in words."""
    return (
        f"**{text.literal(status.name)}** {WORDS[status.now]}: {status.done:,} of {status.total:,}"
        " cells."
    )


# -------------------------------------------------------------------------------------------- start


def start_form(first: bool = False) -> None:
    """A fold to begin a sweep from pasted or uploaded TOML; open where it would be the ``first``."""
    with st.expander("Begin a sweep here", expanded=first):
        st.caption(
            f"It runs in a process of its own, up to {STARTED:,} cells, one sweep at a time; larger"
            " ones start from a shell."
        )
        upload = st.file_uploader("A TOML file", type="toml", key="sweep-file", max_upload_size=1)
        typed = st.text_area(
            "or its text", EXAMPLE, key="sweep-text", height=230, max_chars=LETTERS
        )
        if st.button("Begin", key="sweep-begin"):
            try:
                st.session_state[BEGUN] = begin(
                    *(
                        (upload.getvalue(), upload.name)
                        if upload
                        else (typed.encode(), "pasted.toml")
                    )
                )
            except DpvizError as error:
                text.refusals([str(error)])
                return
            st.rerun()


def begin(content: bytes, name: str) -> str:
    """Begin a sweep in a process of its own; returns its key.

    Raises:
        DpvizError: for a bad or too large sweep, data that this page may not name, or while another
            one runs.
    """
    try:
        words = content.decode() if len(content) <= LETTERS else ""
    except UnicodeDecodeError:
        words = ""
    if not words:
        raise DpvizError(
            f"The file is not text of at most {LETTERS:,} letters; start a longer sweep from a"
            " shell."
        )
    for spec in {
        (s.dataset, s.encoder): s for s in sweep_files.parse(words, "The sweep", STARTED)
    }.values():
        _allowed(spec)
    key = sweep_files.key(words)
    busy = [s for s in sweep_files.statuses() if s.now == "running"]
    if busy:
        raise DpvizError(f"The sweep {busy[0].name!r} is running; wait for it or stop it first.")
    place = sweep_files.folder() / f"{key}.toml"
    write_atomic(place, lambda file: file.write(words.encode()))
    title = re.sub(r"\.toml$", "", Path(name).name)[:60] or "pasted"
    sweep_files.keep(
        Status(
            key,
            title,
            words,
            "a process beside the dashboard",
            started=time.time(),
            beat=time.time(),
        )
    )
    command = [
        sys.executable,
        "-m",
        "dpviz",
        "sweep",
        str(place),
        "--out",
        str(place.with_suffix(".csv")),
        "--name",
        title,
    ]
    with open(place.with_suffix(".err"), "wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=dict(os.environ),
        )
    threading.Thread(target=process.wait, daemon=True).start()
    return key


def _allowed(spec: RunSpec) -> None:
    """Only data and encoders of the tables, and uploads by their name: a page must not read any
    file of the server.
    """
    own = re.fullmatch(rf"{uploads.PREFIX}[0-9a-f]{{20}}", Path(spec.dataset).stem)
    upload = own and spec.dataset == uploads.shown(uploads.path(own[0]))
    if not (spec.dataset in DATASETS or upload or synthetic.asked(spec.dataset)):
        raise DpvizError(
            f"The data set {spec.dataset!r} is not one that this page offers; name one of its list,"
            " or start the sweep from a shell."
        )
    if spec.encoder is not None and spec.encoder not in ENCODERS:
        raise DpvizError(
            f"The encoder {spec.encoder!r} is not one that this page offers; use one of"
            f" {', '.join(ENCODERS)}."
        )


def rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The table of all results."""
    return [result_files.row(result) for result in results]
