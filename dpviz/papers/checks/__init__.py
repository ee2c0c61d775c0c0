"""Tries of claims, by what they are about."""
