"""The data sets of the papers: what each is, where it comes from, and how to get it. A new one is
one more row.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from dpviz.caches import remembered
from dpviz.data import download
from dpviz.data.download import data_dir
from dpviz.data.readers import folders, originals
from dpviz.data.readers.picture_sets import Pictures
from dpviz.data.source import Archive, Source
from dpviz.types import DpvizError

KEPT = 3  # sets whose pictures or lists stay in memory
PHOTOS = (
    "held-aside",
    "tiny-imagenet",
    "imagenet",
    "imagenet64",
    "cc3m",
    "stl10",
    "cifar100",
    "cifar10",
)
"""Public sets offered beside photographs, the default first; those that are not on disk are refused
with a hint.
"""
_DAMAGE = (
    RuntimeError,
    OSError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
    EOFError,
    struct.error,
    zlib.error,
)
_READERS: dict[str, Callable[[], Pictures]] = {}


def _row(
    key: str,
    title: str,
    source: str,
    licence: str,
    size: str,
    classes: int,
    read: Callable[[Path], Pictures],
    markers: str | tuple[str, ...],
    get: str = "",
    archives: tuple[Archive, ...] = (),
    roles: tuple[str, ...] = ("private", "public"),
    folder: str = "",
    checked: str = "",
) -> Source:
    """A set that lies in a folder of its own.

    Args:
        read: of its original files, given its folder; markers: files or patterns that are there
            when they are.
        get: what to fetch, for one that cannot be downloaded; folder: its folder's name where it is
            not its key.
        checked: what licence and size were compared with.
    """
    folder, markers = folder or key, (markers,) if isinstance(markers, str) else markers
    find = partial(_form, folder, key, markers, roles)
    _READERS[key] = partial(
        _read, key, title, read, find, lambda: _original(data_dir() / folder, markers)
    )
    what = get or "fetch " + " and ".join(a.url for a in archives)

    def say() -> str:
        own = shown(data_dir() / key)
        plain = (
            f", or its pictures in {own}/train/<class> and {own}/test/<class>, or a zip of these as"
            f" {own}.zip"
        )
        return (
            f"{what} and put it in"
            f" {shown(data_dir() / folder)}{plain if 'private' in roles else ''}."
        )

    def where() -> str:
        place, form = find(), "original files"
        if place and not _original(data_dir() / folder, markers):
            form = "pictures as someone packed them, not the original files,"
        return f"{form} in {shown(place)}" if place else ""

    def fetch(progress) -> None:
        if not archives:
            raise DpvizError(
                f"{title} is not on disk and its source has no plain download: {say()}"
            )
        download.fetch(title, data_dir() / folder, archives, say(), progress)

    return Source(
        key=key,
        title=title,
        source=source,
        licence=licence,
        roles=roles,
        size=size,
        class_names=(),
        known_classes=classes,
        images=lambda: pictures(key).splits,
        named=lambda: pictures(key).class_names,
        public=PHOTOS,
        archives=archives,
        get=say,
        there=lambda: find() is not None,
        fetch=fetch,
        where=where,
        checked=checked,
    )


@remembered(KEPT)
def pictures(key: str) -> Pictures:
    """The pictures of a row, whose files must be there.

    Raises:
        DpvizError: if they are missing or damaged.
    """
    return _READERS[key]()


def shown(path: Path) -> str:
    """A path as a shell in the project's folder would write it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _original(home: Path, markers: tuple[str, ...]) -> bool:
    return all(next(home.glob(marker), None) for marker in markers)


def _form(folder: str, key: str, markers: tuple[str, ...], roles: tuple[str, ...]) -> Path | None:
    """Where a set lies: its folder with the original files or with plain ones, a zip or a parquet
    file; None if nowhere.
    """
    root = data_dir()
    home, packed = root / key, (root / f"{key}.zip", root / f"{key}.parquet")
    if not any(path.exists() for path in (root / folder, home, *packed)):
        return None  # so for most rows, and asked at every move
    if _original(root / folder, markers):
        return root / folder
    pairs = [home / "train", home / "test"], [home / "train", home / "val"]
    if "private" in roles and any(all(p.is_dir() for p in pair) for pair in pairs):
        return home
    if any(
        next(home.glob(pattern), None)
        for pattern in ("*.parquet", "data/*.parquet", "train/*.arrow")
    ):
        return home
    return next((p for p in packed if p.exists()), None)


