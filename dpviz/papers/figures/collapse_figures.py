"""Figures of neural collapse under differential privacy."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from dpviz.data import synthetic
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics import collapse_measures
from dpviz.experiments import experiment
from dpviz.papers.figures.model import FULL, SMALL, Cell, Figure, Number, Progress, Setting
from dpviz.papers.figures.runs import cell, on_axis
from dpviz.types import Budget, DataConfig, RunSpec

STEP = on_axis("approx", 1.0, delta=1e-4)[0]
QUIET = dataclasses.replace(STEP, value=math.inf)
#: Normal noise of variance 0.1 on test features.
NOISE = "test=gaussian,size=0.32"
SYNTHETIC: dict[str, dict[str, Any]] = {
    "Balanced": {},
    "Imbalanced (α = 0.9)": {"alpha": 0.9},
    "Imbalanced, offset 0.1": {"alpha": 0.9, "offset": 0.1},
    "Test moved by 0.1": {"test": "stochastic", "size": 0.1},
}
SOURCES = {"GlyphNet": "glyphnet", "EfficientNet-Lite0": "lite0"}
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


def _shifted(facts: Mapping[str, Any], dims: Iterable[int], seeds: int) -> list[Cell]:
    lines = {
        "NoisySGD": (STEP, ""),
        "NoisySGD, perturbed": (STEP, NOISE),
        "Linear SGD": (QUIET, ""),
        "Linear SGD, perturbed": (QUIET, NOISE),
    }
    return _noisy_sgd(facts, lines, dims, seeds)


def _projected(facts: Mapping[str, Any], dims: Iterable[int], seeds: int) -> list[Cell]:
    perturbation = f"{NOISE},where=both"
    lines = {f"PCA to {k}": (STEP, f"{perturbation},pca={k}") for k in (10, 50, 100)}
    return _noisy_sgd(facts, lines | {"No PCA": (STEP, perturbation)}, dims, seeds)


def _noisy_sgd(
    facts: Mapping[str, Any],
    lines: Mapping[str, tuple[Budget, str]],
    dims: Iterable[int],
    seeds: int,
) -> list[Cell]:
    return [
        cell("", line, dim, RunSpec(**facts, features=features, method="noisy-sgd", budget=budget),
             seeds)
        for line, (budget, changes) in lines.items()
        for dim in dims
        for features in (",".join(filter(None, (f"dim={dim}", changes))),)
    ]  # fmt: skip


def _shifts(dataset: str, sources: Mapping[str, str], progress: Progress) -> list[Number]:
    """Median feature shift of each class, and median cosine between class means."""
    cells = []
    for title, key in sources.items():
        data = experiment.prepared(DataConfig(dataset, key), progress)
        measured = collapse_measures.measure(data)
        off_diagonal = measured.raw[np.triu_indices(len(measured.raw), 1)]
        cosine = float(np.median(off_diagonal))
        cells.append(Number("Median cosine", "Class means", title, cosine, cosine, cosine, 1))
        for label in range(data.classes):
            beta = float(np.median(measured.beta[measured.y == label]))
            cells.append(Number("Feature shift β", title, str(label), beta, beta, beta, 1))
    return cells


PRIVATE_VIEW = "Cosines and shifts are read from private records: a private view."
MEDIANS = "The paper draws every record; here each class has its median."
STEPS = "The paper names neither steps, learning rate nor α; here 100 steps, 60 and 0.9."
RATE = "The learning rate is dpviz's; the paper names none."
OTHER_DATA = "Data and encoder differ from the paper's."
DIRECTIONS = (
    "Directions come from public images; the paper's come from private ones, and their privacy"
    " cost is not counted."
)
FIGURES: tuple[Figure, ...] = (
    Figure(
        "collapse-shift", "collapse", "Figure 2",
        "Feature shift of each class, and cosines between class means",
        "Class, or pre-trained model", y="Value", share=False,
        settings={
            FULL: Setting("CIFAR-10 training images with ViT-B/16 and ResNet-50 features.",
                          (PRIVATE_VIEW,
                           "timm's ImageNet weights stand in for the paper's, which it does not"
                           " name.",
                           MEDIANS),
                          measure=partial(_shifts, "cifar10",
                                          {"ViT": "vit-b16", "ResNet-50": "resnet50"})),
            SMALL: Setting("UCI digits with GlyphNet and EfficientNet-Lite0 features.",
                           (PRIVATE_VIEW, "Data and encoders differ from the paper's.",
                            MEDIANS),
                           measure=partial(_shifts, "uci-digits", SOURCES)),
        },
    ),
    Figure(
        "collapse-synthetic", "collapse", "Figure 3(a)",
        "Accuracy of NoisyGD against dimension on perfectly collapsed features, (1, 1e-4)-DP",
        "Dimension", log_x=True, unprinted=COLLAPSE_CURVES,
        settings={
            FULL: Setting("10 classes, 10,000 records, 5 seeds.",
                          (STEPS,),
                          partial(_synthetic, 10_000, (16, 64, 256, 1024, 2048), 5)),
            SMALL: Setting("10 classes, 1,000 records, 3 seeds.",
                           ("The paper has 10,000 records.", STEPS),
                           partial(_synthetic, 1000, (16, 64, 256, 1024), 3)),
        },
    ),
    Figure(
        "collapse-dimension", "collapse", "Figure 3(b)",
        "Accuracy of NoisySGD and linear SGD against dimension, (1, 1e-4)-DP",
        "Dimension", log_x=True, unprinted=COLLAPSE_CURVES,
        settings={
            FULL: Setting("CIFAR-10 with ViT-B/16 features, 5 seeds.",
                          (RATE,),
                          partial(_shifted, VIT, (192, 384, 768, 1536, 3072), 5)),
            SMALL: Setting("MNIST digits with GlyphNet features, 3 seeds.",
                           (OTHER_DATA, RATE),
                           partial(_shifted, MNIST, (32, 64, 128, 256, 512), 3)),
        },
    ),
    Figure(
        "collapse-pca", "collapse", "Figure 4",
        "Accuracy of NoisySGD with 10, 50 or 100 principal directions, (1, 1e-4)-DP",
        "Dimension", log_x=True, unprinted=COLLAPSE_CURVES,
        settings={
            FULL: Setting("CIFAR-10 with ViT-B/16 features, noise on all features, 5 seeds.",
                          (DIRECTIONS,),
                          partial(_projected, VIT, (192, 384, 768, 1536, 3072), 5)),
            SMALL: Setting("MNIST digits with GlyphNet features, noise on all features, 3 seeds.",
                           (OTHER_DATA, DIRECTIONS),
                           partial(_projected, MNIST, (128, 256, 512), 3)),
        },
    ),
)  # fmt: skip
