"""``python -m dpviz pate``: anyone's votes in, every way to count out; bad files and options get
one sentence.
"""

import io
import json
import zipfile

import numpy as np
import pytest

from dpviz.cli import main
from dpviz.privacy import vote_costs

OPTIONS = ["--threshold", "600", "--sigma1", "200", "--sigma2", "50"]
EXAMPLE = np.repeat([[900, 50, 30, 20, 0, 0, 0, 0, 0, 0]], 1000, axis=0)


@pytest.fixture
def store(tmp_path):
    def write(votes, **more):
        path = tmp_path / "own.npz"
        np.savez_compressed(path, votes=votes, **more)
        return ["pate", "--votes", str(path)]

    return write


def refusal(command, capsys) -> str:
    assert main(command) == 2
    out = capsys.readouterr()
    assert not out.out and out.err.count("\n") == 1
    return out.err


def test_every_epsilon_of_known_example_is_printed(store, capsys):
    assert main([*store(EXAMPLE), *OPTIONS, "--delta", "1e-5", "--json"]) == 0
    out = capsys.readouterr()
    found = json.loads(
        out.out, parse_constant=lambda word: pytest.fail(f"{word} is not strict JSON")
    )
    assert not out.err
    told, found = found, found["private_view"]
    assert not set(found) & set(told) and told["epsilon_all_answered"] > 0
    assert found["answered_expected"] == pytest.approx(933.1928, abs=1e-3)
    assert (found["epsilon_expected"], found["order"]) == (pytest.approx(0.771223, abs=1e-6), 31.5)
    independent = vote_costs.data_independent(1000, found["answered_expected"], 200.0, 50.0, 1e-5)
    assert found["epsilon_data_independent"] == pytest.approx(independent.epsilon_delta)
    assert (
        found["epsilon_expected"]
        < found["epsilon_sanitized"]["mean"]
        < found["epsilon_data_independent"]
    )
    assert found["epsilon_sanitized"]["std"] > 0
    assert found["paper_proof"]["ratio"] == pytest.approx(2 + 1000 / 933.1928 / 16, abs=1e-5)
    assert {"answered_expected", "epsilon_expected", "epsilon_sanitized"} <= set(found["why"])


def test_fewer_queries_without_sanitizing_or_threshold(store, capsys):
    command = store(EXAMPLE.astype(np.float32))
    main([*command, *OPTIONS, "--queries", "10", "--no-sanitize", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["queries"] == 10 and found["private_view"]["epsilon_sanitized"] is None
    main([*command, "--sigma2", "50", "--queries", "10", "--no-sanitize", "--json"])
    plain = json.loads(capsys.readouterr().out)
    seen = plain["private_view"]
    assert seen["answered_expected"] == 10 and plain["threshold"] == "-inf"
    assert seen["epsilon_data_independent"] == plain["epsilon_all_answered"]


def test_output_outside_the_private_view_reads_no_votes(store, capsys):
    shown = []
    for votes in (EXAMPLE[:20], EXAMPLE[:20, ::-1] // 2 + 50):
        main([*store(votes), *OPTIONS, "--json"])
        shown.append(json.loads(capsys.readouterr().out))
    views = [one.pop("private_view") for one in shown]
    assert shown[0] == shown[1] and views[0] != views[1]


def test_text_output_without_json(store, capsys):
    assert main([*store(EXAMPLE[:50]), *OPTIONS]) == 0
    text = capsys.readouterr().out
    assert "1,000 teachers" in text and "not releasable" in text and "sanitized" in text


def test_text_above_the_private_view_reads_no_votes(store, capsys):
    shown = []
    for votes in (EXAMPLE[:20], EXAMPLE[:20, ::-1] // 2 + 50):
        main([*store(votes), *OPTIONS])
        shown.append(capsys.readouterr().out.partition("Private view"))
    (first, *_, below), (second, *_, other) = shown
    assert "epsilon" in first and first == second
    assert below.index("data-independent") < below.index("sanitized, including the cost")
    for figure in ("answered queries", "expected", "data-independent", "sanitized", "proof in the"):
        assert figure in below and figure not in first
    assert below != other


@pytest.mark.parametrize(
    "votes, says",
    [
        ([[5, 3], [5, 4]], "row 1 of votes in own.npz sums to 9, and row 0 sums to 8"),
        ([[5, 3], [9, -1]], "Row 1"),
        ([[5, 3], [4.5, 3.5]], "Row 1"),
        ([[5, 3], [np.nan, 8]], "Row 1"),
        ([[0, 0]], "0 teachers"),
        ([[2**31, 1]], "Row 0"),
        ([5, 3], "2-dimensional"),
        ([[5], [5]], "got 1"),
        (np.zeros((0, 3), int), "non-empty"),
        ([["5", "3"]], "whole numbers"),
        (np.array([[{}, 1]], dtype=object), "object"),
    ],
)
def test_bad_votes_are_refused_with_message(store, capsys, votes, says):
    assert says in refusal([*store(votes), *OPTIONS], capsys)


@pytest.mark.parametrize(
    "options, says",
    [
        (["--threshold", "600", "--sigma2", "50"], "must be used together"),
        (["--threshold", "many", "--sigma1", "2", "--sigma2", "50"], "many"),
        (["--threshold", "nan", "--sigma1", "2", "--sigma2", "50"], "nan"),
        (["--sigma2", "0"], "sigma2"),
        (["--sigma2", "inf"], "sigma2"),
        ([*OPTIONS, "--queries", "0"], "between 1 and"),
        ([*OPTIONS, "--queries", "4"], "between 1 and 3"),
        ([*OPTIONS, "--queries", "2.5"], "whole number"),
        ([*OPTIONS, "--delta", "1"], "Delta"),
        (["--threshold", "600"], "sigma2"),
    ],
)
def test_bad_options_are_refused_with_message(store, capsys, options, says):
    assert says in refusal([*store(EXAMPLE[:3]), *options], capsys)


def test_bad_files_are_refused_with_message(store, tmp_path, capsys):
    assert "not found" in refusal(["pate", "--votes", str(tmp_path / "none.npz"), *OPTIONS], capsys)
    assert "unexpected" in refusal([*store(EXAMPLE, more=EXAMPLE), *OPTIONS], capsys)
    path = tmp_path / "other.npz"
    np.savez(path, counts=EXAMPLE)
    assert "votes" in refusal(["pate", "--votes", str(path), *OPTIONS], capsys)
    path.write_bytes(b"no archive")
    assert "readable" in refusal(["pate", "--votes", str(path), *OPTIONS], capsys)


def test_oversized_header_unpacks_nothing(tmp_path, capsys):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<i8", "fortran_order": False, "shape": (10**6, 10)}
    )
    with zipfile.ZipFile(tmp_path / "huge.npz", "w") as archive:
        archive.writestr("votes.npy", header.getvalue())
    assert "does not have the length" in refusal(
        ["pate", "--votes", str(tmp_path / "huge.npz"), *OPTIONS], capsys
    )
