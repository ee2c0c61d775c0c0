"""Tiny sets in the form their sources give them, for tests: a few random pictures each."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
from itertools import chain
from pathlib import Path

import numpy as np
from PIL import Image

RNG = np.random.default_rng(0)


def pixels(n: int, side: int) -> np.ndarray:
    """(n, side, side, 3) uint8."""
    return RNG.integers(0, 256, (n, side, side, 3), dtype=np.uint8)


def jpeg(path: Path, side: int = 12, kind: str = "JPEG") -> None:
    """One picture in a file of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels(1, side)[0]).save(path, kind)


def encoded(side: int = 12, kind: str = "PNG") -> bytes:
    """One picture as bytes."""
    out = io.BytesIO()
    Image.fromarray(pixels(1, side)[0]).save(out, kind)
    return out.getvalue()


def md5(path: Path) -> str:
    return hashlib.md5(path.read_bytes()).hexdigest()


def _pickled(path: Path, content: dict) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(content, protocol=2))
    return md5(path)


def cifar10(home: Path, patch) -> None:
    """Batches, each ten pictures; torchvision's list of checksums becomes theirs."""
    from torchvision.datasets import CIFAR10

    def batch(name: str) -> list[str]:
        rows = RNG.integers(0, 256, (10, 3072), dtype=np.uint8)
        return [
            name,
            _pickled(home / CIFAR10.base_folder / name, {"data": rows, "labels": list(range(10))}),
        ]

    names = [f"class {c}" for c in range(10)]
    patch.setattr(CIFAR10, "train_list", [batch(name) for name, _ in CIFAR10.train_list])
    patch.setattr(CIFAR10, "test_list", [batch("test_batch")])
    patch.setattr(
        CIFAR10,
        "meta",
        CIFAR10.meta
        | {"md5": _pickled(home / CIFAR10.base_folder / "batches.meta", {"label_names": names})},
    )


def cifar100(home: Path, patch) -> None:
    from torchvision.datasets import CIFAR100

    def batch(name: str) -> list[str]:
        rows = RNG.integers(0, 256, (100, 3072), dtype=np.uint8)
        return [
            name,
            _pickled(
                home / CIFAR100.base_folder / name,
                {"data": rows, "fine_labels": list(range(100)), "coarse_labels": [0] * 100},
            ),
        ]

    names = [f"class {c}" for c in range(100)]
    patch.setattr(CIFAR100, "train_list", [batch("train")])
    patch.setattr(CIFAR100, "test_list", [batch("test")])
    patch.setattr(
        CIFAR100,
        "meta",
        CIFAR100.meta
        | {"md5": _pickled(home / CIFAR100.base_folder / "meta", {"fine_label_names": names})},
    )


def stl10(home: Path, patch) -> None:
    from torchvision.datasets import STL10

    folder = home / STL10.base_folder
    folder.mkdir(parents=True)

    def write(name: str, array: np.ndarray) -> list[str]:
        array.tofile(folder / name)
        return [name, md5(folder / name)]

    (folder / "class_names.txt").write_text("\n".join(f"class {c}" for c in range(10)))
    planes = [RNG.integers(0, 256, (10, 3, 96, 96), dtype=np.uint8) for _ in range(2)]
    one_to_ten = np.arange(1, 11, dtype=np.uint8)
    patch.setattr(
        STL10,
        "train_list",
        [
            write("train_X.bin", planes[0]),
            write("train_y.bin", one_to_ten),
            write("unlabeled_X.bin", planes[1][:1]),
        ],
    )
    patch.setattr(
        STL10, "test_list", [write("test_X.bin", planes[1]), write("test_y.bin", one_to_ten)]
    )


def svhn(home: Path, patch) -> None:
    from scipy.io import savemat
    from torchvision.datasets import SVHN

    home.mkdir(parents=True)
    listed = dict(SVHN.split_list)
    for split in ("train", "test"):
        path = home / f"{split}_32x32.mat"
        savemat(
            path,
            {
                "X": RNG.integers(0, 256, (32, 32, 3, 10), dtype=np.uint8),
                "y": np.arange(1, 11, dtype=np.uint8)[:, None],
            },
        )
        listed[split] = [listed[split][0], path.name, md5(path)]
    patch.setattr(SVHN, "split_list", listed)


def food101(home: Path, patch) -> None:
    for split in ("train", "test"):
        listed = {c: [f"{c}/{split}{i}" for i in range(2)] for c in ("apple_pie", "waffles")}
        for name in chain.from_iterable(listed.values()):
            jpeg(home / "food-101" / "images" / f"{name}.jpg")
        path = home / "food-101" / "meta" / f"{split}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(listed))


