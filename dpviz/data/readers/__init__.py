"""Readers of strangers' files: features, votes, pictures in every form that sets come in."""
