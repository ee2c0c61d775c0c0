"""Runs under which labelled public images are protected: what they may be used for, and what a card
may say of them.
"""

from __future__ import annotations

from dpviz import methods
from dpviz.data import held_aside, preparation
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.types import Dataset, DpvizError, RunSpec

HELD_ASIDE_UNITS = (
    ", after training images were held aside (a hash of each image or person decides), which are"
    " protected as well"
)


def protects(spec: RunSpec) -> bool:
    """Whether a run, every default filled in, protects labelled public images."""
    return methods.get(spec.method).protects_public(dict(spec.params))


def check(spec: RunSpec) -> None:
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


def aside(spec: RunSpec, ready: Dataset) -> tuple[int, str]:
    """How many held-aside images a card counts as public, and what it says of them.

    The number of protected images is private.
    """
    if protects(spec):
        return 0, HELD_ASIDE_UNITS if spec.public == HELD_ASIDE else ""
    return ready.held_aside, held_aside.words(ready.held_aside)
