"""What a paper claims, where it is seen here, and what came of trying it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpviz.types import DpvizError, Material

HOLDS, DOES_NOT, CANNOT_TELL = "holds", "does not hold", "cannot be told"
NOT_TRIED = "not tried here"
OUTCOMES = (HOLDS, DOES_NOT, CANNOT_TELL, NOT_TRIED)
ENCODERS = {"mnist5k": "glyphnet", "clothes": "lite0-128"}
"""The data sets on which claims are tried, each with the encoder that is shipped for it."""
THEORY = "theory"
"""Stands for the data set where a claim is about none."""


@dataclass(frozen=True)
class Verdict:
    """What came of trying a claim.

    Attributes:
        outcome: of OUTCOMES; a difference within noise is ``CANNOT_TELL``, what was refused or was
            tried without what the claim is about ``NOT_TRIED``.
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
    """The data set on which a claim is tried: a key of ENCODERS."""

    dataset: str

    def material(self, **more: Any) -> Material:
        """The data set with its shipped encoder; ``more`` are other fields of a Material."""
        return Material(**{"dataset": self.dataset, "encoder": ENCODERS[self.dataset]} | more)


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
        return (THEORY,) if isinstance(self.check, Theory) else tuple(ENCODERS)

    def verdict(self, ground: str) -> Verdict:
        """Try the claim on one of its ``grounds``."""
        if isinstance(self.check, Theory):
            return self.check.check()
        assert self.check is not None
        return self.check(Ground(ground))


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
