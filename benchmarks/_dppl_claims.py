"""What the DPPL papers claim, as comparisons of cells of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from benchmarks._tables import Between, Claim, Table, folded, verdict
from dpviz.methods import METHODS
from dpviz.papers.checks import premises

BASELINES = ("noisy-gd", "global-adapt", "dp-ls", "dp-newton", "dp-fc")
PROTOTYPES = ("dppl-mean", "dppl-public", "dppl-publick")
MIXED = ("adamix", "only-public")
"""Of another paper, with labelled public data: in the tables, not in these claims."""
PREMISE = "other-or-broad-public-set"
"""Of the papers' claims on DPPL-Public, as on the Papers page."""
UNMET = "**premise not met here**: the figures are no test of the claim"
PUBLIC_MAP = "**undecided**, as these maps are trained on public data and the papers' on private"
PRIVATE = [key for key, method in METHODS.items() if method.private and key not in MIXED]


@dataclass(frozen=True)
class PublicMap(Claim):
    """That a map does not help, tried with maps on public data: a gain refutes no private map."""

    def measured(self, all_signs: Mapping[Any, int]) -> str:
        """The verdict, or that it cannot be told where a map helps, with every pair's figures."""
        signs = [all_signs[self.table.score, a, b] for a, b in self.pairs]
        text = verdict(signs)
        if -1 in signs:
            text = f"{PUBLIC_MAP} {text.partition('** ')[2]}"
        return folded(text, self._figures())


@dataclass(frozen=True)
class Unmet:
    """A claim on data that do not meet its premise: its figures, without a verdict."""

    claim: Claim

    def told(self) -> dict[Any, Any]:
        """All that the claim compares."""
        return self.claim.told()

    def measured(self, all_signs: Mapping[Any, int]) -> str:
        """That the premise is not met, with the counts and figures of the claim."""
        return f"{UNMET} {self.claim.measured(all_signs).rpartition('** ')[2]}"


def claims(
    balanced: Table,
    minority: Table,
    budgets: Sequence[float],
    places: Sequence[str],
    level: str,
    imbalanced: Sequence[str],
    imbalance_text: str,
    dataset: str,
    left_out: Sequence[str] = (),
) -> dict[str, Claim | Unmet]:
    """All of their claims but that on encoders.

    Args:
        budgets: rising; places: of the table; level: the one whose classes are balanced;
            imbalanced: those in which they are not; imbalance_text: in words; dataset: its key.
        left_out: methods that the table lacks.
    """
    prototypes, baselines, rivals = (
        [m for m in methods if m not in left_out] for methods in (PROTOTYPES, BASELINES, PRIVATE)
    )
    rivals = [m for m in rivals if m != "dp-ls"]
    small, large = budgets[0], budgets[-1]
    all_places = list(product(places, budgets))
    met, _ = premises.measured(PREMISE, dataset)
    of_public = (lambda claim: claim) if met else Unmet
    return {
        "Prototypes beat the baselines on the minority once classes are imbalanced"
        f" ({imbalance_text}; best of each family)": of_public(
            families(minority, prototypes, baselines, list(product(imbalanced, budgets)))
        ),
        "DPPL-Public beats DPPL-Mean at the small budget": of_public(
            Claim(balanced, [((p, "dppl-public", small), (p, "dppl-mean", small)) for p in places])
        ),
        "DPPL-Mean beats DPPL-Public at the large budget": of_public(
            Claim(balanced, [((p, "dppl-mean", large), (p, "dppl-public", large)) for p in places])
        ),
        "DP-LS is the strongest when classes are balanced": Claim(
            balanced,
            [((level, "dp-ls", b), balanced.best((level, m, b) for m in rivals)) for b in budgets],
            [((level, "dp-ls", b), (level, m, b)) for b in budgets for m in rivals],
        ),
        "DPPL-PublicK lies between DPPL-Public and DPPL-Mean (K = 5; the papers pick K)": of_public(
            Between(
                balanced,
                [
                    ((p, "dppl-publick", b), (p, m, b))
                    for p, b in all_places
                    for m in ("dppl-public", "dppl-mean")
                ],
            )
        ),
        "A projection layer does not help (each DPPL method against its projected form)": PublicMap(
            balanced,
            [((p, m, b), (p, f"{m}-projected", b)) for m in PROTOTYPES[:2] for p, b in all_places],
        ),
    }


def families(
    table: Table,
    ours: Sequence[str],
    theirs: Sequence[str],
    all_places: Sequence[tuple[str, float]],
) -> Claim:
    """That the best of some methods beats the best of others, at each place and budget."""
    return Claim(
        table,
        [
            (table.best((p, m, b) for m in ours), table.best((p, m, b) for m in theirs))
            for p, b in all_places
        ],
        [((p, a, b), (p, m, b)) for p, b in all_places for a, m in product(ours, theirs)],
    )


def better_encoder(
    table: Table, places: Sequence[tuple[str, str]], budget: float, left_out: Sequence[str] = ()
) -> Claim:
    """That every method does better at the first of each pair of places."""
    return Claim(
        table,
        [
            ((strong, m, budget), (weak, m, budget))
            for strong, weak in places
            for m in PRIVATE
            if m not in left_out
        ],
    )
