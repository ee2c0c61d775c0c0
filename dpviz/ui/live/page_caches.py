"""What pages work out and keep, with a word while it is worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz import caches
from dpviz.run import experiment


def cached(most: int, words: str | bool = False) -> Callable[[Callable], Any]:
    """``st.cache_resource`` in the register of caches.

    Args:
        most: values kept, for all visitors together.
        words: shown while a value is worked out; False for what is quick.
    """

    def decorate(function: Callable) -> Any:
        kept: Any = st.cache_resource(max_entries=most, show_spinner=words)(function)
        kept.cache_clear = kept.clear
        return caches.register(kept)

    return decorate


def of_content(most: int, words: str = "") -> Callable[[Callable], Any]:
    """``cached`` for functions of a run's spec, and of more: data that changed is not answered
    from memory.

    Args:
        words: none for what is quick.
    """

    def decorate(function: Callable) -> Any:
        def of(content: str, *args: Any) -> Any:
            return function(*args)

        of.__module__, of.__qualname__ = function.__module__, function.__qualname__
        kept = cached(most, words)(of) if words else caches.cached(most)(of)
        return lambda spec, *args: kept(experiment.prepared(spec).fingerprint, spec, *args)

    return decorate
