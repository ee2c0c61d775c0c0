"""What to do where a method needs a public set and the data have none."""

from __future__ import annotations

from dpviz import data
from dpviz.data import held_aside
from dpviz.data.data_set_table import HELD_ASIDE, NO_PUBLIC
from dpviz.methods import METHODS
from dpviz.types import DataConfig

NONE_HELD = "No image is held aside, as the set is small"


#: Methods named in a refusal; the others are a click away.
EXAMPLES = 3


def methods() -> str:
    """Return titles of some private methods that work without a public set."""
    titles = [row.title for row in METHODS.values() if row.private and not row.needs_public]
    return ", ".join(titles[:EXAMPLES])


def sets(dataset: str) -> str:
    """Return keys of the other public sets on disk that go with images; "" without any."""
    return ", ".join(k for k in data.public_available(dataset) if k not in (HELD_ASIDE, NO_PUBLIC))


def holding_aside(dataset: str) -> str:
    """How many training images become public when some are held aside, in a sentence."""
    images = len(held_aside.rows(data.source(dataset)))
    if not images:
        return f"{NONE_HELD}."
    become = "image becomes" if images == 1 else "images become"
    return f"{images:,} of your training {become} public, by a hash of each image or person."


def ways_out(material: DataConfig) -> str:
    """Return three ways out: choose a public set, hold images aside, or use another method."""
    methods_text = f" Or use a method without a public set, such as {methods()}."
    if material.dataset.endswith(".npz"):
        return (
            " Add X_public to the file, or choose a second file with public features by the same"
            f" encoder.{methods_text}"
        )
    sets_text = f" Choose a public set: {sets(material.dataset) or 'none is on disk'}."
    if material.public == HELD_ASIDE:
        return f" {NONE_HELD}.{sets_text}{methods_text}"
    aside = holding_aside(material.dataset)
    return f"{sets_text} Or hold images aside: {aside}{methods_text}"


def options(material: DataConfig) -> str:
    """Return the command-line options of these ways out, in a sentence."""
    if material.dataset.endswith(".npz"):
        return "The option for a second file is --public FILE.npz."
    return f"The option is --public NAME; --public {HELD_ASIDE} holds images aside."
