"""Charts that grow while their numbers are worked out, and are kept once they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st

from dpviz.caches import KeyedCache
from dpviz.run import experiment
from dpviz.ui.live import session_cost

_kept: KeyedCache[Any] = KeyedCache(__name__, 64)


def grown(
    key: tuple[Any, ...],
    steps: Iterator[Any],
    total: int,
    place: Any,
    draw: Callable[[Any, str], object],
) -> Any:
    """The last value of ``steps``: kept, or worked out with progress, drawn as it grows; any move
    ends it.

    All steps have the noise of the page's own draws, so the session ledger has no bound.

    Args:
        key: a name, the spec, and what else the value depends on.
    """
    session_cost.count_unknown()
    key = (experiment.prepared(key[1]).fingerprint, *key)
    last = _kept.get(key)
    if last is None:
        bar = st.progress(0.0, "Working it out …")
        for done, last in enumerate(steps, start=1):
            bar.progress(done / total, f"{done} of {total} steps; any move of a control stops this")
            if done % 3 == 1 and done < total:
                with place.container():
                    draw(last, f"-{done}")
        bar.empty()
        _kept.put(key, last)
    with place.container():
        draw(last, "")
    return last
