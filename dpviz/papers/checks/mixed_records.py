"""Tries of what the AdaMix paper says of single records: attacks, and what each record loses."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.caches import cached
from dpviz.diagnostics import membership_attack, per_instance, preset_comparison
from dpviz.lazy_imports import special
from dpviz.papers.checks.comparisons import compare, outcome_of
from dpviz.papers.checks.mixed_runs import ONE_RATE, SEEDS, SHOTS_AND_RANK, Run, errors, specs
from dpviz.papers.model import Ground, Verdict
from dpviz.stats import Difference, Interval, measured, significant_differences

#: Every private preset of the paper's chart.
ATTACKED = preset_comparison.PRIVATE


@dataclass(frozen=True)
class PresetAttack:
    """Of a preset: test error, area under an attack's curve, that one's standard error."""

    wrong: Interval
    area: float
    area_error: float


@cached(4)
def attacked(ground: Ground) -> dict[str, PresetAttack]:
    """Every private preset at ε = 3, attacked by the loss, members against test records."""
    runs = {name: Run(name, 3.0) for name in ATTACKED}
    wrong = errors(ground, runs.values())
    attacks = {}
    for name, run in runs.items():
        attack = membership_attack.attack(specs(ground, run)[0], range(ground.seeds), "test")
        attacks[name] = PresetAttack(wrong[run], attack.auc, attack.error)
    return attacks


def _area_signs(pairs: Sequence[tuple[str, str]], attacks: Mapping[str, PresetAttack]) -> list[int]:
    """Of each pair 1 if the first is clearly attacked less, -1 if more, 0 else: all together
    (Holm).

    The records are the same for both, which makes the errors of the two areas go together; as if
    they did not, their difference's error is too large rather than too small.
    """
    gaps = [attacks[b].area - attacks[a].area for a, b in pairs]
    spreads = [math.hypot(attacks[a].area_error, attacks[b].area_error) for a, b in pairs]
    differences = [
        Difference(gap, 2 * spread, 2 * float(special.ndtr(-abs(gap) / max(spread, 1e-12))))
        for gap, spread in zip(gaps, spreads, strict=True)
    ]
    clear = significant_differences(differences)
    return [(1 if gap > 0 else -1) * is_clear for gap, is_clear in zip(gaps, clear, strict=True)]


def _error_signs(
    pairs: Sequence[tuple[str, str]], attacks: Mapping[str, PresetAttack]
) -> list[int]:
    wrong = {(a, b): (attacks[a].wrong, attacks[b].wrong) for a, b in pairs}
    return list(compare(wrong, paired=True).signs.values())


def same_order(ground: Ground) -> Verdict:
    """Of each two presets that which errs less is attacked less."""
    return order_verdict(attacked(ground))


def order_verdict(attacks: Mapping[str, PresetAttack]) -> Verdict:
    """Does not hold where of one pair the first clearly errs less and is clearly attacked more;
    holds where all pairs of clearly different error are clearly attacked in that order.
    """
    pairs = list(itertools.combinations(attacks, 2))
    by_error = dict(zip(pairs, _error_signs(pairs, attacks), strict=True))
    clear = [(a, b) if sign > 0 else (b, a) for (a, b), sign in by_error.items() if sign]
    by_area = _area_signs(clear, attacks)
    agreeing, turned = by_area.count(1), by_area.count(-1)
    return Verdict(
        outcome_of(agreeing, turned, len(clear)),
        f"In {len(clear)} of {len(pairs)} pairs of presets, one has clearly less error. In"
        f" {agreeing} of these, it also has a clearly weaker attack; in {turned}, a clearly"
        f" stronger one. {_texts(attacks)}",
    )


def best_trade_off(ground: Ground) -> Verdict:
    """No preset is better than AdaMix in one of error and attack and not worse in the other."""
    return trade_off_verdict(attacked(ground))


def trade_off_verdict(attacks: Mapping[str, PresetAttack], lead: str = "AdaMix") -> Verdict:
    """Holds where the lead is clearly better than each other in one of the two and not clearly
    worse in the other; does not where another is clearly better than the lead in both.
    """
    pairs = [(lead, name) for name in attacks if name != lead]
    sign_pairs = list(zip(_error_signs(pairs, attacks), _area_signs(pairs, attacks), strict=True))
    ahead = sum(max(signs) == 1 and min(signs) >= 0 for signs in sign_pairs)
    behind = [name for (_, name), signs in zip(pairs, sign_pairs, strict=True) if signs == (-1, -1)]
    less_error = [
        name for (_, name), signs in zip(pairs, sign_pairs, strict=True) if signs[0] == -1
    ]
    return Verdict(
        outcome_of(ahead, len(behind), len(pairs)),
        f"Of {len(pairs)} other presets {ahead} are clearly behind AdaMix in error or attack and"
        " not clearly ahead of it in the other. Clearly better than AdaMix in both:"
        f" {', '.join(behind) or 'no preset'}; in error: {', '.join(less_error) or 'no preset'}."
        f" {_texts(attacks)}",
    )


def _texts(attacks: Mapping[str, PresetAttack]) -> str:
    text = "; ".join(
        f"{name} has error {100 * attack.wrong.mean:.1f}%, area {attack.area:.3f} ±"
        f" {2 * attack.area_error:.3f}"
        for name, attack in attacks.items()
    )
    return (
        f"{text}. Area: area under the curve of a loss attack, members against test records,"
        f" ± two standard errors. (3, 1e-5)-DP; {SHOTS_AND_RANK}; {SEEDS} seeds, which share their"
        " public examples in the attack; Holm-corrected; error, mean over classes."
    )


def losses_are_nearer(ground: Ground) -> Verdict:
    """Losses of single records lie nearer to the guarantee with AdaMix, and less far apart."""
    shares = {}
    for name in ("AdaMix", "Fully-Private"):
        losses = [per_instance.losses_of(spec) for spec in specs(ground, Run(name))]
        shares[name] = [np.asarray(loss.epsilon) / loss.claim for loss in losses]
    return losses_verdict(shares)


def losses_verdict(shares: Mapping[str, Sequence[np.ndarray]]) -> Verdict:
    """From each record's loss as a share of the guarantee, by preset and seed: the median distance
    from the guarantee and the interquartile range, both to be smaller with AdaMix.
    """
    measures = {"distance": _distance, "range": _range}
    intervals = {
        (measure, name): measured([statistic(values) for values in seeds])
        for measure, statistic in measures.items()
        for name, seeds in shares.items()
    }
    compared = compare(
        {
            measure: (intervals[measure, "AdaMix"], intervals[measure, "Fully-Private"])
            for measure in measures
        },
        paired=True,
    )
    interval_text = lambda measure, name: _of_epsilon(intervals[measure, name])
    texts = "; ".join(
        LOSSES.format(
            name=name, far=interval_text("distance", name), wide=interval_text("range", name)
        )
        for name in shares
    )
    runs = len(next(iter(shares.values())))
    parts = PARTS.format(**{name: SIGN_TEXTS[sign] for name, sign in compared.signs.items()})
    return Verdict(
        compared.outcome,
        f"At ε = 3, {texts}; {runs} seeds. {parts} {SHOTS_AND_RANK}.{ONE_RATE}",
    )


PARTS = "With AdaMix the distance is {distance} and the span {range}."
SIGN_TEXTS = {
    1: "significantly smaller",
    0: "not significantly different",
    -1: "significantly larger",
}
LOSSES = (
    "{name}: the median loss is {far} of ε away from ε, and the middle half of losses spans {wide}"
)


def _distance(shares: np.ndarray) -> float:
    return float(np.median(np.abs(1 - shares)))


def _range(shares: np.ndarray) -> float:
    low, high = np.quantile(shares, (0.25, 0.75))
    return float(high - low)


def _of_epsilon(value: Interval) -> str:
    return f"{100 * value.mean:.1f}% ({100 * value.low:.1f}–{100 * value.high:.1f})"
