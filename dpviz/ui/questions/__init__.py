"""The pages Twelve questions and Your class."""
