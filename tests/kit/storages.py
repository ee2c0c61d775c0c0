"""Small Optuna storages, written without Optuna."""

from __future__ import annotations

import json
import sqlite3

FLOAT = json.dumps({"name": "FloatDistribution", "attributes": {"low": 0, "high": 9, "log": False}})
INT = json.dumps({"name": "IntDistribution", "attributes": {"low": 0, "high": 9, "step": 1}})
CHOICE = json.dumps({"name": "CategoricalDistribution", "attributes": {"choices": ["a", None, 2]}})
TABLES = """
CREATE TABLE studies (study_id INTEGER PRIMARY KEY, study_name VARCHAR(512));
CREATE TABLE study_directions (direction VARCHAR(8), study_id INTEGER, objective INTEGER);
CREATE TABLE trials (trial_id INTEGER PRIMARY KEY, number INTEGER, study_id INTEGER, state TEXT);
CREATE TABLE trial_values (trial_id INTEGER, objective INTEGER, value FLOAT, value_type TEXT);
CREATE TABLE trial_params
  (trial_id INTEGER, param_name TEXT, param_value FLOAT, distribution_json TEXT);
"""
#: Two studies that share one setting, and one with two objectives.
ROWS = f"""
INSERT INTO studies VALUES (1, 'first'), (2, 'second'), (3, 'two goals');
INSERT INTO study_directions VALUES
  ('MINIMIZE', 1, 0), ('MINIMIZE', 2, 0), ('MINIMIZE', 3, 0), ('MAXIMIZE', 3, 1);
INSERT INTO trials VALUES (1, 0, 1, 'COMPLETE'), (2, 1, 1, 'COMPLETE'), (3, 2, 1, 'PRUNED'),
  (4, 0, 2, 'COMPLETE'), (5, 1, 2, 'RUNNING'), (6, 0, 3, 'COMPLETE');
INSERT INTO trial_values VALUES (1, 0, 0.5, 'FINITE'), (2, 0, 0.25, 'FINITE'),
  (4, 0, 0.75, 'FINITE'), (6, 1, NULL, 'INF_POS'), (6, 0, 1.5, 'FINITE');
INSERT INTO trial_params VALUES (1, 'x', 0.1, '{FLOAT}'), (1, 'n', 3.0, '{INT}'),
  (1, 'c', 1.0, '{CHOICE}'), (2, 'x', 0.2, '{FLOAT}'), (2, 'n', 4.0, '{INT}'),
  (2, 'c', 0.0, '{CHOICE}'), (4, 'c', 0.0, '{CHOICE}'), (4, 'n', 4.0, '{INT}'),
  (4, 'x', 0.2, '{FLOAT}');
"""


def storage(more: str = "", tables: str = TABLES, rows: str = ROWS) -> bytes:
    """Return a storage after further SQL."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(tables + rows + more)
    return connection.serialize()
