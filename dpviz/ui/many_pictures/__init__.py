"""The Many images per person page."""
