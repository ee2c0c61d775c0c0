"""Rules that decide a claim's outcome, stated in ``rules.toml`` before any run."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from dpviz.caches import cached
from dpviz.shares import LEVEL
from dpviz.types import DpvizError

FILE = Path(__file__).with_name("rules.toml")


@dataclass(frozen=True)
class Condition:
    """A measured number that a premise needs.

    Attributes:
        measure: of ``checks.premises.MEASURES``; says: the number in words.
        least, most: allowed range, both ends included.
        significant: True where the interval around the number must lie above 0.
        decides: False where the number is printed only.
    """

    measure: str
    says: str
    least: float = float("-inf")
    most: float = float("inf")
    significant: bool = False
    decides: bool = True


@dataclass(frozen=True)
class Premise:
    """What a paper's claims assume about the data.

    Attributes:
        says: the assumption; source: where it comes from.
        any: True where one condition is enough; else all must be met.
    """

    says: str
    source: str
    conditions: tuple[Condition, ...]
    any: bool = False


@dataclass(frozen=True)
class Rule:
    """How the outcome of a claim is decided.

    Attributes:
        measure: the compared number; direction: how it must differ for the claim to hold.
        margin: smallest difference that counts, in points, or as ``direction`` states.
        level: of the intervals, corrected by Holm for all comparisons of a claim.
        seeds: noise seeds of each run; draws: data draws; premise: key of a premise, or "".
        grounds: keys of data sets; by_ground: fields that differ on a data set.
    """

    measure: str
    direction: str
    margin: float = 0.0
    level: float = LEVEL
    seeds: int = 1
    draws: int = 1
    premise: str = ""
    grounds: tuple[str, ...] = ("mnist5k", "clothes")
    by_ground: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = ()

    def for_ground(self, ground: str) -> Rule:
        """Return the rule on a data set."""
        return replace(self, **dict(dict(self.by_ground).get(ground, ())))

    @property
    def words(self) -> str:
        """The rule in a sentence."""
        margin = f", margin {self.margin:g}" if self.margin else ""
        ground_texts = "; ".join(
            f"{ground}: {', '.join(f'{value} {name}' for name, value in values)}"
            for ground, values in self.by_ground
        )
        premise = f" Premise: {self.premise}." if self.premise else ""
        if self.seeds == 0:
            return f"{self.measure}; {self.direction}{margin}."
        return (
            f"{self.measure}; {self.direction}{margin}; level {100 * self.level:g}%,"
            f" {self.seeds} seeds, {self.draws} data draw{'s' * (self.draws > 1)}"
            f"{f' ({ground_texts})' if ground_texts else ''}.{premise}"
        )


@cached(256)
def _tables() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text())


@cached(256)
def protocol(name: str) -> Rule:
    """Return what all claims of a group share: a table below ``[protocol]``."""
    return _rule(f"protocol {name}", _tables()["protocol"][name])


@cached(256)
def rule_of(claim: str, paper: str) -> Rule:
    """Return the rule of a claim by its key; without one, its paper's protocol."""
    own = dict(_tables()["claim"].get(claim, {}))
    shared = _tables()["protocol"][own.pop("protocol", paper)]
    return _rule(claim, shared | own)


@cached(256)
def premises() -> dict[str, Premise]:
    """Return every premise by its key."""
    return {
        key: Premise(**table | {"conditions": tuple(Condition(**c) for c in table["conditions"])})
        for key, table in _tables()["premise"].items()
    }


def keys() -> tuple[str, ...]:
    """Return the keys of all claims that the file names."""
    return tuple(_tables()["claim"])


def _rule(name: str, table: dict[str, Any]) -> Rule:
    """Build a rule.

    Raises:
        DpvizError: for an unknown field, an unknown premise, or another level than the intervals'.
    """
    unknown = set(table) - {field.name for field in fields(Rule)} - {"on"}
    if unknown:
        raise DpvizError(f"{FILE.name}: {name} has unknown fields: {', '.join(sorted(unknown))}.")
    own = dict(table)
    by_ground = tuple(
        (ground, tuple(values.items())) for ground, values in own.pop("on", {}).items()
    )
    rule = Rule(
        **own | {"by_ground": by_ground, "grounds": tuple(own.get("grounds", Rule.grounds))}
    )
    if rule.level != LEVEL:
        raise DpvizError(f"{FILE.name}: {name} has level {rule.level:g}; intervals have {LEVEL:g}.")
    if rule.premise and rule.premise not in premises():
        raise DpvizError(f"{FILE.name}: {name} has the unknown premise {rule.premise!r}.")
    return rule
