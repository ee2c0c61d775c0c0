"""What to do where a method needs a public set and the data have none."""

from __future__ import annotations

from dpviz import data
from dpviz.data import held_aside
from dpviz.data.data_set_table import HELD_ASIDE, NO_PUBLIC
from dpviz.methods import METHODS
from dpviz.types import Material

NONE_HELD = "No image is held aside, as the set is small"


def methods() -> str:
    """The private methods that work without a public set, by their titles."""
    return ", ".join(row.title for row in METHODS.values() if row.private and not row.needs_public)


def sets(dataset: str) -> str:
    """The other public sets on disk that go with images, by titles and keys; "" without any."""
    keys = [key for key in data.public_there(dataset) if key not in (HELD_ASIDE, NO_PUBLIC)]
    return ", ".join(f"{data.public_title(key)} ({key})" for key in keys)


def holding_aside(dataset: str) -> str:
    """How many training images become public when some are held aside, in a sentence."""
    images = len(held_aside.rows(data.source(dataset)))
    if not images:
        return f"{NONE_HELD}."
    become = "image becomes" if images == 1 else "images become"
    return f"{images:,} of your training {become} public, by a hash of each image or person."


def ways_out(material: Material) -> str:
    """Three ways on: name a public set, hold images aside, or choose a method that needs none."""
    none = f" 3. Choose a method that needs no public set: {methods()}."
    if material.dataset.endswith(".npz"):
        return (
            " 1. Add X_public to the file. 2. Name a second file with public features by the same"
            f" encoder (--public FILE.npz).{none}"
        )
    named = f" 1. Name a public set (--public): {sets(material.dataset) or 'none is on disk'}."
    if material.public == HELD_ASIDE:
        return f" {NONE_HELD}.{named}{none.replace('3.', '2.')}"
    return (
        f"{named} 2. Hold images aside (--public {HELD_ASIDE}):"
        f" {holding_aside(material.dataset)}{none}"
    )
