"""Every noisy output of chosen events, as the strongest adversary sees them: for audits.

``watched`` also lets an audit spoil an event's noise before it is used, to see that it would be
noticed, or hand out what an earlier run released, to see that nothing else reads the records.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from dpviz.mechanisms.randomness import Seed, UnitNoise
from dpviz.types import Draw

Spoil = Callable[[str, UnitNoise], UnitNoise]
"""spoil(event's name, its noise) -> the noise that is used instead."""


class Transcript:
    """Noisy outputs by event, seed and label."""

    def __init__(
        self,
        events: Mapping[str, Draw],
        spoil: Spoil | None = None,
        script: Transcript | None = None,
    ) -> None:
        """events: to be watched, by name; an event is known by being the same object."""
        self._names = {id(event): name for name, event in events.items()}
        self._events, self._spoil, self._script = dict(events), spoil, script
        self._lock = threading.Lock()
        self.outputs: dict[str, dict[Seed, dict[str, np.ndarray]]] = {
            name: defaultdict(dict) for name in events
        }

    def noise(self, event: Draw, noise: UnitNoise) -> UnitNoise:
        """The noise that the event is to use."""
        name = self._names.get(id(event))
        return noise if name is None or self._spoil is None else self._spoil(name, noise)

    def output(self, event: Draw, noise: UnitNoise, output: np.ndarray) -> np.ndarray:
        """What a watched event puts out, noted: that of the script, where there is one."""
        name = self._names.get(id(event))
        if name is None:
            return output
        if self._script is not None:
            scripted = self._script.outputs[name][noise.seed][noise.label]
            output = scripted.astype(output.dtype)
        with self._lock:
            self.outputs[name][noise.seed][noise.label] = np.array(output, np.float64)
        return output

    def extend(self, other: Transcript) -> None:
        """Add the runs of another transcript of the same events."""
        for name, runs in other.outputs.items():
            self.outputs[name].update(runs)

    def table(self, name: str, seeds: Sequence[Seed]) -> np.ndarray:
        """The outputs of an event as a row a seed, its draws in the order of their labels."""
        runs = self.outputs[name]
        return np.stack(
            [np.concatenate([runs[s][label].ravel() for label in sorted(runs[s])]) for s in seeds]
        )


_open: Transcript | None = None
_lock = threading.RLock()


@contextmanager
def watched(
    events: Mapping[str, Draw],
    spoil: Spoil | None = None,
    script: Transcript | None = None,
) -> Iterator[Transcript]:
    """Note what these events of a plan put out inside, and perhaps spoil it or put out what a
    script says; one at a time in a process, others wait.
    """
    global _open
    with _lock:
        previous, _open = _open, Transcript(events, spoil, script)
        try:
            yield _open
        finally:
            _open = previous


def noise_of(event: Draw, noise: UnitNoise) -> UnitNoise:
    """The noise an event uses: as it came, unless an audit spoils it."""
    return noise if _open is None else _open.noise(event, noise)


def noted(event: Draw, noise: UnitNoise, output: np.ndarray) -> np.ndarray:
    """The output, written down where an audit watches."""
    return output if _open is None else _open.output(event, noise, output)
