"""Tries of what the AdaMix paper reads off its curves: starts, steps, noise, encoders, public sets
and how much of each kind of record.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from dpviz.diagnostics import preset_comparison
from dpviz.encoders import availability
from dpviz.formatting import number
from dpviz.methods import adamix
from dpviz.papers.checks import prototype_curves
from dpviz.papers.checks.comparisons import (
    accuracies,
    accuracy_text,
    compare,
    exact_points_text,
    seeded,
)
from dpviz.papers.checks.mixed_runs import (
    AT_ONE_RATE,
    BUDGETS,
    CHOOSING,
    SEEDS,
    Run,
    at_most,
    difference_text,
    error_text,
    errors,
    less_error,
    less_error_verdict,
)
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, NOT_TRIED, Ground, Verdict
from dpviz.stats import Interval, difference, signs
from dpviz.types import Budget, RunSpec

#: Pictures of the same classes from elsewhere: another collection, other people.
OTHER_PUBLIC = {"mnist5k": "uci-digits", "clothes": "clothes-public"}
#: The shipped encoder and another that was trained as well, on other pictures.
TWO_ENCODERS = {
    "mnist5k": ("glyphnet", "lite0"),
    "clothes": ("lite0-128", "glyphnet"),
    "omniglot-60": ("glyphnet", "lite0"),
}
#: Budgets that stand for a large and a small ε.
LAXEST, STRICTEST = 100.0, 0.1

# ------------------------------------------------------------------------------- presets and parts

#: AdaMix without the public start, the adaptive threshold, the projection.
PARTS = ("AdaMix from zero", "AdaMix at fixed clip", "AdaMix unprojected")
IMPROVE_ON_PUBLIC = less_error([(Run(name, 1.0), Run("Only-Public")) for name in ("AdaMix", "NGD")])


def lower_increase(ground: Ground) -> Verdict:
    """AdaMix's error lies above the paragon's by a smaller share than Fully-Private's."""
    pairs = [(Run("AdaMix", b), Run("Fully-Private", b)) for b in BUDGETS]
    limit = Run("paragon")
    results = errors(ground, [limit, *itertools.chain(*pairs)])
    verdict = less_error_verdict(pairs, results)
    increase = lambda run: 100 * (results[run].mean / max(results[limit].mean, 1e-9) - 1)
    texts = ", ".join(f"{run.words} {increase(run):.0f}%" for pair in pairs for run in pair)
    return Verdict(
        verdict.outcome,
        f"Above the {error_text(limit, results[limit])}: {texts}. {verdict.because}",
    )


def parts_in_order(ground: Ground) -> Verdict:
    """The start is missed most, then the threshold, then the projection."""
    runs = {name: Run(name, 3.0) for name in (*PARTS, "AdaMix")}
    chain = [(runs[b], runs[a]) for a, b in itertools.pairwise((*PARTS, "AdaMix"))]
    results = errors(ground, runs.values())
    verdict = less_error_verdict(chain, results)
    losses = {n: preset_comparison.gain(results[runs["AdaMix"]], results[runs[n]]) for n in PARTS}
    points = ", ".join(f"{name} {losses[name]:+.1f}" for name in PARTS)
    return Verdict(
        verdict.outcome,
        f"Increase of the error in points without each part, at ε = 3: {points}. {verdict.because}",
    )


#: Only-Public errs little more than PPGD.
NO_BETTER_THAN_PUBLIC = at_most([(Run("PPGD", b), Run("Only-Public")) for b in BUDGETS])
REACHES_LIMITS = at_most(
    [
        (Run("Only-Public"), Run("AdaMix", STRICTEST)),
        (Run("AdaMix", STRICTEST), Run("Only-Public")),
        (Run("paragon"), Run("AdaMix", LAXEST)),
    ]
)
PROBES = {"noisy-gd": "all records", "noisy-sgd": "samples"}
PROBE_RATES = (6.0, 20.0, 60.0, 200.0)


