"""An attacker of releases, who knows every record and searches for the seed of the noise."""

import io
import json
import re

import numpy as np

from dpviz import methods
from dpviz.experiments import experiment, release_file

SEEDS = range(2**16)
BLOCK = 4096
"""Seeds of one fit."""
MIN_CORRELATION = 0.999
"""Correlation of two rules, less the mean rule, above which they have the same noise."""
_rules_of_blocks = {}


def seed_of(file, spec, *shown):
    """Return the seed whose noise the released file has, in any scale, or None.

    Candidates are ``SEEDS`` and all numbers in the file's bytes, its card or the texts ``shown``.
    """
    with np.load(io.BytesIO(file), allow_pickle=False) as release:
        weights, card = release["weights"], str(release["card"])
    others = sorted({*_in_bytes(file), *_in_texts(card, *shown)} - {*SEEDS})
    ready, method = experiment.prepared(spec), methods.get(spec.method)
    for plan in (release_file.planned(spec), experiment.planned(spec)):
        center = _rules_of_block(method, ready, plan, range(BLOCK)).mean(axis=0)
        for block in (*_blocks(SEEDS), *_blocks(others)):
            is_small = block[-1] in SEEDS
            rules = (_rules_of_block if is_small else _rules)(method, ready, plan, block)
            correlation = _correlation(rules - center, weights - center)
            if correlation.max() > MIN_CORRELATION:
                return block[int(correlation.argmax())]
    return None


def _blocks(seeds):
    return [seeds[start : start + BLOCK] for start in range(0, len(seeds), BLOCK)]


def _rules_of_block(method, ready, plan, block):
    """Return ``_rules`` of consecutive seeds, computed once for several searches."""
    key = method.key, ready.fingerprint, repr(plan), block
    if key not in _rules_of_blocks:
        _rules_of_blocks[key] = _rules(method, ready, plan, block)
    return _rules_of_blocks[key]


def weights_of(file):
    """Return the rule of a released file."""
    with np.load(io.BytesIO(file), allow_pickle=False) as release:
        return release["weights"]


def _in_bytes(file):
    """Return every four bytes in a row as a number."""
    return {int.from_bytes(file[i : i + 4], end) for i in range(len(file)) for end in ENDS}


ENDS = ("little", "big")


def _in_texts(*texts):
    numbers = {int(digits) for text in texts for digits in re.findall(r"\d{1,10}", text)}
    return {number for number in numbers if number < 2**32}


def _rules(method, ready, plan, seeds):
    return np.array([r.weights for r in method.fit(ready, [plan], list(seeds)).releases[0]])


def _correlation(rules, rule):
    rows, row = rules.reshape(len(rules), -1), rule.ravel()
    return rows @ row / (np.linalg.norm(rows, axis=1) * np.linalg.norm(row))


def as_version_0_2_0(rule, spec):
    """Return a file as version 0.2.0 wrote it, with the seed in its card."""
    card = {"settings": {"seed": spec.seed}, "command": f"--seed {spec.seed}"}
    return release_file.write(rule, json.loads(json.dumps(card)))
