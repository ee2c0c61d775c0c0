"""An attacker of releases: she knows every record and has all that was shown, and looks for the
seed from which the noise can be drawn again.
"""

import io
import json
import re

import numpy as np

from dpviz import methods
from dpviz.run import experiment, release_file

SEEDS = range(2**16)
AT_ONCE = 4096
ALIKE = 0.999
"""Correlation of two rules, less the mean rule, above which they have the same noise."""


def seed_of(file, spec, *shown):
    """The seed whose noise the released file has, scaled in whatever way, or None: among all small
    ones and whatever could be read as one, in the file's bytes, its card or the texts ``shown``.
    """
    with np.load(io.BytesIO(file), allow_pickle=False) as found:
        weights, card = found["weights"], str(found["card"])
    seeds = sorted({*SEEDS, *_in_bytes(file), *_in_texts(card, *shown)})
    ready, method = experiment.prepared(spec), methods.get(spec.method)
    for plan in (release_file.planned(spec), experiment.planned(spec)):
        centre = _rules(method, ready, plan, list(range(AT_ONCE))).mean(axis=0)
        for start in range(0, len(seeds), AT_ONCE):
            some = seeds[start : start + AT_ONCE]
            alike = _correlation(_rules(method, ready, plan, some) - centre, weights - centre)
            if alike.max() > ALIKE:
                return some[int(alike.argmax())]
    return None


def weights_of(file):
    """The rule of a released file."""
    with np.load(io.BytesIO(file), allow_pickle=False) as found:
        return found["weights"]


def _in_bytes(file):
    """Every four bytes in a row as a number."""
    return {int.from_bytes(file[i : i + 4], end) for i in range(len(file)) for end in ENDS}


ENDS = ("little", "big")


def _in_texts(*texts):
    numbers = {int(digits) for text in texts for digits in re.findall(r"\d{1,10}", text)}
    return {number for number in numbers if number < 2**32}


def _rules(method, ready, plan, seeds):
    return np.array([r.weights for r in method.fit(ready, [plan], seeds).releases[0]])


def _correlation(rules, rule):
    flat, one = rules.reshape(len(rules), -1), rule.ravel()
    return flat @ one / (np.linalg.norm(flat, axis=1) * np.linalg.norm(one))


def as_version_0_2_0(rule, spec):
    """A file as version 0.2.0 wrote it: the seed stands in its card."""
    card = {"settings": {"seed": spec.seed}, "command": f"--seed {spec.seed}"}
    return release_file.write(rule, json.loads(json.dumps(card)))
