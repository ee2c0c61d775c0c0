"""The page Teach: live class, question links, slides and files, results."""
