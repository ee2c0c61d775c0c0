"""Libraries that only some commands need: a missing one is a sentence with the command."""

from __future__ import annotations

from importlib import util

from dpviz.types.checks import DpvizError

#: Extra of the package that installs each optional library, and what needs it.
EXTRAS = {
    "opendp": ("release", "A private release"),
    "distributed": ("cluster", "A run on several processes or machines"),
    "optuna": ("tune", "Tuning"),
    "kymatio": ("scatter", "ScatterNet"),
}


def require(library: str) -> None:
    """Check that an optional library is installed; import nothing.

    Raises:
        DpvizError: with the command that installs it.
    """
    if util.find_spec(library) is None:
        extra, purpose = EXTRAS[library]
        raise DpvizError(f"{purpose} needs {library}. Run: pip install 'dpviz[{extra}]'")
