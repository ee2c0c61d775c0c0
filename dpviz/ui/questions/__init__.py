"""The page Quiz, and the results of a class."""
