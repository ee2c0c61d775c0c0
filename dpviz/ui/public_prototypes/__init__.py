"""The page Public prototypes."""
