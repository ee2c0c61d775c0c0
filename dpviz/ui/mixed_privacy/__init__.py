"""The AdaMix page."""