def eurosat(home: Path, patch) -> None:
    for label in ("Forest", "River"):
        for i in range(30):
            jpeg(home / "eurosat" / "2750" / label / f"{label}_{i}.jpg")


def flowers102(home: Path, patch) -> None:
    from scipy.io import savemat
    from torchvision.datasets import Flowers102

    folder = home / "flowers-102"
    for i in range(1, 7):
        jpeg(folder / "jpg" / f"image_{i:05d}.jpg")
    savemat(folder / "imagelabels.mat", {"labels": np.array([[1, 2, 1, 2, 1, 2]], np.uint8)})
    savemat(
        folder / "setid.mat",
        {"trnid": np.array([[1, 2]]), "valid": np.array([[3, 4]]), "tstid": np.array([[5, 6]])},
    )
    known = Flowers102._file_dict | {
        k: (f, md5(folder / f)) for k, f in (("label", "imagelabels.mat"), ("setid", "setid.mat"))
    }
    patch.setattr(Flowers102, "_file_dict", known)


def pets(home: Path, patch) -> None:
    folder = home / "oxford-iiit-pet"
    (folder / "annotations").mkdir(parents=True)
    for split, numbers in (("trainval", (1, 2)), ("test", (3, 4))):
        lines = [
            f"{name}_{i} {c} {c} 1"
            for c, name in ((1, "Abyssinian"), (2, "american_bulldog"))
            for i in numbers
        ]
        (folder / "annotations" / f"{split}.txt").write_text("\n".join(lines))
        for line in lines:
            jpeg(folder / "images" / f"{line.split()[0]}.jpg")


def caltech256(home: Path, patch) -> None:
    for c, name in ((1, "ak47"), (2, "american-flag")):
        for i in range(1, 31):
            jpeg(
                home
                / "caltech256"
                / "256_ObjectCategories"
                / f"{c:03d}.{name}"
                / f"{c:03d}_{i:04d}.jpg"
            )


HAIR = ("-1 -1 1", "1 -1 1", "1 -1 -1", "-1 -1 -1", "-1 1 -1", "-1 -1 -1")
"""Of six faces: brown, two colours, black; none; blond, none."""


def celeba(home: Path, patch) -> None:
    from torchvision.datasets import CelebA

    folder, names = home / "celeba", [f"{i:06d}.jpg" for i in range(1, 7)]
    for name in names:
        jpeg(folder / "img_align_celeba" / name)
    texts = {
        "list_eval_partition.txt": [
            f"{n} {p}" for n, p in zip(names, (0, 0, 0, 1, 2, 2), strict=True)
        ],
        "identity_CelebA.txt": [f"{n} 1" for n in names],
        "list_bbox_celeba.txt": [
            "6",
            "image_id x_1 y_1 width height",
            *(f"{n} 1 2 3 4" for n in names),
        ],
        "list_landmarks_align_celeba.txt": [
            "6",
            "lefteye_x lefteye_y",
            *(f"{n} 1 2" for n in names),
        ],
        "list_attr_celeba.txt": [
            "6",
            "Black_Hair Blond_Hair Brown_Hair Male Smiling Young",
            *(
                f"{n} {hair} 1 {s} -1"
                for n, hair, s in zip(names, HAIR, (1, -1, 1, 1, -1, 1), strict=True)
            ),
        ],
    }
    for name, lines in texts.items():
        (folder / name).write_text("\n".join(lines) + "\n")
    known = [(i, md5(folder / n) if n in texts else m, n) for i, m, n in CelebA.file_list]
    patch.setattr(CelebA, "file_list", known)


def medmnist(home: Path, flag: str, colour: bool) -> Path:
    """An npz of six training, two validation and four test pictures of two classes."""
    home.mkdir(parents=True, exist_ok=True)
    arrays = {}
    for split, n in (("train", 6), ("val", 2), ("test", 4)):
        arrays[f"{split}_images"] = pixels(n, 28) if colour else pixels(n, 28)[..., 0]
        arrays[f"{split}_labels"] = (np.arange(n) % 2)[:, None].astype(np.uint8)
    np.savez_compressed(home / f"{flag}.npz", **arrays)
    return home / f"{flag}.npz"


