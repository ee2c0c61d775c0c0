"""What the page Your class shows of the files it is given, which it keeps nowhere."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import literal, unbroken
from dpviz.plots.classroom import Calibration, QuestionGains
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.widgets import cards, charts, export
from dpviz.views.questions import class_files, class_gain
from dpviz.views.questions.class_files import Answer
from dpviz.views.questions.class_gain import Item, Pairs

ABOUT = (
    "Each pupil's page “Twelve questions” gives a file without a name. Collect the files and drop"
    " them here together, or several joined in one. They are read in this server's memory for this"
    " page alone, kept nowhere and shown to nobody else."
)
GAIN_TEXT = (
    "Gain is what the same people answered right after less before, in other words and numbers"
    " (two forms, drawn at random which comes first). Without a class that took no lessons it"
    " cannot say that the *lessons* did it: answering twice, and time, teach as well. The questions"
    " have not been tried on a group of people before; docs/questions.md says how they were made."
)
LINES_TEXT = "Full line: more than chance; dotted: within chance."


def show() -> None:
    """Upload, sentence, charts, tables."""
    st.markdown(ABOUT)
    files = st.file_uploader(
        "Files of answers (.csv)",
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
    items = class_gain.items(pairs)
    plain = class_gain.plainly(pairs)
    st.markdown(unbroken(detail_level.at_level(f"{plain}\n\n{class_gain.precisely(pairs)}", plain)))
    detail_level.toggle()
    cards.private_view()
    chart = QuestionGains.from_shares(
        [item.gist for item in items],
        [item.before for item in items],
        [item.after for item in items],
        [item.significant for item in items],
        len(pairs.people),
    )
    charts.plot(chart, "gain", caption=f"**Which questions moved.** {LINES_TEXT}")
    st.markdown(class_gain.changed_questions(items))
    points = {
        "before": class_gain.calibration(pairs.sure_before, pairs.before),
        "after": class_gain.calibration(pairs.sure_after, pairs.after),
    }
    charts.plot(
        Calibration.from_points(points),
        "sure",
        caption="**Do they know what they know?** On the dotted line people are as often right as"
        " they expect; below it, less often.",
    )
    st.markdown(class_gain.sureness(pairs))
    _tables(answers, pairs, items)
    st.caption(GAIN_TEXT)


def _tables(answers: tuple[Answer, ...], pairs: Pairs, items: tuple[Item, ...]) -> None:
    with st.expander("Each question in numbers, and which answers were chosen"):
        export.table([_row(item) for item in items], "class-questions", "Questions")
        st.caption(
            "Discrimination: correlation of a question with the rest of the score after the"
            f" lessons, from {class_gain.MIN_CORRELATION_PEOPLE} people on; near 0 or below, look"
            " at its wording. p: corrected for all questions (Holm)."
        )
        export.table(class_gain.chosen(answers, pairs.people), "class-options", "Options")
        orders = [
            f"form {form} first: {n} {'person' if n == 1 else 'people'}, {100 * before:.0f}%"
            f" right before, {100 * after:.0f}% after"
            for form, (n, before, after) in class_gain.by_order(answers, pairs).items()
            if n >= class_gain.MIN_PEOPLE
        ]
        if orders:
            st.caption(literal("; ".join(orders)))


def _row(item: Item) -> dict[str, object]:
    has_discrimination = item.discrimination is not None
    return {
        "question": item.gist,
        "lesson": item.key,
        "right before": f"{100 * item.before:.0f}%",
        "right after": f"{100 * item.after:.0f}%",
        "came to know it": item.won,
        "no longer": item.lost,
        "p": f"{item.p:.2g}",
        "discrimination": f"{item.discrimination:.2f}" if has_discrimination else "",
    }
