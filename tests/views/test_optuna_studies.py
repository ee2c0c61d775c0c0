"""Studies of an Optuna storage as tables."""

from dataclasses import replace

from dpviz.experiments import optuna_storage
from dpviz.text import optuna_storage as text
from dpviz.views import optuna_studies
from tests.kit.storages import storage

FIRST, SECOND, BOTH = optuna_storage.parsed(storage(), "o.db")


def test_trials_are_rows_with_settings():
    rows = optuna_studies.trial_rows(FIRST)
    assert rows[1] == {
        "Trial": 1,
        "State": "complete",
        "Value": 0.25,
        "x (setting)": 0.2,
        "n (setting)": 4,
        "c (setting)": "a",
    }
    assert rows[2] == {"Trial": 2, "State": "pruned"}
    assert {"Value 1": 1.5, "Value 2": float("inf")}.items() <= optuna_studies.trial_rows(BOTH)[
        0
    ].items()


def test_answer_names_best_trial_only_for_one_objective():
    assert "Best value: **0.25**, in trial 1." in optuna_studies.answer(FIRST)
    assert "no trial is the best" in optuna_studies.answer(BOTH)
    assert "No complete trial" in optuna_studies.answer(replace(FIRST, trials=FIRST.trials[2:]))


def test_two_studies_are_side_by_side():
    rows = {row.pop("Setting or value"): tuple(row.values()) for row in
            optuna_studies.compared(FIRST, SECOND)}  # fmt: skip
    assert rows["Best value"] == ("0.25", "0.75") and rows["Complete"] == ("2", "1")
    assert rows["Best trial: n"] == ("4", "4") and rows["Trials"] == ("3", "2")
    assert optuna_studies.compared(FIRST, BOTH)[-1]["B"] == text.NO_VALUE


def test_shared_settings_are_joined_whatever_their_order():
    [row] = optuna_studies.shared_settings(FIRST, SECOND)
    assert row == {
        "x (setting)": 0.2,
        "n (setting)": 4,
        "c (setting)": "a",
        "A: value": 0.25,
        "B: value": 0.75,
        "B − A": 0.5,
    }
    repeated = replace(SECOND, trials=(*SECOND.trials, replace(SECOND.trials[0], values=(0.25,))))
    assert optuna_studies.shared_settings(FIRST, repeated)[0]["B: value"] == 0.5
    assert not optuna_studies.shared_settings(FIRST, BOTH)


def test_chart_has_complete_trials_of_one_objective():
    chart = optuna_studies.chart([FIRST, SECOND])
    assert [study.numbers for study in chart.studies] == [(0, 1), (0,)]
    assert all(study.minimized for study in chart.studies)
    assert optuna_studies.chart([BOTH]) is None
