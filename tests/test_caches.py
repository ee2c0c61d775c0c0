"""Caches: all stand in one register, which can be read and emptied."""

import ast
import threading
from pathlib import Path

import numpy as np
import pytest

from dpviz import caches
from dpviz.data import uploads
from dpviz.run import experiment
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


def test_every_cache_goes_through_the_register():
    assert not {path: made for path in FILES if (made := makes(path))}


def decorators(node):
    return [ast.unparse(d).removeprefix("functools.") for d in node.decorator_list]


def test_what_is_made_from_an_array_goes_when_it_goes():
    beside, one, other = caches.WeakCache("dpviz.beside"), np.ones(2), np.ones(2)
    assert [beside.of(array, "sum", array.sum) for array in (one, one, other)] == [2, 2, 2]
    held = lambda: next(line[1:] for line in caches.table() if line.name == "dpviz.beside.Beside")
    assert held() == (1, 2, None, 2)
    del other
    assert held()[3] == 1
    caches.clear("dpviz.beside")
    assert held()[3] == 0 and beside.of(one, "sum", lambda: 3) == 3


def test_the_table_names_what_is_held_and_clear_empties_it():
    calls = []

    @caches.cached(2)
    def double(x):
        calls.append(x)
        return 2 * x

    kept = caches.KeyedCache("dpviz.somewhere", 1)
    assert [double(1), double(1), double(2)] == [2, 2, 4] and calls == [1, 2]
    assert [kept.of("a", lambda: 1), kept.of("b", lambda: 2), kept.get("a")] == [1, 2, None]
    lines = {line.name: line[1:] for line in caches.table()}
    assert lines[f"{__name__}.{double.__qualname__}"] == (1, 2, 2, 2)
    assert lines["dpviz.somewhere.Kept"] == (0, 3, 1, 1)
    caches.clear("dpviz.some")
    assert kept.get("b") == 2, "a name that begins alike is another module's"
    caches.clear("dpviz.somewhere")
    caches.clear(__name__)
    assert kept.get("b") is None and double(1) == 2 and calls == [1, 2, 1]


def test_whoever_asks_for_what_is_being_made_waits_for_it():
    kept, gate, made = caches.KeyedCache(__name__, 4), threading.Event(), []

    def make():
        gate.wait(5)
        made.append(1)
        return len(made)

    found = []
    threads = [threading.Thread(target=lambda: found.append(kept.of("x", make))) for _ in range(4)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert found == [1, 1, 1, 1]


def test_one_who_breaks_off_does_not_take_those_who_wait_along():
    kept, begun, gate, found = (
        caches.KeyedCache(__name__, 4),
        threading.Event(),
        threading.Event(),
        [],
    )

    def stopped():
        begun.set()
        gate.wait(5)
        raise Cancelled

    def first():
        with pytest.raises(Cancelled):
            kept.of("x", stopped)

    threads = [
        threading.Thread(target=first),
        threading.Thread(target=lambda: found.append(kept.of("x", lambda: "made"))),
    ]
    threads[0].start()
    assert begun.wait(5)
    threads[1].start()
    gate.set()
    for thread in threads:
        thread.join()
    assert found == ["made"]


def test_a_page_works_after_all_caches_were_emptied(own):
    at = page(own, m="dppl-mean", n="2")
    before = answer(at)
    assert any(line.held for line in caches.table())
    caches.clear()
    assert not any(line.held for line in caches.table())
    assert answer(at.run()) == before and not at.exception
    assert answer(page(own, m="dppl-mean", n="2")) == before


def test_cache_keeps_no_more_bytes_than_its_limit():
    kept = caches.KeyedCache("dpviz.kept", 16, 3000)
    for key in range(5):
        kept.of(key, lambda: np.ones(125))
    assert [kept.get(key) is not None for key in range(5)] == [False, False, True, True, True]
    kept.put("large", np.ones(1000))
    assert len(kept.held()) == 1, "the newest value stays, whatever its size"
    kept.put("view", kept.get("large")[:500])
    assert len(kept.held()) == 1, "the large one is over the limit by itself"
    kept.cache_clear()
    kept.put("small", np.ones(10))
    assert len(kept.held()) == 1


def test_prepared_data_sets_are_limited_by_bytes(own, monkeypatch):
    """As many imbalance ratios as a slider has of a large upload fit in no memory."""
    monkeypatch.setattr(experiment._imbalanced, "_most_together", 1)
    for ir in (1, 2, 5, 10):
        experiment.prepared(RunSpec(str(uploads.path(own)), None, "class-mean", Budget(1.0), ir=ir))
    assert len(experiment._imbalanced.held()) == 1
