"""The front page's data: the public image chosen for each class at every budget, and accuracies.

Accuracies are those of ``experiment.run``. The images are those of one seed. They are kept on disk,
since finding them takes all scores of the public set.
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
from dpviz.diagnostics import attack_bound, prototype_choices
from dpviz.experiments import experiment
from dpviz.formatting import listed, share
from dpviz.machine import code_fingerprint, notes
from dpviz.machine.files import cache_dir, read_sealed, write_sealed
from dpviz.plots.kit.png import data_url
from dpviz.stats import Interval, accuracy
from dpviz.text import front as text
from dpviz.text.template import render_text
from dpviz.types import Budget, DpvizError, Result, RunSpec
from dpviz.views import data_draws, method_tiles, public_only
from dpviz.views.data_draws import DrawRuns
from dpviz.views.page_config import Group
from dpviz.views.phrases import hundredths

METHOD, RATIO, SEEDS = "dppl-public", 50.0, 5
DATASETS = {"digits": "mnist5k", "clothes": "clothes"}
"""Data set by its name in the link."""
BUDGETS = (
    *(0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7),
    *(1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0),
)
"""ε of the slider, from private to accurate; the last place, without noise, follows."""


@dataclass(frozen=True, eq=False)
class Picks:
    """Public images chosen with the first seed.

    Attributes:
        rows: (places, C) rows of the public set: a place per budget, and one without noise.
        pictures: HTML source by row; kinds: label of each image, None without labels.
    """

    rows: tuple[tuple[int, ...], ...]
    pictures: Mapping[int, str]
    kinds: Mapping[int, str | None]


@dataclass(frozen=True, eq=False)
class Scene:
    """All places of the front page's slider.

    Attributes:
        names: class names; results: (places, seeds), the last place without noise; picks: images;
        draws: runs on all data draws, behind the accuracies, None where they are those of one draw.
    """

    names: tuple[str, ...]
    results: tuple[tuple[Result, ...], ...]
    picks: Picks
    draws: DrawRuns | None = None

    @property
    def quiet(self) -> Result:
        """The run without noise."""
        return self.results[-1][0]

    @property
    def data_name(self) -> str:
        """Key of the data set in ``DATASETS``."""
        dataset = self.quiet.spec.dataset
        return next(name for name, shown in DATASETS.items() if shown == dataset)

    @property
    def rare(self) -> tuple[int, ...]:
        """Classes with the fewest images."""
        return self.quiet.minority_classes

    @property
    def frequent(self) -> tuple[int, ...]:
        """All other classes."""
        return tuple(c for c in range(len(self.names)) if c not in self.rare)

    def results_behind(self, place: int) -> Sequence[Result]:
        """Return the results behind the accuracy at a place."""
        budget = self.results[place][0].spec.budget.value
        return self.draws.at_budget(budget) if self.draws else self.results[place]

    def accuracy(self, place: int) -> Interval:
        """Return the accuracy on rare classes at a place."""
        results = self.results[place]
        if self.draws:
            return self.draws.accuracy(results[0].spec.budget.value, "minority")
        return accuracy(results, "minority")

    def broken_classes(self, place: int, seed: int = 0) -> tuple[bool, ...]:
        """Return which classes are recognized less than half as often as without noise."""
        pairs = zip(
            self.results[place][seed].scores.per_class, self.quiet.scores.per_class, strict=True
        )
        return tuple(now < quiet / 2 for now, quiet in pairs)

    def breaks(self, seed: int = 0) -> tuple[int, ...]:
        """Return the most accurate place at which each class is broken; -1: none."""
        places = [self.broken_classes(place, seed) for place in range(len(self.results) - 1)]
        classes = range(len(self.names))
        return tuple(
            max((at for at, lost in enumerate(places) if lost[c]), default=-1) for c in classes
        )

    def start(self) -> int:
        """Return the first place of the slider: two places before the first class breaks, where
        noise already costs accuracy.
        """
        return min(max(self.breaks()) + 2, len(BUDGETS) - 1)

    def first_broken(self, seed: int = 0) -> tuple[int, ...]:
        """Return the classes that break first, if any."""
        breaks = self.breaks(seed)
        return tuple(c for c, place in enumerate(breaks) if place == max(breaks) >= 0)


def spec(name: str, budget: float, seed: int = 0) -> RunSpec:
    """Return the run of a place of the slider; ``name``: a key of ``DATASETS``."""
    dataset = DATASETS[name]
    return RunSpec(
        dataset, suiting_encoder(dataset), METHOD, Budget(budget), ir=RATIO, params=(), seed=seed
    )


def groups(name: str) -> list[Group]:
    """Return all runs: those with noise, and the one without."""
    noisy = tuple(spec(name, budget, seed) for seed in range(SEEDS) for budget in BUDGETS)
    return [noisy, (spec(name, math.inf),)]


def public_run(name: str) -> RunSpec | None:
    """Return the run with public data alone, on the same data set."""
    return public_only.public_run(spec(name, math.inf))


def draw_groups(name: str) -> tuple[Group, Group]:
    """Return the runs on all data draws: with noise, and ``data_draws.fixed_group``."""
    noisy = tuple(
        run for budget in BUDGETS for run in data_draws.one_budget_group(spec(name, budget))
    )
    return noisy, data_draws.fixed_group(spec(name, math.inf))


def scene(
    name: str, noisy: Sequence[Result], quiet: Result, draws: DrawRuns | None = None
) -> Scene:
    """Return the scene for the results of ``groups``, and those of ``draw_groups``."""
    data = experiment.prepared(quiet.spec)
    by_budget = tuple(
        tuple(result for result in noisy if result.spec.budget.value == budget)
        for budget in BUDGETS
    )
    return Scene(data.class_names, (*by_budget, (quiet,)), picks(name), draws)


# ------------------------------------------------------------------------------------- the pictures


def picks(name: str) -> Picks:
    """Return the images chosen for a data set, from disk if they are stored."""
    path = cache_dir() / "front" / f"{_key(name)}.json"
    content = read_sealed(path)
    if content is not None:
        return _from_json(json.loads(bytes(content)))
    fresh = _data_set(name)
    try:
        write_sealed(path, json.dumps(dataclasses.asdict(fresh)).encode())
    except DpvizError as error:
        notes.publish(render_text(text.NOT_KEPT, error=str(error)))
    return fresh


def _key(name: str) -> str:
    """Return a digest of the data and of all code that finds the images."""
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


MIN_GAP = 10
"""Points from which on the accuracy of the run shown is given beside the mean."""


def intro(name: str) -> str:
    """Return what the page shows."""
    return render_text(text.INTRO, noun=text.NOUNS[name])


def kind_text(kind: str, is_character: bool) -> str:
    """Return what an image shows, in words."""
    if not is_character:
        return kind
    return render_text(text.DIGIT if kind.isdigit() else text.LETTER, kind=kind)


def best_guess(scene: Scene, place: int) -> float:
    """Return the attacker's best guess at a place of the slider; 1 without noise."""
    if place == len(scene.results) - 1:
        return 1.0
    return attack_bound.success_bound(scene.results[place][0].guarantee)


