"""Class: a room that phones of the same network join, and what it may know of itself."""

from dpviz.ui.frame import page_parts
from dpviz.ui.live_class import known, live

epsilon = known.sidebar()
place = page_parts.question("What does your class think, and what may it keep to itself?")
shot = live.show(place, epsilon)
known.show(epsilon, shot, place)
