"""Tuning of a method's params with Optuna, and its privacy cost.

Each trial is a private run with its own setting and noise. The score is accuracy on the public test
set, so it costs nothing beyond the release of the trial. The minority accuracy is an exception:
private class sizes define the minority, so no theorem covers a choice by this score. A setting is
drawn again if its plan is not possible, spends more than the default setting, or has other
neighbors. Plans depend on sizes and budget only, so random search still draws independently.

If a theorem gives the cost of showing only the best trial, the report has only its setting, score
and cost. The number of trials and the index of the best are then a private view.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz import mechanisms, methods
from dpviz.data.imbalance import minority_classes
from dpviz.experiments import experiment, store, study_files, units
from dpviz.machine import optional
from dpviz.machine.fair_queue import Progress, no_progress
from dpviz.machine.files import cache_dir
from dpviz.privacy import private_selection
from dpviz.privacy.composition import composed_epsilon
from dpviz.text import tuning_costs as text
from dpviz.types import (
    Budget,
    DataConfig,
    Dataset,
    DpvizError,
    Guarantee,
    Method,
    Param,
    Result,
    RunSpec,
    key_fields,
)

if TYPE_CHECKING:
    import optuna

METRICS = ("minority", "balanced", "overall")
SAMPLERS = text.SAMPLERS
COUNTS = text.COUNTS
#: Distance between the noise seeds of two studies, so that their trials share no noise.
SEED_DISTANCE = 1_000_003
#: Settings drawn for one trial before the search gives up.
MAX_DRAWS = 500
#: Why no selection theorem covers a choice by the minority score.
MINORITY_IS_PRIVATE = text.APPLIES["minority"]
#: Seconds between two writes of new trials; their runs are already in the store.
BEAT = 2.0
Sweep = Callable[[tuple[RunSpec, ...], Progress], list[Result]]


@dataclass(frozen=True)
class Search(DataConfig):
    """What is tuned, on what, and how.

    Attributes:
        method: key; budget: of each trial; trials: how many, or their mean where ``count`` draws
            the number; metric: of METRICS; seed: of settings, noise and number; sampler: of
            SAMPLERS; count: of COUNTS; only: names of the settings to move, all if empty; the rest:
            as in ``DataConfig``.
    """

    method: str
    budget: Budget
    _: KW_ONLY
    trials: int = 20
    metric: str = "balanced"
    seed: int = 0
    sampler: str = "tpe"
    count: str = "fixed"
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, allowed in (("metric", METRICS), ("sampler", SAMPLERS), ("count", COUNTS)):
            if getattr(self, name) not in allowed:
                raise DpvizError(
                    f"`{name}` must be one of {', '.join(allowed)}, got {getattr(self, name)!r}."
                )
        if not 1 <= self.trials <= 10_000:
            raise DpvizError(f"Trials must be between 1 and 10000, got {self.trials}.")
        if not 0 <= self.seed < 4_000:
            raise DpvizError(f"Seed must be between 0 and 3999, got {self.seed}.")

    @property
    def scores_privately(self) -> bool:
        """Whether the metric depends on private records beyond what the trials release."""
        return self.metric == "minority"

    def spec(self, params: tuple[tuple[str, Any], ...] = (), trial: int = 0) -> RunSpec:
        """The run of one trial: settings, and noise that no other trial has."""
        return RunSpec(
            **self.facts,
            method=self.method,
            budget=self.budget,
            params=params,
            seed=self.seed * SEED_DISTANCE + trial,
        )


@dataclass(frozen=True)
class Trial:
    """One trial: params, score and guarantee of its run."""

    params: dict[str, Any]
    score: float
    guarantee: Guarantee


@dataclass(frozen=True)
class Costs:
    """Epsilon at delta of four readings of the same study.

    Attributes:
        one: a single run, which papers print as the cost ("tuned for free"); composed: all trials
        shown, however they were chosen; selected: by distribution of K with mean ``mean``, only the
        best shown; applies: why the selection theorem does or does not hold for this study; holds:
        whether it does.
    """

    one: float
    composed: float
    selected: dict[str, float]
    mean: float
    applies: str
    holds: bool


@dataclass(frozen=True, eq=False)
class Tuned:
    """A study as far as it went: its trials in order, what they cost, and Optuna's own record of
    them.
    """

    search: Search
    trials: tuple[Trial, ...]
    costs: Costs
    study: optuna.Study

    @property
    def best(self) -> int | None:
        """Index of the best trial, the first of equals; None where there is none."""
        scores = [trial.score for trial in self.trials]
        return scores.index(max(scores)) if scores else None

    @property
    def cost(self) -> float:
        """Epsilon of the best alone where that has a price, else of the releases of all trials."""
        costs = self.costs
        return costs.selected[self.search.count] if costs.holds else costs.composed


# -------------------------------------------------------------------------------------------- space


def space(search: Search) -> tuple[Param, ...]:
    """Return the tuned params, without choices that change the neighbors.

    These are the params in ``only``, or else all ``tuned`` ones.

    Raises:
        DpvizError: If the method has none of them.
    """
    method = methods.get(search.method)
    unknown = set(search.only) - {p.name for p in method.params}
    if unknown:
        raise DpvizError(
            f"Unknown parameter `{sorted(unknown)[0]}` of {method.key}. Allowed parameters:"
            f" {', '.join(p.name for p in method.params) or 'none'}."
        )
    tuned = [p for p in method.params if (p.name in search.only if search.only else p.tuned)]
    if not tuned:
        raise DpvizError(f"{method.key} has no settings to tune. Choose another method.")
    return tuple(_same_neighbours(search, param) for param in tuned)


def _same_neighbours(search: Search, param: Param) -> Param:
    if not param.choices:
        return param
    same_adjacency = tuple(
        choice for choice in param.choices if not _refusal(search, ((param.name, choice),))
    )
    return dataclasses.replace(param, choices=same_adjacency or (param.default,))


def suggest(trial: optuna.Trial, param: Param) -> Any:
    """A value of a param, from its own bounds, grain and scale."""
    if param.choices:
        return trial.suggest_categorical(param.name, param.choices)
    if param.integer:
        return trial.suggest_int(
            param.name, int(param.low), int(param.high), log=param.log and param.low >= 1
        )
    log = param.log and param.low > 0
    return trial.suggest_float(
        param.name, param.low, param.high, step=None if log else _grain(param), log=log
    )


def _grain(param: Param) -> float | None:
    """The step, where it divides the range."""
    if not param.step:
        return None
    steps = (param.high - param.low) / param.step
    return param.step if abs(steps - round(steps)) < 1e-6 else None


def _refusal(search: Search, params: tuple[tuple[str, Any], ...]) -> str:
    """Why a setting may not run, from its plan alone: sizes and budget, no record."""
    default_plan = experiment.planned(search.spec())
    try:
        plan = experiment.planned(search.spec(params))
    except DpvizError as error:
        return str(error)
    if plan.guarantee.adjacency != default_plan.guarantee.adjacency:
        return f"Neighbors differ from those of the default setting: {plan.guarantee.adjacency}."
    cost, default_cost = (
        private_selection.one_run(plan.guarantee),
        private_selection.one_run(default_plan.guarantee),
    )
    slack = 1 + 1e-6
    if (
        cost.rho > default_cost.rho * slack
        or cost.pure > default_cost.pure * slack
        or (cost.mu is None) > (default_cost.mu is None)
    ):
        return "Weaker guarantee than the default setting."
    return ""


# ---------------------------------------------------------------------------------------------- run


def run(
    search: Search,
    progress: Progress = no_progress,
    sweep: Sweep = experiment.sweep,
) -> Tuned:
    """Run or resume a study until it has all trials.

    Finished trials are stored every two seconds and at the end.

    Args:
        progress: called before and during each trial.
        sweep: computes the run of a trial.

    Raises:
        DpvizError: For settings that are not valid, or a study locked by another process.
        Cancelled: If ``progress`` raises it.
    """
    optional.require("optuna")
    _refuse_untested(search, experiment.prepared(search.spec(), progress))
    method, params, trial_count = methods.get(search.method), space(search), planned_trials(search)
    secret = _applies(search, method)[0]
    with _open_study(place(search), trial_count) as (study, keep):
        while (done := len(_finished_trials(study))) < trial_count:
            keep()
            far = (0, 0) if secret else (done, trial_count)
            report = partial(progress, f"Tuning {method.title}", *far)
            report()
            _run_trial(search, study, params, done, sweep, report)
    trials = tuple(map(_read, _finished_trials(study)))
    return Tuned(search, trials, costs(search, trials), study)


def _refuse_untested(search: Search, data: Dataset) -> None:
    """Refuse the minority metric if the rare classes have no test records."""
    if (
        search.metric == "minority"
        and not np.isin(data.y_test, minority_classes(data.counts, data.draw)).any()
    ):
        raise DpvizError(
            "Minority accuracy is unknown: the rare classes have no test records. Use the metric"
            " balanced or overall."
        )


def planned_trials(search: Search) -> int:
    """How many trials: as asked, or drawn from the distribution with the study's seed."""
    if search.count == "fixed":
        return search.trials
    u = float(mechanisms.standard_uniform(search.seed, f"trials {search.count}", (1,))[0])
    return private_selection.trials_at(u, search.trials, private_selection.SHAPES[search.count])


