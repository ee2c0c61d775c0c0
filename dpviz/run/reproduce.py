"""The shell command, or the Python code, that gives a number again."""

from __future__ import annotations

import shlex

from dpviz.run.tuning import Search
from dpviz.types import RunSpec


def run_command(spec: RunSpec) -> str:
    """The shell command that prints this result."""
    words = [*_words("run", spec), "--seed", str(spec.seed)]
    for name, value in spec.params:
        words += ["--param", f"{name}={value}"]
    return shlex.join([*words, "--json"])


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


def _words(command: str, of: RunSpec | Search) -> list[str]:
    """A command with the options that runs and studies share."""
    words = ["python", "-m", "dpviz", command, "--dataset", of.dataset]
    words += ["--encoder", of.encoder] if of.encoder else []
    words += ["--public", of.public] if of.public else []
    words += ["--features", of.features] if of.features else []
    words += ["--method", of.method, "--budget", repr(of.budget.value)]
    words += ["--axis", of.budget.axis, "--delta", repr(of.budget.delta)]
    return [*words, "--ir", repr(of.ir)]


def python(spec: RunSpec) -> str:
    """Python code that prints this result."""
    value = repr(spec.budget.value) if spec.budget.private else 'float("inf")'
    budget = f"Budget({value}, {spec.budget.axis!r}, {spec.budget.delta!r})"
    fields = [repr(spec.dataset), repr(spec.encoder), repr(spec.method), budget]
    named = ("ir", "params", "seed", "public", "features")
    fields += [f"{name}={getattr(spec, name)!r}" for name in named]
    return "\n".join(
        [
            "from dpviz.run import experiment",
            "from dpviz.types import Budget, RunSpec",
            "",
            "spec = RunSpec(",
            *(f"    {field}," for field in fields),
            ")",
            "result = experiment.run(spec)",
            "print(result.scores, result.guarantee)\n",
        ]
    )
