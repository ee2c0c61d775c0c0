"""The tables of docs/measured: of AdaMix and its ablations, and the paper's claims against it.

    python -m benchmarks.adamix                          print the tables
    python -m benchmarks.adamix --write                  put them into docs/measured
    python -m benchmarks.adamix --encoders glyphnet      leave out lite0, whose first embedding
                                                         takes minutes
    python -m benchmarks.adamix --shots 2 --budgets 1    a slice

Figures are test errors in percent, means over SEEDS with half of their 95% interval, which covers
seeds and test records. A seed draws the noise, the public shots and the division of private and
test records. What is stored is not computed again.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from benchmarks._measured import put
from benchmarks._tables import plus_minus, progress, verdict
from dpviz.diagnostics import preset_comparison
from dpviz.experiments import experiment
from dpviz.methods import adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.stats import accuracy
from dpviz.types import Budget, RunSpec

DATASET = "mnist5k"
ENCODERS = ("glyphnet", "lite0")
DOMAINS = {
    "held-aside": "same domain (20 a class held aside)",
    "glyphs": "another domain (drawn digits)",
}
SHOTS = (1, 2, 5, 10)
BUDGETS = (0.1, 1.0, 3.0)
"""The paper's range and one stricter, where the order of the methods is another."""
FEWER = {"lite0": ((2, 10), (1.0,))}
"""Shots and budgets of an encoder whose runs take long."""
SEEDS = 20
ABLATIONS = ("AdaMix from zero", "AdaMix at fixed clip", "AdaMix unprojected")
Cell = tuple[str, str, int, float, str]
"""(encoder, domain, shots, budget, preset)"""


COMPARED = {
    "Only-Public beats Fully-Private (Table 1)": ("Only-Public", "Fully-Private"),
    "AdaMix beats Fully-Private (Table 1)": ("AdaMix", "Fully-Private"),
    "AdaMix beats Only-Public (Table 1, Figure 1)": ("AdaMix", "Only-Public"),
    "AdaMix beats PPGD (Table 1)": ("AdaMix", "PPGD"),
    "AdaMix beats NGD (Figure 1)": ("AdaMix", "NGD"),
    "NGD beats Only-Public (Figure 1)": ("NGD", "Only-Public"),
    "The public start helps (Figure 1)": ("AdaMix", "AdaMix from zero"),
    "The adaptive threshold helps (Figure 1)": ("AdaMix", "AdaMix at fixed clip"),
    "The projection helps (Figure 1)": ("AdaMix", "AdaMix unprojected"),
}
"""Claims that the first of two presets errs less."""


class Grid:
    """Test errors of every cell, and which of any two presets at a place errs less, all comparisons
    of the claims taken together.
    """

    def __init__(
        self, encoders: Sequence[str], shots: Sequence[int], budgets: Sequence[float], seeds: int
    ) -> None:
        """Computes what is not stored."""
        self.encoders, self.shots, self.budgets = encoders, shots, budgets
        self.places = [
            (e, domain, n, b)
            for e in encoders
            for domain in DOMAINS
            for n, b in _settings(e, shots, budgets)
        ]
        cells = [(*place, name) for place in self.places for name in PRESETS]
        started = time.perf_counter()
        results = experiment.sweep(
            [_spec(*cell, seed) for cell in cells for seed in range(seeds)], progress=progress
        )
        self.wall = time.perf_counter() - started
        self.fresh = sum(r.origin == "computed" for r in results)
        by_cell = [results[start : start + seeds] for start in range(0, len(results), seeds)]
        self.errors = {
            cell: accuracy(runs, "overall").wrong for cell, runs in zip(cells, by_cell, strict=True)
        }
        self.signs = preset_comparison.orders(
            {
                (place, better, worse): (self.errors[*place, better], self.errors[*place, worse])
                for place in self.places
                for better, worse in COMPARED.values()
            }
        )

    def mean(self, cell: Cell) -> float:
        """Mean over seeds in percent."""
        return 100 * self.errors[cell].mean

    def text(self, cell: Cell) -> str:
        """Mean ± half of its 95% interval."""
        return plus_minus(self.errors[cell])


