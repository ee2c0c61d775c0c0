"""Who pays, on "One person, many pictures": people who sent many pictures, or few."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.diagnostics import per_instance, per_person
from dpviz.diagnostics.per_person import Group, Paid
from dpviz.formatting import literal, number
from dpviz.methods import METHODS
from dpviz.plots.losses import MEASURES, GuaranteeLine, LossByImages
from dpviz.run.jobs import Work
from dpviz.types import RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.many_pictures import answer
from dpviz.ui.many_pictures.answer import Cost, Runs
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import choice

KEY = "many-pictures-paid"
PAID = Work(
    lambda group, progress: [long_work.POOL.call(per_person.paid, *group, progress=progress)],
    max_groups=40,
    private_runs=lambda paid: [paid.spec],
)
WORDS = ("to each picture", "to each person")


def show(results: Runs, costs: Sequence[Cost]) -> None:
    """What each group of people spends and gets, of a line that is chosen."""
    private = [one for one in costs if METHODS[one.method].private]
    runs = {one.title: (one, results[one.title, one.bound][0].spec) for one in private}
    reasons = {title: _absent(spec) for title, (_, spec) in runs.items()}
    titles = {title: title for title, reason in reasons.items() if not reason}
    if not runs:
        return
    st.header("Who pays: people with many pictures, or with few?")
    if titles:
        _one_of(titles, runs, results, costs)
    for title, reason in reasons.items():
        if reason:
            st.caption(literal(f"Not shown: {title}. {reason}"))


def _one_of(
    titles: dict[str, str],
    runs: dict[str, tuple[Cost, RunSpec]],
    results: Runs,
    costs: Sequence[Cost],
) -> None:
    """The line that is chosen of those with a formula."""
    first = next((one.title for one in costs if one.method == "dppl-mean"), next(iter(titles)))
    chosen = choice(st.selectbox, "Look at", titles, first, "paid", width=360)
    one, of_person = runs[chosen]
    of_picture = results[one.method, None][0].spec
    groups, status = [(of_picture,), (of_person,)], st.empty()
    job = long_work.collect(KEY, groups, status, work=PAID)
    page_parts.refusals(job.errors.values())
    if all(group in job.done for group in groups):
        _draw(one, [job.done[group][0] for group in groups])


def _absent(spec: RunSpec) -> str | None:
    """Why there is no formula for a run's settings."""
    return per_instance.absent(spec.method, METHODS[spec.method].check(dict(spec.params)))


def _draw(one: Cost, both: Sequence[Paid]) -> None:
    """Both charts and the sentence; ``both``: promised to each picture, and to each person."""
    told = [per_person.by_number(paid) for paid in both]
    groups = [(group.name, group.people) for group in told[0]]
    promises = [
        GuaranteeLine(words, tuple(g.quantiles for g in some), tuple(g.right for g in some))
        for words, some in zip(WORDS, told, strict=True)
    ]
    cards.private_view()
    st.markdown(sentence(one, both, told))
    for column, shown in zip(st.columns(2), MEASURES, strict=True):
        with column:
            claim = both[1].losses.claim
            chart = LossByImages.from_groups(shown, one.method, claim, groups, promises)
            charts.plot(chart, f"{KEY}-{shown}")
    st.caption(
        f"Noise seed {both[1].spec.seed}, this run alone. Marker: the middle person; thick: the"
        " middle half; thin: the middle nine tenths. ε′ is what the release tells of all of a"
        " person's pictures together, of which a promise to each picture does not speak. Right: of"
        " all training pictures that a person sent, kept or not, every person counting alike."
    )


def sentence(one: Cost, both: Sequence[Paid], told: Sequence[Sequence[Group]]) -> str:
    """Who pays, in Markdown: those with the most pictures, then those with the fewest."""
    claim = number(float(f"{both[0].losses.claim:.3g}"))
    (before, after), *fewer = reversed(list(zip(*told, strict=True)))
    most = (
        f"Those who sent most ({_group_name(before)}): the middle one spends"
        f" **{_amount(before)}** where"
        f" ε ≤ {claim} is promised to each picture, and **{_amount(after)}** where it is promised"
        f" to each person, with {answer.limit_text(one.bound)}; what is right of their own pictures"
        f" changes by **{_gained(before, after)}**."
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
