"""The Sweeps page."""
