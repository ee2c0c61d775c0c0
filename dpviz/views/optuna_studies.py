"""Studies of an Optuna storage: their trials as tables, and two of them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from dpviz.experiments.optuna_storage import COMPLETE, StoredStudy, StoredTrial
from dpviz.experiments.tuning import Tuned
from dpviz.formatting import METRICS, budget_text, number, setting_text
from dpviz.methods import METHODS
from dpviz.plots.stored_studies import StudyLine, StudyValues
from dpviz.text import optuna_storage as text
from dpviz.text.template import render, render_text
from dpviz.views import settings_in_words


def from_tuned(study: Tuned) -> StoredStudy:
    """Return a study of the page in the form of a storage's, named by its search."""
    search = study.search
    name = render_text(
        text.OWN_STUDY,
        method=METHODS[search.method].title,
        budget=budget_text(search.budget),
        data=settings_in_words.value_text("dataset", search.dataset),
        ratio=search.ir,
        score=METRICS[search.metric].lower(),
        seed=str(search.seed),
    )
    trials = tuple(
        StoredTrial(number, COMPLETE, (trial.score,), trial.params)
        for number, trial in enumerate(study.trials, 1)
    )
    return StoredStudy(name, ("maximize",), trials)


def answer(study: StoredStudy) -> str:
    """Return what a study found, in Markdown."""
    fields: dict[str, Any] = {"trials": len(study.trials), "objectives": len(study.directions)}
    if len(study.directions) > 1:
        return render(text.ANSWERS["several"], **fields)
    if study.best is None:
        return render(text.ANSWERS["none"], **fields)
    best = study.best
    return render(text.ANSWERS["best"], number=best.number, value=best.values[0], **fields)


def study_row(study: StoredStudy) -> dict[str, Any]:
    """Return a study as a row of the list of studies."""
    columns, best = text.COLUMNS, study.best
    return {
        columns["study"]: study.name,
        columns["directions"]: ", ".join(study.directions),
        columns["trials"]: len(study.trials),
        columns["finished"]: len(study.finished),
        columns["best"]: number(best.values[0]) if best else text.NO_VALUE,
    }


def trial_rows(study: StoredStudy) -> list[dict[str, Any]]:
    """Return a row per trial: number, state, values, settings."""
    columns, several = text.COLUMNS, len(study.directions) > 1
    names = [
        render_text(columns["objective"], number=place + 1) if several else columns["value"]
        for place in range(len(study.directions))
    ]
    return [
        {
            columns["number"]: trial.number,
            columns["state"]: text.STATES.get(trial.state, trial.state),
        }
        | dict(zip(names, trial.values, strict=False))
        | {render_text(text.PARAM_COLUMN, name=name): value for name, value in trial.params.items()}
        for trial in study.trials
    ]


def chart(studies: Sequence[StoredStudy]) -> StudyValues | None:
    """Return the values of studies with one objective, by trial; None without a value."""
    lines = [
        StudyLine(
            study.name,
            study.directions[0] == "minimize",
            tuple(trial.number for trial in study.finished),
            tuple(trial.values[0] for trial in study.finished),
        )
        for study in studies
        if len(study.directions) == 1 and study.finished
    ]
    return StudyValues(tuple(lines)) if lines else None


# ------------------------------------------------------------------------------------ two studies


def compared(first: StoredStudy, second: StoredStudy) -> list[dict[str, str]]:
    """Return two studies side by side: numbers of trials, best values and best settings."""
    sides = [_facts(study) for study in (first, second)]
    names = dict.fromkeys([*sides[0], *sides[1]])
    columns = text.PAIR_COLUMNS
    return [
        {
            columns["name"]: name,
            columns["a"]: sides[0].get(name, text.NO_VALUE),
            columns["b"]: sides[1].get(name, text.NO_VALUE),
        }
        for name in names
    ]


def _facts(study: StoredStudy) -> dict[str, str]:
    row = study_row(study)
    facts = {title: str(value) for title, value in row.items() if title != text.COLUMNS["study"]}
    params = study.best.params if study.best else {}
    return facts | {
        render_text(text.BEST_PARAM, name=name): setting_text(value)
        for name, value in params.items()
    }


def shared_settings(first: StoredStudy, second: StoredStudy) -> list[dict[str, Any]]:
    """Return a row per setting that complete trials of both studies have, with mean values."""
    if len(first.directions) != 1 or len(second.directions) != 1:
        return []
    sides = [_by_setting(study.finished) for study in (first, second)]
    columns = text.SHARED_COLUMNS
    rows = []
    for setting, trials in sides[0].items():
        if setting not in sides[1]:
            continue
        a, b = (fmean(trial.values[0] for trial in some) for some in (trials, sides[1][setting]))
        values = {columns["a"]: a, columns["b"]: b, columns["difference"]: b - a}
        rows.append(
            {
                render_text(text.PARAM_COLUMN, name=name): value
                for name, value in trials[0].params.items()
            }
            | values
        )
    return rows


def _by_setting(trials: Sequence[StoredTrial]) -> dict[Any, list[StoredTrial]]:
    found: dict[Any, list[StoredTrial]] = {}
    for trial in trials:
        found.setdefault(frozenset(trial.params.items()), []).append(trial)
    return found