def _run_trial(
    search: Search,
    study: optuna.Study,
    tuned: Sequence[Param],
    number: int,
    sweep: Sweep,
    report: Callable[[], None],
) -> None:
    from optuna.trial import create_trial

    params, spans = _next_setting(search, study, tuned, number)
    [result] = sweep((search.spec(params, number),), lambda *_: report())
    attributes = {"guarantee": dataclasses.asdict(result.guarantee)}
    score = getattr(result.scores, search.metric)
    study.add_trial(
        create_trial(params=dict(params), distributions=spans, value=score, user_attrs=attributes)
    )


def _next_setting(
    search: Search, study: optuna.Study, tuned: Sequence[Param], number: int
) -> tuple[tuple[tuple[str, Any], ...], dict[str, Any]]:
    """The next setting that its plan lets run, and the ranges it was drawn from.

    Raises:
        DpvizError: where none of ``MAX_DRAWS`` can run.
    """
    import optuna
    from optuna.trial import TrialState

    draft = optuna.create_study(direction="maximize", sampler=_sampler(search, number))
    draft.add_trials(_finished_trials(study))
    for _ in range(MAX_DRAWS):
        trial = draft.ask()
        params = tuple((param.name, suggest(trial, param)) for param in tuned)
        refused = _refusal(search, params)
        if not refused:
            return params, dict(trial.distributions)
        draft.tell(trial, state=TrialState.PRUNED)  # so that the sampler learns of it
    raise DpvizError(
        f"None of {MAX_DRAWS} random settings is valid. Reason for the last one: {refused}"
    )


