"""What pages work out and keep, with a word while it is worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz import caches


def remembered(most: int, words: str | bool = False) -> Callable[[Callable], Any]:
    """``st.cache_resource`` in the register of caches.

    Args:
        most: values kept, for all visitors together.
        words: shown while a value is worked out; False for what is quick.
    """

    def decorate(function: Callable) -> Any:
        kept = st.cache_resource(function, max_entries=most, show_spinner=words)
        kept.cache_clear, kept.cache_info = kept.clear, lambda: (None, None, most, None)
        return caches.enter(kept)

    return decorate
