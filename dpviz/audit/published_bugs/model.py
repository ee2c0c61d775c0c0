"""A published mistake: where it stands, what it is, what would mend it, and the same mistake made
again in a few lines of our own, beside its mended twin.

The code made again draws its noise from ``mechanisms`` by the number of the release. Its Laplace
noise is the textbook's on doubles: these audits do not look at how numbers are rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import mechanisms
from dpviz.audit import trade_off_audit
from dpviz.audit.trade_off_audit import InterimResult, Sample
from dpviz.types import DELTA, Guarantee

READ_DATE = "November 2026"
"""When codes and their issues were read, in stored copies."""
BLOCK = 1_024
"""Releases whose noise is drawn from one stream; each has rows of its own in it."""
SEED_GAP, STREAM = 2**25, 2**26
"""Numbers of the other neighbour's releases, and of the next audit's, start so much later."""
STATES = {
    "mended": "mended",
    "proposed": "a fix is proposed",
    "open": "reported, open",
    "unreported": "no report found",
    "study": "as meant for a study",
}
ADD_REMOVE, REPLACE = "add or remove one record", "replace one record"

Release = Callable[[Any, np.ndarray], np.ndarray]
"""release(data, seeds (runs,)) -> (runs, k) float64: a release for each seed, whatever the others
are."""
See = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class PublishedBug:
    """A mistake in a public code.

    Attributes:
        key, project: in links and for people; repository: ``owner/name`` on GitHub, or empty for
            this project's own; commit, path, lines: where it stands, as read.
        claims: what the project promises; mistake: what is done, in a plain sentence; precisely:
            the same with its formula, and why the promise does not follow; mend: what puts it
            right.
        state: a key of STATES; since: what became of it, in a sentence; links: words and address
            of reports, fixes and papers.
        release, fixed: made again, and its twin; differs: what is otherwise than in the project.
        with_record, without_record: neighbours; difference: how they differ.
        claim: what is promised of the code made again.
        see: see(rows (runs, k)) -> (runs, j), what an onlooker reckons with; narrow: how one looks
            who overlooks the mistake, in words and as ``see``, or None.
    """

    key: str
    project: str
    repository: str
    commit: str
    path: str
    lines: str
    claims: str
    mistake: str
    explanation: str
    fix: str
    state: str
    since: str
    links: tuple[tuple[str, str], ...]
    release: Release
    fixed: Release
    with_record: Any
    without_record: Any
    difference: str
    differs: str
    claim: Guarantee
    see: See = lambda rows: rows
    narrow: tuple[str, See] | None = None

    @property
    def address(self) -> str:
        """Of the file at the commit; empty for this project's own."""
        if not self.repository:
            return ""
        lines = "#" + "-".join(f"L{n}" for n in self.lines.split("-")) if self.lines else ""
        return f"https://github.com/{self.repository}/blob/{self.commit}/{self.path}{lines}"

    @property
    def code(self) -> str:
        """The file, the lines and the commit in a few words."""
        lines = f", line{'s' * ('-' in self.lines)} {self.lines}" if self.lines else ""
        return f"{self.path}{lines.replace('-', '–')}, at {self.commit[:8]}"

    def sample(self, which: str = "release", start: int = 0) -> Sample:
        """What is seen of releases of the code made again, of its twin, or narrowly of the first.

        Args:
            which: ``release``, ``mended`` or ``narrow``; start: the number of the audit.
        """
        make = self.fixed if which == "mended" else self.release
        see = self.narrow[1] if self.narrow and which == "narrow" else self.see

        def sampled(with_record: bool, first: int, runs: int) -> np.ndarray:
            seeds = start * STREAM + (not with_record) * SEED_GAP + first + np.arange(runs)
            return see(make(self.with_record if with_record else self.without_record, seeds))

        return sampled

    def watch(
        self,
        which: str = "release",
        start: int = 0,
        looks: tuple[int, ...] = trade_off_audit.INTERIM_COUNTS,
        error: float = trade_off_audit.ERROR,
    ) -> Iterator[InterimResult]:
        """The audit, look after look."""
        sample = self.sample(which, start)
        return trade_off_audit.watch(sample, self.claim, looks, error=error)


def normal(seeds: np.ndarray, label: str, k: int) -> np.ndarray:
    """Standard normal noise of each seed (runs,): (runs, k)."""

    def draw(block: int) -> np.ndarray:
        values = mechanisms.standard_normal(block, label, (BLOCK, k)).values
        assert values is not None
        return values

    return _rows(draw, seeds, k)


def uniform(seeds: np.ndarray, label: str, k: int) -> np.ndarray:
    """Uniform noise of each seed (runs,) in [0, 1): (runs, k)."""
    return _rows(lambda block: mechanisms.standard_uniform(block, label, (BLOCK, k)), seeds, k)


def laplace(seeds: np.ndarray, label: str, k: int) -> np.ndarray:
    """Laplace noise of scale 1 of each seed (runs,): (runs, k)."""
    u = uniform(seeds, label, k) - 0.5
    return -np.sign(u) * np.log1p(-2 * np.abs(u) * (1 - 2**-53))


def _rows(draw: Callable[[int], np.ndarray], seeds: np.ndarray, k: int) -> np.ndarray:
    seeds = np.asarray(seeds)
    values, blocks = np.empty((len(seeds), k)), seeds // BLOCK
    for block in np.unique(blocks):
        own = blocks == block
        values[own] = draw(int(block))[seeds[own] % BLOCK]
    return values


def pure(epsilon: float, adjacency: str) -> Guarantee:
    """A promise of epsilon alone."""
    return _claim("pure", epsilon, adjacency, epsilon**2 / 2)


def approx(epsilon: float, adjacency: str) -> Guarantee:
    """A promise of (epsilon, DELTA)."""
    return _claim("approx", epsilon, adjacency, np.inf)


def _claim(notion: str, epsilon: float, adjacency: str, rho: float) -> Guarantee:
    source = "what the code made again claims"
    return Guarantee(notion, epsilon, DELTA, adjacency, "the program", epsilon, rho, source)


def entry(found: PublishedBug) -> str:
    """All that is told of it, without figures, which an audit gives."""
    where = f"[`{found.code}`]({found.address})" if found.address else f"`{found.code}`"
    links = " · ".join(f"[{words}]({address})" for words, address in found.links)
    return "\n".join(
        [
            f"## {found.project}",
            "",
            f"**{found.mistake}** {found.since}",
            "",
            f"- Where: {where}{f' · {links}' if links else ''}",
            f"- Promised: {found.claims}",
            f"- Why it does not follow: {found.explanation}",
            f"- What mends it: {found.fix}",
            f"- Made again: {found.differs} Neighbours: {found.difference}.",
        ]
    )
