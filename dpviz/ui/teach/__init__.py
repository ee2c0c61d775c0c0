"""The Teach page: live class, question links, slides and files, results."""
