"""Draft entries of the Differential Privacy Deployments Registry for releases and guarantees.

What dpviz does not know, such as the curator, is "unknown" until the author fills it in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from dpviz import __version__
from dpviz.formatting import exact, number_up
from dpviz.privacy.calculator import Account, case_of
from dpviz.privacy.stated_mechanisms import Mechanism
from dpviz.text import registry as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.types.checks import quoted

#: What a release publishes, of ``registry_file.PRODUCTS``.
MODEL = "Machine learning model"
VARIANTS = {
    "pure": "Pure DP",
    "zcdp": "Zero-concentrated DP",
    "approx": "Approximate DP",
    "gdp": "Custom",
}


def check_name(path: Path) -> None:
    """Refuse a file name that the registry does not accept.

    Raises:
        DpvizError: for a name with other characters than a to z, 0 to 9 and _.
    """
    if not re.fullmatch(r"[a-z0-9_]+\.yaml", path.name):
        raise DpvizError(render_text(text.BAD_FILE_NAME, name=quoted(path.name)))


def release_entry(card: Mapping[str, Any], path: Path, day: date) -> dict[str, Any]:
    """Return the registry's entry of a release.

    Args:
        card: of ``release_file.card``; path: of the entry; day: date of the release.
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
        path,
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


def guarantee_entry(
    account: Account, assumptions: Sequence[str], path: Path, day: date, product: str
) -> dict[str, Any]:
    """Return the registry's entry of a guarantee without data.

    Args:
        account: of the stated mechanism; assumptions: in words; path: of the entry.
        product: what is published, of ``registry_file.PRODUCTS``.
    """
    guarantee = account.guarantee
    return _entry(
        path,
        _basic(text.STATED_NAME, text.DESCRIPTION_STATED, day, product),
        {"variant_name": VARIANTS[guarantee.notion]},
        _privacy_loss(vars(guarantee)),
        accounting={"composition": render_text(text.COMPOSITION, source=guarantee.source)},
        implementation={
            "mechanisms": render_text(
                text.MECHANISM_STATED,
                mechanism=_mechanism(account.mechanism),
                assumptions="; ".join(assumptions),
                dpviz=__version__,
            )
        },
        administrative={"registry_authors": [text.UNKNOWN]},
    )


def _mechanism(mechanism: Mechanism) -> str:
    """Return a stated mechanism with its parameters, in a sentence."""
    fields = {
        name: exact(value) if isinstance(value, float) else value
        for name, value in vars(mechanism).items()
    }
    return render_text(text.STATED_MECHANISMS[case_of(mechanism)], **fields)


def _entry(
    path: Path,
    basic: Mapping[str, Any],
    variant: Mapping[str, Any],
    loss: Mapping[str, Any],
    **parts: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        # the registry has one entry per file name, so that no other entry has this slug
        "url_slug": f"dpviz-{path.stem.replace('_', '-')}",
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
        if delta and epsilon < claim["value"]:
            details = {"privacy_parameters_details": render_text(text.PARAMETERS_DETAILS, **fields)}
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
