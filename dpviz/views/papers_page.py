"""Logic of the page "Papers": counts, answer, tiles and tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.papers import listed
from dpviz.papers.model import (
    CANNOT_TELL,
    DOES_NOT,
    ENCODERS,
    HOLDS,
    NO_ANSWER,
    NOT_MET,
    NOT_TRIED,
    OUTCOMES,
    PAPERS,
    THEORY,
    VACUOUS,
    Claim,
)
from dpviz.papers.verdicts import (
    SLIP,
    StoredVerdicts,
    TimedVerdict,
    counts,
    in_words,
    runs,
    shown_outcome,
    stands_on,
)
from dpviz.text import papers as text
from dpviz.text.template import render, render_text
from dpviz.views.page_as_shown import Tile

GROUNDS, STARS = text.GROUNDS, text.STARS
#: A claim with its verdicts.
ClaimCell = tuple[Claim, list[TimedVerdict]]


def verdict_count(
    claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]
) -> list[TimedVerdict]:
    """Return the stored verdicts of ``claims`` on ``grounds``."""
    pairs = [(claim.key, ground) for claim in claims for ground in grounds]
    return [results[pair] for pair in pairs if pair in results]


def _each_run(rows: Sequence[TimedVerdict]) -> dict[str, int]:
    """Return the number of runs of each outcome."""
    return counts(same[0] for same in runs(rows))


def kinds(grounds: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return grounds with data and without, by the title of their section."""
    data = tuple(ground for ground in grounds if ground != THEORY)
    theory = tuple(ground for ground in grounds if ground == THEORY)
    kinds_by_title = {listed.ON_DATA: data, listed.ON_THEORY: theory}
    return {
        title: grounds_of_kind
        for title, grounds_of_kind in kinds_by_title.items()
        if grounds_of_kind
    }


ByPaper = Mapping[str, Mapping[str, int]]
"""Number of runs of each outcome, by the paper's short name."""


def by_paper(
    claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]
) -> dict[str, dict[str, int]]:
    """Return the number of runs of each outcome, by the paper's short name."""
    by_key = {key: [claim for claim in claims if claim.paper == key] for key in PAPERS}
    by_claim = {claim.key: claim for claim in claims}
    verdicts = {
        key: verdict_count(_claim_count(rows), results, grounds) for key, rows in by_key.items()
    }
    outcomes_by_paper = {}
    for key, rows in verdicts.items():
        if rows:
            outcomes = Counter(
                shown_outcome(by_claim[same[0].claim], same[0]) for same in runs(rows)
            )
            outcomes_by_paper[PAPERS[key].short] = {
                name: outcomes[name] for name in (*OUTCOMES, SLIP)
            }
    return outcomes_by_paper


