"""The page Teachers vote."""
