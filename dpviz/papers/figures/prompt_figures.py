"""Figures and tables of Prom-PATE."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.papers.figures.model import FULL, SMALL, Cell, Figure, Setting
from dpviz.papers.figures.runs import cell
from dpviz.types import Budget, RunSpec

EPSILON = (
    "ε here holds for any votes; the paper's printed ε depends on the votes, so the same number"
    " means more noise here."
)
PLAN = "Threshold, noise and queries follow dpviz's rule; the paper chose them by hand."
STUDENT = (
    "The student is a linear head on frozen features and learns from answers alone. The paper"
    " trains a whole network, which also learns from unanswered images."
)
POOL = (
    "Queries are training images held aside; the paper asks 1,000 queries from the student's"
    " {pool} test images."
)
MAPPING = "Teachers of Prom-PATE learn the label mapping without a visual prompt."
PATE_DIFFERS = (EPSILON, PLAN, STUDENT, POOL.format(pool="9,000"), MAPPING)
BLOOD_DIFFERS = (EPSILON, PLAN, STUDENT, POOL.format(pool="2,421"), MAPPING)
SWIN = {"dataset": "cifar10", "encoder": "swin-b", "public": HELD_ASIDE}
BLOOD = {"dataset": "bloodmnist", "encoder": "swin-b", "public": HELD_ASIDE}
DIGITS = {"dataset": "mnist5k", "encoder": "glyphnet", "public": HELD_ASIDE}
CLOTHES = {"dataset": "clothes", "encoder": "lite0-128", "public": "clothes-public"}
TITLES = {"prom-pate": "Prom-PATE", "transfer-pate": "Transfer-PATE", "pate": "PATE"}
PRINTED_STUDENTS = "Students from scratch are printed, not computed."
#: Of both scales, as in the paper.
PATE_SEEDS = 3


def votes(
    facts: Mapping[str, Any], line: str, x: float | str, method: str, teachers: int, epsilon: float
) -> Cell:
    """A cell of a PATE method with ``teachers`` teachers at (ε, 1e-5)."""
    spec = RunSpec(**facts, method=method, budget=Budget(epsilon), params=(("teachers", teachers),))
    return cell("", line, x, spec, PATE_SEEDS, draw="draw")


def _by_budget(facts: Mapping[str, Any], teachers: int) -> list[Cell]:
    return [
        votes(facts, "Prom-PATE", epsilon, "prom-pate", teachers, epsilon)
        for epsilon in (1.019, 1.505, 1.943)
    ]


def _ablation(facts: Mapping[str, Any], teachers: int) -> list[Cell]:
    return [
        votes(facts, "Pre-trained student", title, method, teachers, 1.019)
        for method, title in TITLES.items()
    ]


def _cross_domain(facts: Mapping[str, Any], title: str, teachers: int) -> list[Cell]:
    return [
        votes(facts, TITLES[method], title, method, teachers, 1.973)
        for method in ("prom-pate", "transfer-pate")
    ]


def _teachers(facts: Mapping[str, Any], counts: Iterable[int]) -> list[Cell]:
    return [votes(facts, "Prom-PATE", count, "prom-pate", count, 1.019) for count in counts]


def _sources(facts: Mapping[str, Any], sources: Mapping[str, str], teachers: int) -> list[Cell]:
    return [
        votes({**facts, "encoder": key}, "Prom-PATE", title, "prom-pate", teachers, 1.019)
        for title, key in sources.items()
    ]  # fmt: skip


PAPER_SOURCES = {
    "ResNet50": "resnet50",
    "ResNet152": "timm:resnet152.tv_in1k",
    "WideResNet": "wide-resnet50",
    "ViT": "vit-b16",
    "Swin": "swin-b",
}
SMALL_SOURCES = {"GlyphNet": "glyphnet", "EfficientNet-Lite0": "lite0"}
UCI = {"dataset": "uci-digits", "encoder": "glyphnet", "public": HELD_ASIDE}
CIFAR_WORDS = "CIFAR-10 with Swin-B, 1,000 teachers, 3 seeds."
MNIST_WORDS = "MNIST digits with GlyphNet, 100 teachers, 3 seeds."
MNIST_DIFFERS = "Data are MNIST digits in place of CIFAR-10, GlyphNet in place of Swin."


TITLE = "{} (computed without prompts)"


def _pate(key: str, place: str, title: str, x: str, full: Setting, small: Setting) -> Figure:
    return Figure(
        key, "prompts", place, TITLE.format(title), x, {FULL: full, SMALL: small}, metric="overall"
    )  # fmt: skip


FIGURES: tuple[Figure, ...] = (
    _pate(
        "prom-pate-budgets", "Table 4", "Test accuracy of Prom-PATE and earlier work against ε",
        "ε at δ = 1e-5",
        Setting(CIFAR_WORDS, PATE_DIFFERS, partial(_by_budget, SWIN, 1000)),
        Setting(MNIST_WORDS, (*PATE_DIFFERS, MNIST_DIFFERS), partial(_by_budget, DIGITS, 100)),
    ),
    _pate(
        "prom-pate-ablation", "Table 3", "Test accuracy of three kinds of teachers, ε ≈ 1",
        "Teachers",
        Setting(CIFAR_WORDS,
                (*PATE_DIFFERS, PRINTED_STUDENTS),
                partial(_ablation, SWIN, 1000)),
        Setting(MNIST_WORDS, (*PATE_DIFFERS, MNIST_DIFFERS, PRINTED_STUDENTS),
                partial(_ablation, DIGITS, 100)),
    ),
    _pate(
        "prom-pate-cross-domain", "Table 5", "Test accuracy across domains, ε ≈ 2", "Data set",
        Setting("Blood-MNIST with Swin-B, 1,000 teachers, 3 seeds.",
                (*BLOOD_DIFFERS, "The table does not name the number of teachers. Its T of 480 and"
                 " 455 answers need clearly more than 250."),
                partial(_cross_domain, BLOOD, "Blood-MNIST", 1000)),
        Setting("Clothes with EfficientNet-Lite0, 100 teachers, 3 seeds.",
                (EPSILON, PLAN, STUDENT, MAPPING,
                 "Data are clothes in place of Blood-MNIST; queries are other people's clothes."),
                partial(_cross_domain, CLOTHES, "Clothes", 100)),
    ),
    _pate(
        "prom-pate-teachers", "Table 6", "Test accuracy against the number of teachers, ε ≈ 1",
        "Teachers",
        Setting("CIFAR-10 with Swin-B, 3 seeds.", PATE_DIFFERS,
                partial(_teachers, SWIN, (100, 250, 500, 1000))),
        Setting("MNIST digits with GlyphNet, 3 seeds.", (*PATE_DIFFERS, MNIST_DIFFERS),
                partial(_teachers, DIGITS, (25, 50, 100, 250))),
    ),
    _pate(
        "prom-pate-sources", "Table 7", "Test accuracy by pre-trained model, ε ≈ 1",
        "Pre-trained model",
        Setting("CIFAR-10 with five pre-trained models, 1,000 teachers, 3 seeds.", PATE_DIFFERS,
                partial(_sources, SWIN, PAPER_SOURCES, 1000)),
        Setting("UCI digits with two pre-trained models, 50 teachers, 3 seeds.",
                (*PATE_DIFFERS, "Data are UCI digits in place of CIFAR-10."),
                partial(_sources, UCI, SMALL_SOURCES, 50)),
    ),
)  # fmt: skip
