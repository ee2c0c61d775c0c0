"""Draft entries of the Differential Privacy Deployments Registry for releases and guarantees.

What dpviz does not know, such as the curator, is "unknown" until the author fills it in.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from dpviz import __version__
from dpviz.formatting import number_up
from dpviz.text import registry as text
from dpviz.text.template import render_text
from dpviz.types import Guarantee

#: What a release publishes, of ``registry_file.PRODUCTS``.
MODEL = "Machine learning model"
VARIANTS = {
    "pure": "Pure DP",
    "zcdp": "Zero-concentrated DP",
    "approx": "Approximate DP",
    "gdp": "Custom",
}


def release_entry(card: Mapping[str, Any], day: date) -> dict[str, Any]:
    """Return the registry's entry of a release.

    Args:
        card: of ``release_file.card``; day: date of the release.
    """
    reading = card["guarantee"]
    is_proved = "proved" in reading
    claim = reading["proved" if is_proved else "not verified"]
    settings, method = card["settings"], card["method"]
    notes = text.NOTES_PROVED if is_proved else text.NOTES_UNVERIFIED
    description = render_text(
        text.DESCRIPTION, classes=len(card["classes"]), method=method, data=settings["data"]
    )
    return _entry(
        f"dpviz-{settings['method']}-{day.year}",
        _basic(render_text(text.NAME, method=method), description, day, MODEL),
        {
            "variant_name": VARIANTS[claim["notion"]],
            "unprotected_quantities": reading["public"],
        },
        _privacy_loss(claim | reading),
        deployment_model={
            "model_name": "Central",
            "release_type": "One release",
            "data_source_type": "Static",
            "access_type": "Non-interactive",
        },
        accounting={"composition": render_text(text.COMPOSITION, source=claim["source"])},
        implementation={
            "preprocessing_and_hyperparameter_tuning": render_text(
                text.PREPROCESSING, starts=reading["starts"], defaults=reading["defaults"]
            ),
            "mechanisms": render_text(
                text.MECHANISMS,
                how=claim["how"],
                opendp=card["versions"]["opendp"],
                dpviz=__version__,
            ),
        },
        administrative={
            "notes": render_text(notes, assumptions="; ".join(reading["assumed"])),
            "registry_authors": [text.UNKNOWN],
        },
    )


def guarantee_entry(guarantee: Guarantee, day: date, product: str) -> dict[str, Any]:
    """Return the registry's entry of a guarantee without data, such as the calculator's.

    Args:
        product: what is published, of ``registry_file.PRODUCTS``.
    """
    return _entry(
        f"dpviz-guarantee-{day.year}",
        _basic(text.STATED_NAME, text.DESCRIPTION_STATED, day, product),
        {"variant_name": VARIANTS[guarantee.notion]},
        _privacy_loss(vars(guarantee)),
        accounting={"composition": render_text(text.COMPOSITION, source=guarantee.source)},
        administrative={"registry_authors": [text.UNKNOWN]},
    )


def _entry(
    slug: str,
    basic: Mapping[str, Any],
    variant: Mapping[str, Any],
    loss: Mapping[str, Any],
    **parts: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "url_slug": slug,
        "status": "Draft",
        "tier": 2,
        "deployment": {"basic": basic, "dp_variant": variant, "privacy_loss": loss, **parts},
    }


def _basic(name: str, description: str, day: date, product: str) -> dict[str, Any]:
    return {
        "name": name,
        "data_curators": [text.UNKNOWN],
        "intended_use": text.UNKNOWN,
        "data_product_type": product,
        "data_product_region": text.UNKNOWN,
        "description": description,
        "publication_date": day.isoformat(),
    }


def _privacy_loss(claim: Mapping[str, Any]) -> dict[str, Any]:
    """Return unit and parameters of a guarantee, by the fields of ``Guarantee``.

    The registry has no field for μ of Gaussian DP: its entry states what μ implies.
    """
    person = "person" in claim["adjacency"]
    epsilon, delta = claim["epsilon_delta"], claim["delta"]
    fields = {name: number_up(value, 6) for name, value in (("epsilon", epsilon), ("delta", delta))}
    details = {}
    if claim["notion"] == "pure":
        parameters = {"epsilon": claim["value"]}
    elif claim["notion"] == "approx":
        parameters = {"epsilon": claim["value"], "delta": delta}
    elif claim["notion"] == "zcdp":
        parameters = {"rho": claim["value"]}
        details = {"privacy_parameters_details": render_text(text.PARAMETERS_DETAILS, **fields)}
    else:
        parameters = {"epsilon": epsilon, "delta": delta}
        mu = number_up(claim["value"], 6)
        details = {"privacy_parameters_details": render_text(text.PARAMETERS_MU, mu=mu, **fields)}
    return {
        "privacy_unit": "Person-level" if person else "Record-level",
        "privacy_unit_details": render_text(
            text.UNIT_DETAILS,
            unit=claim["unit"][:1].upper() + claim["unit"][1:],
            adjacency=claim["adjacency"],
        ),
        "privacy_parameters": parameters,
        **details,
    }
