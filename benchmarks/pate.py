"""The tables of docs/measured: of teachers' votes: PATE, Transfer-PATE, label mappings and
prompts, and the Prom-PATE paper's claims.

    python -m benchmarks.pate                print the tables
    python -m benchmarks.pate --write        put them into docs/measured
    python -m benchmarks.pate --no-prompts   leave out the prompts, which train for minutes

Figures are accuracies in percent, means over SEEDS with half of their 95% interval, from seeds
and test records together. A seed draws the noise, the shards and the order of the queries; a draw
of prompts trains for minutes, and their votes are kept. What is stored is not computed again.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks._measured import put
from benchmarks._tables import plus_minus, verdict
from dpviz.experiments import experiment
from dpviz.experiments.result_files import PRIVATE
from dpviz.papers.checks.comparisons import NEARLY, nearly, outcome_of
from dpviz.papers.model import DOES_NOT, HOLDS
from dpviz.stats import Interval, accuracy, difference, signs
from dpviz.types import Budget, RunSpec

DATASET, ENCODER, PUBLIC = "mnist5k", "glyphnet", "held-aside"
BUDGETS = (1.0, 3.0, 10.0)
SEEDS = 12
ROWS: dict[str, tuple[str, dict[str, Any]]] = {
    "PATE, from scratch": ("pate", {}),
    "Transfer-PATE, linear": ("transfer-pate", {}),
    "mapping, 1 FC": ("prom-pate", {}),
    "mapping, 2 FC": ("prom-pate", {"mapping": "fc2"}),
    "mapping, random": ("prom-pate", {"mapping": "random-map"}),
    "Transfer-PATE, FixMatch": ("transfer-pate", {"student": "fixmatch"}),
    "Transfer-PATE, FreeMatch": ("transfer-pate", {"student": "freematch"}),
    "Transfer-PATE, no threshold": ("transfer-pate", {"check": "none"}),
    "Transfer-PATE, 250 teachers": ("transfer-pate", {"teachers": 250}),
    "Transfer-PATE, 500 teachers": ("transfer-pate", {"teachers": 500}),
    "mapping 1 FC, 250 teachers": ("prom-pate", {"teachers": 250}),
    "mapping 1 FC, 500 teachers": ("prom-pate", {"teachers": 500}),
}
PROMPTS: dict[str, tuple[str, dict[str, Any]]] = {
    "prompt in a frame, 1 FC": ("prom-pate", {"prompt": "frame"}),
    "prompt everywhere (no mask), 1 FC": ("prom-pate", {"prompt": "everywhere"}),
}
"""100 teachers, as in the other rows; larger ensembles want a GPU."""


class Grid:
    """Accuracies and notes of every row and budget."""

    def __init__(self, rows: Mapping[str, tuple[str, dict[str, Any]]]) -> None:
        """Computes what is not stored."""
        self.rows = rows
        cells = [(name, b, seed) for name in rows for b in BUDGETS for seed in range(SEEDS)]
        started = time.perf_counter()
        results = experiment.sweep(
            [_spec(*rows[name], b, seed) for name, b, seed in cells], progress=_progress
        )
        self.wall, self.fresh = (
            time.perf_counter() - started,
            sum(r.origin == "computed" for r in results),
        )
        self.of = dict(zip(cells, results, strict=True))

        claimed = [
            (*pair, b)
            for pair in (CLAIMS | QUESTIONS).values()
            if set(pair) <= set(rows)
            for b in BUDGETS
        ]
        compared = {(a, z, b): (self.point(z, b), self.point(a, b)) for a, z, b in claimed}
        self.signs = signs(compared, paired=True)

    def point(self, name: str, budget: float) -> Interval:
        """Test accuracy."""
        return accuracy([self.of[name, budget, seed] for seed in range(SEEDS)], "overall")

    def note(self, name: str, budget: float, name_of_note: str) -> float:
        """Mean of a private view over the seeds that have it."""
        values = [self.of[name, budget, seed].notes[PRIVATE][name_of_note] for seed in range(SEEDS)]
        defined = [value for value in values if value is not None]
        return float(np.mean(defined)) if defined else math.nan

    def text(self, name: str, budget: float) -> str:
        """Accuracy, and answers with the share of them that is right."""
        answered, right = (
            self.note(name, budget, "answered"),
            self.note(name, budget, "answers_right"),
        )
        right_text = "none right or wrong" if math.isnan(right) else f"{100 * right:.0f}% right"
        return f"{plus_minus(self.point(name, budget))} ({answered:.0f}, {right_text})"

    def claim(self, better: str, worse: str) -> str:
        """The verdict on "``better`` is more accurate than ``worse``" over the budgets, paired by
        seed and record, all claims taken together, with the means.
        """
        outcome = verdict([self.signs[better, worse, b] for b in BUDGETS])
        return f"{outcome}. {self.figures(better, worse)}."

    def alike(self, first: str, second: str) -> str:
        """The verdict on "``first`` and ``second`` differ little" over the budgets, with the"
        " means."""
        gaps = [
            (
                difference(self.point(first, b), self.point(second, b), paired=True),
                nearly(self.point(first, b).wrong, self.point(second, b).wrong),
            )
            for b in BUDGETS
        ]
        equal = sum(abs(gap.gap) + gap.half < margin for gap, margin in gaps)
        unequal = sum(abs(gap.gap) - gap.half > margin for gap, margin in gaps)
        word = {DOES_NOT: "does not hold here", HOLDS: "holds here"}.get(
            outcome_of(equal, unequal, len(gaps)), "undecided"
        )
        return (
            f"**{word}** ({equal} nearly equal, {unequal} not, {len(gaps) - equal - unequal} within"
            f" noise). {self.figures(first, second)}. {NEARLY}."
        )

    def figures(self, first: str, second: str) -> str:
        """Both means at every budget."""
        percent = lambda name, budget: f"{100 * self.point(name, budget).mean:.1f}"
        return "; ".join(
            f"ε {b:g}: {percent(first, b)} against {percent(second, b)}" for b in BUDGETS
        )


