"""The page Calculator."""
