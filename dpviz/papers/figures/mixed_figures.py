"""Figures and tables of AdaMix."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics import preset_comparison
from dpviz.methods import adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.papers.checks.mixed_runs import MANY_CLASSES_RANK
from dpviz.papers.figures.model import FULL, SMALL, Cell, Figure, Setting
from dpviz.types import Budget, RunSpec

TABLE_1 = ("paragon", "Only-Public", "Fully-Private", "PPGD", "AdaMix")
FIGURE_1 = ("paragon", "Only-Public", "Fully-Private", "PPGD", "NGD", "AdaMix")
#: Data set and public shots per class.
ADAMIX_FULL = {
    "Ox. Flowers": ("flowers102", 2),
    "CUB-200": ("cub200", 2),
    "Stanf. Dogs": ("dogs", 2),
    "MIT-67": ("mit67", 5),
    "Oxford Pets": ("pets", 5),
    "Caltech-256": ("caltech256", 5),
}
ADAMIX_SEEDS = {FULL: 5, SMALL: 3}
#: Rank P of AdaMix, which the paper does not print.
RANKS = {FULL: MANY_CLASSES_RANK, SMALL: int(adamix.RANK.default)}
RANK = {scale: f"The paper prints no rank P; here P = {rank}." for scale, rank in RANKS.items()}
FEW_CLASSES = "The data have 10 classes; the paper's have 37 or more."
PPGD = "PPGD is dpviz's reading of the paper's text."
TABLE_NUMBERS = "Printed numbers are those of Table 1, on {place}."
RATES = "Learning rates are dpviz's; the paper takes the best of four at each ε."


def preset_cells(
    panel: str,
    facts: Mapping[str, Any],
    places: Mapping[float | str, float],
    names: Iterable[str],
    shots: int,
    seeds: int,
    rank: int,
) -> list[Cell]:
    """Cells of the AdaMix paper's methods.

    Args:
        places: ε at each place of the axis; names: of ``PRESETS``; shots: public shots per class;
            rank: P of AdaMix.
    """
    cells = []
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
                    params=tuple(
                        preset_comparison.settings(
                            preset, {"rank": rank}, 1.0, shots, seed, facts["public"]
                        ).items()
                    ),
                )
                for seed in range(seeds)
            ]
            cells.append(Cell(panel, name, x, tuple(specs)))
    return cells


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
        row
        for epsilon in (1.0, 3.0)
        for title, (facts, shots) in rows.items()
        for row in preset_cells(
            f"ε = {epsilon:g}", facts, {title: epsilon}, TABLE_1, shots, seeds, RANKS[scale]
        )
    ]


def _figure_1(scale: str) -> list[Cell]:
    facts = _resnet("mit67") if scale == FULL else DIGITS
    budgets = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0) if scale == FULL else (0.5, 1.0, 3.0, 10.0)
    return preset_cells("", facts, dict(zip(budgets, budgets, strict=True)), FIGURE_1, 5,
                        ADAMIX_SEEDS[scale], RANKS[scale])  # fmt: skip


FIGURES: tuple[Figure, ...] = (
    Figure(
        "adamix-errors", "mixed", "Table 1",
        "Test error of AdaMix and its baselines at ε = 1 and ε = 3, δ = 1e-5",
        "Data set", y="Test error", metric="overall", wrong=True,
        settings={
            FULL: Setting(
                "Six data sets with ResNet-50 features, 2 or 5 public shots per class, 5 seeds.",
                (RATES, RANK[FULL],
                 "ResNet-50 has timm's ImageNet weights; the paper's may differ.", PPGD),
                partial(_table_1, FULL)),
            SMALL: Setting(
                "MNIST digits with 2 and clothes with 5 public shots per class, 3 seeds.",
                (RATES, RANK[SMALL], FEW_CLASSES,
                 "Data and encoders differ: GlyphNet for digits, EfficientNet-Lite0 for"
                 " clothes.", PPGD),
                partial(_table_1, SMALL)),
        },
    ),
    Figure(
        "adamix-budgets", "mixed", "Figure 1",
        "Test error of AdaMix and its baselines against ε, δ = 1e-5",
        "ε", y="Test error", log_x=True, metric="overall", wrong=True,
        settings={
            FULL: Setting("MIT-67 with ResNet-50 features, 5 public shots per class, 5 seeds.",
                          (RATES, RANK[FULL],
                           TABLE_NUMBERS.format(place="the same data set")),
                          partial(_figure_1, FULL)),
            SMALL: Setting("MNIST digits with GlyphNet features, 5 public shots per class,"
                           " 3 seeds.",
                           (RATES, RANK[SMALL], FEW_CLASSES,
                            "Data are MNIST digits in place of MIT-67.",
                            TABLE_NUMBERS.format(place="MIT-67")),
                           partial(_figure_1, SMALL)),
        },
    ),
)  # fmt: skip
