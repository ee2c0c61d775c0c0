"""Styles and scripts that run in the browser."""

from pathlib import Path

ASSETS = Path(__file__).parent
