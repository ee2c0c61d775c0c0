"""Runs under which labelled public images are protected: what they may be used for."""

from __future__ import annotations

from dpviz import methods
from dpviz.data import preparation
from dpviz.types import DpvizError, RunSpec


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
