"""Sentences of the page "Break it": the audit, one run, and published bugs."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dpviz import stats
from dpviz.audit import CONFIDENCE, QUICK_RUNS
from dpviz.audit.faults import Mistake
from dpviz.audit.faults.comparison import OutputError, Pair
from dpviz.audit.one_run import SIGNIFICANCE, OneRunAudit
from dpviz.audit.published_bugs import PUBLISHED_BUGS, READ_DATE, STATES, PublishedBug
from dpviz.audit.trade_off_audit import ERROR, LEARNING_RUNS, InterimResult, allowed_misses, claimed
from dpviz.diagnostics import attack_bound
from dpviz.diagnostics.membership_attack import PERSON_ADJACENCIES
from dpviz.formatting import number, percent_down, percent_up, points, rounded
from dpviz.types import Guarantee

NO_FAULT = "nothing wrong"
SMALL_CHANGE = 0.02
NOT_FOR_RELEASE = (
    "Made now, both from the same private records with the same seeds. What is made with the"
    " mistake on keeps no promise: a private view, not for release."
)
SAFE_BUT_SPOILT = "Made now, both from the same private records with the same seeds."
CHART_CAPTION = (
    "**Chart of ε**: what the audit knows after so many results. The lower end of the band is"
    " proved, up to luck; above the line the promise is broken. **Chart of misses**: each dot is a"
    " guesser who says “it was in”, rightly or wrongly; below the curve the promise allows nobody."
)
FIRST_ANSWER = "The audit makes results with a certain record and without it, and guesses …"


def accuracy_difference(pair: Pair) -> tuple[stats.Interval, stats.Interval, stats.Difference]:
    """Class-balanced accuracy as promised and with the mistake, and how far they lie apart."""
    kept, broken = (stats.band(runs, "balanced") for runs in (pair.reference, pair.faulty))
    return kept, broken, stats.difference(kept, broken)


def fault_name(mistake: Mistake) -> str:
    """What a mistake is called within a sentence."""
    first, rest = mistake.title[0], mistake.title[1:]
    return first.lower() + rest if rest[:1].islower() or rest[:1] == " " else mistake.title


def accuracy_question(pair: Pair, mistake: Mistake, title: str) -> tuple[str, str]:
    """Before the audit: what the accuracy shows of a mistake, precisely and plainly."""
    kept, broken, gap = accuracy_difference(pair)
    better = gap.gap > gap.half
    outcome = "better" if better else "worse" if -gap.gap > gap.half else "as good"
    precise = (
        f"{title}, *{fault_name(mistake)}*: balanced accuracy {100 * broken.mean:.1f}% where"
        f" {100 * kept.mean:.1f}% is had with the promise kept ({points(gap.gap, gap.half)},"
        f" N = {kept.runs} seeds each). **Would you have noticed?**"
    )
    with_it, without = (round(100 * one.mean) for one in (broken, kept))
    little = " a little" if abs(gap.gap) < SMALL_CHANGE else ""
    sums = {
        "better": f"It even got{little} better.",
        "as good": "That is as good, as far as luck lets us tell.",
        "worse": f"It got{little} worse.",
    }
    plain = (
        f"{mistake.wrong} Of 100 test pictures **{with_it}** are recognised; with the promise kept,"
        f" {without}. {sums[outcome]} **Would you have noticed?**"
    )
    return precise, plain


def error_question(error: OutputError, mistake: Mistake, title: str) -> tuple[str, str]:
    """Before the audit, where a release is no classifier: what its error shows of a mistake."""
    kept, broken = (sum(values) / len(values) for values in (error.reference, error.faulty))
    precise = (
        f"{title}, *{fault_name(mistake)}*: off by {broken:.2f} {error.unit} in the mean, where"
        f" {kept:.2f} is had with the promise kept (N = {len(error.reference)} seeds each)."
        " **Would you have noticed?**"
    )
    plain = (
        f"{mistake.wrong} The numbers are off by about **{broken:.2f}** {error.unit}; with the"
        f" promise kept, by {kept:.2f}. **Would you have noticed?**"
    )
    return precise, plain


def audit_result(
    result: InterimResult, claim: Guarantee, mistake: Mistake | None, title: str
) -> tuple[str, str]:
    """What the audit has seen so far, precisely and plainly."""
    return _precise_result(result, claim, mistake, title), _plain_result(
        result, claim, mistake, title
    )


def _precise_result(
    result: InterimResult, claim: Guarantee, mistake: Mistake | None, title: str
) -> str:
    claim_text, delta = number(claimed(claim)), _delta_text(claim)
    noun = f"{title}, *{fault_name(mistake) if mistake else NO_FAULT}*"
    runs = f"{result.runs:,} releases of each of two neighbours"
    if not result.broken:
        return (
            f"{noun}: **not broken** after {runs}. The best test shows at least ε ="
            f" {number(result.shown)}{delta}{_conversion_text(claim)}, where {claim_text} is"
            f" promised{_explanation(mistake)}."
        )
    test, allowed = _breaking_errors(result, claim)
    shows = (
        f"at least **ε = {number(result.shown)}**{delta}{_conversion_text(claim)}, where"
        f" {claim_text} is promised"
    )
    if result.shown <= claimed(claim):  # what is promised at another delta is broken
        shows = (
            f"errors below the promised curve, of which ({claim_text}, {number(claim.delta)}) is"
            " one point"
        )
    return (
        f"{noun}: **broken**. After {runs} the audit shows {shows}. The test that"
        f" breaks it raises at most {test[0]}% false alarms and misses at most {test[1]}%, where"
        f" at least {allowed}% must be missed (wrong with a chance of at most {ERROR:g}, whenever"
        f" one looks)."
    )


def _plain_result(
    result: InterimResult, claim: Guarantee, mistake: Mistake | None, title: str
) -> str:
    subject = "person" if claim.adjacency in PERSON_ADJACENCIES else "record"
    runs = f"{2 * result.runs:,} results, half of them made with one certain {subject}"
    if not result.broken:
        end = " That is no proof: more results, or another promise, smaller or larger, may show it."
        if mistake is None:
            end = " Nothing is wrong here; but silence alone would be no proof of that."
        elif mistake.safe or mistake.unseen:
            end = f" {mistake.safe or mistake.unseen}"
        return f"**Not caught**, in {runs} and half without.{end}"
    start = f"**Caught.** {mistake.title}: " if mistake else "**Caught.** "
    (alarms, misses), allowed = _breaking_errors(result, claim)
    right, most_allowed = success_rate(result), attack_bound.success_bound(claim)
    if right > most_allowed:
        return (
            f"{start}whoever sees a result and guesses whether a certain {subject} was in it is"
            f" right at least **{percent_down(right, 0)} times in 100**; the promise allows"
            f" {percent_up(most_allowed, 0)}. Seen in {runs} and half without (false alarms: at"
            f" most {alarms} in 100; misses: at most {misses})."
        )
    return (
        f"{start}the promise does not hold. In {runs} and half without, a guess raised at most"
        f" {alarms} false alarms in 100 and missed at most {misses} in 100; with so few false"
        f" alarms the promise says that at least {allowed} must be missed."
    )


def success_rate(result: InterimResult) -> float:
    """How often the best of the audit's tests is right at least; with and without count alike."""
    ends = [within[:, 1] for within in (result.alarms_within, result.misses_within)]
    return float(1 - (ends[0] + ends[1]).min() / 2)


