"""What the page "Break it" says: before the audit about the accuracy, after it about the promise,
in both voices.
"""

from __future__ import annotations

from dpviz import stats
from dpviz.audit.faults import Mistake
from dpviz.audit.faults.comparison import OutputError, Pair
from dpviz.audit.trade_off_audit import ERROR, InterimResult, allowed_misses, claimed
from dpviz.diagnostics import attack_bound
from dpviz.diagnostics.membership_attack import OF_PERSONS
from dpviz.formatting import number, percent_down, percent_up, points
from dpviz.types import Guarantee

NOTHING = "nothing wrong"
A_LITTLE = 0.02
NOT_FOR_RELEASE = (
    "Made now, both from the same private records with the same seeds. What is made with the"
    " mistake on keeps no promise: a private view, not for release."
)
SAFE_BUT_SPOILT = "Made now, both from the same private records with the same seeds."
HOW_TO_READ = (
    "**Chart of ε**: what the audit knows after so many results. The lower end of the band is"
    " proved, up to luck; above the line the promise is broken. **Chart of misses**: each dot is a"
    " guesser who says “it was in”, rightly or wrongly; below the curve the promise allows nobody."
)
BEGINS = "The audit makes results with a certain record and without it, and guesses …"


def noticed(pair: Pair) -> tuple[stats.Interval, stats.Interval, stats.Difference]:
    """Class-balanced accuracy as promised and with the mistake, and how far they lie apart."""
    kept, broken = (stats.band(runs, "balanced") for runs in (pair.reference, pair.faulty))
    return kept, broken, stats.difference(kept, broken)


def fault_name(mistake: Mistake) -> str:
    """What a mistake is called within a sentence."""
    first, rest = mistake.title[0], mistake.title[1:]
    return first.lower() + rest if rest[:1].islower() or rest[:1] == " " else mistake.title


def question(pair: Pair, mistake: Mistake, title: str) -> tuple[str, str]:
    """Before the audit: what the accuracy shows of a mistake, precisely and plainly."""
    kept, broken, gap = noticed(pair)
    better = gap.apart > gap.half
    told = "better" if better else "worse" if -gap.apart > gap.half else "as good"
    precise = (
        f"{title}, *{fault_name(mistake)}*: balanced accuracy {100 * broken.mean:.1f} % where"
        f" {100 * kept.mean:.1f} % is had with the promise kept ({points(gap.apart, gap.half)},"
        f" N = {kept.runs} seeds each). **Would you have noticed?**"
    )
    with_it, without = (round(100 * one.mean) for one in (broken, kept))
    little = " a little" if abs(gap.apart) < A_LITTLE else ""
    sums = {
        "better": f"It even got{little} better.",
        "as good": "That is as good, as far as luck lets us tell.",
        "worse": f"It got{little} worse.",
    }
    plain = (
        f"{mistake.wrong} Of 100 test pictures **{with_it}** are recognised; with the promise kept,"
        f" {without}. {sums[told]} **Would you have noticed?**"
    )
    return precise, plain


def error_question(off: OutputError, mistake: Mistake, title: str) -> tuple[str, str]:
    """Before the audit, where a release is no classifier: what its error shows of a mistake."""
    kept, broken = (sum(values) / len(values) for values in (off.reference, off.faulty))
    precise = (
        f"{title}, *{fault_name(mistake)}*: off by {broken:.2f} {off.unit} in the mean, where"
        f" {kept:.2f} is had with the promise kept (N = {len(off.reference)} seeds each). **Would"
        " you have noticed?**"
    )
    plain = (
        f"{mistake.wrong} The numbers are off by about **{broken:.2f}** {off.unit}; with the"
        f" promise kept, by {kept:.2f}. **Would you have noticed?**"
    )
    return precise, plain


def audit_result(
    look: InterimResult, claim: Guarantee, mistake: Mistake | None, title: str
) -> tuple[str, str]:
    """What the audit has seen so far, precisely and plainly."""
    return _precisely(look, claim, mistake, title), _plainly(look, claim, mistake, title)


