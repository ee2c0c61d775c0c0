import numpy as np

from dpviz.plots.kit import png


def test_png_is_read_back():
    from io import BytesIO

    from PIL import Image

    rng = np.random.default_rng(0)
    for shape in ((28, 28), (5, 7, 3)):
        picture = rng.integers(0, 256, shape, dtype=np.uint8)
        assert np.array_equal(np.asarray(Image.open(BytesIO(png.png(picture)))), picture)
