"""One self-contained HTML file, with a policy that forbids other scripts and all requests."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import tomllib
from collections.abc import Iterable, Sequence
from typing import Any

from dpviz.plots.kit import as_svg
from dpviz.text.settings import COMPUTED_BY
from dpviz.text.template import render_text
from dpviz.types import DataConfig, DpvizError
from dpviz.ui.assets import asset
from dpviz.ui.server import serve
from dpviz.views import origins

MAX_BYTES = 4_000_000
"""Bytes of a file."""
DATA = "dp-data"
"""Identity of the element that holds the data, as JSON."""
COMPONENT = "export default function"
NAMES = {
    "primaryColor": "--st-primary-color",
    "backgroundColor": "--st-background-color",
    "secondaryBackgroundColor": "--st-secondary-background-color",
    "textColor": "--st-text-color",
}
"""Colours of the app's settings by the names under which its pages have them."""
EMBEDDED = (
    '<iframe src="{file}" title="{title}" width="100%" height="{height}"'
    ' style="border: 1px solid #8886; border-radius: 8px" loading="lazy"'
    ' sandbox="allow-scripts allow-popups"></iframe>'
)
HEIGHT = 720
"""Pixels of a file in a frame of another page."""


def write_html(
    title: str,
    body: str,
    data: Any,
    scripts: Sequence[str],
    styles: Sequence[str],
    max_bytes: int = MAX_BYTES,
) -> str:
    """The file.

    Args:
        title: plain text; body: HTML, escaped by whoever made it; data: what ``scripts`` read as
            ``data``; scripts: texts, run as one in this order, none of which exports anything:
            assets, or what ``component`` gives; styles: texts, after the app's own colours;
            max_bytes: of the file.

    Raises:
        DpvizError: where the file would be larger than ``max_bytes``.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # neither a script's end nor a comment's beginning may stand in a script's text
    text = text.replace("<", "\\u003c")
    joined = "\n".join(scripts)
    script = f'(() => {{\nconst data = JSON.parse(document.getElementById("{DATA}").textContent);\n'
    script = f"{script}{joined}}})();"
    checksum = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{checksum}'; style-src 'unsafe-inline';"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )
    css = colours() + "".join(styles)
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{html.escape(title)}</title><style>{css}</style></head><body>{body}"
        f'<script type="application/json" id="{DATA}">{text}</script>'
        f"<script>{script}</script></body></html>\n"
    )
    if (size := len(page.encode())) > max_bytes:
        raise DpvizError(
            f"The file must be at most {max_bytes / 1e6:g} MB, got {size / 1e6:.2f} MB. Use fewer"
            " slider values or one fewer slider."
        )
    return page


def component(name: str) -> str:
    """The script of a component of the app's as an expression: the function that it exports, of
    ``{data, setTriggerValue, parentElement}``.
    """
    before, _, after = asset(name).partition(COMPONENT)
    return f"(() => {{\n{before}return function{after}\n}})()"


def charts() -> str:
    """The script that draws charts, as ``figureSvg``."""
    scripts = "\n".join(map(asset, as_svg.SCRIPTS))
    return f"const figureSvg = (() => {{\n{scripts}\nreturn figureSvg;\n}})();"


def colours() -> str:
    """The app's own colours, light and dark, as style."""
    path = serve.app().parent / ".streamlit" / "config.toml"
    theme = tomllib.loads(path.read_text())["theme"]
    light, dark = (
        " ".join(f"{name}: {theme[kind][key]};" for key, name in NAMES.items())
        for kind in ("light", "dark")
    )
    return (
        f":root {{ color-scheme: light dark; {light} }}"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    )


def provenance(data: Iterable[DataConfig]) -> list[str]:
    """Return sources of the data and versions of the software, one paragraph each."""
    terms = [words for config in data for words in origins.data(config)]
    return [*dict.fromkeys(terms), render_text(COMPUTED_BY, versions=origins.versions_now())]


def embedded(file: str, title: str) -> str:
    """HTML that shows the file in a frame of another page, at a fixed height."""
    return EMBEDDED.format(file=html.escape(file), title=html.escape(title), height=HEIGHT)
