"""Trying claims, and what was found: kept in one file beside this one, with what computed it."""

from __future__ import annotations

import dataclasses
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import dpviz
from dpviz.machine import code_fingerprint
from dpviz.machine.files import write_atomic
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, ENCODERS, OUTCOMES, THEORY, Claim, Verdict
from dpviz.run.experiment import Progress
from dpviz.types import DpvizError

KEPT = Path(__file__).with_name("verdicts.json")


@dataclasses.dataclass(frozen=True)
class Tried:
    """A verdict on one ground, and in how many seconds."""

    claim: str
    ground: str
    outcome: str
    because: str
    seconds: float

    @property
    def verdict(self) -> Verdict:
        """Without the circumstances."""
        return Verdict(self.outcome, self.because)


Found = Mapping[tuple[str, str], Tried]
"""By the claim's key and its ground."""


def tries(claims: Iterable[Claim], grounds: Sequence[str]) -> list[tuple[Claim, str]]:
    """What there is to try of ``claims`` on ``grounds``: data sets and THEORY."""
    return [(claim, g) for claim in claims for g in claim.grounds if g in grounds]


def judge(wanted: Sequence[tuple[Claim, str]], progress: Progress) -> Iterator[Tried]:
    """Try each claim on its ground, one after another; what is refused there cannot be told."""
    for done, (claim, ground) in enumerate(wanted):
        progress(f"{claim.key} on {ground}", done, len(wanted))
        begun = time.perf_counter()
        try:
            told = claim.verdict(ground)
        except DpvizError as error:
            told = Verdict(CANNOT_TELL, f"It was not tried: {error}")
        seconds = round(time.perf_counter() - begun, 1)
        yield Tried(claim.key, ground, told.outcome, told.because, seconds)
    progress("claims", len(wanted), len(wanted))


def in_words(claim: Claim, one: Tried) -> str:
    """Why it came out so, and on what, where a claim about other data and weights does not hold."""
    if one.outcome != DOES_NOT or one.ground == THEORY or not claim.needs:
        return one.because
    place = f"{one.ground} ({ENCODERS[one.ground]})"
    return f"{one.because} So it is on {place} here; the paper's own needs {claim.needs}."


def counts(found: Iterable[Tried]) -> dict[str, int]:
    """How many of each outcome, those that are none among them."""
    seen = Counter(one.outcome for one in found)
    return {outcome: seen[outcome] for outcome in OUTCOMES}


def keep(found: Sequence[Tried], path: Path = KEPT) -> None:
    """Write verdicts over those that were kept of the same claims and grounds."""
    old = {} if not path.exists() else dict(kept(path)[0])
    new = old | {(one.claim, one.ground): one for one in found}
    text = {
        "made_with": {"dpviz": dpviz.__version__, "code": code_fingerprint.own()},
        "verdicts": [dataclasses.asdict(new[key]) for key in sorted(new)],
    }
    made = (json.dumps(text, indent=1, ensure_ascii=False) + "\n").encode()
    write_atomic(path, lambda file: file.write(made))


def kept(path: Path = KEPT) -> tuple[Found, dict[str, Any]]:
    """What was found before, and by what: the version and the code's fingerprint.

    Raises:
        DpvizError: where the file is not what ``keep`` writes.
    """
    if not path.exists():
        return {}, {}
    try:
        whole = json.loads(path.read_text())
        rows = [Tried(**row) for row in whole["verdicts"]]
        return {(row.claim, row.ground): row for row in rows}, whole["made_with"]
    except (ValueError, TypeError, KeyError) as error:
        raise DpvizError(f"{path.name} holds no verdicts ({error}); make it anew.") from error
