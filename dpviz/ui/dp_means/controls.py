"""The controls of "DP means", and the runs they ask for."""

from __future__ import annotations

import dataclasses
import math

import streamlit as st

from dpviz.methods import dppl_mean
from dpviz.ui.widgets import param_widgets, shared_controls
from dpviz.views.page_config import Group, PageConfig

MEAN, EXACT = "dppl-mean", "class-mean"
FORMS = {"sum": "Sum form", "printed": "Printed form", "coinpress": "CoinPress"}
IN_WORDS = FORMS | {"sum": "sum form", "printed": "printed form"}
SEED_HELP = "Seeds are first, first + 1, … The map and the drawn run show the first."


def sidebar() -> PageConfig:
    """All controls of the page, under the keys they have on the Trade-off page."""
    return shared_controls.one_method(MEAN, EXACT, _settings, seed_help=SEED_HELP)


def _settings() -> tuple:
    """Form and pooling in sight, the clip norm behind "more"."""
    values = {
        p.name: param_widgets.widget(p, f"{MEAN}.{p.name}")
        for p in (dppl_mean.FORM, dppl_mean.K_POOL)
    }
    with st.expander("Clip norm"):
        values["clip"] = param_widgets.widget(dppl_mean.CLIP, f"{MEAN}.clip")
    return tuple(
        (p.name, values[p.name]) for p in dppl_mean.METHOD.params if values[p.name] != p.default
    )


def groups(view: PageConfig) -> list[Group]:
    """What the page needs: the Trade-off page's groups, exact means of all records, the method
    without noise.
    """
    first = view.groups()
    reference, one = first[0][0], first[-1][0]
    no_noise = dataclasses.replace(view.budget, value=math.inf)
    quiet = dataclasses.replace(one, budget=no_noise, seed=view.first_seed)
    full = dataclasses.replace(reference, ir=1.0, records=0, unit="picture", per_person=0)
    return [*first, (full,), (quiet,)]


def form_groups(view: PageConfig, settings: dict, form: str) -> list[Group]:
    """The method's groups with another form; all its budgets come in one batch and are kept."""
    changed = ((MEAN, tuple((settings | {"form": form}).items())),)
    return dataclasses.replace(view, params=changed).groups()[1:]
