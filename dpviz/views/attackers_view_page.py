"""Sentences of the page "Attacker's view", on attacks by loss and by shadow models."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.diagnostics import attack_bound
from dpviz.diagnostics.attack_by_shots import Slope
from dpviz.diagnostics.attack_statistics import SHARE, Informed
from dpviz.diagnostics.low_fpr import CHANCE, LEVEL, Rate
from dpviz.diagnostics.membership_attack import Attack
from dpviz.diagnostics.shadow_attack import RATES, TITLES, ShadowAttack
from dpviz.formatting import listed
from dpviz.types import DataConfig, Guarantee
from dpviz.views.phrases import guess, limit, out_of_100, times, upper_bound_text

LOSS_ATTACK_CAPTION = (
    "The higher a line, the more used pictures are found; the straight dotted line is a coin. No"
    " attack on a private method, however clever, gets above the line named so. What is drawn is"
    " one attack of many, and its average hides whom it works best on. Move **Budget ε** first."
)
CHANCE_TEXT = "no more often than a coin, as far as luck lets us tell"


def loss_attack_answer(
    guarantees: Sequence[Guarantee],
    config: DataConfig,
    prior: float,
    title: str,
    noisy: Attack | None,
    quiet: Attack | None,
    titles: Sequence[str] = (),
) -> str:
    """The limit for every attack, and what the one tried here does and does not show.

    Args:
        guarantees: of the methods drawn; prior: what an attacker holds beforehand.
        titles: of the methods that promise; title: of the one that was attacked, with
            noise and without; None for what is not there.
    """
    limit = f"{guess(guarantees, titles)}."
    parts = (limit, _prior_text(guarantees, prior), _attack_text(config, title, noisy, quiet))
    return " ".join(filter(None, parts))


def _prior_text(guarantees: Sequence[Guarantee], prior: float) -> str:
    """The limit for someone who knew something beforehand."""
    if prior == 0.5:
        return ""
    right = max(attack_bound.success_bound(guarantee, prior) for guarantee in guarantees)
    return (
        f"Someone who held it for {100 * prior:.0f} in 100 likely beforehand {limit(right)};"
        f" without the result, {upper_bound_text(max(prior, 1 - prior))}."
    )


def _attack_text(config: DataConfig, title: str, noisy: Attack | None, quiet: Attack | None) -> str:
    """One attack on the method without noise, first on those it works best on, whom its average
    hides; and on those with noise.
    """
    if quiet is None:
        return ""
    unit = "picture" if config.unit == "picture" else "person"
    if quiet.everyone is None or quiet.easiest is None:
        return (
            "The attack drawn is one of many, and an average: it does not tell how easily the"
            f" strangest {unit} is found."
        )
    best = _success_text(quiet.easiest)
    start = (
        f"Without noise there is no such limit: one attack on {title} is right {best}"
        f" about the one {unit} in {round(1 / SHARE)} that it works best on{_average_text(quiet)}."
    )
    if noisy is None or noisy.easiest is None:
        return start
    return (
        f"{start} With noise, about those that it works best on then, the same attack is right"
        f" {_success_text(noisy.easiest)}."
    )


def _average_text(quiet: Attack) -> str:
    """What the same attack reaches on average, and whether that hides those it works best on."""
    all_of_them, best = quiet.everyone, quiet.easiest
    assert all_of_them is not None and best is not None
    if best.right - all_of_them.right > 2 * math.hypot(best.unsure, all_of_them.unsure):
        return f", though its average over all, {out_of_100(all_of_them.right)} in 100, hides them"
    return f", and {out_of_100(all_of_them.right)} in 100 on average over all"


def _success_text(attack: Informed) -> str:
    """How often an attack is right, or that luck lets nobody tell it from a coin."""
    return CHANCE_TEXT if attack.right - 0.5 <= 2 * attack.unsure else times(attack.right)


LOW_FPR_CAPTION = (
    "Both axes are stretched where an attacker accuses hardly anybody wrongly, for that is what"
    " hurts: a few people, found for certain. The dotted line is blind guessing. No attack on a"
    " private method, however clever, gets above the line named so; on a method without privacy"
    " nothing stops it."
)
TOO_FEW = "too few to tell"


@dataclass(frozen=True)
class AttackSummary:
    """What one attack finds on one method, whose title is said as inside a sentence."""

    title: str
    private: bool
    result: ShadowAttack
    attack: str

    @property
    def rate(self) -> Rate | None:
        """At the larger share of false alarms."""
        return self.result.results[self.attack].overall[-1]


def share_percent(share: float) -> str:
    """A share in hundredths, to two places that say something: ``4.6``, ``0.24``, ``100``."""
    return f"{100 * share:.{2 if share < 0.1 else 3}g}"


def rate_limit(share: float) -> str:
    """What a promise lets any attack find, rounded up."""
    if share == 1:
        return "no limit"
    places = 2 if share < 0.1 else 1
    return f"{math.ceil(100 * 10**places * share - 1e-6) / 10**places:g}%"


def rate_text(rate: Rate | None) -> str:
    """A rate with its interval: ``4.6% (4.1 to 5.1)``."""
    if rate is None:
        return TOO_FEW
    return f"{share_percent(rate.tpr)}% ({share_percent(rate.low)} to {share_percent(rate.high)})"


# ------------------------------------------------------------------------------------------- plain


def low_fpr_plain(summaries: Sequence[AttackSummary], unit: str) -> str:
    """How many are found while ten in a thousand are wrongly accused: on methods with a promise
    first.
    """
    unit_noun = "pictures" if unit == "picture" else "people"
    known = sorted((t for t in summaries if t.rate), key=lambda t: not t.private)
    if not known:
        return (
            f"Here are too few {unit_noun} to tell what {TITLES[summaries[0].attack]} finds while"
            " it accuses hardly anybody wrongly: keep more records, or ask for more shadow models."
        )
    first, *rest = known
    start = (
        f"Of 1,000 {unit_noun} that were used, an attacker who has practised on"
        f" {first.result.shadows - 1}"
        f" fits like this one finds {_frequency_text(first)}, while wrongly accusing"
        f" {round(1000 * RATES[-1])} of 1,000 that were not{_limit_text(first)}."
    )
    kept = [unit_noun for unit_noun in rest if _is_limited(unit_noun)]
    loose = [_frequency_text(unit_noun) for unit_noun in rest if not _is_limited(unit_noun)]
    also = [f"It finds {_frequency_text(unit_noun)}{_limit_text(unit_noun)}." for unit_noun in kept]
    if loose:
        also.append(f"It finds {listed(loose)}, where nothing limits what another attack finds.")
    return " ".join([start, *also])


def _is_limited(summary: AttackSummary) -> bool:
    """Whether a promise limits what is found."""
    return summary.rate is not None and summary.private and summary.rate.most < 1


def _frequency_text(summary: AttackSummary) -> str:
    assert summary.rate
    count = f"**{round(1000 * summary.rate.tpr)}** in what {summary.title} releases"
    if summary.rate.low <= summary.rate.fpr:
        return f"{count}, no more than blind guessing as far as luck lets us tell"
    return count


def _limit_text(summary: AttackSummary) -> str:
    assert summary.rate
    if not _is_limited(summary):
        return ", where nothing limits what another attack finds"
    allowed = math.ceil(1000 * summary.rate.most - 1e-6)
    if summary.rate.above:
        return f"; the promise allows {allowed}, so **the promise is broken**"
    return f"; the promise allows no attack more than {allowed}"


# ----------------------------------------------------------------------------------------- precise


def low_fpr_precise(summaries: Sequence[AttackSummary]) -> str:
    """True positive rates with their intervals beside what the promises allow."""
    first = summaries[0]
    start = (
        f"{TITLES[first.attack]} on {first.result.shadows} shadow models, each the target in turn"
        f" ({first.result.judged.number:,} judged): "
    )
    return start + "; ".join(map(_precise_rates, summaries)) + "."


def _precise_rates(summary: AttackSummary) -> str:
    parts = []
    for fpr, rate in zip(RATES, summary.result.results[summary.attack].overall, strict=True):
        allowed = f", at most {rate_limit(rate.most)}" if rate and rate.most < 1 else ""
        above_text = ", **above it**" if rate and rate.above else ""
        rated = f"**{rate_text(rate)}**" if fpr == RATES[-1] else rate_text(rate)
        parts.append(f"{rated} at {share_percent(fpr)}% FPR{allowed}{above_text}")
    return f"on {summary.title} TPR {parts[1]} and {parts[0]}"


def slope_text(title: str, found: Slope | None) -> str:
    """How what an attack gains falls with the records a class, against what was published."""
    if found is None:
        return f"On {title} too few gains can be told from blind guessing for a slope"
    slope = f"{found.slope:.2f} ({found.low:.2f} to {found.high:.2f})".replace("-", "−")
    verdict = (
        "which holds the published −1/2"
        if found.published
        else "which does **not** hold the published −1/2"
    )
    return f"On {title} the gain falls with slope **{slope}**, {verdict}"


INTERVAL_TEXT = (
    f"Intervals of {100 * LEVEL:.0f}%, for scores that go together within a record and within a"
    " run; “above” is said of a method at its limit at most"
    f" {1000 * CHANCE:g} time in 1,000, at each rate."
)
