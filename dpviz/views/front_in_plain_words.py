"""The sentences of the front page: whole numbers, and no word that is not explained there.

``**`` stands around what is bold.
"""

from __future__ import annotations

import math
from statistics import fmean

from dpviz.formatting import listed
from dpviz.types import Result
from dpviz.views.front_scene import SEEDS, Scene
from dpviz.views.natural_frequencies import guess, hundredths, out_of_100

NOUNS = {"digits": ("digit", "digits"), "clothes": ("kind of clothes", "clothes")}
"""One and several of what is recognised, by the name of the data set in the link."""
SIMILARITY_TEXT = (
    "The words under a picture say what it really shows: a look-alike from public pictures."
)
MIN_GAP = 10
"""Points from which on it is said that the draw in the picture differs from the mean."""


def intro(name: str) -> str:
    """What is looked at."""
    one = NOUNS[name][0]
    return (
        f"For each {one} this machine keeps one picture out of a public collection. People's own"
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
            f"With so little noise {rare_names(scene, name)} are recognised **{right} times in 100**;"
            f" without any, the same method manages **{quiet}**, {blind}."
        )
    return (
        f"At this setting {rare_names(scene, name)} are recognised **{right} times in 100**; without"
        f" noise the same method manages **{quiet}**, {blind}."
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
        who = listed([scene.names[c] for c in scene.first(seed)]) or "none"
        counts[who] = counts.get(who, 0) + 1
    order = sorted(counts.items(), key=lambda pair: -pair[1])
    told = "; ".join(f"{who} in {count}" for who, count in order)
    return f"Over {SEEDS} draws of the noise, first to break: {told}."
