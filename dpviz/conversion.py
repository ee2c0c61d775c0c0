"""Data sets from a pandas frame, and from image data sets of Hugging Face and torchvision."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from dpviz import encoders
from dpviz.data.feature_cache import embedded
from dpviz.text import api as text
from dpviz.text.template import render_text
from dpviz.types import Dataset, DpvizError
from dpviz.types.dataset import Files

if TYPE_CHECKING:
    import pandas


class Sized(Protocol):
    """A data set of images: ``len`` and items by number."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...


def from_frame(
    train: pandas.DataFrame,
    label: str,
    test: pandas.DataFrame | None = None,
    public: pandas.DataFrame | None = None,
    *,
    features: Sequence[str] | None = None,
    person: str | None = None,
    classes: Sequence[object] | None = None,
) -> Dataset:
    """Return a data set of frames with one record per row.

    Args:
        train: private records; test, public: test records and public records, optional. The public
            frame may lack the label.
        label: column of the labels; features: columns of the features, by default all others.
        person: column of persons in ``train``; classes: as in ``Dataset.from_arrays``.

    Raises:
        DpvizError: for a missing column or a column that is not numeric.
    """
    left_out = {label, person}
    columns = list(train.columns) if features is None else list(features)
    columns = [c for c in columns if c not in left_out]
    for name, frame in (("train", train), ("test", test), ("public", public)):
        needed = [*columns, *([label] if name != "public" else [])]
        lacking = [] if frame is None else [c for c in needed if c not in frame.columns]
        if lacking or (name == "train" and person is not None and person not in train.columns):
            column = str(lacking[0] if lacking else person)
            raise DpvizError(render_text(text.NO_COLUMN, frame=name, column=column))
    known = public is not None and label in public.columns
    return Dataset.from_arrays(
        train[columns].to_numpy(),
        train[label].to_numpy(),
        None if test is None else test[columns].to_numpy(),
        None if test is None else test[label].to_numpy(),
        None if public is None else public[columns].to_numpy(),
        public[label].to_numpy() if public is not None and known else None,
        classes=classes,
        persons=None if person is None else train[person].to_numpy(),
        name="frame",
    )


def from_hugging_face(
    train: Sized,
    test: Sized,
    encoder: str,
    *,
    image: str = "image",
    label: str = "label",
    public: Sized | None = None,
) -> Dataset:
    """Return the embedded images of ``datasets.Dataset`` objects.

    Args:
        train, test, public: rows with an image and a label; public images may lack labels.
        encoder: as in ``dpviz list encoders``; image, label: columns.

    Raises:
        DpvizError: for a missing column, an unknown encoder or an item that is no image.
    """
    take = partial(_column, image)
    return _embedded(train, test, public, encoder, take, partial(_column, label))


def from_torchvision(
    train: Sized, test: Sized, encoder: str, *, public: Sized | None = None
) -> Dataset:
    """Return the embedded images of torchvision data sets, whose items are (image, label).

    Args:
        train, test, public: images without normalization: PIL images, or tensors with values in
            [0, 1] or uint8; encoder: as in ``dpviz list encoders``.

    Raises:
        DpvizError: for an unknown encoder or an item that is no (image, label).
    """
    return _embedded(train, test, public, encoder, partial(_part, 0), partial(_part, 1))


def _embedded(
    train: Sized,
    test: Sized,
    public: Sized | None,
    encoder: str,
    image: Callable[[Any], Any],
    label: Callable[[Any], Any],
) -> Dataset:
    row = encoders.get(encoder)

    def features(images: Sized) -> np.ndarray:
        read = partial(_pixels, images, image)
        return embedded(Files(None, read, partial(_hash, images, read), len(images)), row)

    labels = [[label(part[i]) for i in range(len(part))] for part in (train, test)]
    known = None
    if public is not None and len(public):
        first = public[0]
        if not isinstance(first, dict) or label.args[0] in first:  # type: ignore[attr-defined]
            known = [label(public[i]) for i in range(len(public))]
    data = Dataset.from_arrays(
        features(train),
        labels[0],
        features(test),
        labels[1],
        None if public is None else features(public),
        known,
        name="images",
    )
    named = dataclasses.replace(data, class_names=_names(train, data.class_names))
    return named.kept_in_memory()


def _names(images: Sized, numbers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the class names of a torchvision data set where every class is there."""
    names = getattr(images, "classes", None)
    if isinstance(names, list | tuple) and len(names) == len(numbers):
        return tuple(map(str, names))
    return numbers


def _column(name: str, item: Any) -> Any:
    if not isinstance(item, dict) or name not in item:
        raise DpvizError(render_text(text.NO_COLUMN, frame="images", column=name))
    return item[name]


def _part(place: int, item: Any) -> Any:
    if not isinstance(item, tuple | list) or len(item) != 2:
        raise DpvizError(render_text(text.NO_PAIR, got=type(item).__name__))
    return item[place]


def _pixels(images: Sized, take: Callable[[Any], Any], index: int) -> np.ndarray:
    """Return image ``index`` as (h, w, 3) uint8."""
    picture = take(images[index])
    if hasattr(picture, "convert"):  # PIL
        return np.asarray(picture.convert("RGB"), np.uint8)
    pixels = np.asarray(picture)
    if pixels.ndim == 3 and pixels.shape[0] in (1, 3):  # a tensor has its channels first
        pixels = pixels.transpose(1, 2, 0)
    if pixels.ndim == 2:
        pixels = pixels[:, :, None]
    if pixels.ndim != 3 or pixels.shape[2] not in (1, 3):
        raise DpvizError(render_text(text.NO_IMAGE, index=str(index), got=str(pixels.shape)))
    if pixels.dtype.kind == "f":
        if pixels.min() < 0 or pixels.max() > 1:
            raise DpvizError(render_text(text.NOT_UNIT, index=str(index)))
        pixels = np.round(255 * pixels)
    return np.ascontiguousarray(np.broadcast_to(pixels, (*pixels.shape[:2], 3)), np.uint8)


def _hash(images: Sized, read: Callable[[int], np.ndarray]) -> str:
    digest = hashlib.sha256()
    for index in range(len(images)):
        pixels = read(index)
        digest.update(f"{pixels.shape}".encode() + pixels.tobytes())
    return digest.hexdigest()
