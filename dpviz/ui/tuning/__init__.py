"""The Tuning page."""
