"""Pictures from strangers: an upload of 5,000 members is sorted, and folders, zips and parquet
files are read as they lie.
"""

import io
import json
import pickle
import shutil
import zipfile
import zlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from dpviz import data
from dpviz.data import limits
from dpviz.data.readers import (
    content_marks,
    folders,
    listed_sets,
    picture_files,
    picture_sets,
    uploaded_pictures,
)
from dpviz.data.readers import parquet as parquet_reader
from dpviz.types import DpvizError
from tests.kit import mutations, tiny_sets
from tests.kit.picture_uploads import (
    GOOD,
    animated,
    arrow,
    huge_png,
    parquet,
    sixteen_bit,
    write_upload,
)


def test_large_upload_is_sorted_into_used_and_refused(tmp_path):
    inside = tmp_path / "cache"
    inside.mkdir()
    upload = tmp_path / "upload.zip"
    expected = write_upload(upload)
    assert len(expected) == 5000
    initial = set(tmp_path.rglob("*"))
    messages = []
    result = uploaded_pictures.sort_upload(
        upload, inside / "clean.zip", lambda *step: messages.append(step)
    )
    assert set(tmp_path.rglob("*")) - initial == {inside / "clean.zip"}, "nothing else is written"
    good = {name for name, words in expected.items() if not words}
    assert {name for name, _, _ in result.used} == good and len(good) == 4499
    refused = dict(result.refused)
    assert len(result.refused) == 501
    for name, words in expected.items():
        if words:
            assert words in refused[name[: uploaded_pictures.MAX_SHOWN_NAME]], name
    assert sum(n for _, n in result.reasons) == 501 and messages[-1][2] >= 4499


def test_clean_file_holds_used_images_with_plain_names(tmp_path):
    write_upload(tmp_path / "upload.zip", 700)
    result = uploaded_pictures.sort_upload(tmp_path / "upload.zip", tmp_path / "clean.zip")
    again = folders.read(tmp_path / "clean.zip")
    assert again.class_names == ("cat", "dog") and not again.refused
    counts = {split: sum(s == split for _, s, _ in result.used) for split in ("train", "test")}
    assert {split: len(part) for split, part in again.splits.items()} == counts
    np.testing.assert_array_equal(again.splits["test"].read(0), picture_files.decode(GOOD, "it"))


@pytest.mark.parametrize(
    ("limit", "value", "says"),
    [
        ("MEMBER_ENTRY", 0, "too many members. The limit is 50,000"),
        ("MEMBERS", 600, "too many members. The limit is 600"),
        ("UNPACKED", 10_000, "unpack to .* GiB. The limit is"),
    ],
)
def test_too_many_or_large_members_are_refused(tmp_path, monkeypatch, limit, value, says):
    write_upload(tmp_path / "upload.zip", 700)
    monkeypatch.setattr(limits, limit, value)
    with pytest.raises(DpvizError, match=says):
        uploaded_pictures.sort_upload(tmp_path / "upload.zip", tmp_path / "clean.zip")
    assert not (tmp_path / "clean.zip").exists()


@pytest.mark.parametrize(
    "content", [b"", b"no zip", b"PK\x03\x04" + bytes(60), b"PK\x05\x06" + bytes(18)]
)
def test_upload_without_images_is_refused_with_message(tmp_path, content):
    (tmp_path / "upload.zip").write_bytes(content)
    with pytest.raises(DpvizError) as refusal:
        uploaded_pictures.sort_upload(tmp_path / "upload.zip", tmp_path / "clean.zip")
    assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("stored", "says"),
    [(b"", "has no name"), (b"\0/0.png", "unprintable"), (b"cat/\0.png", "unprintable")],
)
def test_unnamed_zip_member_alone_is_refused(tmp_path, stored, says):
    files = [(f"{c}/{i}.jpg", GOOD) for c in ("cat", "dog") for i in range(10)]
    marked = "x" * len(stored)
    content = mutations.packed([*files, (marked, GOOD)])
    if stored:
        content = content.replace(marked.encode(), stored)
    (tmp_path / "upload.zip").write_bytes(content)
    result = uploaded_pictures.sort_upload(tmp_path / "upload.zip", tmp_path / "clean.zip")
    assert len(result.used) == 20 and len(result.refused) == 1
    assert says in result.refused[0][1]
    assert says in dict(folders.read(tmp_path / "upload.zip").refused)[stored.decode()]


