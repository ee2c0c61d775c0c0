"""The Neural collapse page."""
