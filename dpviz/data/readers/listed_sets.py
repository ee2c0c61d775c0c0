"""Data sets that come with lists of their own, or as folders and arrays: home folder in, pictures
out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from dpviz.data.readers import folders
from dpviz.data.readers.content_marks import ContentMark
from dpviz.data.readers.picture_files import FromFolder, FromRows, names_array
from dpviz.data.readers.picture_sets import Member, Pictures, mark, size_and_date
from dpviz.machine import array_files
from dpviz.machine.files import cache_dir
from dpviz.types import DpvizError, Files

_LABEL = re.compile(r"\s+\d+$")
"""What DomainNet's lists add to a name; names may hold blanks of their own."""


def listed(root: Path, names: Sequence[str], labels: Sequence[int] | np.ndarray) -> Files:
    """Pictures below ``root`` in a given order."""
    stamps = []
    for name in names:
        try:
            stamps.append(Member(name, size_and_date((root / name).stat())))
        except OSError:
            raise DpvizError(
                f"{name} is listed but missing in {root}. Unpack the data set again."
            ) from None
    return Files(
        np.asarray(labels, np.int64),
        FromFolder(str(root), names_array(list(names))),
        ContentMark(root, stamps),
    )


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
        s: listed(root / "images", [images[i] for i in ids], [int(labels[i]) - 1 for i in ids])
        for s, ids in rows.items()
    }
    return Pictures(splits, tuple(classes))


def dogs(home: Path) -> Pictures:
    """``Images`` with ``train_list.mat`` and ``test_list.mat``."""
    from scipy.io import loadmat

    splits: dict[str, Files] = {}
    classes: tuple[str, ...] = ()
    for split in ("train", "test"):
        table = loadmat(home / f"{split}_list.mat", squeeze_me=True)
        names = [str(name) for name in table["file_list"]]
        classes = classes or tuple(sorted({name.split("/")[0] for name in names}))
        splits[split] = listed(home / "Images", names, table["labels"].astype(np.int64) - 1)
    return Pictures(splits, tuple(name.partition("-")[2].replace("_", " ") for name in classes))


def listed_folders(root: str, train: str, test: str) -> Callable[[Path], Pictures]:
    """Class folders with a text file a split: ``class/picture.jpg``, or DomainNet's
    ``domain/class/picture.jpg label``.
    """

    def read(home: Path) -> Pictures:
        names = {
            split: [_LABEL.sub("", line.strip()) for line in _lines(home / file)]
            for split, file in (("train", train), ("test", test))
        }
        classes = sorted({name.split("/")[-2] for name in names["train"]})
        number = {name: c for c, name in enumerate(classes)}
        splits = {
            s: listed(
                home / root, listed_names, [number[name.split("/")[-2]] for name in listed_names]
            )
            for s, listed_names in names.items()
        }
        return Pictures(splits, tuple(name.replace("_", " ") for name in classes))

    return read


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise DpvizError(
            f"{path} cannot be read ({error.strerror}). Unpack the data set again."
        ) from None


def unlabelled(folder: str) -> Callable[[Path], Pictures]:
    """Every picture below a folder, without labels: a public set."""
    return lambda home: folders.read(home / folder, unlabelled=True)


FFHQ_TRAIN = 50_000
"""FFHQ's pictures below this number are the training set (Li et al. 2023, Table 12)."""


def ffhq_gender(home: Path) -> Pictures:
    """``thumbnails128x128`` with DCGM's ``json/<number>.json``, a list of the faces that a service
    found, of which the first counts; a picture without one is left out.
    """
    root, kinds = home / "thumbnails128x128", ("female", "male")
    rows_by_split: dict[str, list[tuple[str, int]]] = {"train": [], "test": []}
    for path in sorted(root.rglob("*.png")):
        faces = json.loads((home / "json" / f"{path.stem}.json").read_text(encoding="utf-8"))
        if faces:
            label = kinds.index(faces[0]["faceAttributes"]["gender"])
            split = "train" if int(path.stem) < FFHQ_TRAIN else "test"
            rows_by_split[split].append((path.relative_to(root).as_posix(), label))
    splits = {
        split: listed(root, [name for name, _ in rows], [label for _, label in rows])
        for split, rows in rows_by_split.items()
    }
    return Pictures(splits, kinds)


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
    splits = {"train": listed(root, train, [number[name.split("/")[1]] for name in train])}
    splits["test"] = listed(
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
        ContentMark(home / "train", members),
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
        stamp = Member(path.name, size_and_date(path.stat()))
        with np.load(path, allow_pickle=False) as batch:
            y = np.asarray(batch["labels"]).astype(np.int64) - 1
            array_file = cache_dir() / "pixels" / f"imagenet64-{mark([stamp])[:24]}.npy"
            if not array_file.exists():
                array_files.write_plain(array_file, batch["data"])
        parts.append((str(array_file), n))
        labels.append(y)
        stamps.append(stamp)
        n += len(y)
    side = round((np.load(parts[0][0], mmap_mode="r").shape[1] / 3) ** 0.5)
    all_labels = np.concatenate(labels)
    files = Files(all_labels, FromRows(tuple(parts), side), ContentMark(home, stamps))
    return Pictures({"public": files}, tuple(f"class {c + 1}" for c in range(all_labels.max() + 1)))
