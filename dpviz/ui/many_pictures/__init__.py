"""The page One person, many pictures."""
