"""The page Dp means."""
