"""The method table: one file per method, one line here, and the methods of plugins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpviz import data, encoders, privacy
from dpviz.machine import plugin_loading
from dpviz.methods import (
    adamix,
    auto_clip,
    class_mean,
    dp_fc,
    dp_ls,
    dp_newton,
    dppl_auto,
    dppl_mean,
    dppl_public,
    dppl_publick,
    dpsgd_f,
    global_adapt,
    logistic,
    noisy_gd,
    noisy_sgd,
    objective,
    only_public,
    paragon,
    pate,
    ppgd,
    projected,
    public_reference,
    scaled_probe,
    trained_projection,
)
from dpviz.methods.adamix_presets import PRESETS
from dpviz.types import Budget, DpvizError, Method, Plan, Sizes
from dpviz.types.line_style import LINE_STYLES

METHODS: dict[str, Method] = {
    "dppl-mean": dppl_mean.METHOD,
    "dppl-public": dppl_public.METHOD,
    "dppl-publick": dppl_publick.METHOD,
    "dppl-mean-projected": projected.MEAN,
    "dppl-public-projected": projected.PUBLIC,
    "dppl-mean-trained": trained_projection.METHOD,
    "dppl-auto": dppl_auto.METHOD,
    "noisy-gd": noisy_gd.METHOD,
    "objective": objective.METHOD,
    "noisy-sgd": noisy_sgd.METHOD,
    "scaled-probe": scaled_probe.METHOD,
    "global-adapt": global_adapt.METHOD,
    "auto-clip": auto_clip.METHOD,
    "dpsgd-f": dpsgd_f.METHOD,
    "adamix": adamix.METHOD,
    "ppgd": ppgd.METHOD,
    "dp-ls": dp_ls.METHOD,
    "dp-newton": dp_newton.METHOD,
    "dp-fc": dp_fc.METHOD,
    "pate": pate.PATE,
    "transfer-pate": pate.TRANSFER,
    "prom-pate": pate.PROM,
    "class-mean": class_mean.METHOD,
    "logistic": logistic.METHOD,
    "public-reference": public_reference.METHOD,
    "only-public": only_public.METHOD,
    "paragon": paragon.METHOD,
}
LINE_STYLES.update({key: row.line_style for key, row in (METHODS | PRESETS).items()})


def plan(
    method: Method,
    sizes: Sizes,
    budget: Budget,
    params: Mapping[str, Any],
    records_per_person: int = 0,
) -> Plan:
    """A method's plan that spends a budget on any axis.

    Args:
        records_per_person: at most, where the guarantee is to persons; 0 where to records.

    Raises:
        DpvizError: as the method's ``plan``.
    """

    def at(budget: Budget) -> Plan:
        if records_per_person:
            return plan_for_persons(method, sizes, budget, params, records_per_person)
        with plugin_loading.errors_named():
            return method.plan(sizes, budget, params)

    return privacy.at_best_guess(at, budget)


def plan_for_persons(
    method: Method, sizes: Sizes, budget: Budget, params: Mapping[str, Any], records_per_person: int
) -> Plan:
    """A method's plan that promises ``budget`` to each person of whom at most
    ``records_per_person`` records are in.

    Raises:
        DpvizError: as the method's ``plan``.
    """
    return privacy.for_persons(
        lambda of_record: method.plan(sizes, of_record, params),
        budget,
        records_per_person,
        method.record_ratio(params),
    )


def get(key: str) -> Method:
    """The method with this key.

    Raises:
        DpvizError: lists the keys there are.
    """
    if key not in METHODS:
        raise DpvizError(f"Unknown method {key!r}. Use one of {', '.join(METHODS)}.")
    return METHODS[key]


def load_plugins() -> None:
    """Add the methods, data sets and encoders of plugins to their tables.

    Raises:
        DpvizError: for a plugin that fails or uses a key that is taken.
    """
    plugin_loading.extend(
        {
            "methods": (METHODS, Method),
            "datasets": (data.DATASETS, data.Source),
            "encoders": (encoders.ENCODERS, encoders.Encoder),
        }
    )
    LINE_STYLES.update({key: row.line_style for key, row in METHODS.items()})


load_plugins()  # last, since a plugin may import this module
