"""Tries of the experiments with neural collapse, printed in sections 5 and 6.

Training is as printed, (1, 1e-4)-DP from zero; a change is told with seeds and test records
together, all changes of one claim at once (Holm).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from dpviz.data import synthetic
from dpviz.diagnostics import collapse_measures
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.run import experiment
from dpviz.stats import Interval, accuracy, signs
from dpviz.types import Budget, RunSpec
from dpviz.words import percent, spread

SEEDS = 4
PRINTED = Budget(1.0, delta=1e-4)
QUIET = Budget(math.inf, delta=1e-4)
LOW, HIGH = 16, 512
RECORDS = 2_000
"""Of the collapsed features: fewer than the paper's 10,000, so that an error shows at these p."""
NOISE = "test=gaussian,size=0.32"
"""Of variance 0.1."""
ENCODERS = ("glyphnet", "lite0-128")
"""Two of 128 dimensions each, whose largest coordinates can be compared."""


def errors(runs: Mapping[str, RunSpec]) -> dict[str, Interval]:
    """Test error, mean over classes, of each run: one seed without noise, else SEEDS."""
    specs = [
        RunSpec(**{**vars(spec), "seed": seed})
        for spec in runs.values()
        for seed in range(SEEDS if spec.budget.private else 1)
    ]
    results = experiment.sweep(specs)
    found, start = {}, 0
    for name, spec in runs.items():
        count = SEEDS if spec.budget.private else 1
        found[name] = accuracy(results[start : start + count], "balanced").wrong
        start += count
    return found


def told(value: Interval) -> str:
    """A figure with its interval."""
    return f"{percent(value)} ({spread(value)})" if spread(value) else percent(value)


# ----------------------------------------------------------------------------------- Figure 2


def better_encoder_smaller_shift(ground: Ground) -> Verdict:
    """Whether of two encoders the one that is right more often has the smaller median shift."""
    shifts, wrong = {}, {}
    for encoder in ENCODERS:
        material = ground.material(encoder=encoder)
        shifts[encoder] = collapse_measures.measure(experiment.prepared(material)).typical
        runs = {encoder: experiment.specs(material, "logistic", [QUIET], [0])[0]}
        wrong |= errors(runs)
    first, second = ENCODERS
    sign = signs({"": (wrong[first], wrong[second])})[""]
    because = " and ".join(
        f"{name} has a median β of {shifts[name]:.3f} and errs at {told(wrong[name])} without noise"
        for name in ENCODERS
    )
    if sign == 0:
        return Verdict(CANNOT_TELL, f"{because}: which is better is within noise.")
    better, worse = (first, second) if sign > 0 else (second, first)
    holds = shifts[better] < shifts[worse]
    return Verdict(HOLDS if holds else DOES_NOT, f"{because}, both in 128 dimensions.")


# ------------------------------------------------------------------------- Figure 3 (a), made up


def _made(**settings: Any) -> str:
    return synthetic.name(n=RECORDS, beta=0.0, **settings)


def grows(rises: bool, beside: bool = False, **settings: Any) -> Callable[[], Verdict]:
    """A check that the private error on collapsed features rises from p = LOW to HIGH, or not.

    Args:
        beside: whether without noise it must not rise as well; settings: of the features.
    """

    def check() -> Verdict:
        runs = {
            f"{name}{p}": RunSpec(_made(dim=p, **settings), None, "noisy-gd", budget)
            for name, budget in (("private ", PRINTED), ("quiet ", QUIET))
            for p in (LOW, HIGH)
        }
        found = errors(runs)
        change = signs(
            {n: (found[f"{n}{LOW}"], found[f"{n}{HIGH}"]) for n in ("private ", "quiet ")}
        )
        words = ", ".join(f"{k} {v}" for k, v in settings.items()) or "nothing changed"
        because = (
            f"K = 10, n = {RECORDS:,}, β = 0, {words}, {PRINTED}, {SEEDS} seeds: from p = {LOW} to"
            f" {HIGH} the private error goes from {told(found[f'private {LOW}'])} to"
            f" {told(found[f'private {HIGH}'])}, without noise from {told(found[f'quiet {LOW}'])}"
            f" to {told(found[f'quiet {HIGH}'])}."
        )
        risen = change["private "]
        if rises and risen == 0:
            return Verdict(CANNOT_TELL, because)
        holds = (risen > 0) == rises and not (beside and change["quiet "] > 0)
        return Verdict(HOLDS if holds else DOES_NOT, because)

    return check


# --------------------------------------------------------------------- Figures 3 (b) and 4, real


def _real(ground: Ground, budget: Budget, features: str, method: str = "noisy-sgd") -> RunSpec:
    return RunSpec(**ground.material(features=features).facts, method=method, budget=budget)


def _features(p: int, *changes: str) -> str:
    return ",".join(part for part in (f"dim={p}", *changes) if part)


