"""Guarantees of deployed systems, as their sources print them, for the budget's axis.

No value is converted: each is shown on the axis whose unit its source prints. Most sources were
read as the Differential Privacy Deployments Registry quotes them; at that time its board had
approved none of its entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.formatting import number_up, printable
from dpviz.text import front as text
from dpviz.text import registry
from dpviz.text.template import render, render_text
from dpviz.views import comparable

IN_REGISTRY, IN_SOURCE = text.IN_REGISTRY, text.IN_SOURCE
PURPOSE_TEXT = text.DEPLOYMENTS


@dataclass(frozen=True)
class Deployment:
    """One guarantee of a deployed system.

    Attributes:
        maker, product: who made what; year: of publication.
        epsilon, delta, rho: as printed; None where the source prints none (delta 0: pure).
        protects: unit of privacy, a key of ``registry.UNITS``.
        unit: what is protected, and how often the budget is spent again; adjacency: neighbors;
        model: a key of ``registry.MODELS``.
        source, address: title and address of the source; read_in: where the values were read.
    """

    maker: str
    product: str
    year: int
    protects: str
    unit: str
    adjacency: str
    source: str
    address: str
    read_in: str = IN_REGISTRY
    epsilon: float | None = None
    delta: float | None = None
    rho: float | None = None
    model: str = "central"

    @property
    def title(self) -> str:
        """Maker, product and year."""
        return f"{self.maker}: {self.product} ({self.year})"

    @property
    def neighbors(self) -> str:
        """Key in ``registry.ADJACENCIES``."""
        return comparable.adjacency_kind(self.adjacency)

    @property
    def trusted(self) -> str:
        """Key in ``registry.TRUSTED`` of who sees data without noise."""
        return comparable.TRUSTED.get(self.model, "unknown")

    @property
    def figures(self) -> str:
        """The values as printed: ε, and ρ where it is stated."""
        rho = "" if self.rho is None else f"ρ = {number_up(self.rho)}"
        if self.epsilon is None:
            return rho
        failing = f" at δ = {number_up(self.delta)}" if self.delta else ""
        if self.delta is None:
            failing = text.UNKNOWN_DELTA
        return f"ε = {number_up(self.epsilon)}{failing}" + (f" ({rho})" if rho else "")


NOT_STATED, EVENT = text.NOT_STATED, text.EVENT
DEPLOYMENTS: tuple[Deployment, ...] = (
    Deployment(
        *("Microsoft", "broadband use in the US, by zip code", 2021),
        protects="person",
        unit="all records of a user, once",
        adjacency="add or remove a user",
        source="Pereira et al. 2021",
        address="https://arxiv.org/abs/2103.14035",
        epsilon=0.2,
        delta=0.0,
    ),
    Deployment(
        *("Wikimedia", "views of each page by country, daily", 2023),
        protects="period",
        unit="the first ten page views of a device per day",
        adjacency="add or remove these views",
        source="Wikimedia's description of the data",
        address="https://analytics.wikimedia.org/published/datasets/country_project_page/00_README.html",
        read_in=IN_SOURCE,
        epsilon=1.0,
        delta=1e-7,
        rho=0.015,
    ),
    Deployment(
        *("Microsoft", "app usage on Windows", 2017),
        protects="period",
        unit="a device's report on all apps per six hours; repetitions are not counted",
        adjacency=EVENT,
        source="Ding, Kulkarni and Yekhanin 2017",
        address="https://www.microsoft.com/en-us/research/publication/collecting-telemetry-data-privately/",
        epsilon=1.672,
        delta=0.0,
        model="local",
    ),
    Deployment(
        *("Google", "searches for symptoms during COVID-19", 2020),
        protects="period",
        unit="a user's symptom searches per day",
        adjacency="add or remove a user's day",
        source="Bavadekar et al. 2020",
        address="https://arxiv.org/abs/2009.01265",
        epsilon=1.68,
        delta=0.0,
    ),
    Deployment(
        *("Apple", "types of health data used", 2017),
        protects="record",
        unit="one event on a device",
        adjacency=EVENT,
        source="Apple: Learning with Privacy at Scale",
        address="https://machinelearning.apple.com/research/learning-with-privacy-at-scale",
        epsilon=2.0,
        delta=0.0,
        model="local",
    ),
    Deployment(
        *("Google", "COVID-19 mobility reports", 2020),
        protects="period",
        unit="a user's places per day",
        adjacency="add or remove a user's day",
        source="Aktay et al. 2020",
        address="https://arxiv.org/abs/2004.04145",
        epsilon=2.64,
        delta=0.0,
    ),
    Deployment(
        *("Apple", "popular emojis", 2017),
        protects="record",
        unit="one event on a device",
        adjacency=EVENT,
        source="Apple: Learning with Privacy at Scale",
        address="https://machinelearning.apple.com/research/learning-with-privacy-at-scale",
        epsilon=4.0,
        delta=0.0,
        model="local",
    ),
    Deployment(
        *("LinkedIn", "who is hiring most, monthly", 2020),
        protects="record",
        unit="one hire in a monthly report (over three months: ε = 14.4 at δ = 1.2e-9)",
        adjacency=NOT_STATED,
        source="Rogers et al. 2020",
        address="https://arxiv.org/abs/2010.13981",
        epsilon=4.8,
        delta=4e-10,
    ),
    Deployment(
        *("Google", "next-word prediction, Spanish keyboard", 2022),
        protects="device",
        unit="everything typed on a device",
        adjacency="add or remove a device's examples",
        source="McMahan and Thakurta 2022",
        address="https://research.google/blog/federated-learning-with-formal-differential-privacy-guarantees/",
        read_in=IN_SOURCE,
        rho=0.81,
    ),
    Deployment(
        *("Israel's Ministry of Health", "live births of 2014", 2024),
        protects="record",
        unit="a birth (mother and child), once",
        adjacency=NOT_STATED,
        source="Hod and Canetti 2024",
        address="https://arxiv.org/abs/2405.00267",
        read_in=IN_SOURCE,
        epsilon=9.98,
        delta=0.0,
    ),
    Deployment(
        *("US Census Bureau", "2020 census, redistricting data", 2021),
        protects="person",
        unit="a person, once",
        adjacency="replace a person's record; state totals are published without noise",
        source="Abowd et al. 2022",
        address="https://arxiv.org/abs/2204.08986",
        epsilon=17.14,
        delta=1e-10,
        rho=2.56,
    ),
    Deployment(
        *("LinkedIn", "audience engagement for advertisers", 2020),
        protects="period",
        unit="a member per month",
        adjacency=NOT_STATED,
        source="Rogers et al. 2020",
        address="https://arxiv.org/abs/2002.05839",
        epsilon=34.9,
        delta=7e-9,
    ),
)
"""Ordered by ε."""


def on_axis(axis: str) -> Sequence[tuple[float, Deployment]]:
    """Return the deployments with a value on an axis (a key of ``AXES``), with the value."""
    name = {"approx": "epsilon", "zcdp": "rho"}.get(axis)
    figures = (
        [(getattr(deployment, name), deployment) for deployment in DEPLOYMENTS] if name else []
    )
    return sorted(
        ((value, deployment) for value, deployment in figures if value), key=lambda pair: pair[0]
    )


#: Kind of unit that a chart's budget protects, by ``RunSpec.unit``.
CHART_UNITS = {"picture": "record", "person": "person"}


def has_other_unit(deployment: Deployment, unit: str) -> bool:
    """Return whether a deployment's value is not comparable with a chart's, by their units.

    Args:
        unit: of the chart, as in ``RunSpec``.
    """
    return deployment.protects != CHART_UNITS[unit]


def unit_text(deployment: Deployment, unit: str) -> str:
    """Return what a deployment protects, marked where the chart protects something else."""
    if not has_other_unit(deployment, unit):
        return deployment.unit
    return render_text(text.OTHER_UNIT_VALUE, unit=deployment.unit, note=text.OTHER_UNIT)


def rows(deployment: Deployment, unit: str) -> list[tuple[str, str]]:
    """Return its facts, term and text, beside a chart of this unit."""
    facts = {
        "guarantee": deployment.figures,
        "unit": unit_text(deployment, unit),
        "neighbors": deployment.adjacency,
        "model": text.MODELS[deployment.model],
        "source": deployment.read_in,
    }
    return [(text.DEPLOYMENT_ROWS[name], value) for name, value in facts.items()]


# ---------------------------------------------------------------------------------------- registry


def registered(entry: Mapping[str, Any]) -> Deployment:
    """Return the deployment of a checked entry of the registry."""
    deployment = entry["deployment"]
    basic, loss = deployment["basic"], deployment.get("privacy_loss", {})
    values = loss.get("privacy_parameters", {})
    variant = deployment.get("dp_variant", {}).get("variant_name")
    # text, such as a formula, is no value
    delta = values.get("delta", 0.0 if variant == "Pure DP" else None)
    model = deployment.get("deployment_model", {}).get("model_name", "").lower()
    unit = loss.get("privacy_unit", "").strip()
    return Deployment(
        maker=", ".join(basic["data_curators"]),
        product=basic["name"],
        year=int(basic["publication_date"][:4]),
        protects=comparable.unit_kind(unit),
        unit=unit or registry.UNKNOWN,
        adjacency=loss.get("privacy_unit_details", "").strip() or registry.UNKNOWN,
        source=deployment.get("administrative", {}).get("sources", "").strip(),
        address="",
        epsilon=values.get("epsilon"),
        delta=delta if isinstance(delta, int | float) else None,
        rho=values.get("rho"),
        model=model if model in registry.MODELS else "unknown",
    )


@dataclass(frozen=True)
class Filters:
    """Kinds that listed deployments have; None for all.

    Attributes:
        unit, adjacency, model, trust: keys of ``UNITS``, ``ADJACENCIES``, ``MODELS``, ``TRUSTED``.
    """

    unit: str | None = None
    adjacency: str | None = None
    model: str | None = None
    trust: str | None = None

    def accept(self, deployment: Deployment) -> bool:
        """Return whether a deployment has these kinds."""
        wanted = (self.unit, self.adjacency, self.model, self.trust)
        kinds = (deployment.protects, deployment.neighbors, deployment.model, deployment.trusted)
        return all(want in (None, kind) for want, kind in zip(wanted, kinds, strict=True))


def not_comparable(deployments: Sequence[Deployment]) -> list[str]:
    """Return why the values of these deployments are not comparable, in sentences."""
    units = {deployment.protects for deployment in deployments}
    neighbors = {deployment.neighbors for deployment in deployments}
    models = {deployment.model for deployment in deployments}
    notes = []
    if len(units) > 1:
        names = "; ".join(registry.UNITS[kind] for kind in registry.UNITS if kind in units)
        notes.append(render_text(registry.DIFFERENT_UNITS, units=names))
    if len(deployments) > 1 and (len(neighbors) > 1 or "unknown" in neighbors):
        notes.append(registry.DIFFERENT_NEIGHBORS)
    if len(models) > 1:
        names = "; ".join(registry.MODELS[kind] for kind in registry.MODELS if kind in models)
        notes.append(render_text(registry.DIFFERENT_MODELS, models=names))
    return notes


def table(deployments: Sequence[Deployment], own: Filters) -> list[dict[str, str]]:
    """Return a row for each deployment, those comparable with ``own`` first."""
    ordered = sorted(deployments, key=lambda each: not own.accept(each))
    return [
        {
            registry.COLUMNS[name]: value
            for name, value in {
                "title": printable(deployment.title),
                "guarantee": printable(deployment.figures) or registry.NO_VALUE,
                "comparable": registry.YES if own.accept(deployment) else registry.NO,
                "unit": registry.UNITS[deployment.protects],
                "adjacency": registry.ADJACENCIES[deployment.neighbors],
                "model": registry.MODELS[deployment.model],
                "source": printable(deployment.source),
            }.items()
        }
        for deployment in ordered
    ]


def finding(deployments: Sequence[Deployment], own: Filters) -> str:
    """Return how many deployments are comparable with ``own``, in Markdown."""
    assert own.unit is not None
    same = sum(map(own.accept, deployments))
    fields = {"same": same, "count": len(deployments), "unit": registry.UNITS[own.unit]}
    return render(registry.COMPARABLE if same else registry.NONE_COMPARABLE, **fields)
