"""The libraries that compute, each imported when something of it is first used.

Together they take seconds, and a page whose numbers are stored needs none of them.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = [
    "dp_bank",
    "functional",
    "linalg",
    "mechanism_zoo",
    "optimize",
    "pandas",
    "special",
    "stats",
    "torch",
]


class _Lazy:
    """Stands for a module, which is imported when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._module: ModuleType | None = None

    def __getattr__(self, name: str) -> Any:
        if self._module is None:
            with warnings.catch_warnings():
                # autodp's sources have escapes that Python warns of when it compiles them
                warnings.simplefilter("ignore", SyntaxWarning)
                warnings.simplefilter("ignore", DeprecationWarning)
                self._module = import_module(self._name)
        return getattr(self._module, name)


if TYPE_CHECKING:
    import pandas
    import torch
    from autodp import dp_bank, mechanism_zoo
    from scipy import linalg, optimize, special, stats
    from torch.nn import functional
else:
    torch, functional = _Lazy("torch"), _Lazy("torch.nn.functional")
    pandas = _Lazy("pandas")
    linalg, optimize, special, stats = (
        _Lazy(f"scipy.{name}") for name in ("linalg", "optimize", "special", "stats")
    )
    dp_bank, mechanism_zoo = _Lazy("autodp.dp_bank"), _Lazy("autodp.mechanism_zoo")
