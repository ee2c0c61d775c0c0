"""The field's standard attacks on one method: what each finds while it accuses hardly anybody
wrongly, for all, for the minority, for each class, and whom it finds most often.

Each of some shadow models is the target in turn and is attacked by someone who knows all others
(``shadow_models``). The scores of all targets lie under one threshold. What the guarantee says of
every attack holds for each record and each target, hence for their average.

Source: Carlini et al. 2022 (LiRA, rates at few false alarms); Zarifzadeh, Liu & Shokri 2024 (RMIA);
    Yeom et al. 2018 (loss threshold).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.data.imbalance import minority_classes
from dpviz.diagnostics import attack_statistics, low_fpr, shadow_models
from dpviz.diagnostics.low_fpr import Rate
from dpviz.diagnostics.membership_attack import Judged
from dpviz.diagnostics.shadow_models import Shadows
from dpviz.diagnostics.shadow_scores import GAMMA, lira_offline, lira_online, rmia
from dpviz.experiments import experiment
from dpviz.types import Dataset, Guarantee, RunSpec

TITLES = {
    "loss": "Loss threshold",
    "lira": "LiRA",
    "lira-offline": "LiRA offline",
    "rmia": "RMIA",
}
"""Attacks by what the shell and links call them."""
RATES = (0.001, 0.01)
"""Shares of false alarms at which an attack is judged."""
CURVE_RATES = np.concatenate([[0.0], np.geomspace(1e-5, 1, 251)])
"""False positive rates of a curve."""
MAX_EXPOSED = 12
"""Records that are named as the most exposed."""


@dataclass(frozen=True)
class Exposed:
    """Who is found most often, at the threshold of the last of RATES.

    Attributes:
        rows: among the private records, one, or all of a person's; label: the class.
        found: share found of the targets with the record that did not pick it; of: how many those
            are; accused: share called members of those without it.
        gap: by how much its mean score with it lies above that without it, over all targets.
    """

    rows: tuple[int, ...]
    label: int
    found: float
    of: int
    accused: float
    gap: float


@dataclass(frozen=True, eq=False)
class AttackResult:
    """What one attack finds.

    Attributes:
        attack: key of TITLES; fpr, tpr: (251,) the curve; auc: area under it, with its standard
            error.
        overall, minority: a rate for each of RATES; classes: the same for each class, at false
            alarms within it. None where too few tell.
        exposed: the first MAX_EXPOSED, most often found first.
    """

    attack: str
    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    auc: float
    error: float
    overall: tuple[Rate | None, ...]
    minority: tuple[Rate | None, ...]
    classes: tuple[tuple[Rate | None, ...], ...]
    exposed: tuple[Exposed, ...]


@dataclass(frozen=True, eq=False)
class ShadowAttack:
    """All attacks on one method.

    Attributes:
        results: by key of TITLES; guarantee: what every fit promises; shadows: how many fits;
            judged: whom the figures are about; minority: classes; counts: private records of each.
    """

    results: dict[str, AttackResult]
    guarantee: Guarantee
    shadows: int
    judged: Judged
    minority: tuple[int, ...]
    counts: tuple[int, ...]
    class_names: tuple[str, ...]


def attack(
    spec: RunSpec,
    shadows: int = shadow_models.DEFAULT_SHADOWS,
    gamma: float = GAMMA,
    progress: experiment.Progress = lambda what, done, total: None,
) -> ShadowAttack:
    """All attacks of TITLES on a spec; its seed is the first.

    Args:
        shadows: fits, from 8 to 512; gamma: of RMIA, > 0.
        progress: is told of each fit and each attack, and may raise ``Cancelled`` between two.

    Raises:
        DpvizError: for settings that cannot work.
    """
    fits = shadow_models.fitted(spec, shadows, progress)
    data = experiment.prepared(spec)
    minority = minority_classes(data.counts, data.draw)
    results = {}
    for done, (key, title) in enumerate(TITLES.items()):
        progress(f"Evaluating the attack {title}", done, len(TITLES))
        results[key] = judge(key, fits, data, minority, gamma)
    progress("Evaluated all attacks", len(TITLES), len(TITLES))
    names = data.class_names
    return ShadowAttack(results, fits.guarantee, shadows, fits.judged, minority, data.counts, names)


def judge(
    key: str, fits: Shadows, data: Dataset, minority: Sequence[int], gamma: float = GAMMA
) -> AttackResult:
    """What the attack ``key`` of TITLES finds on some shadow models.

    Args:
        data: whose private records they are of; minority: its minority classes.
    """
    scores, guarantee = scored(key, fits, gamma), fits.guarantee

    def rates(part: np.ndarray) -> tuple[Rate | None, ...]:
        return low_fpr.rates(scores[:, part], fits.inside[:, part], guarantee, RATES)

    fpr, tpr = attack_statistics.roc(-scores[fits.inside], -scores[~fits.inside])
    area, everyone = float(np.trapezoid(tpr, fpr)), np.ones(scores.shape)
    return AttackResult(
        attack=key,
        fpr=CURVE_RATES,
        tpr=attack_statistics.tpr_at(CURVE_RATES, fpr, tpr),
        auc=area,
        error=attack_statistics.error(-scores, fits.inside, everyone, area),
        overall=rates(fits.label >= 0),
        minority=rates(np.isin(fits.label, minority)),
        classes=tuple(rates(fits.label == c) for c in range(data.classes)),
        exposed=most_exposed(scores, fits, data),
    )


def scored(key: str, fits: Shadows, gamma: float = GAMMA) -> np.ndarray:
    """The scores of an attack of TITLES: (k, n) float64, the larger, the rather a member."""
    if key == "lira":
        return lira_online(fits.sure, fits.inside)
    if key == "lira-offline":
        return lira_offline(fits.sure, fits.inside)
    if key == "rmia":
        return rmia(fits.sure, fits.inside, fits.population, gamma)
    return fits.sure


def most_exposed(scores: np.ndarray, fits: Shadows, data: Dataset) -> tuple[Exposed, ...]:
    """Who is found most often. They are picked by half of the targets and counted in the others,
    for of thousands some are found often by luck.
    """
    inside = fits.inside
    hits = low_fpr.called_members(scores, *low_fpr.threshold(np.sort(scores[~inside]), RATES[-1]))
    picking = np.arange(len(scores)) % 2 == 0
    share, accused, _ = _shares(hits, inside, picking)
    gap = _mean(scores, inside) - _mean(scores, ~inside)
    picked = np.lexsort((-gap, accused - share))[:MAX_EXPOSED]
    share, accused, of = _shares(hits[:, picked], inside[:, picked], ~picking)
    return tuple(
        Exposed(
            tuple(shadow_models.rows_of(data, fits, one).tolist()),
            int(fits.label[one]),
            float(share[i]),
            int(of[i]),
            float(accused[i]),
            float(gap[one]),
        )
        for i, one in enumerate(picked)
    )


def _shares(
    hits: np.ndarray, inside: np.ndarray, part: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Over a part of the targets: share found of those with each record, share accused of those
    without it, and how many those with it are.
    """
    members, others = inside[part], ~inside[part]
    return _mean(hits[part], members), _mean(hits[part], others), members.sum(axis=0)


def _mean(values: np.ndarray, part: np.ndarray) -> np.ndarray:
    return np.where(part, values, 0.0).sum(axis=0) / np.maximum(part.sum(axis=0), 1)