def full_beats_sampled(ground: Ground) -> Verdict:
    """Noisy descent on all records is right more often than on samples of them at the same
    (ε, δ), where the chance to be in a sample counts; each at its best learning rate.
    """
    results = {(name, b): _at_best_rate(ground, name, b) for b in BUDGETS for name in PROBES}
    full, sampled = PROBES
    pairs = {b: (results[sampled, b], results[full, b]) for b in BUDGETS}
    compared = compare(pairs)
    texts = "; ".join(
        f"at ε {number(b)}, {accuracy_text(upper)} on all records and {accuracy_text(lower)}"
        f" on samples, {exact_points_text(difference(lower, upper))}"
        for b, (lower, upper) in pairs.items()
    )
    facts = [prototype_curves.Run(full, 1.0, (("ir", 1.0),))]
    return Verdict(
        compared.outcome,
        f"Accuracy of a linear probe: {texts}. All records clearly higher in {compared.up} of"
        f" {len(pairs)} comparisons, lower in {compared.down}. (ε, 1e-5)-DP, with amplification by"
        " sampling for the samples. Each at the best of learning rates"
        f" {', '.join(map(number, PROBE_RATES))} on {len(CHOOSING)} other seeds; {SEEDS} seeds and"
        " the test records, Holm-corrected; mean over classes."
        + prototype_curves.equal_text(ground, facts),
    )


def _at_best_rate(ground: Ground, method: str, budget: float) -> Interval:
    """Accuracy of a probe at that of PROBE_RATES at which it is best on seeds of its own."""
    best = max(PROBE_RATES, key=lambda rate: probe(ground, method, budget, rate, CHOOSING).mean)
    return probe(ground, method, budget, best, range(SEEDS))


def probe(
    ground: Ground, method: str, budget: float, rate: float, seeds: Iterable[int]
) -> Interval:
    """Accuracy over classes at (budget, 1e-5)-DP, as many records of each class."""
    facts = ground.material(**prototype_curves.equal(ground, {"ir": 1.0})).facts
    spec = RunSpec(**facts, method=method, budget=Budget(budget), params=(("lr", rate),))
    return accuracies({"": seeded(spec, seeds)})[""]


# ------------------------------------------------------------------------------------- public sets


def elsewhere(ground: Ground) -> Verdict:
    """AdaMix against its public shots alone, and private records alone, where shots come from
    elsewhere.
    """
    facts = (("public", OTHER_PUBLIC[ground.dataset]),)
    no_public = (("public_use", "none"),)
    pairs = [
        (Run("AdaMix", b, facts=facts), rival)
        for b in BUDGETS
        for rival in (Run("Only-Public", facts=facts), Run("Fully-Private", b, no_public, facts))
    ]
    return less_error(pairs)(ground)


def near_the_limit(ground: Ground) -> Verdict:
    """At a lax budget AdaMix errs little more than the paragon, both with shots from elsewhere."""
    facts = (("public", OTHER_PUBLIC[ground.dataset]),)
    return at_most([(Run("paragon", facts=facts), Run("AdaMix", LAXEST, facts=facts))])(ground)


def public_is_worth_more(ground: Ground) -> Verdict:
    """Whether N public records per class somewhere beat 10 N private ones, or nowhere do."""
    no_public = (("public_use", "none"), ("shots", 1))
    pairs = [
        (
            Run("Only-Public", params=(("shots", n),)),
            Run("Fully-Private", b, no_public, (("records", 10 * n),)),
        )
        for b in BUDGETS
        for n in SIZES.get(ground.dataset, (2, 5, 10))
    ]
    return less_somewhere_verdict(pairs, errors(ground, itertools.chain(*pairs)))


def less_somewhere_verdict(pairs: list[tuple[Run, Run]], results: dict[Run, Interval]) -> Verdict:
    """Holds where the first of some pair clearly errs less, does not where the second of each does,
    all pairs looked at together.
    """
    compared = compare({(a, b): (results[a], results[b]) for a, b in pairs}, paired=True)
    first, second = compared.up, compared.down
    outcome = HOLDS if first else DOES_NOT if second == len(pairs) else CANNOT_TELL
    texts = "; ".join(difference_text(pair, results) for pair in pairs)
    return Verdict(
        outcome,
        "One such setting is enough. Public images have clearly less error in"
        f" {first} of {len(pairs)} comparisons, 10 times as many private images in {second}:"
        f" {texts}. {AT_ONE_RATE}",
    )


