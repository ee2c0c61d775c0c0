"""One visual language: looks that differ, colours that can be seen on both pages, by everyone."""

import ast
import itertools
import tomllib
from pathlib import Path

import numpy as np
import pytest

import dpviz.types.line_style as types_look
from dpviz.methods import METHODS
from dpviz.plots.kit import style
from dpviz.types.line_style import LINE_STYLES

ROOT = Path(__file__).resolve().parents[2]
THEMES = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
DRAWN = {look.colour for look in LINE_STYLES.values()} | {style.ACCENT, style.GREY}
DRAWN |= {style.RIGHT, style.WRONG}
#: Colours given to ``ink``.
WRITTEN = {style.ACCENT, style.RIGHT, style.WRONG}


# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB: protanopia and deuteranopia
SEEN_AS = {
    "all cones": np.eye(3),
    "no long cones": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no middle cones": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.01182, 0.04294, 0.968881],
        ]
    ),
}
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
    ]
)


def linear(colour):
    part = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def contrast(a, b):
    """WCAG 2.2, contrast ratio."""
    low, high = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (a, b))
    return (high + 0.05) / (low + 0.05)


def half(a, b):
    """What ``ink`` gives where the text is ``b``."""
    return "#" + "".join(
        f"{(int(a[i : i + 2], 16) + int(b[i : i + 2], 16)) // 2:02x}" for i in (1, 3, 5)
    )


def test_contrast_equals_wcag_formula():
    assert contrast("#000000", "#ffffff") == pytest.approx(21) and contrast(
        "#777777", "#ffffff"
    ) == pytest.approx(4.48, abs=0.005)
    assert contrast("#E69F00", "#ffffff") < 3, "Okabe and Ito's own orange vanishes on white"


@pytest.mark.parametrize("theme", THEMES)
def test_drawn_colours_have_contrast_three(theme):
    faint = {c: round(contrast(c, THEMES[theme]["backgroundColor"]), 2) for c in DRAWN}
    assert not {c: ratio for c, ratio in faint.items() if ratio < 3}


@pytest.mark.parametrize("theme", THEMES)
def test_text_colours_have_contrast_four_and_a_half(theme):
    words, pages = (
        THEMES[theme]["textColor"],
        [THEMES[theme][k] for k in ("backgroundColor", "secondaryBackgroundColor")],
    )
    for page in pages:
        assert contrast(words, page) >= 4.5
        assert all(contrast(half(c, words), page) >= 4.5 for c in WRITTEN)


def lighter(colour):
    """``colour`` as line_names.css draws words on a dark page."""
    return "#" + "".join(
        f"{min(255, round(1.6 * int(colour[i : i + 2], 16))):02x}" for i in (1, 3, 5)
    )


def test_words_in_line_colours_have_contrast_four_and_a_half():
    words = {colour: style.text_colour(colour) for colour in DRAWN}
    assert all(contrast(word, "#ffffff") >= 4.5 for word in words.values())
    dark = {c: contrast(lighter(w), THEMES["dark"]["backgroundColor"]) for c, w in words.items()}
    assert not {colour: ratio for colour, ratio in dark.items() if ratio < 4.5}
    assert style.text_colour("#0054FC") == "#0054FC", "what can be read stays as it is"


HUES = {name for name, value in vars(types_look).items() if str(value).startswith("#")}
#: Families of what DPPL-Public does, in its colour.
PUBLICS = {"prototypes"}
#: Families whose lines are those of a paper's figure, not of methods alone.
PAPERS = {"papers"}


def test_colours_of_methods_are_unique():
    private = {look for look in LINE_STYLES.values() if look.colour != style.GREY}
    assert len({look.colour for look in private}) == len(private)
    others = {types_look.RIGHT, types_look.WRONG, style.ACCENT}
    assert not others & {look.colour for look in private}
    for file in (ROOT / "dpviz" / "plots").glob("*.py"):
        if file.stem in PAPERS:
            continue
        names = {
            node.id for node in ast.walk(ast.parse(file.read_text())) if type(node) is ast.Name
        }
        free = {"GREY", "RIGHT", "WRONG"} | ({"ORANGE"} if file.stem in PUBLICS else set())
        assert not names & HUES - free, file.stem


@pytest.mark.parametrize("eyes", SEEN_AS)
def test_similar_hues_differ_in_line_style(eyes):
    private = {look for look in LINE_STYLES.values() if look.colour != style.GREY}
    for a, b in itertools.combinations(private, 2):
        far = np.linalg.norm(oklab(a.colour, SEEN_AS[eyes]) - oklab(b.colour, SEEN_AS[eyes]))
        least = 0.06 if eyes == "all cones" else 0.05
        assert far >= least or (eyes != "all cones" and a.marker != b.marker), (a, b, far)


def test_every_method_has_a_style_of_its_own():
    looks = [method.line_style for method in METHODS.values()]
    assert len({(look.colour, look.dash) for look in looks}) == len(looks), (
        "colour and dash tell lines apart without their markers"
    )
    assert len({(look.colour, look.marker) for look in looks}) == len(looks)
    assert style.line_style("not-there-yet") == style.line_style("not-there-yet")
    assert all(
        style.line_style(key).colour == style.GREY
        for key, row in METHODS.items()
        if not row.private
    )


def oklab(colour, eyes):
    """Ottosson's Oklab of a colour as such eyes see it."""
    return TO_LAB @ np.cbrt(TO_CONES @ np.clip(eyes @ linear(colour), 0, 1))


@pytest.mark.parametrize("eyes", SEEN_AS)
def test_hues_are_distinguishable_with_color_blindness(eyes):
    hues = (style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PURPLE, style.SKY)
    apart = [
        np.linalg.norm(oklab(a, SEEN_AS[eyes]) - oklab(b, SEEN_AS[eyes]))
        for a, b in itertools.combinations(hues, 2)
    ]
    # the least of Okabe and Ito's own six, green and purple without middle cones, is 0.076
    assert min(apart) >= 0.07
