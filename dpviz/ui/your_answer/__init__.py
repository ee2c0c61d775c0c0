"""The Your own answer page."""
