"""The Public prototypes page."""
