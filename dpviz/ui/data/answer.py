"""The answer of the page "Data": what a set holds, its embedding, the sentence, chart and cards."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from dpviz import data, encoders, privacy
from dpviz.data import DATASETS, uploads
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.data.imbalance import minority_classes
from dpviz.data.source import STATES, Source
from dpviz.encoders import availability
from dpviz.formatting import literal, plain, unbroken
from dpviz.plots.by_class import ClassSizes, PersonSizes
from dpviz.run import public_set_use
from dpviz.run.embedding_work import PICTURE_WORK, SetContents, Task, rate, ready
from dpviz.types import Budget, DpvizError
from dpviz.ui.data.controls import KEY, Request, protectable
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts
from dpviz.views import data_page

NOT_CHECKED = "nothing: size and licence are as commonly reported; ask the source"
BUDGET = Budget(1.0)
"""At which the smallest class is told what it can expect."""
WISH_KEY, DONE_KEY = f"{KEY}:wish", f"{KEY}:done"


def source(dataset: str) -> Source | None:
    """The row of a data set; None, with a sentence on the page, where its files cannot be read."""
    try:
        row = data.source(dataset)
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return None
    return dataclasses.replace(row, title=uploads.display_name(dataset) or row.title)


def contents(dataset: str, status: Any) -> SetContents | None:
    """What the set holds; None where that cannot be told, with the reason on the page."""
    task = Task("look", dataset, stamp=repr(data.stamp(dataset)))
    return long_work.run_one(f"{KEY}-look", task, PICTURE_WORK, status)


# ---------------------------------------------------------------------------------------- embedding


def embedding(request: Request, row: Source, status: Any) -> bool:
    """Button and progress of downloading and embedding; True once the features are there."""
    stamp = repr(data.stamp(request.dataset))
    group = (Task("embed", request.dataset, request.encoder, request.public, stamp),)
    if done := st.session_state.pop(DONE_KEY, None):
        st.success(done, icon=":material/check:")
    if st.session_state.get(WISH_KEY) == group and _under_way(group, status):
        return False
    if row.is_on_disk() and ready(row, request.encoder):
        return True
    _offer(row, availability.title(request.encoder), group)
    return False


def _under_way(group: tuple[Task, ...], status: Any) -> bool:
    """Progress of what was asked for; False where it was refused."""
    job = long_work.collect(f"{KEY}-embed", [group], status, work=PICTURE_WORK)
    page_parts.refusals(job.errors.values())
    if not job.complete and not job.errors:
        return True
    st.session_state.pop(WISH_KEY)
    if job.complete:
        st.session_state[DONE_KEY] = f"Embedded: {job.done[group][0]}. Every page can use them."
        st.rerun()
    return False


def _offer(row: Source, encoder: str, group: tuple[Task, ...]) -> None:
    name, how = literal(row.title), literal(row.get())
    if row.state == "by hand":
        st.info(f"{name} is {STATES['by hand']}: {how}", icon=":material/folder_open:")
        return
    label = f"Embed with {encoder}"
    if not row.is_on_disk():
        label = f"Download {row.title} and embed with {encoder}"
        st.info(
            f"{name} is not on disk. The button below downloads and checks it; without a network,"
            f" {how}",
            icon=":material/download:",
        )
    st.button(
        label,
        type="primary",
        icon=":material/memory:",
        on_click=_ask,
        args=(group,),
        key=f"{KEY}-button",
    )


def _ask(group: tuple[Task, ...]) -> None:
    st.session_state.pop(f"{KEY}-embed:stopped", None)
    st.session_state[WISH_KEY] = group


RATE = "Embedded on {device} at {rate} images per second."


def measured_rate(row: Source, encoder: str) -> None:
    """Show the device and the rate of the embedding; nothing where they are not known."""
    if embedding_rate := rate(row, encoder):
        st.caption(
            RATE.format(device=embedding_rate.device, rate=rounded_rate(embedding_rate.per_second))
        )


def rounded_rate(rate: float) -> str:
    """Images per second in three significant digits, without an exponent."""
    return f"{float(f'{rate:.3g}'):,.10g}"


# ------------------------------------------------------------------------ sentence, chart and cards


def public_images(held: SetContents | None, request: Request) -> int:
    """How many of the training images are held aside as public."""
    return sum(held.aside) if held and request.public == HELD_ASIDE else 0


def answer(
    row: Source, held: SetContents | None, embedded: bool, encoder: str, aside: int = 0
) -> str:
    """One sentence in Markdown: what the set holds, whether it is embedded, and how many sets are
    on disk.
    """
    sources = [row for row in protectable() if row.part_of is None]
    disk_text = (
        f"**{sum(r.is_on_disk() for r in sources)} of {len(sources)}** data sets are on disk"
    )
    name = literal(row.title)
    if held is None:
        return f"{disk_text}; **{name}** is {STATES[row.state]}."
    state = "has turned them into features, so every page can use them"
    public = f", **{aside:,}** public" if aside else ""
    return (
        f"**{name}** holds **{sum(held.train) - aside:,}** private{public} and"
        f" **{sum(held.test):,}** test images"
        f" of **{len(held.names)}** classes; {literal(availability.title(encoder))}"
        f" {state if embedded else 'has yet to turn them into features'}. {disk_text}."
    )


def in_plain_words(
    row: Source, held: SetContents | None, embedded: bool, encoder: str, aside: int = 0
) -> str | None:
    """The same for someone who knows no statistics; None where there is nothing to tell yet."""
    if held is None:
        return None
    title = availability.title(encoder).split(" (")[0]
    return data_page.sentence(row.title, held.train, held.test, title, embedded, aside)


def chart(held: SetContents) -> None:
    """Training pictures a class."""
    equal = len(set(held.train)) == 1
    smallest = () if equal else minority_classes(held.train)
    sizes = "all classes have the same number"
    hatched = "the smallest quarter of the classes is hatched"
    cards.private_view()
    charts.plot(
        ClassSizes.from_counts(held.train, smallest, held.names),
        KEY,
        caption=f"Training pictures a class; {sizes if equal else hatched}.",
    )


NO_PUBLIC_SET = (
    "No public set is chosen, so all training images stay private. Methods that need no public set:"
    " {methods}. For the others, choose a public set, or hold some of these images aside."
)
CLASSES_READ = (
    "The list of classes was read from the images, so every guarantee takes it as public. Confirm"
    " the list below, or add a file `classes.txt` with one name per line."
)


def expectations(held: SetContents, request: Request, row: Source) -> None:
    """Whose pictures they are, what is held aside, and what the smallest class can expect."""
    st.header("What to expect")
    cards.private_view()
    aside = held.aside if request.public == HELD_ASIDE else (0,) * len(held.names)
    private = [n - public for n, public in zip(held.train, aside, strict=True)]
    smallest = private.index(min(private))
    lines = [
        data_page.persons_sentence(held.person_sizes, "training pictures"),
        *map(literal, held.notes),
        data_page.expectation(
            held.names[smallest],
            private[smallest],
            held.test[smallest],
            data_page.noise_length(encoders.get(request.encoder).dim, privacy.mu_for(BUDGET)),
            BUDGET,
            "picture" if held.person_sizes else "",
        ),
    ]
    if request.public == HELD_ASIDE:
        lines.append(aside_sentence(sum(aside)))
    elif request.public not in DATASETS:
        lines.append(literal(NO_PUBLIC_SET.format(methods=public_set_use.methods_without())))
    if row.classes_read:
        lines.append(CLASSES_READ)
    st.markdown(unbroken("\n".join(f"- {line}" for line in lines)))
    if held.person_sizes:
        words = "Persons by how many of the training pictures are theirs."
        charts.plot(PersonSizes.from_counts(held.person_sizes), f"{KEY}-persons", caption=words)


def aside_sentence(images: int) -> str:
    """How many images are held aside as the public set."""
    if not images:
        return f"{public_set_use.NOTHING_HELD_ASIDE} Choose another public set, or none."
    become = "training image is" if images == 1 else "training images are"
    return (
        f"**{images:,}** {become} treated as public, by a hash of each image or person alone. The"
        " others stay private."
    )


def cards_row(row: Source, request: Request) -> None:
    """Cards of the set, the public set and the encoder: where each comes from and on what terms."""
    public, encoder = DATASETS.get(request.public), encoders.get(request.encoder)
    size = f"{encoder.dim:,} features from {encoder.size} × {encoder.size} pixels"
    with cards.row("sources"):
        _card(row.title, _about(row))
        if public:
            _card(f"Public: {public.title}", _about(public))
        rows = [("gives", size), ("trained on", encoder.trained_on)]
        _card(encoder.title, [*rows, ("source", encoder.source), ("licence", encoder.licence)])


def _about(row: Source) -> list[tuple[str, str]]:
    rows = [
        ("as published", row.size),
        ("source", row.source),
        ("licence", row.terms),
        ("checked with", row.checked or NOT_CHECKED),
        ("stands", row.state_text),
    ]
    return rows + [("published checksum", f"{a.published} of {a.name}") for a in row.archives]


def _card(title: str, rows: list[tuple[str, str]]) -> None:
    with st.container(border=True, width=310):
        st.html(f'<div class="dp-card-title">{plain(title)}</div>{cards.definition(rows)}')
