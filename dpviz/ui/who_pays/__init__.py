"""The page Per-record loss."""
