"""Verdicts on methods: whether the checks of ``audit.method_checks`` passed for this very code.

A verdict is kept in the cache under a hash of the code of this package, of the package or file that
provides the method, and of the numeric libraries. A change of any of them asks for a new verdict.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dpviz.machine import code_fingerprint, files
from dpviz.run import store
from dpviz.types import DpvizError, Method


@dataclass(frozen=True)
class Verdict:
    """What the checks found of a method.

    Attributes:
        code: hash of the code that was checked; failures: sentences without a full stop, none where
            all checks passed.
    """

    code: str
    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not self.failures


def code_of(method: Method) -> str:
    """Return the hash of all code that a method's release depends on."""
    parts = [method.key, code_fingerprint.whole(), code_fingerprint.outside(method.functions)]
    text = json.dumps([*parts, store.versions()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def stored(method: Method) -> Verdict | None:
    """Return the verdict on a method as it is now, or None if there is none."""
    code = code_of(method)
    content = files.read_sealed(_place(method, code))
    return None if content is None else Verdict(code, tuple(json.loads(bytes(content))))


def keep(method: Method, failures: tuple[str, ...]) -> Verdict:
    """Store a verdict on a method, in place of those on older code, and return it.

    A cache that cannot be written to keeps nothing.
    """
    verdict = Verdict(code_of(method), failures)
    place = _place(method, verdict.code)
    with suppress(DpvizError, OSError):
        files.write_sealed(place, json.dumps(failures).encode())
        for old in place.parent.glob(f"{place.name.partition('-')[0]}-*.json"):
            if old != place:
                old.unlink(missing_ok=True)
    return verdict


def _place(method: Method, code: str) -> Path:
    key = hashlib.sha256(method.key.encode()).hexdigest()[:12]
    return files.cache_dir() / "method-checks" / f"{key}-{code}.json"
