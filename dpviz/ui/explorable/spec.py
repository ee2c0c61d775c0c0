"""The views of a file: read from TOML, or the defaults of a page."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from dpviz.formatting import number
from dpviz.machine.user_files import read_text
from dpviz.text import new_draws as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.types.checks import quoted
from dpviz.ui.explorable import walk
from dpviz.views import page_links as links
from dpviz.views.lessons import LESSONS
from dpviz.views.page_config import EVEN_STOPS, STOPS

SERVER = "http://localhost:8501/"
"""Where ``dpviz app`` serves."""
BUDGET, RATIO = "eps", "ir"
RATIOS = ("1", "10", "50", "100")
"""Imbalance ratios of a file that names none."""
NEW_NOISE_PAGE = "trade-off"
"""The page whose file can draw new noise; the file of the front page always does."""
SLOW = ("many-pictures",)
"""Pages of which each view takes half a minute until it is in the store."""
MAX_SLIDERS, MAX_PLACES, MAX_CELLS = 4, 30, 600
"""Sliders of a file, places of a slider, and views."""
LARGEST_WHOLE = 10**15
"""Bound of a slider's whole numbers."""
MAX_BYTES = 65_536
"""Of a spec."""
FIELDS = {
    "view": str,
    "lesson": str,
    "server": str,
    "private": bool,
    "new_noise": bool,
    "sliders": dict,
}
HOST = re.compile(r"[\w.:\[\]-]+", re.ASCII)
EXAMPLE = 'view = "trade-off?ir=50"'


@dataclass(frozen=True)
class Spec:
    """What a file holds.

    Attributes:
        page: its address, empty for a lesson; settings: as a link says them; lesson: its key;
        sliders: values by key in the link, as the link writes them; none: those that suit the page;
        private: views of private records may be in it; server: address for the links back.
        new_noise: whether the file draws new noise, for Trade-off on published data.
    """

    page: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    lesson: str = ""
    sliders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    private: bool = False
    server: str = SERVER
    new_noise: bool = False

    @property
    def cells(self) -> int:
        """How many views the sliders lead to."""
        return math.prod(map(len, self.sliders.values()))

    def toml(self) -> str:
        """The same as TOML."""
        lines = (
            [f"lesson = {_quoted(self.lesson)}"]
            if self.lesson
            else [f"view = {_quoted(self.view)}"]
        )
        lines += ["private = true"] * self.private
        lines += ["new_noise = true"] * self.new_noise
        lines += [f"server = {_quoted(self.server)}"] * (self.server != SERVER)
        if self.sliders:
            lines += ["", "[sliders]"]
        for key, values in self.sliders.items():
            lines.append(f"{_quoted(key)} = [{', '.join(map(_quoted, values))}]")
        return "\n".join(lines) + "\n"

    @property
    def view(self) -> str:
        """Link of the view, without the server."""
        return links.address(self.page, self.settings, set())


def read(path: Path) -> Spec:
    """Return the spec in a file.

    Raises:
        DpvizError: If the file cannot be read or has invalid fields.
    """
    words = read_text(path, MAX_BYTES, "TOML")
    try:
        fields = tomllib.loads(words)
    except (ValueError, RecursionError) as error:  # ValueError: also an integer of 5,000 digits
        raise DpvizError(f"{path} is not TOML: {error}. An example is {EXAMPLE}.") from None
    return spec_of(fields)


def spec_of(fields: Mapping[str, Any]) -> Spec:
    """Return the spec of parsed TOML.

    Raises:
        DpvizError: If a name, type or value is invalid.
    """
    for name, value in fields.items():
        if name not in FIELDS:
            raise DpvizError(f"Unknown field {name[:40]!r}. Use: {', '.join(FIELDS)}.")
        if not isinstance(value, FIELDS[name]):
            raise DpvizError(f"{name} must be {_KINDS[FIELDS[name]]}, got {quoted(value)}.")
    if ("view" in fields) == ("lesson" in fields):
        raise DpvizError(f'Set either view or lesson: {EXAMPLE}, or lesson = "epsilon".')
    common = {
        "private": fields.get("private", False),
        "server": _server(fields.get("server", SERVER)),
    }
    page = "" if "lesson" in fields else _view(fields["view"]).path.strip("/") or walk.FRONT
    new_noise = fields.get("new_noise", False)
    if new_noise and page != NEW_NOISE_PAGE:
        raise DpvizError(render_text(text.NEEDS_PAGE, page=page or fields["lesson"][:40]))
    if "lesson" in fields:
        return Spec(lesson=_lesson(fields["lesson"], "sliders" in fields), **common)
    if page == walk.FRONT and ("sliders" in fields or fields.get("private")):
        raise DpvizError("The front page has its own slider and no private view. Set view alone.")
    given_settings = walk.link_settings(fields["view"])
    settings = {
        key: value for key, value in given_settings.items() if key not in links.NON_CONTROLS
    }
    sliders = _sliders(fields.get("sliders", {}))
    return Spec(page, settings, sliders=sliders, new_noise=new_noise, **common)


