"""Settings written as ``name=value,name=value``: read and checked by a table of ``Param``, written
without defaults.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpviz.types import DpvizError, Param


def read(text: str, table: Sequence[Param], label: str) -> dict[str, Any]:
    """Every setting of ``table``, from ``text`` or its default.

    Args:
        what: the text belongs to, for refusals.

    Raises:
        DpvizError: for an unknown or repeated name, a missing value, or one out of range.
    """
    params = {param.name: param for param in table}
    values: dict[str, str] = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if name not in params or not sign or name in values:
            raise DpvizError(
                f"{label} has {part!r}. Write each setting once as name=value. Settings:"
                f" {', '.join(params)}."
            )
        values[name] = value
    return {name: param.check(values.get(name, param.default)) for name, param in params.items()}


def write(values: Mapping[str, Any], table: Sequence[Param]) -> str:
    """The settings that differ from their defaults, in the table's order; equal settings give equal
    text.
    """
    settings = [(p, values.get(p.name, p.default)) for p in table]
    return ",".join(
        f"{p.name}={v:g}" if isinstance(v, float) else f"{p.name}={v}"
        for p, v in settings
        if v != p.default
    )
