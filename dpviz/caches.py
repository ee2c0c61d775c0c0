"""Caches in memory, all in one register, so that one call empties those of a module."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import fields, is_dataclass
from functools import _lru_cache_wrapper, lru_cache
from typing import Any, Generic, TypeVar
from weakref import WeakSet, finalize

Value = TypeVar("Value")

_register: WeakSet = WeakSet()
_register_lock = threading.Lock()


def cached(max_values: int) -> Callable[[Callable[..., Value]], _lru_cache_wrapper[Value]]:
    """``functools.lru_cache`` in the register, with at most so many values."""
    return lambda function: register(lru_cache(maxsize=max_values)(function))


def register(cache: Any) -> Any:
    """Put an object with ``cache_clear`` and ``__module__`` into the register while it exists."""
    with _register_lock:
        _register.add(cache)
    return cache


def clear(module: str = "dpviz") -> None:
    """Empty the caches of a module and of all below it; files stay."""
    with _register_lock:
        caches = list(_register)
    for cache in caches:
        if f"{cache.__module__}.".startswith(f"{module}."):
            cache.cache_clear()


class KeyTuple(tuple):
    """A tuple that computes its hash once, for a long key that is looked up often."""

    _hash: int | None = None

    def __hash__(self) -> int:
        """Return the hash of the plain tuple, to which it is equal."""
        if self._hash is None:
            self._hash = super().__hash__()
        return self._hash

    def __reduce__(self) -> tuple[type, tuple[tuple]]:
        """Leave out the hash: another process has other hashes of strings."""
        return type(self), (tuple(self),)


class KeyedCache(Generic[Value]):
    """The most recently used values by key; a key's second caller waits while the first computes.

    ``cachetools`` bounds either the number of values or their total size; this bounds both.
    """

    def __init__(
        self,
        module: str,
        max_values: int,
        max_total_size: int | None = None,
        size: Callable[[Value], int] | None = None,
        max_held_size: Callable[[], int | None] = lambda: None,
    ) -> None:
        """Make an empty cache.

        Args:
            module: ``__name__`` of the owner, for ``clear``; max_values: number of values;
                max_total_size: sum of their sizes, though the newest value always stays; size: of
                a value, by default the bytes of its arrays; max_held_size: bytes
                of the arrays that keys and values hold, None for no limit.
        """
        self.__module__ = module
        self._max_values, self._max_total_size = max_values, max_total_size
        self._size, self._max_held_size = size or array_bytes, max_held_size
        self._sizes = dict[Hashable, int]()
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._key_locks: defaultdict[Hashable, threading.Lock] = defaultdict(threading.Lock)
        self._lock = threading.Lock()
        register(self)

    def get(self, key: Hashable) -> Value | None:
        """Return the value, or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def get_or_compute(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the value, computed if missing; if that fails, the next caller computes it."""
        value = self.get(key)
        if value is None:
            with self._lock:
                key_lock = self._key_locks[key]
            with key_lock:
                value = self._values.get(key)
                if value is None:
                    value = compute()
                    self.put(key, value)
        return value

    def values(self) -> list[Value]:
        """Return all values, the least recently used first."""
        with self._lock:
            return list(self._values.values())

    def put(self, key: Hashable, value: Value) -> None:
        """Store a value; the least recently used ones make room for it."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            self._key_locks.pop(key, None)
            if self._max_total_size is not None:
                self._sizes[key] = self._size(value)
            while self._is_full():
                oldest, _ = self._values.popitem(last=False)
                self._sizes.pop(oldest, None)

    def _is_full(self) -> bool:
        too_many = len(self._values) > self._max_values
        too_large = sum(self._sizes.values()) > (self._max_total_size or 0)
        limit = self._max_held_size()
        too_large |= limit is not None and held_bytes(self._values.items()) > limit
        return too_many or (len(self._values) > 1 and too_large)

    def drop(self, key: Hashable) -> None:
        """Remove one value, if the cache has it."""
        with self._lock:
            self._values.pop(key, None)
            self._sizes.pop(key, None)

    def cache_clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._values.clear()
            self._sizes.clear()


def array_bytes(value: Any) -> int:
    """Return the bytes of the arrays in a value, or in the fields of a dataclass.

    A view counts as nothing, since the array that it is of has the memory.
    """
    if is_dataclass(value):
        return sum(array_bytes(getattr(value, field.name)) for field in fields(value))
    return int(getattr(value, "nbytes", 0)) if getattr(value, "base", None) is None else 0


def held_bytes(values: Iterable[Any]) -> int:
    """Return the bytes of the arrays in values, in tuples of them and in the fields of dataclasses.

    A view counts as the array that it is of, and an array counts once.
    """
    arrays: dict[int, int] = {}

    def add(value: Any) -> None:
        if is_dataclass(value):
            add(tuple(getattr(value, field.name) for field in fields(value)))
        elif isinstance(value, tuple):
            for part in value:
                add(part)
        elif hasattr(value, "nbytes"):
            while hasattr(value.base, "nbytes"):
                value = value.base
            arrays[id(value)] = value.nbytes

    for value in values:
        add(value)
    return sum(arrays.values())


class WeakCache(Generic[Value]):
    """Values computed from an object, such as an array, and dropped together with it."""

    def __init__(self, module: str) -> None:
        """Make an empty cache; ``module``: ``__name__`` of the owner."""
        self.__module__ = module
        self._values: dict[int, dict[Hashable, Value]] = {}
        register(self)

    def get_or_compute(self, source: Any, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the value of ``source`` under a key, computed if missing."""
        values = self._values.get(id(source))
        if values is None:
            values = self._values[id(source)] = {}
            finalize(source, self._values.pop, id(source), None)
        value = values.get(key)
        if value is None:
            value = values[key] = compute()
        return value

    def values(self) -> list[Value]:
        """Return all values."""
        return [value for values in list(self._values.values()) for value in values.values()]

    def cache_clear(self) -> None:
        """Remove all values."""
        for values in list(self._values.values()):
            values.clear()
