"""Widgets from ``Param``, each one in the link: settings of a method, of synthetic features, and of
what is done to features before a method sees them.
"""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from dpviz.data import preparation as prep
from dpviz.data import settings_in_names
from dpviz.data import synthetic as etf
from dpviz.text import controls as text
from dpviz.types import Method, Param
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import bounded, side_bar

MAX_SLIDER_STEPS = 200
"""Steps up to which a slider is still easy to set."""
#: Settings of synthetic features in sight; the others are folded.
VISIBLE_SETTINGS = ("beta", "dim", "n")


def form(method: Method) -> tuple[tuple[str, Any], ...]:
    """Widgets for all params of a method; returns what differs from the defaults."""
    values = {p.name: widget(p, f"{method.key}.{p.name}") for p in method.params}
    return tuple((p.name, values[p.name]) for p in method.params if values[p.name] != p.default)


def widget(param: Param, key: str) -> Any:
    """The widget of one param, bound to the link under ``key``."""
    common: dict[str, Any] = {"key": key, "help": param.help, "bind": "query-params"}
    label = detail_level.at_level(param.label, text.PLAIN_LABELS.get(key))
    if param.choices:
        return st.selectbox(
            label, param.choices, index=param.choices.index(param.default), **common
        )
    span = param.high - param.low
    if param.log or not math.isfinite(span) or span / param.slider_step > MAX_SLIDER_STEPS:
        return _box(label, param, common)
    return bounded.slider(label, param.low, param.high, param.default, param.slider_step, **common)


def _box(label: str, param: Param, common: dict[str, Any]) -> Any:
    low, high = (None if math.isinf(b) else type(param.default)(b) for b in (param.low, param.high))
    step = int(param.step or 1) if param.integer else param.step or _grain(param.default)
    return bounded.number_input(
        label,
        low,
        high,
        param.default,
        step,
        format=None if param.integer else "%g",
        **common,
    )


def _grain(value: float) -> float:
    """A tenth of the default's magnitude."""
    return 10.0 ** (math.floor(math.log10(abs(value))) - 1) if value else 0.1


def synthetic_name(name: str) -> str | None:
    """The full name of the synthetic data set that is chosen; None if another one is."""
    if name != etf.KEY:
        return None
    st.caption(
        ":material/science: Synthetic features, generated around an equiangular tight frame. No"
        " real images."
    )
    rows = {param.name: param for param in etf.PARAMS}
    values = {key: widget(rows[key], f"etf.{key}") for key in VISIBLE_SETTINGS[:1]}
    with side_bar.extra():
        values |= {key: widget(rows[key], f"etf.{key}") for key in VISIBLE_SETTINGS[1:]}
    with side_bar.fold("Classes, offset, test perturbation, imbalance"):
        values |= {
            key: widget(param, f"etf.{key}")
            for key, param in rows.items()
            if key not in VISIBLE_SETTINGS
        }
        st.caption("The public set is a sample of the same frame, with the same shift and offset.")
    return etf.name(**values)


def centering() -> str:
    """Whether features are centered on the public mean: yes or no."""
    return widget(prep.CENTRE, f"f.{prep.CENTRE.name}")


def principal_directions() -> int:
    """How many main directions of the public set are kept; 0 keeps all."""
    return widget(prep.PCA, f"f.{prep.PCA.name}")


def preparation(centering: str, directions: int) -> str:
    """What is done to features, as ``RunSpec.features`` writes it."""
    values = {prep.CENTRE.name: centering, prep.PCA.name: directions}
    name = settings_in_names.write(values, prep.PARAMS)
    if name:
        st.caption(
            "Computed from the public set only, so it costs no privacy. Each card lists it as"
            " public."
        )
    return name