def test_image_with_false_size_is_read_within_limit(tmp_path, monkeypatch):
    """The directory says 100 bytes where the stream goes on; zipfile stops at what was said."""
    monkeypatch.setattr(limits, "PICTURE_BYTES", 1000)
    with pytest.raises(DpvizError, match="larger than"):
        picture_files.decode(bytes(1001), "it.jpg")


def test_photo_preview_is_not_animation():
    out = io.BytesIO()
    frames = [Image.fromarray(frame) for frame in tiny_sets.pixels(2, 16)]
    frames[0].save(out, "MPO", save_all=True, append_images=frames[1:])
    assert picture_files.decode(out.getvalue(), "it", ending=".jpg").shape == (16, 16, 3)


# --------------------------------------------------------------------------- folders, zips, parquet


def folder(tmp_path, names):
    for name in names:
        tiny_sets.jpeg(tmp_path / name)
    return tmp_path


def test_folder_keeps_its_train_and_test_splits(tmp_path):
    root = folder(
        tmp_path / "pets",
        [f"{s}/{c}/{i}.jpg" for s in ("train", "test") for c in ("cat", "dog") for i in range(3)],
    )
    result = folders.read(root)
    assert result.class_names == ("cat", "dog") and [len(p) for p in result.splits.values()] == [
        6,
        6,
    ]
    assert result.splits["test"].labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_folder_without_splits_is_split_by_name(tmp_path):
    names = [f"{c}/{i}.jpg" for c in ("cat", "dog") for i in range(40)]
    first = folders.read(folder(tmp_path / "pets", names))
    assert 3 < len(first.splits["test"]) < 32
    (tmp_path / "pets" / "cat" / "7.jpg").unlink()
    second = folders.read(tmp_path / "pets")
    remaining = {split: set(part.read.names.tolist()) for split, part in second.splits.items()}
    was = {split: set(part.read.names.tolist()) for split, part in first.splits.items()}
    assert all(
        was[s] - remaining[s] <= {b"cat/7.jpg"} and remaining[s] <= was[s] for s in remaining
    ), "no other picture changed sides"


def test_top_folder_and_validation_folder_are_recognized():
    names = [f"pets/{s}/{c}/1.jpg" for s in ("train", "val") for c in ("cat", "dog")]
    placed, refused, _ = picture_sets.sort_out(
        [picture_sets.Member(n, "") for n in [*names, "stray.jpg", "pets/train/x.jpg"]]
    )
    assert [(p.split, p.label) for p in placed] == [
        ("train", "cat"),
        ("train", "dog"),
        ("test", "cat"),
        ("test", "dog"),
    ]
    assert dict(refused) == {
        "stray.jpg": "is not in a class folder",
        "pets/train/x.jpg": "is outside the folders train/ and test/",
    }


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ([], "no usable images"),
        (["cat/1.jpg", "cat/2.jpg"], "one class only"),
        (["train/cat/1.jpg", "train/dog/1.jpg"], "no test images"),
        (["test/dog/1.jpg", "test/cat/1.jpg"], "no training images"),
    ],
)
def test_invalid_folder_layout_is_refused(tmp_path, names, says):
    (tmp_path / "pets").mkdir()
    with pytest.raises(DpvizError, match=says):
        folders.read(folder(tmp_path / "pets", names))


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["train/cat/1", "train/dog/1", "test/cat/1"], "No test images of class 'dog'"),
        (["train/cat/1", "test/dog/1", "test/cat/1"], "No training images of class 'dog'"),
    ],
)
def test_class_without_images_in_split_gives_note(tmp_path, names, says):
    result = folders.read(folder(tmp_path / "pets", [f"{name}.jpg" for name in names]))
    assert result.class_names == ("cat", "dog") and result.classes_read
    assert len(result.notes) == 1 and result.notes[0].startswith(says)


