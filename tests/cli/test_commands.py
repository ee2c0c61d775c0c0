"""The shell: the same numbers as the library, one JSON object, one sentence and status 2 for bad
input.
"""

import contextlib
import csv
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from dpviz.cli import main
from dpviz.experiments import experiment, release_file
from dpviz.text import cli as text
from dpviz.types import Budget, DpvizError, RunSpec
from tests.kit.full_disk import full_disk
from tests.kit.toys import toy_data


@pytest.fixture
def file(tmp_path):
    data = toy_data()
    path = tmp_path / "own.npz"
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    np.savez(path, **arrays, X_public=data.x_public, y_public=data.y_public)
    return str(path)


def run(file, *more):
    return ["run", "--dataset", file, "--method", "dppl-public", "--budget", "1", *more]


def test_run_prints_one_object_with_every_field(file, capsys):
    status = main(
        run(
            file,
            "--ir",
            "4",
            "--seed",
            "3",
            "--param",
            "d_min=1.2",
            "--param",
            "d_max=1.9",
            "--json",
        )
    )
    out = json.loads(
        capsys.readouterr().out,
        parse_constant=lambda word: pytest.fail(f"{word} is not strict JSON"),
    )
    assert status == 0
    assert {"dataset", "encoder", "method", "params", "budget", "ir", "seed", "accuracy"} <= set(
        out
    )
    assert {"guarantee", "purpose", "versions", "private_view"} <= set(out)
    assert set(out["budget"]) == {"value", "axis", "delta"}
    assert set(out["accuracy"]) == {"overall", "balanced", "per_class"}
    assert set(out["private_view"]) == {
        *("minority", "minority_classes", "class_counts", "delta_above_one_in_n", "seconds"),
        "ratio_reached",
    }
    assert out["purpose"] == text.REPLAY
    g = out["guarantee"]
    assert {
        "notion",
        "value",
        "delta",
        "adjacency",
        "public",
        "epsilon_delta",
        "rho",
        "source",
    } <= set(g)
    assert (g["notion"], g["delta"]) == ("pure", 1e-5) and 0 < g["rho"] < g["value"] <= 1
    assert out["params"] == {"d_min": 1.2, "d_max": 1.9}
    assert all(0 <= v <= 1 for v in out["accuracy"]["per_class"])


def test_shell_prints_library_numbers(file, capsys):
    main(run(file, "--seed", "2", "--json"))
    shell = json.loads(capsys.readouterr().out)["accuracy"]
    spec = RunSpec(file, None, "dppl-public", Budget(1.0), seed=2)
    library = experiment.sweep([spec], use_store=False)[0].scores
    assert shell == {
        "overall": library.overall,
        "balanced": library.balanced,
    } | {"per_class": list(library.per_class)}


@pytest.mark.parametrize("axis, value", [("zcdp", "0.125"), ("paper", "0.5"), ("approx", "inf")])
def test_run_reports_guarantee_on_every_axis(file, capsys, axis, value):
    assert main(run(file, "--axis", axis, "--budget", value, "--json")) == 0
    g = json.loads(capsys.readouterr().out)["guarantee"]
    if value == "inf":
        assert g["rho"] == g["epsilon_delta"] == "inf"
    else:
        rho, pure = {"zcdp": (0.125, 1.00695851216), "paper": (0.123301561482, 1.0)}[axis]
        assert g["rho"] == pytest.approx(rho) and g["value"] == pytest.approx(pure)


def said_aloud(value):
    """Every name and text outside of what is marked as a private view."""
    if isinstance(value, dict):
        inner = [said_aloud(v) for name, v in value.items() if name != "private_view"]
        return {*value, *(one for found in inner for one in found)} - {"private_view"}
    if isinstance(value, list):
        return {str(value), *(one for v in value for one in said_aloud(v))}
    return {str(value)}


COUNTS = [13, 29, 7, 31]


@pytest.fixture
def uneven(tmp_path):
    """A file whose class counts are in no setting."""
    data, path = toy_data(), tmp_path / "uneven.npz"
    keep = np.concatenate([np.flatnonzero(data.y == c)[:n] for c, n in enumerate(COUNTS)])
    arrays = {"X_train": data.x[keep], "y_train": data.y[keep]}
    arrays |= {"X_test": data.x_test, "y_test": data.y_test, "X_public": data.x_public}
    np.savez(path, **arrays)
    return str(path)