SMALL, LARGE = 32, 512
"""Dimensions by subsets and by copies."""


def dimension_hurts_once_moved(ground: Ground) -> Verdict:
    """Whether with noise on test features dimension hurts NoisySGD, and not the same steps without
    noise.
    """
    runs = {
        (name, p): _real(ground, budget, _features(p, NOISE))
        for name, budget in (("private", PRINTED), ("quiet", QUIET))
        for p in (SMALL, LARGE)
    }
    found = errors(runs)
    change = signs({n: (found[n, SMALL], found[n, LARGE]) for n in ("private", "quiet")})
    because = (
        f"NoisySGD at {PRINTED}, {SEEDS} seeds, test features with normal noise of variance 0.1:"
        f" from p = {SMALL} to {LARGE} the error goes from {told(found['private', SMALL])} to"
        f" {told(found['private', LARGE])}, without noise from {told(found['quiet', SMALL])} to"
        f" {told(found['quiet', LARGE])}."
    )
    if change["private"] > 0:
        return Verdict(DOES_NOT if change["quiet"] > 0 else HOLDS, because)
    return Verdict(DOES_NOT if change["private"] < 0 else CANNOT_TELL, because)


def moves_hurt_both(ground: Ground) -> Verdict:
    """Whether noise on test features hurts training with noise and without it."""
    runs = {
        (name, moved): _real(ground, budget, moved)
        for name, budget in (("private", PRINTED), ("quiet", QUIET))
        for moved in ("", NOISE)
    }
    found = errors(runs)
    change = signs({n: (found[n, ""], found[n, NOISE]) for n in ("private", "quiet")})
    because = (
        f"NoisySGD at {PRINTED}, {SEEDS} seeds, normal noise of variance 0.1 on test features: the"
        f" error goes from {told(found['private', ''])} to {told(found['private', NOISE])},"
        f" without noise from {told(found['quiet', ''])} to {told(found['quiet', NOISE])}."
    )
    return Verdict(HOLDS if min(change.values()) > 0 else DOES_NOT, because)


def few_directions_help(ground: Ground) -> Verdict:
    """Whether with noise on all features 10 public directions beat all coordinates and 100
    directions.
    """
    kept = {"all": "", "10": "pca=10", "100": "pca=100"}
    moved = f"{NOISE},where=both"
    found = errors(
        {k: _real(ground, PRINTED, _features(LARGE, moved, keep)) for k, keep in kept.items()}
    )
    change = signs({name: (found["10"], found[name]) for name in ("all", "100")})
    because = (
        f"NoisySGD at {PRINTED}, {SEEDS} seeds, p = {LARGE}, normal noise of variance 0.1 on all"
        f" features: the error is {told(found['10'])} with 10 public directions,"
        f" {told(found['100'])} with 100 and {told(found['all'])} with all."
    )
    if min(change.values()) > 0:
        return Verdict(HOLDS, because)
    return Verdict(DOES_NOT if min(change.values()) < 0 else CANNOT_TELL, because)


# ------------------------------------------------------------------------------ sections 4.2 and 6


def centring_restores() -> Verdict:
    """Whether the public mean taken off undoes an offset of imbalanced classes."""
    name = _made(dim=128, alpha=0.9, offset=0.1)
    runs = {
        words: RunSpec(name, None, "noisy-gd", PRINTED, features=features)
        for words, features in (("offset", ""), ("centred", "centre=yes"))
    }
    found = errors(runs)
    change = signs({"": (found["centred"], found["offset"])})[""]
    because = (
        f"K = 10, n = {RECORDS:,}, p = 128, β = 0, α = 0.9, offset 0.1, {PRINTED}, {SEEDS} seeds:"
        f" the error is {told(found['offset'])}, and {told(found['centred'])} with the public mean"
        " taken off."
    )
    return Verdict({1: HOLDS, 0: CANNOT_TELL, -1: DOES_NOT}[change], because)


RATES = {"cross-entropy": 60.0, "square": 4.0}
"""Learning rates, chosen alike for each loss by a look at such data."""


def losses_are_alike(ground: Ground) -> Verdict:
    """Whether square loss errs as often as cross-entropy in NoisySGD."""
    material = ground.material()
    found = errors(
        {
            loss: RunSpec(
                **material.facts,
                method="noisy-sgd",
                budget=PRINTED,
                params=(("loss", loss), ("lr", rate)),
            )
            for loss, rate in RATES.items()
        }
    )
    change = signs({"": (found["cross-entropy"], found["square"])})[""]
    because = (
        f"NoisySGD at {PRINTED}, {SEEDS} seeds: the error is {told(found['cross-entropy'])} with"
        f" cross-entropy (learning rate 60) and {told(found['square'])} with square loss (4)."
    )
    return Verdict(DOES_NOT if change else HOLDS, because)
