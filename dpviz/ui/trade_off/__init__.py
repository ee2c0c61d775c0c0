"""The page Trade off."""
