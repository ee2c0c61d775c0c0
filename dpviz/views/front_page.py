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
from statistics import fmean
from typing import Any

import numpy as np

from dpviz.data import suiting_encoder
from dpviz.diagnostics import prototype_choices
from dpviz.formatting import listed
from dpviz.machine import code_fingerprint, notes
from dpviz.machine.files import cache_dir, read_sealed, write_sealed
from dpviz.plots.kit.png import data_url
from dpviz.run import experiment
from dpviz.types import Budget, DpvizError, Result, RunSpec
from dpviz.views import public_only
from dpviz.views.page_config import Group
from dpviz.views.phrases import guess, hundredths, out_of_100

TITLE = "Can a machine learn from your picture without giving it away?"
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
    def frequent(self) -> tuple[int, ...]:
        """The others."""
        return tuple(c for c in range(len(self.names)) if c not in self.rare)

    def broken_classes(self, place: int, seed: int = 0) -> tuple[bool, ...]:
        """Which classes are broken: recognised less than half as often as without noise."""
        pairs = zip(
            self.results[place][seed].scores.per_class, self.quiet.scores.per_class, strict=True
        )
        return tuple(now < quiet / 2 for now, quiet in pairs)

    def breaks(self, seed: int = 0) -> tuple[int, ...]:
        """The place where each class is broken first on the way to the private side; -1: none."""
        places = [self.broken_classes(place, seed) for place in range(len(self.results) - 1)]
        classes = range(len(self.names))
        return tuple(
            max((at for at, lost in enumerate(places) if lost[c]), default=-1) for c in classes
        )

    def first_broken(self, seed: int = 0) -> tuple[int, ...]:
        """The classes that break first; none where nothing does."""
        breaks = self.breaks(seed)
        return tuple(c for c, place in enumerate(breaks) if place == max(breaks) >= 0)


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
    fresh = _data_set(name)
    try:
        write_sealed(path, json.dumps(dataclasses.asdict(fresh)).encode())
    except DpvizError as error:
        notes.publish(f"The front page's pictures are shown, but not kept. {error}")
    return fresh


def _key(name: str) -> str:
    """Of the data and of all code that finds the pictures."""
    run = spec(name, BUDGETS[0])
    finds = Path(prototype_choices.__file__).read_bytes() + Path(__file__).read_bytes()
    facts = (run.digest, experiment.prepared(run).fingerprint, code_fingerprint.own())
    return hashlib.sha256(repr(facts).encode() + finds).hexdigest()[:20]


def _data_set(name: str) -> Picks:
    run = spec(name, BUDGETS[0])
    data = experiment.prepared(run)
    chosen = prototype_choices.draws(run, (*BUDGETS, math.inf), (0,)).chosen[:, 0]
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


NOUNS = {"digits": ("digit", "digits"), "clothes": ("kind of clothes", "clothes")}
"""One and several of what is recognised, by the name of the data set in the link."""
SIMILARITY_TEXT = (
    "The words under a picture say what it really shows: a look-alike from public pictures."
)
MIN_GAP = 10
"""Points from which on it is said that the draw in the picture differs from the mean."""


def intro(name: str) -> str:
    """What is looked at."""
    noun = NOUNS[name][0]
    return (
        f"For each {noun} this machine keeps one picture out of a public collection. People's own"
        " pictures only choose which; random noise in the choice hides whether yours took part."
    )


def rare_names(scene: Scene, name: str) -> str:
    """The rare classes by name."""
    return f"the rare {NOUNS[name][1]} {listed([scene.names[c] for c in scene.rare])}"


def mean_accuracy(scene: Scene, place: int) -> float:
    """Accuracy of the rare classes at a place, the mean over the seeds."""
    return fmean(result.scores.minority for result in scene.results[place])


def accuracy_text(scene: Scene, name: str, place: int) -> str:
    """How often the rare classes are recognised, with this noise and without."""
    right, quiet = out_of_100(mean_accuracy(scene, place)), out_of_100(scene.quiet.scores.minority)
    if place == len(scene.results) - 1:
        words = rare_names(scene, name)
        return f"Without noise {words} are recognised **{quiet} times in 100**."
    blind = f"blind guessing {out_of_100(1 / len(scene.names))}"
    if right == quiet:
        return (
            f"With so little noise {rare_names(scene, name)} are recognised **{right} times in"
            f" 100**; without any, the same method manages **{quiet}**, {blind}."
        )
    return (
        f"At this setting {rare_names(scene, name)} are recognised **{right} times in 100**;"
        f" without noise the same method manages **{quiet}**, {blind}."
    )


PUBLIC_ALONE = " Public pictures alone: **{public}**."


def public_alone(public: Result | None) -> str:
    """How often the rare classes are recognized without any private picture; "" if not known."""
    if public is None or math.isnan(public.scores.minority):
        return ""
    return PUBLIC_ALONE.format(public=out_of_100(public.scores.minority))


def guess_sentence(scene: Scene, place: int) -> str:
    """What is left to someone who guesses."""
    if place == len(scene.results) - 1:
        return "Nothing is promised: a guess whether your picture was used may be **always** right."
    return f"{guess([scene.results[place][0].guarantee])}."


def picture_text(scene: Scene, place: int) -> str:
    """Which draw the pictures are of, with its own number where that is far from the mean."""
    if place == len(scene.results) - 1:
        return "Without noise there is nothing to draw: always these pictures."
    first = scene.results[place][0].scores.minority
    drawn, average = hundredths(first), hundredths(mean_accuracy(scene, place))
    own = f", in which it is {out_of_100(first)} in 100" if abs(drawn - average) >= MIN_GAP else ""
    return f"Pictured is one draw of the noise{own}; the numbers are the mean of {SEEDS} draws."


def broken_text(name: str) -> str:
    """What breaking means."""
    return (
        f"A {NOUNS[name][0]} breaks (✗) when it is recognised less than half as often as"
        " without noise."
    )


def draws_text(scene: Scene) -> str:
    """Which class breaks first in how many draws."""
    counts: dict[str, int] = {}
    for seed in range(SEEDS):
        names = listed([scene.names[c] for c in scene.first_broken(seed)]) or "none"
        counts[names] = counts.get(names, 0) + 1
    order = sorted(counts.items(), key=lambda pair: -pair[1])
    texts = "; ".join(f"{names} in {count}" for names, count in order)
    return f"Over {SEEDS} draws of the noise, first to break: {texts}."
