"""Tabs of the page "Data": data sets, uploads, samples, tables and commands."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from dpviz.data import DATASETS, limits, uploads
from dpviz.data.readers import class_lists, folders, picture_sets
from dpviz.data.source import Source
from dpviz.encoders import availability
from dpviz.experiments import reproduce
from dpviz.experiments.embedding_work import PICTURE_WORK, SetContents, Task
from dpviz.formatting import literal, plain, printable
from dpviz.lazy_imports import pandas as pd
from dpviz.machine import ownership
from dpviz.machine.files import write_atomic
from dpviz.plots.by_class import PersonSizes
from dpviz.plots.kit.style import ACCENT, rgba
from dpviz.text import data as text
from dpviz.text.template import render
from dpviz.types import DpvizError
from dpviz.ui.data.controls import KEY, Request, choose_once, protectable
from dpviz.ui.frame import page_parts, public_demo, visitor
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, export, uploader
from dpviz.views import data_page

MAX_ROWS = 500
"""Rejected files listed on the page; the CSV has all."""
SORTING_KEY = f"{KEY}:sorting"
UNCONFIRMED_KEY = f"{KEY}:unconfirmed"
TABLE_KEY = f"{KEY}-sets"
#: Data sets that a phone lists outside the fold.
MAX_UNFOLDED = 5
#: Pixels of the table, of a row, and of columns with long texts. In rows above 4 rem, cells wrap.
TABLE_HEIGHT, ROW_HEIGHT = 470, 66
WIDTHS = {"title": 190, "state": 80, "contents": 290, "license": 270, "role": 120}
#: Pixels of a letter in the table, and lines of a row.
LETTER_WIDTH, LINES = 6.5, 2
#: Cells of the data set in use.
CHOSEN_STYLE = f"background-color: {rgba(ACCENT, 0.16)}"
#: Columns that the table's menu shows; the tab Sources and the CSV have them as well.
FOLDED = ("source", "get", "checked", "checksum", "key")


def all_sets(chosen: str) -> None:
    """Draw the table of data sets.

    Args:
        chosen: key of the data set in use.
    """
    rows = list(DATASETS.values())
    frame = pd.DataFrame([_line(row, chosen) for row in rows])
    marked = [CHOSEN_STYLE if row.key == chosen else "" for row in rows]
    style = frame.style.apply(lambda _: marked)
    with st.container(key="sets-table"):
        st.caption(text.CHOOSE)
        st.dataframe(
            style.format("{:.0f}", text.SETS["classes"], na_rep=""),
            hide_index=True,
            height=TABLE_HEIGHT,
            key=TABLE_KEY,
            row_height=ROW_HEIGHT,
            column_config={
                text.SETS[name]: st.column_config.TextColumn(width=width)
                for name, width in WIDTHS.items()
            }
            | dict.fromkeys(text.SETS[name] for name in FOLDED),
        )
    st.html(_sets_html(rows, chosen))


def _sets_html(rows: Sequence[Source], chosen: str) -> str:
    """Return the list that phones show in place of the table, most of it in a fold."""
    lines = [_set_html(row, chosen) for row in rows]
    first, others = lines[:MAX_UNFOLDED], lines[MAX_UNFOLDED:]
    return (
        f'<div class="dp-sets"><p>{plain(text.CHOOSE_ON_PHONES)}</p><ul>{"".join(first)}</ul>'
        f"<details><summary>{plain(text.OTHER_SETS)}</summary>"
        f"<ul>{''.join(others)}</ul></details></div>"
    )


def _set_html(row: Source, chosen: str) -> str:
    """Return title, state, contents and license; the title of a set to choose is a link."""
    if row not in protectable():
        title = f"<b>{plain(row.title)} ({plain(_role(row))})</b>"
    elif row.is_on_disk():
        title = f'<a href="data?data={plain(row.key)}" target="_self">{plain(row.title)}</a>'
    else:
        title = f"<b>{plain(row.title)}</b>"
    size = row.size.replace(" × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}")
    facts = " · ".join(filter(None, (_state(row, chosen), size, row.terms)))
    return f"<li>{title}{plain(facts)}</li>"


def _role(row: Source) -> str:
    return text.ROLES.get(row.roles, " / ".join(row.roles))


def _state(row: Source, chosen: str) -> str:
    return text.CHOSEN_STATE if row.key == chosen else row.state_text


def _swipe_hint() -> None:
    """Say on phones that a table has more columns than fit."""
    st.html(f'<p class="dp-swipe">{text.SWIPE}</p>')


def _line(row: Source, chosen: str) -> dict[str, object]:
    facts = {
        "title": row.title,
        "state": _state(row, chosen),
        "contents": _shortened("contents", row.size),
        "classes": row.classes or None,
        "license": _shortened("license", row.terms),
        "role": _role(row),
        "source": row.source,
        "get": row.get(),
        "checked": row.checked,
        "checksum": ", ".join(archive.published for archive in row.archives),
        "key": row.key,
    }
    return {text.SETS[name]: value for name, value in facts.items()}


def _shortened(column: str, words: str) -> str:
    """Return the words that fit into a column; the tab Sources has all."""
    letters = int(LINES * WIDTHS[column] / LETTER_WIDTH)
    return textwrap.shorten(words, letters, placeholder=" …")


def own_data(dataset: str, contents: SetContents | None) -> None:
    """Draw both uploads, the visitor's uploads and the list of classes."""
    if public_demo.closed("uploads"):
        return
    images, features = st.columns(2)
    with images:
        st.markdown(f"**{text.IMAGES}**")
        st.caption(text.IMAGES_NOTE)
        st.file_uploader(
            text.IMAGES_LABEL,
            type=["zip", "parquet"],
            key="pictures",
            on_change=_take,
            max_upload_size=limits.UPLOAD_MEGABYTES,
        )
        uploader.larger(text.LARGER)
    with features:
        st.markdown(f"**{text.FEATURES}**")
        st.caption(text.FEATURES_NOTE)
        uploader.features_to_keep()
    uploader.refused()
    if (name := st.session_state.get(SORTING_KEY)) and uploads.exists(name):
        _sorted(name)
    uploader.all_mine()
    if contents:
        _class_list(dataset, contents)
    with st.expander(text.FORMATS):
        facts = {
            "test_one_in": picture_sets.TEST_ONE_IN,
            "files": limits.MEMBERS,
            "gigabytes": limits.UNPACKED >> 30,
            "megapixels": limits.PICTURE_PIXELS // 10**6,
            "megabytes": limits.PICTURE_BYTES >> 20,
        }
        st.markdown("\n".join(f"- {render(rule, **facts)}" for rule in text.RULES))