@pytest.mark.parametrize("command", ["run", "release"])
def test_private_view_is_separate_in_the_output(command, uneven, tmp_path, capsys):
    words = [command, *run(uneven, "--delta", "0.5", "--json")[1:]]
    assert main(words + (["--out", str(tmp_path / "o.npz")] if command == "release" else [])) == 0
    out = json.loads(capsys.readouterr().out)
    aloud = said_aloud(out)
    assert not {"class_counts", "minority_classes", "minority", "seconds"} & aloud
    assert not {str(COUNTS), str(sum(COUNTS)), *map(str, COUNTS)} & aloud
    assert out["private_view"]["delta_above_one_in_n"] is True
    if command == "run":
        assert out["private_view"]["class_counts"] == COUNTS
    assert "the set of classes" in out["guarantee"]["public"]
    assert out["guarantee"]["unit"] == "one record = one row of the file"


def test_run_text_marks_minority_score_as_private_view(file, capsys):
    assert main(run(file)) == 0
    before, after = capsys.readouterr().out.split("Private view, not covered by the guarantee: ")
    assert "minority" not in before
    assert after.splitlines()[0].endswith("% minority accuracy; actual imbalance ratio: 1.0.")


def test_note_on_an_empty_class_says_private_view(file, tmp_path, capsys):
    arrays, path = dict(np.load(file)), str(tmp_path / "gap.npz")
    keep = arrays["y_train"] != 1
    arrays |= {"X_train": arrays["X_train"][keep], "y_train": arrays["y_train"][keep]}
    np.savez(path, **arrays, class_names=np.array([str(c) for c in range(len(COUNTS))]))
    assert main(run(path)) == 0
    note = next(line for line in capsys.readouterr().err.splitlines() if "note: " in line)
    assert note.startswith("note: Private view, not covered by the guarantee: ")
    assert "no training record of class 1" in note


def test_large_delta_is_flagged(uneven, capsys):
    main(run(uneven, "--delta", "0.02"))
    assert "above 1/n" in capsys.readouterr().out
    main(run(uneven, "--delta", "0.01"))
    said = capsys.readouterr().out
    assert "above 1/n" not in said and text.REPLAY_SENTENCE in said
    for words in (
        "The guarantee starts at the rows of the file",
        "the set of classes",
        "Default settings: selected",
    ):
        assert words in said


RELEASE_REFUSED = [
    (["--seed", "3"], "has no seed"),
    (["--method", "class-mean"], "is not private, so it cannot be released"),
    (["--budget", "inf"], "finite budget"),
    (["--out", "/nowhere/at/all.npz"], "does not exist. Create it first."),
    (["--out", "/"], "is a folder"),
    (["--out", "x" * 300], "is not a valid file name"),
    (["--param", "d_min"], "NAME=VALUE"),
]


@pytest.mark.parametrize("more, words", RELEASE_REFUSED)
def test_invalid_release_is_refused(file, tmp_path, capsys, more, words):
    asked = ["release", *run(file)[1:], "--out", str(tmp_path / "o.npz"), *more]
    assert main(asked) == 2
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1 and not list(tmp_path.glob("o.npz"))


def test_release_is_not_overwritten(file, tmp_path, capsys):
    asked = ["release", *run(file)[1:], "--out", str(tmp_path / "o.npz")]
    assert main(asked) == 0 and "proved" in capsys.readouterr().out
    before = (tmp_path / "o.npz").read_bytes()
    assert main(asked) == 2 and "already exists" in capsys.readouterr().err
    assert (tmp_path / "o.npz").read_bytes() == before


def test_concurrent_releases_to_one_file_draw_noise_once(file, tmp_path, monkeypatch):
    """All threads arrive before the first one draws: one gets the file, the others a sentence."""
    asked = ["release", *run(file)[1:], "--out", str(tmp_path / "o.npz")]
    start, real, drawn = threading.Barrier(4), release_file.planned, []

    def planned(spec):
        plan = real(spec)
        start.wait(timeout=60)
        return plan

    draw = release_file.draw
    monkeypatch.setattr(release_file, "planned", planned)
    monkeypatch.setattr(release_file, "draw", lambda *a: drawn.append(1) or draw(*a))
    with ThreadPoolExecutor(4) as pool:
        statuses = sorted(pool.map(main, [asked] * 4))
    assert (statuses, len(drawn)) == ([0, 2, 2, 2], 1)
    assert np.load(tmp_path / "o.npz")["weights"].size


def test_failed_release_leaves_no_file(file, tmp_path, monkeypatch, capsys):
    out = tmp_path / "o.npz"
    asked = ["release", *run(file)[1:], "--out", str(out)]
    with full_disk(100):
        assert main(asked) == 2
    assert "Cannot write to" in capsys.readouterr().err and not out.exists()
    for error in (KeyboardInterrupt, DpvizError("no.")):
        monkeypatch.setattr(release_file, "draw", Mock(side_effect=error))
        assert main(asked) == (2 if isinstance(error, DpvizError) else 130)
        assert not out.exists()


