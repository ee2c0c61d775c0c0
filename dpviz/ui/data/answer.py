"""The answer of the page "Data": contents of a set, its embedding, answer, chart and cards."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz import data, encoders, privacy
from dpviz.data import DATASETS, uploads
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.data.imbalance import minority_classes
from dpviz.data.source import Source
from dpviz.encoders import availability
from dpviz.experiments import public_set_use
from dpviz.experiments.embedding_work import PICTURE_WORK, SetContents, Task, rate, ready
from dpviz.formatting import literal, plain, unbroken
from dpviz.plots.by_class import ClassSizes, PersonSizes
from dpviz.text import data as text
from dpviz.text.template import render, render_text
from dpviz.types import Budget, DpvizError
from dpviz.ui.data import samples
from dpviz.ui.data.controls import KEY, Request
from dpviz.ui.frame import detail_level, page_parts, public_demo
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts
from dpviz.views import data_page

BUDGET = Budget(1.0)
"""Budget at which the noise on the smallest class is stated."""
WISH_KEY, DONE_KEY = f"{KEY}:wish", f"{KEY}:done"


def source(dataset: str) -> Source | None:
    """Return the row of a data set; None, with an error, if its files are unreadable."""
    try:
        row = data.source(dataset)
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return None
    return dataclasses.replace(row, title=uploads.display_name(dataset) or row.title)


def contents(dataset: str, status: Any) -> SetContents | None:
    """Return the contents of the set; None, with an error on the page, if they are unreadable."""
    task = Task("look", dataset, stamp=repr(data.stamp(dataset)))
    return long_work.run_one(f"{KEY}-look", task, PICTURE_WORK, status)


# ---------------------------------------------------------------------------------------- embedding


def embedding(request: Request, row: Source, status: Any) -> bool:
    """Draw button and progress of downloading and embedding; return whether features are ready."""
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
    """Draw the progress of the work; return False if it was refused or is done."""
    job = long_work.collect(f"{KEY}-embed", [group], status, work=PICTURE_WORK)
    page_parts.refusals(job.errors.values())
    if not job.complete and not job.errors:
        return True
    st.session_state.pop(WISH_KEY)
    if job.complete:
        result = job.done[group][0]
        st.session_state[DONE_KEY] = render(text.EMBEDDED, result=result)
        st.rerun()
    return False


def _offer(row: Source, encoder: str, group: tuple[Task, ...]) -> None:
    """Draw the button that downloads and embeds, or the steps by hand."""
    if public_demo.closed("embedding" if row.is_on_disk() else "downloads"):
        return
    facts = {"title": row.title, "steps": row.get()}
    if row.state == "by hand":
        st.info(render(text.BY_HAND, **facts), icon=":material/folder_open:")
        return
    label = render_text(text.EMBED, encoder=encoder)
    if not row.is_on_disk():
        label = render_text(text.DOWNLOAD, title=row.title, encoder=encoder)
        st.info(render(text.DOWNLOAD_NOTE, **facts), icon=":material/download:")
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


def measured_rate(row: Source, encoder: str) -> None:
    """Show the device and the rate of the embedding, if they are known."""
    if measured := rate(row, encoder):
        fields = {"device": measured.device, "rate": rounded_rate(measured.per_second)}
        st.caption(render(text.RATE, **fields))


def rounded_rate(rate: float) -> str:
    """Return images per second with three significant digits, without an exponent."""
    return f"{float(f'{rate:.3g}'):,.10g}"


# -------------------------------------------------------------------------- answer, chart and cards


def public_images(held: SetContents | None, request: Request) -> int:
    """Return how many training images are held aside as public."""
    return sum(held.aside) if held and request.public == HELD_ASIDE else 0


def case(row: Source, held: SetContents | None, embedded: bool) -> str:
    """Return the key of the answer."""
    if embedded:
        return "ready"
    if row.is_on_disk():
        return "embed" if held else "unread"
    return row.state


def answer(place: Any, row: Source, encoder: str, case: str) -> None:
    """Draw the answer."""
    title = availability.title(encoder).split(" (")[0]
    ready = sum(other.is_on_disk() for other in DATASETS.values())
    counts = ready, len(DATASETS) - ready
    sentences = (
        data_page.answer(row.title, case, title, counts, precise) for precise in (True, False)
    )
    page_parts.answer(place, *sentences)


def chart(title: str, held: SetContents, heading: Any) -> None:
    """Draw an image per class if all classes are equally large, else images per class as bars.

    Args:
        heading: place of the finding with the name of the data set, above the tiles.
    """
    finding, caption = data_page.finding(title, held.train)
    is_equal = len(set(held.train)) == 1
    smallest = () if is_equal else minority_classes(held.train)
    cards.private_view()
    page_parts.chart_title(finding, heading)
    if is_equal and len(held.images):
        st.html(samples.one_per_class(held))
        st.caption(render(text.CAPTION_IMAGES, images=samples.previewed(held)))
        return
    charts.plot(ClassSizes.from_counts(held.train, smallest, held.names), KEY)
    st.caption(caption)


def expectations(held: SetContents, request: Request, row: Source) -> None:
    """Draw what the smallest class can expect, whose the images are, and what is public."""
    cards.private_view()
    aside = held.aside if request.public == HELD_ASIDE else (0,) * len(held.names)
    private = [n - public for n, public in zip(held.train, aside, strict=True)]
    smallest = private.index(min(private))
    lines = [
        data_page.expectation(
            held.names[smallest],
            private[smallest],
            held.test[smallest],
            data_page.noise_length(encoders.get(request.encoder).dim, privacy.mu_for(BUDGET)),
            BUDGET,
            "picture" if held.person_sizes else "",
            detail_level.precise(),
        ),
        data_page.persons_sentence(held.person_sizes, text.TRAINING_IMAGES),
        *map(literal, held.notes),
    ]
    if request.public == HELD_ASIDE:
        lines.append(aside_sentence(sum(aside)))
    elif request.public not in DATASETS:
        lines.append(render(text.NO_PUBLIC_SET, methods=literal(public_set_use.methods_without())))
    if row.classes_read:
        lines.append(text.CLASSES_READ)
    st.markdown(unbroken("\n".join(f"- {line}" for line in lines)))
    if held.person_sizes:
        chart = PersonSizes.from_counts(held.person_sizes)
        charts.plot(chart, f"{KEY}-persons", caption=text.PERSONS_CAPTION)


def aside_sentence(images: int) -> str:
    """Return how many images are held aside as the public set."""
    if not images:
        return render(text.NONE_ASIDE, reason=public_set_use.NOTHING_HELD_ASIDE)
    return render(text.ASIDE, images=images)


def cards_row(row: Source, request: Request) -> None:
    """Draw source and license of the data set, the public set and the encoder."""
    public, encoder = DATASETS.get(request.public), encoders.get(request.encoder)
    size = render_text(text.FEATURES_SIZE, dim=encoder.dim, size=str(encoder.size))
    with cards.row("sources"):
        _card(row.title, _about(row))
        if public:
            _card(render_text(text.PUBLIC_CARD, title=public.title), _about(public))
        facts = {"gives": size, "trained": encoder.trained_on, "source": encoder.source}
        _card(encoder.title, _titled_rows(facts | {"license": encoder.licence}))


def _about(row: Source) -> list[tuple[str, str]]:
    facts = {"size": row.size, "source": row.source, "license": row.terms}
    facts |= {"checked": row.checked or text.NOT_CHECKED, "state": row.state_text}
    checksums = [
        (
            text.ROWS["checksum"],
            render_text(text.CHECKSUM, checksum=archive.published, name=archive.name),
        )
        for archive in row.archives
    ]
    return _titled_rows(facts) + checksums


def _titled_rows(facts: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(text.ROWS[name], value) for name, value in facts.items()]


def _card(title: str, rows: list[tuple[str, str]]) -> None:
    with st.container(border=True, width=310):
        st.html(f'<div class="dp-card-title">{plain(title)}</div>{cards.definition(rows)}')
