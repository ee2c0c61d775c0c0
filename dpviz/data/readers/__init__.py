"""Readers of strangers' files: features, votes, pictures in folders, zips, parquet and originals."""
