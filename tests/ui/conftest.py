"""Pages are opened without a browser here, which need not be waited for."""

from dpviz.ui.live import page_turns

page_turns.FIRST = 0.0
