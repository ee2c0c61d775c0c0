"""Published bugs: place in the code, fix, and a re-implementation of both.

Re-implementations draw noise from ``mechanisms`` by the number of the release. Laplace noise
follows the textbook formula in float64; these audits do not examine rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import mechanisms
from dpviz.audits import trade_off_audit
from dpviz.audits.trade_off_audit import InterimResult, Sample
from dpviz.text import published_bugs as text
from dpviz.text.template import render_text
from dpviz.types import DELTA, Guarantee

READ_DATE, STATES = text.READ_DATE, text.STATES
#: Releases whose noise is drawn from one stream; each has its own rows.
BLOCK = 1_024
#: Offset of the release numbers of the other neighbor, and of the next audit.
SEED_GAP, STREAM = 2**25, 2**26
ADD_REMOVE, REPLACE = "add or remove one record", "replace one record"

Release = Callable[[Any, np.ndarray], np.ndarray]
"""release(data, seeds (runs,)) -> (runs, k) float64: a release for each seed, whatever the others
are."""
See = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class PublishedBug:
    """A bug in published code. ``text.BUGS`` has the texts.

    Attributes:
        key: in links and in ``text.BUGS``; repository: ``owner/name`` on GitHub, or empty for this
            project; commit, path, lines: place of the bug.
        state: a key of STATES; links: label and address of reports, fixes and papers.
        release, fixed: re-implementations of the bug and of its fix.
        with_record, without_record: neighbors; claim: of the re-implementation.
        see: see(rows (runs, k)) -> (runs, j), the outputs that the audit uses; narrow: label and
            function of a view that misses the bug, or None.
    """

    key: str
    repository: str
    commit: str
    path: str
    lines: str
    state: str
    links: tuple[tuple[str, str], ...]
    release: Release
    fixed: Release
    with_record: Any
    without_record: Any
    claim: Guarantee
    see: See = lambda rows: rows
    narrow: tuple[str, See] | None = None

    @property
    def project(self) -> str:
        """Name of the project."""
        return text.BUGS[self.key]["project"]

    @property
    def claims(self) -> str:
        """Guarantee that the project claims."""
        return text.BUGS[self.key]["claims"]

    @property
    def mistake(self) -> str:
        """The bug in one plain sentence."""
        return text.BUGS[self.key]["mistake"]

    @property
    def explanation(self) -> str:
        """Reason why the claim fails, with formulas."""
        return text.BUGS[self.key]["explanation"]

    @property
    def fix(self) -> str:
        """Correction of the bug."""
        return text.BUGS[self.key]["fix"]

    @property
    def since(self) -> str:
        """Reports and fixes of the bug."""
        return text.BUGS[self.key]["since"]

    @property
    def difference(self) -> str:
        """Difference of the neighbors."""
        return text.BUGS[self.key]["difference"]

    @property
    def differs(self) -> str:
        """Differences of the re-implementation from the project."""
        return text.BUGS[self.key]["differs"]

    @property
    def address(self) -> str:
        """Address of the file at the commit; empty for this project."""
        if not self.repository:
            return ""
        lines = "#" + "-".join(f"L{n}" for n in self.lines.split("-")) if self.lines else ""
        return f"https://github.com/{self.repository}/blob/{self.commit}/{self.path}{lines}"

    @property
    def code(self) -> str:
        """File, lines and commit as text."""
        lines = f", line{'s' * ('-' in self.lines)} {self.lines}" if self.lines else ""
        return f"{self.path}{lines.replace('-', '–')}, at {self.commit[:8]}"

    def sample(self, which: str = "release", start: int = 0) -> Sample:
        """Return samples of releases of the bug, of the fix, or of the bug in the narrow view.

        Args:
            which: ``release``, ``mended`` or ``narrow``; start: number of the audit.
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
        """Yield the interim results of the audit."""
        sample = self.sample(which, start)
        return trade_off_audit.watch(sample, self.claim, looks, error=error)


def normal(seeds: np.ndarray, label: str, k: int) -> np.ndarray:
    """Return standard normal noise of each seed (runs,): (runs, k)."""

    def draw(block: int) -> np.ndarray:
        values = mechanisms.standard_normal(block, label, (BLOCK, k)).values
        assert values is not None
        return values

    return _rows(draw, seeds, k)


def uniform(seeds: np.ndarray, label: str, k: int) -> np.ndarray:
    """Return uniform noise in [0, 1) of each seed (runs,): (runs, k)."""
    return _rows(lambda block: mechanisms.standard_uniform(block, label, (BLOCK, k)), seeds, k)


def laplace(seeds: np.ndarray, label: str, k: int) -> np.ndarray:
    """Return Laplace noise of scale 1 of each seed (runs,): (runs, k)."""
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
    """Return a claim of pure epsilon."""
    return _claim("pure", epsilon, adjacency, epsilon**2 / 2)


def approx(epsilon: float, adjacency: str) -> Guarantee:
    """Return a claim of (epsilon, DELTA)."""
    return _claim("approx", epsilon, adjacency, np.inf)


def _claim(notion: str, epsilon: float, adjacency: str, rho: float) -> Guarantee:
    source = "claim of the re-implementation"
    return Guarantee(notion, epsilon, DELTA, adjacency, "the program", epsilon, rho, source)


def entry(bug: PublishedBug) -> str:
    """Return the entry of a bug in docs/explanation/wild.md, without figures."""
    where = f"[`{bug.code}`]({bug.address})" if bug.address else f"`{bug.code}`"
    links = [f"[{label}]({address})" for label, address in bug.links]
    fields = {name: str(getattr(bug, name)) for name in (*text.BUGS[bug.key],)}
    fields["code"] = " · ".join([where, *links])
    return "\n".join(render_text(line, **fields) for line in text.ENTRY)
