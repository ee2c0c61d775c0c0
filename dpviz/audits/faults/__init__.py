"""Faults that silently break a guarantee, and that an audit catches."""

from dpviz import methods
from dpviz.audits.faults.accounting import CENTRED, PICTURE, SQUARED, TUNED
from dpviz.audits.faults.counting import COUNT, LOW_BITS
from dpviz.audits.faults.formulas import BY_COUNT, BY_RANK, ONE_NOISE
from dpviz.audits.faults.gradients import CLIP_AVERAGE, FULL_BATCHES, NO_CLIP, SHUFFLED, STEP
from dpviz.audits.faults.model import Mistake, honest
from dpviz.audits.faults.noise import HALVED, SEED
from dpviz.audits.faults.votes import BY_POSITION, THRESHOLD_FREE
from dpviz.audits.trade_off_audit import Sample
from dpviz.types import Budget, DpvizError, Guarantee, Method

MISTAKES: dict[str, Mistake] = {
    mistake.key: mistake
    for mistake in (
        *(HALVED, SEED, LOW_BITS),
        *(NO_CLIP, CLIP_AVERAGE, STEP, SQUARED, FULL_BATCHES, SHUFFLED),
        *(BY_COUNT, BY_RANK, ONE_NOISE, THRESHOLD_FREE),
        *(BY_POSITION, TUNED, PICTURE, CENTRED),
    )
}
"""All faults, in the order of the page."""


def get(key: str) -> Mistake:
    """Return the fault with this key.

    Raises:
        DpvizError: If there is none.
    """
    if key not in MISTAKES:
        raise DpvizError(f"Unknown fault {key!r}. Use one of {', '.join(MISTAKES)}.")
    return MISTAKES[key]


def audit_fault(
    mistake: str, method: str, budget: Budget, start: int = 0
) -> tuple[Sample, Guarantee]:
    """Return samples of releases with a fault, or ``none``, and the claimed guarantee.

    Raises:
        DpvizError: For a method without a guarantee, or that cannot have the fault.
    """
    if mistake == "none":
        return honest(subject(method), budget, start)
    return get(mistake).faulty_sample(subject(method), budget, start)


def subject(key: str) -> Method:
    """Return the private method with this key, or the method that exists for a fault only.

    Raises:
        DpvizError: If the method is not private.
    """
    if key == COUNT.key:
        return COUNT
    method = methods.get(key)
    if not method.private:
        raise DpvizError(f"{key} has no guarantee to audit. Use a private method.")
    return method


__all__ = ["MISTAKES", "Mistake", "audit_fault", "get", "honest", "subject"]
