"""Cases and fields of the Audit page: the audit, one run, and published bugs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dpviz import stats
from dpviz.audits import CONFIDENCE
from dpviz.audits.faults import Mistake
from dpviz.audits.faults.comparison import OutputError, Pair
from dpviz.audits.one_run import SIGNIFICANCE, OneRunAudit
from dpviz.audits.published_bugs import PUBLISHED_BUGS, READ_DATE, STATES, PublishedBug
from dpviz.audits.trade_off_audit import (
    ERROR,
    INTERIM_COUNTS,
    LEARNING_RUNS,
    InterimResult,
    allowed_misses,
    claimed,
)
from dpviz.diagnostics import attack_bound
from dpviz.formatting import number, percent_down, percent_up, percents
from dpviz.text import break_it as text
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee
from dpviz.views.page_as_shown import Tile
from dpviz.views.phrases import score_text, title_in_sentence

#: A custom function with a fault, and the command that audits it.
FUNCTION = """import numpy as np

OLDEST, PEOPLE = 100, 50


def clipped_after(ages, seed):
    noise = np.random.default_rng(seed).laplace(scale=OLDEST / PEOPLE)
    return np.clip(ages.sum() / PEOPLE, 0, OLDEST) + noise


def neighbors():
    others = np.full(PEOPLE - 1, 40.0)
    return np.append(others, 14_600.0), others
"""
COMMAND = "dpviz audit --release-function ages:clipped_after --neighbors ages:neighbors --epsilon 1"
#: Decimals of error rates, the fewest first.
PLACES = (0, 1, 2, 3)


def accuracy_difference(pair: Pair) -> tuple[stats.Interval, stats.Interval, stats.Difference]:
    """Return balanced accuracy without and with the fault, and their difference."""
    kept, broken = (stats.band(runs, "balanced") for runs in (pair.reference, pair.faulty))
    return kept, broken, stats.difference(kept, broken)


def claimed_epsilon(claim: Guarantee) -> float:
    """Return the ε that bounds of a claim are compared with, in three digits."""
    return _rounded(claimed(claim))


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def mean_errors(error: OutputError) -> tuple[float, float]:
    """Return the mean error without and with the fault, in three digits."""
    kept, broken = (sum(values) / len(values) for values in (error.reference, error.faulty))
    return _rounded(kept), _rounded(broken)


# -------------------------------------------------------------------------- before the audit


def question(outcome: Pair | OutputError, fault: Mistake, method: str) -> tuple[str, str]:
    """Return the answer before the audit, precise and plain: the effect on accuracy or error."""
    fields: dict[str, object] = {"fault": fault.title, "method": title_in_sentence(method)}
    if isinstance(outcome, OutputError):
        fields["unit"] = error_unit(outcome, fault)
        fields["correct"], fields["faulty"] = mean_errors(outcome)
        return _answer("error", **fields)
    correct, faulty, _ = accuracy_difference(outcome)
    fields["without"], fields["with_bug"] = words = percents((correct, faulty))
    case = "same accuracy" if words[0] == words[1] else "accuracy"
    return _answer(case, **fields, correct=correct, faulty=faulty)


def question_tiles(
    outcome: Pair | OutputError, fault: Mistake, claim: Guarantee, precise: bool
) -> list[Tile]:
    """Return the tiles before the audit; ``claim``: the guarantee that the method claims."""
    bound = Tile(
        text.TILES["limit"],
        render_text("{limit:at_most}", limit=attack_bound.success_bound(claim)),
        render_text(text.NOTES["limit"], claim=claimed_epsilon(claim)),
        text.TILE_HELP["limit"],
    )
    hidden = Tile(text.TILES["verdict"], text.HIDDEN, text.NOTES["hidden"], tone="hidden")
    return [*_outcomes(outcome, fault, precise), bound, hidden]


def _outcomes(outcome: Pair | OutputError, fault: Mistake, precise: bool) -> list[Tile]:
    """Accuracy or error with the fault and without it."""
    if isinstance(outcome, OutputError):
        runs, unit = len(outcome.reference), error_unit(outcome, fault)
        correct, faulty = mean_errors(outcome)
        note = render_text(text.NOTES["unit"], unit=unit, runs=runs)
        return [
            Tile(text.TILES[name], number(value), note, text.TILE_HELP["error"])
            for name, value in (("correct error", correct), ("faulty error", faulty))
        ]
    kept, broken, _ = accuracy_difference(outcome)
    note = render_text(text.NOTES["seeds"], runs=kept.runs)
    values = [score_text(value, True) for value in (kept, broken)]
    if not precise:
        values = percents((kept, broken))
    return [
        Tile(text.TILES[name], value, note, text.TILE_HELP["accuracy"])
        for name, value in zip(("correct", "faulty"), values, strict=True)
    ]


def error_unit(error: OutputError, fault: Mistake) -> str:
    """Return the unit of an error."""
    return error.unit or fault.error_unit


def accuracy_caption(pair: Pair, fault: Mistake, is_asked: bool = False) -> str:
    """Return the caption of the chart of accuracies; is_asked: before the reader's answer."""
    caption = render(text.ACCURACY_CAPTION, runs=len(pair.reference))
    return caption if fault.safe or is_asked else f"{caption} {text.FAULTY_RUNS}"