def _claim_count(claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims that are no cited results."""
    return [claim for claim in claims if not claim.textbook]


@dataclass(frozen=True)
class Counts:
    """Numbers of runs by outcome, each run once.

    Attributes:
        done: runs with an outcome; holds: also trivially; unmet: claims whose premise the data do
            not meet; slips: failures by a constant or a sign alone; trivial: runs that hold
            trivially.
    """

    done: int
    holds: int
    fails: int
    open: int
    unmet: int = 0
    slips: int = 0
    trivial: int = 0


def on_data(claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]) -> Counts:
    """Return the outcomes of experiments on data."""
    return _counts(claims, results, [ground for ground in grounds if ground != THEORY])


def in_theory(claims: Sequence[Claim], results: StoredVerdicts) -> Counts:
    """Return the outcomes of theorems, formulas and printed numbers."""
    return _counts(claims, results, [THEORY])


def _counts(claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]) -> Counts:
    rows = verdict_count(_claim_count(claims), results, grounds)
    by_outcome = _each_run(rows)
    untested = by_outcome[NOT_TRIED] + by_outcome[NOT_MET]
    return Counts(
        done=sum(by_outcome.values()) - untested,
        holds=by_outcome[HOLDS] + by_outcome[VACUOUS],
        fails=by_outcome[DOES_NOT],
        open=by_outcome[CANNOT_TELL],
        unmet=sum(verdict.outcome == NOT_MET for verdict in rows),
        slips=listed.slips_in(claims, rows),
        trivial=by_outcome[VACUOUS],
    )


def answer(
    claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str], precise: bool
) -> str:
    """Return the answer of the page in Markdown."""
    data, theory = on_data(claims, results, grounds), in_theory(claims, results)
    case, counts = (_data_case(data), data) if data.done else ("theory", theory)
    if not results or not counts.done:
        fields = {"live": len(listed.live(claims)), "claims": len(claims)}
        return text.ANSWERS["none"].fill(precise, **fields)
    outcomes = {"holds": counts.holds, "fails": counts.fails, "open": counts.open}
    shares = {"support": counts.holds / counts.done, "contradict": counts.fails / counts.done}
    return text.ANSWERS[case].fill(precise, **outcomes, **shares, done=counts.done)


def _data_case(data: Counts) -> str:
    """Return the key of the answer on data: how many tests are undecided."""
    if not data.open:
        return "data, none open"
    return "data, mostly open" if data.open > max(data.holds, data.fails) else "data"


def tiles(claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]) -> list[Tile]:
    """Return the outcomes on data, and of theory."""
    data, theory = on_data(claims, results, grounds), in_theory(claims, results)
    of_done = render_text(text.OF_DONE, done=data.done)
    template = text.OF_DONE_TRIVIAL if data.trivial else text.OF_DONE
    in_favor = render_text(template, done=data.done, trivial=data.trivial)
    drawn = []
    if data.done:
        drawn = [
            Tile(text.AGREE, f"{data.holds:,}", in_favor, text.AGREE_HELP),
            Tile(text.DISAGREE, f"{data.fails:,}", of_done, text.DISAGREE_HELP),
            Tile(text.OPEN, f"{data.open:,}", of_done, text.OPEN_HELP),
        ]
    if THEORY in grounds and theory.done:
        fails = theory.fails - theory.slips
        outcomes = {"fails": fails, "slips": theory.slips, "open": theory.open}
        outcomes["rest"] = theory.done - theory.holds - fails
        note, more = (
            render_text(words, done=theory.done, **outcomes)
            for words in (text.THEORY_NOTE, text.THEORY_HELP)
        )
        drawn.append(Tile(text.THEORY, f"{theory.holds:,}", note, more))
    return drawn


def summaries(
    claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]
) -> list[str]:
    """Return what holds and what fails of a paper, on data and in theory, in Markdown.

    Args:
        claims: all claims of the paper.
    """
    sentences = []
    for is_theory, templates in ((False, text.SUMMARIES), (True, text.SUMMARIES_THEORY)):
        kind_grounds = [ground for ground in grounds if (ground == THEORY) == is_theory]
        counts = _counts(claims, results, kind_grounds)
        if counts.done:
            slips = counts.slips if is_theory else 0
            failing = (DOES_NOT,) if is_theory else (DOES_NOT, SLIP)
            numbers = {"fails": counts.fails - slips, "slips": slips}
            template = templates[" and ".join(case for case, n in numbers.items() if n) or "holds"]
            places = {
                "places": _places(claims, results, kind_grounds, failing),
                "slip_places": _places(claims, results, kind_grounds, (SLIP,)),
            }
            fields = numbers | {"holds": counts.holds, "done": counts.done}
            sentences.append(render(template, **fields, **places))
    return sentences


def _places(
    claims: Sequence[Claim],
    results: StoredVerdicts,
    grounds: Sequence[str],
    outcomes: Sequence[str],
) -> list[str]:
    """Return the places in the paper of claims that come out so: figures, tables, sections."""
    failing = [
        claim
        for claim in _claim_count(claims)
        if any(
            shown_outcome(claim, v) in outcomes for v in verdict_count([claim], results, grounds)
        )
    ]
    return list(dict.fromkeys(re.split("[,;]", claim.place)[0] for claim in failing))


def finding(by_paper: ByPaper, theory: Counts | None) -> str:
    """Return the title of the chart of experiments: how many papers have more experiments in favor
    than against.

    Args:
        theory: outcomes of theorems, if they are counted.
    """
    tested = {name: row for name, row in by_paper.items() if _tested(row)}
    holds = {name: row.get(HOLDS, 0) + row.get(VACUOUS, 0) for name, row in tested.items()}
    fails = {name: row.get(DOES_NOT, 0) for name, row in tested.items()}
    ahead = sum(holds[name] > fails[name] for name in tested)
    fields: dict[str, Any] = {"ahead": ahead, "papers": len(tested)}
    if not any(fails.values()):
        case = "none"
    elif len(tested) == 1:
        case = "only"
        [paper] = tested
        fields |= {"paper": paper, "holds": holds[paper], "fails": fails[paper]}
    else:
        case = "every" if ahead == len(tested) else "some"
    if theory and theory.done:
        case += ", theory"
        fields |= {"wrong": theory.fails - theory.slips, "theorems": theory.done}
    return render(text.FINDINGS[case], **fields)


def theory_finding(counts: Counts) -> str:
    """Return the title of the chart of theorems: the share of decided statements that hold."""
    if not counts.fails:
        return text.NO_FAILURE
    decided = counts.holds + counts.fails
    return render(text.FINDING_THEORY, decided=decided, share=counts.holds / decided)


def caption(by_paper: ByPaper, counts: Counts, theory: bool) -> str:
    """Return the caption of a chart of outcomes: how bars and total go together."""
    if theory:
        return text.CAPTION_THEORY
    bars = sum(map(_tested, by_paper.values()))
    shared = render(text.CAPTION_SHARED, bars=bars, done=counts.done)
    sentences = [text.CAPTION_TESTS, shared if bars > counts.done else text.CAPTION]
    if any(outcomes.get(VACUOUS) for outcomes in by_paper.values()):
        sentences.append(text.CAPTION_TRIVIAL)
    return " ".join(sentences)


def _tested(outcomes: Mapping[str, int]) -> int:
    """Return how many runs of a paper have an answer."""
    return sum(number for outcome, number in outcomes.items() if outcome not in NO_ANSWER)


def in_reading_order(cells: Iterable[ClaimCell]) -> tuple[list[ClaimCell], list[ClaimCell]]:
    """Return the claims that fail in an experiment or proof, and the others, undecided first.

    Args:
        cells: each claim with its verdicts, in printed order.
    """
    outcomes = lambda cell: {verdict.outcome for verdict in cell[1]}
    failed: list[ClaimCell] = []
    others: list[ClaimCell] = []
    for cell in cells:
        (failed if DOES_NOT in outcomes(cell) else others).append(cell)
    others.sort(key=lambda cell: CANNOT_TELL not in outcomes(cell))
    return failed, others


def encoders_text(claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]) -> str:
    """Return the encoder of each data set, and how many runs decided how many outcomes."""
    verdicts = verdict_count(_claim_count(claims), results, grounds)
    rows = [verdict for verdict in verdicts if verdict.outcome not in NO_ANSWER]
    on = [
        render_text(text.DATA_AND_ENCODER, ground=GROUNDS[ground], encoder=ENCODERS[ground])
        for ground in grounds
        if ground in ENCODERS
    ]
    if not (rows and on):
        return ""
    return render(text.ENCODERS, data=", ".join(on), runs=len(runs(rows)), rows=len(rows))


def outcome_text(claim: Claim, verdict: TimedVerdict) -> str:
    """Return the outcome on a data set, or of theory, in words."""
    outcome = shown_outcome(claim, verdict)
    if verdict.ground == THEORY:
        return text.IN_THEORY.get(outcome, outcome)
    template = text.ON_DATA.get(outcome, outcome)
    return render_text(template, ground=GROUNDS[verdict.ground])


def claim_note(claim: Claim, results: StoredVerdicts, back: str) -> str:
    """Return a claim with its outcomes in Markdown, for the view that it leads to.

    Args:
        back: link to all claims.
    """
    outcomes = [
        outcome_text(claim, verdict) for verdict in verdict_count([claim], results, claim.grounds)
    ]
    result = render(text.RESULT, outcomes=", ".join(outcomes)) if outcomes else ""
    facts = {"paper": PAPERS[claim.paper].short, "place": claim.place, "says": claim.says}
    return " ".join(render(text.CLAIM_NOTE, result=result, back=back, **facts).split())


def table(
    claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]
) -> list[dict[str, str]]:
    """Return a row per claim and data set; one row for a claim without outcome."""
    stands = stands_on(results.values())
    rows = []
    for claim in claims:
        begin = {"paper": PAPERS[claim.paper].short, "place": claim.place, "claim": claim.says}
        end = {"link": " ".join(link.address for link in claim.links), "key": claim.key}
        verdicts = verdict_count([claim], results, grounds)
        rows += [
            begin
            | {"data set": verdict.ground, "outcome": shown_outcome(claim, verdict)}
            | {"because": in_words(claim, verdict, stands[claim.key, verdict.ground])}
            | end
            for verdict in verdicts
        ]
        if not verdicts:
            empty = {
                "data set": "",
                "outcome": listed.no_verdict_text(claim),
                "because": claim.why_not,
            }
            rows.append(begin | empty | end)
    return rows


def command(paper: str | None, grounds: Sequence[str]) -> str:
    """Return the command that tests the claims of a paper, or of all, on some of GROUNDS."""
    paper_option = f" --paper {paper}" if paper else ""
    data_options = (
        "" if set(grounds) >= set(GROUNDS) else "".join(f" --dataset {g}" for g in grounds)
    )
    return f"python -m dpviz papers{paper_option}{data_options}"


def origin(results: StoredVerdicts, version: str) -> str:
    """Return where the outcomes come from."""
    if not results:
        return text.NOT_STORED
    minutes = round(sum(verdict.seconds for verdict in results.values()) / 60)
    return render(text.STORED, version=version, minutes=minutes)
