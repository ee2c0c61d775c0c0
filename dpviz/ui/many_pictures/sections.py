"""Tabs of the Many images per person page: images, loss by person, table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from dpviz.diagnostics import per_instance, per_person
from dpviz.diagnostics.per_person import Group, PersonLosses
from dpviz.experiments import reproduce
from dpviz.experiments.jobs import Work
from dpviz.formatting import plain
from dpviz.lazy_imports import pandas as pd
from dpviz.methods import METHODS
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.plots.losses import MEASURES, GuaranteeLine, LossByImages
from dpviz.plots.settings import RecordsCurve
from dpviz.text import many_pictures as text
from dpviz.text.template import render, render_text
from dpviz.types import Dataset, RunSpec
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.many_pictures.answer import Cost, Runs
from dpviz.ui.widgets import cards, charts, export
from dpviz.ui.widgets.choices import choice
from dpviz.views.many_pictures_page import limit_text

#: People whose images are shown, and images of each.
MAX_PEOPLE, MAX_PICTURES = 4, 8


def people(data: Dataset) -> None:
    """Draw how many people contributed images, and the images of a few people."""
    if data.persons is None:
        return
    cards.private_view()
    sent = np.unique(data.persons, return_counts=True)[1]
    counted = render(
        text.PEOPLE,
        people=len(sent),
        images=len(data.persons),
        median=int(np.median(sent)),
        maximum=int(sent.max()),
    )
    st.markdown(f"{counted} {text.PEOPLE_OTHERS}")
    if data.thumbnails is None or data.rows is None:
        return
    st.markdown(text.PERSON_IMAGES)
    for place, rows in enumerate(example_rows(data.persons), start=1):
        pictures = data.thumbnails("train", data.rows[rows[:MAX_PICTURES]])
        names = [data.class_names[c] for c in data.y[rows[:MAX_PICTURES]]]
        row = "".join(
            f'<img src="{data_url(picture)}" alt="{plain(_alt(place, name))}" width="72"'
            f' height="72" style="margin:2px;border-radius:4px;{smoothed(picture)}">'
            for picture, name in zip(pictures, names, strict=True)
        )
        head = render_text(text.PERSON_HEAD, place=place, number=len(rows))
        st.html(f"<div>{plain(head)}<br>{row}</div>")


def _alt(place: int, name: str) -> str:
    return render_text(text.PERSON_ALT, place=place, class_name=name)


def example_rows(persons: np.ndarray) -> list[np.ndarray]:
    """Return the rows of a few people with at least ``MAX_PICTURES`` images, the fewest first; of
    those with the most images where too few people have so many.
    """
    whose, counts = np.unique(persons, return_counts=True)
    order = np.lexsort((counts, counts < MAX_PICTURES))
    few = (
        order[:MAX_PEOPLE]
        if (counts >= MAX_PICTURES).sum() >= MAX_PEOPLE
        else np.argsort(-counts)[:MAX_PEOPLE]
    )
    return [np.flatnonzero(persons == whose[i]) for i in few]


def all_lines(curve: RecordsCurve, seeds: int, key: str) -> None:
    """Draw every method by number of images."""
    with cards.titled(text.LINES_TITLE, "stretch", key=f"{key}-card"):
        charts.plot(curve, key)
        template = text.CAPTION_LINES if seeds > 1 else text.CAPTION_LINES_ONE_SEED
        st.caption(template.fill(detail_level.precise()))


def downloads(curve: RecordsCurve, commands: str, code: str, key: str) -> None:
    """Draw table and CSV of the chart, the commands for it, and code for recognizing persons."""
    rows = pd.DataFrame(curve.table()).astype({curve.record_unit: str})
    export.table(rows, key, text.TABLE_TITLE)
    st.caption(text.TABLE_CAPTION)
    export.code_block(commands)
    st.caption(text.CODE_CAPTION)
    export.code_block(code, "python")


def commands(results: Runs, costs: Sequence[Cost]) -> str:
    """Return a command for the runs of each line at its bound, then one for each method with a
    guarantee per image.
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


