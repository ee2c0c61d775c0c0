"""Rows that are made when they are first asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

ProgressCallback = Callable[[str, int, int], None] | None
"""Told (what, done, total) while rows are made; may raise to stop it."""


class LazyArray:
    """Rows (count, d) whose number is known before they are: made once, by whoever first asks.

    Where making them fails or is stopped, the next who asks tries again.
    """

    def __init__(self, count: int, make: Callable[[ProgressCallback], np.ndarray]) -> None:
        """make: gives the rows; ``count``: how many they will be."""
        self._count, self._make = count, make
        self._rows: np.ndarray | None = None
        self._making = threading.Lock()

    def __len__(self) -> int:
        """Rows that there will be."""
        return self._count

    @property
    def there(self) -> bool:
        """Whether they were made."""
        return self._rows is not None

    def rows(self, heard: ProgressCallback = None) -> np.ndarray:
        """The rows, made now if they were not."""
        with self._making:
            if self._rows is None:
                self._rows = self._make(heard)
            return self._rows

    def then(self, change: Callable[[np.ndarray], Any]) -> LazyArray:
        """As many rows, each changed, once they are asked for."""
        return LazyArray(self._count, lambda heard: change(self.rows(heard)))
