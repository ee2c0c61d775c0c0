"""The page PATE."""