def _read(
    key: str,
    title: str,
    read: Callable[[Path], Pictures],
    find: Callable[[], Path | None],
    original: Callable[[], bool],
) -> Pictures:
    row, place = BY_KEY[key], find()
    if place is None:
        raise DpvizError(f"{title} is not on disk: {row.get()}")
    if not original():
        return folders.read(place, unlabelled="private" not in row.roles)
    try:
        return read(place)
    except DpvizError:
        raise
    except _DAMAGE as error:
        said = str(error)[:120].rstrip(".")
        raise DpvizError(
            f"The files of {title} in {shown(place)} are not the published ones ({said}); remove"
            " them and get them anew."
        ) from None


def _med(flag: str, title: str, size: str, classes: int, licence: str, md5: str) -> Source:
    archive = Archive(
        f"https://zenodo.org/records/10519652/files/{flag}.npz?download=1", f"{flag}.npz", md5
    )
    source = "MedMNIST v2, Yang et al. 2023"
    read, checked = originals.medmnist(archive), "the medmnist package"
    return _row(
        flag,
        title,
        source,
        licence,
        size,
        classes,
        read,
        f"{flag}.npz",
        archives=(archive,),
        folder="medmnist",
        checked=checked,
    )


def _domain(name: str, train: str) -> Source:
    return _row(
        f"domainnet-{name}",
        f"DomainNet, {name}",
        "Peng et al. 2019",
        "not stated (the source gives a fair-use notice)",
        f"{train} pictures in train and test, any size",
        345,
        originals.listed_folders(".", f"{name}_train.txt", f"{name}_test.txt"),
        (name, f"{name}_train.txt", f"{name}_test.txt"),
        get=(
            f"fetch {name}.zip, {name}_train.txt and {name}_test.txt from ai.bu.edu/M3SDA, unpack"
            " the first"
        ),
        folder="domainnet",
    )


_PET_SITE = "https://www.robots.ox.ac.uk/~vgg/data/pets/data/"
_FLOWER_SITE = "https://www.robots.ox.ac.uk/~vgg/data/flowers/102/"
_EUROSAT = "https://huggingface.co/datasets/torchgeo/eurosat/resolve/c877bcd43f099cd0196738f714544e355477f3fd/EuroSAT.zip"
_IMAGENET = "non-commercial research and education, by its terms of access"

