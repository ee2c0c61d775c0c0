"""The page "Data": its controls, the sentence, the work it asks for, and the cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dpviz import data
from dpviz.data import DATASETS
from dpviz.data import synthetic as etf
from dpviz.data.source import STATES, Source
from dpviz.encoders import ENCODERS
from dpviz.types import DpvizError
from dpviz.ui.data.work import Seen, Task, board, ready
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, shared_controls, text, uploads
from dpviz.ui.widgets.choices import choice

KEY = "data-page"
UNCHECKED = "nothing: size and licence are as commonly reported; ask the source"
DATA_HELP = "All sets that can be protected, with those that are not on disk yet."


@dataclass(frozen=True)
class Asked:
    """What the controls say: name of the choice, data set as ``RunSpec`` has it, encoder and public
    set (None where none).
    """

    name: str
    dataset: str
    encoder: str
    public: str


def pictures(row: Source) -> bool:
    """True for sets of pictures that can be protected; synthetic features are made on the pages
    themselves.
    """
    return "private" in row.roles and row.key != etf.KEY


def sidebar() -> Asked:
    """Data set, encoder and public set, under the keys they have on the other pages."""
    with st.sidebar:
        st.header("Data")
        own = uploads.known(st.session_state.get("uploads", []), st.query_params.get("data"))
        titles = {key: _option(row) for key, row in DATASETS.items() if pictures(row)}
        titles |= {name: uploads.title(name) for name in own if uploads.pictures(name)}
        name = choice(st.selectbox, "Data set", titles, next(iter(titles)), "data", help=DATA_HELP)
        dataset = name if name in DATASETS else shared_controls.place(name)
        encoder = shared_controls.encoders()
        public = shared_controls.public_sets(dataset)
        shared_controls.reset_link()
    return Asked(name, dataset, encoder, public)


def _option(row: Source) -> str:
    return row.title if row.there() else f"{row.title} ({STATES[row.state]})"


# --------------------------------------------------------------------------------------------- work


def seen(asked: Asked, status) -> Seen | None:
    """What the set holds; None where that cannot be told, with the reason on the page."""
    group = (Task("look", asked.dataset, stamp=repr(data.stamp(asked.dataset))),)
    job = long_work.collect(f"{KEY}-look", [group], status, lambda job: None, on=board())
    text.refusals(job.errors.values())
    return job.done[group][0] if group in job.done else None


def embedding(asked: Asked, row: Source, status) -> bool:
    """The button and the progress of downloading and embedding; True once the features are there."""
    group = (
        Task("embed", asked.dataset, asked.encoder, asked.public, repr(data.stamp(asked.dataset))),
    )
    wish, done = f"{KEY}:wish", st.session_state.pop(f"{KEY}:done", None)
    if done:
        st.success(done, icon=":material/check:")
    if st.session_state.get(wish) == group:
        job = long_work.collect(f"{KEY}-embed", [group], status, lambda job: None, on=board())
        text.refusals(job.errors.values())
        if job.complete:
            st.session_state.pop(wish)
            st.session_state[f"{KEY}:done"] = (
                f"Embedded: {job.done[group][0]}. Every page can use them."
            )
            st.rerun()
        if job.errors:
            st.session_state.pop(wish)
        else:
            return False
    if row.there() and ready(row, asked.encoder):
        return True
    label = f"Embed with {ENCODERS[asked.encoder].title}"
    if row.state == "by hand":
        st.info(
            f"{text.literal(row.title)} is {STATES['by hand']}: {text.literal(row.get())}",
            icon=":material/folder_open:",
        )
        return False
    label = label if row.there() else f"Download {row.title} and e{label[1:]}"
    if not row.there():
        st.info(
            f"{text.literal(row.title)} is not on disk. The button below downloads and checks it;"
            f" without a network, {text.literal(row.get())}",
            icon=":material/download:",
        )
    st.button(
        label,
        type="primary",
        icon=":material/memory:",
        on_click=_wish(wish, group),
        key=f"{KEY}-button",
    )
    return False


def _wish(key: str, group: tuple[Task, ...]) -> Callable[[], None]:
    def remember() -> None:
        st.session_state.pop(f"{KEY}-embed:stopped", None)
        st.session_state[key] = group

    return remember


def row_of(asked: Asked) -> Source | None:
    """The row of the chosen set; None with a sentence on the page where its files cannot be read."""
    try:
        return data.source(asked.dataset)
    except DpvizError as error:
        text.refusals([str(error)])
        return None


# -------------------------------------------------------------------------------------------- words


def answer(row: Source, held: Seen | None, embedded: bool, encoder: str) -> str:
    """One sentence in Markdown: what the set holds, whether it is embedded, and how many sets are
    on disk.
    """
    known = [r for r in DATASETS.values() if pictures(r)]
    there = f"**{sum(r.there() for r in known)} of {len(known)}** data sets are on disk"
    name = text.literal(row.title)
    if held is None:
        return f"{there}; **{name}** is {STATES[row.state]}."
    holds = (
        f"**{name}** holds **{sum(held.train):,}** private and **{sum(held.test):,}** test pictures"
        f" of **{len(held.names)}** classes"
    )
    by = text.literal(ENCODERS[encoder].title)
    state = (
        f"{by} has turned them into features, so every page can use them"
        if embedded
        else f"{by} has yet to turn them into features"
    )
    return f"{holds}; {state}. {there}."


def cards_row(row: Source, asked: Asked) -> None:
    """Cards of the set, the public set and the encoder: where each comes from and on what terms."""
    public, encoder = DATASETS[asked.public], ENCODERS[asked.encoder]
    with st.container(horizontal=True, wrap=True):
        _card(row.title, _about(row))
        _card(f"Public: {public.title}", _about(public))
        size = f"{encoder.dim:,} features from {encoder.size} × {encoder.size} pixels"
        _card(
            encoder.title,
            [
                ("gives", size),
                ("trained on", encoder.trained_on),
                ("source", encoder.source),
                ("licence", encoder.licence),
            ],
        )


def _about(row: Source) -> list[tuple[str, str]]:
    stands = ": ".join(filter(None, (STATES[row.state], row.where())))
    rows = [
        ("as published", row.size),
        ("source", row.source),
        ("licence", row.terms),
        ("checked with", row.checked or UNCHECKED),
        ("stands", stands),
    ]
    return rows + [("published md5", f"{a.md5} of {a.name}") for a in row.archives]


def _card(title: str, rows: list[tuple[str, str]]) -> None:
    with st.container(border=True, width=310):
        st.html(f'<div class="dp-card-title">{text.plain(title)}</div>{cards.definition(rows)}')
