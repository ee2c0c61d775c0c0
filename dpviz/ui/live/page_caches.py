"""What pages work out and keep, with a word while it is worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz import caches
from dpviz.experiments import experiment


def cached(max_entries: int, words: str | bool = False) -> Callable[[Callable], Any]:
    """``st.cache_resource`` in the register of caches.

    Args:
        max_entries: values kept, for all visitors together.
        words: shown while a value is worked out; False for what is quick.
    """

    def decorate(function: Callable) -> Any:
        wrapped: Any = st.cache_resource(max_entries=max_entries, show_spinner=words)(function)
        wrapped.cache_clear = wrapped.clear
        return caches.register(wrapped)

    return decorate


def cached_by_content(max_entries: int, words: str = "") -> Callable[[Callable], Any]:
    """``cached`` for functions of a run's spec, and of more: data that changed is not answered
    from memory.

    Args:
        words: none for what is quick.
    """

    def decorate(function: Callable) -> Any:
        def call(content: str, *args: Any) -> Any:
            return function(*args)

        call.__module__, call.__qualname__ = function.__module__, function.__qualname__
        wrapped = cached(max_entries, words)(call) if words else caches.cached(max_entries)(call)
        return lambda spec, *args: wrapped(experiment.prepared(spec).fingerprint, spec, *args)

    return decorate
