"""dpviz: what differential privacy costs: which accuracy, for whom, by which method.

The names below are the public interface. Each is imported at its first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.3.0"

if TYPE_CHECKING:
    from dpviz.api import (
        adamix,
        attack,
        audit,
        dppl_mean,
        dppl_public,
        dppl_publick,
        grid,
        guarantee,
        load_plugin,
        pate,
        plan,
        private_probe,
        run,
        spec,
        sweep,
    )
    from dpviz.conversion import from_frame, from_hugging_face, from_torchvision
    from dpviz.privacy.calculator import calculate
    from dpviz.privacy.stated_mechanisms import (
        ExponentialChoice,
        LaplaceNoise,
        NoisySteps,
        PublishedGuarantee,
        TeacherVotes,
    )
    from dpviz.results import Results
    from dpviz.types import Budget, Dataset, DpvizError, Guarantee, Plan, Release, Result, RunSpec

__all__ = [
    "Budget",
    "Dataset",
    "DpvizError",
    "ExponentialChoice",
    "Guarantee",
    "LaplaceNoise",
    "NoisySteps",
    "Plan",
    "PublishedGuarantee",
    "Release",
    "Result",
    "Results",
    "RunSpec",
    "TeacherVotes",
    "adamix",
    "attack",
    "audit",
    "calculate",
    "dppl_mean",
    "dppl_public",
    "dppl_publick",
    "from_frame",
    "from_hugging_face",
    "from_torchvision",
    "grid",
    "guarantee",
    "load_plugin",
    "pate",
    "plan",
    "private_probe",
    "run",
    "spec",
    "sweep",
]

#: Modules of the names that are not in ``api``.
_PLACES = {
    "types": "Budget Dataset DpvizError Guarantee Plan Release Result RunSpec".split(),
    "results": ["Results"],
    "privacy.calculator": ["calculate"],
    "privacy.stated_mechanisms": [
        *("ExponentialChoice", "LaplaceNoise", "NoisySteps", "PublishedGuarantee", "TeacherVotes"),
    ],
    "conversion": ["from_frame", "from_hugging_face", "from_torchvision"],
}


def __getattr__(name: str) -> object:
    """Import a public name at its first use, so that commands start without the libraries."""
    if name not in __all__:
        raise AttributeError(f"module 'dpviz' has no attribute {name!r}")
    place = next((place for place, names in _PLACES.items() if name in names), "api")
    return getattr(import_module(f"dpviz.{place}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