# --------------------------------------------------------------------------- the audit's result


def outcome_case(result: InterimResult, claim: Guarantee, fault: Mistake | None) -> str:
    """Return the case of a result: a key of ``text.ANSWERS``."""
    if result.broken:
        return "caught" if result.shown > claimed(claim) else "caught by one test"
    if fault is None:
        return "correct"
    return "safe" if fault.safe else "missed"


def audit_result(
    result: InterimResult, claim: Guarantee, fault: Mistake | None, method: str
) -> tuple[str, str]:
    """Return the answer after some releases, precise and plain."""
    case = outcome_case(result, claim, fault)
    fields: dict[str, object] = {
        "fault": fault.title if fault else text.NO_FAULT,
        "method": method,
        "shown": lower_bound(result.shown),
        "claim": claimed_epsilon(claim),
        "conversion": text.CONVERSIONS.get(claim.notion, ""),
    }
    precise = _render(case, True, fields | _errors(result, claim))
    right, allowed = success_rate(result), attack_bound.success_bound(claim)
    if result.broken:  # the attack's success rate need not be what breaks the guarantee
        case = "caught" if right > allowed else "caught by one test"
    plain_fields = fields | {"right": right, "allowed": allowed} | _errors(result, claim)
    return precise, _render(case, False, plain_fields)


def _answer(case: str, **fields: object) -> tuple[str, str]:
    return _render(case, True, fields), _render(case, False, fields)


def _render(case: str, precise: bool, fields: Mapping[str, object]) -> str:
    return text.ANSWERS[case].fill(precise, **fields)


def _errors(result: InterimResult, claim: Guarantee) -> dict[str, str]:
    """Return the error rates of the test that breaks the guarantee; {} where none does."""
    if result.breaks is None:
        return {}
    (_, misses), demanded = breaking_errors(result, claim)
    return {"misses": misses, "demanded": demanded}


def success_rate(result: InterimResult) -> float:
    """Return a lower bound on the best test's success rate, from a prior of 1/2."""
    ends = [within[:, 1] for within in (result.alarms_within, result.misses_within)]
    return float(1 - (ends[0] + ends[1]).min() / 2)


def breaking_errors(result: InterimResult, claim: Guarantee) -> tuple[tuple[str, str], str]:
    """Return upper ends of the error rates of the test that breaks a guarantee, and the smallest
    miss rate that the guarantee allows it, in percent with the fewest decimals that tell them
    apart.
    """
    assert result.breaks is not None
    ends = [within[result.breaks, 1] for within in (result.alarms_within, result.misses_within)]
    for places in PLACES:
        alarms, misses = (percent_up(float(end), places) for end in ends)
        demanded = percent_down(float(allowed_misses(claim, [float(ends[0])])[0]), places)
        if float(misses.split()[-1]) < float(demanded):
            break
    return (alarms, misses), demanded


def lower_bound(value: float) -> str:
    """Return a lower bound on ε in two decimals, rounded down."""
    return number(math.floor(100 * value) / 100 if math.isfinite(value) else value)