def _spec(method: str, params: Mapping[str, Any], budget: float, seed: int) -> RunSpec:
    return RunSpec(
        DATASET,
        ENCODER,
        method,
        Budget(budget),
        params=tuple((dict(params) | {"split_draw": seed}).items()),
        seed=seed,
        public=PUBLIC,
    )


def _progress(stage: str, completed: int, total: int) -> None:
    print(f"\r{stage}: {completed} of {total}\033[K", end="", file=sys.stderr, flush=True)


CLAIMS: dict[str, tuple[str, str]] = {
    "Prompts beat transfer learning as teachers, without a domain gap (Tables 1 and 3)": (
        "prompt in a frame, 1 FC",
        "Transfer-PATE, linear",
    ),
    "With the same student, prompts beat teachers from scratch (Table 3, A and E)": (
        "prompt in a frame, 1 FC",
        "PATE, from scratch",
    ),
    "A mask helps the prompt (Table 9)": (
        "prompt in a frame, 1 FC",
        "prompt everywhere (no mask), 1 FC",
    ),
    "One FC layer beats a random mapping (Table 10), without prompts": (
        "mapping, 1 FC",
        "mapping, random",
    ),
    "One FC layer beats two (Table 10), without prompts": ("mapping, 1 FC", "mapping, 2 FC"),
    "Transfer learning beats teachers from scratch (Table 3, C and E)": (
        "Transfer-PATE, linear",
        "PATE, from scratch",
    ),
    "More teachers help: 250 beat 100 (Table 6)": (
        "Transfer-PATE, 250 teachers",
        "Transfer-PATE, linear",
    ),
    "More teachers help: 500 beat 250 (Table 6)": (
        "Transfer-PATE, 500 teachers",
        "Transfer-PATE, 250 teachers",
    ),
}
ALIKE: dict[str, tuple[str, str]] = {
    "FreeMatch and FixMatch differ little (Tables 18 to 20)": (
        "Transfer-PATE, FreeMatch",
        "Transfer-PATE, FixMatch",
    ),
}
QUESTIONS: dict[str, tuple[str, str]] = {
    "Prompts beat the same label mapping without prompts": (
        "prompt in a frame, 1 FC",
        "mapping, 1 FC",
    ),
    "Learning from the unanswered helps: FixMatch beats supervised": (
        "Transfer-PATE, FixMatch",
        "Transfer-PATE, linear",
    ),
    "The threshold pays for itself, all tests paid": (
        "Transfer-PATE, linear",
        "Transfer-PATE, no threshold",
    ),
}
"""Not claims of the paper: listed apart, and not counted in the headline."""
PROMPTS_TRIED = (
    "Prompts were tried without a domain gap and at ratio 0.75: GlyphNet has learned digits. The"
    " paper's gain is largest across domains (Table 5), and its best ratio is 0.86 (Table 11)."
)
UNTOLD = (
    "a rescale ratio of 0.6 to 0.86 is best (Table 11), better source models make better teachers"
    " (Tables 7, 8), a pre-trained student beats one from scratch (Tables 2, 3), Prom-PATE beats"
    " published private classifiers on CIFAR (Tables 4, 21): one encoder, one data set and students"
    " on its features cannot tell"
)


