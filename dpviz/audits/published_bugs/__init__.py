"""Published bugs of private code, re-implemented in a few lines beside their fixes.

No code of these projects is included or run. Audits show the effect of such a bug.
"""

from dpviz.audits.published_bugs.counts import OWN, PATE_GAN, SVT
from dpviz.audits.published_bugs.draws import DP_LS, JAX, PROM_PATE
from dpviz.audits.published_bugs.model import READ_DATE, STATES, PublishedBug
from dpviz.audits.published_bugs.scale import (
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
PUBLISHED_BUGS: dict[str, PublishedBug] = {bug.key: bug for bug in _IN_ORDER}
"""Our own bug first, then fixed ones, then the others."""


def get(key: str) -> PublishedBug:
    """Return the bug with this key.

    Raises:
        DpvizError: If there is none.
    """
    if key not in PUBLISHED_BUGS:
        raise DpvizError(f"Unknown published bug {key!r}. Use one of {', '.join(PUBLISHED_BUGS)}.")
    return PUBLISHED_BUGS[key]


__all__ = ["PUBLISHED_BUGS", "READ_DATE", "STATES", "PublishedBug", "get"]
