"""Files with something wrong: whatever it is, a reader takes them or refuses them in a sentence.

A few thousand ``.npz`` files of features and hundreds of votes, zips and parquet files; all 20,000
with ``DPVIZ_FUZZ=20000 pytest tests/data/test_fuzzed_files.py``.
"""

import io
import os
import warnings

import numpy as np
import pyarrow.parquet as pq
import pytest

from dpviz import data
from dpviz.data.readers import folders, people, uploaded_pictures
from dpviz.data.readers.vote_counts import read_votes
from dpviz.types import DpvizError
from tests.kit import mutations, tiny_sets
from tests.kit.picture_uploads import arrow

MANY = int(os.environ.get("DPVIZ_FUZZ", "3000"))


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def refused(read, numbers):
    """How many are refused, each in one sentence; what else is raised fails with its number."""
    result = 0
    for number in numbers:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                read(number)
        except DpvizError as error:
            result += 1
            text = str(error)
            assert text.endswith(".") and len(text) < 400 and text.isprintable(), number
        except BaseException as error:
            pytest.fail(f"mutation {number}: {type(error).__name__}: {error}")
    return result


def test_features_are_read_or_refused():
    good = npz(
        X_train=np.ones((12, 4)),
        y_train=np.arange(12) % 3,
        X_test=np.ones((6, 4)),
        y_test=np.arange(6) % 3,
        X_public=np.ones((3, 4)),
        y_public=np.arange(3),
        class_names=np.array(["a", "b", "c"]),
        persons=np.array(["anna", "bob"] * 6),
    )

    def read(number):
        result = data.read_npz(io.BytesIO(mutations.archive(good, number)), "mine.npz")
        assert result.x.shape == (12, 4) and result.classes <= 3
        assert result.persons is None or result.persons.shape == (12,)

    assert refused(read, range(MANY)) > 0.8 * MANY


def test_votes_are_read_or_refused():
    good = npz(votes=np.array([[5, 3], [4, 4], [8, 0]]))

    def read(number):
        votes = read_votes(io.BytesIO(mutations.archive(good, number)), "votes.npz")
        assert votes.dtype == np.int64 and (votes.sum(1) == votes[0].sum()).all()

    assert refused(read, range(MANY // 10)) > 0.6 * MANY // 10


def test_zipped_images_are_sorted_or_refused(tmp_path):
    names = [f"{s}/{c}/{i}.png" for s in ("train", "test") for c in ("cat", "dog") for i in (0, 1)]
    people = "\n".join(["image,person", *(f"{name},p{i}" for i, name in enumerate(names))])
    files = [(name, tiny_sets.encoded(8, "PNG")) for name in names]
    good = mutations.packed([*files, ("people.csv", people.encode())])
    upload, clean = tmp_path / "upload.zip", tmp_path / "clean.zip"

    def read(number):
        upload.write_bytes(mutations.archive(good, number))
        result = uploaded_pictures.sort_upload(upload, clean)
        assert len(result.used) <= 8
        for part in folders.read(upload).splits.values():
            part.read(0)

    assert refused(read, range(MANY // 30))


def test_user_lists_are_read_or_refused():
    good = b"image,person,kids\n" + b"".join(b'"cat/%d",anna %d,no\n' % (i, i) for i in range(40))

    def read(number):
        result = people.table(mutations.noisy(good, np.random.default_rng(number)), "people.csv")
        assert all(not people.name_reason(person) for person in result.values())

    assert refused(read, range(MANY // 3))


def test_parquet_files_are_sorted_or_refused(tmp_path):
    table = arrow([0, 1] * 12, ["cat", "dog"]).append_column("person", [["a", "b", "c"] * 8])
    pq.write_table(table, tmp_path / "good.parquet", row_group_size=4)
    good = (tmp_path / "good.parquet").read_bytes()
    upload, clean = tmp_path / "upload.parquet", tmp_path / "clean.zip"

    def read(number):
        upload.write_bytes(mutations.noisy(good, np.random.default_rng(number)))
        uploaded_pictures.sort_upload(upload, clean)
        for part in folders.read(upload).splits.values():
            part.read(0)

    assert refused(read, range(MANY // 30))
