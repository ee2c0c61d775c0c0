"""The page AdaMix."""