def audit_tiles(
    results: Sequence[InterimResult], claim: Guarantee, outcome: Pair | OutputError | None
) -> list[Tile]:
    """Return the tiles after some releases.

    Args:
        outcome: accuracies or errors, where they are computed.
    """
    result = results[-1]
    tone, note = ("bad", "caught") if result.broken else ("", "releases")
    first = first_caught(results, claim) if result.broken else 0
    tiles = [
        Tile(
            text.TILES["verdict"],
            text.CAUGHT if result.broken else text.NOT_CAUGHT,
            render_text(text.NOTES[note], runs=result.runs, first=first),
            render_text(text.TILE_HELP["verdict"], error=ERROR, runs=result.runs),
            tone,
        ),
        Tile(
            text.TILES["shown"],
            render_text(text.SHOWN_VALUE, shown=lower_bound(result.shown)),
            render_text(
                text.NOTES["pure claim" if claim.notion == "pure" else "claim"],
                claim=claimed_epsilon(claim),
                delta=claim.delta,
            ),
            text.TILE_HELP["shown"],
        ),
        Tile(
            text.TILES["guess"],
            render_text(text.GUESS_VALUE, right=max(success_rate(result), 0.5)),
            render_text(text.NOTES["guess"], allowed=attack_bound.success_bound(claim)),
            text.TILE_HELP["guess"],
        ),
    ]
    return [*tiles, *([_outcome_tile(outcome)] if outcome else [])]


def _outcome_tile(outcome: Pair | OutputError) -> Tile:
    """Accuracy or error with the fault, beside that without it."""
    if isinstance(outcome, OutputError):
        correct, faulty = mean_errors(outcome)
        note = render_text(text.NOTES["error"], correct=correct)
        return Tile(text.TILES["error"], number(faulty), note, text.TILE_HELP["error"])
    kept, broken, _ = accuracy_difference(outcome)
    return Tile(
        text.TILES["accuracy"],
        render_text("{value:percent}", value=broken),
        render_text(text.NOTES["accuracy"], correct=kept),
        text.TILE_HELP["accuracy"],
    )


def bound_title(results: Sequence[InterimResult], claim: Guarantee) -> str:
    """Return the finding above the chart of lower bounds."""
    last = results[-1]
    if not last.broken:
        return text.BOUND_TITLES["kept"]
    case = "caught" if last.shown > claimed(claim) else "caught by one test"
    return render_text(text.BOUND_TITLES[case], runs=first_caught(results, claim))


def first_caught(results: Sequence[InterimResult], claim: Guarantee) -> int:
    """Return the number of releases at which a broken guarantee is first seen to be broken."""
    if results[-1].shown > claimed(claim):
        return next(result.runs for result in results if result.shown > claimed(claim))
    return next(result.runs for result in results if result.broken)


def bound_caption(precise: bool) -> str:
    """Return the caption of the chart of lower bounds."""
    return text.BOUND_CAPTION.fill(precise, error=ERROR, looks=len(INTERIM_COUNTS))


def rates_caption(precise: bool) -> str:
    """Return the caption of the chart of error rates."""
    return text.RATES_CAPTION.fill(precise, error=ERROR)


def audit_notes(result: InterimResult, seconds: float, difference: str) -> str:
    """Return how an audit was made."""
    templates = text.AUDIT_NOTES
    parts = [
        render(templates["runs"], runs=result.runs, learned=LEARNING_RUNS),
        render(templates["neighbors"], difference=difference),
        render(
            templates["error"], tests=len(result.alarms), looks=len(INTERIM_COUNTS), error=ERROR
        ),
        *([] if result.broken else [templates["no proof"]]),
        render(templates["time"], seconds=f"{seconds:.1f}"),
    ]
    return " ".join(parts)


# -------------------------------------------------------------------------------- one-run audit


def one_run_text(audit: OneRunAudit, method: str) -> str:
    """Return what one release shows, and what many show; "" before any has."""
    if not audit.points:
        return ""
    last = audit.points[-1]
    case = "correct" if audit.noise_divisor == 1 else "caught" if audit.caught else "missed"
    parts = [
        render(
            text.ONE_RUN_RESULTS[case],
            method=method,
            divisor=audit.noise_divisor,
            shown=lower_bound(audit.epsilon_bound),
        ),
        render(
            text.ONE_RUN_DETAILS,
            canaries=last.canaries,
            seconds=_seconds_text(last.seconds),
        ),
    ]
    if audit.many:
        many = audit.many
        parts.append(
            render(
                text.ONE_RUN_MANY,
                runs=many.runs,
                shown=lower_bound(many.epsilon),
                seconds=_seconds_text(many.seconds),
            )
        )
    return " ".join(parts)


