"""Settings of methods that were tuned on public data for the bundled data sets.

``tuned_settings.json`` holds a row for each data set, encoder and public set. The command in each
row computes it again.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dpviz import data, methods
from dpviz.data import preparation, synthetic
from dpviz.text import guarantee_cards as cards
from dpviz.text.template import render_text
from dpviz.types import DataConfig, RunSpec

FILE = Path(__file__).with_suffix(".json")
Params = tuple[tuple[str, Any], ...]
"""Values that differ from a method's defaults."""


@dataclass(frozen=True)
class TunedSettings:
    """One row of the file.

    Attributes:
        dataset, encoder, public: keys; ir: imbalance ratio of the rehearsal; largest: records of
            its largest class; centered: whether features are centered on the public mean; trials:
            of each method; methods: params that differ from the defaults, score and default score
            by method; seed, command, date: how and when it was made.
    """

    dataset: str
    encoder: str | None
    public: str
    ir: float
    largest: int
    centered: bool
    trials: int
    seed: int
    methods: Mapping[str, Mapping[str, Any]]
    command: str
    date: str

    def params(self, method: str) -> Params | None:
        """Params of a method that differ from its defaults; None where it was not tuned."""
        settings = self.methods.get(method)
        return None if settings is None else tuple(sorted(settings["params"].items()))


def centered(features: str) -> bool:
    """Whether a preparation centers features on the public mean."""
    return preparation.centering(features, "yes") == features


@cache
def rows() -> tuple[TunedSettings, ...]:
    """All rows of the file."""
    return tuple(TunedSettings(**row) for row in json.loads(FILE.read_text("utf-8")))


def write(new_rows: list[TunedSettings]) -> None:
    """Replace the file."""
    text = json.dumps([dataclasses.asdict(row) for row in new_rows], indent=1, ensure_ascii=False)
    FILE.write_text(text + "\n", "utf-8")
    rows.cache_clear()


def row_of(material: DataConfig) -> TunedSettings | None:
    """The row of this data set, encoder and public set; None without one."""
    key = place(material)
    return next((row for row in rows() if place_of(row) == key), None)


def place(material: DataConfig) -> tuple[str, str | None, str | None]:
    """Data set, encoder and public set, with defaults filled in."""
    dataset = material.dataset
    name = synthetic.canonical(dataset) if synthetic.is_synthetic(dataset) else dataset
    return name, material.encoder, material.public or data.default_public(name)


def place_of(row: TunedSettings) -> tuple[str, str | None, str | None]:
    """The same of a row."""
    name = synthetic.canonical(row.dataset) if synthetic.is_synthetic(row.dataset) else row.dataset
    return name, row.encoder, row.public


def chosen(trials: int, public: str) -> str:
    """Return how settings were chosen on public data, for a guarantee card."""
    return render_text(cards.DEFAULTS_TUNED, trials=trials, public=public)


def origin(spec: RunSpec) -> str:
    """How a spec's settings were chosen, where a row of the file has them; "" otherwise.

    Settings that are equal to the defaults do not count: defaults were chosen on other data.
    """
    row = row_of(spec)
    tuned = row.params(spec.method) if row else None
    if row is None or tuned is None:
        return ""
    method = methods.get(spec.method)
    same_params = method.check(dict(spec.params)) == method.check(dict(tuned))
    same_centering = centered(spec.features) == row.centered
    if not (same_params and same_centering and (tuned or row.centered)):
        return ""
    return chosen(row.trials, row.public)