def _spec(encoder: str, domain: str, shots: int, budget: float, name: str, seed: int) -> RunSpec:
    preset = PRESETS[name]
    params = tuple((dict(preset.params) | {"shots": shots, "shots_draw": seed}).items())
    return RunSpec(
        DATASET,
        encoder,
        preset.method,
        Budget(budget),
        params=params,
        seed=seed,
        public=domain,
        draw=seed,
    )


def _settings(
    encoder: str, shots: Sequence[int], budgets: Sequence[float]
) -> list[tuple[int, float]]:
    """Requested pairs of shots and budget, without the pairs left out for a slow encoder."""
    allowed_shots, allowed_budgets = FEWER.get(encoder, (shots, budgets))
    return [(n, b) for n in shots if n in allowed_shots for b in budgets if b in allowed_budgets]


def markdown(grid: Grid, encoder: str, domain: str) -> str:
    """One table: a row a preset, a column a number of shots and a budget; best private or public
    row in bold.
    """
    columns = [place for place in grid.places if place[:2] == (encoder, domain)]
    head = [f"{n} shots, ε {b:g}" if n > 1 else f"1 shot, ε {b:g}" for _, _, n, b in columns]
    lines = ["| test error, % | " + " | ".join(head) + " |", "| --- |" + " ---: |" * len(head)]
    best = {
        place: min(
            (n for n in PRESETS if n != "paragon"), key=lambda name: grid.mean((*place, name))
        )
        for place in columns
    }
    for name in PRESETS:
        cells = [
            (f"**{grid.text((*p, name))}**" if best[p] == name else grid.text((*p, name)))
            for p in columns
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------- claims


def compare(grid: Grid, better: str, worse: str) -> str:
    """The verdict on "``better`` errs less than ``worse``" over all places, with the figures of
    each encoder and domain.
    """
    signs = [grid.signs[place, better, worse] for place in grid.places]
    figures = []
    for encoder in grid.encoders:
        for domain in DOMAINS:
            places = [place for place in grid.places if place[:2] == (encoder, domain)]
            a, b = (np.mean([grid.mean((*p, name)) for p in places]) for name in (better, worse))
            figures.append(f"{encoder}, {domain}: {a:.1f} against {b:.1f}")
    return f"{verdict(signs)}. Mean error: {'; '.join(figures)}."


def ablation_order(grid: Grid) -> str:
    """Which part of AdaMix is missed most, and whether any is missed at all."""
    loss = {
        n: np.mean([grid.mean((*p, n)) - grid.mean((*p, "AdaMix")) for p in grid.places])
        for n in ABLATIONS
    }
    ranked = sorted(loss, key=loss.__getitem__, reverse=True)
    holds = ranked == list(ABLATIONS) and min(loss.values()) > 0
    figures = ", ".join(f"{name} {loss[name]:+.1f}" for name in ranked)
    return (
        f"**{'holds here' if holds else 'does not hold here'}**. Points of error gained by leaving"
        f" it out: {figures}."
    )


def boost(grid: Grid, place: tuple[str, str, int, float]) -> float:
    """(e_public - e_paragon) / (e_AdaMix - e_paragon); nan where AdaMix is within half a point of
    the paragon.
    """
    public, ours, best = (
        grid.mean((*place, name)) for name in ("Only-Public", "AdaMix", "paragon")
    )
    return (public - best) / (ours - best) if ours - best > 0.5 else math.nan


def boost_falls(grid: Grid) -> str:
    """Performance Boost at the fewest and at the most shots."""
    fewest, most_shots = grid.shots[0], grid.shots[-1]
    pairs = [
        ((e, d, fewest, b), (e, d, most_shots, b))
        for e, d, n, b in grid.places
        if n == fewest and (e, d, most_shots, b) in grid.places
    ]
    values = [(a, boost(grid, a), boost(grid, z)) for a, z in pairs]
    defined = [(better, worse) for _, better, worse in values if not math.isnan(better + worse)]
    signs = [1 if better > worse else -1 for better, worse in defined] or [0]
    figures = "; ".join(
        f"{a[0]}, {a[1]}, ε {a[3]:g}: {x:.2f} at {fewest}, {y:.2f} at {most_shots}"
        for a, x, y in values
    )
    return (
        f"{verdict(signs)}. {figures} (nan: AdaMix within half a point of the paragon, so"
        " undefined)."
    )


def better_features(grid: Grid) -> str:
    """What AdaMix gains over Fully-Private, by encoder, beside the paragon's error as the measure
    of the features.
    """
    if len(grid.encoders) < 2:
        return "**undecided**: one encoder only."
    rows = {}
    for encoder in grid.encoders:
        places = [p for p in grid.places if p[0] == encoder]
        gain = np.mean(
            [grid.mean((*p, "Fully-Private")) - grid.mean((*p, "AdaMix")) for p in places]
        )
        rows[encoder] = (np.mean([grid.mean((*p, "paragon")) for p in places]), gain)
    good, weak = sorted(rows, key=lambda e: rows[e][0])
    holds = rows[good][1] < rows[weak][1]
    figures = "; ".join(
        f"{e}: paragon {rows[e][0]:.1f}, gain {rows[e][1]:+.1f} points" for e in (good, weak)
    )
    return f"**{'holds here' if holds else 'does not hold here'}**. {figures}."


def domain_shift(grid: Grid) -> str:
    """AdaMix against Only-Public where public pictures come from another domain."""
    places = [p for p in grid.places if p[1] == "glyphs"]
    signs = [grid.signs[p, "AdaMix", "Only-Public"] for p in places]
    a, b = (np.mean([grid.mean((*p, name)) for p in places]) for name in ("AdaMix", "Only-Public"))
    return f"{verdict(signs)}. Mean error: {a:.1f} against {b:.1f}."


CLAIMS: dict[str, Callable[[Grid], str]] = {
    **{
        claim: partial(compare, better=better, worse=worse)
        for claim, (better, worse) in COMPARED.items()
    },
    "The start matters most, then the threshold, then the projection": ablation_order,
    "The boost over Only-Public falls as there are more shots (Figure 2)": boost_falls,
    "AdaMix beats Only-Public under a domain shift (Figure 3, right)": domain_shift,
    "What AdaMix gains over private training shrinks with better features (our reading, not the"
    " paper's)": better_features,
}


# ------------------------------------------------------------------------------------------- output


PREMISE = (
    "These digits lack the paper's premise: they have 10 classes with 400 private images each. The"
    " paper has 37 to 257 classes with few images each."
)


def report(grid: Grid, seeds: int) -> str:
    """Tables and claims as markdown."""
    parts = [
        PREMISE,
        f"`{DATASET}`, δ = 1e-5, {seeds} seeds of noise, shots and the division of private and test"
        " records, test error, mean ± half of its 95% interval; lowest in bold, the paragon apart."
        f" Every preset has the learning rate {adamix.LR.default:g}, the largest of the paper's"
        f" grid, and at most {adamix.MAX_STEPS.default:,} steps. Made by `python -m"
        " benchmarks.adamix --write`.",
    ]
    for encoder in grid.encoders:
        for domain, words in DOMAINS.items():
            parts += [f"## Encoder `{encoder}`, {words}", markdown(grid, encoder, domain)]
    parts.append("## What the AdaMix paper claims, and what holds on digits")
    parts.append(
        "A difference counts if it is significant over seeds and test records, paired by seed and"
        " by record, with Holm's correction over all comparisons of this list. PPGD is our reading"
        " of the abstract of Wang & Zhou 2020."
    )
    parts.append("\n".join(f"- {claim}: {measure(grid)}" for claim, measure in CLAIMS.items()))
    return "\n\n".join(parts)


def main() -> None:
    """Print the report, or put it into docs/measured."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--write", action="store_true", help="put it into docs/measured")
    options.add_argument("--encoders", nargs="+", default=ENCODERS, choices=ENCODERS)
    options.add_argument("--shots", nargs="+", type=int, default=SHOTS)
    options.add_argument("--budgets", nargs="+", type=float, default=BUDGETS)
    options.add_argument("--seeds", type=int, default=SEEDS)
    chosen = options.parse_args()
    grid = Grid(chosen.encoders, chosen.shots, chosen.budgets, chosen.seeds)
    print(f"\n{grid.fresh} runs computed in {grid.wall:.0f} s", file=sys.stderr)
    text = report(grid, chosen.seeds)
    put("mixed-privacy", text) if chosen.write else print(text)


if __name__ == "__main__":
    main()
