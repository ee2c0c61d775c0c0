"""The page Neural collapse."""