#: Public images per class where ten times as many private ones are few.
SIZES = {"omniglot-60": (1,)}
ONE_SHOT, TEN_SHOTS = (("shots", 1),), (("shots", 10),)
FIVE_SHOT_PUBLIC = ("public", "omniglot-public-5")


def _many_shots(ground: Ground, run: Run) -> Run:
    """The run on the larger public set of Omniglot, with as many shots as it has."""
    if ground.dataset != "omniglot-60":
        return run
    fewer = tuple((name, min(n, 5)) for name, n in run.params)
    return replace(
        run, params=fewer, facts=(*((name, min(n, 5)) for name, n in run.facts), FIVE_SHOT_PUBLIC)
    )


def boost_falls(ground: Ground) -> Verdict:
    """The boost is more with 1 shot a class than with 10."""
    names = ("Only-Public", "AdaMix", "paragon")
    runs = {
        (name, n): _many_shots(ground, Run(name, 3.0, n))
        for name in names
        for n in (ONE_SHOT, TEN_SHOTS)
    }
    results = errors(ground, runs.values())
    return boosts_verdict(
        *([results[runs[name, n]] for name in names] for n in (ONE_SHOT, TEN_SHOTS))
    )


def boosts_verdict(one_shot: list[Interval], ten_shots: list[Interval]) -> Verdict:
    """From the errors of Only-Public, AdaMix and the paragon with 1 shot a class and with 10."""
    boosts = [log_boost(*errors) for errors in (one_shot, ten_shots)]
    texts = "; ".join(
        f"with {n} public examples {100 * public.mean:.1f}% for Only-Public,"
        f" {100 * dp.mean:.1f}% for AdaMix, {100 * limit.mean:.1f}% for the paragon"
        for n, (public, dp, limit) in (("few", one_shot), ("many", ten_shots))
    )
    if not all(boosts):
        return Verdict(
            CANNOT_TELL,
            f"Errors at ε = 3: {texts}. If a run does not differ significantly from the paragon,"
            f" the boost (public − paragon)/(AdaMix − paragon) is undefined. {AT_ONE_RATE}",
        )
    first, second = (boost for boost in boosts if boost)
    fall = difference(second, first, paired=True)
    sign = signs({0: (second, first)}, paired=True)[0]
    low, high = np.exp([fall.gap - fall.half, fall.gap + fall.half])
    return Verdict(
        {1: HOLDS, 0: CANNOT_TELL, -1: DOES_NOT}[sign],
        f"Boost, (public − paragon)/(AdaMix − paragon), at ε = 3: {np.exp(first.mean):.2f} with 1"
        f" public example per class, {np.exp(second.mean):.2f} with many (10; 5 on Omniglot), a"
        f" ratio of {np.exp(fall.gap):.2f} ({low:.2f}–{high:.2f}). Errors: {texts}."
        f" {AT_ONE_RATE}",
    )


def log_boost(public: Interval, dp: Interval, limit: Interval) -> Interval | None:
    """The logarithm of (e_public - e_paragon) / (e_DP - e_paragon) with what seeds and test records
    move it by, to first order; None where either part cannot be told from 0, or is below it.
    """
    directions = signs({0: (limit, public), 1: (limit, dp)}, paired=True)
    if not all(sign == 1 for sign in directions.values()):
        return None
    top, bottom = public.mean - limit.mean, dp.mean - limit.mean
    own, base = np.array(limit.values), float(np.log(top / bottom))
    shifts = (np.array(public.values) - own) / top - (np.array(dp.values) - own) / bottom
    parts = None
    if public.parts is not None and dp.parts is not None and limit.parts is not None:
        parts = (public.parts - limit.parts) / top - (dp.parts - limit.parts) / bottom
    sd = float(shifts.std(ddof=1))
    return Interval(base, base, base, dp.runs, sd, tuple(base + shifts), parts)


