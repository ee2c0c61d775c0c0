"""The shell command, or the Python code, that gives a number again."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Sequence
from itertools import chain

from dpviz.experiments.tuning import Search
from dpviz.types import RunSpec


def run_command(spec: RunSpec) -> str:
    """The shell command that prints this result."""
    return _run(spec, str(spec.seed))


def run_commands(specs: Sequence[RunSpec]) -> str:
    """The shell command that prints these results, which differ in their seeds alone, or in data
    draws with the same consecutive seeds each.
    """
    if len(specs) == 1:
        return run_command(specs[0])
    if (draws := len({spec.draw for spec in specs})) > 1:
        first = min(specs, key=lambda spec: (spec.draw, spec.seed))
        number = len({spec.seed for spec in specs})
        return _run(first, f"{first.seed} --draws {draws} --seeds {number}")
    seeds = " ".join(str(spec.seed) for spec in specs)
    return f"for s in {seeds}; do {_run(specs[0], '$s')}; done"


def tune_command(search: Search) -> str:
    """The shell command that prints this study."""
    words = [*_words("tune", search), "--trials", str(search.trials), "--metric", search.metric]
    words += ["--sampler", search.sampler, "--count", search.count, "--seed", str(search.seed)]
    for name in search.only:
        words += ["--only", name]
    return shlex.join([*words, "--json"])


def embed_command(dataset: str, encoder: str, public: str) -> str:
    """The shell command that turns these pictures into features."""
    words = ["python", "-m", "dpviz", "embed", "--dataset", dataset]
    return shlex.join([*words, "--encoder", encoder, "--public", public])


def attack_command(spec: RunSpec, attack: str, shadows: int) -> str:
    """The shell command that prints what an attack finds on so many shadow models, of which the
    spec's seed is the first's.
    """
    words = [*_words("attack", spec), "--attack", attack, "--shadows", str(shadows)]
    options = chain.from_iterable(("--param", f"{name}={value}") for name, value in spec.params)
    return shlex.join([*words, "--seed", str(spec.seed), *options, "--json"])


def _run(spec: RunSpec, seed: str) -> str:
    options = chain.from_iterable(("--param", f"{name}={value}") for name, value in spec.params)
    return f"{shlex.join(_words('run', spec))} --seed {seed} {shlex.join([*options, '--json'])}"


def _words(command: str, source: RunSpec | Search) -> list[str]:
    """A command with the options that runs and studies share."""
    budget = dataclasses.asdict(source.budget)
    fields = {"method": source.method, "budget": budget.pop("value"), **budget, "ir": source.ir}
    facts = {name: value for name, value in source.non_default_fields.items() if name not in fields}
    options = [
        (f"--{name.replace('_', '-')}", str(value)) for name, value in (facts | fields).items()
    ]
    return ["python", "-m", "dpviz", command, *chain.from_iterable(options)]


def python(spec: RunSpec) -> str:
    """Python code that prints this result."""
    fields = [f"    {f.name}={getattr(spec, f.name)!r}," for f in dataclasses.fields(spec)]
    lines = [
        "from math import inf\n",
        "from dpviz.experiments import experiment",
        "from dpviz.types import Budget, RunSpec\n",
        "spec = RunSpec(",
        *fields,
        ")",
        "result = experiment.run(spec)",
        "print(result.scores, result.guarantee)\n",
    ]
    return "\n".join(lines)
