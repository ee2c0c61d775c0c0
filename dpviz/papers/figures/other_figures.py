"""Figures and tables of AdaMix, Prom-PATE and neural collapse."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from dpviz import encoders
from dpviz.data import synthetic
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics import collapse_measures, preset_comparison
from dpviz.methods.adamix_presets import PRESETS
from dpviz.papers.figures.model import FULL, SMALL, Cell, Figure, Number, Progress, Setting
from dpviz.papers.figures.runs import cell, on_axis
from dpviz.run import experiment
from dpviz.types import Budget, Material, RunSpec
from dpviz.words import number

# ------------------------------------------------------------------------------------------- AdaMix

TABLE_1 = ("paragon", "Only-Public", "Fully-Private", "PPGD", "AdaMix")
FIGURE_1 = ("paragon", "Only-Public", "Fully-Private", "PPGD", "NGD", "AdaMix")
ADAMIX_FULL = {
    "Ox. Flowers": ("flowers102", 2),
    "CUB-200": ("cub200", 2),
    "Stanf. Dogs": ("dogs", 2),
    "MIT-67": ("mit67", 5),
    "Oxford Pets": ("pets", 5),
    "Caltech-256": ("caltech256", 5),
}
"""Data set and public shots per class."""
ADAMIX_SEEDS = {FULL: 5, SMALL: 3}
RATES = "Learning rates are dpviz's; the paper takes the best of four at each ε."


def preset_cells(
    panel: str,
    facts: Mapping[str, Any],
    places: Mapping[float | str, float],
    names: Iterable[str],
    shots: int,
    seeds: int,
) -> list[Cell]:
    """Cells of the AdaMix paper's methods.

    Args:
        places: ε at each place of the axis; names: of ``PRESETS``; shots: public shots per class.
    """
    found = []
    for name in names:
        preset = PRESETS[name]
        for x, epsilon in places.items():
            budget = Budget(math.inf if name in preset_comparison.LEVELS else epsilon)
            specs = [
                RunSpec(
                    **facts,
                    method=preset.method,
                    budget=budget,
                    seed=seed,
                    params=tuple(preset_comparison.settings(preset, {}, 1.0, shots, seed).items()),
                )
                for seed in range(seeds)
            ]
            found.append(Cell(panel, name, x, tuple(specs)))
    return found


def _resnet(dataset: str) -> dict[str, Any]:
    return {"dataset": dataset, "encoder": "resnet50", "public": HELD_ASIDE}


DIGITS = {"dataset": "mnist5k", "encoder": "glyphnet", "public": HELD_ASIDE}
CLOTHES = {"dataset": "clothes", "encoder": "lite0-128", "public": HELD_ASIDE}


def _table_1(scale: str) -> list[Cell]:
    rows = {title: (_resnet(key), shots) for title, (key, shots) in ADAMIX_FULL.items()}
    if scale == SMALL:
        rows = {"MNIST digits": (DIGITS, 2), "Clothes": (CLOTHES, 5)}
    seeds = ADAMIX_SEEDS[scale]
    return [
        one
        for epsilon in (1.0, 3.0)
        for title, (facts, shots) in rows.items()
        for one in preset_cells(
            f"ε = {epsilon:g}", facts, {title: epsilon}, TABLE_1, shots, seeds
        )
    ]


def _figure_1(scale: str) -> list[Cell]:
    facts = _resnet("mit67") if scale == FULL else DIGITS
    budgets = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0) if scale == FULL else (0.5, 1.0, 3.0, 10.0)
    return preset_cells("", facts, dict(zip(budgets, budgets, strict=True)), FIGURE_1, 5,
                        ADAMIX_SEEDS[scale])  # fmt: skip


MIXED: tuple[Figure, ...] = (
    Figure(
        "adamix-errors", "mixed", "Table 1",
        "Test error of AdaMix and its baselines at ε = 1 and ε = 3, δ = 1e-5",
        "Data set", y="Test error", metric="overall", wrong=True,
        settings={
            FULL: Setting(
                "Six data sets with ResNet-50 features, 2 or 5 public shots per class, 5 seeds.",
                (RATES, "ResNet-50 has timm's ImageNet weights; the paper's may differ.",
                 "PPGD is dpviz's reading of the paper's text."),
                partial(_table_1, FULL)),
            SMALL: Setting(
                "MNIST digits with 2 and clothes with 5 public shots per class, 3 seeds.",
                (RATES, "Data and encoders differ: GlyphNet for digits, EfficientNet-Lite0 for"
                 " clothes.", "PPGD is dpviz's reading of the paper's text."),
                partial(_table_1, SMALL)),
        },
    ),
    Figure(
        "adamix-budgets", "mixed", "Figure 1",
        "Test error of AdaMix and its baselines against ε, δ = 1e-5",
        "ε", y="Test error", log_x=True, metric="overall", wrong=True,
        settings={
            FULL: Setting("MIT-67 with ResNet-50 features, 5 public shots per class, 5 seeds.",
                          (RATES, "Printed numbers are those of Table 1, on the same data set."),
                          partial(_figure_1, FULL)),
            SMALL: Setting("MNIST digits with GlyphNet features, 5 public shots per class,"
                           " 3 seeds.",
                           (RATES, "Data are MNIST digits in place of MIT-67.",
                            "Printed numbers are those of Table 1, on MIT-67."),
                           partial(_figure_1, SMALL)),
        },
    ),
)  # fmt: skip

# ---------------------------------------------------------------------------------------- Prom-PATE

EPSILON = (
    "ε here holds for any votes; the paper's printed ε depends on the votes, so the same number"
    " buys more noise here."
)
PLAN = "Threshold, noise and queries follow dpviz's rule; the paper chose them by hand."
STUDENT = "The student is a linear head on frozen features; the paper trains a whole network."
POOL = "Queries are training images held aside; the paper takes 9,000 of the test images."
MAPPING = "Teachers learn the label mapping without a visual prompt."
PATE_DIFFERS = (EPSILON, PLAN, STUDENT, POOL, MAPPING)
SWIN = {"dataset": "cifar10", "encoder": "swin-b", "public": HELD_ASIDE}
BLOOD = {"dataset": "bloodmnist", "encoder": "swin-b", "public": HELD_ASIDE}
CLOTHES_QUERIES = CLOTHES | {"public": "clothes-public"}
TITLES = {"prom-pate": "Prom-PATE", "transfer-pate": "Transfer-PATE", "pate": "PATE"}
PATE_SEEDS = 3
"""Of both scales, as in the paper."""


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


def _sources(
    facts: Mapping[str, Any], sources: Mapping[str, str], teachers: int
) -> list[Cell]:
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


def _pate(key: str, place: str, title: str, x: str, full: Setting, small: Setting) -> Figure:
    return Figure(
        key, "prompts", place, title, x, {FULL: full, SMALL: small}, metric="overall"
    )  # fmt: skip


PROMPTS: tuple[Figure, ...] = (
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
                (*PATE_DIFFERS, "Students from scratch are printed, not computed."),
                partial(_ablation, SWIN, 1000)),
        Setting(MNIST_WORDS,
                (*PATE_DIFFERS, MNIST_DIFFERS, "Students from scratch are printed, not computed."),
                partial(_ablation, DIGITS, 100)),
    ),
    _pate(
        "prom-pate-cross-domain", "Table 5", "Test accuracy across domains, ε ≈ 2", "Data set",
        Setting("Blood-MNIST with Swin-B, 250 teachers, 3 seeds.",
                (*PATE_DIFFERS, "The table does not name the number of teachers."),
                partial(_cross_domain, BLOOD, "Blood-MNIST", 250)),
        Setting("Clothes with EfficientNet-Lite0, 20 teachers, 3 seeds.",
                (EPSILON, PLAN, STUDENT, MAPPING,
                 "Data are clothes in place of Blood-MNIST; queries are other people's clothes."),
                partial(_cross_domain, CLOTHES_QUERIES, "Clothes", 20)),
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

# ---------------------------------------------------------------------------------- neural collapse

STEP = on_axis("approx", 1.0, delta=1e-4)[0]
QUIET = dataclasses.replace(STEP, value=math.inf)
NOISE = "test=gaussian,size=0.32"
"""Normal noise of variance 0.1 on test features."""
SYNTHETIC = {
    "Balanced": {},
    "Imbalanced (α = 0.9)": {"alpha": 0.9},
    "Imbalanced, offset 0.1": {"alpha": 0.9, "offset": 0.1},
    "Test moved by 0.1": {"test": "stochastic", "size": 0.1},
}
VIT = {"dataset": "cifar10", "encoder": "vit-b16", "public": HELD_ASIDE}
MNIST = {"dataset": "mnist5k", "encoder": "glyphnet"}
COLLAPSE_CURVES = "The paper draws curves without numbers."


def _synthetic(n: int, dims: Iterable[int], seeds: int) -> list[Cell]:
    steps = (("steps", 100), ("lr", 60))
    return [
        cell(
            "",
            line,
            dim,
            RunSpec(synthetic.name(classes=10, dim=dim, n=n, beta=0.0, **changes), None,
                    method="noisy-gd", budget=STEP, params=steps),
            seeds,
        )
        for line, changes in SYNTHETIC.items()
        for dim in dims
    ]  # fmt: skip


def _moved(facts: Mapping[str, Any], dims: Iterable[int], seeds: int) -> list[Cell]:
    lines = {
        "NoisySGD": (STEP, ""),
        "NoisySGD, perturbed": (STEP, NOISE),
        "Linear SGD": (QUIET, ""),
        "Linear SGD, perturbed": (QUIET, NOISE),
    }
    return _noisy_sgd(facts, lines, dims, seeds)


def _kept(facts: Mapping[str, Any], dims: Iterable[int], seeds: int) -> list[Cell]:
    both = f"{NOISE},where=both"
    lines = {f"PCA to {k}": (STEP, f"{both},pca={k}") for k in (10, 50, 100)}
    return _noisy_sgd(facts, lines | {"No PCA": (STEP, both)}, dims, seeds)


def _noisy_sgd(
    facts: Mapping[str, Any],
    lines: Mapping[str, tuple[Budget, str]],
    dims: Iterable[int],
    seeds: int,
) -> list[Cell]:
    return [
        cell("", line, dim, RunSpec(**facts, features=",".join(filter(None, (f"dim={dim}", more))),
                                    method="noisy-sgd", budget=budget), seeds)
        for line, (budget, more) in lines.items()
        for dim in dims
    ]  # fmt: skip


def _shifts(
    dataset: str, sources: Mapping[str, str], progress: Progress
) -> list[Number]:
    """Median feature shift of each class, and median cosine between class means."""
    found = []
    for title, key in sources.items():
        data = experiment.prepared(Material(dataset, key), progress)
        measured = collapse_measures.measure(data)
        off = measured.raw[np.triu_indices(len(measured.raw), 1)]
        cosine = float(np.median(off))
        found.append(Number("Median cosine", "Class means", title, cosine, cosine, cosine, 1))
        for label in range(data.classes):
            beta = float(np.median(measured.beta[measured.y == label]))
            found.append(Number("Feature shift β", title, str(label), beta, beta, beta, 1))
    return found


SHIFT_DIFFERS = "Cosines and shifts are read from private records: a private view."
COLLAPSE: tuple[Figure, ...] = (
    Figure(
        "collapse-shift", "collapse", "Figure 2",
        "Feature shift of each class, and cosines between class means",
        "Class, or pre-trained model", y="Value", share=False,
        settings={
            FULL: Setting("CIFAR-10 training images with ViT-B/16 and ResNet-50 features.",
                          (SHIFT_DIFFERS,
                           "timm's ImageNet weights stand in for the paper's, which it does not"
                           " name.", "The paper draws every record; here each class has its median."),
                          measure=partial(_shifts, "cifar10",
                                          {"ViT": "vit-b16", "ResNet-50": "resnet50"})),
            SMALL: Setting("UCI digits with GlyphNet and EfficientNet-Lite0 features.",
                           (SHIFT_DIFFERS, "Data and encoders differ from the paper's.",
                            "The paper draws every record; here each class has its median."),
                           measure=partial(_shifts, "uci-digits", SMALL_SOURCES)),
        },
    ),
    Figure(
        "collapse-synthetic", "collapse", "Figure 3(a)",
        "Accuracy of NoisyGD against dimension on perfectly collapsed features, (1, 1e-4)-DP",
        "Dimension", log_x=True, unprinted=COLLAPSE_CURVES,
        settings={
            FULL: Setting("10 classes, 10,000 records, 5 seeds.",
                          ("The paper names neither steps, learning rate nor α; here 100 steps, 60"
                           " and 0.9.",),
                          partial(_synthetic, 10_000, (16, 64, 256, 1024, 2048), 5)),
            SMALL: Setting("10 classes, 1,000 records, 3 seeds.",
                           ("The paper has 10,000 records.",
                            "The paper names neither steps, learning rate nor α; here 100 steps, 60"
                            " and 0.9."),
                           partial(_synthetic, 1000, (16, 64, 256, 1024), 3)),
        },
    ),
    Figure(
        "collapse-dimension", "collapse", "Figure 3(b)",
        "Accuracy of NoisySGD and linear SGD against dimension, (1, 1e-4)-DP",
        "Dimension", log_x=True, unprinted=COLLAPSE_CURVES,
        settings={
            FULL: Setting("CIFAR-10 with ViT-B/16 features, 5 seeds.",
                          ("The learning rate is dpviz's; the paper names none.",),
                          partial(_moved, VIT, (192, 384, 768, 1536, 3072), 5)),
            SMALL: Setting("MNIST digits with GlyphNet features, 3 seeds.",
                           ("Data and encoder differ from the paper's.",
                            "The learning rate is dpviz's; the paper names none."),
                           partial(_moved, MNIST, (32, 64, 128, 256, 512), 3)),
        },
    ),
    Figure(
        "collapse-pca", "collapse", "Figure 4",
        "Accuracy of NoisySGD with 10, 50 or 100 principal directions, (1, 1e-4)-DP",
        "Dimension", log_x=True, unprinted=COLLAPSE_CURVES,
        settings={
            FULL: Setting("CIFAR-10 with ViT-B/16 features, noise on all features, 5 seeds.",
                          ("Directions come from public images; the paper's come from private ones"
                           " and are not paid for.",),
                          partial(_kept, VIT, (192, 384, 768, 1536, 3072), 5)),
            SMALL: Setting("MNIST digits with GlyphNet features, noise on all features, 3 seeds.",
                           ("Data and encoder differ from the paper's.",
                            "Directions come from public images; the paper's come from private ones"
                            " and are not paid for."),
                           partial(_kept, MNIST, (128, 256, 512), 3)),
        },
    ),
)  # fmt: skip
