"""Titles of table columns."""

from __future__ import annotations

from collections.abc import Iterable

from dpviz.experiments.result_files import PRIVATE
from dpviz.methods import METHODS
from dpviz.text import tables as text
from dpviz.text.template import render_text

SETTING_LABELS = {
    setting.name: setting.label for method in METHODS.values() for setting in method.params
}


def title(name: str) -> str:
    """Return the title of a column, by its name in the CSV file."""
    if name.startswith(prefix := f"{PRIVATE}."):
        return render_text(text.PRIVATE_COLUMN, title=title(name.removeprefix(prefix)))
    if name in text.COLUMNS:
        return text.COLUMNS[name]
    for end, template in text.ENDS.items():
        if name.endswith(end):
            return render_text(template, title=title(name.removesuffix(end)))
    if name in SETTING_LABELS:
        return SETTING_LABELS[name]
    return name[:1].upper() + name[1:] if name[:2].isascii() and name[:2].isalpha() else name


def titles(names: Iterable[str]) -> dict[str, str]:
    """Return the titles of columns that differ from their names."""
    return {name: shown for name in names if (shown := title(name)) != name}
