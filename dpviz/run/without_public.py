"""What to do where a method needs a public set and the data have none."""

from __future__ import annotations

from dpviz import data
from dpviz.data import DATASETS
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.methods import METHODS
from dpviz.types import Material

TOO_FEW = "There are too few pictures, or too many of each person, to hold any aside"


def methods() -> str:
    """The private methods that work without a public set, by their titles."""
    return ", ".join(row.title for row in METHODS.values() if row.private and not row.needs_public)


def sets(dataset: str) -> str:
    """The other public sets on disk that go with pictures, by titles and keys; "" without any."""
    keys = [key for key in data.public_there(dataset) if key != HELD_ASIDE]
    return ", ".join(f"{DATASETS[key].title} ({key})" for key in keys)


def ways_out(material: Material) -> str:
    """What works without a public set, and which others there are, in sentences."""
    others = "" if material.dataset.endswith(".npz") else sets(material.dataset)
    held = material.public == HELD_ASIDE
    few = f" {TOO_FEW}." if held else ""
    return f"{few} Without one work {methods()}.{f' On disk are {others}.' if others else ''}"
