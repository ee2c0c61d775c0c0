"""Files made to cost much: each is refused in a sentence before it is unpacked or written."""

import dataclasses
import io
import json
import os
import struct
import tracemalloc
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz import data
from dpviz.data import limits, named_sets
from dpviz.data.readers import folders, uploaded_pictures
from dpviz.data.readers.vote_counts import read_votes
from dpviz.types import DpvizError
from tests.kit import mutations, tiny_sets
from tests.kit.picture_uploads import GOOD, arrow, parquet
from tests.kit.toys import toy_data

CLASSES = limits.CLASSES + 1


@pytest.fixture
def never(monkeypatch):
    """``never(owner, name)``: the test fails where that is called."""

    def fails(owner, name):
        monkeypatch.setattr(owner, name, lambda *_, **__: pytest.fail(f"{name} was called"))

    return fails


def peak(work):
    """Most bytes held at once on the way."""
    tracemalloc.start()
    try:
        work()
    finally:
        result = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return result


# ------------------------------------------------------------------------------ what is spelled out


def naming_two(path, rows=5000):
    """A parquet file of few kilobytes whose rows name two padded pictures of a MiB each."""
    pair = pa.array([GOOD + bytes(2**20), GOOD + b"\1" + bytes(2**20)], pa.binary())
    names = pa.DictionaryArray.from_arrays(pa.array(np.arange(rows) % 2, pa.int32()), pair)
    table = pa.table({"image": names, "label": pa.array(["cat", "dog"] * (rows // 2))})
    setting = {"compression": "zstd", "dictionary_pagesize_limit": 2**30, "store_schema": False}
    pq.write_table(table, path, **setting)
    assert path.stat().st_size < 10_000
    return path


def test_parquet_with_repeated_images_is_refused_unwritten(tmp_path, never, monkeypatch):
    never(uploaded_pictures, "write_atomic")
    upload = naming_two(tmp_path / "upload")
    with pytest.raises(DpvizError, match="unpacks to over 200 times its size"):
        uploaded_pictures.sort_upload(upload, tmp_path / "clean.zip")
    monkeypatch.setattr(limits, "PACKING_RATIO", 2**24)
    with pytest.raises(DpvizError, match="unpack to 2.0 GiB. The limit is 2"):
        uploaded_pictures.sort_upload(upload, tmp_path / "clean.zip")


def test_small_parquet_of_many_bytes_is_refused_unwritten(tmp_path, never):
    """1.2 GiB from a few kilobytes, within the limit of an upload."""
    never(uploaded_pictures, "write_atomic")
    upload = naming_two(tmp_path / "upload", rows=1200)
    with pytest.raises(DpvizError, match="unpacks to over 200 times its size"):
        uploaded_pictures.sort_upload(upload, tmp_path / "clean.zip")


def test_small_zip_of_many_members_is_refused_unwritten(tmp_path, never):
    """Each member unpacks to less than a MiB, which alone is no reason to refuse it."""
    never(uploaded_pictures, "write_atomic")
    with zipfile.ZipFile(tmp_path / "upload", "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(60):
            archive.writestr(f"{'cat' if i % 2 else 'dog'}/{i}.jpg", GOOD + bytes(2**20 - 2**12))
    with pytest.raises(DpvizError, match="unpacks to over 200 times its size"):
        uploaded_pictures.sort_upload(tmp_path / "upload", tmp_path / "clean.zip")


def test_small_npz_of_many_zeros_is_refused_unread():
    zeros = np.zeros((CLASSES, 2**15), "f4")
    packed = features(X_train=zeros, X_test=np.zeros((CLASSES, 2**15), "f4"))
    assert len(packed.getvalue()) < 2**20
    with pytest.raises(DpvizError, match="unpacks to over 200 times its size. Write it with"):
        data.read_npz(packed, "mine.npz")


def test_parquet_bomb_on_disk_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "PARQUET_GROUP", 100 * 2**20)
    with pytest.raises(DpvizError, match="images of over 100 MiB. Write smaller row groups"):
        folders.read(naming_two(tmp_path / "set.parquet"))


@pytest.mark.parametrize("kind", [pa.binary(), pa.dictionary(pa.int32(), pa.binary())])
def test_compressed_arrow_file_is_refused(tmp_path, kind):
    pictures = pa.array([GOOD + bytes(2**20)] * 9).cast(pa.binary())
    pictures = pictures.dictionary_encode() if kind != pa.binary() else pictures
    table = pa.table({"image": pictures, "label": [0, 1, 1] * 3})
    path = tmp_path / "train" / "data-0.arrow"
    path.parent.mkdir()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with (
        pa.OSFile(str(path), "wb") as file,
        pa.ipc.new_stream(file, table.schema, options=options) as out,
    ):
        out.write_table(table)
    with pytest.raises(DpvizError, match="data-0.arrow is compressed. Write it without"):
        folders.read(tmp_path)


def test_row_label_names_count_toward_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "UNPACKED", 2**20)
    parquet(tmp_path / "upload", ["x" * 2**18] * 24)
    with pytest.raises(DpvizError, match="unpack to"):
        uploaded_pictures.sort_upload(tmp_path / "upload", tmp_path / "clean.zip")


def test_member_with_false_size_is_not_unpacked_further(tmp_path):
    upload = tmp_path / "upload.zip"
    with zipfile.ZipFile(upload, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("cat/1.jpg", "dog/1.jpg"):
            archive.writestr(name, bytes(50 * 2**20))
    content = upload.read_bytes().replace(struct.pack("<I", 50 * 2**20), struct.pack("<I", 100))
    upload.write_bytes(content)

    def sort():
        with pytest.raises(DpvizError, match="no usable images"):
            uploaded_pictures.sort_upload(upload, tmp_path / "clean.zip")

    assert peak(sort) < 10 * 2**20


def test_oversized_footer_is_not_parsed(tmp_path, never):
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + struct.pack("<I", 2**31) + b"PAR1")
    never(pq, "ParquetFile")
    with pytest.raises(DpvizError, match="has 2048 MiB of metadata. The limit is 16"):
        folders.read(tmp_path / "a.parquet")


# --------------------------------------------------------------------------------- lists and counts


def listing(count):
    """An end and a directory of as many empty members, without the members."""
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", *[0] * 11, 1, *[0] * 6) + b"a"
    whole = entry * count
    return whole + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0, 0, len(whole), 0, 0)


@pytest.mark.parametrize("count", [limits.NPZ_MEMBERS + 1, 100_000])
def test_member_list_beyond_limit_is_not_read(tmp_path, never, count):
    never(zipfile, "ZipFile")
    for read in (data.read_npz, read_votes):
        with pytest.raises(DpvizError, match="too many members. The limit is 32"):
            read(io.BytesIO(listing(count)), "mine.npz")
    if count > limits.MEMBERS:
        (tmp_path / "upload.zip").write_bytes(listing(count))
        with pytest.raises(DpvizError, match="too many members. The limit is 50,000"):
            uploaded_pictures.sort_upload(tmp_path / "upload.zip", tmp_path / "clean.zip")


def features(**changes):
    n = CLASSES
    good = {
        "X_train": np.ones((n, 2), "f4"),
        "y_train": np.arange(n) % 2,
        "X_test": np.ones((n, 2), "f4"),
        "y_test": np.arange(n) % 2,
    }
    file = io.BytesIO()
    np.savez_compressed(file, **{**good, **changes})
    return file


def test_more_classes_than_methods_hold_are_refused(tmp_path):
    count = np.arange(CLASSES)
    with pytest.raises(DpvizError, match="1,001 classes. The limit is 1,000"):
        data.read_npz(features(y_train=count, y_test=count), "mine.npz")
    parquet(tmp_path / "set.parquet", count.tolist(), pictures=[GOOD] * CLASSES)
    with pytest.raises(DpvizError, match="1,001 classes. The limit is 1,000"):
        folders.read(tmp_path / "set.parquet")


@pytest.mark.parametrize(
    ("limit", "changes", "says"),
    [
        ("ROWS", {}, "X_train in mine.npz has 1,001 rows. The limit is 1,000"),
        ("DIMENSIONS", {k: np.ones((CLASSES, 1001), "f2") for k in ("X_train", "X_test")}, "1,001"),
        ("CLASSES", {"class_names": np.array(["a"] * CLASSES)}, "class_names .* 1,001 rows"),
        ("NPZ_BYTES", {"y_train": (np.arange(CLASSES) % 2).astype("u1")}, "unpacks to"),
    ],
)
def test_shapes_are_refused_before_anything_is_unpacked(monkeypatch, never, limit, changes, says):
    file = features(**changes)
    held_rows = 2 * CLASSES * (2 * 4 + 8) - 1
    monkeypatch.setattr(limits, limit, held_rows if limit == "NPZ_BYTES" else 1000)
    never(np.lib.format, "read_array")
    with pytest.raises(DpvizError, match=says):
        data.read_npz(file, "mine.npz")


def test_empty_names_do_not_bypass_limits(never):
    head = io.BytesIO()
    messages = {"descr": "<U0", "fortran_order": False, "shape": (10**14,)}
    np.lib.format.write_array_header_1_0(head, messages)
    parts = mutations.members(features().getvalue()) | {"class_names.npy": head.getvalue()}
    with pytest.raises(DpvizError, match="must have between 1 and"):
        data.read_npz(io.BytesIO(mutations.packed(list(parts.items()))), "mine.npz")


# ------------------------------------------------------------------------------------------- labels


def test_public_label_of_unknown_class_is_refused():
    public = {"X_public": np.ones((2, 2)), "y_public": np.array([0, 2**31 - 1])}
    with pytest.raises(
        DpvizError, match="y_public in mine.npz has class 2147483647, which is not in y_train"
    ):
        data.read_npz(features(**public), "mine.npz")


def test_unknown_public_labels_use_no_memory_or_match():
    toy = toy_data()
    labels = np.full(len(toy.public), 2**31 - 1)
    labels[0] = 1
    large = dataclasses.replace(toy, y_public=labels, public_names=None)
    assert peak(lambda: large.labelled_public) < 2**24
    assert large.labelled_public[1].tolist() == [1]


@pytest.mark.parametrize("labels", [[0, None] * 12, [0.0, float("nan")] * 12, ["cat", None] * 12])
def test_missing_label_is_refused(tmp_path, labels):
    parquet(tmp_path / "set.parquet", labels)
    with pytest.raises(DpvizError, match="has no label in row 1. Add a label, or remove the row"):
        folders.read(tmp_path / "set.parquet")


def described(text):
    return arrow([0, 1] * 12).replace_schema_metadata({"huggingface": text})


def named(*names):
    features = {"label": {"names": names}}
    return json.dumps({"info": {"features": features}})


ODD_TABLES = {
    "no rows": (arrow([0, 1]).slice(0, 0), "has no rows"),
    "labels that are records": (
        arrow([{"a": 1}] * 4),
        "labels of type struct<a: int64>. Store whole numbers or text",
    ),
    "labels that are lists": (arrow([[1]] * 4), "labels of type list"),
    "labels that are bytes": (arrow([b"cat"] * 4), "labels of type binary"),
    "deep description": (described("[" * 100_000), "invalid JSON"),
    "broken description": (described("{"), "invalid JSON"),
    "a name twice": (
        described(named("cat", "cat")),
        "too long name for label 1",
    ),
    "an unprintable name": (described(named("cat", "\x1b[31m")), "too long name for label 1"),
    "a long name": (arrow(["cat", "d" * 61] * 12), "too long name for label 1"),
    "two columns of pictures": (
        pa.table([arrow([0])["image"]] * 2 + [pa.array([0])], names=["image", "image", "label"]),
        r"\.$",
    ),
}


@pytest.mark.parametrize("case", ODD_TABLES)
def test_odd_parquet_is_refused_with_message(tmp_path, case):
    table, says = ODD_TABLES[case]
    pq.write_table(table, tmp_path / "set.parquet")
    with pytest.raises(DpvizError, match=says):
        folders.read(tmp_path / "set.parquet")
    if case != "a long name" and "name" not in case:
        with pytest.raises(DpvizError):
            uploaded_pictures.sort_upload(tmp_path / "set.parquet", tmp_path / "clean.zip")


# --------------------------------------------------------------------------------- pipes and links


@pytest.mark.parametrize("ending", ["npz", "zip", "parquet"])
def test_pipe_is_refused_without_waiting(tmp_path, ending):
    os.mkfifo(path := tmp_path / f"a.{ending}")
    with pytest.raises(DpvizError, match="is a folder, pipe or device"):
        data.load(str(path), None if ending == "npz" else "glyphnet")
    if ending == "npz":
        with pytest.raises(DpvizError, match="pipe or device"):
            read_votes(path, "a.npz")


def test_pipes_and_dangling_links_are_left_out(tmp_path):
    root = tmp_path / "pets"
    for name in (f"{s}/{c}/1.jpg" for s in ("train", "test") for c in ("cat", "dog")):
        tiny_sets.jpeg(root / name)
    os.mkfifo(root / "train" / "cat" / "pipe.jpg")
    (root / "train" / "cat" / "nowhere.jpg").symlink_to("gone.jpg")
    (root / "train" / "cat" / "round.jpg").symlink_to("round.jpg")
    (root / "train" / "lost").symlink_to("gone")
    (root / "round").symlink_to("round")
    row = named_sets.source(str(root))
    refused = dict(row.refused)
    assert len(row.images()["train"]) == 2
    assert refused["train/cat/pipe.jpg"] == "is a pipe or device, not an image"
    assert "No such file" in refused["train/cat/nowhere.jpg"]
    assert "symbolic links" in refused["train/cat/round.jpg"]
    assert named_sets.stamp(str(root)) == named_sets.stamp(str(root))


def test_pipe_among_parquet_files_is_refused(tmp_path):
    os.mkfifo(tmp_path / "train-0.parquet")
    with pytest.raises(DpvizError, match="pipe or device"):
        folders.read(tmp_path)
