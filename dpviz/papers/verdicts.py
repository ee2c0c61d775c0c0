"""Trying claims, and what was found: kept in one file beside this one, with what computed it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import dpviz
from dpviz.data.imbalance import kept_sizes
from dpviz.experiments.experiment import Progress
from dpviz.machine import code_fingerprint
from dpviz.machine.files import write_atomic
from dpviz.papers.checks import premises
from dpviz.papers.model import (
    DOES_NOT,
    ENCODERS,
    NO_ANSWER,
    NOT_MET,
    NOT_TRIED,
    OUTCOMES,
    THEORY,
    Claim,
    Verdict,
)
from dpviz.types import DpvizError

#: How an outcome is decided, on the page and in docs/papers.
RULES = (
    "**Holds:** all comparisons agree with the claim.",
    "**Fails:** at least one comparison significantly contradicts the claim.",
    "**Undecided:** any other result.",
    "**Holds trivially:** the bound holds, but is no tighter than a bound that always holds.",
    "**Misprint:** only a constant or a sign is wrong in print.",
    "**Premise not met:** the data do not meet an assumption of the paper, so the claim was not"
    " tested.",
    "**Not tested:** the run is not possible, the data lack the subject of the claim, or the paper"
    " states no limit.",
    "**Significant:** outside the 95% interval of noise seeds and test images, corrected for"
    " several comparisons (Holm), or decided by exact numbers.",
    "Each run counts once, even if it decides several claims. Cited results are not counted.",
    "Methods use the default settings of dpviz unless a claim says otherwise. Most papers tuned"
    " their settings. The score range 1.3 to 1.9 of DPPL-Public is from dpviz; the papers print"
    " none.",
    "Rules were written before the runs: `python -m dpviz papers --rules` prints them.",
)
#: Records of each class, of which the protocol's sizes are marked.
MARKED = ((400,) * 10, (570, 80, 420, 310, 95, 260, 150, 200, 120, 105), (500,) * 100)
VERDICTS_FILE = Path(__file__).with_name("verdicts.json")


@dataclasses.dataclass(frozen=True)
class TimedVerdict:
    """A verdict on one ground, and in how many seconds.

    Attributes:
        sizes: ``protocol_mark`` of the code that computed it; "" where none was kept.
    """

    claim: str
    ground: str
    outcome: str
    because: str
    seconds: float
    sizes: str = ""

    @property
    def verdict(self) -> Verdict:
        """Without the circumstances."""
        return Verdict(self.outcome, self.because)


def protocol_mark() -> str:
    """Digest of the class sizes that the imbalance protocol keeps of uneven and even classes.

    It changes when another protocol would keep other records, so that a stored verdict on
    imbalanced data can be told from one of the present code.
    """
    cases = [(counts, ratio) for counts in MARKED for ratio in (1.0, 10.0, 50.0, 100.0)]
    sizes = [kept_sizes(counts, ratio, draw).tolist() for counts, ratio in cases for draw in (0, 1)]
    return hashlib.sha256(json.dumps(sizes).encode()).hexdigest()[:12]


#: By the claim's key and its ground.
StoredVerdicts = Mapping[tuple[str, str], TimedVerdict]


def tries(claims: Iterable[Claim], grounds: Sequence[str]) -> list[tuple[Claim, str]]:
    """What there is to try of ``claims`` on ``grounds``: data sets and THEORY."""
    return [(claim, g) for claim in claims for g in claim.grounds if g in grounds]


def judge(wanted: Sequence[tuple[Claim, str]], progress: Progress) -> Iterator[TimedVerdict]:
    """Try each claim on its ground, one after another; what is refused is not tried."""
    for index, (claim, ground) in enumerate(wanted):
        progress(f"{claim.key} on {ground}", index, len(wanted))
        begun = time.perf_counter()
        try:
            verdict = judged(claim, ground)
        except DpvizError as error:
            verdict = Verdict(NOT_TRIED, f"Not possible: {error}")
        seconds = round(time.perf_counter() - begun, 1)
        mark = "" if ground == THEORY else protocol_mark()
        yield TimedVerdict(claim.key, ground, verdict.outcome, verdict.because, seconds, mark)
    progress("claims", len(wanted), len(wanted))


def judged(claim: Claim, ground: str) -> Verdict:
    """Try a claim on data that meet its premise."""
    premise = "" if ground == THEORY else claim.rule.for_ground(ground).premise
    if not premise:
        return claim.verdict(ground)
    met, says = premises.measured(premise, ground)
    if not met:
        return Verdict(NOT_MET, says)
    verdict = claim.verdict(ground)
    return Verdict(verdict.outcome, f"{verdict.because} {says}")


#: Shown for DOES_NOT where a constant or a sign alone is missing in print.
SLIP = "does not hold as printed: a misprint"


def shown_outcome(claim: Claim, verdict: TimedVerdict) -> str:
    """The outcome as a reader meets it: a slip in print is told from a false statement."""
    return SLIP if slipped(claim, verdict) else verdict.outcome


def slipped(claim: Claim, verdict: TimedVerdict) -> bool:
    """Whether a claim does not hold by a slip of a constant or a sign alone."""
    return bool(claim.slip) and verdict.outcome == DOES_NOT


def in_words(claim: Claim, verdict: TimedVerdict, stands: int = 1) -> str:
    """Why it came out so, on how many rows its run ``stands``, and on what data, where a claim
    about others does not hold.
    """
    parts = [claim.slip, verdict.because] if slipped(claim, verdict) else [verdict.because]
    if stands > 1:
        parts.append(f"This run decides {stands} claims.")
    if verdict.outcome == DOES_NOT and verdict.ground != THEORY and claim.needs:
        place = f"{verdict.ground} ({ENCODERS[verdict.ground]})"
        parts.append(f"This result is for {place}. The paper's own setting needs {claim.needs}.")
    return " ".join(parts)


def counts(rows: Iterable[TimedVerdict]) -> dict[str, int]:
    """How many rows of each of OUTCOMES, those that are none among them; of ``runs``, how many
    distinct runs: ``counts(rows[0] for rows in runs(found))``.
    """
    number_of = Counter(verdict.outcome for verdict in rows)
    return {outcome: number_of[outcome] for outcome in OUTCOMES}


def runs(verdicts: Iterable[TimedVerdict]) -> list[tuple[TimedVerdict, ...]]:
    """The rows that each run is the verdict of: equal in ground, outcome and sentence. Rows
    without an answer had no run, so each counts by itself.
    """
    by_run: dict[tuple[str, ...], list[TimedVerdict]] = {}
    for verdict in verdicts:
        own = (verdict.claim,) if verdict.outcome in NO_ANSWER else ()
        key = (verdict.ground, verdict.outcome, verdict.because, *own)
        by_run.setdefault(key, []).append(verdict)
    return [tuple(rows) for rows in by_run.values()]


def stands_on(verdicts: Iterable[TimedVerdict]) -> dict[tuple[str, str], int]:
    """On how many rows the run of each row stands, by the claim's key and its ground."""
    return {
        (verdict.claim, verdict.ground): len(rows) for rows in runs(verdicts) for verdict in rows
    }