def tiles(scene: Scene, place: int, public: Result | None) -> list[tuple[str, ...]]:
    """Return label, value, note and runs of each tile at a place of the slider."""
    rare = ", ".join(scene.names[c] for c in scene.rare)
    is_private = place < len(scene.results) - 1
    guess = render_text("{share:at_most}", share=best_guess(scene, place))
    named = render_text(text.RARE, names=rare)
    label = text.RARE_OF_DRAWS[scene.data_name] if scene.draws else named
    chance = render_text(text.RARE_NOTE, chance=1 / len(scene.names))
    private, quiet, alone = scene.accuracy(place), scene.accuracy(-1), alone_accuracy(scene, public)
    basis = lambda point: method_tiles.basis(point, scene.quiet.spec)[0]
    sign = public_sign(scene, place, public)
    public_note = render_text(text.PUBLIC_NOTES[sign], rare=private.mean)
    return [
        (label, share(private.mean), chance, basis(private)),
        (text.GUESS, guess, text.GUESS_NOTE if is_private else text.NO_GUARANTEE, ""),
        (text.QUIET, share(quiet.mean), text.QUIET_NOTE, basis(quiet)),
        (text.PUBLIC, share(alone.mean), public_note, basis(alone))
        if alone
        else (text.PUBLIC, text.UNKNOWN, public_note, ""),
    ]


def alone_accuracy(scene: Scene, public: Result | None) -> Interval | None:
    """Return the accuracy of public images alone, on as many data draws as that of the scene; None
    where it is unknown.

    Args:
        public: the run on the scene's own draw.
    """
    if scene.draws:
        return scene.draws.public_accuracy("minority")
    return accuracy([public], "minority") if public else None


def public_sign(scene: Scene, place: int, public: Result | None) -> int | None:
    """Return the sign of public images alone against the method at a place of the slider; None
    where it is unknown.
    """
    return public_only.sign({METHOD: scene.accuracy(place)}, alone_accuracy(scene, public))


def short_text(scene: Scene, place: int) -> str:
    """Return the tiles that change with the slider as one sentence."""
    is_private = place < len(scene.results) - 1
    return render_text(
        text.SHORT if is_private else text.SHORT_QUIET,
        rare=scene.accuracy(place).mean,
        guess=best_guess(scene, place),
    )


def meaning(scene: Scene, place: int, public: Result | None = None) -> str:
    """Return what a place of the slider means for an attacker and for accuracy, in Markdown.

    Args:
        public: the run with public data alone, if any.
    """
    if place == len(scene.results) - 1:
        return text.MEANING_QUIET
    change = hundredths(scene.accuracy(place).mean) - hundredths(scene.accuracy(-1).mean)
    templates = text.MEANINGS_LOSS if change < 0 else text.MEANINGS_NO_LOSS
    template = templates[public_sign(scene, place, public)]
    return render_text(template, guess=best_guess(scene, place), lost=-change)


def run_text(scene: Scene, place: int) -> str:
    """Return how the images' run differs from the mean; empty if it hardly differs."""
    if place == len(scene.results) - 1:
        return text.NO_NOISE
    own, mean = scene.results[place][0].scores.minority, scene.accuracy(place)
    if abs(hundredths(own) - hundredths(mean.mean)) < MIN_GAP:
        return ""
    basis = method_tiles.basis(mean, scene.quiet.spec)[0]
    return render_text(text.RUN_DIFFERS, own=own, basis=basis)


def first_in_runs(scene: Scene) -> str:
    """Return which class breaks first in how many runs."""
    counts: dict[str, int] = {}
    for seed in range(SEEDS):
        names = listed([scene.names[c] for c in scene.first_broken(seed)]) or text.NONE_BROKEN
        counts[names] = counts.get(names, 0) + 1
    order = sorted(counts.items(), key=lambda pair: -pair[1])
    parts = [render_text(text.FIRST_COUNT, names=names, count=count) for names, count in order]
    return render_text(text.FIRST_IN_RUNS, runs=SEEDS, counts=", ".join(parts))