_KINDS = {str: "text in quotation marks", bool: "true or false", dict: "a table [sliders]"}


def _lesson(key: str, sliders: bool) -> str:
    if key not in LESSONS:
        raise DpvizError(f"Unknown lesson {key[:40]!r}. Use one of: {', '.join(LESSONS)}.")
    if sliders:
        raise DpvizError("A lesson has its own settings. Remove [sliders].")
    return key


def _view(address: str) -> SplitResult:
    parts = _parts(address)
    local = not parts.scheme and not parts.netloc and bool(parts.path)
    served = parts.scheme in ("http", "https") and bool(HOST.fullmatch(parts.netloc))
    if not (address.isprintable() and address == address.strip() and (local or served)):
        raise DpvizError(
            f"view must be an address such as trade-off?ir=50, or / for the front page, got"
            f" {quoted(address)}."
        )
    return parts


def _parts(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError as error:
        raise DpvizError(f"Invalid address {address[:80]!r}: {error}.") from None


def _server(address: str) -> str:
    parts = _parts(address)
    if parts.scheme not in ("http", "https") or not HOST.fullmatch(parts.netloc):
        raise DpvizError(f"server must be an address such as {SERVER}, got {address[:80]!r}.")
    return f"{address.partition('?')[0].rstrip('/')}/"


def _sliders(fields: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    if len(fields) > MAX_SLIDERS:
        raise DpvizError(f"At most {MAX_SLIDERS} sliders are allowed, got {len(fields)}.")
    sliders = {key: _values(key, values) for key, values in fields.items()}
    if (cells := math.prod(map(len, sliders.values()))) > MAX_CELLS:
        raise DpvizError(
            f"The sliders must have at most {MAX_CELLS} views together, got {cells:,}. Use fewer"
            " values."
        )
    return sliders


def _values(key: str, values: Any) -> tuple[str, ...]:
    plain = isinstance(values, list) and all(map(_usable, values))
    words = [_word(value) for value in values] if plain else []
    if not words or len(set(words)) < len(words) or len(words) > MAX_PLACES:
        raise DpvizError(
            f"The slider {key[:40]!r} must have 1 to {MAX_PLACES} different values in square"
            f" brackets, such as {BUDGET} = [0.1, 1, 10]."
        )
    return tuple(words)


def _usable(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str) or (isinstance(value, int) and abs(value) < LARGEST_WHOLE)


def _word(value: float | str) -> str:
    """Return a value as in a link."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else number(value)


def suiting(page: str, settings: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return default sliders of a page: budgets and imbalance ratios, if it has them.

    Args:
        settings: values of the page's controls.
    """
    sliders: dict[str, tuple[str, ...]] = {}
    if BUDGET in settings:
        all_stops = EVEN_STOPS if page in SLOW else STOPS
        stops = [number(stop) for stop in all_stops[settings.get("axis", "approx")]]
        sliders[BUDGET] = with_current(stops, settings[BUDGET])
    if RATIO in settings and page not in SLOW:
        sliders[RATIO] = with_current(RATIOS, settings[RATIO])
    return sliders


def with_current(values: Sequence[str], current: str) -> tuple[str, ...]:
    """Return the values in order, including the current one."""
    is_listed = any(float(current) == float(value) for value in values)
    return tuple(values) if is_listed else tuple(sorted({*values, current}, key=float))


def _quoted(words: str) -> str:
    """Return a TOML string, which JSON writes alike."""
    return json.dumps(words, ensure_ascii=False)
