"""What stands around every page: link, undo, presentation, report, lesson strip."""
