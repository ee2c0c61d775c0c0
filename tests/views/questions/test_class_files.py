"""Files of a class: a bad row is told with file and line, and the rest is read."""

import pytest

from dpviz.types import DpvizError
from dpviz.views.questions import class_files
from tests.kit.charts import HOSTILE
from tests.kit.made_up_class import csv, rows

GOOD = rows(1, 0.5, 0.5)


def with_row(**changed):
    row = dict(zip(class_files.COLUMNS, GOOD[3], strict=True)) | changed
    return csv([*GOOD[:3], tuple(row.values()), *GOOD[4:]])


def test_every_row_is_read_and_rescored():
    lies = [(*row[:6], 1 - row[6], *row[7:]) for row in GOOD]
    found = class_files.read([("a.csv", csv(lies)), ("b.csv", csv(rows(3, 0, 1)[24:]))])
    assert len(found.answers) == 72 and not found.left_out
    told = [row[6] for row in GOOD]
    assert [a.right for a in found.answers[:24]] == told, (
        "what a file says of right is not believed"
    )


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"answer": "e"}, "'e' is not an answer to question `encoder`."),
        (
            {"answer": HOSTILE},
            "`answer` is longer than" if len(HOSTILE) > 40 else "is not an answer",
        ),
        ({"when": "later"}, "`when` must be one of before, after, got 'later'."),
        ({"lesson": "magic"}, "got 'magic'"),
        ({"confidence": "1e9"}, "got '1e9'"),
        ({"id": "=cmd()"}, "`id` must have 1 to 40"),
        ({"id": "x" * 10_000}, "`id` is longer than 40"),
    ],
)
def test_invalid_row_is_reported_with_line_and_skipped(changed, why):
    found = class_files.read([("../we ird.csv", with_row(**changed))])
    assert len(found.answers) == 23 and len(found.left_out) == 1
    assert found.left_out[0].startswith("we ird.csv, line 5: ") and why in found.left_out[0]


def test_duplicate_file_counts_once_conflicting_answer_is_skipped():
    again = csv(GOOD)
    assert len(class_files.read([("a", again), ("b", again)]).answers) == 24
    row = dict(zip(class_files.COLUMNS, GOOD[3], strict=True))
    other = next(letter for letter in "abcd" if letter != row["answer"])
    found = class_files.read([("a", again), ("b", with_row(answer=other))])
    assert len(found.answers) == 24 and "The first one counts" in found.left_out[0]


def test_joined_and_spreadsheet_files_are_read():
    joined = csv(GOOD) + b"\xef\xbb\xbf" + csv(rows(2, 0.5, 0.5)[24:])
    assert len(class_files.read([("all.csv", joined)]).answers) == 48
    spreadsheet = csv(GOOD).replace(b",", b";")
    assert len(class_files.read([("all.csv", spreadsheet)]).answers) == 24


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"PK\x03\x04", b'id,"\n', b"a,b\n1,2\n", b"\x80\x04pickle"]
)
def test_invalid_file_gives_message(content):
    found = class_files.read([("x.csv", content), ("good.csv", csv(GOOD))])
    assert len(found.answers) == 24 and len(found.left_out) == 1
    assert found.left_out[0].startswith("x.csv")


def test_file_sizes_are_limited(monkeypatch):
    monkeypatch.setattr(class_files, "ROWS", 30)
    monkeypatch.setattr(class_files, "FILES", 3)
    monkeypatch.setattr(class_files, "MEGABYTES", 0)
    with pytest.raises(DpvizError, match="larger than"):
        class_files.read([("a", csv(GOOD))])
    monkeypatch.setattr(class_files, "MEGABYTES", 1)
    with pytest.raises(DpvizError, match="limit is 30"):
        class_files.read([("a", csv(rows(2, 0.5, 0.5)))])
    with pytest.raises(DpvizError, match="limit is 3"):
        class_files.read([("a", b"")] * 4)


def test_many_invalid_rows_are_summarized():
    bad = [(*row[:5], "?", *row[6:]) for row in rows(4, 0.5, 0.5)]
    told = class_files.read([("a.csv", csv(bad))]).left_out
    assert len(told) == class_files.MOST_REFUSALS + 1 and told[-1] == "Left out: 76 more rows."
