"""A second file of features as the public set, and classes that features declare."""

import dataclasses
import io
import itertools
import os
import shutil

import numpy as np
import pytest
from PIL import Image

from dpviz import data
from dpviz.cli import main
from dpviz.data import untrusted_files, uploads
from dpviz.data.readers import public_features
from dpviz.experiments import experiment, release_file
from dpviz.methods import METHODS
from dpviz.methods.components import public_sets, teachers
from dpviz.types import Budget, DpvizError, RunSpec, unit_rows

CENTERS = 2 * np.random.default_rng(0).normal(size=(4, 12))
NAMES = np.array(list("abcd"))


def around(labels, dim=12):
    noise = np.random.default_rng(1).normal(size=(len(labels), dim))
    return (CENTERS[labels][:, :dim] + noise).astype(np.float32)


def written(path, **arrays):
    np.savez(path, **arrays)
    return str(path)


@pytest.fixture
def own(tmp_path):
    y, tested = np.repeat([0, 1, 3], [40, 30, 20]), np.repeat([0, 1, 2], 10)
    arrays = {"X_train": around(y), "y_train": y, "X_test": around(tested), "y_test": tested}
    return written(tmp_path / "own.npz", **arrays, class_names=NAMES, encoder=np.array("vit"))


@pytest.fixture
def public(tmp_path):
    y = np.repeat([0, 1, -1, 3], 20)
    return written(tmp_path / "public.npz", X_public=around(np.maximum(y, 0)), y_public=y)


def test_second_file_is_public_set_ignoring_unknown_arrays(own, public):
    product = data.load(own, None, public)
    assert product.x_public.shape == (80, 12) and product.public_key == "uploaded"
    assert np.bincount(product.labelled_public[1], minlength=4).tolist() == [20, 20, 0, 20]
    assert product.notes == (
        "Other arrays in own.npz are ignored: encoder.",
        "own.npz has no training record of class 2: no method can learn the class.",
        "own.npz has no test record of class 3: accuracies exclude the class.",
        "20 of 80 rows of public.npz have no label.",
    )
    assert data.load(own, None).x_public is None
    assert product.fingerprint != data.load(own, None).fingerprint
    assert data.load(own, None, "none").x_public is None


def test_labels_of_other_classes_do_not_match_private(own, tmp_path):
    y = np.repeat([0, 1, 2, 4], 20)  # the private data has 4 classes: 0 to 3
    bare = written(tmp_path / "other.npz", X_public=around(y % 4), y_public=y)
    product = data.load(own, None, bare)
    assert len(product.labelled_rows[1]) == 0 and len(product.x_public) == 80
    assert "go up to 4, but the private data has 4 classes" in product.notes[-1]
    names = np.array(list("abxyz"))
    named = written(tmp_path / "named.npz", X_public=around(y % 4), y_public=y, class_names=names)
    assert np.unique(data.load(own, None, named).labelled_rows[1]).tolist() == [0, 1]


@pytest.mark.parametrize("key", [k for k in METHODS if k != "prom-pate"])
def test_every_method_runs_with_empty_declared_class(own, public, key):
    budget = Budget(1.0 if METHODS[key].private else float("inf"))
    spec = RunSpec(own, None, key, budget, public=public)
    result = experiment.sweep([spec], use_store=False)[0]
    assert result.class_counts == (40, 30, 0, 20) and result.scores.balanced > 0.2