ROWS: tuple[Source, ...] = (
    _row(
        "cifar10",
        "CIFAR-10",
        "Krizhevsky 2009",
        "not stated",
        "50,000 train and 10,000 test, 32 × 32",
        10,
        originals.cifar("CIFAR10"),
        "cifar-10-batches-py/batches.meta",
        archives=(
            Archive(
                "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz",
                "cifar-10-python.tar.gz",
                "c58f30108f718f92721af3b95e74349a",
            ),
        ),
    ),
    _row(
        "cifar100",
        "CIFAR-100",
        "Krizhevsky 2009",
        "not stated",
        "50,000 train and 10,000 test, 32 × 32",
        100,
        originals.cifar("CIFAR100"),
        "cifar-100-python/meta",
        archives=(
            Archive(
                "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz",
                "cifar-100-python.tar.gz",
                "eb9058c3a382ffc7106e4002c42a8d85",
            ),
        ),
    ),
    _row(
        "stl10",
        "STL-10",
        "Coates, Ng and Lee 2011",
        "not stated",
        "5,000 train and 8,000 test, 96 × 96",
        10,
        originals.stl10,
        "stl10_binary/train_X.bin",
        archives=(
            Archive(
                "http://ai.stanford.edu/~acoates/stl10/stl10_binary.tar.gz",
                "stl10_binary.tar.gz",
                "91f7769df0f17e558f3565bffb0c7dfb",
            ),
        ),
    ),
    _row(
        "food101",
        "Food-101",
        "Bossard, Guillaumin and Van Gool 2014",
        "pictures belong to Foodspotting's users; scientific fair use",
        "75,750 train and 25,250 test, up to 512 pixels a side",
        101,
        originals.food101,
        ("food-101/images", "food-101/meta/train.json"),
        archives=(
            Archive(
                "http://data.vision.ee.ethz.ch/cvl/food-101.tar.gz",
                "food-101.tar.gz",
                "85eeb15f3717b99a5da872d97d918f87",
            ),
        ),
    ),
    _row(
        "svhn",
        "SVHN, house numbers",
        "Netzer et al. 2011",
        "non-commercial use only",
        "73,257 train and 26,032 test, 32 × 32",
        10,
        originals.svhn,
        ("train_32x32.mat", "test_32x32.mat"),
        archives=tuple(
            Archive(
                f"http://ufldl.stanford.edu/housenumbers/{split}_32x32.mat",
                f"{split}_32x32.mat",
                md5,
            )
            for split, md5 in (
                ("train", "e26dedcc434d2e4c54c9b2d4a06d8373"),
                ("test", "eb5a983be6a315427106f1b164d9cef3"),
            )
        ),
    ),
    _row(
        "eurosat",
        "EuroSAT, land use from above",
        "Helber et al. 2019",
        "MIT",
        "27,000, 64 × 64; one in five by a hash of its name is test",
        10,
        originals.eurosat,
        "eurosat/2750",
        archives=(Archive(_EUROSAT, "EuroSAT.zip", "c8fa014336c82ac7804f0398fcb19387", "eurosat"),),
    ),
    _row(
        "flowers102",
        "Oxford Flowers-102",
        "Nilsback and Zisserman 2008",
        "not stated",
        "2,040 train (with validation) and 6,149 test, any size",
        102,
        originals.flowers102,
        ("flowers-102/jpg", "flowers-102/imagelabels.mat", "flowers-102/setid.mat"),
        archives=tuple(
            Archive(_FLOWER_SITE + name, name, md5, "flowers-102")
            for name, md5 in (
                ("102flowers.tgz", "52808999861908f626f3c1f4e79d11fa"),
                ("imagelabels.mat", "e0620be6f572b9609742df49c70aed4d"),
                ("setid.mat", "a5357ecc9cb78c4bef273ce3793fc85c"),
            )
        ),
    ),
    _row(
        "pets",
        "Oxford-IIIT Pets",
        "Parkhi et al. 2012",
        "CC BY-SA 4.0",
        "3,680 train and 3,669 test, any size",
        37,
        originals.pets,
        ("oxford-iiit-pet/images", "oxford-iiit-pet/annotations"),
        archives=tuple(
            Archive(_PET_SITE + name, name, md5, "oxford-iiit-pet")
            for name, md5 in (
                ("images.tar.gz", "5c4f3ee8e5d25df40f4fd59a7f44e54c"),
                ("annotations.tar.gz", "95a8c909bbe2e81eed6a22bccdf3f68f"),
            )
        ),
    ),
    _row(
        "caltech256",
        "Caltech-256",
        "Griffin, Holub and Perona 2007",
        "CC BY 4.0",
        "30,607, any size; one in five by a hash of its name is test",
        257,
        originals.caltech256,
        "caltech256/256_ObjectCategories",
        archives=(
            Archive(
                "https://data.caltech.edu/records/nyy15-4j048/files/256_ObjectCategories.tar",
                "256_ObjectCategories.tar",
                "67b4f42ca05d46448c6bb8ecd2220f6d",
                "caltech256",
            ),
        ),
    ),
    _row(
        "celeba",
        "CelebA, smiling or not",
        "Liu et al. 2015",
        "non-commercial research only",
        "162,770 train and 19,962 test, 178 × 218",
        2,
        originals.celeba,
        ("celeba/img_align_celeba", "celeba/list_attr_celeba.txt"),
        get=(
            "fetch the aligned pictures and all five lists (.txt) from"
            " mmlab.ie.cuhk.edu.hk/projects/CelebA.html into a folder celeba, unpack"
            " img_align_celeba.zip there,"
        ),
        checked="its agreement (licence only)",
    ),
    _med(
        "bloodmnist",
        "BloodMNIST, blood cells",
        "11,959 train and 3,421 test, 28 × 28",
        8,
        "CC BY 4.0",
        "7053d0359d879ad8a5505303e11de1dc",
    ),
    _med(
        "pathmnist",
        "PathMNIST, colon tissue",
        "89,996 train and 7,180 test, 28 × 28",
        9,
        "CC BY 4.0",
        "a8b06965200029087d5bd730944a56c1",
    ),
    _med(
        "dermamnist",
        "DermaMNIST, skin",
        "7,007 train and 2,005 test, 28 × 28",
        7,
        "CC BY-NC 4.0",
        "0744692d530f8e62ec473284d019b0c7",
    ),
    _med(
        "tissuemnist",
        "TissueMNIST, kidney cells",
        "165,466 train and 47,280 test, 28 × 28",
        8,
        "CC BY 4.0",
        "ebe78ee8b05294063de985d821c1c34b",
    ),
    _row(
        "cub200",
        "CUB-200, birds",
        "Wah et al. 2011",
        "non-commercial research and education",
        "5,994 train and 5,794 test, any size",
        200,
        originals.cub200,
        "CUB_200_2011/images.txt",
        get="fetch CUB_200_2011.tgz from vision.caltech.edu, unpack it",
    ),
    _row(
        "dogs",
        "Stanford Dogs",
        "Khosla et al. 2011",
        "not stated",
        "12,000 train and 8,580 test, any size",
        120,
        originals.dogs,
        ("Images", "train_list.mat", "test_list.mat"),
        get=(
            "fetch images.tar and lists.tar from vision.stanford.edu/aditya86/ImageNetDogs, unpack"
            " both"
        ),
    ),
    _row(
        "mit67",
        "MIT-67, indoor scenes",
        "Quattoni and Torralba 2009",
        "not stated",
        "5,360 train and 1,340 test, any size",
        67,
        originals.listed_folders("Images", "TrainImages.txt", "TestImages.txt"),
        ("Images", "TrainImages.txt", "TestImages.txt"),
        get=(
            "fetch indoorCVPR_09.tar, TrainImages.txt and TestImages.txt from"
            " web.mit.edu/torralba/www/indoor.html, unpack the first"
        ),
    ),
    *(
        _domain(name, size)
        for name, size in (
            ("clipart", "48,129"),
            ("infograph", "51,605"),
            ("painting", "72,266"),
            ("quickdraw", "172,500"),
            ("real", "172,947"),
            ("sketch", "69,128"),
        )
    ),
    _row(
        "ffhq",
        "FFHQ, faces",
        "Karras, Laine and Aila 2019",
        "CC BY-NC-SA 4.0; each picture its own",
        "70,000, 1024 × 1024 or 128 × 128, no labels",
        0,
        originals.unlabelled("."),
        "*[0-9]x[0-9]*",
        get="fetch thumbnails128x128 or images1024x1024 as github.com/NVlabs/ffhq-dataset says",
        roles=("public",),
        checked="the README of NVlabs/ffhq-dataset",
    ),
    _row(
        "tiny-imagenet",
        "Tiny-ImageNet",
        "Stanford CS231n; from ImageNet",
        "not stated",
        "100,000 train and 10,000 test (its validation part), 64 × 64",
        200,
        originals.tiny_imagenet,
        "tiny-imagenet-200/wnids.txt",
        archives=(
            Archive(
                "http://cs231n.stanford.edu/tiny-imagenet-200.zip",
                "tiny-imagenet-200.zip",
                "90528d7ca1a48142e341f4ef8d21d0de",
            ),
        ),
    ),
    _row(
        "imagenet",
        "ImageNet-1k",
        "Deng et al. 2009, Russakovsky et al. 2015",
        _IMAGENET,
        "1,281,167 train, any size",
        1000,
        originals.imagenet,
        "train/n*",
        get=(
            "ask image-net.org for ILSVRC2012_img_train.tar, unpack it into a folder train with a"
            " folder a class (n01440764, …)"
        ),
        roles=("public",),
    ),
    _row(
        "imagenet64",
        "ImageNet-1k at 64 × 64",
        "Chrabaszcz, Loshchilov and Hutter 2017",
        _IMAGENET,
        "1,281,167 train, 64 × 64",
        1000,
        originals.imagenet64,
        "train_data_batch_*.npz",
        get=(
            "ask image-net.org for the 64 × 64 training batches in npz form (the pickled form is"
            " never opened)"
        ),
        roles=("public",),
    ),
    _row(
        "cc3m",
        "Conceptual Captions, 3 million",
        "Sharma et al. 2018",
        "captions: free for any purpose; each picture its own",
        "up to 3,318,333, any size, no labels",
        0,
        originals.unlabelled("."),
        "[0-9]*",
        get=(
            "download the pictures of Google's list (img2dataset does it) into folders 00000,"
            " 00001, …"
        ),
        roles=("public",),
    ),
)
BY_KEY = {row.key: row for row in ROWS}
