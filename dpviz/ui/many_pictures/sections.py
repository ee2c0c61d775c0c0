"""Sections of "One person, many pictures": pictures, losses by people, PATE, table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from dpviz.diagnostics import per_instance, per_person
from dpviz.diagnostics.per_person import Group, PersonLosses
from dpviz.formatting import METRIC_WORDS, budget_text, literal, number, plain
from dpviz.lazy_imports import pandas as pd
from dpviz.methods import METHODS
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.plots.losses import MEASURES, GuaranteeLine, LossByImages
from dpviz.plots.settings import RecordsCurve
from dpviz.run import reproduce
from dpviz.run.jobs import Work
from dpviz.types import Dataset, RunSpec
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.many_pictures import answer
from dpviz.ui.many_pictures.answer import Cost, Runs
from dpviz.ui.many_pictures.controls import PersonsView
from dpviz.ui.widgets import cards, charts, export
from dpviz.ui.widgets.choices import choice
from dpviz.views import data_page

MAX_PEOPLE, MAX_PICTURES = 4, 8
"""People whose pictures are shown, and pictures of each."""
PATE = (
    "**Why PATE does not care how many pictures a person sent.** All of them go to one teacher, so"
    " whoever leaves takes one teacher's vote along, and the noise that hides one teacher hides the"
    " whole person. What it loses, it loses because these pictures then teach one teacher instead"
    " of many, so that fewer teachers know enough to agree. A linear teacher has one weight for"
    " each number of a picture's features and each class."
)


def explained(view: PersonsView, metric: str) -> str:
    """What the lines are, and what All means."""
    return (
        f"Accuracy: {METRIC_WORDS[metric]}, at {budget_text(view.budget)}."
        f" {detail_level.bands(view.seeds)}"
        " Few pictures of each person: data are lost. Many: the noise grows with their"
        " number, but not with PATE, nor where each person's summed gradient is clipped."
        " Dotted: the same method, promised to each picture. All: how many that is was read off"
        " the private data, which the promise does not cover, where a method needs it."
    )


def persons_text(data: Dataset) -> None:
    """How many people's pictures are private, and how uneven they are."""
    if data.persons is None:
        return
    cards.private_view()
    sent = np.unique(data.persons, return_counts=True)[1]
    noun = f"{len(data.persons):,} pictures that are private here"
    st.markdown(
        f"{data_page.persons_sentence(sent.tolist(), noun)} Who else is in the set sent test or"
        " public pictures, or is left out by the settings."
    )


def people(data: Dataset) -> None:
    """A few people's pictures side by side."""
    if data.thumbnails is None or data.persons is None or data.rows is None:
        return
    st.header("A second picture tells about the first")
    cards.private_view()
    st.markdown(
        "One person's pictures often lie on the same floor or bedspread. Leave one of them out, and"
        " the others still tell of it: a promise to each picture by itself does not speak of that."
    )
    for place, rows in enumerate(example_rows(data.persons), start=1):
        pictures = data.thumbnails("train", data.rows[rows[:MAX_PICTURES]])
        names = [data.class_names[c] for c in data.y[rows[:MAX_PICTURES]]]
        row = "".join(
            f'<img src="{data_url(picture)}" alt="Person {place}: {plain(name)}" width="72"'
            f' height="72" style="margin:2px;border-radius:4px;{smoothed(picture)}">'
            for picture, name in zip(pictures, names, strict=True)
        )
        st.html(f"<div>Person {place}, {len(rows)} pictures<br>{row}</div>")


def example_rows(persons: np.ndarray) -> list[np.ndarray]:
    """Rows of the people with the next more pictures than ``PICTURES``, or with the most where
    there are too few of those: enough to see, and not those who sent half of all.
    """
    whose, counts = np.unique(persons, return_counts=True)
    order = np.lexsort((counts, counts < MAX_PICTURES))
    few = (
        order[:MAX_PEOPLE]
        if (counts >= MAX_PICTURES).sum() >= MAX_PEOPLE
        else np.argsort(-counts)[:MAX_PEOPLE]
    )
    return [np.flatnonzero(persons == whose[i]) for i in few]


def downloads(curve: RecordsCurve, commands: str, code: str, key: str) -> None:
    """The chart as a table and CSV, and what gives the numbers again: commands for those of the
    chart, Python for how well features tell senders.
    """
    rows = pd.DataFrame(curve.table()).astype({curve.record_unit: str})
    export.table(rows, key, "The chart")
    st.caption(
        "All runs behind the sentence again, from a shell: each line at its number of pictures, and"
        " its method promised to each picture. The sentence tells means over seeds."
    )
    export.code_block(commands)
    if code:
        st.caption("How well features tell the sender again, in Python in the project's folder:")
        export.code_block(code, "python")


def commands(results: Runs, costs: Sequence[Cost]) -> str:
    """A command for the runs of each line at its number of pictures, then one for those of each
    method that are promised to each picture.
    """
    of_lines: list[tuple[str, int | None]] = [(cost.title, cost.bound) for cost in costs]
    names = dict.fromkeys(of_lines + [(cost.method, None) for cost in costs])
    return "\n".join(reproduce.run_commands([r.spec for r in results[name]]) for name in names)


