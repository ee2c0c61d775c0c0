"""The Per-record loss page."""
