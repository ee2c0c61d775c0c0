"""The page Audit."""
