"""Let ``import kymatio`` succeed beside a scipy without ``sph_harm``.

kymatio's filters in three dimensions import it by that name, and scipy has it under another, with
orders and angles the other way round. The scattering of pictures calls none of it.
"""

from __future__ import annotations

from scipy import special


def prepare() -> None:
    """Put the name back; does nothing where it is there."""
    if not hasattr(special, "sph_harm"):
        special.sph_harm = lambda m, n, theta, phi: special.sph_harm_y(n, m, phi, theta)
