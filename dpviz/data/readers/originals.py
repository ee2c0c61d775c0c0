"""Readers of data sets in the form their sources give them: one function a form, home folder in,
pictures out.

torchvision's and medmnist's classes do the parsing where they have one. Their pickled batches are
opened only after the published md5 was found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from dpviz.data.download import check
from dpviz.data.readers import folders, picture_sets
from dpviz.data.readers.picture_files import FromFolder, FromRows, names_array
from dpviz.data.readers.picture_sets import Pictures, by_hash, mark
from dpviz.data.source import Archive
from dpviz.machine import array_files
from dpviz.machine.files import cache_dir
from dpviz.types import DpvizError, Files, Images


def _vision():
    """torchvision's data sets."""
    from dpviz.encoders import torchvision_shim

    torchvision_shim.prepare()
    import torchvision.datasets

    return torchvision.datasets


def _listed(root: Path, names: Sequence[str], labels: Sequence[int]) -> Files:
    """Pictures below ``root`` in a given order."""
    stamps = []
    for name in names:
        try:
            found = (root / name).stat()
        except OSError:
            raise DpvizError(
                f"{name} is listed but missing in {root}; unpack the set anew."
            ) from None
        stamps.append(picture_sets.Member(name, f"{found.st_size} {found.st_mtime_ns}"))
    return Files(
        np.asarray(labels, np.int64), FromFolder(str(root), names_array(list(names))), mark(stamps)
    )


def _below(root: Path, paths: Sequence[str | Path]) -> list[str]:
    return [Path(path).relative_to(root).as_posix() for path in paths]


def _by_hash(
    root: Path, names: list[str], labels: Sequence[int], classes: Sequence[str]
) -> Pictures:
    """Train and test by a hash of each name, for a set that comes in one piece."""
    labels, test = (
        np.asarray(labels, np.int64),
        np.array([by_hash(name) == "test" for name in names]),
    )
    picture_sets.check_classes(
        root.name,
        [
            (None, "test" if t else "train", classes[c])
            for t, c in {*zip(test.tolist(), labels.tolist(), strict=True)}
        ],
    )
    parts = {"train": np.flatnonzero(~test), "test": np.flatnonzero(test)}
    return Pictures(
        {s: _listed(root, [names[i] for i in rows], labels[rows]) for s, rows in parts.items()},
        tuple(classes),
    )


# ------------------------------------------------------------------------------- torchvision's sets


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
    splits = {s: _listed(root, _below(root, d._image_files), d._labels) for s, d in parts.items()}
    return Pictures(splits, tuple(parts["train"].classes))


def flowers102(home: Path) -> Pictures:
    """One folder with lists in Matlab files; train and validation together are the training set."""
    root = home / "flowers-102" / "jpg"
    train, val, test = (
        _vision().Flowers102(home, split=split) for split in ("train", "val", "test")
    )
    both = _listed(
        root, _below(root, train._image_files + val._image_files), train._labels + val._labels
    )
    return Pictures(
        {"train": both, "test": _listed(root, _below(root, test._image_files), test._labels)},
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
        {s: _listed(root, _below(root, d._images), d._labels) for s, d in parts.items()},
        tuple(parts["train"].classes),
    )


def eurosat(home: Path) -> Pictures:
    """A folder a class, split by a hash of the names."""
    found = _vision().EuroSAT(home)
    root = home / "eurosat" / "2750"
    return _by_hash(
        root, _below(root, [path for path, _ in found.samples]), found.targets, found.classes
    )


def caltech256(home: Path) -> Pictures:
    """A folder a class, split by a hash of the names."""
    found = _vision().Caltech256(str(home))
    root = home / "caltech256" / "256_ObjectCategories"
    names = [
        f"{found.categories[y]}/{y + 1:03d}_{i:04d}.jpg"
        for y, i in zip(found.y, found.index, strict=True)
    ]
    return _by_hash(
        root, names, found.y, [name.partition(".")[2] or name for name in found.categories]
    )


def celeba(home: Path) -> Pictures:
    """Faces, smiling or not (attribute ``Smiling``)."""
    root, parts = (
        home / "celeba" / "img_align_celeba",
        {split: _vision().CelebA(home, split=split) for split in ("train", "test")},
    )
    smiling = parts["train"].attr_names.index("Smiling")
    splits = {
        s: _listed(root, list(d.filename), d.attr[:, smiling].numpy()) for s, d in parts.items()
    }
    return Pictures(splits, ("not smiling", "smiling"))


def medmnist(archive: Archive) -> Callable[[Path], Pictures]:
    """A 28-pixel MedMNIST set; its validation part is left out."""

    def read(home: Path) -> Pictures:
        check(home / archive.name, archive)
        from dpviz.encoders import torchvision_shim

        torchvision_shim.prepare()
        import medmnist

        info = medmnist.INFO[archive.name.removesuffix(".npz")]
        kind = getattr(medmnist, info["python_class"])
        parts = {split: kind(split=split, root=str(home)) for split in ("train", "test")}
        splits = {
            s: Images(np.ascontiguousarray(d.imgs), d.labels[:, 0].astype(np.int64))
            for s, d in parts.items()
        }
        return Pictures(splits, tuple(info["label"][str(c)] for c in range(len(info["label"]))))

    return read


# ------------------------------------------------------------------------------ sets with own lists


