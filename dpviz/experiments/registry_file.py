"""Files of the Differential Privacy Deployments Registry: read, checked and written.

The registry is https://github.com/opendp/deployments-registry-data (MIT license, copyright 2025
OpenDP). ``SCHEMA`` states the fields, types and choices of its ``schemas/deployments-schema.yaml``
as of ``SCHEMA_DATE``. Neither that file nor an entry is part of this project.

Files are untrusted: their size, number, depth and aliases are limited.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from dpviz.formatting import printable
from dpviz.machine.user_files import decoded, read_text
from dpviz.text import registry as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.types.checks import quoted

SCHEMA_DATE, SCHEMA_COMMIT = "2026-07-15", "3e9c812a924cf01d228f26f6c462c59c391c3f2a"
#: Bytes of a file, entries of a file, files of a folder.
MAX_BYTES, MAX_ENTRIES, MAX_FILES = 262_144, 100, 500
#: Characters of a number.
MAX_NUMBER = 60
#: Errors of PyYAML; its constructors raise the last two for tags that do not fit their values.
_OF_YAML = (yaml.YAMLError, AttributeError, TypeError)

TEXT, TEXTS, NUMBER, DATE, ANYTHING = "text", "list", "number", "date", "any"
_NUMBER_OR_TEXT = "number or text"
#: What a deployment publishes.
PRODUCTS = (
    *("Summary statistics", "Machine learning model", "Dataset", "Synthetic data"),
    *("Interactive API", "SQL queries"),
)
#: Fields by name. A value is a kind, the choices, or the fields of a mapping.
SCHEMA: dict[str, Any] = {
    "url_slug": TEXT,
    "status": (
        *("Converted", "Draft", "Pending", "Changes Required", "Approved"),
        *("Approved (Update Requested)", "Approved (Pending)"),
    ),
    "tier": (1, 2, 3),
    "deployment": {
        "basic": {
            "name": TEXT,
            "data_curators": TEXTS,
            "intended_use": TEXT,
            "data_product_type": PRODUCTS,
            "data_product_region": TEXT,
            "description": TEXT,
            "publication_date": DATE,
            "data_product_sector": (
                *("Technology", "Healthcare", "Education", "Government", "Energy", "Finance"),
            ),
        },
        "dp_variant": {
            "variant_name": (
                *("Pure DP", "Approximate DP", "Zero-concentrated DP", "Renyi DP", "Custom"),
            ),
            "data_domain": TEXT,
            "unprotected_quantities": TEXT,
        },
        "privacy_loss": {
            "privacy_unit": TEXT,
            "privacy_unit_details": TEXT,
            "privacy_parameters": {"epsilon": NUMBER, "delta": _NUMBER_OR_TEXT, "rho": NUMBER},
            "privacy_parameters_details": ANYTHING,
        },
        "deployment_model": {
            "model_name": ("Local", "Central", "Shuffle", "Federated", "Varies"),
            "model_name_details": TEXT,
            "actors": TEXT,
            "release_type": ("One release", "Many releases"),
            "release_type_details": TEXT,
            "data_source_type": ("Static", "Dynamic"),
            "data_source_type_details": ANYTHING,
            "access_type": ("Interactive", "Non-interactive"),
            "access_type_details": TEXT,
        },
        "accounting": {"post_processing": TEXT, "composition": TEXT},
        "implementation": {
            "preprocessing_and_hyperparameter_tuning": TEXT,
            "mechanisms": TEXT,
            "justification": TEXT,
        },
        "administrative": {"sources": TEXT, "notes": TEXT, "registry_authors": TEXTS},
    },
}
#: Required fields by the path of their mapping.
REQUIRED = {
    "": ("url_slug", "status", "tier", "deployment"),
    "deployment": ("basic",),
    "deployment.basic": (
        *("name", "data_curators", "description", "intended_use", "data_product_type"),
        *("data_product_region", "publication_date"),
    ),
    "deployment.administrative": ("registry_authors",),
}


def faults(entry: Any) -> list[str]:
    """Return what breaks the registry's schema in an entry, one sentence each."""
    return list(_faults(entry, SCHEMA, ""))


def _faults(value: Any, rule: Any, place: str) -> Iterator[str]:
    if isinstance(rule, dict):
        if not isinstance(value, Mapping):
            yield _fault("mapping", place)
            return
        for name in value:
            if name not in rule:
                yield _fault("other", place, name=_short(name), names=", ".join(rule))
        for name in REQUIRED.get(place, ()):
            if name not in value:
                yield _missing(rule[name], place, name)
        for name, inner in rule.items():
            if name in value:
                yield from _faults(value[name], inner, f"{place}.{name}".lstrip("."))
    elif isinstance(rule, tuple):
        # True == 1, but is no tier
        if isinstance(value, bool) or value not in rule:
            yield _fault("choice", place, value=quoted(value), names=", ".join(map(str, rule)))
    elif not _fits(value, rule):
        kind = NUMBER if rule == _NUMBER_OR_TEXT else rule
        yield _fault(kind, place, value=quoted(value))


def _fits(value: Any, kind: str) -> bool:
    if kind in (NUMBER, _NUMBER_OR_TEXT):
        if isinstance(value, str):
            return kind == _NUMBER_OR_TEXT
        return _is_number(value)
    if kind == TEXTS:
        return (
            isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)
        )
    if kind == DATE:
        return isinstance(value, str) and _is_date(value)
    return kind == ANYTHING or isinstance(value, str)


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return 0 <= float(value) < math.inf
    except OverflowError:
        return False


