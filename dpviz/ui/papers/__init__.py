"""The Papers page."""
