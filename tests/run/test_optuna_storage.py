"""Optuna storages of others: what is read, and what is refused."""

import json
import math
import sqlite3

import pytest

from dpviz.experiments import optuna_storage
from dpviz.experiments.optuna_storage import StoredTrial
from dpviz.types import DpvizError
from tests.kit.storages import CHOICE, ROWS, TABLES, storage


def test_studies_have_trials_values_and_settings():
    first, second, both = optuna_storage.parsed(storage(), "o.db")
    assert [study.name for study in (first, second, both)] == ["first", "second", "two goals"]
    assert first.trials == (
        StoredTrial(0, "COMPLETE", (0.5,), {"x": 0.1, "n": 3, "c": None}),
        StoredTrial(1, "COMPLETE", (0.25,), {"x": 0.2, "n": 4, "c": "a"}),
        StoredTrial(2, "PRUNED", (), {}),
    )
    assert first.best == first.trials[1] and len(second.finished) == 1
    assert both.directions == ("minimize", "maximize") and both.best is None
    assert both.trials[0].values == (1.5, math.inf)


def test_best_follows_the_direction():
    maximized = storage("UPDATE study_directions SET direction = 'MAXIMIZE' WHERE study_id = 1;")
    first, *_ = optuna_storage.parsed(maximized, "o.db")
    assert first.best == first.trials[0]


def test_storage_written_by_optuna_is_read_and_unchanged(tmp_path):
    optuna = pytest.importorskip("optuna")
    path = tmp_path / "o.db"
    study = optuna.create_study(storage=f"sqlite:///{path}", study_name="mine")
    study.optimize(
        lambda trial: trial.suggest_float("x", 0, 1) + trial.suggest_categorical("c", [1, 2]),
        n_trials=3,
    )
    before = path.read_bytes()
    for place in (str(path), f"sqlite:///{path}"):
        [stored] = optuna_storage.read(place)
        assert stored.name == "mine" and stored.directions == ("minimize",)
        assert [trial.params for trial in stored.trials] == [t.params for t in study.trials]
        assert stored.best.values[0] == study.best_value and stored.best.number == (
            study.best_trial.number
        )
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["o.db"]


def test_storage_in_wal_mode_is_read_once_closed(tmp_path):
    path = tmp_path / "o.db"
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.executescript(TABLES + ROWS)
    with pytest.raises(DpvizError, match=r"has changes in o\.db-wal\. Close"):
        optuna_storage.read(str(path))
    writer.close()
    assert len(optuna_storage.read(str(path))) == 3


@pytest.mark.parametrize("place", ["mysql://a/b", "postgresql://x", "sqlite://x", "http://x/o.db"])
def test_other_urls_are_refused(place):
    with pytest.raises(DpvizError, match="must be an SQLite file or a sqlite:/// URL"):
        optuna_storage.read(place)


def bomb(table, columns):
    """SQL of a view that counts for ever in place of a table."""
    return (
        f"DROP TABLE {table}; CREATE VIEW {table} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
        f" SELECT i + 1 FROM n) SELECT {', '.join(f'max(i) AS {name}' for name in columns)} FROM n;"
    )


@pytest.mark.parametrize(
    "content, reason",
    [
        (b"", "is not an SQLite file"),
        (b"PK\3\4" + b"x" * 99, "is not an SQLite file"),
        (optuna_storage.HEADER + b"\xff" * 5000, "damaged or no Optuna storage"),
        (storage()[:9000], "damaged or no Optuna storage"),
        (storage(tables="CREATE TABLE x (y);", rows=""), "has no table `studies`"),
        (storage(bomb("trials", ("trial_id", "number", "study_id", "state"))), "no table `trials`"),
        (storage("UPDATE trial_params SET distribution_json = '[]';"), "damaged or no"),
        (storage("UPDATE trial_params SET distribution_json = NULL;"), "damaged or no"),
        (storage(f"UPDATE trial_params SET distribution_json = '{'[' * 9_999}';"), "damaged or no"),
        (storage(f"UPDATE trial_params SET distribution_json = '{' ' * 10_001}';"), "damaged or"),
        (storage("UPDATE trial_params SET param_value = -1 WHERE param_name = 'c';"), "damaged or"),
        (storage("UPDATE trial_params SET param_value = 7 WHERE param_name = 'c';"), "damaged or"),
        (storage("UPDATE trial_params SET param_value = 9e999;"), "damaged or no"),
        (storage("UPDATE trial_values SET value = 'x', value_type = 'FINITE';"), "damaged or no"),
        (storage("UPDATE trials SET number = x'00';"), "damaged or no"),
    ],
)
def test_hostile_file_gets_one_sentence(content, reason):
    with pytest.raises(DpvizError, match=reason):
        optuna_storage.parsed(content, "o.db")


def test_computed_columns_and_functions_do_not_run():
    tables = TABLES.replace(
        "study_name VARCHAR(512)",
        "study_name AS (hex(zeroblob(400000)) || hex(zeroblob(400000)))",
    )
    rows = ROWS.replace(
        "INSERT INTO studies VALUES (1, 'first'), (2, 'second'), (3, 'two goals');",
        "INSERT INTO studies (study_id) VALUES (1);",
    )
    with pytest.raises(DpvizError, match="damaged or no"):
        optuna_storage.parsed(storage(tables=tables, rows=rows), "o.db")


def test_reading_other_tables_and_writing_is_denied():
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES + ROWS + "CREATE TABLE secret (x);")
    optuna_storage._restrict(connection)
    assert connection.execute("SELECT study_name FROM studies").fetchall()
    for sql in (
        "SELECT x FROM secret",
        "DELETE FROM studies",
        "ATTACH '/etc/passwd' AS other",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')",
    ):
        with pytest.raises(sqlite3.Error, match="prohibited|not authorized|denied"):
            connection.execute(sql)


def test_queries_end_after_the_time_limit(monkeypatch):
    monkeypatch.setattr(optuna_storage, "MAX_SECONDS", 0.1)
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    connection.executemany("INSERT INTO trials VALUES (?, 0, 1, 'x')", ((i,) for i in range(3000)))
    optuna_storage._restrict(connection)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        connection.execute(
            "SELECT a.state FROM trials a, trials b, trials c WHERE a.number + b.number + c.number"
        ).fetchall()


def test_limits_of_size_and_rows_are_stated(monkeypatch):
    monkeypatch.setattr(optuna_storage, "MAX_BYTES", 1 << 20)
    with pytest.raises(DpvizError, match="too large: the limit is 1 MiB"):
        optuna_storage.parsed(b"x" * ((1 << 20) + 1), "o.db")
    monkeypatch.setitem(optuna_storage.LIMITS, "trials", 5)
    with pytest.raises(DpvizError, match="too many trials: the limit is 5"):
        optuna_storage.parsed(storage(), "o.db")


def test_names_are_short_and_printable():
    name = "x\n\x00" + "y" * 500
    choices = json.loads(CHOICE)
    choices["attributes"]["choices"][0] = {"nested": ["z" * 500]}
    content = storage(
        f"UPDATE studies SET study_name = replace('{'y' * 500}', 'yy', char(10) || 'y');"
        f"UPDATE trial_params SET distribution_json = '{json.dumps(choices)}' WHERE"
        " param_name = 'c';"
    )
    first, *_ = optuna_storage.parsed(content, name)
    assert len(first.name) <= optuna_storage.MAX_NAME and first.name.isprintable()
    value = first.trials[1].params["c"]
    assert isinstance(value, str) and len(value) <= optuna_storage.MAX_VALUE
