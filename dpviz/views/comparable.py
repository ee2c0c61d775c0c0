"""What makes deployments comparable: unit, neighbors, model and trust; levels of NIST SP 800-226.

The registry states unit and neighbors as free text. They are classified by keywords, and are
unknown where keywords are missing or contradict each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dpviz.text import registry as text

#: Words of a unit, by kind.
UNIT_WORDS = {
    "household": {"household", "housing"},
    "organization": {"business", "establishment", "organization", "company"},
    "record": {"event", "record", "tuple", "trip", "row", "image", "birth"},
    "period": {"day", "week", "month", "hour", "quarter", "year"},
    "device": {"device"},
    "person": {"user", "person", "individual", "member", "customer", "account"},
}
ADD_REMOVE = re.compile(
    r"\badd(s|ed|ing|ition)?\b|\bremov|\bdelet|symmetric distance|\bunbounded\b|\bpresence\b", re.I
)
REPLACE = re.compile(
    r"\breplac|\bsubstitut|\bmodif|\bchange-one\b|\bbounded (neighbo|differential)|any two values",
    re.I,
)
TRUSTED = {"central": "curator", "local": "nobody", "shuffle": "shuffler"}


def unit_kind(unit: str) -> str:
    """Return the key in ``UNITS`` of a unit of privacy in words."""
    words = {word.removesuffix("s") for word in re.findall(r"[a-z]+", unit.lower())}
    words |= set(re.findall(r"[a-z]+", unit.lower()))
    kinds = [kind for kind, known in UNIT_WORDS.items() if known & words]
    if "household" in kinds or "organization" in kinds:
        return "organization" if kinds == ["organization"] else "unknown"
    if "record" in kinds:
        return "record"
    if kinds == ["period"]:
        return "unknown"
    return kinds[0] if kinds else "unknown"


def adjacency_kind(neighbors: str) -> str:
    """Return the key in ``ADJACENCIES`` of a definition of neighbors in words."""
    kinds = {
        "add-remove": bool(ADD_REMOVE.search(neighbors)),
        "replace": bool(REPLACE.search(neighbors)),
    }
    stated = [kind for kind, is_stated in kinds.items() if is_stated]
    return stated[0] if len(stated) == 1 else "unknown"


def levels(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return what an entry of the registry states on each level of NIST SP 800-226.

    The registry has no fields for side channels, security and data collection, so these are
    unknown, even if the free text of another field mentions them.
    """
    deployment = entry["deployment"]
    loss = deployment.get("privacy_loss", {})
    parameters = loss.get("privacy_parameters", {})
    variant = deployment.get("dp_variant", {}).get("variant_name", "")
    values = ", ".join(f"{name} = {value}" for name, value in parameters.items())
    model = deployment.get("deployment_model", {})
    facts = {
        "parameters": "; ".join(filter(None, [variant, values])) if values else "",
        "unit": _sentences(loss, "privacy_unit", "privacy_unit_details"),
        "algorithms": _sentences(deployment.get("implementation", {}), "mechanisms"),
        "trust": _sentences(model, "model_name", "actors"),
    }
    return {level: facts.get(level) or text.UNKNOWN for level in text.LEVELS}


def _sentences(part: Mapping[str, Any], *names: str) -> str:
    return "; ".join(str(part[name]).strip() for name in names if part.get(name))
