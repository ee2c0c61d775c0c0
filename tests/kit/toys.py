"""Small data: features that every method can use, and uploads of them."""

from __future__ import annotations

import io

import numpy as np

from dpviz.types import Dataset, Head


def toy_data(
    per_class: int = 40, classes: int = 4, d: int = 12, public: int = 150, seed: int = 0
) -> Dataset:
    """Well-separated non-negative features with a labelled public set and a head of 20 source
    classes; arrays are read-only.
    """
    rng = np.random.default_rng(seed)
    centres = np.abs(rng.normal(size=(classes, d))) + 3 * np.eye(classes, d)

    def draw(labels: np.ndarray) -> np.ndarray:
        return np.abs(centres[labels] + 0.4 * rng.normal(size=(len(labels), d))).astype(np.float32)

    y, y_test, y_public = (
        np.repeat(np.arange(classes), n).astype(np.int64)
        for n in (per_class, 25, public // classes)
    )
    arrays = [draw(y), y, draw(y_test), y_test, draw(y_public), y_public]
    for array in arrays:
        array.setflags(write=False)
    x, y, x_test, y_test, x_public, y_public = arrays
    names = tuple(f"class {c}" for c in range(classes))
    source = Head(
        np.random.default_rng(1).normal(size=(20, d)).astype(np.float32), np.zeros(20, np.float32)
    )
    mark = f"toy-{per_class}-{classes}-{d}-{public}-{seed}"
    return Dataset(
        "toy",
        None,
        x,
        y,
        x_test,
        y_test,
        names,
        mark,
        x_public,
        y_public,
        "toy",
        head=lambda: source,
    )


def packed(arrays: dict) -> bytes:
    """An upload of these arrays; those that are None are left out."""
    file = io.BytesIO()
    np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
    return file.getvalue()


HOSTILE = "<img src=x onerror=alert(1)> [a](b)"


def content(**changes) -> bytes:
    """An upload of features with four named classes and unlabelled public records."""
    data = toy_data(per_class=60)
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    arrays |= {
        "X_public": data.x_public,
        "class_names": np.array(["ant", "bee", "cat", HOSTILE]),
    } | changes
    return packed(arrays)


def labelled_content(**changes) -> bytes:
    """An upload of features with labelled public records."""
    data = toy_data(per_class=40, public=120)
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    arrays |= {"X_public": data.x_public, "y_public": data.y_public} | changes
    return packed(arrays)


def content_of_persons(each: int) -> bytes:
    """The same from persons with so many records each."""
    return labelled_content(persons=np.arange(len(toy_data(per_class=40).x)) // each)


def full_content(public: bool = True) -> bytes:
    """An upload with named classes and, unless told otherwise, labelled public records."""
    data = toy_data(per_class=60)
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    arrays |= {"class_names": np.array(["ant", "bee", "cat", HOSTILE])}
    arrays |= {"X_public": data.x_public, "y_public": data.y_public} if public else {}
    return packed(arrays)


def blurred_content(per_class: int, public: int, blur: float, **changes) -> bytes:
    """An upload with labelled public records, blurred until methods and teachers differ."""
    data, rng = toy_data(per_class=per_class, public=public), np.random.default_rng(0)
    arrays = {"X_train": data.x, "X_test": data.x_test, "X_public": data.x_public}
    arrays = {
        name: (x + blur * rng.normal(size=x.shape)).astype(np.float32) for name, x in arrays.items()
    }
    arrays |= {"y_train": data.y, "y_test": data.y_test, "y_public": data.y_public} | changes
    return packed(arrays)
