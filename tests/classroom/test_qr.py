"""The QR code that phones read off the screen."""

import re
import xml.etree.ElementTree as ET

import pytest
import segno

from dpviz.classroom import qr
from dpviz.types import DpvizError

ADDRESS = "http://192.168.1.5:8502/ABCDE"
SVG = "{http://www.w3.org/2000/svg}"


def modules(svg):
    """Which squares are dark, a row each, from the strokes as they are drawn: from the start of
    the code ``m dx dy`` to the next and ``h`` along.
    """
    root = ET.fromstring(svg)
    size = int(root.get("viewBox").split()[2])
    dark = [[False] * size for _ in range(size)]
    x = y = 0.0
    strokes = root.findall(f"{SVG}path")[1].get("d")
    for step, numbers in re.findall(r"([Mmhv])([-\d. ]+)", strokes):
        values = [float(number) for number in re.findall(r"-?\d*\.?\d+", numbers)]
        if step in "Mm":
            x, y = (x + values[0], y + values[1]) if step == "m" else values
        else:
            for column in range(int(values[0])):
                dark[int(y)][int(x) + column] = True
            x += values[0]
    return dark


def test_what_is_drawn_is_the_code_of_the_address_with_its_margin():
    dark, wanted = modules(qr.svg(ADDRESS)), segno.make(ADDRESS, micro=False, error="m").matrix
    side = len(wanted) + 2 * qr.QUIET
    assert len(dark) == side
    inner = [row[qr.QUIET : -qr.QUIET] for row in dark[qr.QUIET : -qr.QUIET]]
    assert inner == [[bool(square) for square in row] for row in wanted]
    assert sum(map(sum, dark)) == sum(map(sum, inner)), "nothing stands in the margin"


def test_a_phone_that_reads_dark_on_light_alone_reads_it_in_the_dark_as_well():
    light, dark = ET.fromstring(qr.svg(ADDRESS)).findall(f"{SVG}path")
    assert (light.get("fill"), dark.get("stroke")) == ("#fff", "#000")


def test_a_hostile_title_is_text():
    root = ET.fromstring(qr.svg(ADDRESS, "</title><script>alert(1)</script>"))
    assert [child.tag for child in root] == [f"{SVG}title", f"{SVG}path", f"{SVG}path"]


@pytest.mark.parametrize("text", ["", "x" * (qr.MOST + 1)])
def test_a_text_that_does_not_fit_is_refused_in_a_sentence(text):
    with pytest.raises(DpvizError, match="use 1 to 200"):
        qr.svg(text)
