"""Whose pictures and features they are: told in every form, refused in a sentence, never in both
parts.
"""

import dataclasses
import io
import zipfile
from collections import defaultdict

import numpy as np
import pyarrow.parquet as pq
import pytest

from dpviz import data
from dpviz.data import held_aside, limits, private_pictures, untrusted_files, uploads
from dpviz.data.readers import folders, people, picture_sets, uploaded_pictures
from dpviz.experiments import embedding_work, experiment
from dpviz.experiments.embedding_work import Task
from dpviz.text import data as text
from dpviz.types import Budget, DpvizError, Images, RunSpec
from dpviz.views import data_page
from tests.kit import tiny_sets
from tests.kit.picture_uploads import arrow

PICTURE = tiny_sets.encoded(8, "PNG")
WHO = {f"{c}/{i}": f"p{i // 3}" for c in ("cat", "dog") for i in range(60)}


def packed(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_any_class_name_survives_in_upload_list(tmp_path):
    names = [
        f"{s}/{c}/p{i}/{i}" for s in ("train", "test") for c in ('a,"b', "it's") for i in (1, 2)
    ]
    packed(tmp_path / "set.zip", pictures(names))
    result = uploaded_pictures.sort_upload(tmp_path / "set.zip", tmp_path / "clean.zip")
    again = folders.read(tmp_path / "clean.zip")
    assert result.images_per_person == (4, 4) and len(shared(again)) == 2 and not again.refused


def listed(rows, head="image,person"):
    return "\n".join([head, *(f"{image},{person}" for image, person in rows)])


def pictures(names):
    return {f"{name}.png": PICTURE for name in names}


def beside(tmp_path, rows=None, csv="people.csv", **extra):
    """A zip of WHO's pictures with a CSV beside them."""
    text = listed(WHO.items() if rows is None else rows)
    return packed(tmp_path / "set.zip", pictures(WHO) | {csv: text} | extra)


def shared(result):
    """Persons in both parts."""
    return np.intersect1d(*(part.persons for part in result.splits.values()))


def whose(result):
    """Pictures of each person by the number that stands for them."""
    names = defaultdict(set)
    for part in result.splits.values():
        for name, person in zip(part.read.names.tolist(), part.persons.tolist(), strict=True):
            names[person].add(name.decode().removesuffix(".png"))
    return names


EXPECTED = {
    people.number(person): {name for name, who in WHO.items() if who == person}
    for person in set(WHO.values())
}


@pytest.mark.parametrize("csv", ["people.csv", "mine.csv", "deep/People.CSV"])
def test_csv_assigns_images_to_users_without_split_overlap(tmp_path, csv):
    result = folders.read(beside(tmp_path, csv=csv))
    assert whose(result) == EXPECTED and not len(shared(result))
    assert result.notes == (f"{csv.split('/')[-1]} assigns 120 images to 20 people.",)
    assert not result.refused


def test_csv_accepts_stems_extensions_and_extra_columns(tmp_path):
    rows = [(f"x{i}.png" if i % 2 else f"x{i}", f"q{i // 4},shirt") for i in range(60)]
    files = {f"top/{'ab'[i % 2]}/x{i}.png": PICTURE for i in range(60)}
    text = "\ufeff" + listed(rows, "image,person,class") + "\n\n"
    result = folders.read(packed(tmp_path / "set.zip", files | {"top/people.csv": text}))
    assert len(whose(result)) == 15 and not len(shared(result))


def test_folders_per_person_work_with_and_without_splits(tmp_path):
    for c in ("cat", "dog"):
        for i in range(40):
            tiny_sets.jpeg(tmp_path / "pets" / c / f"p{i // 2}" / f"{i}.jpg")
    result = folders.read(tmp_path / "pets")
    assert not len(shared(result))
    assert sum(len(set(part.persons)) for part in result.splits.values()) == 20
    assert result.notes == (picture_sets.PEOPLE.format("20 people"),)
    names = [f"{s}/{c}/anna/{i}" for s in ("train", "test") for c in "ab" for i in range(2)]
    names += ["train/a/bob/9"]
    result = folders.read(packed(tmp_path / "parts.zip", pictures(names)))
    assert len(result.splits["train"]) == 5 and result.notes[1].startswith("1 person has images in")
    assert "Test images count as public" in result.notes[1]
    inside = [f"{s}/{c}/images/{i}" for s in ("train", "test") for c in "ab" for i in range(2)]
    result = folders.read(packed(tmp_path / "inside.zip", pictures(inside)))
    assert result.splits["train"].persons is None, "one folder for all is nobody's"
    assert result.notes == (picture_sets.NO_PEOPLE,)
    deep = {f"{c}/p{i}/day/{i}" for c in ("cat", "dog") for i in range(20)} | {"cat/p0/x"}
    result = folders.read(packed(tmp_path / "deep.zip", pictures(deep)))
    assert result.splits["train"].persons is None and result.notes == (picture_sets.NO_PEOPLE,)


def test_card_note_on_test_images_ignores_private_users(tmp_path, monkeypatch):
    outcomes, named = [], []
    for person in ("anna", "bob"):
        names = [f"train/{c}/anna/{i}" for c in "ab" for i in range(4)] + ["train/a/eve/1"]
        names += [f"test/{c}/{person}/{i}" for c in "ab" for i in range(2)]
        path = packed(tmp_path / f"{person}.zip", pictures(names))
        zeros = {s: np.zeros((len(p), 128)) for s, p in folders.read(path).splits.items()}
        monkeypatch.setattr(private_pictures, "features", lambda *_, zeros=zeros: zeros)
        for unit in ("picture", "person"):
            part = {"unit": unit, "per_person": 2, "public": "held-aside"}
            spec = RunSpec(str(path), "glyphnet", "dppl-mean", Budget(1.0), **part)
            public = experiment.planned(spec).guarantee.public
            outcomes.append("including those of people with" in public)
            named.append("the test images" in public)
    assert outcomes == [False, True, False, True], "the test set alone decides"
    assert all(named), "whatever the unit"


def test_user_number_depends_only_on_that_user(tmp_path):
    first = folders.read(beside(tmp_path))
    fewer = {name: person for name, person in WHO.items() if person != "p3"}
    text = listed(fewer.items())
    second = folders.read(packed(tmp_path / "l.zip", pictures(fewer) | {"people.csv": text}))
    for split, part in second.splits.items():
        was = dict(zip(first.splits[split].read.names, first.splits[split].persons, strict=True))
        assert all(was[n] == p for n, p in zip(part.read.names, part.persons, strict=True))


def test_lines_that_fit_no_image_are_noted(tmp_path):
    rows = [*WHO.items(), ("bird/1", "p1"), ("bird/2", "p77"), ("cat/0", "p0")]
    result = folders.read(beside(tmp_path, rows))
    assert result.notes[1] == "In people.csv 2 lines match no image in use."
    assert whose(result) == EXPECTED, "a line twice says no more than once"


def test_removing_one_image_moves_no_other_between_splits(tmp_path):
    names = [f"many/{i}" for i in range(60)]
    names += [f"rare/{i}" for i in range(40) if picture_sets.by_hash(f"rare/{i}.png") == "train"][
        :4
    ]
    whole = folders.read(packed(tmp_path / "set.zip", pictures(names)))
    assert np.bincount(whole.splits["train"].labels).tolist()[1] == 4, "nothing is moved"
    assert whole.notes == ("No test images of class 'rare': accuracies exclude the class.",)
    known = {s: set(part.read.names.tolist()) for s, part in whole.splits.items()}
    for gone in names[-4:]:
        fewer = [name for name in names if name != gone]
        result = folders.read(packed(tmp_path / "set.zip", pictures(fewer)))
        for split, part in result.splits.items():
            assert set(part.read.names.tolist()) == known[split] - {f"{gone}.png".encode()}


def test_users_stay_in_one_split_despite_missing_class(tmp_path):
    who = {f"{c}/{i}": f"p{i % 4}" for c in ("cat", "dog") for i in range(12)}
    assert len({picture_sets.by_hash(person) for person in who.values()}) == 1
    text = listed(who.items())
    with pytest.raises(DpvizError, match="has no test images"):
        folders.read(packed(tmp_path / "set.zip", pictures(who) | {"people.csv": text}))


def test_image_without_user_is_refused_with_reason(tmp_path):
    result = folders.read(beside(tmp_path, list(WHO.items())[1:]))
    assert result.refused == (("cat/0.png", people.UNKNOWN),)


def test_unrelated_csv_is_ignored(tmp_path):
    for content in ("a,b\n1,2", b"\xff\xfe", '"', "image,person\n" * (limits.PEOPLE_BYTES // 12)):
        result = folders.read(packed(tmp_path / "s.zip", pictures(WHO) | {"notes.csv": content}))
        assert result.splits["train"].persons is None
        assert [name for name, _ in result.refused] == ["notes.csv"]


TWICE = [*WHO.items(), ("cat/0", "p9")]
BAD = {
    "names a different person for an image": {"rows": TWICE},
    "empty, unprintable or longer": {"rows": [*WHO.items(), ("dog/1", "a\x1b[31m")]},
    "has no image or no person": {"rows": [*WHO.items(), ("", "p1")]},
    "matches none of the images": {"rows": [("bird/1", "p1")]},
    "matches two images": {"rows": [("1", "p1")]},
    "2 files named people.csv": {"more/people.csv": "image,person"},
}


@pytest.mark.parametrize("says", BAD)
def test_invalid_csv_gives_one_message(tmp_path, says):
    path = beside(tmp_path, **BAD[says])
    for read in (folders.read, lambda p: uploaded_pictures.sort_upload(p, tmp_path / "clean.zip")):
        with pytest.raises(DpvizError, match=says) as refusal:
            read(path)
        assert str(refusal.value).endswith(".") and str(refusal.value).isprintable()
    assert not (tmp_path / "clean.zip").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("picture,who\n", "no columns image and person"),
        (b"image,person\n\xff\xfe,x", "not UTF-8 text"),
        ('image,person\n"cat/0', "not valid CSV"),
        ("image,person\ncat/0," + "x" * 200_000, "not valid CSV|longer than 60"),
        ("", "no columns"),
    ],
)
def test_invalid_people_csv_is_refused(tmp_path, content, says):
    path = packed(tmp_path / "set.zip", pictures(WHO) | {"people.csv": content})
    with pytest.raises(DpvizError, match=says):
        folders.read(path)


def test_oversized_people_csv_is_refused_before_reading(tmp_path, monkeypatch):
    path = beside(tmp_path)
    monkeypatch.setattr(limits, "PERSONS", 19)
    with pytest.raises(DpvizError, match="has too many people: 20. The limit is 19"):
        folders.read(path)
    monkeypatch.setattr(limits, "PEOPLE_BYTES", 100)
    monkeypatch.setattr(people, "table", lambda *_: pytest.fail("it was read"))
    with pytest.raises(DpvizError, match="people.csv is larger than"):
        folders.read(path)
    folder = tmp_path / "pets"
    (folder / "cat").mkdir(parents=True)
    (folder / "people.csv").write_text("x" * 101)
    with pytest.raises(DpvizError, match="people.csv is larger than"):
        folders.read(folder)


# ------------------------------------------------------------------------------------------ uploads


def uploaded(content, called=""):
    name = uploads.keep_unsorted(content, "a" * 32, called)
    return name, embedding_work.sort(Task("sort", name), lambda *_: None)


def test_upload_keeps_user_numbers_without_names(tmp_path, monkeypatch):
    name, result = uploaded(beside(tmp_path).read_bytes(), "C:\\mine\\pets of anna.zip")
    assert result.images_per_person == (6,) * 20 and len(result.used) == 120 and not result.refused
    assert embedding_work.sort(Task("sort", name), lambda *_: None) == result
    with zipfile.ZipFile(uploads.path(name)) as archive:
        assert b"p3" not in archive.read("people.csv")
    row = data.source(str(uploads.path(name)))
    assert row.title == uploads.numbered(row.key) and "anna" not in row.title
    assert uploads.title(name).startswith("pets of anna.zip (")
    zeros = {s: np.zeros((len(p), 2), np.float16) for s, p in row.images().items()}
    monkeypatch.setattr(private_pictures, "features", lambda *_: zeros)
    product = data.load(str(uploads.path(name)), "glyphnet", "held-aside")
    assert len(np.unique(product.persons)) == len(np.unique(row.images()["train"].persons)) - len(
        np.unique(np.delete(row.images()["train"].persons, product.rows))
    ), "whoever is held aside is held aside wholly"
    values = embedding_work.inspect(Task("look", str(uploads.path(name))), lambda *_: None)
    assert set(values.person_sizes) == {6} and sum(values.aside) == len(product.x_public)
    uploads.forget(name, "a" * 32)
    assert "anna" not in uploads.title(name)


def test_parquet_may_have_user_column(tmp_path):
    table = arrow([0, 1] * 30, ["ant", "bee"])
    persons = [f"p{i // 6}" for i in range(60)]
    pq.write_table(table.append_column("person", [persons]), tmp_path / "set.parquet")
    result = folders.read(tmp_path / "set.parquet")
    assert sorted(set().union(*(part.persons.tolist() for part in result.splits.values()))) == (
        sorted({people.number(p) for p in persons})
    )
    assert not len(shared(result))
    sorted_ = uploaded_pictures.sort_upload(tmp_path / "set.parquet", tmp_path / "clean.zip")
    assert sorted_.images_per_person == (6,) * 10 and not len(
        shared(folders.read(tmp_path / "clean.zip"))
    )
    broken = [None, "\x1b", *persons[2:]]
    pq.write_table(table.append_column("person", [broken]), tmp_path / "bad.parquet")
    with pytest.raises(DpvizError, match="must have a person in row 0"):
        folders.read(tmp_path / "bad.parquet")
    left = uploaded_pictures.sort_upload(tmp_path / "bad.parquet", tmp_path / "clean.zip").refused
    assert [reason for _, reason in left] == [people.UNKNOWN, people.name_reason("\x1b")]
    pq.write_table(table.append_column("person", [[0.5] * 60]), tmp_path / "odd.parquet")
    for read in (
        folders.read,
        lambda p: uploaded_pictures.sort_upload(p, tmp_path / "clean.zip"),
    ):
        with pytest.raises(DpvizError, match="persons of type double"):
            read(tmp_path / "odd.parquet")


def npz(**extra):
    file = io.BytesIO()
    y = np.arange(12) % 3
    x = np.random.default_rng(0).normal(size=(12, 4))
    np.savez(file, X_train=x, y_train=y, X_test=x, y_test=y, **extra)
    return file.getvalue()


@pytest.mark.parametrize("key", ["persons", "person_train"])
def test_features_may_include_user_ids(key):
    numbers = np.arange(12, dtype=np.uint16) // 5
    name = uploads.keep(npz(**{key: numbers}))
    product = untrusted_files.features(uploads.path(name))
    assert product.persons.dtype == np.int64 and np.array_equal(product.persons, numbers)
    words = np.array([f"anna {n}" for n in numbers])
    product = data.read_npz(io.BytesIO(npz(**{key: words})), "f.npz")
    assert product.persons.tolist() == [people.number(word) for word in words.tolist()]
    assert product.fingerprint != data.read_npz(io.BytesIO(npz()), "f.npz").fingerprint
    assert data.read_npz(io.BytesIO(npz()), "f.npz").persons is None


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        ({"persons": np.arange(5)}, "persons in f.npz has 5 rows and X_train has 12"),
        ({"persons": np.arange(12) - 1}, "a number below 0"),
        ({"persons": np.array(["a", ""] * 6)}, "an empty or unprintable name"),
        ({"persons": np.array(["a", "\x1b"] * 6)}, "an empty or unprintable name"),
        ({"persons": np.array(["a" * 61] * 12)}, "got 61"),
        ({"persons": np.arange(12) * 0.5}, "has type float64. Store whole numbers or text"),
        ({"persons": np.array([None] * 12)}, "has type object"),
        ({"persons": np.arange(12), "person_train": np.arange(12)}, "Store one of them"),
    ],
)
def test_invalid_user_ids_of_features_are_refused(extra, says):
    with pytest.raises(DpvizError, match=says):
        data.read_npz(io.BytesIO(npz(**extra)), "f.npz")


