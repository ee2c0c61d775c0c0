"""Data of the Per-record loss page: measured runs, charts, cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np
import streamlit as st

from dpviz.diagnostics import per_instance
from dpviz.diagnostics.per_instance import MeasuredRun, PerInstance
from dpviz.experiments.experiment import Progress
from dpviz.experiments.jobs import Group, Work
from dpviz.experiments.worker_processes import Pool
from dpviz.formatting import listed, literal, number_up
from dpviz.methods import METHODS
from dpviz.plots.losses import Losses
from dpviz.stats import Interval, accuracy, over_classes
from dpviz.text import who_pays as text
from dpviz.text.template import render, render_text
from dpviz.types import Result, RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import draw_runs, long_work
from dpviz.ui.who_pays.controls import SCALES, LossView
from dpviz.ui.widgets import cards
from dpviz.views import data_draws, who_pays_page
from dpviz.views.data_draws import DrawRuns
from dpviz.views.page_config import FIRST_SEEDS
from dpviz.views.phrases import title_in_sentence
from dpviz.views.who_pays_page import Spending


def _measured(pool: Pool, group: Group, progress: Progress) -> list[MeasuredRun]:
    return [pool.call(per_instance.measured, *group, progress=progress)]


LOSSES = Work(
    partial(_measured, long_work.POOL),
    max_groups=60,
    run_idle=partial(_measured, long_work.IDLE_POOL),
    private_runs=lambda run: [run.result.spec],
)


def groups(view: LossView) -> list[Group]:
    """Return a run of each method that has a formula; report the others."""
    wanted: list[Group] = []
    for spec in view.specs:
        if reason := absent(spec.method, spec.params):
            title = METHODS[spec.method].title
            words = render(text.NO_FORMULA, method=title, reason=reason)
            st.info(words, icon=":material/functions:")
        else:
            wanted.append((spec,))
    return wanted


def runs(
    groups: Sequence[Group], key: str, status: Any, say: Callable[[MeasuredRun], None]
) -> list[MeasuredRun]:
    """Return the measured runs of some groups, without what was refused.

    Args:
        say: gives the answer, about the first run, as soon as that is measured.
    """
    measured = lambda job: [job.done[group][0] for group in groups if group in job.done]
    [first] = groups[0]
    job = long_work.collect(
        *(key, groups, status),
        lambda job: say(measured(job)[0]) if groups[0] in job.done else None,
        work=LOSSES,
        near=lambda spec: spec != first,
    )
    page_parts.refusals(job.errors.values())
    if found := measured(job):
        say(found[0])
    return found


def absent(key: str, settings: Sequence[tuple]) -> str | None:
    """Return why there is no formula at these settings; None if there is one."""
    return per_instance.absent(key, METHODS[key].check(dict(settings)))


def charts(
    runs: Sequence[MeasuredRun], view: LossView, groups: dict[str, np.ndarray]
) -> list[Losses]:
    """Return the data of the charts, by method."""
    shown = [(run, view.losses(run)) for run in runs]
    return [
        Losses.from_values(
            run.method, run.title, view.symbol, losses.epsilon, losses.claim, groups, view.unit_name
        )
        for run, losses in shown
    ]


def spending(runs: Sequence[MeasuredRun], view: LossView) -> list[Spending]:
    """Return the shares of the limit in use, by method."""
    return [Spending.from_losses(title_in_sentence(run.title), view.losses(run)) for run in runs]


def draws_of(run: MeasuredRun, view: LossView, key: str) -> DrawRuns | None:
    """Return a method's runs on all data draws; None while they are computed, and where the page
    keeps to one draw, as with a chosen seed.

    Args:
        key: of the page.
    """
    spec = view.spec(run.method)
    if spec.seed or not draw_runs.is_on(spec, FIRST_SEEDS, run.result.seconds):
        return None
    groups = [data_draws.one_budget_group(spec)]
    return draw_runs.collected(key, groups, data_draws.fixed_group(spec))


def test_accuracies(results: Sequence[Result]) -> tuple[Interval, float]:
    """Return the accuracy on test images of rare classes, and of the others.

    Args:
        results: of one setting; each data draw has rare classes of its own.
    """
    others = [
        over_classes([result], [c for c, _ in enumerate(counts) if c not in small])
        for result in results
        for counts, small in [(result.class_counts, result.minority_classes)]
    ]
    return accuracy(results, "minority"), fmean(others)


def limit_and_accuracy(run: MeasuredRun, view: LossView) -> str:
    """Return that the limit is equal, and whether its use and the accuracy are, in Markdown."""
    return who_pays_page.limit_and_accuracy(spending([run], view)[0], test_accuracies([run.result]))


def unit_caption(runs: Sequence[MeasuredRun], view: LossView) -> str:
    """Return the unit of the losses, in Markdown."""
    pure = [run.title for run in runs if run.losses.notion.startswith("pure")]
    case = "rho" if view.scale == "rho" else "pure" if pure else "eps"
    methods = listed([literal(title) for title in pure])
    return render(text.UNITS[case], delta=view.budget.delta, methods=methods)


# -------------------------------------------------------------------------------------------- cards


def guarantee_cards(runs: Sequence[MeasuredRun]) -> None:
    """Draw a card per method with its guarantee."""
    noted = cards.draw_guess_note([run.result.guarantee for run in runs])
    with cards.row("who"):
        for run in runs:
            cards.result_card(run.result, run.title, f"who-{run.method}", guess_noted=noted)


def spread_card(runs: Sequence[MeasuredRun], view: LossView) -> None:
    """Draw a table of losses and accuracies, by method."""
    with cards.titled(text.SPREAD_TITLE, "stretch", "who-spread"):
        columns = {run.title: _spread(view.losses(run), run) for run in runs}
        st.html(cards.columns(columns))
        unit = view.losses(runs[0]).notion if len(runs) == 1 else SCALES[view.scale]
        st.caption(render(text.SPREAD_CAPTION[view.unit_name], unit=unit))


def _spread(losses: PerInstance, run: MeasuredRun) -> dict[str, str]:
    low, middle, high = np.quantile(losses.epsilon, (0.05, 0.5, 0.95))
    full, right, small = losses.full, losses.share(run.right), losses.minority
    test_rare, test_others = test_accuracies([run.result])
    values = {
        "claim": number_up(losses.claim),
        "max": amount(losses.epsilon.max()),
        "median": amount(middle),
        "median_rare": _median(losses.epsilon[small]),
        "median_common": _median(losses.epsilon[~small]),
        "middle": render_text(text.SPREAD_RANGE, low=amount(low), high=amount(high)),
        "full": render_text(text.SPREAD_FULL, number=int(full.sum()), all=len(full)),
        "full_rare": _share(full[small]),
        "right": _share(right),
        "right_rare": _share(right[small]),
        "right_common": _share(right[~small]),
        "right_max": _share(right[losses.epsilon >= high]),
        "right_min": _share(right[losses.epsilon <= low]),
        "test": render_text("{share:interval}", share=test_rare),
        "test_common": render_text("{share:percent}", share=test_others),
    }
    return {text.SPREAD[name]: value for name, value in values.items()}


def amount(value: float) -> str:
    """Return a loss with two digits: 0.20, 1.0."""
    return f"{value:#.2g}".rstrip(".")


def _median(values: np.ndarray) -> str:
    return amount(float(np.median(values))) if len(values) else text.SPREAD_NONE


def _share(right: np.ndarray) -> str:
    if not len(right):
        return text.SPREAD_NONE
    return render_text("{share:percent}", share=float(right.mean()))


# --------------------------------------------------------------------------------------- about


def snippet(spec: RunSpec) -> str:
    """Return Python code for the same losses."""
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
    """Return what a loss means, and the methods without a formula, in Markdown."""
    reasons = {row.title: absent(key, ()) for key, row in METHODS.items() if row.private}
    gaps = "\n".join(
        f"- {render(text.NO_FORMULA, method=title, reason=reason)}"
        for title, reason in reasons.items()
        if reason
    )
    return "\n\n".join([text.ABOUT, text.WITHOUT_FORMULA, gaps] if gaps else [text.ABOUT])
