"""The Quiz page, and the results of a class."""
