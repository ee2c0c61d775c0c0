"""Teach: live class, question links, slides and files, results of a class."""

from dpviz.ui.teach import page

page.draw()