def cub200(home: Path, patch) -> None:
    folder = home / "CUB_200_2011"
    names = [
        f"{c:03d}.{bird}/{bird}_{i}.jpg"
        for c, bird in ((1, "Black_footed_Albatross"), (2, "Laysan_Albatross"))
        for i in range(3)
    ]
    for name in names:
        jpeg(folder / "images" / name)
    lists = {
        "images": names,
        "image_class_labels": [int(name[:3]) for name in names],
        "train_test_split": [1, 1, 0, 1, 1, 0],
        "classes": ["001.Black_footed_Albatross", "002.Laysan_Albatross"],
    }
    for name, values in lists.items():
        (folder / f"{name}.txt").write_text("".join(f"{i} {v}\n" for i, v in enumerate(values, 1)))


def dogs(home: Path, patch) -> None:
    from scipy.io import savemat

    breeds = ("n02085620-Chihuahua", "n02085782-Japanese_spaniel")
    for split, numbers in (("train", (1, 2)), ("test", (3,))):
        names = [f"{breed}/{breed[:9]}_{i}.jpg" for breed in breeds for i in numbers]
        for name in names:
            jpeg(home / "Images" / name)
        listed = np.array([[name] for name in names], object)
        savemat(
            home / f"{split}_list.mat",
            {"file_list": listed, "labels": np.array([[c + 1] for c in range(2) for _ in numbers])},
        )


def mit67(home: Path, patch) -> None:
    """As published, some names hold a blank."""
    for split, numbers in (("Train", (1, 2)), ("Test", (" 3",))):
        names = [f"{room}/{room}{i}.jpg" for room in ("airport_inside", "bakery") for i in numbers]
        for name in names:
            jpeg(home / "Images" / name)
        (home / f"{split}Images.txt").write_text("\n".join(names))


def domainnet(home: Path, patch) -> None:
    for split, numbers in (("train", (1, 2)), ("test", (3,))):
        names = [
            f"real/{label}/real_{c:03d}_{i:06d}.jpg"
            for c, label in enumerate(("aircraft_carrier", "zebra"))
            for i in numbers
        ]
        for name in names:
            jpeg(home / name)
        (home / f"real_{split}.txt").write_text(
            "".join(f"{name} {'zebra' in name:d}\n" for name in names)
        )


def tiny_imagenet(home: Path, patch) -> None:
    root, ids = home / "tiny-imagenet-200", ("n02124075", "n01443537")
    for wnid in ids:
        for i in range(2):
            jpeg(root / "train" / wnid / "images" / f"{wnid}_{i}.JPEG")
    for i in range(2):
        jpeg(root / "val" / "images" / f"val_{i}.JPEG")
    (root / "wnids.txt").write_text("\n".join(ids))
    (root / "words.txt").write_text(
        "n02124075\tEgyptian cat\nn01443537\tgoldfish, Carassius auratus\n"
    )
    (root / "val" / "val_annotations.txt").write_text(
        "".join(f"val_{i}.JPEG\t{wnid}\t0\t0\t9\t9\n" for i, wnid in enumerate(ids))
    )


def imagenet(home: Path, patch) -> None:
    for wnid in ("n01440764", "n01443537"):
        for i in range(2):
            jpeg(home / "train" / wnid / f"{wnid}_{i}.JPEG")
    (home / "LOC_synset_mapping.txt").write_text(
        "n01440764 tench, Tinca tinca\nn01443537 goldfish\n"
    )


def imagenet64(home: Path, patch) -> None:
    home.mkdir(parents=True)
    for part in (1, 2, 10):
        rows = np.full((3, 3 * 64 * 64), part, np.uint8)
        np.savez(
            home / f"train_data_batch_{part}.npz",
            data=rows,
            labels=np.array([1, 2, 3]),
            mean=np.zeros(3 * 64 * 64),
        )


def ffhq(home: Path, patch) -> None:
    for i in range(3):
        jpeg(home / "thumbnails128x128" / "00000" / f"{i:05d}.png", kind="PNG")


def ffhq_gender(home: Path, patch) -> None:
    """Two pictures on each side of the split, in one of which no face was found."""
    for i, kind in ((0, "female"), (49_999, "male"), (50_000, "male"), (50_001, None)):
        jpeg(home / "thumbnails128x128" / f"{i - i % 1000:05d}" / f"{i:05d}.png", kind="PNG")
        faces = [{"faceAttributes": {"gender": kind, "age": 30.0}}] if kind else []
        path = home / "json" / f"{i:05d}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(faces))


def cc3m(home: Path, patch) -> None:
    for i in range(3):
        jpeg(home / "00000" / f"{i:09d}.jpg")
        (home / "00000" / f"{i:09d}.json").write_text("{}")