def _breaking_errors(result: InterimResult, claim: Guarantee) -> tuple[tuple[str, str], str]:
    """The errors of the test that breaks a promise, rounded up, and what it must miss, down, as
    coarsely as still shows it.
    """
    assert result.breaks is not None
    ends = [within[result.breaks, 1] for within in (result.alarms_within, result.misses_within)]
    for places in (0, 1, 2, 3):
        alarms, misses = (percent_up(float(end), places) for end in ends)
        allowed = percent_down(float(allowed_misses(claim, [float(ends[0])])[0]), places)
        if float(misses.split()[-1]) < float(allowed):
            break
    return (alarms, misses), allowed


def _delta_text(claim: Guarantee) -> str:
    return "" if claim.notion == "pure" else f" at δ = {number(claim.delta)}"


def _conversion_text(claim: Guarantee) -> str:
    """How a bound becomes an epsilon where it is none."""
    kinds = {"gdp": " (μ read as Gaussian noise)", "zcdp": " (ρ converted)"}
    return kinds.get(claim.notion, "")


def _explanation(mistake: Mistake | None) -> str:
    if mistake is None:
        return ". An audit can break a promise, not prove one"
    return (
        f". {(mistake.safe or mistake.unseen).rstrip('.')}"
        if mistake.safe or mistake.unseen
        else ", so this mistake was not caught here: more releases, or another promise, may"
    )


