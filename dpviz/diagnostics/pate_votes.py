"""An ensemble asked about public records: what decides its votes, and what became of each query."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz import privacy
from dpviz.diagnostics.vote_answers import Answers
from dpviz.experiments import experiment
from dpviz.formatting import number
from dpviz.methods import pate
from dpviz.methods.components import teachers
from dpviz.methods.components.teachers import Ensemble, Votes
from dpviz.privacy import vote_costs
from dpviz.privacy.vote_ledger import Setting
from dpviz.types import Budget, DataConfig, Dataset, Guarantee, Plan, RunSpec

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Poll:
    """One ensemble on one data set: all that decides the votes."""

    material: DataConfig
    ensemble: Ensemble

    @property
    def method(self) -> str:
        """What a log calls it."""
        return f"{self.ensemble.teachers} {self.ensemble.kind} teachers"


@dataclass(frozen=True, eq=False)
class Ballot:
    """Votes of a poll, the data they are about, and how long they took; next to nothing where they
    were stored.
    """

    poll: Poll
    data: Dataset
    votes: Votes
    seconds: float


def count_votes(
    material: DataConfig, ensemble: Ensemble, progress: Progress
) -> tuple[Votes, float]:
    """Train, or recall, the teachers and count their votes; and the seconds that this took."""
    data = experiment.prepared(material, progress)
    frame = f"in a frame, ratio {number(ensemble.ratio)}" if ensemble.framed else "over all"
    prefix = f"Visual prompts {frame}. " if ensemble.kind == "prompt" else ""
    started = time.perf_counter()
    votes = teachers.count_votes(
        data, ensemble, lambda what, *count: progress(prefix + what, *count)
    )
    return votes, time.perf_counter() - started


def outcomes(answers: Answers, truth: np.ndarray) -> np.ndarray:
    """What became of each query: (q,) right, wrong, unknown or refused."""
    right = np.where(truth < 0, "unknown", np.where(answers.labels == truth, "right", "wrong"))
    return np.where(answers.answered, right, "refused")


def accuracy(answers: Answers, truth: np.ndarray) -> float:
    """Share of the answers that are right, of those whose truth is known; nan for none."""
    known = answers.answered & (truth >= 0)
    return float(np.mean(answers.labels[known] == truth[known])) if known.any() else math.nan


def guarantee_of(material: DataConfig, answers: Answers, cap: int | None = None) -> Guarantee:
    """What the answers promise, and to whom: as for a PATE method on this material.

    Args:
        cap: most answers that could have been given, set beforehand; None for the number that was
            given, had it been the cap. With the number of queries the promise has no condition.
    """
    by, method, queries = answers.setting, pate.TRANSFER.key, len(answers.labels)
    most = int(answers.answered.sum()) if cap is None else cap
    spec = RunSpec(**material.facts, method=method, budget=Budget(math.inf, delta=by.delta))
    spent = vote_costs.events(queries, most, by.sigma1, by.sigma2)
    plan = Plan(method, {}, spent, answers.guarantee_for(queries, most))
    if material.unit == "person":
        plan = privacy.to_person(plan, material.per_person, pate.TEACHERS_PER_RECORD)
    return experiment.card(plan, experiment.complete(spec))


def python(poll: Poll, by: Setting, queries: int) -> str:
    """Python that writes these votes to a file, and the command that accounts for them."""
    test = f"--threshold {by.threshold:g} --sigma1 {by.sigma1:g} " if by.tests else ""
    ensemble = poll.ensemble
    whole = ", by_person=True" if ensemble.by_person else ""
    return (
        "import numpy as np\n\nfrom dpviz.methods.components import teachers\n"
        "from dpviz.experiments import experiment\nfrom dpviz.types import DataConfig\n\n"
        f"data = {poll.material!r}\nfound = teachers.votes(experiment.prepared(data),"
        f" {ensemble.kind!r}, {ensemble.teachers}, {ensemble.seed},"
        f" pool={ensemble.pool!r}{whole})\n"
        f'np.savez_compressed("votes.npz", votes=found.counts)  # as private as the records\n'
        f"# python -m dpviz pate --votes votes.npz {test}--sigma2 {by.sigma2:g} --queries"
        f" {min(queries, teachers.QUERIES)} --delta {by.delta:g} --json"
    )
