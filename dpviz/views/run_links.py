"""Addresses of Trade-off with the settings of runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dpviz.data import preparation, settings_in_names, synthetic
from dpviz.data.data_set_table import DATASETS
from dpviz.methods import METHODS
from dpviz.types import RunSpec
from dpviz.views import page_links

#: Largest number of seeds, and of data draws, that Trade-off offers.
MAX_SEEDS, MAX_DRAWS = 20, 10
#: Controls whose lists have commas in the link.
CHOICES = {"m", "data", "enc", "pub", "records", "unit", "k", "axis", "draws"}


def trade_off(specs: Sequence[RunSpec]) -> str:
    """Return the address of Trade-off with the settings of runs that differ in seed and draw only.

    Settings that Trade-off has no control for are left out.
    """
    first = min(specs, key=lambda spec: (spec.draw, spec.seed))
    seeds, draws = ({getattr(spec, name) for spec in specs} for name in ("seed", "draw"))
    values = _data(first) | {"axis": first.budget.axis, "delta": first.budget.delta}
    if first.budget.private:
        values["eps"] = first.budget.value
    values |= {"m": [first.method], "seed": first.seed, "n": min(len(seeds), MAX_SEEDS)}
    if len(draws) > 1:
        values["draws"] = str(min(len(draws), MAX_DRAWS))
    defaults = {param.name: param.default for param in METHODS[first.method].params}
    values |= {
        f"{first.method}.{name}": value
        for name, value in first.params
        if value != defaults.get(name)
    }
    return page_links.address("trade-off", values, CHOICES)


def _data(spec: RunSpec) -> dict[str, Any]:
    """Return data settings by the names of their controls."""
    values: dict[str, Any] = {"ir": spec.ir, "draw": spec.draw}
    if synthetic.is_synthetic(spec.dataset):
        own = {f"etf.{name}": value for name, value in synthetic.parse(spec.dataset).items()}
        values |= {"data": synthetic.KEY} | own
    else:
        in_table = spec.dataset in DATASETS
        values["data"] = spec.dataset if in_table else Path(spec.dataset).stem
        if spec.public:
            values["pub"] = spec.public
    if spec.encoder:
        values["enc"] = spec.encoder
    if spec.records:
        values["records"] = str(spec.records)
    if spec.unit != "picture":
        values |= {"unit": spec.unit, "k": str(spec.per_person or "all")}
    if spec.features:
        prepared = settings_in_names.read(spec.features, preparation.PARAMS, "Features")
        values |= {f"f.{name}": prepared[name] for name in ("centre", "pca")}
    return values
