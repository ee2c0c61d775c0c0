"""Texts on studies in an Optuna storage: a tab of Tuning, and ``dpviz studies``."""

FILE = "Optuna storage (SQLite)"
FILE_HELP = "A file that Optuna wrote with storage sqlite:///FILE. At most {limit:count} MiB."
SESSION_NOTE = "The file is read, not changed. Its studies stay in this browser session."
STUDY, SECOND, NO_SECOND = "Study", "Second study", "No second study"
#: Name of a study of this page.
OWN_STUDY = "{method}, {budget:md}, {data:md}, IR {ratio:number}, {score:md}, seed {seed}"
OWN_NOTE = "Studies that this page has shown in this session are listed as well."
UNKNOWN_COST = (
    "A storage file does not record what each trial spends, so no privacy cost is computed for its"
    " studies."
)
#: Columns of the list of studies and of the trials.
COLUMNS = {
    "study": "Study",
    "directions": "Direction",
    "trials": "Trials",
    "finished": "Complete",
    "best": "Best value",
    "number": "Trial",
    "state": "State",
    "value": "Value",
    "objective": "Value {number:count}",
}
PARAM_COLUMN = "{name} (setting)"
NO_VALUE = "none"
STATES = {
    "COMPLETE": "complete",
    "PRUNED": "pruned",
    "FAIL": "failed",
    "RUNNING": "running",
    "WAITING": "waiting",
}
#: Statement on a study, by case.
ANSWERS = {
    "best": "Best value: **{value:number}**, in trial {number:count}. {trials:count trial} stored.",
    "none": "No complete trial yet: {trials:count trial} stored.",
    "several": "{trials:count trial} with {objectives:count objective}, so no trial is the best.",
}
CAPTION = "Marks: complete trials. Lines: best value so far."
NO_STUDY = "{file} has no study."
CSV, TWO_CSV = "Trials", "Two studies"
#: Columns of two studies side by side.
PAIR_COLUMNS = {"name": "Setting or value", "a": "A", "b": "B"}
BEST_PARAM = "Best trial: {name}"
SIDES = "A: **{first}**. B: **{second}**."
SHARED = "{pairs:count setting} in both studies"
SHARED_COLUMNS = {"a": "A: value", "b": "B: value", "difference": "B − A"}
NOTHING_SHARED = "No trial of the two studies has the same settings."

STUDIES_HELP = {
    "storage": "SQLite file of an Optuna storage, or its sqlite:/// URL",
    "study": "name of a study, to print its trials (default: list the studies)",
    "out": "CSV file for the trials of the study",
}
UNKNOWN_STUDY = "The storage has no study {name}. Studies: {names:list}."
OUT_NEEDS_STUDY = "--out needs --study. Studies: {names:list}."
TRIALS_WRITTEN = "{trials:count trial} written to {file}."
LINE = "{study}: {trials:count trial}, {finished:count} complete, {directions}, best {best}"
LINE_FIELDS = ("study", "trials", "finished", "directions", "best")