ONE_RUN_PLAIN = (
    "The audit of this page makes thousands of results. Training something large even twice may"
    " cost weeks; so here **one** result is made, from data into which a coin has let each of many"
    " made-up records or not. Whoever guesses all those coins from the one result too well has"
    " shown that too much gets through."
)
ONE_RUN_PRECISE = (
    "One release with m canaries, each in by a fair coin: how many coins a threshold on their"
    " scores guesses right bounds ε (Steinke, Nasr & Jagielski 2023, with their term for δ; for"
    " Gaussian noise Mahloujifar, Melis & Chaudhuri 2024). Beside it the bound of many runs on two"
    " neighbours, and what is promised."
)


NO_METHOD = (
    "A count alone is too little to hide canaries in; choose a mistake in one of the methods."
)


def one_run_text(audit: OneRunAudit, title: str) -> str:
    """What one release has shown, against many and against the promise."""
    if not audit.points:
        return ""
    last = audit.points[-1]
    many = (
        f"; **{_bound_text(audit.many.epsilon)}** by {audit.many.runs:,} releases of each of"
        f" two neighbours, in {audit.many.seconds:.1f} s"
        if audit.many
        else ""
    )
    shows = (
        f"{title} shows at least **ε = {_bound_text(audit.epsilon_bound)}** of the"
        f" {rounded(audit.claimed, 3)} promised in one release with {last.canaries:,}"
        f" canaries, in {last.seconds:.1f} s{many}."
    )
    if audit.noise_divisor == 1:
        return f"Without any mistake {shows}"
    caught = "Caught" if audit.caught else "Not caught"
    return f"{caught}: with 1/{audit.noise_divisor:g} of its noise {shows}"


def _bound_text(value: float) -> str:
    """A lower bound, rounded down."""
    return number(math.floor(100 * value) / 100)


def one_run_caption(audit: OneRunAudit) -> str:
    """How the numbers came about, and how sure they are."""
    return (
        f"Made now. ε at δ = {number(audit.delta)}; neighbours: {audit.adjacency}. The verdict goes"
        f" by the release with most canaries, wrong with a chance of at most {SIGNIFICANCE:g}, and"
        f" by many runs ({QUICK_RUNS:,} a side or what the method affords), wrong with"
        f" {1 - CONFIDENCE:.3g}. One run shows less: it sees half the noise seldom, a quarter of it"
        " mostly."
    )


CUSTOM_AUDIT = (
    "Any function `(data, seed) → numbers` can be audited like this, in a shell, against what it"
    " claims. It runs in a process of its own on your machine, never on this server. A mean of ages"
    " that is clipped too late:"
)
FUNCTION = """import numpy as np

OLDEST, PEOPLE = 100, 50


def clipped_after(ages, seed):
    noise = np.random.default_rng(seed).laplace(scale=OLDEST / PEOPLE)
    return np.clip(ages.sum() / PEOPLE, 0, OLDEST) + noise


def neighbours():
    others = np.full(PEOPLE - 1, 40.0)
    return np.append(others, 14_600.0), others
"""
COMMAND = (
    "dpviz audit --release-function ages:clipped_after --neighbours ages:neighbours --epsilon 1"
)
LIMITS = (
    "It exits with 3 where the claim is broken, with 4 where half the noise would not have been"
    " noticed either, so that it can stand in a build. What it can and cannot say:"
    " docs/audit-your-own.md."
)


