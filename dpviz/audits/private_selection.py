"""Audit of tuning: the best of a secret number of trials shows no more than its price says, with
faulty variants that break one condition of the theorem each.

A trial is one private run, scored by what it released, and the number of trials is drawn by what
draws it in tuning. Neighbours make the poorer outcomes of each trial likelier, as far as one run
allows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.audits.audited_methods import Audit
from dpviz.audits.bounds import lower_bound
from dpviz.privacy import private_selection
from dpviz.types import DELTA, Exponential, Gaussian, Guarantee

STUDIES_PER_RUN = 20
"""A run of other audits is worth so many studies, whose trials are quick."""
ETA = private_selection.SHAPES["geometric"]
METHOD = "tuning"


@dataclass(frozen=True)
class Study:
    """Settings of a study, and the part of it that is released.

    Attributes:
        event: of each trial; mean: of the number of trials.
        fixed: there are always that many; statistic: of the best score, the sum of all and their
            number.
    """

    event: Exponential | Gaussian
    mean: int
    fixed: bool = False
    statistic: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray] = lambda best, total, k: (
        -best
    )

    @property
    def claim(self) -> Guarantee:
        """Privacy cost of releasing only the best trial."""
        one = privacy.guarantee(
            {"trial": self.event}, DELTA, adjacency=privacy.ADD_REMOVE, public="", source=""
        )
        run = private_selection.one_run(one)
        epsilon = private_selection.selected_epsilon(run, self.mean, ETA, DELTA)
        return replace(one, notion="approx", value=epsilon, epsilon_delta=epsilon)


def _dearer(study: Study) -> Study:
    """Each trial spends what is claimed for the study, as if tuning were free."""
    epsilon = study.claim.value
    if isinstance(study.event, Exponential):
        return replace(study, event=replace(study.event, epsilon=epsilon))
    return replace(study, event=privacy.gaussian(1.0, privacy.gdp_mu(epsilon, DELTA)))


FAULTY_VARIANTS: dict[str, Callable[[Study], Study]] = {
    "tuned for free": _dearer,
    "fixed number of trials": lambda study: replace(study, fixed=True),
    "published number of trials": lambda study: replace(
        study, statistic=lambda best, total, k: (1 - best) * k
    ),
    "all trials shown": lambda study: replace(
        study, statistic=lambda best, total, k: k / 2 - total
    ),
}
CASES = [
    (Study(Exponential(1.0, 0.5), 5), tuple(FAULTY_VARIANTS)),
    (Study(Gaussian(1.0, 4.0), 20), ("all trials shown",)),
]
"""Studies, and the variants that each is made to catch. Outcomes lie at 0 and 1, or about them."""


def audit(runs: int) -> list[Audit]:
    """A row for each variant of each case."""
    return [row for study, variants in CASES for row in _audit(study, variants, runs)]


def _audit(study: Study, variants: tuple[str, ...], runs: int) -> list[Audit]:
    claim, studies = study.claim, STUDIES_PER_RUN * runs
    params = {"trial": type(study.event).__name__, "mean": study.mean}
    honest = _spent_epsilon(study, claim, studies)
    rows = []
    for variant in variants:
        figures = (
            claim.value,
            honest,
            _spent_epsilon(FAULTY_VARIANTS[variant](study), claim, studies),
        )
        facts = METHOD, params, claim.notion, claim.adjacency
        rows.append(Audit(*facts, *figures, studies, "the best trial", variant))
    return rows


def _spent_epsilon(study: Study, claim: Guarantee, studies: int) -> float:
    """Lower bound on epsilon from studies."""
    return lower_bound(_statistics(study, True, studies), _statistics(study, False, studies), claim)


def _statistics(study: Study, poorer: bool, studies: int) -> np.ndarray:
    """Attack statistic of each study: (studies,), larger if trials have low scores."""
    seed = int(poorer)
    numbers = np.full(studies, study.mean)
    if not study.fixed:
        draws = mechanisms.standard_uniform(seed, "audited numbers of trials", (studies,))
        numbers = np.array(
            [private_selection.trials_at(u, study.mean, ETA) for u in draws.tolist()]
        )
    scores = _scores(study.event, poorer, seed, int(numbers.sum()))
    first = np.cumsum(numbers) - numbers
    best, total = (ufunc.reduceat(scores, first) for ufunc in (np.maximum, np.add))
    return study.statistic(best, total, numbers)


def _scores(event: Exponential | Gaussian, poorer: bool, seed: int, trials: int) -> np.ndarray:
    """Scores (trials,) of independent trials: which of two was chosen, or a noisy number."""
    label = "audited trials"
    if isinstance(event, Gaussian):
        noise = mechanisms.standard_normal(seed, label, (trials,))
        return mechanisms.add_gaussian(np.full(trials, float(not poorer)), event, noise)
    utility = np.tile([float(poorer), float(not poorer)], (trials, 1))
    noise = mechanisms.standard_gumbel(seed, label, utility.shape)
    return mechanisms.exponential(utility, event, noise)
