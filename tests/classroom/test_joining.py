"""The QR code that phones read off the screen."""

import re
import xml.etree.ElementTree as ET

import pytest
import segno

from dpviz.classroom import joining
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


def test_qr_code_has_the_modules_and_margin_of_the_standard():
    dark, wanted = (
        modules(joining.qr_code(ADDRESS)),
        segno.make(ADDRESS, micro=False, error="m").matrix,
    )
    side = len(wanted) + 2 * joining.QUIET_ZONE
    assert len(dark) == side
    inner = [
        row[joining.QUIET_ZONE : -joining.QUIET_ZONE]
        for row in dark[joining.QUIET_ZONE : -joining.QUIET_ZONE]
    ]
    assert inner == [[bool(square) for square in row] for row in wanted]
    assert sum(map(sum, dark)) == sum(map(sum, inner)), "nothing stands in the margin"


def test_qr_code_is_black_on_white_in_dark_mode():
    light, dark = ET.fromstring(joining.qr_code(ADDRESS)).findall(f"{SVG}path")
    assert (light.get("fill"), dark.get("stroke")) == ("#fff", "#000")


def test_hostile_title_is_escaped():
    root = ET.fromstring(joining.qr_code(ADDRESS, "</title><script>alert(1)</script>"))
    assert [child.tag for child in root] == [f"{SVG}title", f"{SVG}path", f"{SVG}path"]


@pytest.mark.parametrize("text", ["", "x" * (joining.MAX_QR_CHARACTERS + 1)])
def test_empty_or_long_text_is_refused(text):
    with pytest.raises(DpvizError, match="1 to 200 characters"):
        joining.qr_code(text)