# ---------------------------------------------------------------------------------------- classes


BOTH = [f"{c}/{i}.jpg" for c in ("cat", "dog") for i in range(12)]


def test_empty_declared_class_is_kept_undeclared_folder_refused(tmp_path):
    root = folder(tmp_path / "pets", BOTH)
    (root / "classes.txt").write_text("dog\ncat\n\nyak\n")
    result = folders.read(root)
    assert result.class_names == ("dog", "cat", "yak") and not result.classes_read
    assert np.bincount(result.splits["train"].labels, minlength=3)[2] == 0 and not result.refused
    assert result.notes == (
        "No training images of class 'yak': no method can learn the class.",
        "No test images of class 'yak': accuracies exclude the class.",
    )
    (root / "classes.txt").write_text("dog\nyak\n")
    with pytest.raises(DpvizError, match="images of class 'cat', which is not in the list"):
        folders.read(root)
    assert folders.read(root, classes=("cat", "dog")).class_names == ("cat", "dog")


def test_stray_image_beside_top_folder_is_refused(tmp_path):
    root = folder(tmp_path / "pets", [f"all/{name}" for name in BOTH])
    (root / "classes.txt").write_text("cat\ndog")
    first = folders.read(root)
    tiny_sets.jpeg(root / "cat" / "stray.jpg")
    second = folders.read(root)
    names = {s: set(part.read.names.tolist()) for s, part in first.splits.items()}
    assert first.class_names == second.class_names == ("cat", "dog")
    for split, part in second.splits.items():
        assert set(part.read.names.tolist()) - {b"cat/stray.jpg"} == names[split]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"cat", "got 1"),
        (b"cat\ndog\ncat", "Lines 1 and 3 of 'classes.txt' name the same class"),
        (b"cat\n\x1b[31m", "Line 2 .* is unprintable"),
        (b"cat\n\xff\xfe", "not UTF-8 text"),
        (b"x" * (2**20 + 1), "larger than 1 MiB"),
    ],
)
def test_invalid_class_list_is_refused_with_message(tmp_path, content, says):
    root = folder(tmp_path / "pets", BOTH)
    (root / "classes.txt").write_bytes(content)
    with pytest.raises(DpvizError, match=says):
        folders.read(root)


def test_upload_keeps_its_class_list(tmp_path):
    path = tmp_path / "up.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in BOTH:
            archive.writestr(f"pets/{name}", tiny_sets.encoded(8, "JPEG"))
        archive.writestr("pets/classes.txt", "dog\ncat\nyak")
    result = uploaded_pictures.sort_upload(path, tmp_path / "clean.zip")
    assert not result.refused and any("'yak'" in note for note in result.notes)
    again = folders.read(tmp_path / "clean.zip")
    assert again.class_names == ("dog", "cat", "yak") and not again.classes_read


def test_parquet_rows_are_split_by_content(tmp_path):
    pictures = [tiny_sets.encoded() for _ in range(60)]
    parquet(tmp_path / "a.parquet", ["cat", "dog"] * 30, pictures=pictures)
    parquet(tmp_path / "b.parquet", (["cat", "dog"] * 30)[1:], pictures=pictures[1:])
    extra, fewer = (folders.read(tmp_path / f"{name}.parquet") for name in "ab")
    contents = lambda part: {part.read(i).tobytes() for i in range(len(part))}
    for split in ("train", "test"):
        first, second = contents(extra.splits[split]), contents(fewer.splits[split])
        assert len(first ^ second) <= 1, "the row left out alone differs"


def test_content_mark_follows_images(tmp_path):
    root = folder(
        tmp_path / "pets", [f"{s}/{c}/1.jpg" for s in ("train", "test") for c in ("cat", "dog")]
    )
    marked = lambda root: folders.read(root).splits["train"].marked()
    initial = marked(root)
    assert marked(root) == initial
    tiny_sets.jpeg(root / "train" / "cat" / "1.jpg", 14)
    assert marked(root) != initial


