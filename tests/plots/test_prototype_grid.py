import dataclasses
import re

import numpy as np

from dpviz.plots.prototypes import (
    PrototypeGrid,
    Tile,
    chance_text,
    column_style,
    drawn_classes,
    grid_frames,
    grid_legend,
)


def test_grid_shows_all_values_and_escapes_names():
    hostile = "<img onerror=x>"
    tile = Tile(7, None, hostile, True, 0.4, 2e-5)
    grid = PrototypeGrid(("a",), ("seed 0",), ((tile,),), (True,))
    text = grid.html("words")
    assert hostile not in text and "✓" in text and "2e-5" in text and "40%" in text
    other = dataclasses.replace(grid, tiles=((dataclasses.replace(tile, own=False),),))
    assert "✗" in other.html("words") and "✗" not in text, "an image of its class is not wrong"
    assert "✓" not in dataclasses.replace(grid, checks=False).html("words")
    alike = dataclasses.replace(grid, tiles=((dataclasses.replace(tile, alike=True),),))
    assert "≈" in alike.html("words") and "≈" not in text
    seen = dataclasses.replace(
        grid, tiles=((dataclasses.replace(tile, picture=np.zeros((2, 2), np.uint8)),),)
    ).html(
        "words",
    )
    assert (
        'aria-label="seed 0, a: public image 7, labeled' in seen and "data:image/png;base64" in seen
    )
    both = grid_frames([("1", grid), ("<2>", grid)], 1, "words")
    assert both.count('class="on"') == 1 and '<div class="on" data-name="&lt;2&gt;">' in both
    assert chance_text(0.999) == "> 99%" and chance_text(0.0312) == "3.1%"
    assert drawn_classes(range(100)) == [*range(10), *range(90, 100)]


def test_columns_set_off_at_the_end_have_a_name():
    tile = Tile(7, None, "a", True, 0.4)
    groups = ("many", "few <b>")
    grid = PrototypeGrid(("a", "b", "c"), ("",), ((tile,) * 3,), (False, False, True), groups)
    assert 'span 2">many<' in grid.html("words") and 'span 1">few &lt;b&gt;<' in grid.html("words")
    for marked in ((False,) * 3, (True,) * 3, (True, False, True)):
        assert "many" not in dataclasses.replace(grid, marked=marked).html("words")


def test_second_row_of_heads_has_a_cell_per_column():
    tile = Tile(7, None, "a", True, 0.4)
    grid = PrototypeGrid(("1", "2"), ("a",), ((tile,) * 2,), corner="ε", second=("%", "10", "70"))
    words = grid.html("words", small=True)
    assert '<div class="h c">ε</div>' in words and words.count('class="v"') == 3


def test_legend_escapes_its_words():
    assert "&lt;" in grid_legend([("alike", "<b>")]) and "≈" in grid_legend([("alike", "x")])


def test_phone_has_one_row_of_images_in_rows_of_five():
    tile = Tile(7, None, "a", True, 0.4)
    heads, marked = tuple("abcdefghij"), (False,) * 7 + (True,) * 3
    grid = PrototypeGrid(heads, ("",), ((tile,) * 10,), marked, ("many", "few"))
    words = grid.html("words")
    assert 'class="pg folded"' in words and "--c: 1; --r: 4" in words
    assert words.count('class="g gf">many<') + words.count('">many<') >= 3
    assert "grid-row: 6; grid-column: 3 / 6" in words, "the rare ones end the second row"
    assert (
        "folded"
        not in dataclasses.replace(grid, marked=()).html("words", small=True).split("</style>")[-1]
    )


def test_phone_leaves_out_every_second_column():
    style = column_style(2, 6)
    hidden = re.findall(r"nth-child\(7n \+ (\d)\)", style)
    assert hidden == ["3", "5"], "the current and the last column stay"
    assert "repeat(4, 1fr)" in style
