"""The bundled drawings of Omniglot: parts by drawer, sizes, license, public sets without private
characters.
"""

import hashlib
import zipfile

import numpy as np
import pytest

from dpviz import data
from dpviz.data import held_aside, loading, omniglot
from dpviz.data.omniglot_rows import (
    ALPHABETS,
    ALPHABETS_PUBLIC,
    KEY,
    PUBLIC,
    PUBLIC_5,
    PUBLIC_RESERVED,
    ROWS,
)
from dpviz.types import DpvizError

SETS = {"omniglot": 242} | {f"omniglot-{count}": count for count in (10, 20, 30, 60, 120)}
PRIVATE = (*SETS, ALPHABETS)


def images(key):
    return data.DATASETS[key].images()


def people(split):
    return set(split.persons.tolist())


def test_archive_holds_every_drawing_and_the_license():
    assert hashlib.sha256(omniglot.ARCHIVE.read_bytes()).hexdigest() == omniglot.SHA256
    with zipfile.ZipFile(omniglot.ARCHIVE) as archive:
        assert b"MIT License" in archive.read("LICENSE")[:40]
        assert len(archive.namelist()) == 4840 + 2
    for row in ROWS:
        assert row.terms == "MIT" and "Tenenbaum 2015" in row.source and row.state == "there"


def test_each_drawer_is_in_one_split():
    parts = {**images(KEY), **images(PUBLIC_5)}
    assert {name: len(part) for name, part in parts.items()} == {
        "train": 2904,
        "test": 726,
        "public": 1210,
    }
    assert {name: len(people(part)) for name, part in parts.items()} == {
        "train": 96,
        "test": 24,
        "public": 40,
    }
    assert len(set.union(*map(people, parts.values()))) == 160
    first = {name: {person % 20 + 1 for person in people(part)} for name, part in parts.items()}
    assert first == {name: set(drawers) for name, drawers in omniglot.PARTS.items()}


def test_public_and_private_drawers_are_disjoint():
    public = set.union(
        *(people(images(row.key)["public"]) for row in ROWS if "public" in row.roles)
    )
    for key in PRIVATE:
        for split in images(key).values():
            assert not people(split) & public


@pytest.mark.parametrize(("key", "count"), SETS.items())
def test_each_character_has_12_private_3_test_images(key, count):
    row = data.DATASETS[key]
    splits = row.images()
    for part, group in (("train", 12), ("test", 3)):
        assert np.bincount(splits[part].labels).tolist() == [group] * count
        assert f"{len(splits[part]):,} {part}" in row.size
    assert row.class_names == omniglot.CHARACTERS[:count] and row.persons


def test_each_user_draws_a_character_once():
    train = images(KEY)["train"]
    pairs = set(zip(train.persons.tolist(), train.labels.tolist(), strict=True))
    assert len(pairs) == len(train)
    alphabets = [name.rsplit("-", 1)[0] for name in omniglot.CHARACTERS]
    number = list(omniglot.ALPHABETS)
    assert all(number.index(alphabets[label]) == person // 20 for person, label in pairs)


def test_alphabets_have_the_same_images_as_characters():
    whole, alphabets = images(KEY)["train"], images(ALPHABETS)["train"]
    np.testing.assert_array_equal(whole.pixels, alphabets.pixels)
    np.testing.assert_array_equal(alphabets.labels, alphabets.persons // 20)
    counts = [12 * count for count in omniglot.ALPHABETS.values()]
    assert np.bincount(alphabets.labels).tolist() == counts


def test_images_are_white_strokes_on_black():
    pixels = images(KEY)["test"].pixels
    assert pixels.shape == (726, 28, 28) and pixels.dtype == np.uint8
    assert pixels[:, 0, 0].mean() < 10 and pixels.reshape(726, -1).max(axis=1).min() > 80


@pytest.mark.parametrize(("key", "group"), [(PUBLIC, 3), (PUBLIC_5, 5)])
def test_public_sets_have_equally_many_images_per_character(key, group):
    assert np.bincount(images(key)["public"].labels).tolist() == [group] * 242


def test_other_alphabets_have_no_private_character():
    names = set(np.array(omniglot.CHARACTERS)[images(PUBLIC_RESERVED)["public"].labels])
    assert {name.rsplit("-", 1)[0] for name in names} == {"sanskrit", "tagalog"} and len(
        names
    ) == 59
    offered = [key for key in PRIVATE if PUBLIC_RESERVED in data.public_choices(key)]
    assert offered == [key for key, count in SETS.items() if count <= 120]
    for key in offered:
        assert names.isdisjoint(data.DATASETS[key].class_names)
        assert not data.shares_classes(key, PUBLIC_RESERVED) and data.shares_classes(key, PUBLIC)


def test_other_alphabets_are_refused_when_all_are_private():
    for key in (KEY, ALPHABETS):
        with pytest.raises(DpvizError, match="'omniglot-other' cannot be used with"):
            data.load(key, "glyphnet", PUBLIC_RESERVED)
    assert data.public_choices(ALPHABETS)[0] == ALPHABETS_PUBLIC


def test_variants_belong_to_one_family():
    family = data.variants("omniglot-60")
    assert tuple(family) == PRIVATE and family[ALPHABETS] == "8 alphabets"
    assert data.variants(KEY) == family and data.variants("clothes") == data.variants(PUBLIC) == {}


def test_held_out_users_agree_across_sets():
    asides = {}
    for key in ("omniglot", "omniglot-60", ALPHABETS):
        train = images(key)["train"]
        asides[key] = set(train.persons[held_aside.rows(data.DATASETS[key])].tolist())
    assert asides[ALPHABETS] == asides["omniglot"] > asides["omniglot-60"]
    assert 10 < len(asides["omniglot"]) < 40


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    data.clear()
    yield
    data.clear()


def test_features_include_users_and_labeled_public_images(fresh):
    d = data.load("omniglot-10", "glyphnet")
    assert d.x.shape == (120, 128) and d.x_test.shape == (30, 128) and d.classes == 10
    assert len(np.unique(d.persons)) == 12 and loading.persons_known("omniglot-10")
    assert np.bincount(d.labelled_public[1]).tolist() == [3] * 10
    assert d.public.shape == (726, 128) and d.public_key == PUBLIC
    assert len(data.load("omniglot-10", "glyphnet", PUBLIC_RESERVED).labelled_public[1]) == 0
