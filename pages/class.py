"""Class: a room that phones of the same network join, and what it may know of itself."""

from dpviz.ui.frame import page_parts
from dpviz.ui.live_class import estimates, live

epsilon = estimates.sidebar()
place = page_parts.question("What does your class think, and what may it keep to itself?")
shot = live.show(place, epsilon)
estimates.show(epsilon, shot, place)