def report(grid: Grid) -> str:
    """Table and claims as markdown."""
    head = (
        "| accuracy, % (answers, share right) | "
        + " | ".join(f"ε {b:g}" for b in BUDGETS)
        + " |\n| --- |"
        + " ---: |" * len(BUDGETS)
    )
    lines = [
        f"| {name} | " + " | ".join(grid.text(name, b) for b in BUDGETS) + " |"
        for name in grid.rows
    ]
    claims = [
        f"- {claim}: {grid.claim(*pair)}"
        for claim, pair in CLAIMS.items()
        if set(pair) <= set(grid.rows)
    ]
    claims += [f"- {claim}: {grid.alike(*pair)}" for claim, pair in ALIKE.items()]
    questions = [
        f"1. {question}: {grid.claim(*pair)}"
        for question, pair in QUESTIONS.items()
        if set(pair) <= set(grid.rows)
    ]
    parts = [
        (
            f"`{DATASET}`, `{ENCODER}`, queries from `{PUBLIC}` (200 public digits), δ = 1e-5,"
            f" {SEEDS} seeds, mean ± half of its 95% interval from seeds and test records"
            " together; in brackets the answers and how many of them are right, a private view. 100"
            " teachers of about 38 digits and a supervised student unless said; T, σ₁, σ₂ and the"
            " number of queries by the method's rule, data-independent ε, every test paid. A seed"
            " draws shards, queries and noise. Made by `python -m benchmarks.pate --write`."
        ),
        head + "\n" + "\n".join(lines),
        (
            "What the Prom-PATE paper claims, and what holds here. A difference counts if it is"
            " significant over seeds and test records, paired by seed and by record, with Holm's"
            " correction over all comparisons of this page."
        ),
        "\n".join(claims),
        PROMPTS_TRIED,
        "Our own questions, not claims of the paper:",
        "\n".join(questions),
        f"- Not tested here: {UNTOLD}.",
    ]
    return "\n\n".join(parts)


def main() -> None:
    """Print the report, or put it into docs/measured."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--write", action="store_true", help="put it into docs/measured")
    options.add_argument(
        "--no-prompts", action="store_true", help="leave out the prompts, which train for minutes"
    )
    chosen = options.parse_args()
    grid = Grid(ROWS if chosen.no_prompts else ROWS | PROMPTS)
    print(f"\n{grid.fresh} runs computed in {grid.wall:.0f} s", file=sys.stderr)
    put("teachers-vote", report(grid)) if chosen.write else print(report(grid))


if __name__ == "__main__":
    main()
