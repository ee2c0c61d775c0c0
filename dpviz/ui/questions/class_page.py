"""The tab Results: what a class learned, from files that are not stored."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import unbroken
from dpviz.plots.classroom import Calibration, QuestionGains
from dpviz.text import questions as text
from dpviz.text.template import render
from dpviz.ui.frame import detail_level, lesson_strip, page_parts, public_demo
from dpviz.ui.questions import answer
from dpviz.ui.widgets import cards, charts, export
from dpviz.views.page_as_shown import Tile
from dpviz.views.questions import class_files, class_gain
from dpviz.views.questions.class_files import Answer
from dpviz.views.questions.class_gain import Item, Pairs


def draw() -> None:
    """Draw the upload, and for enough people sentence, tiles, charts and tables."""
    st.markdown(text.RESULTS_INTRO)
    st.html(lesson_strip.anchor(answer.test_link(), text.TO_TEST, "dp-plain"))
    if public_demo.closed("uploads"):
        return
    files = st.file_uploader(
        text.FILES,
        type="csv",
        accept_multiple_files=True,
        max_upload_size=class_files.MEGABYTES,
        key="class-files",
    )
    if not files:
        return
    class_answers = class_files.read((file.name, file.getvalue()) for file in files)
    page_parts.refusals(class_answers.left_out)
    pairs = class_gain.pairs(class_answers.answers)
    if words := class_gain.too_few(pairs):
        st.markdown(words)
        return
    _class(class_answers.answers, pairs)


def _class(answers: tuple[Answer, ...], pairs: Pairs) -> None:
    items, gain = class_gain.items(pairs), class_gain.gain_text(pairs)
    st.markdown(unbroken(detail_level.at_level(gain.precise, gain.plain)))
    page_parts.tiles([Tile(*tile) for tile in gain.tiles])
    cards.private_view()
    st.markdown(f"##### {text.GAIN_CHART}")
    chart = QuestionGains.from_shares(
        [item.gist for item in items],
        [item.before for item in items],
        [item.after for item in items],
        [item.significant for item in items],
        len(pairs.people),
    )
    charts.plot(chart, "gain", caption=text.GAIN_CAPTION)
    st.markdown(" ".join([class_gain.changed_questions(items), *gain.notes]))
    st.markdown(f"##### {text.SURE_CHART}")
    points = {
        "before": class_gain.calibration(pairs.sure_before, pairs.before),
        "after": class_gain.calibration(pairs.sure_after, pairs.after),
    }
    charts.plot(Calibration.from_points(points), "sure", caption=text.SURE_CAPTION)
    st.markdown(class_gain.sureness(pairs))
    _tables(answers, pairs, items)
    st.caption(text.ABOUT_GAIN)


def _tables(answers: tuple[Answer, ...], pairs: Pairs, items: tuple[Item, ...]) -> None:
    with st.expander(text.TABLES):
        export.table([_row(item) for item in items], "class-questions", text.QUESTION_TABLE)
        st.caption(render(text.TABLE_CAPTION, people=class_gain.MIN_CORRELATION_PEOPLE))
        export.table(class_gain.chosen(answers, pairs.people), "class-options", text.OPTION_TABLE)
        for form, (people, before, after) in class_gain.by_order(answers, pairs).items():
            if people >= class_gain.MIN_PEOPLE:
                shares = {"before": before, "after": after}
                st.caption(render(text.ORDER, form=form, people=people, **shares))


def _row(item: Item) -> dict[str, object]:
    has_discrimination = item.discrimination is not None
    values = {
        "gist": item.gist,
        "key": item.key,
        "before": f"{100 * item.before:.0f}%",
        "after": f"{100 * item.after:.0f}%",
        "gained": item.won,
        "lost": item.lost,
        "p": f"{item.p:.2g}",
        "discrimination": f"{item.discrimination:.2f}" if has_discrimination else "",
    }
    return {text.COLUMNS[key]: value for key, value in values.items()}
