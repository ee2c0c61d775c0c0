"""The Class page: a room that phones join, what it is asked, and what it may know of itself."""
