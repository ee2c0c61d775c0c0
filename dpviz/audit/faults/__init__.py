"""Mistakes that break a promise without a word, each to be flipped on, and caught by an audit."""

from dpviz import methods
from dpviz.audit.faults.accounting import CENTRED, PICTURE, SQUARED, TUNED
from dpviz.audit.faults.counting import COUNT, LOW_BITS
from dpviz.audit.faults.formulas import BY_COUNT, BY_RANK, ONE_NOISE
from dpviz.audit.faults.gradients import CLIP_AVERAGE, FULL, NO_CLIP, SHUFFLED, STEP
from dpviz.audit.faults.model import Mistake, honest
from dpviz.audit.faults.noise import HALVED, SEED
from dpviz.audit.faults.votes import BY_POSITION, THRESHOLD_FREE
from dpviz.audit.trade_off_audit import Sample
from dpviz.types import Budget, DpvizError, Guarantee, Method

MISTAKES: dict[str, Mistake] = {
    mistake.key: mistake
    for mistake in (
        *(HALVED, SEED, LOW_BITS),
        *(NO_CLIP, CLIP_AVERAGE, STEP, SQUARED, FULL, SHUFFLED),
        *(BY_COUNT, BY_RANK, ONE_NOISE, THRESHOLD_FREE),
        *(BY_POSITION, TUNED, PICTURE, CENTRED),
    )
}
"""In the order they are shown."""


def get(key: str) -> Mistake:
    """The mistake of that key.

    Raises:
        DpvizError: if there is none.
    """
    if key not in MISTAKES:
        raise DpvizError(f"No mistake is called {key!r}; use one of {', '.join(MISTAKES)}.")
    return MISTAKES[key]


def audit_fault(
    mistake: str, method: str, budget: Budget, start: int = 0
) -> tuple[Sample, Guarantee]:
    """What is seen of a method's releases with a mistake, or ``none``, and what is promised.

    Raises:
        DpvizError: for a method that promises nothing, or cannot have the mistake.
    """
    if mistake == "none":
        return honest(subject(method), budget, start)
    return get(mistake).faulty_sample(subject(method), budget, start)


def subject(key: str) -> Method:
    """The private method of that key, or what is here for a mistake alone.

    Raises:
        DpvizError: if it is not private, and so promises nothing that could be broken.
    """
    if key == COUNT.key:
        return COUNT
    method = methods.get(key)
    if not method.private:
        raise DpvizError(f"{key} promises nothing, so there is nothing to break.")
    return method


__all__ = ["MISTAKES", "Mistake", "audit_fault", "get", "honest", "subject"]
