"""Public sets with the private classes, and with other classes."""

from __future__ import annotations

from dpviz.data import named_sets
from dpviz.data.data_set_table import DATASETS, HELD_ASIDE, NO_PUBLIC

SAME_CLASSES, OTHER_CLASSES = "same", "other"


def domains(dataset: str) -> dict[str, str]:
    """Keys of the first public sets on disk with some private classes and with none.

    Only bundled data have both. Of images of one's own the names are not known beforehand.
    """
    if dataset not in DATASETS:
        return {}
    domain_of: dict[str, str] = {}
    for key in named_sets.public_available(dataset):
        if key in (HELD_ASIDE, NO_PUBLIC):
            continue
        kind = SAME_CLASSES if named_sets.shares_classes(dataset, key) else OTHER_CLASSES
        domain_of.setdefault(kind, key)
    return domain_of if len(domain_of) == 2 else {}


def domain(dataset: str, public: str | None) -> str | None:
    """``SAME`` or ``OTHER``; None without a public set."""
    public = public or named_sets.default_public(dataset)
    if public in (None, NO_PUBLIC):
        return None
    return SAME_CLASSES if named_sets.shares_classes(dataset, public) else OTHER_CLASSES


def counterpart(dataset: str, public: str | None) -> tuple[str, str] | None:
    """Domain and key of the public set to compare with; None where there is none."""
    sets, own_domain = domains(dataset), domain(dataset, public)
    if not sets or own_domain is None:
        return None
    other_domain = OTHER_CLASSES if own_domain == SAME_CLASSES else SAME_CLASSES
    return other_domain, sets[other_domain]
