"""Public sets of runs: what a method that protects one may use, and what to do without one."""

from __future__ import annotations

from dpviz import data, methods
from dpviz.data import held_aside, preparation
from dpviz.data.data_set_table import HELD_ASIDE, NO_PUBLIC
from dpviz.types import DataConfig, Dataset, DpvizError, RunSpec

HELD_ASIDE_UNITS = (
    ", after training images were held aside (a hash of each image or person decides), which are"
    " protected as well"
)
NOTHING_HELD_ASIDE = "No image is held aside, as the set is small"
#: Methods named in a refusal; the others are a click away.
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
            f"{methods.get(spec.method).title} protects labelled public images here, and features"
            f" {spec.features!r} read them without noise; leave centre, pca, means, shift and"
            " where=both out, or choose public_use none."
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


def other_sets(dataset: str) -> str:
    """Return keys of the other public sets on disk that go with images; "" without any."""
    return ", ".join(k for k in data.public_available(dataset) if k not in (HELD_ASIDE, NO_PUBLIC))


def holding_aside(dataset: str) -> str:
    """How many training images become public when some are held aside, in a sentence."""
    images = len(held_aside.rows(data.source(dataset)))
    if not images:
        return f"{NOTHING_HELD_ASIDE}."
    become = "image becomes" if images == 1 else "images become"
    return f"{images:,} of your training {become} public, by a hash of each image or person."


def ways_out(config: DataConfig) -> str:
    """Return three ways out: choose a public set, hold images aside, or use another method."""
    methods_text = f" Or use a method without a public set, such as {methods_without()}."
    if config.dataset.endswith(".npz"):
        return (
            " Add X_public to the file, or choose a second file with public features by the same"
            f" encoder.{methods_text}"
        )
    sets_text = f" Choose a public set: {other_sets(config.dataset) or 'none is on disk'}."
    if config.public == HELD_ASIDE:
        return f" {NOTHING_HELD_ASIDE}.{sets_text}{methods_text}"
    aside = holding_aside(config.dataset)
    return f"{sets_text} Or hold images aside: {aside}{methods_text}"


def options(config: DataConfig) -> str:
    """Return the command-line options of these ways out, in a sentence."""
    if config.dataset.endswith(".npz"):
        return "The option for a second file is --public FILE.npz."
    return f"The option is --public NAME; --public {HELD_ASIDE} holds images aside."
