"""Caches: all stand in one register, which can be read and emptied."""

import ast
import dataclasses
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

from dpviz import caches
from dpviz.data import uploads
from dpviz.experiments import experiment
from dpviz.types import Budget, Cancelled, RunSpec
from tests.kit.seen import answer, page

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted(
    p.relative_to(ROOT).as_posix() for d in ("dpviz", "pages") for p in (ROOT / d).rglob("*.py")
)
MAKES_CACHES = {
    "dpviz/caches.py": {"lru_cache"},
    "dpviz/ui/live/page_caches.py": {"cache_resource"},
}
KINDS = {"lru_cache", "cached_property", "cache_data", "cache_resource"}


def names(tree):
    return {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)} | {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name)
    }


def makes(path):
    """Kinds of caches that a file names and may not, and functions of something kept for ever."""
    tree = ast.parse((ROOT / path).read_text())
    kept = [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and node.args.args
        and any(decorator == "cache" for decorator in decorators(node))
    ]
    return [*(names(tree) & KINDS - MAKES_CACHES.get(path, set())), *kept]


def test_every_cache_is_registered():
    assert not {path: made for path in FILES if (made := makes(path))}


def decorators(node):
    return [ast.unparse(d).removeprefix("functools.") for d in node.decorator_list]


def value_count():
    """Values in all caches that can be counted; Streamlit's cannot."""
    return sum(
        cache.cache_info().currsize if hasattr(cache, "cache_info") else len(cache.values())
        for cache in list(caches._register)
        if hasattr(cache, "cache_info") or hasattr(cache, "values")
    )


def test_values_of_an_array_go_with_it():
    cache, array, other = caches.WeakCache("dpviz.beside"), np.ones(2), np.ones(2)
    sums = [cache.get_or_compute(a, "sum", a.sum) for a in (array, array, other)]
    assert sums == [2, 2, 2] and len(cache.values()) == 2
    del other
    assert len(cache.values()) == 1
    caches.clear("dpviz.beside")
    assert not cache.values() and cache.get_or_compute(array, "sum", lambda: 3) == 3


def test_clear_empties_the_caches_of_a_module():
    calls = []

    @caches.cached(2)
    def double(x):
        calls.append(x)
        return 2 * x

    cache = caches.KeyedCache("dpviz.somewhere", 1)
    assert [double(1), double(1), double(2)] == [2, 2, 4] and calls == [1, 2]
    values = [cache.get_or_compute("a", lambda: 1), cache.get_or_compute("b", lambda: 2)]
    assert [*values, cache.get("a")] == [1, 2, None] and cache.values() == [2]
    caches.clear("dpviz.some")
    assert cache.get("b") == 2, "a name that begins alike is another module's"
    caches.clear("dpviz.somewhere")
    caches.clear(__name__)
    assert cache.get("b") is None and double(1) == 2 and calls == [1, 2, 1]


def test_second_caller_waits_for_the_first():
    cache, gate, calls = caches.KeyedCache(__name__, 4), threading.Event(), []

    def count_calls():
        gate.wait(5)
        calls.append(1)
        return len(calls)

    values = []
    get = lambda: values.append(cache.get_or_compute("x", count_calls))
    threads = [threading.Thread(target=get) for _ in range(4)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert values == [1, 1, 1, 1]


def test_second_caller_computes_where_the_first_failed():
    cache, values = caches.KeyedCache(__name__, 4), []
    started, gate = threading.Event(), threading.Event()

    def cancel():
        started.set()
        gate.wait(5)
        raise Cancelled

    def first_caller():
        with pytest.raises(Cancelled):
            cache.get_or_compute("x", cancel)

    second_caller = lambda: values.append(cache.get_or_compute("x", lambda: "value"))
    threads = [threading.Thread(target=target) for target in (first_caller, second_caller)]
    threads[0].start()
    assert started.wait(5)
    threads[1].start()
    gate.set()
    for thread in threads:
        thread.join()
    assert values == ["value"]


def test_page_works_after_clearing_all_caches(own):
    at = page(own, m="dppl-mean", n="2")
    before = answer(at)
    assert value_count()
    caches.clear()
    assert not value_count()
    assert answer(at.run()) == before and not at.exception
    assert answer(page(own, m="dppl-mean", n="2")) == before


def test_cache_has_no_more_bytes_than_its_limit():
    cache = caches.KeyedCache("dpviz.somewhere", 16, 3000)
    for key in range(5):
        cache.get_or_compute(key, lambda: np.ones(125))
    assert [cache.get(key) is not None for key in range(5)] == [False, False, True, True, True]
    cache.put("large", np.ones(1000))
    assert len(cache.values()) == 1, "the newest value stays, whatever its size"
    cache.put("view", cache.get("large")[:500])
    assert len(cache.values()) == 1, "the large one is over the limit by itself"
    cache.cache_clear()
    cache.put("small", np.ones(10))
    assert len(cache.values()) == 1


def test_prepared_data_are_limited_by_bytes(own, monkeypatch):
    """As many imbalance ratios as a slider has of a large upload fit in no memory."""
    monkeypatch.setattr(experiment._imbalanced, "_max_total_size", 1)
    for ir in (1, 2, 5, 10):
        experiment.prepared(RunSpec(str(uploads.path(own)), None, "class-mean", Budget(1.0), ir=ir))
    assert len(experiment._imbalanced.values()) == 1


@dataclasses.dataclass(frozen=True, eq=False)
class Arrays:
    """A key that holds an array, as a data set does."""

    x: np.ndarray


def test_cache_counts_what_keys_and_views_hold():
    limit = [None]
    cache = caches.KeyedCache("dpviz.somewhere", 16, 3000, max_held_size=lambda: limit[0])

    def kept(keys, values):
        cache.cache_clear()
        for key, value in zip(keys, values, strict=True):
            cache.put(key, value)
        return len(cache.values())

    large, array = [Arrays(np.ones(125)) for _ in range(4)], np.ones(250)
    views, shared = [np.ones(125)[:5] for _ in range(4)], [(array[:5], array)] * 4
    counts = lambda: [kept(large, range(4)), kept("abcd", views), kept("abcd", shared)]
    assert counts() == [4, 4, 4]
    limit[0] = 3000
    assert counts() == [3, 3, 4]


def test_key_tuple_is_the_plain_tuple_to_every_dictionary():
    plain = (1, "a", (2.0, None))
    key = caches.KeyTuple(plain)
    assert {plain: 1}[key] == {key: 1}[plain] == 1 and hash(key) == hash(plain)
    copy = pickle.loads(pickle.dumps(key))
    assert copy == key and "_hash" not in vars(copy), "hashes of strings differ by process"