KEY = "many-pictures-paid"
LOSSES = Work(
    lambda group, progress: [long_work.POOL.call(per_person.paid, *group, progress=progress)],
    max_groups=40,
    private_runs=lambda paid: [paid.spec],
)
GUARANTEE_TITLES = ("to each picture", "to each person")


def losses_by_people(results: Runs, costs: Sequence[Cost]) -> None:
    """What each group of people spends and gets, of a line that is chosen."""
    private = [cost for cost in costs if METHODS[cost.method].private]
    runs = {cost.title: (cost, results[cost.title, cost.bound][0].spec) for cost in private}
    reasons = {title: _absent(spec) for title, (_, spec) in runs.items()}
    titles = {title: title for title, reason in reasons.items() if not reason}
    if not runs:
        return
    st.header("Who pays: people with many pictures, or with few?")
    if titles:
        _chosen_line(titles, runs, results, costs)
    for title, reason in reasons.items():
        if reason:
            st.caption(literal(f"Not shown: {title}. {reason}"))


def _chosen_line(
    titles: dict[str, str],
    runs: dict[str, tuple[Cost, RunSpec]],
    results: Runs,
    costs: Sequence[Cost],
) -> None:
    """The line that is chosen of those with a formula."""
    first = next((cost.title for cost in costs if cost.method == "dppl-mean"), next(iter(titles)))
    chosen = choice(st.selectbox, "Look at", titles, first, "paid", width=360)
    cost, of_person = runs[chosen]
    of_picture = results[cost.method, None][0].spec
    groups, status = [(of_picture,), (of_person,)], st.empty()
    job = long_work.collect(KEY, groups, status, work=LOSSES)
    page_parts.refusals(job.errors.values())
    if all(group in job.done for group in groups):
        _loss_charts(cost, [job.done[group][0] for group in groups])


def _absent(spec: RunSpec) -> str | None:
    """Why there is no formula for a run's settings."""
    return per_instance.absent(spec.method, METHODS[spec.method].check(dict(spec.params)))


def _loss_charts(cost: Cost, both: Sequence[PersonLosses]) -> None:
    """Both charts and the sentence; ``both``: promised to each picture, and to each person."""
    by_guarantee = [per_person.by_number(paid) for paid in both]
    groups = [(group.name, group.people) for group in by_guarantee[0]]
    guarantees = [
        GuaranteeLine(
            words, tuple(g.quantiles for g in people_groups), tuple(g.right for g in people_groups)
        )
        for words, people_groups in zip(GUARANTEE_TITLES, by_guarantee, strict=True)
    ]
    cards.private_view()
    st.markdown(losses_answer(cost, both, by_guarantee))
    for column, shown in zip(st.columns(2), MEASURES, strict=True):
        with column:
            claim = both[1].losses.claim
            chart = LossByImages.from_groups(shown, cost.method, claim, groups, guarantees)
            charts.plot(chart, f"{KEY}-{shown}")
    st.caption(
        f"Noise seed {both[1].spec.seed}, this run alone. Marker: the middle person; thick: the"
        " middle half; thin: the middle nine tenths. ε′ is what the release tells of all of a"
        " person's pictures together, of which a promise to each picture does not speak. Right: of"
        " all training pictures that a person sent, kept or not, every person counting alike."
    )


def losses_answer(
    cost: Cost, both: Sequence[PersonLosses], groups: Sequence[Sequence[Group]]
) -> str:
    """Who pays, in Markdown: those with the most pictures, then those with the fewest."""
    claim = number(float(f"{both[0].losses.claim:.3g}"))
    (before, after), *fewer = reversed(list(zip(*groups, strict=True)))
    most = (
        f"Those who sent most ({_group_name(before)}): the middle one spends"
        f" **{_amount(before)}** where"
        f" ε ≤ {claim} is promised to each picture, and **{_amount(after)}** where it is promised"
        f" to each person, with {answer.limit_text(cost.bound)}; what is right of their own"
        f" pictures changes by **{_gained(before, after)}**."
    )
    if not fewer:
        return most
    before, after = fewer[-1]
    return (
        f"{most} Those who sent fewest ({_group_name(before)}): **{_amount(before)}** under the"
        f" promise to each picture, **{_amount(after)}** under the promise to each person, and"
        f" **{_gained(before, after)}**."
    )


def _group_name(group: Group) -> str:
    people = "person" if group.people == 1 else "people"
    pictures = "picture" if group.name == "1" else "pictures"
    number_sent = group.name.replace("+", " or more")
    return f"{group.people:,} {people} with {number_sent} {pictures}"


def _amount(group: Group) -> str:
    return f"ε′\u00a0=\u00a0{number(float(f'{group.quantiles[2]:.2g}'))}"


def _gained(before: Group, after: Group) -> str:
    return f"{100 * (after.right - before.right):+.0f} points".replace("-", "−")
