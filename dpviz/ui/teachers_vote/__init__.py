"""The PATE page."""
