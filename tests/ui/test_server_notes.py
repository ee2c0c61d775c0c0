"""What the server says beside the results reaches every open tab once, whoever noticed it."""

import math
import sqlite3

import pytest

from dpviz.experiments import experiment, store_file
from dpviz.experiments.worker_processes import Pool
from dpviz.machine import notes
from dpviz.ui.tuning import answer
from tests.kit.sweeps import ran
from tests.kit.whole_app import opened
from tests.run.test_worker_processes import silent, specs, sweep

pytestmark = pytest.mark.slow


def toasts(at):
    return [toast.value for toast in at.toast]


def test_note_is_shown_once_per_open_tab(monkeypatch):
    monkeypatch.setattr(notes, "_last_times", {})
    first, second = opened("glossary"), opened("glossary")
    notes.publish("The disk is full; <b>free</b> space.")
    for tab in (first, second):
        (told,) = toasts(tab.run())
        assert "disk is full" in told and "\\<b" in told
        assert toasts(tab.run()) == []
    assert toasts(opened("glossary")) == [], "a tab opened later hears of what happens then"


def test_page_works_with_damaged_store_and_reports_it(labelled, monkeypatch):
    monkeypatch.setattr(notes, "_last_times", {})
    file = store_file.cache_dir() / store_file.FILE_NAME
    file.write_bytes(b"not a database at all" * 500)
    at = opened("who_pays", data=labelled)
    at = at if toasts(at) else at.run()
    assert not at.exception and not at.error
    assert "moved to" in toasts(at)[0] and file.exists()


def test_sweep_in_locked_store_gives_message_until_unlocked(own, tmp_path, monkeypatch):
    ran(own, tmp_path)
    monkeypatch.setattr(store_file, "LOCK_WAIT", 0.05)
    monkeypatch.setattr(store_file, "MAX_TOTAL_WAIT", 0.1)
    monkeypatch.setattr(
        store_file, "_waits", {r: {"left": math.inf, "at": -math.inf} for r in (True, False)}
    )
    holder = sqlite3.connect(store_file.cache_dir() / store_file.FILE_NAME)
    holder.execute("PRAGMA journal_mode=DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    at = opened("sweeps", data=own)
    assert "locked" in at.error[0].value
    holder.close()
    assert not at.run().error and at.get("plotly_chart")


def test_study_is_shown_despite_its_damaged_file(labelled, monkeypatch):
    monkeypatch.setattr(notes, "_last_times", {})
    link = {"data": labelled, "trials": "3"}
    assert opened("tuning", link).get("plotly_chart")
    (kept,) = (store_file.cache_dir() / "tuning").glob("*.json")
    kept.write_bytes(b"{")
    answer.STUDIES.results.cache_clear()
    again = opened("tuning", link)
    again = again if toasts(again) else again.run()
    assert again.get("plotly_chart") and not again.error and "moved to" in toasts(again)[0]


def test_notes_of_a_worker_reach_the_server(own, monkeypatch):
    heard = []
    monkeypatch.setattr(notes, "listeners", [heard.append])
    monkeypatch.setattr(notes, "_last_times", {})
    (store_file.cache_dir() / store_file.FILE_NAME).write_bytes(b"not a database at all" * 500)
    pool = Pool(1)
    try:
        found = sweep(pool, specs(own, 2), silent)
    finally:
        pool.workers.close()
    assert len(found) == 2 and len(heard) == 1 and "moved to" in heard[0]
    assert {r.origin for r in experiment.sweep(specs(own, 2))} == {"stored"}
