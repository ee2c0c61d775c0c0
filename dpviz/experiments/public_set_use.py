"""Public sets of runs: what a method that protects one may use, and what to do without one."""

from __future__ import annotations

from dpviz import data, methods
from dpviz.data import held_aside, named_sets, preparation
from dpviz.data.data_set_table import HELD_ASIDE, NO_PUBLIC
from dpviz.text import guarantee_cards as cards
from dpviz.text.template import render_text
from dpviz.types import DataConfig, Dataset, DpvizError, RunSpec

NOTHING_HELD_ASIDE = cards.TOO_SMALL_TO_HOLD_ASIDE
HELD_ASIDE_UNITS = cards.HELD_ASIDE_PROTECTED
#: Largest number of methods in an error.
EXAMPLES = 3


def protects(spec: RunSpec) -> bool:
    """Whether a run, every default filled in, protects labelled public images."""
    return methods.get(spec.method).protects_public(dict(spec.params))


def check_features(spec: RunSpec) -> None:
    """Refuse features that depend on protected images.

    Raises:
        DpvizError: for a preparation by which one public image changes other records.
    """
    if protects(spec) and preparation.mixes_public(spec.features):
        raise DpvizError(
            f"{methods.get(spec.method).title} protects labeled public images, but the features"
            f" {spec.features!r} read these images without noise. Remove centre, pca, means, shift"
            " and where=both, or set public_use to none."
        )


def held_aside_text(spec: RunSpec, ready: Dataset) -> tuple[int, str]:
    """How many held-aside images a card counts as public, and what it says of them.

    The number of protected images is private.
    """
    if protects(spec):
        return 0, HELD_ASIDE_UNITS if spec.public == HELD_ASIDE else ""
    return ready.held_aside, held_aside.words(ready.held_aside)


# --------------------------------------------------------------------------- without a public set


def methods_without() -> str:
    """Return titles of some private methods that work without a public set."""
    titles = [row.title for row in methods.METHODS.values() if row.private and not row.needs_public]
    return ", ".join(titles[:EXAMPLES])


def other_sets(dataset: str) -> list[str]:
    """Return keys of the other public sets on disk that go with images."""
    return [key for key in data.public_available(dataset) if key not in (HELD_ASIDE, NO_PUBLIC)]


def holding_aside(dataset: str) -> str:
    """Return how many training images would become public if some are held aside, as a sentence."""
    images = len(held_aside.rows(data.source(dataset)))
    if not images:
        return cards.TOO_SMALL_TO_HOLD_ASIDE
    return render_text(cards.HOLDING_ASIDE, images=images)


def ways_out(config: DataConfig) -> str:
    """Return three ways out: choose a public set, hold images aside, or use another method."""
    methods_text = render_text(cards.WITHOUT_PUBLIC, methods=methods_without())
    if config.dataset.endswith(".npz"):
        return f" {cards.ADD_PUBLIC_FEATURES} {methods_text}"
    sets = ", ".join(map(named_sets.title, other_sets(config.dataset)))
    sets_text = render_text(cards.CHOOSE_PUBLIC if sets else cards.NO_PUBLIC_SETS, sets=sets)
    if config.public == HELD_ASIDE:
        return f" {cards.TOO_SMALL_TO_HOLD_ASIDE} {sets_text} {methods_text}"
    return f" {sets_text} {cards.HOLD_ASIDE} {holding_aside(config.dataset)} {methods_text}"


def options(config: DataConfig) -> str:
    """Return the command-line options of these ways out, in a sentence."""
    if config.dataset.endswith(".npz"):
        return "Option for a second file: --public FILE.npz."
    names = ", ".join(other_sets(config.dataset))
    listed = f" ({names})" if names else ""
    return f"Options: --public NAME{listed}, or --public {HELD_ASIDE} to set images aside."