def _seconds_text(seconds: float) -> str:
    """Seconds with two decimals, or none from 10 s on."""
    return f"{max(seconds, 0.01):.{2 if seconds < 10 else 0}f}"


def one_run_caption(audit: OneRunAudit) -> str:
    """Return claim, error probabilities and limits of a one-run audit."""
    return " ".join(
        (
            render(
                text.ONE_RUN_CLAIM,
                claim=_rounded(audit.claimed),
                delta=audit.delta,
                adjacency=audit.adjacency,
            ),
            render(text.ONE_RUN_ERRORS, one=SIGNIFICANCE, many=_rounded(1 - CONFIDENCE)),
            text.ONE_RUN_VERDICT,
            text.ONE_RUN_LIMIT,
        )
    )


# ------------------------------------------------------------------------------- published bugs


def bug_verdict(bug: PublishedBug, wrong: InterimResult, result: InterimResult) -> tuple[str, str]:
    """Return the verdict on a bug and on its fix, precise and plain."""
    case = ("caught" if wrong.broken else "missed", "caught" if result.broken else "kept")
    delta = "" if bug.claim.notion == "pure" else render(text.AT_DELTA, delta=bug.claim.delta)
    fields = {
        "shown": lower_bound(wrong.shown),
        "fixed": lower_bound(result.shown),
        "claim": claimed_epsilon(bug.claim),
        "delta": delta,
    }
    verdict = text.BUG_VERDICTS[case]
    precise, plain = verdict.fill(True, **fields), verdict.fill(False, **fields)
    return precise, plain


def bug_test(bug: PublishedBug, wrong: InterimResult) -> str:
    """Return the error rates that break a bug's guarantee; "" where none do."""
    if wrong.breaks is None:
        return ""
    (_, misses), demanded = breaking_errors(wrong, bug.claim)
    return render(text.BUG_TEST, misses=misses, demanded=demanded)


def bug_caption(bug: PublishedBug, wrong: InterimResult, seconds: float) -> str:
    """Return how both audits of a bug were made."""
    templates = text.BUG_HOW
    return " ".join(
        (
            render(templates["runs"], runs=wrong.runs, learned=LEARNING_RUNS),
            render(
                templates["neighbors"], difference=bug.difference, adjacency=bug.claim.adjacency
            ),
            render(templates["error"], error=ERROR),
            render(templates["time"], seconds=f"{seconds:.1f}"),
        )
    )


def narrow_verdict(bug: PublishedBug, result: InterimResult) -> str:
    """Return the verdict of an audit that reads only a part of the release."""
    assert bug.narrow is not None
    return render(text.NARROW[result.broken], view=bug.narrow[0], shown=lower_bound(result.shown))


def bugs_notes() -> str:
    """Return the limits of what is said about published bugs."""
    return " ".join(render(note, read_date=READ_DATE) for note in text.BUGS_NOTES)


def bug_rows(audited: Mapping[str, tuple[InterimResult, InterimResult]]) -> list[dict[str, str]]:
    """Return a row per published bug, in Markdown, with its audit where it was made here."""
    rows = []
    for key, bug in PUBLISHED_BUGS.items():
        project = f"[{bug.project}]({bug.address})" if bug.address else bug.project
        cells = (project, bug.mistake, STATES[bug.state], _result_text(bug, audited.get(key)))
        rows.append(dict(zip(text.BUG_COLUMNS, cells, strict=True)))
    return rows


def _result_text(bug: PublishedBug, pair: tuple[InterimResult, InterimResult] | None) -> str:
    if pair is None:
        return text.NOT_AUDITED
    wrong, fixed = (lower_bound(result.shown) for result in pair)
    claim = claimed_epsilon(bug.claim)
    return render(text.BUG_RESULT, shown=wrong, claim=claim, fixed=fixed)