def losses_by_people(results: Runs, costs: Sequence[Cost]) -> None:
    """Draw the privacy loss and the accuracy by images per person, for a chosen line."""
    private = [cost for cost in costs if METHODS[cost.method].private]
    runs = {cost.title: (cost, results[cost.title, cost.bound][0].spec) for cost in private}
    reasons = {title: _absent(spec) for title, (_, spec) in runs.items()}
    titles = {title: title for title, reason in reasons.items() if not reason}
    if titles:
        _chosen_line(titles, runs, results, costs)
    for title, reason in reasons.items():
        if reason:
            st.caption(render(text.PAID_ABSENT, method=title, reason=reason))


def _chosen_line(
    titles: dict[str, str],
    runs: dict[str, tuple[Cost, RunSpec]],
    results: Runs,
    costs: Sequence[Cost],
) -> None:
    """Draw the line that is chosen of those with a formula."""
    first = next((cost.title for cost in costs if cost.method == "dppl-mean"), next(iter(titles)))
    chosen = choice(st.selectbox, text.LABELS["line"], titles, first, "paid", width=360)
    cost, of_person = runs[chosen]
    of_picture = results[cost.method, None][0].spec
    groups, status = [(of_picture,), (of_person,)], st.empty()
    job = long_work.collect(KEY, groups, status, work=LOSSES)
    page_parts.refusals(job.errors.values())
    if all(group in job.done for group in groups):
        _loss_charts(cost, [job.done[group][0] for group in groups])


def _absent(spec: RunSpec) -> str | None:
    """Return why there is no formula for the settings of a run."""
    return per_instance.absent(spec.method, METHODS[spec.method].check(dict(spec.params)))


def _loss_charts(cost: Cost, both: Sequence[PersonLosses]) -> None:
    """Draw both charts and their summary; ``both``: guarantee per image, and per person."""
    by_guarantee = [per_person.by_number(paid) for paid in both]
    groups = [(group.name, group.people) for group in by_guarantee[0]]
    guarantees = [
        GuaranteeLine(
            words, tuple(g.quantiles for g in people_groups), tuple(g.right for g in people_groups)
        )
        for words, people_groups in zip(text.PAID_LINES, by_guarantee, strict=True)
    ]
    cards.private_view()
    st.markdown(losses_answer(by_guarantee))
    for column, shown in zip(st.columns(2), MEASURES, strict=True):
        with column:
            claim = both[1].losses.claim
            chart = LossByImages.from_groups(shown, cost.method, claim, groups, guarantees)
            charts.plot(chart, f"{KEY}-{shown}")
    limit = render(
        text.PAID_LIMIT,
        claim=float(f"{both[1].losses.claim:.3g}"),
        limit=limit_text(cost.bound),
    )
    caption = render(text.PAID_CAPTION, seed=str(both[1].spec.seed))
    st.caption(f"{limit} {caption} {text.PAID_RIGHT}")


def losses_answer(groups: Sequence[Sequence[Group]]) -> str:
    """Return the losses of the people with the most and with the fewest images, in Markdown.

    Args:
        groups: people by number of images, with a guarantee per image, and per person.
    """
    pairs = list(zip(*groups, strict=True))
    lines = [_loss_line("many", *pairs[-1])]
    if len(pairs) > 1:
        lines.append(_loss_line("few", *pairs[0]))
    return "\n".join(f"- {line}" for line in lines)


def _loss_line(case: str, before: Group, after: Group) -> str:
    return render(
        text.PAID[case],
        group=_group_name(before),
        before=_loss(before),
        after=_loss(after),
        gap=after.right - before.right,
    )


def _group_name(group: Group) -> str:
    if group.name.endswith("+"):
        low = int(group.name[:-1])
        return render_text(text.PAID_GROUP["open"], people=group.people, images=low)
    if group.name.isdigit():
        return render_text(text.PAID_GROUP["exact"], people=group.people, images=int(group.name))
    return render_text(text.PAID_GROUP["range"], people=group.people, images=group.name)


def _loss(group: Group) -> str:
    return render_text(text.PAID_LOSS, loss=float(f"{group.quantiles[2]:.2g}"))
