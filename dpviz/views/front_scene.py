"""What the front page shows: the picture that stands for each class at every budget, and how often
that is right.

Accuracies are those of ``experiment.run``. The pictures are one seed's, kept on disk: to find them
takes all scores of the public set.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.data import suiting_encoder
from dpviz.diagnostics import prototype_choices
from dpviz.machine import code_fingerprint, notes
from dpviz.machine.files import cache_dir, read_sealed, write_sealed
from dpviz.plots.kit.png import data_url
from dpviz.run import experiment
from dpviz.types import Budget, DpvizError, Result, RunSpec
from dpviz.views import public_only
from dpviz.views.page_config import Group

METHOD, RATIO, SEEDS = "dppl-public", 50.0, 5
DATASETS = {"digits": "mnist5k", "clothes": "clothes"}
"""Data set by its name in the link."""
BUDGETS = (
    *(0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7),
    *(1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0),
)
"""ε of the slider, from private to accurate; one more place, without noise, follows."""


@dataclass(frozen=True, eq=False)
class Picks:
    """What is picked with the first seed.

    Attributes:
        rows: (places, C) rows of the public set, one place a budget and one without noise.
        pictures: source for HTML by row; kinds: what each picture is called, None without labels.
    """

    rows: tuple[tuple[int, ...], ...]
    pictures: Mapping[int, str]
    kinds: Mapping[int, str | None]


@dataclass(frozen=True, eq=False)
class Scene:
    """All that the front page moves through.

    Attributes:
        names: of the classes; results: (places, seeds), the last place without noise; picks.
    """

    names: tuple[str, ...]
    results: tuple[tuple[Result, ...], ...]
    picks: Picks

    @property
    def quiet(self) -> Result:
        """Without noise, where all seeds are the same."""
        return self.results[-1][0]

    @property
    def rare(self) -> tuple[int, ...]:
        """The classes with the fewest pictures."""
        return self.quiet.minority_classes

    @property
    def many(self) -> tuple[int, ...]:
        """The others."""
        return tuple(c for c in range(len(self.names)) if c not in self.rare)

    def lost(self, place: int, seed: int = 0) -> tuple[bool, ...]:
        """Which classes are broken: recognised less than half as often as without noise."""
        pairs = zip(
            self.results[place][seed].scores.per_class, self.quiet.scores.per_class, strict=True
        )
        return tuple(now < quiet / 2 for now, quiet in pairs)

    def breaks(self, seed: int = 0) -> tuple[int, ...]:
        """The place where each class is broken first on the way to the private side; -1: none."""
        places = [self.lost(place, seed) for place in range(len(self.results) - 1)]
        classes = range(len(self.names))
        return tuple(
            max((at for at, lost in enumerate(places) if lost[c]), default=-1) for c in classes
        )

    def first(self, seed: int = 0) -> tuple[int, ...]:
        """The classes that break first; none where nothing does."""
        breaks = self.breaks(seed)
        return tuple(c for c, at in enumerate(breaks) if at == max(breaks) >= 0)


def spec(name: str, budget: float, seed: int = 0) -> RunSpec:
    """The run behind a place of the slider; ``name``: a key of ``DATASETS``."""
    dataset = DATASETS[name]
    return RunSpec(
        dataset, suiting_encoder(dataset), METHOD, Budget(budget), ir=RATIO, params=(), seed=seed
    )


def groups(name: str) -> list[Group]:
    """All runs: those with noise, and the one without."""
    noisy = tuple(spec(name, budget, seed) for seed in range(SEEDS) for budget in BUDGETS)
    return [noisy, (spec(name, math.inf),)]


def public_run(name: str) -> RunSpec | None:
    """The run of public data alone on the same pictures."""
    return public_only.public_run(spec(name, math.inf))


def scene(name: str, noisy: Sequence[Result], quiet: Result) -> Scene:
    """The scene of the results of ``groups``."""
    data = experiment.prepared(quiet.spec)
    by_budget = tuple(
        tuple(result for result in noisy if result.spec.budget.value == budget)
        for budget in BUDGETS
    )
    return Scene(data.class_names, (*by_budget, (quiet,)), picks(name))


# ------------------------------------------------------------------------------------- the pictures


def picks(name: str) -> Picks:
    """What is picked for a data set, from the disk where it is known."""
    path = cache_dir() / "front" / f"{_key(name)}.json"
    content = read_sealed(path)
    if content is not None:
        return _from_json(json.loads(bytes(content)))
    found = _data_set(name)
    try:
        write_sealed(path, json.dumps(dataclasses.asdict(found)).encode())
    except DpvizError as error:
        notes.publish(f"The front page's pictures are shown, but not kept. {error}")
    return found


def _key(name: str) -> str:
    """Of the data and of all code that finds the pictures."""
    one = spec(name, BUDGETS[0])
    finds = Path(prototype_choices.__file__).read_bytes() + Path(__file__).read_bytes()
    facts = (one.digest, experiment.prepared(one).fingerprint, code_fingerprint.own())
    return hashlib.sha256(repr(facts).encode() + finds).hexdigest()[:20]


def _data_set(name: str) -> Picks:
    one = spec(name, BUDGETS[0])
    data = experiment.prepared(one)
    chosen = prototype_choices.draws(one, (*BUDGETS, math.inf), (0,)).chosen[:, 0]
    rows = sorted(set(chosen.ravel().tolist()))
    assert data.thumbnails is not None
    assert data.y_public is not None
    images, called = data.thumbnails("public", np.array(rows)), prototype_choices.public_names(data)
    return Picks(
        tuple(tuple(place) for place in chosen.tolist()),
        {row: data_url(image) for row, image in zip(rows, images, strict=True)},
        {row: called[int(data.y_public[row])] if called else None for row in rows},
    )


def _from_json(raw: dict[str, Any]) -> Picks:
    return Picks(
        tuple(tuple(place) for place in raw["rows"]),
        {int(row): url for row, url in raw["pictures"].items()},
        {int(row): kind for row, kind in raw["kinds"].items()},
    )