BUGS_INTRO = (
    "Twelve mistakes in code that anyone can look up, our own first. Most are mended, and each says"
    " when: they are here because one learns from them. Each is made again in a few lines of our"
    " own, beside the same lines mended. **Choose one, and both are audited now.**"
)
FINE_PRINT = (
    f"Codes and issues were read in {READ_DATE}, in stored copies: “open” means open there, and"
    " any may"
    " have been mended since. No project's code was run or copied. Promises are round and the"
    " neighbours are made up to show the mistake, so the figures say what such a mistake does, and"
    " nothing of what a project's users or published results lost."
)
NOT_AUDITED = "not yet: choose it above"


def bug_verdict(bug: PublishedBug, wrong: InterimResult, result: InterimResult) -> tuple[str, str]:
    """What both audits show, precisely and plainly."""
    claim_text = number(claimed(bug.claim))
    delta = "" if bug.claim.notion == "pure" else f" at δ = {number(bug.claim.delta)}"
    precise = (
        f"{bug.project}, made again: {_broken_text(wrong)}, at least ε ="
        f" {_lower_bound(wrong)}{delta}"
        f" after {wrong.runs:,} releases of each of two neighbours, where {claim_text} is promised."
        f" Mended: {_broken_text(result)}, at least ε = {_lower_bound(result)}."
    )
    also = "catches the mended lines too" if result.broken else "has nothing against them"
    plain = f"{_caught_text(bug, wrong)} Once the lines are mended, the same audit {also}."
    return precise, plain


def _broken_text(result: InterimResult) -> str:
    return "**broken**" if result.broken else "**not broken**"


def _lower_bound(result: InterimResult) -> str:
    """Rounded down, so that what is printed holds as well."""
    return number(math.floor(100 * result.shown) / 100)


def _caught_text(bug: PublishedBug, result: InterimResult) -> str:
    results = f"{2 * result.runs:,} results, half from each of two neighbouring data sets"
    if result.breaks is None:
        return f"**Not caught**, in {results}."
    alarms, misses = (
        float(within[result.breaks, 1]) for within in (result.alarms_within, result.misses_within)
    )
    (allowed,) = allowed_misses(bug.claim, [alarms])
    return (
        f"**Caught.** In {results}, a simple guess was wrong at most {percent_up(misses, 2)}"
        " times in 100"
        f" about one of the two and {percent_up(alarms, 2)} about the other; the promise says it"
        f" must be wrong at least {percent_down(float(allowed), 2)} times about the first."
    )


def bug_caption(bug: PublishedBug, wrong: InterimResult, seconds: float) -> str:
    """How the numbers came about."""
    return (
        f"Made now: {wrong.runs:,} releases of each of two neighbours, after {LEARNING_RUNS:,} of"
        " each to"
        f" choose the tests from, with the mistake and without, in {seconds:.1f} s. Neighbours:"
        f" {bug.difference} ({bug.claim.adjacency}). A promise that is kept is called broken with a"
        f" chance of at most {number(ERROR)} in each audit."
    )


def narrow_verdict(bug: PublishedBug, result: InterimResult) -> str:
    """What who looks too narrowly sees."""
    assert bug.narrow is not None
    words = "caught as well" if result.broken else "**not caught**"
    return (
        f"Looked at {bug.narrow[0]}, the same mistake is {words}: at least ε ="
        f" {_lower_bound(result)} is shown. An audit has to look at all of a release."
    )


def bug_rows(audited: Mapping[str, tuple[InterimResult, InterimResult]]) -> list[dict[str, str]]:
    """A table of all in Markdown, with what was audited here so far."""
    return [
        {
            "project": f"[{bug.project}]({bug.address})" if bug.address else bug.project,
            "mistake, and what became of it": f"{bug.mistake} *{STATES[bug.state]}*",
            "our audit of it, made again": _result_text(bug, audited.get(key)),
        }
        for key, bug in PUBLISHED_BUGS.items()
    ]


def _result_text(bug: PublishedBug, styles: tuple[InterimResult, InterimResult] | None) -> str:
    if styles is None:
        return NOT_AUDITED
    wrong, fixed = (_lower_bound(result) for result in styles)
    claim_text = number(claimed(bug.claim))
    return f"at least ε = {wrong} where {claim_text} is promised; mended, at least {fixed}"
