import numpy as np

from dpviz.plots.kit import png


def test_png_round_trips():
    from io import BytesIO

    from PIL import Image

    rng = np.random.default_rng(0)
    for shape in ((28, 28), (5, 7, 3)):
        picture = rng.integers(0, 256, shape, dtype=np.uint8)
        assert np.array_equal(np.asarray(Image.open(BytesIO(png.png(picture)))), picture)


def test_photographs_are_jpeg_and_nearly_equal():
    from base64 import b64decode
    from io import BytesIO

    from PIL import Image

    slope = np.linspace(0, 255, 96 * 96 * 3).reshape(96, 96, 3).astype(np.uint8)
    kind, _, content = png.data_url(slope).partition(",")
    back = np.asarray(Image.open(BytesIO(b64decode(content))))
    assert kind == "data:image/jpeg;base64" and abs(back.astype(int) - slope).mean() < 3
    assert png.data_url(slope[:28, :28]).startswith("data:image/png;base64")