def _take() -> None:
    file = st.session_state.get("pictures")
    if file is not None:
        st.session_state[SORTING_KEY] = uploader.store_upload(uploads.keep_unsorted, file)


def _sorted(name: str) -> None:
    """Sort an upload of images, choose it, and say what was rejected."""
    members = long_work.run_one(f"{KEY}-sort", Task("sort", name), PICTURE_WORK)
    if members is None:
        return
    choose_once(name)
    classes = sorted({label for _, _, label in members.used})
    counts = {"used": len(members.used), "refused": len(members.refused)}
    st.markdown(render(text.SORTED, classes=len(classes), names=classes, **counts))
    if members.images_per_person:
        cards.private_view()
    people = data_page.persons_sentence(members.images_per_person, text.USED_IMAGES)
    st.markdown(" ".join([people, *map(literal, members.notes)]))
    refusals(members.refused)


def _class_list(dataset: str, contents: SetContents) -> None:
    """Draw the list of classes of an upload, for its owner to confirm."""
    name = Path(dataset).stem
    if not uploads.is_upload(Path(dataset)) or not _owned(name):
        return
    with st.expander(text.CLASS_LIST):
        st.caption(text.CLASS_LIST_NOTE)
        st.text_area(text.CLASS_LIST_LABEL, "\n".join(contents.names), key=_classes_key(name))
        st.button(text.CONFIRM, on_click=_confirm, args=(name,), key=f"{KEY}-confirm")
        if sentence := st.session_state.pop(UNCONFIRMED_KEY, None):
            page_parts.refusals([sentence])


def _classes_key(name: str) -> str:
    return f"{KEY}-classes-{name}"


def _owned(name: str) -> bool:
    return any(visitor.is_own(subject) for subject in ownership.owners(name))


def _confirm(name: str) -> None:
    """Store a list of classes beside the upload, if it names the class of every image."""
    try:
        lines = st.session_state[_classes_key(name)].encode(errors="replace")
        names = class_lists.parsed(lines, text.LIST_NAME)
        folders.read(uploads.path(name), classes=names)
    except DpvizError as error:
        st.session_state[UNCONFIRMED_KEY] = str(error)
        return
    content = "\n".join(names).encode()
    write_atomic(uploads.classes(name), lambda file: file.write(content))


def refusals(refused: tuple[tuple[str, str], ...]) -> None:
    """Draw rejected files: a count per reason, and a table."""
    if not refused:
        return
    frame = pd.DataFrame(refused, columns=list(text.REJECTED)).map(printable)
    counts = frame.groupby("reason").size().rename("files").sort_values(ascending=False)
    st.dataframe(counts.reset_index().rename(columns=text.REASONS), hide_index=True)
    with st.expander(render(text.EACH_REJECTED, files=len(frame))):
        st.dataframe(frame.head(MAX_ROWS).rename(columns=text.REJECTED), hide_index=True)
        export.csv(text.REJECTED_CSV, frame, "refused.csv")


def encoders() -> None:
    """Draw the table of encoders."""
    _swipe_hint()
    frame = pd.DataFrame(availability.known_encoders())
    st.dataframe(frame[list(text.ENCODERS)].rename(columns=text.ENCODERS), hide_index=True)
    st.caption(text.OTHER_ENCODERS)


def table(request: Request, contents: SetContents | None) -> None:
    """Draw the class counts, and the command that embeds."""
    if contents:
        counts = {
            "class": list(map(printable, contents.names)),
            "train": contents.train,
            "test": contents.test,
        }
        columns = {text.COUNT_COLUMNS[name]: values for name, values in counts.items()}
        export.show(pd.DataFrame(columns))
        export.csv(f"{text.COUNTS}, CSV", pd.DataFrame(counts), f"{KEY}.csv")
        if contents.person_sizes:
            sizes = PersonSizes.from_counts(contents.person_sizes).table()
            export.table(sizes, f"{KEY}-persons", text.PERSON_COUNTS)
    st.caption(text.COMMAND)
    export.code(reproduce.embed_command(request.dataset, request.encoder, request.public))
    st.caption(text.COMMAND_NOTE)
