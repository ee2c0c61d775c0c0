"""Mistakes that break a promise without a word, each to be flipped on, and caught by an audit."""

from dpviz.audit.faults.model import Mistake, honest, subject
from dpviz.audit.faults.of_bits import LOW_BITS
from dpviz.audit.faults.of_formulas import BY_COUNT, BY_RANK, ONE_NOISE
from dpviz.audit.faults.of_gradients import CLIP_AVERAGE, FULL, NO_CLIP, SHUFFLED, STEP
from dpviz.audit.faults.of_noise import HALVED, SEED
from dpviz.audit.faults.of_reading import CENTRED, PICTURE, SQUARED
from dpviz.audit.faults.of_teachers import BY_POSITION, THRESHOLD_FREE
from dpviz.audit.faults.of_tuning import TUNED
from dpviz.audit.trade_off_audit import Sample
from dpviz.types import Budget, DpvizError, Guarantee

OF_NOISE = (HALVED, SEED, LOW_BITS)
OF_GRADIENTS = (NO_CLIP, CLIP_AVERAGE, STEP, SQUARED, FULL, SHUFFLED)
OF_FORMULAS = (BY_COUNT, BY_RANK, ONE_NOISE, THRESHOLD_FREE)
OF_READING = (BY_POSITION, TUNED, PICTURE, CENTRED)
MISTAKES: dict[str, Mistake] = {
    one.key: one for one in (*OF_NOISE, *OF_GRADIENTS, *OF_FORMULAS, *OF_READING)
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
    return get(mistake).at(subject(method), budget, start)


__all__ = ["MISTAKES", "Mistake", "get", "honest", "made", "subject"]
