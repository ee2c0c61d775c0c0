"""Sentences and tables of the page "Papers"."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.papers import listed
from dpviz.papers.model import (
    CANNOT_TELL,
    DOES_NOT,
    ENCODERS,
    HOLDS,
    NOT_MET,
    NOT_TRIED,
    PAPERS,
    THEORY,
    VACUOUS,
    Claim,
)
from dpviz.papers.verdicts import (
    StoredVerdicts,
    TimedVerdict,
    counts,
    in_words,
    runs,
    shown_outcome,
    stands_on,
)

GROUNDS = {
    "mnist5k": "5,000 digits",
    "clothes": "photographs of clothes",
    "omniglot-60": "60 characters of Omniglot",
    THEORY: "theory",
}
"""On what claims are tried, as people read it."""
STARS = {
    "proto-f2-high": "With a large budget, the private mean of a class is a better prototype than"
    " any public image.",
    "mixed-tab1-public": "A few public images per class are better than private training on all"
    " data. This holds with many classes and few images per class.",
    "beyond-eq6": "A formula for drawing K public images counts too many sets. With the printed"
    " formula the method is not private: an error in the paper.",
}
"""Claims to show to a class, by key: one that holds, one that needs its premise, and an error."""


def verdict_count(
    claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]
) -> list[TimedVerdict]:
    """The verdicts that there are of ``claims`` on ``grounds``."""
    pairs = [(claim.key, ground) for claim in claims for ground in grounds]
    return [results[pair] for pair in pairs if pair in results]


def _each_run(rows: Sequence[TimedVerdict]) -> dict[str, int]:
    """How many runs of each outcome."""
    return counts(same[0] for same in runs(rows))


def kinds(grounds: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Grounds with data and without, by the title of their section; empty ones are left out."""
    data = tuple(ground for ground in grounds if ground != THEORY)
    theory = tuple(ground for ground in grounds if ground == THEORY)
    kinds_by_title = {listed.ON_DATA: data, listed.ON_THEORY: theory}
    return {
        title: grounds_of_kind
        for title, grounds_of_kind in kinds_by_title.items()
        if grounds_of_kind
    }


def by_paper(
    claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]
) -> dict[str, dict[str, int]]:
    """How many runs of each outcome, by the paper's short name."""
    by_key = {key: [claim for claim in claims if claim.paper == key] for key in PAPERS}
    verdicts = {
        key: verdict_count(_claim_count(rows), results, grounds) for key, rows in by_key.items()
    }
    return {PAPERS[key].short: _each_run(rows) for key, rows in verdicts.items() if rows}


def _claim_count(claims: Sequence[Claim]) -> list[Claim]:
    """Claims without cited results."""
    return [claim for claim in claims if not claim.textbook]


def plain(claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]) -> str:
    """What came of the runs on data, and of theory, and how much is live."""
    live = f"**{len(listed.live(claims))} of {len(claims)}** rows open as a live view."
    rows = verdict_count(_claim_count(claims), results, grounds)
    if not rows:
        return f"{live} What came of trying them is not kept here."
    sets = [GROUNDS[ground] for ground in grounds if ground != THEORY]
    sentences = [
        _on_data([verdict for verdict in rows if verdict.ground != THEORY], sets) if sets else "",
        _of_theory(claims, [verdict for verdict in rows if verdict.ground == THEORY])
        if THEORY in grounds
        else "",
        live,
    ]
    return " ".join(filter(None, sentences))


ON_DATA = (
    "On small data sets ({sets}) with other encoders than the papers', of {done} runs **{holds}**"
    " came out as a paper says, **{fails}** did not, and {open} could not be told. {unmet} rows"
    " were left out because the data do not meet the claim's premise."
)
OF_THEORY = (
    "Of {done} theorems, formulas and numbers **{holds}** hold as printed, **{fails}** do not, and"
    " {open} cannot be told."
)
SLIPS = " **{slips}** of these fail as printed by a slip of a constant or sign alone."


def _on_data(rows: Sequence[TimedVerdict], sets: Sequence[str]) -> str:
    counts_by_outcome = _each_run(rows)
    return ON_DATA.format(
        sets=", ".join(sets),
        done=sum(counts_by_outcome.values())
        - counts_by_outcome[NOT_TRIED]
        - counts_by_outcome[NOT_MET],
        holds=counts_by_outcome[HOLDS] + counts_by_outcome[VACUOUS],
        fails=counts_by_outcome[DOES_NOT],
        open=counts_by_outcome[CANNOT_TELL],
        unmet=sum(verdict.outcome == NOT_MET for verdict in rows),
    )


def _of_theory(claims: Sequence[Claim], rows: Sequence[TimedVerdict]) -> str:
    counts_by_outcome, slips = _each_run(rows), listed.slips_in(claims, rows)
    text = OF_THEORY.format(
        done=sum(counts_by_outcome.values()),
        holds=counts_by_outcome[HOLDS] + counts_by_outcome[VACUOUS],
        fails=counts_by_outcome[DOES_NOT],
        open=counts_by_outcome[CANNOT_TELL],
    )
    return text + (SLIPS.format(slips=slips) if slips else "")


def precise(claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]) -> str:
    """The same with the encoders of each data set, and on how many rows the runs stand."""
    rows = verdict_count(claims, results, grounds)
    if not rows:
        return plain(claims, results, grounds)
    on = ", ".join(f"{ground} ({ENCODERS[ground]})" for ground in grounds if ground in ENCODERS)
    return (
        f"{plain(claims, results, grounds)} {f'Data: {on}. ' if on else ''}The {len(runs(rows))}"
        f" runs are verdicts of {len(rows)} rows; rules stand below."
    )


def table(
    claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]
) -> list[dict[str, str]]:
    """A row a claim and data set, for a table; one where there is no verdict."""
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
    """The command that tries the claims of a paper, or of all, on some of GROUNDS."""
    paper_option = f" --paper {paper}" if paper else ""
    data_options = (
        "" if set(grounds) >= set(GROUNDS) else "".join(f" --dataset {g}" for g in grounds)
    )
    return f"python -m dpviz papers{paper_option}{data_options}"


def origin(results: StoredVerdicts, version: str) -> str:
    """How the verdicts came about."""
    if not results:
        return (
            "No verdicts are kept here: `python -m dpviz papers --keep` tries every claim and keeps"
            " them for this page, `--claim` and a claim's key tries one."
        )
    seconds = sum(verdict.seconds for verdict in results.values())
    return (
        f"Verdicts were computed before, by dpviz {version}, in {seconds / 60:.0f} minutes, and are"
        " kept with it; `python -m dpviz papers --keep` computes all of them anew, the command"
        " under each claim that one. A run that rows of two papers share stands in both bars. The"
        " views that links open compute their own numbers."
    )