def _read(trial: optuna.trial.FrozenTrial) -> Trial:
    assert trial.value is not None
    return Trial(dict(trial.params), trial.value, Guarantee(**trial.user_attrs["guarantee"]))


def _finished_trials(study: optuna.Study) -> list[optuna.trial.FrozenTrial]:
    from optuna.trial import TrialState

    return study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))


def _sampler(search: Search, number: int) -> optuna.samplers.BaseSampler:
    """Return a sampler seeded per trial, so that a resumed study equals an uninterrupted one."""
    from optuna.samplers import RandomSampler, TPESampler

    seed = search.seed * 10_007 + number
    return TPESampler(seed=seed) if search.sampler == "tpe" else RandomSampler(seed=seed)


# ---------------------------------------------------------------------------------------- the study


@contextmanager
def _open_study(path: Path, trials: int) -> Iterator[tuple[optuna.Study, Callable[[], None]]]:
    """The study kept there, up to the trials that are wanted, for this process alone; and what
    keeps its new ones, now and then and at the end.

    Raises:
        DpvizError: if another process is at it.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize")
    with study_files.locked(path):
        study.add_trials(study_files.read(path)[:trials])
        last_write = {"kept": len(_finished_trials(study)), "when": time.monotonic()}

        def keep(every: float = BEAT) -> None:
            finished = _finished_trials(study)
            if (
                len(finished) > last_write["kept"]
                and time.monotonic() - last_write["when"] >= every
            ):
                study_files.write(path, finished)
                last_write.update(kept=len(finished), when=time.monotonic())

        try:
            yield study, keep
        finally:
            keep(0.0)


def place(search: Search) -> Path:
    """Return the file of a study; a search for more trials resumes the same file."""
    search_fields = key_fields(dataclasses.asdict(search)) | {"trials": 0, "count": ""}
    data = experiment.prepared(search.spec()).fingerprint
    content = json.dumps([search_fields, data, store.versions()], sort_keys=True, default=str)
    return cache_dir() / "tuning" / f"{hashlib.sha256(content.encode()).hexdigest()[:20]}.json"


# -------------------------------------------------------------------------------------------- costs


def costs(search: Search, trials: Sequence[Trial]) -> Costs:
    """What the study costs under each reading; epsilon at the budget's delta."""
    first = experiment.planned(search.spec()).guarantee
    single_run = private_selection.one_run(first)
    settings = [tuple(trial.params.items()) for trial in trials]
    plans = [experiment.planned(search.spec(params)) for params in settings]
    mean, is_known = float(search.trials), not units.read_off(search.spec())
    cost_by_notion = {
        name: private_selection.selected_epsilon(single_run, mean, eta, first.delta)
        if is_known
        else math.inf
        for name, eta in private_selection.SHAPES.items()
    }
    holds, applies = _applies(search, methods.get(search.method))
    return Costs(
        first.epsilon_delta,
        composed_epsilon((e for plan in plans for e in plan.events.values()), first.delta)
        if is_known
        else math.inf,
        cost_by_notion,
        mean,
        applies,
        holds,
    )


def _applies(search: Search, method: Method) -> tuple[bool, str]:
    if not method.private or math.isinf(search.budget.value):
        return False, text.APPLIES["no_guarantee"]
    if units.read_off(search.spec()):
        return False, units.UNRELEASABLE
    if search.scores_privately:
        return False, MINORITY_IS_PRIVATE
    if search.sampler != "random":
        return False, text.APPLIES["tpe"]
    if search.count == "fixed":
        return False, text.APPLIES["fixed"]
    return True, text.APPLIES["holds"]
