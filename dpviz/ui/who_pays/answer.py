"""The answer of "Who pays": the measured runs, the sentence and the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from dpviz.diagnostics import per_instance
from dpviz.diagnostics.per_instance import FULL_SHARE, MeasuredRun, PerInstance
from dpviz.formatting import budget_text, literal, number, percent, subset
from dpviz.methods import METHODS
from dpviz.plots.losses import Losses
from dpviz.run.jobs import Work
from dpviz.stats import Interval, accuracy
from dpviz.types import RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.who_pays.controls import SCALES, LossView
from dpviz.ui.widgets import cards
from dpviz.views import who_pays_page
from dpviz.views.phrases import out_of_100, title_in_sentence

LOSSES = Work(
    lambda group, progress: [long_work.POOL.call(per_instance.measured, *group, progress=progress)],
    max_groups=60,
    private_runs=lambda run: [run.result.spec],
)


MINORITY_ROW = "… of the minority"
"""The row that is left out where nobody spends nearly all."""


def runs(view: LossView, key: str, status: Any) -> list[MeasuredRun]:
    """The runs of the methods that have a formula; what has none is said."""
    wanted = []
    for spec in view.specs:
        if reason := absent(spec.method, spec.params):
            title = METHODS[spec.method].title
            st.info(literal(f"{title}: {reason}"), icon=":material/functions:")
        else:
            wanted.append((spec,))
    if not wanted:
        return []
    job = long_work.collect(key, wanted, status, work=LOSSES)
    page_parts.refusals(job.errors.values())
    return [job.done[group][0] for group in wanted if group in job.done]


def absent(key: str, settings: Sequence[tuple]) -> str | None:
    """Why there is no formula at these settings."""
    return per_instance.absent(key, METHODS[key].check(dict(settings)))


def charts(
    runs: Sequence[MeasuredRun], view: LossView, groups: dict[str, np.ndarray]
) -> list[Losses]:
    """The data of the sorted curve and the histograms, a method each."""
    shown = [(run, view.losses(run)) for run in runs]
    return [
        Losses.from_values(
            run.method, run.title, view.symbol, losses.epsilon, losses.claim, groups, view.unit_name
        )
        for run, losses in shown
    ]


# ----------------------------------------------------------------------------------------- sentence


def answer(runs: Sequence[MeasuredRun], view: LossView) -> str:
    """One sentence in Markdown: the promise, and what the middle record or person and the minority
    spend of it.
    """
    first, *more = [_loss_text(view.losses(run), run, view) for run in runs]
    text = ". ".join([first, *(words[0].upper() + words[1:] for words in more)])
    return f"At {subset(view)} and {budget_text(view.budget)} {text}."


def plain(runs: Sequence[MeasuredRun], view: LossView) -> str:
    """The same for someone who knows no statistics."""
    spent = []
    for run in runs:
        losses = view.losses(run)
        share, right = losses.epsilon / losses.claim, losses.share(run.right)
        title = title_in_sentence(run.title)
        spent.append(who_pays_page.Spending(title, share, losses.minority, right))
    guarantees = [run.result.guarantee for run in runs]
    return who_pays_page.sentence(spent, guarantees, view)


PUBLIC_TEXT = (
    "On test images of the minority, {method} reaches **{private}** and public data alone"
    " **{public}**."
)
PUBLIC_TEXT_PLAIN = (
    "Of 100 test pictures of the rare classes, {method} recognizes **{private}** and public images"
    " alone **{public}**."
)


def beside_public(runs: Sequence[MeasuredRun], public: Interval | None) -> tuple[str, str]:
    """The best of the runs against public data alone, precise and plain; one seed has no test."""
    points = {run.title: accuracy([run.result], "minority") for run in runs}
    if public is None or not all(point.is_measured for point in (public, *points.values())):
        return "", ""
    top = max(points, key=lambda title: points[title].mean)
    private, other = points[top], public
    return (
        PUBLIC_TEXT.format(
            method=title_in_sentence(top), private=percent(private), public=percent(other)
        ),
        PUBLIC_TEXT_PLAIN.format(
            method=title_in_sentence(top),
            private=out_of_100(private.mean),
            public=out_of_100(other.mean),
        ),
    )


def _loss_text(losses: PerInstance, run: MeasuredRun, view: LossView) -> str:
    symbol = "ε" if view.scale == "eps" else "ρ"
    delta = f" at δ = {number(view.budget.delta)}"
    claim_text = (
        f"{title_in_sentence(run.title)} promises every {view.unit_name} {symbol} ≤"
        f" {number(float(f'{losses.claim:.3g}'))}"
        f"{'' if view.scale == 'rho' or view.budget.axis == 'approx' else delta}"
    )
    if losses.full.all():
        return f"{claim_text}, and **all {len(losses.epsilon):,} spend it in full**"
    small, rest = losses.epsilon[losses.minority], losses.epsilon[~losses.minority]
    split = ""
    if len(small) and len(rest):
        split = (
            f" (**{_middle(small)}** in the minority, {_middle(rest)} elsewhere)"
            f"{_comparison_text(losses, losses.share(run.right))}"
        )
    middle = f"the middle {view.unit_name} spends **{_middle(losses.epsilon)}**{split}"
    return f"{claim_text}; in this run {middle}"


def _comparison_text(losses: PerInstance, right: np.ndarray) -> str:
    """How the minority's privacy and its accuracy compare with those of the others, so that one is
    not taken for the other.
    """
    small, rest = (
        (_middle(losses.epsilon[group]), round(100 * float(right[group].mean())))
        for group in (losses.minority, ~losses.minority)
    )
    word = lambda a, b: "more" if a > b else "less"
    spent = "as much" if small[0] == rest[0] else word(float(small[0]), float(rest[0]))
    often = "as often right" if small[1] == rest[1] else f"{word(small[1], rest[1])} often right"
    return (
        f": the minority spends {spent} of its privacy, and is {often} ({small[1]}% against"
        f" {rest[1]}%, in training)"
    )


def _middle(values: np.ndarray) -> str:
    return _amount(float(np.median(values)))


def _amount(value: float) -> str:
    """A loss with two digits: 0.20, 1.0."""
    return f"{value:#.2g}".rstrip(".")


def caption(runs: Sequence[MeasuredRun], view: LossView) -> str:
    """What the losses are counted in, and what they are true of."""
    return (
        f"{_notions(runs, view)} Sensitive itself, and true of this realised run alone; the line is"
        f" what holds for every {view.unit_name} and every run."
    )


def _notions(runs: Sequence[MeasuredRun], view: LossView) -> str:
    """What the losses are counted in, and how fair the comparison is."""
    if view.scale == "rho":
        return "Both in ρ (zCDP), the same currency for every method."
    pure = [run.title for run in runs if run.losses.notion.startswith("pure")]
    start = f"Both in ε at δ = {number(view.budget.delta)}"
    if not pure:
        return f"{start}."
    return (
        f"{start}; {' and '.join(pure)} promises pure ε, which holds at any δ and is the stronger"
        " promise. For one currency choose ρ under **Losses counted in**."
    )


# -------------------------------------------------------------------------------------------- cards


def cards_row(runs: Sequence[MeasuredRun], view: LossView) -> None:
    """What each promises, and how the losses spread."""
    noted = cards.draw_guess_note([run.result.guarantee for run in runs])
    with cards.row("who"):
        for run in runs:
            cards.result_card(run.result, run.title, f"who-{run.method}", guess_noted=noted)
    with cards.titled("What is spent", "stretch", "who-spread"):
        columns = {run.title: _spread(view.losses(run), run, view.unit_name) for run in runs}
        if not any(view.losses(run).full.any() for run in runs):
            for column in columns.values():
                del column[MINORITY_ROW]
        st.html(cards.columns(columns))
        scale = view.losses(runs[0]).notion if len(runs) == 1 else SCALES[view.scale]
        about = "the training records"
        if view.unit == "person":
            about = "each person's own training pictures, every person counting alike"
        st.caption(f"In {scale}; right: about {about}.")


def _spread(losses: PerInstance, run: MeasuredRun, subject: str) -> dict[str, str]:
    low, middle, high = np.quantile(losses.epsilon, (0.05, 0.5, 0.95))
    full, right = losses.full, losses.share(run.right)
    return {
        "promised": number(float(f"{losses.claim:.4g}")),
        f"costliest {subject}": _amount(losses.epsilon.max()),
        f"middle {subject}": _amount(middle),
        "nine in ten lie in": " to ".join(dict.fromkeys((_amount(low), _amount(high)))),
        f"spend ≥ {100 * FULL_SHARE:.0f}% of it": f"{int(full.sum()):,} of {len(full):,}",
        MINORITY_ROW: _share(full[losses.minority]),
        "right, all": _share(right),
        "right, costliest 5%": _share(right[losses.epsilon >= high]),
        "right, cheapest 5%": _share(right[losses.epsilon <= low]),
    }


def _share(right: np.ndarray) -> str:
    return "none" if not len(right) else f"{100 * right.mean():.0f}%"


# --------------------------------------------------------------------------------- what it promises


def snippet(spec: RunSpec) -> str:
    """Python that gives the same losses."""
    lines = [
        "from dpviz.diagnostics import per_instance",
        "from dpviz.types import Budget, RunSpec",
        "",
        f"spec = {spec!r}",
        "found = per_instance.losses_of(spec)",
        "print(found.notion, found.claim, found.epsilon, found.rho)",
    ]
    return "\n".join(lines)


def explained() -> str:
    """What a loss of one's own promises and what not, and which methods have no formula."""
    reasons = {row.title: absent(key, ()) for key, row in METHODS.items() if row.private}
    gaps = "".join(
        f"\n- {literal(title)}: {literal(reason)}" for title, reason in reasons.items() if reason
    )
    return EXPLAINED + (
        f"\n\n**Methods without a formula** (at their defaults){gaps}" if gaps else ""
    )


EXPLAINED = """
**What it is.** A guarantee speaks of the worst record there could be. ε′ asks for each record \
that *is* there: how far apart are
the run on these data and the run on these data without it, along the path that this seed took? \
It never lies above the promise.

Where the promise is to each person, ε′ asks the same for each person: how far apart are the run \
on these data and the run without all of that person's pictures that were kept? A person's \
pictures may pull in different directions, so this is at most the sum over them, and never above \
what is promised to a person.

**What it does not promise.**
- It holds for these data and this run. With other data, or another seed, the same record may \
cost more; the promise alone holds for all.
- It is computed from the private records without noise. It is sensitive itself: a costly record \
is an unusual one. Do not publish it,
  not even as a histogram; it is for whoever may see the records anyway.
- A small ε′ is no permission to say that a record was there, and no reason to spend more on others.
- It may not be used to choose settings for the release, unless that choice is paid for.

**How to read it.** A curve along the promise: everybody spends all of it, however ordinary. A \
curve that falls: ordinary records hide in
the crowd, and unusual ones (often the minority, often those that the model gets wrong) spend \
what was promised to all.

Source: Wang 2019, *Per-instance differential privacy*; Golatkar et al. 2022 (AdaMix), Figure 3.
"""
