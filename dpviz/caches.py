"""What is kept in memory so that it is made once: every cache in one register, which can be looked
at and emptied.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from functools import _lru_cache_wrapper, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakSet, finalize

Value = TypeVar("Value")

_register: WeakSet = WeakSet()
_entering = threading.Lock()


class Line(NamedTuple):
    """One cache: how often it had what was wanted and how often not, the most values it may hold,
    and how many it holds. None is what Streamlit does not tell of its own.
    """

    name: str
    hits: int | None
    misses: int | None
    most: int | None
    held: int | None


def cached(most: int) -> Callable[[Callable[..., Value]], _lru_cache_wrapper[Value]]:
    """``functools.lru_cache`` in the register; ``most``: values kept."""
    return lambda function: enter(lru_cache(maxsize=most)(function))


def enter(cache: Any) -> Any:
    """Put what has the methods of an ``lru_cache`` into the register, while anyone holds it."""
    with _entering:
        _register.add(cache)
    return cache


class KeyedCache(Generic[Value]):
    """The last few values by a key of one's own; whoever asks for one that is being made waits for
    it.
    """

    def __init__(
        self,
        module: str,
        most: int,
        most_together: int | None = None,
        size: Callable[[Value], int] | None = None,
    ) -> None:
        """module: ``__name__`` of whose it is; most: values kept; most_together: the largest sum of
        their sizes, but the newest value is always kept; size: of a value, by default the bytes of
        its arrays.
        """
        self.__module__, self.__qualname__, self._most = module, "Kept", most
        self._most_together, self._size = most_together, size or array_bytes
        self._sizes = dict[Hashable, int]()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._making: defaultdict[Hashable, threading.Lock] = defaultdict(threading.Lock)
        self._lock, self._hits, self._misses = threading.Lock(), 0, 0
        enter(self)

    def get(self, key: Hashable) -> Value | None:
        """The value, or None."""
        with self._lock:
            if key not in self._values:
                self._misses += 1
                return None
            self._hits += 1
            self._values.move_to_end(key)
            return self._values[key]

    def held(self) -> list[Value]:
        """All values, those wanted longest ago first."""
        with self._lock:
            return list(self._values.values())

    def put(self, key: Hashable, value: Value) -> None:
        """Keep a value in place of the one that was wanted longest ago."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            self._making.pop(key, None)
            if self._most_together is not None:
                self._sizes[key] = self._size(value)
            while self._is_full():
                oldest, _ = self._values.popitem(last=False)
                self._sizes.pop(oldest, None)

    def drop(self, key: Hashable) -> None:
        """Forget one value, if it is there."""
        with self._lock:
            self._values.pop(key, None)
            self._sizes.pop(key, None)

    def _is_full(self) -> bool:
        too_many = len(self._values) > self._most
        too_large = sum(self._sizes.values()) > (self._most_together or 0)
        return too_many or (len(self._values) > 1 and too_large)

    def of(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value, made if it is not there; where that fails, the next who waits tries."""
        value = self.get(key)
        if value is None:
            with self._lock:
                making = self._making[key]
            with making:
                value = self._values.get(key)
                if value is None:
                    value = make()
                    self.put(key, value)
        return value

    def cache_clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()
            self._sizes.clear()

    def cache_info(self) -> tuple[int, int, int, int]:
        """Hits, misses, the most values, values held."""
        return self._hits, self._misses, self._most, len(self._values)


def array_bytes(value: Any) -> int:
    """Return the bytes of the arrays in a value, or in the fields of a dataclass.

    A view counts as nothing, since the array that it is of has the memory.
    """
    if is_dataclass(value):
        return sum(array_bytes(getattr(value, field.name)) for field in fields(value))
    return int(getattr(value, "nbytes", 0)) if getattr(value, "base", None) is None else 0


class WeakCache(Generic[Value]):
    """Values made from an object that can be referred to weakly, such as an array: kept while it
    is there.
    """

    def __init__(self, module: str) -> None:
        """module: ``__name__`` of whose it is."""
        self.__module__, self.__qualname__ = module, "Beside"
        self._values: dict[int, dict[Hashable, Value]] = {}
        self._hits, self._misses = 0, 0
        enter(self)

    def of(self, source: Any, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of ``source`` under a key, made if it is not there."""
        values = self._values.get(id(source))
        if values is None:
            values = self._values[id(source)] = {}
            finalize(source, self._values.pop, id(source), None)
        value = values.get(key)
        if value is not None:
            self._hits += 1
            return value
        self._misses += 1
        value = values[key] = make()
        return value

    def cache_clear(self) -> None:
        """Forget all values."""
        for values in list(self._values.values()):
            values.clear()

    def cache_info(self) -> tuple[int, int, None, int]:
        """Hits, misses, no bound of their number, values held."""
        return self._hits, self._misses, None, sum(map(len, list(self._values.values())))


def clear(module: str = "dpviz") -> None:
    """Empty the caches of a module and of all below it; what is on disk stays."""
    for name, cache in _qualified_name():
        if f"{name}.".startswith(f"{module}."):
            cache.cache_clear()


def table() -> list[Line]:
    """All caches of this process, by name."""
    lines = [Line(name, *cache.cache_info()) for name, cache in _qualified_name()]
    return sorted(lines, key=lambda line: line.name)


def _qualified_name() -> list[tuple[str, Any]]:
    with _entering:
        return [(f"{cache.__module__}.{cache.__qualname__}", cache) for cache in _register]