KINDS = {
    "folders": (folders.read, ""),
    "a set with lists": (
        listed_sets.listed_folders("images", "images/train.txt", "images/test.txt"),
        "images",
    ),
    "parquet": (folders.read, "parquet"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_mark_depends_on_content_not_on_location(tmp_path, monkeypatch, kind):
    """Or workers elsewhere would be refused though their data are the same."""
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path / "cache"))
    read, lower = KINDS[kind]
    first, second = tmp_path / "one", tmp_path / "other"
    names = [f"{c}/{i}.jpg" for c in ("cat", "dog") for i in range(12)]
    if kind == "parquet":
        parquet(first / "train.parquet", [0, 1] * 4, ["cat", "dog"])
        parquet(first / "test.parquet", [0, 1] * 2, ["cat", "dog"])
    else:
        folder(first / lower if lower else first, names)
    if lower == "images":
        for split, total in (("train", names[::2]), ("test", names[1::2])):
            (first / lower / f"{split}.txt").write_text("\n".join(total))
    shutil.copytree(first, second, copy_function=shutil.copyfile)
    marks = lambda home: {split: files.marked() for split, files in read(home).splits.items()}
    initial = marks(first)
    assert marks(second) == initial == marks(first)
    modified = sorted(p for p in second.rglob("*") if p.suffix in (".jpg", ".parquet"))[-1]
    content = bytearray(modified.read_bytes())
    content[-8 if kind != "parquet" else 200] ^= 1
    modified.write_bytes(content)
    assert [*marks(second).values()] != [*initial.values()]


def test_contents_are_read_once_and_only_for_mark(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path / "cache"))
    root = folder(tmp_path / "pets", [f"{c}/{i}.jpg" for c in ("cat", "dog") for i in range(12)])
    first = folders.read(root).splits["train"]
    assert not first.is_marked()
    mark = first.marked()
    monkeypatch.setattr(content_marks, "_digest", lambda *_: pytest.fail("read again"))
    again = folders.read(root).splits["train"]
    assert again.is_marked() and again.marked() == mark


def test_reader_can_be_pickled(tmp_path):
    root = folder(
        tmp_path / "pets", [f"{s}/{c}/1.jpg" for s in ("train", "test") for c in ("cat", "dog")]
    )
    for part in (
        folders.read(root).splits["train"],
        picture_files.pick(folders.read(root).splits["train"], np.array([1])),
    ):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(part.read))(0), part.read(0))


def test_unreadable_image_is_named(tmp_path):
    root = folder(
        tmp_path / "pets", [f"{s}/{c}/1.jpg" for s in ("train", "test") for c in ("cat", "dog")]
    )
    result = folders.read(root).splits["train"]
    (root / "train" / "dog" / "1.jpg").write_bytes(b"no picture")
    with pytest.raises(DpvizError, match="train/dog/1.jpg cannot be decoded"):
        result.read(1)
    (root / "train" / "dog" / "1.jpg").unlink()
    with pytest.raises(DpvizError, match="train/dog/1.jpg in .* cannot be read"):
        result.read(1)


def test_hub_parquet_folder_keeps_splits_and_names(tmp_path):
    parquet(
        tmp_path / "set" / "data" / "train-00000-of-00002.parquet", [0, 1, 1, 0, 1], ["cat", "dog"]
    )
    parquet(tmp_path / "set" / "data" / "train-00001-of-00002.parquet", [1, 0], ["cat", "dog"])
    parquet(tmp_path / "set" / "data" / "test-00000-of-00001.parquet", [0, 1], ["cat", "dog"])
    result = folders.read(tmp_path / "set")
    assert result.class_names == ("cat", "dog") and result.splits["train"].labels.tolist() == [
        0,
        1,
        1,
        0,
        1,
        1,
        0,
    ]
    texts = [result.splits["train"].read(i) for i in range(7)]
    assert len({picture.tobytes() for picture in texts}) == 7 and texts[6].shape == (12, 12, 3)


