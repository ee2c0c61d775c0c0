"""The page Many images per person."""
