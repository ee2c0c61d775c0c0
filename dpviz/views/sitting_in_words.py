"""The ledger of a sitting in words: line by line, and what all of it costs."""

from __future__ import annotations

import math
from pathlib import Path

from dpviz.data import DATASETS, uploads
from dpviz.methods import METHODS
from dpviz.privacy.sitting_ledger import Ledger, Line
from dpviz.types import RunSpec
from dpviz.words import literal, number, subset

TITLE = "What this sitting has shown, in privacy"
MOST = 40
"""Lines that are written out."""
NOTHING = "No run with noise has been shown yet. What is shown without noise has no price at all."
REPLAY = (
    "These are replays for teaching: whoever may pick budgets at one seed can undo the noise. A"
    " real release is drawn once, with `dpviz release`."
)
TWO_UNITS = (
    "**Together: no one figure.** Some of these runs promise something to each record, others to"
    " each person; each line holds by itself."
)
UNBOUNDED = (
    "**Together: no bound.** Some of these runs share one noise, and two of them side by side can"
    " give the value without it."
)
APART = (
    "Anything badged as a private view is not in it: what reads records without noise has no finite"
    " price."
)


def whole(ledger: Ledger, delta: float) -> str:
    """All of it in Markdown: the total, its reason, and the lines."""
    if not ledger.lines:
        return f"{NOTHING}\n\n{REPLAY}"
    lines = [f"**{literal(title(line.spec))}**: {words(line)}" for line in ledger.lines[:MOST]]
    if len(ledger.lines) > MOST:
        lines.append(f"and {len(ledger.lines) - MOST} more, which the total holds as well.")
    return "\n\n".join([total(ledger, delta), REPLAY, f"At δ = {number(delta)}:", *lines, APART])


def total(ledger: Ledger, delta: float) -> str:
    """What everything costs together."""
    if len({line.spec.unit for line in ledger.lines}) > 1:
        return TWO_UNITS if math.isfinite(ledger.epsilon) else UNBOUNDED
    price = f"{_price(ledger.fresh)} at δ = {number(delta)}"
    if not math.isfinite(ledger.fresh):
        return "**Together: no bound.** For one of these runs nothing is known to bound it."
    if math.isfinite(ledger.epsilon):
        return f"**Together: {price}**, by composition: every run here has noise of its own."
    return f"{UNBOUNDED} Had every run had noise of its own: {price}."


def title(spec: RunSpec) -> str:
    """Method, data, and the settings that are not the method's defaults."""
    method = METHODS[spec.method]
    defaults = {param.name: param.default for param in method.params}
    changed = [f"{k} {_short(v)}" for k, v in spec.params if v != defaults.get(k)]
    row = DATASETS.get(spec.dataset)
    name = row.title if row else uploads.named(spec.dataset) or Path(spec.dataset).name
    data = [name, spec.encoder, spec.features, subset(spec)]
    return ", ".join([method.title, *filter(None, data), *changed])


def words(line: Line) -> str:
    """How many runs, what they cost by themselves, and whether their noise was seen elsewhere."""
    seeds = _seeds(line.seeds)
    if line.releases:
        told = f"{_many(line.runs, 'release')} from the system's entropy"
    elif not line.runs:
        told = "the best of a secret number of runs, shown alone"
    elif line.runs == 1:
        told = f"1 run, {seeds}"
    else:
        told = f"{line.runs} runs: {_many(line.budgets, 'budget')}, {seeds}"
    if line.own:
        told += (
            "; no bound, as budgets of one seed share its noise; with noise of their own"
            f" {_price(line.fresh)}"
        )
    else:
        told += f"; {_price(line.fresh)} alone"
    if line.other:
        told += f"; shares noise with {literal(_other(line))}"
    return f"{told}."


def _other(line: Line) -> str:
    assert line.other is not None
    if line.other.method == line.spec.method:
        return "the same method at other settings or on other data"
    return METHODS[line.other.method].title


def _price(epsilon: float) -> str:
    return f"ε = {number(epsilon)}" if math.isfinite(epsilon) else "no bound"


def _many(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")


def _seeds(seeds: tuple[int, ...]) -> str:
    if len(seeds) < 2:
        return f"seed {seeds[0]}" if seeds else ""
    if seeds[-1] - seeds[0] == len(seeds) - 1:
        return f"seeds {seeds[0]} to {seeds[-1]}"
    return f"{len(seeds)} seeds"


def _short(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)