@pytest.mark.parametrize("kind", ["fifo", "dangling link", "empty", "device", "read-only"])
def test_release_to_special_file_is_refused_before_noise(kind, file, tmp_path, monkeypatch, capsys):
    out, words = tmp_path / "o.npz", "already exists"
    if kind == "fifo":
        os.mkfifo(out)
    elif kind == "dangling link":
        out.symlink_to(tmp_path / "nowhere")
    elif kind == "empty":
        out.touch()
        words = "already exists and is empty. Another command is writing it or was interrupted."
    elif kind == "device":
        out = Path(os.devnull)
    else:
        out, words = Path("/proc/self/o.npz"), "Cannot write to"
    monkeypatch.setattr(release_file, "draw", Mock(side_effect=AssertionError("drawn")))
    assert main(["release", *run(file)[1:], "--out", str(out)]) == 2
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1
    assert kind not in ("fifo", "dangling link") or out.is_fifo() or out.is_symlink()


def test_release_writes_registry_entry_that_list_reads(file, tmp_path, capsys):
    out, draft = tmp_path / "o.npz", tmp_path / "o.yaml"
    asked = ["release", *run(file)[1:], "--out", str(out), "--registry", str(draft)]
    assert main(asked) == 0
    printed = capsys.readouterr().out
    assert "Fill in: data_curators, intended_use" in printed
    assert main(["list", "deployments", "--file", str(draft), "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    (row,) = read["deployments"]
    assert row["kinds"] == {
        "unit": "record",
        "adjacency": "add-remove",
        "model": "central",
        "trust": "curator",
    }
    assert row["levels"]["side_channels"] == "unknown" and row["levels"]["parameters"]
    assert main(["list", "deployments", "--file", str(draft)]) == 0
    assert "NIST SP 800-226, unit of privacy: Record-level" in capsys.readouterr().out
    (tmp_path / "both.yaml").write_text("---\n".join([draft.read_text()] * 2))
    assert main(["list", "deployments", "--file", str(tmp_path / "both.yaml")]) == 0
    assert "are printed for one entry. Give a file with one entry" in capsys.readouterr().out
    assert "δ = 1e-5 (ρ" in printed
    assert main([*asked[:-1], str(out)]) == 2
    assert "--out and --registry name the same file" in capsys.readouterr().err
    out.unlink()
    assert main(asked) == 2, "an existing entry is not overwritten"
    assert not out.exists() and "already exists" in capsys.readouterr().err


def test_list_deployments_filters_and_notes_different_units(tmp_path, capsys):
    assert main(["list", "deployments"]) == 0
    listed = capsys.readouterr().out
    assert "their units differ" in listed and "NIST" not in listed
    assert "their models differ (central; local). Use --model." in listed
    assert main(["list", "deployments", "--model", "local"]) == 0
    assert "models differ" not in capsys.readouterr().out
    assert main(["list", "deployments", "--unit", "record", "--adjacency", "replace"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and all("Unit: one record." in line for line in lines)
    assert main(["list", "deployments", "--model", "shuffle"]) == 0
    assert capsys.readouterr().out.startswith("No deployment fits")
    (tmp_path / "bad.yaml").write_text("tier: [")
    for words in (["deployments", "--file", str(tmp_path / "bad.yaml")], ["methods", "--unit=x"]):
        with contextlib.suppress(SystemExit):
            assert main(["list", *words]) == 2
        err = capsys.readouterr().err
        assert err and "Traceback" not in err
    assert main(["list", "methods", "--unit", "record"]) == 2
    assert "needs the table deployments" in capsys.readouterr().err


def test_list_prints_methods_and_their_settings(capsys):
    main(["list", "methods", "--json"])
    rows = {row["key"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["noisy-gd"]["private"] and not rows["logistic"]["private"]
    assert {p["name"] for p in rows["dppl-public"]["params"]} == {"d_min", "d_max"}
    for table in ("datasets", "encoders"):
        main(["list", table, "--json"])
        assert all(row["key"] and row["title"] for row in json.loads(capsys.readouterr().out))


def test_sweep_expands_and_matches_single_runs(file, tmp_path, capsys):
    spec, out = tmp_path / "sweep.toml", tmp_path / "results.csv"
    spec.write_text(
        f'dataset = "{file}"\nbudgets = [0.5, inf]\nir = [1, 4]\nseeds = 2\n'
        "[methods.dppl-mean]\n[methods.dppl-public]\nd_min = [1.0, 1.3]\n"
    )
    assert main(["sweep", str(spec), "--out", str(out)]) == 0
    rows = list(csv.DictReader(out.open()))
    assert len(rows) == 2 * 2 * 2 * (1 + 2)
    assert {r["method"] for r in rows} == {"dppl-mean", "dppl-public"}
    capsys.readouterr()
    main(run(file, "--budget", "0.5", "--ir", "4", "--seed", "1", "--param", "d_min=1.0", "--json"))
    single = json.loads(capsys.readouterr().out)
    match = [
        r
        for r in rows
        if (r["method"], r["budget"], r["ir"], r["seed"]) == ("dppl-public", "0.5", "4.0", "1")
    ]
    assert (
        float(next(r for r in match if r["d_min"] == "1.0")["balanced"])
        == single["accuracy"]["balanced"]
    )


BAD = [
    (["--budget", "0"], "Budget must be above 0 (inf: no privacy), got 0."),
    (["--budget", "-1"], "got -1."),
    (["--budget", "nan"], "got nan."),
    (["--budget", "plenty"], "must be a number"),
    (["--axis", "pure"], "Budget axis must be one of"),
    (["--delta", "0"], "Delta"),
    (["--delta", "2"], "Delta"),
    (["--ir", "0.5"], "Imbalance ratio"),
    (["--records", "2.5"], "Records per class must be a whole number"),
    (["--seed", "-1"], "Seed"),
    (["--seed", "x"], "Seed"),
    (["--method", "magic"], "Unknown method"),
    (["--param", "d_min=1.9", "--param", "d_max=1.2"], "below d_max"),
    (["--param", "d_min=x"], "must be a number"),
    (["--param", "K=3"], "Unknown parameter `K`"),
    (["--param", "d_min"], "NAME=VALUE"),
    (["--method", "dppl-publick", "--param", "k=151"], "public images"),
    (["--dataset", "nothing-of-the-kind"], "nothing-of-the-kind"),
    (["--dataset", "missing.npz"], "missing.npz"),
    (["--encoder", "glyphnet"], "encoder"),
]


@pytest.mark.parametrize("more, says", BAD, ids=[" ".join(b[0]) for b in BAD])
def test_invalid_input_exits_2_with_one_line(file, capsys, more, says):
    assert main(run(file, *more)) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and says in shown.err
    assert shown.err.count("\n") == 1 and "Traceback" not in shown.err


@pytest.mark.parametrize(
    "text, says",
    [
        ("not toml [", "not valid TOML"),
        (
            'dataset = "x.npz"\nbudgets = [1]\nmethods = ["dppl-mean"]\ncolour = 3',
            "Unknown keys in",
        ),
        ("budgets = [1]", "has no key `dataset`"),
        (
            'dataset = "x.npz"\nbudgets = []\nmethods = ["dppl-mean"]',
            "between 1 and 1,000,000 cells, got 0",
        ),
        ('dataset = "x.npz"\nbudgets = [0]\nmethods = ["dppl-mean"]', "Budget must be above 0"),
        ('dataset = "x.npz"\nbudgets = [1]\nseeds = "many"\nmethods = ["dppl-mean"]', "seeds"),
        ('dataset = 3\nbudgets = [1]\nmethods = ["dppl-mean"]', "dataset"),
        ('dataset = "x.npz"\nbudgets = [1]\nmethods = [["dppl-mean"]]', "Unknown method"),
        ('dataset = "x.npz"\nbudgets = [1]\n[methods]\ndppl-mean = 3', "table of settings"),
        ('dataset = "x.npz"\nbudgets = [1]\nseeds = ["a"]\nmethods = ["dppl-mean"]', "Seed"),
    ],
)
def test_invalid_sweep_file_gives_one_line_error(tmp_path, capsys, text, says):
    path = tmp_path / "s.toml"
    path.write_text(text)
    assert main(["sweep", str(path), "--out", str(tmp_path / "o.csv")]) == 2
    assert says in capsys.readouterr().err


def test_usage_error_is_one_line(capsys):
    for argv in (["run"], ["dance"], ["list", "colours"]):
        assert main(argv) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1 and err.endswith(".\n")


def test_too_many_workers_are_refused_at_once(file, tmp_path, capsys):
    spec = tmp_path / "sweep.toml"
    spec.write_text(f'dataset = "{file}"\nbudgets = [1]\nmethods = ["class-mean"]\n')
    line = ["sweep", str(spec), "--out", str(tmp_path / "out.csv"), "--workers", "9" * 40]
    assert main(line) == 2 and "between 1 and 512" in capsys.readouterr().err
