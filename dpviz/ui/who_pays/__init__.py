"""The page Who pays."""
