"""The Maps page."""
