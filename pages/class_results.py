"""Results of a class: a tab of the Teach page, under its earlier address."""

from dpviz.ui.teach import page

page.draw("results")
