"""Studies on disk: finished trials, written atomically by one process at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpviz.machine import notes
from dpviz.machine.files import read_sealed, set_aside_damaged, write_sealed
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

#: Seconds to wait for a locked study; a stopped process needs two to end its run.
PATIENCE = 4.0


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock a study for this process.

    Raises:
        DpvizError: If another process has the lock.
    """
    from filelock import FileLock, Timeout

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock: Any = FileLock(f"{path}.one").acquire(timeout=PATIENCE)
    except Timeout:
        raise DpvizError(
            "Another process is running this study. Wait until it has finished, or use another"
            " seed."
        ) from None
    except OSError:
        lock = nullcontext()  # nothing can be written, so no lock is necessary
    with lock:
        yield


def read(path: Path) -> list[FrozenTrial]:
    """Return the stored trials of a study, in order.

    A damaged file is moved away, with a note; the results of its runs are still in the store.
    """
    content = read_sealed(path)
    if content is not None:
        return [_trial(raw) for raw in json.loads(bytes(content))]
    try:
        if path.exists():
            damaged = set_aside_damaged(path)
            notes.publish(f"A study was damaged and starts again. The file was moved to {damaged}.")
    except DpvizError as error:
        notes.publish(str(error))
    return []


def write(path: Path, trials: Sequence[FrozenTrial]) -> None:
    """Store the trials of a study, or publish a note if that fails."""
    try:
        write_sealed(path, json.dumps([_raw(trial) for trial in trials]).encode())
    except DpvizError as error:
        notes.publish(f"The study could not be stored. {error}")


def _raw(trial: FrozenTrial) -> dict[str, Any]:
    from optuna.distributions import distribution_to_json

    spans = {name: distribution_to_json(span) for name, span in trial.distributions.items()}
    return {
        "state": trial.state.name,
        "value": trial.value,
        "params": trial.params,
        "distributions": spans,
        "user_attrs": trial.user_attrs,
    }


def _trial(raw: dict[str, Any]) -> FrozenTrial:
    from optuna.distributions import json_to_distribution
    from optuna.trial import TrialState, create_trial

    spans = {name: json_to_distribution(text) for name, text in raw["distributions"].items()}
    return create_trial(**raw | {"state": TrialState[raw["state"]], "distributions": spans})