def cub200(home: Path) -> Pictures:
    """``CUB_200_2011`` with its three lists."""
    root = home / "CUB_200_2011"

    def table(name: str) -> dict[str, str]:
        return dict(line.split(maxsplit=1) for line in _lines(root / name))

    images, labels, train = (
        table(name) for name in ("images.txt", "image_class_labels.txt", "train_test_split.txt")
    )
    classes = [name.partition(".")[2].replace("_", " ") for name in table("classes.txt").values()]
    rows = {
        "train": [i for i in images if train[i] == "1"],
        "test": [i for i in images if train[i] == "0"],
    }
    splits = {
        s: _listed(root / "images", [images[i] for i in ids], [int(labels[i]) - 1 for i in ids])
        for s, ids in rows.items()
    }
    return Pictures(splits, tuple(classes))


def dogs(home: Path) -> Pictures:
    """``Images`` with ``train_list.mat`` and ``test_list.mat``."""
    from scipy.io import loadmat

    splits, classes = {}, ()
    for split in ("train", "test"):
        listed = loadmat(home / f"{split}_list.mat", squeeze_me=True)
        names = [str(name) for name in listed["file_list"]]
        classes = classes or tuple(sorted({name.split("/")[0] for name in names}))
        splits[split] = _listed(home / "Images", names, listed["labels"].astype(np.int64) - 1)
    return Pictures(splits, tuple(name.partition("-")[2].replace("_", " ") for name in classes))


def listed_folders(root: str, train: str, test: str) -> Callable[[Path], Pictures]:
    """Class folders with a text file a split: ``class/picture.jpg``, or DomainNet's
    ``domain/class/picture.jpg label``.
    """

    def read(home: Path) -> Pictures:
        names = {
            split: [line.split()[0] for line in _lines(home / file)]
            for split, file in (("train", train), ("test", test))
        }
        classes = sorted({name.split("/")[-2] for name in names["train"]})
        number = {name: c for c, name in enumerate(classes)}
        splits = {
            s: _listed(home / root, mine, [number[name.split("/")[-2]] for name in mine])
            for s, mine in names.items()
        }
        return Pictures(splits, tuple(name.replace("_", " ") for name in classes))

    return read


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise DpvizError(
            f"{path} cannot be read ({error.strerror}); unpack the set anew."
        ) from None


def unlabelled(folder: str) -> Callable[[Path], Pictures]:
    """Every picture below a folder, without labels: a public set."""
    return lambda home: folders.read(home / folder, unlabelled=True)


def tiny_imagenet(home: Path) -> Pictures:
    """``tiny-imagenet-200``: folders for training, a list for validation, which serves as the test
    set.
    """
    root = home / "tiny-imagenet-200"
    ids = _lines(root / "wnids.txt")
    words = dict(line.split("\t", 1) for line in _lines(root / "words.txt"))
    number = {wnid: c for c, wnid in enumerate(ids)}
    train = [
        f"train/{wnid}/images/{p.name}"
        for wnid in ids
        for p in sorted((root / "train" / wnid / "images").iterdir())
    ]
    val = [line.split("\t")[:2] for line in _lines(root / "val" / "val_annotations.txt")]
    splits = {"train": _listed(root, train, [number[name.split("/")[1]] for name in train])}
    splits["test"] = _listed(
        root, [f"val/images/{name}" for name, _ in val], [number[wnid] for _, wnid in val]
    )
    return Pictures(splits, tuple(words.get(wnid, wnid).split(",")[0] for wnid in ids))


def imagenet(home: Path) -> Pictures:
    """The training folders ``train/<wnid>``; class names from ``LOC_synset_mapping.txt`` where it
    lies beside them.
    """
    members = [m for m in folders.walk(home / "train") if not m.reason and "/" in m.name]
    ids = sorted({m.name.split("/")[0] for m in members})
    mapping = home / "LOC_synset_mapping.txt"
    words = dict(line.split(" ", 1) for line in _lines(mapping)) if mapping.exists() else {}
    number = {wnid: c for c, wnid in enumerate(ids)}
    labels = np.array([number[m.name.split("/")[0]] for m in members], np.int64)
    files = Files(
        labels,
        FromFolder(str(home / "train"), names_array([m.name for m in members])),
        mark(members),
    )
    return Pictures({"public": files}, tuple(words.get(wnid, wnid).split(",")[0] for wnid in ids))


def imagenet64(home: Path) -> Pictures:
    """The npz form of the 64 x 64 batches; their pickled form is never opened. Kept as plain arrays
    to read rows from.
    """
    paths = sorted(
        home.glob("train_data_batch_*.npz"), key=lambda p: int(p.stem.rpartition("_")[2])
    )
    parts, labels, stamps, n = [], [], [], 0
    for path in paths:
        found = path.stat()
        stamp = picture_sets.Member(path.name, f"{found.st_size} {found.st_mtime_ns}")
        with np.load(path, allow_pickle=False) as batch:
            y = np.asarray(batch["labels"]).astype(np.int64) - 1
            kept = cache_dir() / "pixels" / f"imagenet64-{mark([stamp])[:24]}.npy"
            if not kept.exists():
                array_files.write_plain(kept, batch["data"])
        parts.append((str(kept), n))
        labels.append(y)
        stamps.append(stamp)
        n += len(y)
    side = round((np.load(parts[0][0], mmap_mode="r").shape[1] / 3) ** 0.5)
    files = Files(np.concatenate(labels), FromRows(tuple(parts), side), mark(stamps))
    return Pictures(
        {"public": files}, tuple(f"class {c + 1}" for c in range(int(files.labels.max()) + 1))
    )
