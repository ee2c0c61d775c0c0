"""A QR code, drawn here: nothing is asked of any service."""

from __future__ import annotations

import io

import segno

from dpviz.types import DpvizError

MOST = 200
"""Characters of an address."""
QUIET = 4
"""Empty modules around the code, as the standard asks for (ISO/IEC 18004)."""


def svg(text: str, title: str = "") -> str:
    """A QR code as SVG, black on white in light and dark, as wide as what holds it.

    Args:
        text: what a phone reads, at most ``MOST`` characters; title: for those who do not see it.

    Raises:
        DpvizError: for an empty or longer text.
    """
    if not 0 < len(text) <= MOST:
        raise DpvizError(f"The code would hold {len(text)} characters; use 1 to {MOST}.")
    out = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        out,
        kind="svg",
        border=QUIET,
        dark="#000",
        light="#fff",
        xmldecl=False,
        omitsize=True,
        title=title or None,
        svgclass=None,
        lineclass=None,
        encoding="utf-8",
    )
    return out.getvalue().decode()
