"""The names of the AdaMix paper: a method, its settings and a look each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from dpviz.methods import adamix, noisy_gd, only_public, paragon, ppgd
from dpviz.types import Method
from dpviz.types.line_style import CORAL, LEAF, STEEL, VIOLET, LineStyle


class Preset(NamedTuple):
    """A name of the paper: a method, its settings, and a look of its own or the method's."""

    method: str
    params: Mapping[str, Any]
    line_style: LineStyle


def _preset(method: Method, line_style: LineStyle | None = None, **params: Any) -> Preset:
    return Preset(method.key, MappingProxyType(params), line_style or method.line_style)


PRESETS: dict[str, Preset] = {
    "AdaMix": _preset(adamix.METHOD),
    "AdaMix from zero": _preset(adamix.METHOD, LineStyle(LEAF, "dot", "diamond"), init="none"),
    "AdaMix at fixed clip": _preset(
        adamix.METHOD, LineStyle(VIOLET, "dot", "pentagon"), clip_mode="fixed"
    ),
    "AdaMix unprojected": _preset(adamix.METHOD, LineStyle(CORAL, "dot", "hexagon"), rank=0),
    "NGD": _preset(adamix.METHOD, LineStyle(STEEL, "dash", "square"), clip_mode="fixed", rank=0),
    "Fully-Private": _preset(
        adamix.METHOD,
        noisy_gd.METHOD.line_style,  # which it is, all but in name
        init="none",
        clip_mode="fixed",
        rank=0,
        public_use="private",
    ),
    "PPGD": _preset(ppgd.METHOD),
    "Only-Public": _preset(only_public.METHOD),
    "paragon": _preset(paragon.METHOD),
}
"""The paper's names, all at one learning rate, the largest that the paper tries."""