# ----------------------------------------------------------------------------- held aside, in words


def row(persons=None, pixels=None):
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (200, 4, 4), dtype=np.uint8) if pixels is None else pixels
    images = Images(pixels, np.arange(len(pixels)) % 3, persons)
    source = data.DATASETS["mnist5k"]
    return dataclasses.replace(source, key="own", images=lambda: {"train": images}), images


def test_held_out_choice_depends_only_on_each_image():
    whole, images = row()
    rows = held_aside.rows(whole)
    assert 30 < len(rows) < 70, "about a quarter"
    for gone in range(len(images)):
        remaining = np.delete(np.arange(len(images)), gone)
        fewer = row(pixels=images.pixels[remaining])[0]
        assert np.array_equal(remaining[held_aside.rows(fewer)], rows[rows != gone])


def test_held_out_choice_depends_only_on_each_user():
    persons = np.random.default_rng(0).integers(0, 60, 200)
    rows = held_aside.rows(row(persons)[0])
    assert 20 < len(rows) < 90
    assert not np.intersect1d(persons[rows], np.delete(persons, rows)).size
    second, _ = row(persons[::-1], np.zeros((200, 4, 4), np.uint8))
    assert set(persons[::-1][held_aside.rows(second)]) == set(persons[rows])


@pytest.mark.parametrize(
    ("key", "images"), [("mnist5k", 200), ("uci-digits", 200), ("clothes", 184)]
)
def test_published_sets_keep_public_image_count(key, images):
    assert len(held_aside.rows(data.DATASETS[key])) == images


def test_user_counts_are_described_in_words():
    assert data_page.persons_sentence((9, 3, 1), "images") == (
        "The images are from **3 people**. The median per person is **3** and the maximum is **9**."
    )
    assert data_page.persons_sentence((), "images") == text.UNKNOWN_PERSONS
