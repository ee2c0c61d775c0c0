"""The page Attackers view."""