def best_boost(ground: Ground) -> Verdict:
    """AdaMix errs less than its rivals: with the same shots and paragon, a larger boost."""
    pairs = [
        (Run("AdaMix", 3.0, n), Run(rival, 3.0, n))
        for n in (ONE_SHOT, TEN_SHOTS)
        for rival in ("NGD", "PPGD", "Fully-Private")
    ]
    return less_error([(_many_shots(ground, a), _many_shots(ground, b)) for a, b in pairs])(ground)


AS_MANY_PUBLIC = ((("shots", 20),), (("records", 20),))


def boost_is_gone(ground: Ground) -> Verdict:
    """With as many public as private records per class AdaMix improves little on Only-Public."""
    pair = Run("AdaMix", 3.0, *AS_MANY_PUBLIC), Run("Only-Public", 3.0, *AS_MANY_PUBLIC)
    return at_most([(_many_shots(ground, pair[0]), _many_shots(ground, pair[1]))])(ground)


# ----------------------------------------------------------------------------- starts and encoders


def by_names(rival: str, names_first: bool) -> Callable[[Ground], Verdict]:
    """The start from class names against another, on an encoder that reads names."""

    def check(ground: Ground) -> Verdict:
        readers = [key for key in availability.titles() if availability.reads_names(key)]
        if not readers:
            return Verdict(NOT_TRIED, NO_NAMES)
        facts = (("encoder", readers[0]),)
        runs = lambda start, b: Run("AdaMix", b, (("init", start),), facts)
        pairs = [(runs("class-names", b), runs(rival, b)) for b in BUDGETS]
        return less_error(pairs if names_first else [(b, a) for a, b in pairs])(ground)

    return check


NO_NAMES = (
    "No encoder with a text encoder is downloaded (clip-b16, clip-l14 or clip-h14). Public images"
    " instead of names would test another claim."
)


def better_encoder(ground: Ground) -> Verdict:
    """Of two trained encoders, that which errs less without privacy errs less with AdaMix."""
    pair = [lambda name, b=3.0, e=e: _run(e, name, b) for e in TWO_ENCODERS[ground.dataset]]
    limits = tuple(run("paragon") for run in pair)
    private = [tuple(run("AdaMix", b) for run in pair) for b in BUDGETS]
    results = errors(ground, [*limits, *itertools.chain(*private)])
    return encoders_verdict(limits, private, results)


def _run(encoder: str, preset: str, budget: float) -> Run:
    return Run(preset, budget, facts=(("encoder", encoder),))


def encoders_verdict(
    limits: tuple[Run, ...], private: list[tuple[Run, ...]], results: dict[Run, Interval]
) -> Verdict:
    """From the errors of two encoders without privacy and with it; which is the better one is told
    without privacy.
    """
    sign = signs({0: (results[limits[0]], results[limits[1]])}, paired=True)[0]
    quiet_text = f"Without privacy {difference_text((limits[0], limits[1]), results)}"
    if not sign:
        return Verdict(
            CANNOT_TELL, f"{quiet_text}: neither encoder is clearly better. {AT_ONE_RATE}"
        )
    verdict = less_error_verdict([(a, b) if sign > 0 else (b, a) for a, b in private], results)
    return Verdict(verdict.outcome, f"{quiet_text}. {verdict.because}")


# --------------------------------------------------------------------------------- noise and steps


def _noise(sigma: float, budget: float) -> Run:
    return Run("AdaMix", budget, (("sigma", sigma),))


#: Each σ against its double, up to 40 at ε 1 and 20 at ε 3, where steps are many.
LARGER_NOISE = less_error(
    [
        (_noise(2 * sigma, b), _noise(sigma, b))
        for b, sigmas in ((1.0, (5.0, 10.0, 20.0)), (3.0, (5.0, 10.0)))
        for sigma in sigmas
    ],
    rated=True,
)
OWN = ("step_size", "iterate")
ALIKE = {name: value for name, value in adamix.THEOREM.items() if name not in OWN}
#: The last head of constant steps against the averaged one of Theorem 3's, all else alike.
CONSTANT_STEPS_WIN = less_error(
    [
        (
            Run("NGD", b, tuple(ALIKE.items())),
            Run("NGD", b, tuple((adamix.THEOREM | {"distance": far}).items())),
        )
        for b in BUDGETS
        for far in (3.0, 10.0, 30.0)
    ],
    rated=True,
)
