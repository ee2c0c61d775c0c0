"""Map of private training images: places in a plane, and facts about each image.

All of this reads private records without noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.diagnostics.mean_errors import angles, exact_means, main_plane
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components import public_sets
from dpviz.types import Dataset, unit_rows

#: Most images on a map: a browser draws each anew in every frame.
MAX_IMAGES = 5000


@dataclass(frozen=True, eq=False)
class ImageMap:
    """Private training images in the plane of the two main directions of their features.

    Attributes:
        share: of the variance that the plane shows; number: private images of the data set.
        rows: (k,) int64 index in the full training set, ascending; labels: (k,) int64.
        places: (k, 2) float32.
        nearest: (k,) int64, class with the closest mean; angle: (k,) float64, degrees between an
            image's features and the mean of its own class.
        persons: (k,) int64, number of the person of each image; None if unknown.
    """

    share: float
    number: int
    rows: np.ndarray
    labels: np.ndarray
    places: np.ndarray
    nearest: np.ndarray
    angle: np.ndarray
    persons: np.ndarray | None

    def __len__(self) -> int:
        """Return the number of images on the map."""
        return len(self.rows)


@one_numeric_thread()
def image_map(data: Dataset) -> ImageMap:
    """Return the map of all private images, or of a sample of ``MAX_IMAGES`` with a fixed seed."""
    number = len(data.y)
    chosen = np.random.default_rng(public_sets.SEED).permutation(number)[:MAX_IMAGES]
    chosen = np.sort(chosen)
    features, labels = data.x[chosen], data.y[chosen]
    centre, axes, share = main_plane(features)
    unit, means = unit_rows(features), exact_means(data)
    lengths = np.maximum(np.linalg.norm(means, axis=1), 1e-30)
    similar = unit @ (means / lengths[:, None]).T
    rows = np.arange(number) if data.rows is None else data.rows
    return ImageMap(
        share,
        number,
        rows[chosen],
        labels,
        ((unit - centre) @ axes.T).astype(np.float32),
        similar.argmax(axis=1),
        angles(unit, means[labels]),
        None if data.persons is None else data.persons[chosen],
    )


#: Images read at a time: files are decoded at 96 pixels, 27 KiB each.
PART = 500


def shrunk_thumbnails(
    thumbnails: Callable[[str, np.ndarray], np.ndarray], rows: np.ndarray, side: int
) -> np.ndarray:
    """Return training images of some rows in squares of at most ``side`` pixels.

    Returns:
        (k, s, s) or (k, s, s, 3) uint8.
    """
    parts = np.split(rows, range(PART, len(rows), PART))
    return np.concatenate([_shrunk(thumbnails("train", part), side) for part in parts])


def _shrunk(images: np.ndarray, side: int) -> np.ndarray:
    from PIL import Image

    height, width = images.shape[1:3]
    side = min(side, max(height, width))
    if (height, width) == (side, side):
        return images
    size, box = (side, side), Image.Resampling.BOX
    return np.stack([np.asarray(Image.fromarray(image).resize(size, box)) for image in images])
