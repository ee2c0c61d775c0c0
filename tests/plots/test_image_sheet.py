"""The sheet of thumbnails: each image is where the browser cuts it out, and the file is small."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from dpviz.plots.kit import image_sheet
from dpviz.plots.kit.image_sheet import ImageSheet


def decoded(sheet):
    return np.asarray(Image.open(io.BytesIO(sheet.content)).convert("RGB")).astype(int)


@pytest.mark.parametrize("number", [1, 2, 7, 30])
@pytest.mark.parametrize("channels", [(), (3,)])
def test_image_is_at_its_place_on_the_sheet(number, channels):
    shades = np.linspace(0, 255, number).astype(np.uint8)
    images = np.broadcast_to(
        shades.reshape(number, 1, 1, *(1 for _ in channels)), (number, 16, 16, *channels)
    )
    sheet = ImageSheet.from_images(np.ascontiguousarray(images))
    pixels = decoded(sheet)
    for i, shade in enumerate(shades):
        x, y = i % sheet.columns * sheet.side + 8, i // sheet.columns * sheet.side + 8
        assert abs(pixels[y, x, 0] - int(shade)) < 12


def test_sheet_of_noise_stays_below_limit():
    side = image_sheet.side(5000)
    noise = np.random.default_rng(0).integers(0, 256, (5000, side, side, 3), np.uint8)
    assert len(ImageSheet.from_images(noise).content) <= image_sheet.MAX_BYTES


def test_side_shrinks_with_number_of_images():
    assert [image_sheet.side(n) for n in (0, 10, 5000, 10**6)] == [64, 64, 32, 16]


def test_data_url_is_the_file():
    sheet = ImageSheet.from_images(np.zeros((1, 16, 16), np.uint8))
    assert base64.b64decode(sheet.data_url.partition(",")[2]) == sheet.content
