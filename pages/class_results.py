"""Results of a class: a tab of the page Teach, under its earlier address."""

from dpviz.ui.teach import page

page.draw("results")
