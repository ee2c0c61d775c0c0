"""Sentences that people read, as whole templates: one module per page."""
