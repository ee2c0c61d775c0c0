"""Rows of "Neural Collapse Meets Differential Privacy", by what they are about."""