def _is_date(value: str) -> bool:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _fault(case: str, place: str, **fields: str) -> str:
    return render_text(text.FAULTS[case], place=place or text.TOP, **fields)


def _missing(rule: Any, place: str, name: str) -> str:
    """Return that a field is missing, and what to write there."""
    if isinstance(rule, tuple):
        return _fault("missing choice", place, name=name, names=", ".join(map(str, rule)))
    case = {DATE: "missing date", TEXT: "missing", TEXTS: "missing"}.get(
        rule if isinstance(rule, str) else "", "missing mapping"
    )
    return _fault(case, place, name=name)


def _short(name: Any) -> str:
    return printable(str(name))[:60]


# ---------------------------------------------------------------------------------------- reading


def read(path: Path) -> list[dict[str, Any]]:
    """Return the entries of a file, or of all YAML files of a folder by name, without hidden ones.

    Raises:
        DpvizError: for a file that is too large, not YAML or breaks the schema; for a folder with
            no or too many files.
    """
    if not path.is_dir():
        return parse(read_text(path, MAX_BYTES, text.FILE_KIND), printable(str(path)))
    files = sorted(file for file in path.glob("*.yaml") if not file.name.startswith("."))
    folder = printable(str(path))
    if not files:
        raise DpvizError(render_text(text.NO_FILES, folder=folder))
    if len(files) > MAX_FILES:
        raise DpvizError(
            render_text(text.MANY_FILES, folder=folder, number=len(files), most=MAX_FILES)
        )
    return [entry for file in files for entry in read(file)]


def parse_upload(content: bytes, name: str) -> list[dict[str, Any]]:
    """Return the entries of an uploaded file; see ``parse``."""
    title = printable(name)
    return parse(decoded(content, MAX_BYTES, text.FILE_KIND, title), title)


def parse(content: str, name: str) -> list[dict[str, Any]]:
    """Return the entries of the text of a file; a line ``---`` separates several.

    Args:
        name: of the file, in messages.

    Raises:
        DpvizError: for text that is not YAML or breaks the schema.
    """
    entries: list[dict[str, Any]] = []
    try:
        for entry in yaml.load_all(content, Loader=_Loader):
            if len(entries) == MAX_ENTRIES:
                raise DpvizError(render_text(text.MANY_ENTRIES, file=name, most=MAX_ENTRIES))
            if found := faults(entry):
                number = len(entries) + 1
                raise DpvizError(
                    render_text(text.BAD_ENTRY, file=name, number=number, fault=found[0])
                )
            entries.append(entry)
    except DpvizError:
        raise
    except RecursionError:
        raise DpvizError(render_text(text.NOT_YAML, file=name, reason=text.TOO_DEEP)) from None
    except (*_OF_YAML, ValueError, ArithmeticError, LookupError) as error:
        raise DpvizError(render_text(text.NOT_YAML, file=name, reason=_reason(error))) from None
    if not entries:
        raise DpvizError(render_text(text.NO_ENTRY, file=name))
    return entries


def _reason(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    reason = getattr(error, "problem", None) or str(error)
    line = f", line {mark.line + 1}" if mark else ""
    return _short(" ".join(reason.split())) + line


class _Loader(yaml.SafeLoader):
    """Safe loader that refuses aliases, which can grow without bound, and repeated keys."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()
        if getattr(event, "anchor", None):
            raise yaml.YAMLError(text.ALIASES)
        return super().compose_node(parent, index)

    def construct_scalar(self, node: Any) -> Any:
        # YAML reads 1:1:1 as a number to base 60, which takes quadratic time
        is_text = node.tag == "tag:yaml.org,2002:str"
        if not is_text and isinstance(node.value, str) and len(node.value) > MAX_NUMBER:
            raise yaml.YAMLError(text.LONG_NUMBER)
        return super().construct_scalar(node)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        mapping = super().construct_mapping(node, deep=deep)
        if len(mapping) != len(node.value):
            names = [str(key.value) for key, _ in node.value]
            repeated = next((name for name in names if names.count(name) > 1), names[0])
            raise yaml.YAMLError(render_text(text.REPEATED, name=_short(repeated)))
        return mapping


# ---------------------------------------------------------------------------------------- writing


class _Dumper(yaml.SafeDumper):
    """Safe dumper in the registry's style: no folded text, no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def write(entry: Mapping[str, Any]) -> str:
    """Return an entry as YAML text.

    Raises:
        DpvizError: if the entry breaks the schema.
    """
    if found := faults(entry):
        raise DpvizError(found[0])
    return yaml.dump(
        dict(entry), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=math.inf
    )


def fill_in_text(entry: Mapping[str, Any], path: Path) -> str:
    """Return which fields of a written entry its author has to fill in."""
    names = ", ".join(unknown_fields(entry))
    return render_text(text.FILL_IN, file=printable(str(path)), names=names)


def unknown_fields(entry: Mapping[str, Any]) -> Sequence[str]:
    """Return the names of the fields that say "unknown"."""
    names: list[str] = []
    for name, value in entry.items():
        if isinstance(value, Mapping):
            names += unknown_fields(value)
        elif text.UNKNOWN in (value, *(value if isinstance(value, list) else ())):
            names.append(name)
    return names
