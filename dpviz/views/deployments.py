"""Guarantees of deployed systems, as their sources print them, for the budget's axis.

No value is converted: each is shown on the axis whose unit its source prints. Most sources were
read as the Differential Privacy Deployments Registry quotes them; at that time its board had
approved none of its entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.formatting import number
from dpviz.text import front as text

IN_REGISTRY, IN_SOURCE = text.IN_REGISTRY, text.IN_SOURCE
PURPOSE_TEXT = text.DEPLOYMENTS


@dataclass(frozen=True)
class Deployment:
    """One guarantee of a deployed system.

    Attributes:
        maker, product: who made what; year: of publication.
        epsilon, delta, rho: as printed; None where the source prints none (delta 0: pure).
        unit: what is protected, and how often the budget is spent again; adjacency: neighbors;
            local: each device adds the noise.
        source, address: title and address of the source; read_in: where the values were read.
    """

    maker: str
    product: str
    year: int
    unit: str
    adjacency: str
    source: str
    address: str
    read_in: str = IN_REGISTRY
    epsilon: float | None = None
    delta: float | None = None
    rho: float | None = None
    local: bool = False

    @property
    def title(self) -> str:
        """Maker, product and year."""
        return f"{self.maker}: {self.product} ({self.year})"

    @property
    def figures(self) -> str:
        """The values as printed."""
        parts = []
        if self.rho is not None:
            parts.append(f"ρ = {number(self.rho)}")
        if self.epsilon is not None:
            failing = f" at δ = {self.delta:.0e}".replace("e-0", "e-") if self.delta else ""
            parts.append(f"ε = {number(self.epsilon)}{failing}")
        return ", equal to ".join(parts)


NOT_STATED, EVENT = text.NOT_STATED, text.EVENT
DEPLOYMENTS: tuple[Deployment, ...] = (
    Deployment(
        *("Microsoft", "broadband use in the US, by zip code", 2021),
        unit="all records of a user, once",
        adjacency="add or remove a user",
        source="Pereira et al. 2021",
        address="https://arxiv.org/abs/2103.14035",
        epsilon=0.2,
        delta=0.0,
    ),
    Deployment(
        *("Wikimedia", "views of each page by country, daily", 2023),
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
        *("Microsoft", "app usage under Windows", 2017),
        unit="a device's report on all apps per six hours; repetitions are not counted",
        adjacency=EVENT,
        source="Ding, Kulkarni and Yekhanin 2017",
        address="https://www.microsoft.com/en-us/research/publication/collecting-telemetry-data-privately/",
        epsilon=1.672,
        delta=0.0,
        local=True,
    ),
    Deployment(
        *("Google", "searches for symptoms during COVID-19", 2020),
        unit="a user's symptom searches per day",
        adjacency="add or remove a user's day",
        source="Bavadekar et al. 2020",
        address="https://arxiv.org/abs/2009.01265",
        epsilon=1.68,
        delta=0.0,
    ),
    Deployment(
        *("Apple", "types of health data used", 2017),
        unit="one event on a device",
        adjacency=EVENT,
        source="Apple: Learning with Privacy at Scale",
        address="https://machinelearning.apple.com/research/learning-with-privacy-at-scale",
        epsilon=2.0,
        delta=0.0,
        local=True,
    ),
    Deployment(
        *("Google", "COVID-19 mobility reports", 2020),
        unit="a user's places per day",
        adjacency="add or remove a user's day",
        source="Aktay et al. 2020",
        address="https://arxiv.org/abs/2004.04145",
        epsilon=2.64,
        delta=0.0,
    ),
    Deployment(
        *("Apple", "popular emojis", 2017),
        unit="one event on a device",
        adjacency=EVENT,
        source="Apple: Learning with Privacy at Scale",
        address="https://machinelearning.apple.com/research/learning-with-privacy-at-scale",
        epsilon=4.0,
        delta=0.0,
        local=True,
    ),
    Deployment(
        *("LinkedIn", "most frequent hires, monthly", 2020),
        unit="one hire in a monthly report (over three months: ε = 14.4 at δ = 1.2e-9)",
        adjacency=NOT_STATED,
        source="Rogers et al. 2020",
        address="https://arxiv.org/abs/2010.13981",
        epsilon=4.8,
        delta=4e-10,
    ),
    Deployment(
        *("Google", "next-word prediction, Spanish keyboard", 2022),
        unit="everything typed on a device",
        adjacency="add or remove a device's examples",
        source="McMahan and Thakurta 2022",
        address="https://research.google/blog/federated-learning-with-formal-differential-privacy-guarantees/",
        read_in=IN_SOURCE,
        rho=0.81,
    ),
    Deployment(
        *("Israel's Ministry of Health", "live births of 2014", 2024),
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


def rows(deployment: Deployment) -> list[tuple[str, str]]:
    """Return its facts, term and text."""
    facts = {
        "guarantee": deployment.figures,
        "unit": deployment.unit,
        "neighbors": deployment.adjacency,
        "model": text.LOCAL if deployment.local else text.CENTRAL,
        "source": deployment.read_in,
    }
    return [(text.DEPLOYMENT_ROWS[name], value) for name, value in facts.items()]
