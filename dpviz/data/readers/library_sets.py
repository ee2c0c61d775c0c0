"""Data sets whose published files torchvision's classes or numpy parse: home folder in,
pictures out.

Their pickled batches are opened only after the published md5 was found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np

from dpviz.data.download import check
from dpviz.data.readers import picture_sets
from dpviz.data.readers.listed_sets import listed
from dpviz.data.readers.picture_sets import Pictures
from dpviz.data.source import Archive
from dpviz.types import Images


def cifar(kind: str) -> Callable[[Path], Pictures]:
    """``CIFAR10`` or ``CIFAR100``: pickled batches, each checked against its published md5 before
    it is opened.
    """

    def read(home: Path) -> Pictures:
        parts = {
            split: getattr(_vision(), kind)(home, train=split == "train")
            for split in ("train", "test")
        }
        splits = {
            s: Images(np.ascontiguousarray(d.data), np.array(d.targets, np.int64))
            for s, d in parts.items()
        }
        return Pictures(splits, tuple(parts["train"].classes))

    return read


def stl10(home: Path) -> Pictures:
    """Binary files of red, green and blue planes."""
    parts = {split: _vision().STL10(home, split=split) for split in ("train", "test")}
    return Pictures(
        {s: _planes(d.data, d.labels) for s, d in parts.items()}, tuple(parts["train"].classes)
    )


def svhn(home: Path) -> Pictures:
    """Matlab files."""
    parts = {split: _vision().SVHN(home, split=split) for split in ("train", "test")}
    return Pictures({s: _planes(d.data, d.labels) for s, d in parts.items()}, tuple("0123456789"))


def _planes(data: np.ndarray, labels: np.ndarray) -> Images:
    return Images(
        np.ascontiguousarray(data.transpose(0, 2, 3, 1)), np.asarray(labels).astype(np.int64)
    )


def food101(home: Path) -> Pictures:
    """Folders with lists in JSON."""
    root, parts = (
        home / "food-101" / "images",
        {split: _vision().Food101(home, split=split) for split in ("train", "test")},
    )
    splits = {s: listed(root, _relative(root, d._image_files), d._labels) for s, d in parts.items()}
    return Pictures(splits, tuple(parts["train"].classes))


def flowers102(home: Path) -> Pictures:
    """One folder with lists in Matlab files; train and validation together are the training set."""
    root = home / "flowers-102" / "jpg"
    train, val, test = (
        _vision().Flowers102(home, split=split) for split in ("train", "val", "test")
    )
    train_and_val = listed(
        root, _relative(root, train._image_files + val._image_files), train._labels + val._labels
    )
    return Pictures(
        {
            "train": train_and_val,
            "test": listed(root, _relative(root, test._image_files), test._labels),
        },
        tuple(train.classes),
    )


def pets(home: Path) -> Pictures:
    """One folder with lists in text files."""
    root = home / "oxford-iiit-pet" / "images"
    parts = {
        name: _vision().OxfordIIITPet(home, split=split)
        for name, split in (("train", "trainval"), ("test", "test"))
    }
    return Pictures(
        {s: listed(root, _relative(root, d._images), d._labels) for s, d in parts.items()},
        tuple(parts["train"].classes),
    )


def eurosat(home: Path) -> Pictures:
    """A folder a class, split by a hash of the names."""
    images = _vision().EuroSAT(home)
    root = home / "eurosat" / "2750"
    return _by_hash(
        root, _relative(root, [path for path, _ in images.samples]), images.targets, images.classes
    )


def caltech256(home: Path) -> Pictures:
    """A folder a class, split by a hash of the names."""
    images = _vision().Caltech256(str(home))
    root = home / "caltech256" / "256_ObjectCategories"
    names = [
        f"{images.categories[y]}/{y + 1:03d}_{i:04d}.jpg"
        for y, i in zip(images.y, images.index, strict=True)
    ]
    return _by_hash(
        root, names, images.y, [name.partition(".")[2] or name for name in images.categories]
    )


def celeba(attributes: Sequence[str], names: tuple[str, ...]) -> Callable[[Path], Pictures]:
    """Faces by one attribute, without it and with it, or by those of several of which they bear
    exactly one; all other faces are left out.
    """

    def read(home: Path) -> Pictures:
        root, parts = (
            home / "celeba" / "img_align_celeba",
            {split: _vision().CelebA(home, split=split) for split in ("train", "test")},
        )
        places = [parts["train"].attr_names.index(name) for name in attributes]
        splits = {}
        for split, part in parts.items():
            borne = part.attr.numpy()[:, places].astype(np.int64)
            rows = np.arange(len(borne))
            if len(places) > 1:
                rows = np.flatnonzero(borne.sum(axis=1) == 1)
            labels = borne[:, 0] if len(places) == 1 else borne.argmax(axis=1)
            splits[split] = listed(root, [part.filename[i] for i in rows], labels[rows])
        return Pictures(splits, names)

    return read


#: Class names by data set, in the order of the labels. Source: MedMNIST v2 (Yang et al. 2023).
MEDMNIST_CLASSES = {
    "bloodmnist": (
        "basophil",
        "eosinophil",
        "erythroblast",
        "immature granulocytes(myelocytes, metamyelocytes and promyelocytes)",
        "lymphocyte",
        "monocyte",
        "neutrophil",
        "platelet",
    ),
    "pathmnist": (
        "adipose",
        "background",
        "debris",
        "lymphocytes",
        "mucus",
        "smooth muscle",
        "normal colon mucosa",
        "cancer-associated stroma",
        "colorectal adenocarcinoma epithelium",
    ),
    "dermamnist": (
        "actinic keratoses and intraepithelial carcinoma",
        "basal cell carcinoma",
        "benign keratosis-like lesions",
        "dermatofibroma",
        "melanoma",
        "melanocytic nevi",
        "vascular lesions",
    ),
    "tissuemnist": (
        "Collecting Duct, Connecting Tubule",
        "Distal Convoluted Tubule",
        "Glomerular endothelial cells",
        "Interstitial endothelial cells",
        "Leukocytes",
        "Podocytes",
        "Proximal Tubule Segments",
        "Thick Ascending Limb",
    ),
}


def medmnist(archive: Archive) -> Callable[[Path], Pictures]:
    """A 28-pixel MedMNIST set; its validation part is left out."""

    def read(home: Path) -> Pictures:
        check(home / archive.name, archive)
        with np.load(home / archive.name, allow_pickle=False) as file:
            splits = {
                split: Images(
                    np.ascontiguousarray(file[f"{split}_images"]),
                    file[f"{split}_labels"][:, 0].astype(np.int64),
                )
                for split in ("train", "test")
            }
        return Pictures(splits, MEDMNIST_CLASSES[archive.name.removesuffix(".npz")])

    return read


def _vision() -> ModuleType:
    """torchvision's data sets."""
    from dpviz.encoders import torchvision_shim

    torchvision_shim.prepare()
    import torchvision.datasets

    return torchvision.datasets


def _relative(root: Path, paths: Sequence[str | Path]) -> list[str]:
    return [Path(path).relative_to(root).as_posix() for path in paths]


def _by_hash(
    root: Path, names: list[str], numbers: Sequence[int], classes: Sequence[str]
) -> Pictures:
    """Train and test by a hash of each name, for a set that comes in one piece."""
    labels = np.asarray(numbers, np.int64)
    test = np.array([picture_sets.by_hash(name) == "test" for name in names])
    picture_sets.check_classes(
        root.name,
        [
            (None, "test" if t else "train", classes[c])
            for t, c in {*zip(test.tolist(), labels.tolist(), strict=True)}
        ],
    )
    parts = {"train": np.flatnonzero(~test), "test": np.flatnonzero(test)}
    return Pictures(
        {s: listed(root, [names[i] for i in rows], labels[rows]) for s, rows in parts.items()},
        tuple(classes),
    )
