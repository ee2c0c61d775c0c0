"""The page Your own answer."""
