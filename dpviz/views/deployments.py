"""Promises that are in use, as their sources print them, for the budget's axis.

Nothing here is converted: a figure stands on the axis whose currency its source prints. What was
read is named, since most sources were read where the Differential Privacy Deployments Registry
quotes them; at that time none of its entries had passed its board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.formatting import number
from dpviz.text import front as text

"""Title and address of the list in which most figures were read."""
IN_REGISTRY = "read in the entry of the Differential Privacy Deployments Registry"
IN_SOURCE = "read in the source itself"
PURPOSE_TEXT = text.DEPLOYMENTS


@dataclass(frozen=True)
class Deployment:
    """One promise in use.

    Attributes:
        maker, product: its maker and what is made; year: of publication.
        epsilon, delta, rho: as printed; None where the source prints none (delta 0: pure).
        unit: to whom the promise is, and how often it is spent again; adjacency: what counts as
            one change; local: each device keeps it by itself, nobody being trusted.
        source, address: title and address of what prints the figures; read_in: where they were
        read.
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
        """Maker, what is made, and year."""
        return f"{self.maker}: {self.product} ({self.year})"

    @property
    def figures(self) -> str:
        """The figures as printed."""
        parts = []
        if self.rho is not None:
            parts.append(f"ρ = {number(self.rho)}")
        if self.epsilon is not None:
            failing = f" at δ = {self.delta:.0e}".replace("e-0", "e-") if self.delta else ""
            parts.append(f"ε = {number(self.epsilon)}{failing}")
        return ", that is ".join(parts)


NOT_STATED = "not said in what was read"
EVENT = "any two values of one event"
DEPLOYMENTS: tuple[Deployment, ...] = (
    Deployment(
        *("Microsoft", "broadband use in the US, by zip code", 2021),
        unit="a user, all records, once",
        adjacency="a user with all records added or removed",
        source="Pereira et al. 2021",
        address="https://arxiv.org/abs/2103.14035",
        epsilon=0.2,
        delta=0.0,
    ),
    Deployment(
        *("Wikimedia", "views of each page by country, daily", 2023),
        unit="the first ten page views of a device on one day, anew each day",
        adjacency="these views added or removed",
        source="Wikimedia's description of the data",
        address="https://analytics.wikimedia.org/published/datasets/country_project_page/00_README.html",
        read_in=IN_SOURCE,
        epsilon=1.0,
        delta=1e-7,
        rho=0.015,
    ),
    Deployment(
        *("Microsoft", "use of apps under Windows", 2017),
        unit="what a device reports of all apps in one round of six hours; its answers are made to"
        " add up little over rounds, which this figure leaves out",
        adjacency=EVENT,
        source="Ding, Kulkarni and Yekhanin 2017",
        address="https://www.microsoft.com/en-us/research/publication/collecting-telemetry-data-privately/",
        epsilon=1.672,
        delta=0.0,
        local=True,
    ),
    Deployment(
        *("Google", "searches for symptoms during COVID-19", 2020),
        unit="a user's searches for symptoms on one day, anew each day",
        adjacency="a user's day added or removed",
        source="Bavadekar et al. 2020",
        address="https://arxiv.org/abs/2009.01265",
        epsilon=1.68,
        delta=0.0,
    ),
    Deployment(
        *("Apple", "kinds of health data that are used", 2017),
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
        unit="a user's places on one day, anew each day",
        adjacency="a user's day added or removed",
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
        *("LinkedIn", "the jobs most hired for, each month", 2020),
        unit="one hiring, in one month's reports; it adds up over the months whose reports count"
        " it (over three: ε = 14.4 at δ = 1.2e-9)",
        adjacency=NOT_STATED,
        source="Rogers et al. 2020",
        address="https://arxiv.org/abs/2010.13981",
        epsilon=4.8,
        delta=4e-10,
    ),
    Deployment(
        *("Google", "next word on Spanish keyboards", 2022),
        unit="a device, all that was typed on it",
        adjacency="all of a device's examples added or removed",
        source="McMahan and Thakurta 2022",
        address="https://research.google/blog/federated-learning-with-formal-differential-privacy-guarantees/",
        read_in=IN_SOURCE,
        rho=0.81,
    ),
    Deployment(
        *("Israel's Ministry of Health", "live births of 2014", 2024),
        unit="a birth: mother and newborn, once",
        adjacency=NOT_STATED,
        source="Hod and Canetti 2024",
        address="https://arxiv.org/abs/2405.00267",
        read_in=IN_SOURCE,
        epsilon=9.98,
        delta=0.0,
    ),
    Deployment(
        *("US Census Bureau", "census of 2020, persons, for redistricting", 2021),
        unit="a person, once",
        adjacency="a person's record replaced by another; totals of states are published as they"
        " are",
        source="Abowd et al. 2022",
        address="https://arxiv.org/abs/2204.08986",
        epsilon=17.14,
        delta=1e-10,
        rho=2.56,
    ),
    Deployment(
        *("LinkedIn", "what members engage with, for advertisers", 2020),
        unit="a member, anew each month",
        adjacency=NOT_STATED,
        source="Rogers et al. 2020",
        address="https://arxiv.org/abs/2002.05839",
        epsilon=34.9,
        delta=7e-9,
    ),
)
"""In the order of their ε."""


def on_axis(axis: str) -> Sequence[tuple[float, Deployment]]:
    """Those whose figure is printed in the currency of an axis (a key of ``AXES``), with it."""
    name = {"approx": "epsilon", "zcdp": "rho"}.get(axis)
    figures = (
        [(getattr(deployment, name), deployment) for deployment in DEPLOYMENTS] if name else []
    )
    return sorted(
        ((value, deployment) for value, deployment in figures if value), key=lambda pair: pair[0]
    )


def rows(deployment: Deployment) -> list[tuple[str, str]]:
    """What is known of it, term and text."""
    kept = (
        "by each device, nobody being trusted"
        if deployment.local
        else "by a collector who is trusted"
    )
    return [
        ("promise", deployment.figures),
        ("to", deployment.unit),
        ("one change", deployment.adjacency),
        ("kept", kept),
        ("figures", deployment.read_in),
    ]
