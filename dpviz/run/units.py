"""Who is protected, a record or a person, in the words of a guarantee."""

from __future__ import annotations

from dpviz import methods
from dpviz.types import DpvizError, Plan, RunSpec

MANY = {
    "image": "images",
    "row of the file": "rows of the file",
    "synthetic feature vector": "synthetic feature vectors",
}
"""What a record may be, one and many."""


def unit(plan: Plan, spec: RunSpec, record: str) -> str:
    """Who is protected: one ``record``, or one person with some of them."""
    if spec.unit == "picture":
        return f"one record = one {record}"
    if spec.per_person:
        return f"one person = at most {spec.per_person:,} {MANY[record]}, which are kept"
    if _at_once(plan):
        return f"one person = all {MANY[record]} of that person, however many"
    return f"one person = at most {plan.person:,} {MANY[record]}, the most that anybody here has"


def assumed(plan: Plan, spec: RunSpec, record: str) -> str:
    """What is taken as public for the unit's sake; empty where nothing is."""
    if not _read_off(plan, spec):
        return ""
    return (
        f"that nobody has more than {plan.person:,} {MANY[record]}: read off the private data,"
        " which the promise does not cover"
    )


def after(spec: RunSpec, record: str) -> str:
    """What was done to the records before a promise to one of them begins; empty where nothing
    was.
    """
    if spec.unit == "person" or not spec.per_person:
        return ""
    return (
        f", after at most {spec.per_person:,} {MANY[record]} of each person were kept (one more may"
        " change which others of that person are in)"
    )


def refuse_to_release(plan: Plan, spec: RunSpec) -> None:
    """Refuse to let a number of records out that was read off the private data.

    Raises:
        DpvizError: where a promise to a person rests on it.
    """
    if _read_off(plan, spec):
        raise DpvizError(
            "How many records a person has at most was read off the private data, and the noise"
            " tells it; give a bound that is known to all, such as --per-person 5."
        )


def _read_off(plan: Plan, spec: RunSpec) -> bool:
    return spec.unit == "person" and not spec.per_person and not _at_once(plan)


def _at_once(plan: Plan) -> bool:
    """Whether it does not matter how many records a person has."""
    return not plan.events or methods.get(plan.method).by_person(plan.params)
