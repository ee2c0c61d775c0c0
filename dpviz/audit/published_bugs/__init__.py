"""Seen in the wild: mistakes in public codes, with where they stand, what became of them, and what
an audit shows of each, made again in a few lines of our own, beside its mended twin.

No project's code is here, and none was run: what is shown is what such a mistake does.
"""

from dpviz.audit.published_bugs.counts import OWN, PATE_GAN, SVT
from dpviz.audit.published_bugs.draws import DP_LS, JAX, PROM_PATE
from dpviz.audit.published_bugs.model import READ_DATE, STATES, PublishedBug
from dpviz.audit.published_bugs.scale import (
    BACKPROPAGATION,
    COVARIANCE,
    DATA_SYNTHESIZER,
    FEDERATED,
    LINEAR_REGRESSION,
    SMARTNOISE_CORE,
)
from dpviz.types import DpvizError

_IN_ORDER = (
    OWN,
    BACKPROPAGATION,
    FEDERATED,
    DATA_SYNTHESIZER,
    COVARIANCE,
    SVT,
    JAX,
    SMARTNOISE_CORE,
    LINEAR_REGRESSION,
    PATE_GAN,
    DP_LS,
    PROM_PATE,
)
PUBLISHED_BUGS: dict[str, PublishedBug] = {one.key: one for one in _IN_ORDER}
"""Our own first, then what is mended, then what is not."""


def get(key: str) -> PublishedBug:
    """The mistake of that key.

    Raises:
        DpvizError: if there is none.
    """
    if key not in PUBLISHED_BUGS:
        raise DpvizError(
            f"Nothing in the wild is called {key!r}; use one of {', '.join(PUBLISHED_BUGS)}."
        )
    return PUBLISHED_BUGS[key]


__all__ = ["PUBLISHED_BUGS", "READ_DATE", "STATES", "PublishedBug", "get"]
