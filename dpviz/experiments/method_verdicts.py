"""Verdicts on methods: whether the checks of ``audit.method_checks`` passed for this very code.

A verdict is kept in the cache under a hash of the code of this package, of the package or file that
provides the method, of what is bound to its functions, and of the numeric libraries. A change of
any of them asks for a new verdict. Where the code cannot be determined, no verdict is kept.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dpviz.experiments import store
from dpviz.machine import code_fingerprint, files, plugin_code
from dpviz.types import DpvizError, Method


@dataclass(frozen=True)
class Verdict:
    """What the checks found of a method.

    Attributes:
        code: hash of the code that was checked, empty if it is unknown.
        failures: sentences without a full stop; none where all checks passed.
    """

    code: str
    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not self.failures


def code_of(method: Method) -> str:
    """Return the hash of all code that a method's release depends on; empty if it is unknown."""
    if (code := plugin_code.digest(method)) == plugin_code.UNKNOWN_DIGEST:
        return ""
    parts = [method.key, code_fingerprint.whole(), code]
    text = json.dumps([*parts, store.versions()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def stored(method: Method) -> Verdict | None:
    """Return the verdict on a method as it is now, or None if there is none."""
    code = code_of(method)
    content = files.read_sealed(_place(method, code)) if code else None
    return None if content is None else Verdict(code, tuple(json.loads(bytes(content))))


def keep(method: Method, failures: tuple[str, ...]) -> Verdict:
    """Store a verdict on a method, in place of those on older code, and return it.

    A cache that cannot be written to keeps nothing, and neither does a method of unknown code.
    """
    verdict = Verdict(code_of(method), failures)
    if not verdict.code:
        return verdict
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
