"""What a paper claims, where it is seen here, and what came of trying it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpviz.papers import rules
from dpviz.types import DataConfig, DpvizError

HOLDS, DOES_NOT, CANNOT_TELL = "holds", "does not hold", "undecided"
VACUOUS = "holds trivially"
NOT_MET = "premise not met here"
NOT_TRIED = "not tested here"
OUTCOMES = (HOLDS, VACUOUS, DOES_NOT, CANNOT_TELL, NOT_MET, NOT_TRIED)
#: Outcomes of claims that were not tried: they neither hold nor fail.
NO_ANSWER = (NOT_MET, NOT_TRIED)
#: The data sets on which claims are tried, each with the encoder that is shipped for it.
ENCODERS = {"mnist5k": "glyphnet", "clothes": "lite0-128", "omniglot-60": "glyphnet"}
#: Stands for the data set where a claim is about none.
THEORY = "theory"


@dataclass(frozen=True)
class Verdict:
    """What came of trying a claim.

    Attributes:
        outcome: of OUTCOMES. ``CANNOT_TELL``: not significantly different. ``VACUOUS``: a bound
            that holds and is no smaller than the trivial bound. ``NOT_MET``: the data do not meet
            the claim's premise. ``NOT_TRIED``: refused, tried without the claim's subject, or
            without a limit to decide by.
        because: one sentence with the computed figures, their intervals and the settings.

    Raises:
        DpvizError: for another outcome, or no reason.
    """

    outcome: str
    because: str

    def __post_init__(self) -> None:
        if self.outcome not in OUTCOMES or not self.because:
            raise DpvizError(
                f"A verdict is one of {', '.join(OUTCOMES)} with a reason, not {self.outcome!r}."
            )


@dataclass(frozen=True)
class Ground:
    """The data set on which a claim is tried: a key of ENCODERS.

    Attributes:
        seeds: noise seeds of each run; draws: data draws, from 0.
    """

    dataset: str
    seeds: int = 5
    draws: int = 1

    @property
    def encoder(self) -> str:
        """The shipped encoder of the data set."""
        return ENCODERS[self.dataset]

    def material(self, **changes: Any) -> DataConfig:
        """The data set with its shipped encoder; ``changes`` are other fields of a DataConfig."""
        return DataConfig(**{"dataset": self.dataset, "encoder": self.encoder} | changes)


@dataclass(frozen=True)
class Theory:
    """A check that reads no data set: computed once."""

    check: Callable[[], Verdict]


theory = Theory
Check = Callable[[Ground], Verdict] | Theory


@dataclass(frozen=True)
class Link:
    """A live view: what it shows, and the address of its page with every control that matters."""

    label: str
    address: str


@dataclass(frozen=True)
class Claim:
    """One figure, table, theorem, ablation or statement of a paper.

    Attributes:
        key: unique, such as "collapse-t3.1"; paper: key of PAPERS; place: as printed.
        says: what it shows or claims, in our words.
        links: views in which it is live; why_not: the reason where there is none, or what the
            command leaves out.
        check: tries it; None where it claims nothing that could fail here, such as a sketch.
        needs: what it takes to be live as printed: data or weights that are not shipped.
        textbook: True for a result of other work that the paper cites; no count includes it.
        slip: where it fails as printed by a constant or a sign alone: what is missing, and what
            stays once it is corrected.

    Raises:
        DpvizError: where nothing is live and no reason is given.
    """

    key: str
    paper: str
    place: str
    says: str
    links: tuple[Link, ...] = ()
    why_not: str = ""
    check: Check | None = None
    needs: str = ""
    textbook: bool = False
    slip: str = ""

    def __post_init__(self) -> None:
        if self.paper not in PAPERS:
            raise DpvizError(f"{self.key} is of no paper: {self.paper!r}.")
        if not (self.links or self.why_not):
            raise DpvizError(f"{self.key} is nowhere live and says no reason.")

    @property
    def grounds(self) -> tuple[str, ...]:
        """On what it is tried: data sets, THEORY, or nothing."""
        if self.check is None:
            return ()
        return (THEORY,) if isinstance(self.check, Theory) else self.rule.grounds

    @property
    def rule(self) -> rules.Rule:
        """How an outcome is decided, as ``rules.toml`` states."""
        return rules.rule_of(self.key, self.paper)

    @property
    def theoretical(self) -> bool:
        """True for a theorem or formula that is tried without data."""
        return self.grounds == (THEORY,)

    def verdict(self, ground: str) -> Verdict:
        """Try the claim on one of its ``grounds``, whatever its premise."""
        if isinstance(self.check, Theory):
            return self.check.check()
        assert self.check is not None
        rule = self.rule.for_ground(ground)
        return self.check(Ground(ground, rule.seeds, rule.draws))


@dataclass(frozen=True)
class Paper:
    """A paper whose systems are all here."""

    title: str
    authors: str
    venue: str
    short: str


PAPERS = {
    "prototypes": Paper(
        "Differentially Private Prototypes for Imbalanced Transfer Learning",
        "Wahdany, Jagielski, Dziedzic and Boenisch",
        "AAAI 2025",
        "DP prototypes",
    ),
    "beyond_the_mean": Paper(
        "Beyond the Mean: Differentially Private Prototypes for Private Transfer Learning",
        "Wahdany, Jagielski, Dziedzic and Boenisch",
        "the first version, 2024, with its appendices",
        "Beyond the mean",
    ),
    "prompts": Paper(
        "Exploring the Benefits of Visual Prompting in Differential Privacy",
        "Li, Tsai, Yu, Chen and Ren",
        "ICCV 2023",
        "Prom-PATE",
    ),
    "mixed": Paper(
        "Mixed Differential Privacy in Computer Vision",
        "Golatkar, Achille, Wang, Roth, Kearns and Soatto",
        "CVPR 2022",
        "AdaMix",
    ),
    "collapse": Paper(
        "Neural Collapse Meets Differential Privacy",
        "Wang, Zhu, Su and Wang",
        "2024",
        "Neural collapse",
    ),
}