def test_single_parquet_with_word_labels_is_split(tmp_path):
    parquet(tmp_path / "set.parquet", ["dog", "cat"] * 30)
    result = folders.read(tmp_path / "set.parquet")
    assert result.class_names == ("cat", "dog") and sum(map(len, result.splits.values())) == 60
    assert result.splits["test"].read(0).shape == (12, 12, 3)


def test_parquet_without_labels_or_images_is_refused(tmp_path):
    pq.write_table(pa.table({"label": [0, 1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"image": [b"x", b"y"]}), tmp_path / "b.parquet")
    (tmp_path / "c.parquet").write_bytes(b"PAR1 no")
    for name, says in (
        ("a", "no column of encoded images"),
        ("b", "no column label"),
        ("c", "not a readable parquet"),
    ):
        with pytest.raises(DpvizError, match=says):
            folders.read(tmp_path / f"{name}.parquet")


def save_to_disk(path, parts):
    """``datasets.DatasetDict.save_to_disk``: a stream file a shard, ``state.json`` beside it,
    ``dataset_dict.json`` above.
    """
    path.mkdir(parents=True)
    (path / "dataset_dict.json").write_text(json.dumps({"splits": list(parts)}))
    for split, tables in parts.items():
        (path / split).mkdir()
        names = [f"data-{i:05d}-of-{len(tables):05d}.arrow" for i in range(len(tables))]
        (path / split / "state.json").write_text(
            json.dumps({"_data_files": [{"filename": name} for name in names]})
        )
        for name, table in zip(names, tables, strict=True):
            with (
                pa.OSFile(str(path / split / name), "wb") as file,
                pa.ipc.new_stream(file, table.schema) as out,
            ):
                out.write_table(table, max_chunksize=2)


def test_hub_saved_folder_keeps_splits_and_names(tmp_path):
    names = ["cat", "dog"]
    train = [arrow([0, 1, 1, 0, 1], names), arrow([1, 0], names)]
    save_to_disk(tmp_path / "set", {"train": train, "test": [arrow([0, 1], names)]})
    (tmp_path / "set" / "train" / "cache-0123.arrow").write_bytes(b"left by a map")
    result = folders.read(tmp_path / "set")
    assert result.class_names == ("cat", "dog") and result.splits["train"].labels.tolist() == [
        0,
        1,
        1,
        0,
        1,
        1,
        0,
    ]
    stored = [row["bytes"] for table in train for row in table.column("image").to_pylist()]
    for i, content in enumerate(stored):
        np.testing.assert_array_equal(
            pickle.loads(pickle.dumps(result.splits["train"].read))(i),
            picture_files.decode(content, "it"),
        )
    assert len(result.splits["test"]) == 2
    (tmp_path / "set" / "train" / "data-00000-of-00002.arrow").write_bytes(b"ARROW1 no")
    with pytest.raises(DpvizError, match="not a readable"):
        folders.read(tmp_path / "set")


# ------------------------------------------------------------------------------- uploads of parquet


BAD_ROWS = [
    (GOOD[: len(GOOD) // 2], "cat", "cannot be decoded"),
    (huge_png(), "cat", "megapixels"),
    (animated(), "dog", "animated"),
    (sixteen_bit(), "dog", "8 bits per channel"),
    (pickle.dumps({"a": 1}), "cat", "cannot be decoded"),
    (None, "dog", "is damaged or empty"),
    (b"", "dog", "cannot be decoded"),
    (GOOD, None, "has no label"),
    (GOOD, "../../etc", "leads out of its folder"),
    (GOOD, "/tmp", "leads out of its folder"),
    (GOOD, "C:\\x", "leads out of its folder"),
    (GOOD, "cat\x1b", "unprintable"),
    (GOOD, " ", "empty or longer than 60"),
    (GOOD, "x" * 70, "empty or longer than 60"),
]


def _content_name(content):
    return parquet_reader.content_name(zlib.crc32(content), len(content))


def test_parquet_upload_is_sorted_into_used_and_refused(tmp_path):
    good = [
        (tiny_sets.encoded(16, kind), label, "")
        for kind in ("PNG", "JPEG", "WEBP", "BMP")
        for label in ("cat", "dog")
        for _ in range(12)
    ]
    rows = [
        row
        for pair in zip(good, BAD_ROWS + [None] * len(good), strict=False)
        for row in pair
        if row
    ]
    parquet(
        tmp_path / "upload.parquet",
        [label for _, label, _ in rows],
        pictures=[content for content, _, _ in rows],
    )
    initial, messages = set(tmp_path.rglob("*")), []
    result = uploaded_pictures.sort_upload(
        tmp_path / "upload.parquet", tmp_path / "clean.zip", lambda *step: messages.append(step)
    )
    assert set(tmp_path.rglob("*")) - initial == {tmp_path / "clean.zip"}, "nothing else is written"
    assert len(result.used) == len(good) and messages[-1][2] == len(rows)
    refused = dict(result.refused)
    for i, (_, _, words) in enumerate(rows):
        assert (words in refused.pop(f"row {i}")) if words else f"row {i}" not in refused
    assert not refused
    again = folders.read(tmp_path / "clean.zip")
    assert again.class_names == ("cat", "dog") and not again.refused
    placed = {
        split: [
            content
            for content, _, words in rows
            if not words and picture_sets.by_hash(_content_name(content)) == split
        ]
        for split in ("train", "test")
    }
    for split, contents in placed.items():
        texts = {again.splits[split].read(i).tobytes() for i in range(len(again.splits[split]))}
        assert texts == {picture_files.decode(content, "it").tobytes() for content in contents}


def test_parquet_upload_uses_hub_class_names(tmp_path):
    parquet(tmp_path / "upload", [0, 1] * 12, ["ant", "bee"])
    assert {
        label
        for _, _, label in uploaded_pictures.sort_upload(
            tmp_path / "upload", tmp_path / "clean.zip"
        ).used
    } == {"ant", "bee"}


@pytest.mark.parametrize(
    ("limit", "value", "says"),
    [
        ("MEMBERS", 20, "24 rows. The limit is 20"),
        ("UNPACKED", 1000, "unpack to .* GiB. The limit is"),
    ],
)
def test_oversized_parquet_is_refused(tmp_path, monkeypatch, limit, value, says):
    parquet(tmp_path / "upload", [0, 1] * 12)
    monkeypatch.setattr(limits, limit, value)
    with pytest.raises(DpvizError, match=says):
        uploaded_pictures.sort_upload(tmp_path / "upload", tmp_path / "clean.zip")
    assert not (tmp_path / "clean.zip").exists()


def test_invalid_parquet_upload_is_refused_with_message(tmp_path):
    path = tmp_path / "upload"
    pq.write_table(pa.table({"image": [GOOD] * 9}), path)
    whole = path.read_bytes()
    damaged = whole[:200] + bytes(len(whole) - 400) + whole[-200:]
    for content, says in (
        (whole, "no column label"),
        (b"PAR1 no", "not a readable parquet"),
        (damaged, r"\.$"),
        (whole[:500], "not a readable"),
    ):
        path.write_bytes(content)
        with pytest.raises(DpvizError, match=says) as refusal:
            uploaded_pictures.sort_upload(path, tmp_path / "clean.zip")
        assert "\n" not in str(refusal.value) and not (tmp_path / "clean.zip").exists()


def test_custom_source_is_cached_by_path_until_changed(tmp_path):
    root = folder(
        tmp_path / "pets", [f"{s}/{c}/1.jpg" for s in ("train", "test") for c in ("cat", "dog")]
    )
    row = data.source(str(root))
    assert (
        data.source(str(root)) is row
        and row.classes == 2
        and row.state == "there"
        and data.public_choices(str(root))[0] == "none"
    )
    tiny_sets.jpeg(root / "train" / "cat" / "2.jpg")
    assert len(data.source(str(root)).images()["train"]) == 3
    with pytest.raises(DpvizError, match="or of a folder, .zip or .parquet file of images"):
        data.source(str(tmp_path / "nowhere"))
