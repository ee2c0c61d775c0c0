"""The page Mixed privacy."""