def keep(verdicts: Sequence[TimedVerdict], path: Path = VERDICTS_FILE) -> None:
    """Write verdicts over those that were kept of the same claims and grounds."""
    old = {} if not path.exists() else dict(stored(path)[0])
    new = old | {(verdict.claim, verdict.ground): verdict for verdict in verdicts}
    text = {
        "made_with": {"dpviz": dpviz.__version__, "code": code_fingerprint.own()},
        "verdicts": [_row(new[key]) for key in sorted(new)],
    }
    content = (json.dumps(text, indent=1, ensure_ascii=False) + "\n").encode()
    write_atomic(path, lambda file: file.write(content))


def _row(verdict: TimedVerdict) -> dict[str, Any]:
    return {name: value for name, value in dataclasses.asdict(verdict).items() if value != ""}


def stored(path: Path = VERDICTS_FILE) -> tuple[StoredVerdicts, dict[str, Any]]:
    """What was found before, and by what: the version and the code's fingerprint.

    Raises:
        DpvizError: where the file is not what ``keep`` writes.
    """
    if not path.exists():
        return {}, {}
    try:
        whole = json.loads(path.read_text())
        rows = [TimedVerdict(**row) for row in whole["verdicts"]]
        return {(row.claim, row.ground): row for row in rows}, whole["made_with"]
    except (ValueError, TypeError, KeyError) as error:
        raise DpvizError(f"{path.name} has no verdicts ({error}). Create it again.") from error
