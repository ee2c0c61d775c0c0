import numpy as np
import pytest

from dpviz.plots.kit import png


def test_png_round_trips():
    from io import BytesIO

    from PIL import Image

    rng = np.random.default_rng(0)
    for shape in ((28, 28), (5, 7, 3)):
        picture = rng.integers(0, 256, shape, dtype=np.uint8)
        assert np.array_equal(np.asarray(Image.open(BytesIO(png.png(picture)))), picture)


@pytest.mark.parametrize(("side", "kind"), [(28, "png"), (96, "jpeg")])
def test_sheet_holds_images_row_by_row(side, kind):
    from base64 import b64decode
    from io import BytesIO

    from PIL import Image

    shades = np.array([0, 85, 170, 255, 85], np.uint8)
    shape = (5, side, side) if kind == "png" else (5, side, side, 3)
    images = np.broadcast_to(shades.reshape(5, *[1] * (len(shape) - 1)), shape)
    head, _, content = png.sheet_url(images.copy(), 3, 40).partition(",")
    assert head == f"data:image/{kind};base64"
    sheet = np.asarray(Image.open(BytesIO(b64decode(content))).convert("L")).astype(int)
    size = min(side, 40)
    assert sheet.shape == (2 * size, 3 * size)
    centres = sheet[size // 2 :: size, size // 2 :: size].ravel()
    assert np.abs(centres - [*shades.tolist(), 0]).max() <= 3


def test_photographs_are_jpeg_and_nearly_equal():
    from base64 import b64decode
    from io import BytesIO

    from PIL import Image

    slope = np.linspace(0, 255, 96 * 96 * 3).reshape(96, 96, 3).astype(np.uint8)
    kind, _, content = png.data_url(slope).partition(",")
    back = np.asarray(Image.open(BytesIO(b64decode(content))))
    assert kind == "data:image/jpeg;base64" and abs(back.astype(int) - slope).mean() < 3
    assert png.data_url(slope[:28, :28]).startswith("data:image/png;base64")
