"""Lines about the reading of a guarantee: neighbors, unit, public data, start and defaults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpviz.text import cli as text
from dpviz.text.template import render_text


def guarantee_lines(reading: Mapping[str, Any]) -> list[str]:
    """Return one line for each part of ``result_files.reading_of`` a guarantee."""
    fields = {name: str(value) for name, value in reading.items()}
    lines = [
        render_text(text.RUN[key], **fields) for key in ("unit", "public", "starts", "defaults")
    ]
    return [*lines, fields["schedule"]] if "schedule" in fields else lines