def test_card_states_whether_classes_were_declared(own, public, tmp_path):
    spec = RunSpec(own, None, "dppl-mean", Budget(1.0))
    assert "read from the data" not in experiment.planned(spec).guarantee.public
    y = np.arange(20) % 2
    x = around(y)
    bare = written(tmp_path / "bare.npz", X_train=x, y_train=y, X_test=x, y_test=y)
    spec = dataclasses.replace(spec, dataset=bare)
    assert "list of classes, which was read" in experiment.planned(spec).guarantee.public
    (tmp_path / "names.txt").write_text("ant\nbee\nyak\n")
    spec = dataclasses.replace(spec, classes=str(tmp_path / "names.txt"))
    card = release_file.card(spec, release_file.planned(spec))
    assert card["classes"] == ["ant", "bee", "yak"]
    assert "read from the data" not in card["guarantee"]["public"]


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        (
            {"X_public": around([0, 1], 9)},
            "9 features per row, but own.npz has 12. Use .* same encoder",
        ),
        ({"Z": np.ones((3, 12), np.float32)}, "bad.npz has no X_public"),
        ({"X": around([0, 1])}, "bad.npz has no X_public"),
        ({"X_train": around([0, 1]), "y_train": np.arange(2)}, "bad.npz has no X_public"),
        ({"X_public": around([0, 1]), "y_public": np.arange(3)}, "or -1 for rows without a label"),
        ({"X_public": around([0, 1]), "y_public": np.array([0, -2])}, "or -1 for no label"),
    ],
)
def test_invalid_second_file_is_refused_with_message(own, tmp_path, arrays, says):
    path = written(tmp_path / "bad.npz", **arrays)
    with pytest.raises(DpvizError, match=says):
        data.load(own, None, path)


def test_other_arrays_of_public_file_are_ignored(own, tmp_path):
    extra = {"X": around([0, 1]), "X_train": around([1, 3]), "y_train": np.arange(2)}
    product = data.load(own, None, written(tmp_path / "p.npz", X_public=around([0, 1, 2]), **extra))
    assert len(product.x_public) == 3 and product.y_public is None
    assert "Other arrays in p.npz are ignored: X, X_train, y_train." in product.notes


def linked(own, path):
    os.symlink(own, path)


def hard_linked(own, path):
    os.link(own, path)


@pytest.mark.parametrize("make", [linked, hard_linked, shutil.copy, None])
def test_private_file_is_refused_as_own_public_set(own, tmp_path, make):
    path = tmp_path / "public.npz"
    if make:
        make(own, path)
    with pytest.raises(DpvizError, match="has the same files as the private set"):
        data.load(own, None, str(path) if make else own)


def test_private_folder_is_refused_as_listed_public_set(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path))
    for split, kind in itertools.product(("train", "test"), "ab"):
        folder = tmp_path / "cifar10" / split / kind
        folder.mkdir(parents=True)
        for i in range(3):
            pixels = np.full((8, 8, 3), 20 * i + 5 * ord(kind) % 99, np.uint8)
            Image.fromarray(pixels).save(folder / f"{i}.png")
    linked(tmp_path / "cifar10", tmp_path / "mine")
    for name in ("cifar10", "mine"):
        with pytest.raises(DpvizError, match="has the same files as the private set"):
            data.load(str(tmp_path / name), "glyphnet", "cifar10")


def test_missing_public_set_error_lists_alternatives(own):
    with pytest.raises(DpvizError) as refusal:
        experiment.planned(RunSpec(own, None, "dppl-public", Budget(1.0)))
    text = str(refusal.value)
    assert text.startswith(
        "DPPL-Public needs a public set, and this data set has none. Add X_public"
    )
    assert "DPPL-Mean" in text and "glyphs" not in text and "--" not in text
    assert "--public FILE.npz" in refusal.value.options


def test_only_command_line_names_public_set_options(own, capsys):
    assert main(["run", "--dataset", own, "--method", "dppl-public", "--budget", "1"]) == 2
    text = capsys.readouterr().err
    assert text.startswith("DPPL-Public needs a public set") and "--public FILE.npz" in text


def test_public_labels_may_be_partly_missing(own, public):
    product = data.load(own, None, public)
    rows = np.arange(80)
    names = dataclasses.replace(product, public_names=tuple("abcd"))
    for group in (product, names):
        assert np.array_equal(teachers._truth(group, rows) < 0, product.y_public < 0)
    groups = public_sets.groups(unit_rows(product.x_public), product.y_public, fewest=2)
    assert len(groups) == 80 and groups.min() == 0, "rows without a label are no class"


def test_uploaded_public_file_is_read_in_own_process(own, public):
    with open(public, "rb") as file:
        name = uploads.keep(file.read())
    gap = untrusted_files.public_features(uploads.path(name))
    here = public_features.read(io.BytesIO(uploads.path(name).read_bytes()), gap.name)
    assert np.array_equal(gap.x, here.x) and np.array_equal(gap.y, here.y)
    assert gap.names is None and gap.notes == here.notes
    product = data.load(own, None, str(uploads.path(name)))
    assert len(product.x_public) == 80
