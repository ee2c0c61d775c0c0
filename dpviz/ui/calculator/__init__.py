"""The Calculator page."""
