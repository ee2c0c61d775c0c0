"""HTML to PDF by a local Chromium, one page at a time."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from functools import cache
from pathlib import Path

from dpviz.machine import public_mode
from dpviz.types import DpvizError

BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    "chromium-headless-shell",
)
FLAGS = (
    "--headless --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --no-pdf-header-footer "
    "--virtual-time-budget=10000"
).split()
#: Time limit of a print, in seconds.
PATIENCE = 90.0
_browser_lock = threading.Lock()


@cache
def browser() -> str | None:
    """Return the path of Chromium, or None; ``CHROMIUM`` overrides the search."""
    path_setting = os.environ.get("CHROMIUM")
    return (
        shutil.which(path_setting)
        if path_setting
        else next(filter(None, map(shutil.which, BROWSERS)), None)
    )


def printed(page: str) -> bytes:
    """Return a page as a PDF file.

    Raises:
        DpvizError: Without Chromium, if it exceeds ``PATIENCE`` seconds, or in public mode.
    """
    public_mode.refuse("pdf")
    if (program := browser()) is None:
        raise DpvizError(
            "Cannot print a PDF: Chromium not found. Install it, or set CHROMIUM to its path."
        )
    with _browser_lock, tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "page.html", Path(folder) / "page.pdf"
        source.write_text(page, encoding="utf-8")
        # Chromium refuses to run as root with its sandbox on
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        command = [
            program,
            *FLAGS,
            *root,
            f"--user-data-dir={folder}/profile",
            f"--print-to-pdf={target}",
            source.as_uri(),
        ]
        try:
            subprocess.run(command, check=True, timeout=PATIENCE, capture_output=True)
            return target.read_bytes()
        except (subprocess.SubprocessError, OSError) as error:
            raise DpvizError(
                "Chromium failed to print the report. Download the HTML file and print it in your"
                " browser."
            ) from error