def _precisely(look: InterimResult, claim: Guarantee, mistake: Mistake | None, title: str) -> str:
    promised, delta = number(claimed(claim)), _delta(claim)
    what = f"{title}, *{fault_name(mistake) if mistake else NOTHING}*"
    runs = f"{look.runs:,} releases of each of two neighbours"
    if not look.broken:
        return (
            f"{what}: **not broken** after {runs}. The best test shows at least ε ="
            f" {number(look.shown)}{delta}{_read(claim)}, where {promised} is"
            f" promised{_explanation(mistake)}."
        )
    test, allowed = _broken_by(look, claim)
    shows = (
        f"at least **ε = {number(look.shown)}**{delta}{_read(claim)}, where {promised} is promised"
    )
    if look.shown <= claimed(claim):  # what is promised at another delta is broken
        shows = (
            f"errors below the promised curve, of which ({promised}, {number(claim.delta)}) is one"
            " point"
        )
    return (
        f"{what}: **broken**. After {runs} the audit shows {shows}. The test that"
        f" breaks it raises at most {test[0]} % false alarms and misses at most {test[1]} %, where"
        f" at least {allowed} % must be missed (wrong with a chance of at most {ERROR:g}, whenever"
        f" one looks)."
    )


def _plainly(look: InterimResult, claim: Guarantee, mistake: Mistake | None, title: str) -> str:
    whom = "person" if claim.adjacency in OF_PERSONS else "record"
    runs = f"{2 * look.runs:,} results, half of them made with one certain {whom}"
    if not look.broken:
        end = " That is no proof: more results, or another promise, smaller or larger, may show it."
        if mistake is None:
            end = " Nothing is wrong here; but silence alone would be no proof of that."
        elif mistake.safe or mistake.unseen:
            end = f" {mistake.safe or mistake.unseen}"
        return f"**Not caught**, in {runs} and half without.{end}"
    start = f"**Caught.** {mistake.title}: " if mistake else "**Caught.** "
    (alarms, misses), allowed = _broken_by(look, claim)
    right, most_allowed = shown_right(look), attack_bound.most_right(claim)
    if right > most_allowed:
        return (
            f"{start}whoever sees a result and guesses whether a certain {whom} was in it is right"
            f" at least **{percent_down(right, 0)} times in 100**; the promise allows"
            f" {percent_up(most_allowed, 0)}. Seen in {runs} and half without (false alarms: at"
            f" most {alarms} in 100; misses: at most {misses})."
        )
    return (
        f"{start}the promise does not hold. In {runs} and half without, a guess raised at most"
        f" {alarms} false alarms in 100 and missed at most {misses} in 100; with so few false"
        f" alarms the promise says that at least {allowed} must be missed."
    )


def shown_right(look: InterimResult) -> float:
    """How often the best of the audit's tests is right at least; with and without count alike."""
    ends = [within[:, 1] for within in (look.alarms_within, look.misses_within)]
    return float(1 - (ends[0] + ends[1]).min() / 2)


def _broken_by(look: InterimResult, claim: Guarantee) -> tuple[tuple[str, str], str]:
    """The errors of the test that breaks a promise, rounded up, and what it must miss, down, as
    coarsely as still shows it.
    """
    assert look.breaks is not None
    ends = [within[look.breaks, 1] for within in (look.alarms_within, look.misses_within)]
    for places in (0, 1, 2, 3):
        alarms, misses = (percent_up(float(end), places) for end in ends)
        allowed = percent_down(float(allowed_misses(claim, [float(ends[0])])[0]), places)
        if float(misses.split()[-1]) < float(allowed):
            break
    return (alarms, misses), allowed


def _delta(claim: Guarantee) -> str:
    return "" if claim.notion == "pure" else f" at δ = {number(claim.delta)}"


def _read(claim: Guarantee) -> str:
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
