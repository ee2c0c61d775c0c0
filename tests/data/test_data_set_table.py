"""The data sets of the papers: each read from a tiny set in its source's form, found, refused, or
fetched.
"""

import dataclasses
import pickle
import re

import numpy as np
import pytest

from dpviz import data
from dpviz.data import data_set_table, download, held_aside, private_pictures
from dpviz.data.readers import library_sets, picture_files
from dpviz.data.readers.picture_sets import labels_of
from dpviz.data.source import STATES
from dpviz.encoders import torchvision_shim
from dpviz.experiments import experiment
from dpviz.types import Budget, DpvizError, Files, Images, RunSpec
from tests.kit import tiny_sets

torchvision_shim.prepare()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty data folder."""
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "data"))
    data.clear()
    yield tmp_path / "data"
    data.clear()


# row, writer, class names at the ends, pictures a split, one picture's shape
GENUINE = [
    ("cifar10", tiny_sets.cifar10, ("class 0", "class 9"), {"train": 50, "test": 10}, (32, 32, 3)),
    (
        "cifar100",
        tiny_sets.cifar100,
        ("class 0", "class 99"),
        {"train": 100, "test": 100},
        (32, 32, 3),
    ),
    ("stl10", tiny_sets.stl10, ("class 0", "class 9"), {"train": 10, "test": 10}, (96, 96, 3)),
    ("svhn", tiny_sets.svhn, ("0", "9"), {"train": 10, "test": 10}, (32, 32, 3)),
    ("food101", tiny_sets.food101, ("apple_pie", "waffles"), {"train": 4, "test": 4}, (12, 12, 3)),
    ("eurosat", tiny_sets.eurosat, ("Forest", "River"), None, (12, 12, 3)),
    (
        "flowers102",
        tiny_sets.flowers102,
        ("pink primrose", "blackberry lily"),
        {"train": 4, "test": 2},
        (12, 12, 3),
    ),
    (
        "pets",
        tiny_sets.pets,
        ("Abyssinian", "American Bulldog"),
        {"train": 4, "test": 4},
        (12, 12, 3),
    ),
    ("caltech256", tiny_sets.caltech256, ("ak47", "american-flag"), None, (12, 12, 3)),
    ("celeba", tiny_sets.celeba, ("not smiling", "smiling"), {"train": 3, "test": 2}, (12, 12, 3)),
    ("celeba-gender", tiny_sets.celeba, ("female", "male"), {"train": 3, "test": 2}, (12, 12, 3)),
    ("celeba-hair", tiny_sets.celeba, ("black", "brown"), {"train": 2, "test": 1}, (12, 12, 3)),
    (
        "ffhq-gender",
        tiny_sets.ffhq_gender,
        ("female", "male"),
        {"train": 2, "test": 1},
        (12, 12, 3),
    ),
    (
        "cub200",
        tiny_sets.cub200,
        ("Black footed Albatross", "Laysan Albatross"),
        {"train": 4, "test": 2},
        (12, 12, 3),
    ),
    (
        "dogs",
        tiny_sets.dogs,
        ("Chihuahua", "Japanese spaniel"),
        {"train": 4, "test": 2},
        (12, 12, 3),
    ),
    ("mit67", tiny_sets.mit67, ("airport inside", "bakery"), {"train": 4, "test": 2}, (12, 12, 3)),
    (
        "domainnet-real",
        tiny_sets.domainnet,
        ("aircraft carrier", "zebra"),
        {"train": 4, "test": 2},
        (12, 12, 3),
    ),
    (
        "tiny-imagenet",
        tiny_sets.tiny_imagenet,
        ("Egyptian cat", "goldfish"),
        {"train": 4, "test": 2},
        (12, 12, 3),
    ),
    ("imagenet", tiny_sets.imagenet, ("tench", "goldfish"), {"public": 4}, (12, 12, 3)),
    ("imagenet64", tiny_sets.imagenet64, ("class 1", "class 3"), {"public": 9}, (64, 64, 3)),
    ("ffhq", tiny_sets.ffhq, None, {"public": 3}, (12, 12, 3)),
    ("cc3m", tiny_sets.cc3m, None, {"public": 3}, (12, 12, 3)),
]


def folder_of(key, home):
    shared = [name for name in ("domainnet", "celeba", "ffhq") if key.startswith(name)]
    return home / (shared[0] if shared else key)


@pytest.mark.parametrize(
    ("key", "write", "interval", "sizes", "shape"), GENUINE, ids=[row[0] for row in GENUINE]
)
def test_set_is_read_in_its_source_format(home, monkeypatch, key, write, interval, sizes, shape):
    row = data.DATASETS[key]
    assert row.state in ("download", "by hand")
    write(folder_of(key, home), monkeypatch)
    assert row.state == "there"
    splits, names = row.images(), row.names()
    assert (names[0], names[-1]) == interval if interval else names == ()
    if sizes:
        assert {split: len(part) for split, part in splits.items()} == sizes
    for part in splits.values():
        first = part.pixels[0] if isinstance(part, Images) else part.read(0)
        assert first.shape == shape and first.dtype == np.uint8
        assert (
            part.labels is None
            if not interval
            else part.labels.dtype == np.int64 and part.labels.max() < len(names)
        )


@pytest.mark.parametrize(
    "key", [k for k, *_ in GENUINE if k not in ("ffhq", "cc3m", "imagenet", "imagenet64")]
)
def test_labels_match_their_images(home, monkeypatch, key):
    """Names of files tell their class where they are files; arrays are compared with the file's own
    order.
    """
    {k: w for k, w, *_ in GENUINE}[key](folder_of(key, home), monkeypatch)
    row = data.DATASETS[key]
    for part in row.images().values():
        if isinstance(part, Files) and key in (
            "food101",
            "eurosat",
            "caltech256",
            "cub200",
            "domainnet-real",
            "mit67",
        ):
            for name, label in zip(part.read.names, part.labels, strict=True):
                assert row.names()[label].replace(" ", "_") in name.decode()
        if key == "celeba-hair":
            outcomes = [tiny_sets.HAIR[int(name[:6]) - 1].split() for name in part.read.names]
            assert part.labels.tolist() == [hair.index("1") for hair in outcomes]
        if isinstance(part, Images):
            assert part.labels[:10].tolist() == (
                [1, 2, 3, 4, 5, 6, 7, 8, 9, 0] if key == "svhn" else list(range(10))
            )


@pytest.mark.parametrize(
    ("key", "colour"),
    [("bloodmnist", True), ("pathmnist", True), ("dermamnist", True), ("tissuemnist", False)],
)
def test_medmnist_sets_are_read(home, monkeypatch, key, colour):
    path = tiny_sets.medmnist(home / "medmnist", key, colour)
    row = data.DATASETS[key]
    with pytest.raises(DpvizError, match="not the published file"):
        row.images()
    monkeypatch.setattr("dpviz.data.readers.library_sets.check", lambda *_: None)
    assert path.exists() and row.images()["train"].pixels.shape == (
        (6, 28, 28, 3) if colour else (6, 28, 28)
    )
    assert row.images()["test"].labels.tolist() == [0, 1, 0, 1] and len(row.names()) == row.classes


def test_table_matches_torchvision_and_medmnist(home):
    import medmnist
    from torchvision import datasets as tv

    results = {
        archive.name: (archive.url, archive.md5)
        for row in data.DATASETS.values()
        for archive in row.archives
    }
    rows_over = lambda url: url.replace("http:", "https:")
    for kind in (tv.CIFAR10, tv.CIFAR100, tv.STL10):
        assert results[kind.filename] == (rows_over(kind.url), kind.tgz_md5)
    for url, name, md5 in (tv.SVHN.split_list[split] for split in ("train", "test")):
        assert results[name] == (rows_over(url), md5)
    assert results["food-101.tar.gz"] == (rows_over(tv.Food101._URL), tv.Food101._MD5)
    for name, md5 in tv.Flowers102._file_dict.values():
        assert results[name] == (tv.Flowers102._download_url_prefix + name, md5)
    for url, md5 in tv.OxfordIIITPet._RESOURCES:
        assert results[url.rpartition("/")[2]] == (url, md5)
    for flag in ("bloodmnist", "pathmnist", "dermamnist", "tissuemnist"):
        info, row = medmnist.INFO[flag], data.DATASETS[flag]
        assert (
            results[f"{flag}.npz"] == (info["url"], info["MD5"]) and row.licence == info["license"]
        )
        labels = tuple(info["label"][str(c)] for c in range(len(info["label"])))
        assert labels == library_sets.MEDMNIST_CLASSES[flag]
        assert row.classes == len(info["label"]) and f"{info['n_samples']['train']:,}" in row.size


def test_downloads_use_https_and_checksums():
    """SHA-256 where one is published; nothing comes over plain http."""
    archives = [archive for row in data_set_table.ROWS for archive in row.archives]
    first_use = {archive.name for archive in archives if not archive.sha256}
    assert first_use == {"tiny-imagenet-200.zip"} | {
        f"{kind}mnist.npz" for kind in ("blood", "path", "derma", "tissue")
    }
    for archive in archives:
        assert archive.url.startswith("https://") and re.fullmatch("[0-9a-f]{32}", archive.md5)
        assert re.fullmatch("[0-9a-f]{64}|", archive.sha256)
    published = [archive.sha256 for archive in archives if archive.sha256]
    assert len(set(published)) == len(published) == 13


def test_every_row_states_download_and_target_folder(home):
    for row in filter(lambda row: row.fetch, data_set_table.ROWS):
        assert row.state in STATES and row.licence and row.size
        sentences = row.get().removesuffix(".").split(". ")
        assert str(home) in row.get() and row.get().endswith(".")
        assert len(sentences) in (2, 3) and all(words[0].isupper() for words in sentences)


# -------------------------------------------------------------------------------- hostile originals


def test_unpublished_pickle_is_never_opened(home, tmp_path, monkeypatch):
    class Evil:
        def __reduce__(self):
            return (open, (str(tmp_path / "ran"), "w"))

    tiny_sets.cifar10(home / "cifar10", monkeypatch)
    (home / "cifar10" / "cifar-10-batches-py" / "test_batch").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(DpvizError, match="not the published files"):
        data.DATASETS["cifar10"].images()
    assert not (tmp_path / "ran").exists()


def test_pickled_imagenet64_batch_is_never_opened(home):
    (home / "imagenet64").mkdir(parents=True)
    (home / "imagenet64" / "train_data_batch_1").write_bytes(pickle.dumps({"data": 1}))
    assert data.DATASETS["imagenet64"].state == "by hand"
    np.savez(
        home / "imagenet64" / "train_data_batch_1.npz",
        data=np.array([{}], object),
        labels=np.array([1]),
    )
    with pytest.raises(DpvizError, match="not the published files"):
        data.DATASETS["imagenet64"].images()


def test_missing_listed_image_is_named(home, monkeypatch):
    tiny_sets.mit67(home / "mit67", monkeypatch)
    (home / "mit67" / "Images" / "bakery" / "bakery1.jpg").unlink()
    with pytest.raises(DpvizError, match="bakery/bakery1.jpg is listed but missing"):
        data.DATASETS["mit67"].images()


def test_offline_error_states_what_to_fetch_and_where(home, monkeypatch):
    row = data.DATASETS["cifar10"]
    away = dataclasses.replace(row.archives[0], url="http://127.0.0.1:9/gone.tar.gz")
    with pytest.raises(DpvizError, match="could not be downloaded .*Download .*Put all"):
        download.fetch(row.title, home / "cifar10", [away], row.get())
    with pytest.raises(
        DpvizError, match="no direct download. Download CUB_200_2011.tgz .* Put all"
    ):
        data.load("cub200", "glyphnet")


# ------------------------------------------------------------------------------------------ as data


def test_set_loads_with_held_out_part_and_thumbnails(home, monkeypatch):
    for split, n in (("train", 100), ("test", 3)):
        for label in ("cat", "dog"):
            for i in range(n):
                tiny_sets.jpeg(home / "cifar10" / split / label / f"{i}.jpg", 20)
    d = data.load("cifar10", "glyphnet")
    held_rows = held_aside.rows(data.source("cifar10"))
    assert d.public_key == "held-aside" and d.class_names == ("cat", "dog")
    assert len(d.x) == 200 - len(held_rows) and d.held_aside == len(held_rows) > 0
    assert len(d.x_public) == len(held_rows) == len(d.labelled_public[1])
    assert d.public_names == ("cat", "dog")
    assert d.thumbnails("train", d.rows[:2]).shape == (
        2,
        picture_files.THUMBNAIL,
        picture_files.THUMBNAIL,
        3,
    )
    assert d.thumbnails("public", np.array([0])).shape == (
        1,
        picture_files.THUMBNAIL,
        picture_files.THUMBNAIL,
        3,
    )
    assert data.load("cifar10", "glyphnet") is d


def test_unlabeled_images_serve_as_public_set(home, monkeypatch):
    tiny_sets.cifar10(home / "cifar10", monkeypatch)
    tiny_sets.cc3m(home / "cc3m", monkeypatch)
    d = data.load("cifar10", "glyphnet", "cc3m")
    assert d.x_public.shape == (3, 128) and d.y_public is None and len(d.labelled_public[0]) == 0
    assert d.thumbnails("public", np.array([2])).shape[0] == 1
    with pytest.raises(
        DpvizError, match="Tiny-ImageNet could not be downloaded|tiny-imagenet-200.zip of"
    ):
        monkeypatch.setattr(
            "dpviz.data.download._blocks",
            lambda _: (_ for _ in ()).throw(download._Unreachable("no network")),
        )
        data.load("cifar10", "glyphnet", "tiny-imagenet")


def test_private_only_methods_run_without_public_set(home, monkeypatch):
    tiny_sets.cifar100(home / "cifar100", monkeypatch)
    zeros = {name: np.zeros((100, 2), np.float16) for name in ("train", "test")}
    monkeypatch.setattr(private_pictures, "features", lambda *_: zeros)
    monkeypatch.setattr(held_aside, "rows", lambda row: np.empty(0, np.int64))
    product = data.load("cifar100", "glyphnet")
    assert product.x_public is None and product.public_key is None and min(product.counts) > 0
    spec = RunSpec("cifar100", "glyphnet", "dppl-mean", Budget(1.0))
    assert experiment.planned(spec).guarantee.delta == 1e-5
    says = "The data set is too small .* without a public set, such as DPPL-Mean, Private linear"
    for method in ("dppl-public", "adamix"):
        with pytest.raises(DpvizError, match=says):
            experiment.planned(dataclasses.replace(spec, method=method))


@pytest.mark.parametrize("key", ["glyphs", "letters"])
def test_number_of_classes_counts_classes_with_images(key):
    source = data_set_table.DATASETS[key]
    assert source.classes == len(set(labels_of(source.images()["public"]).tolist()))
