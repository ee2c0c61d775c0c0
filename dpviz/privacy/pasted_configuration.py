"""Mechanisms read from a pasted configuration of Opacus, TensorFlow Privacy, jax_privacy or OpenDP.

The text is searched for names with a number. It is never run, imported or parsed as code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.formatting import listed, number
from dpviz.privacy.stated_mechanisms import (
    LaplaceNoise,
    Mechanism,
    NoisySteps,
    PublishedGuarantee,
)
from dpviz.text import calculator as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError

#: Most bytes of a text, characters of a number, values of a name, and names behind a name.
MAX_BYTES, MAX_CHARACTERS, MAX_VALUES, MAX_NAMES = 20_000, 60, 20, 3
#: Names of each field, in lower case, the first as it is asked for.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "sigma": ("noise_multiplier", "std_relative"),
    "rate": ("sample_rate", "sampling_rate", "sampling_prob", "sampling_probability"),
    "steps": ("steps", "num_steps", "num_updates", "iterations", "num_iterations", "max_steps"),
    "batch": ("batch_size", "expected_batch_size", "total_batch_size", "init_value"),
    "records": (
        *("n", "num_samples", "number_of_examples", "num_examples", "num_train", "dataset_size"),
        *("data_size", "sample_size", "train_size", "n_train"),
    ),
    "epochs": ("epochs", "num_epochs"),
    "delta": ("delta", "target_delta"),
    "epsilon": ("target_epsilon",),
    "scale": ("scale",),
    "sensitivity": ("d_in", "sensitivity"),
}
#: Marks of a library, the most telling first.
MARKS = {
    "OpenDP": r"\b(?:make|then)_(?:laplace|gaussian)\b|\bopendp\b",
    "Opacus": r"\bmake_private\w*\b|\bopacus\b|\bPrivacyEngine\b",
    "TensorFlow Privacy": r"\bcompute_dp_sgd_privacy\w*\b|\btensorflow_privacy\b|\btfp?_privacy\b",
    "jax_privacy": r"\bjax_privacy\b|\bnum_updates\b|\bstd_relative\b|\bDPSGD\w*Config\b",
}
#: A number or name. Repetitions are possessive (``*+``), so that the time grows with the text only.
_FACTOR = r"(?:[-+]?[A-Za-z_][\w.]*+|[-+]?(?:\d[\d_]*+(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+)"
_VALUE = rf"{_FACTOR}(?:[ ]*[*/][ ]*{_FACTOR}){{0,3}}"
#: A name, perhaps with a type, and its value, which may hold further names.
_PAIR = re.compile(
    r"(?<![\w.])(?:--)?[\"']?(?:[A-Za-z_]\w*\.)*(?P<name>[A-Za-z_]\w*)[\"']?"
    r"(?:[ \t]*:[ \t]*[A-Za-z]\w*(?=[ \t]*=))?[ \t]*(?:=(?!=)|:|(?<=\w)[ ](?=[-+.\d]))[ \t]*"
    rf"(?=[\"']?(?:Some\()?(?P<value>{_VALUE})(?:[\s,;)\]}}\"']|$))"
)
_POSITIONAL = re.compile(r"compute_dp_sgd_privacy\w*+\s*+\(([^()]*+)\)")
#: Order of the arguments of ``compute_dp_sgd_privacy``.
POSITIONS = ("n", "batch_size", "noise_multiplier", "epochs", "delta")


@dataclass(frozen=True)
class PastedMechanism:
    """A mechanism that a configuration states.

    Attributes:
        library: name, "" where the text has no mark of one.
        mechanism: as stated; delta: None where the text states none.
        values: (name, value) as read.
    """

    library: str
    mechanism: Mechanism
    delta: float | None
    values: tuple[tuple[str, float], ...]


def read(pasted: str) -> PastedMechanism:
    """Return the mechanism of a configuration.

    Raises:
        DpvizError: for a text that is too long, is no text, states no mechanism, several values of
            a field, or a value that is no number; or with the names of what is missing.
    """
    _check_text(pasted)
    bare = re.sub(r"#[^\n]*", "", pasted)
    library = next((name for name, mark in MARKS.items() if re.search(mark, bare)), "")
    if re.search(r"\bpoisson_sampling[\"']?\s*[=:]\s*[Ff]alse", bare):
        raise DpvizError(text.NO_POISSON)
    pairs = _pairs(bare)
    values = {field: _field(field, pairs) for field in FIELDS}
    found = {field: value for field, value in values.items() if value is not None}
    named = tuple((FIELDS[field][0], value) for field, value in found.items())
    mechanism = _opendp(bare, found) if library == "OpenDP" else _noisy_steps(found, pairs)
    return PastedMechanism(library, mechanism, found.get("delta"), named)


def _check_text(pasted: str) -> None:
    size = len(pasted.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        raise DpvizError(render_text(text.TOO_LONG, size=size, most=MAX_BYTES))
    if not pasted.strip():
        raise DpvizError(text.NOTHING_PASTED)
    if any(not (sign.isprintable() or sign in "\n\r\t") for sign in pasted.lstrip("\ufeff")):
        raise DpvizError(text.NOT_TEXT)


def _pairs(bare: str) -> dict[str, list[str]]:
    """Return the values by name in lower case, as they are written."""
    pairs: dict[str, list[str]] = {}
    for match in _PAIR.finditer(bare):
        pairs.setdefault(match["name"].lower(), []).append(match["value"])
    for arguments in _POSITIONAL.findall(bare):
        for name, value in zip(POSITIONS, arguments.split(","), strict=False):
            if "=" not in value and value.strip():
                pairs.setdefault(name, []).append(value.strip())
    return pairs


def _field(field: str, pairs: Mapping[str, Sequence[str]]) -> float | None:
    """Return the value of a field; None where no name of it has a number."""
    written = {value: name for name in FIELDS[field] for value in pairs.get(name, ())}
    numbers: dict[float, str] = {}
    for value, name in list(written.items())[:MAX_VALUES]:
        amount = _number(value, pairs, frozenset({name}))
        if amount is not None:
            numbers[amount] = value
    if len(numbers) > 1 or len(written) > MAX_VALUES:
        values = listed([short(value) for value in list(written)[:3]])
        raise DpvizError(render_text(text.AMBIGUOUS, name=FIELDS[field][0], values=values))
    amount = next(iter(numbers), None)
    if amount is not None and not math.isfinite(amount):
        value = short(numbers[amount])
        raise DpvizError(render_text(text.NOT_FINITE, name=FIELDS[field][0], value=value))
    return amount


def short(value: str) -> str:
    """Return a value for a message."""
    return value if len(value) <= MAX_CHARACTERS else f"{value[:MAX_CHARACTERS]}…"


def _number(
    written: str, pairs: Mapping[str, Sequence[str]], names: frozenset[str]
) -> float | None:
    """Return a number, a product or a quotient of numbers and of names with one number."""
    if len(written) > MAX_CHARACTERS or not re.fullmatch(_VALUE, written):
        return None
    amount, operator = 1.0, "*"
    for part in re.split(r"[ ]*([*/])[ ]*", written):
        if part in ("*", "/"):
            operator = part
            continue
        factor = _factor(part, pairs, names)
        if factor is None or (operator == "/" and factor == 0):
            return None
        amount = amount * factor if operator == "*" else amount / factor
    return amount


def _factor(part: str, pairs: Mapping[str, Sequence[str]], names: frozenset[str]) -> float | None:
    try:
        return float(part)
    except ValueError:
        pass
    name = part.rpartition(".")[2].lower()
    values = set(pairs.get(name, ()))
    if name in names or len(names) > MAX_NAMES or len(values) != 1:
        return None
    return _number(values.pop(), pairs, names | {name})


def _noisy_steps(found: Mapping[str, float], pairs: Mapping[str, Sequence[str]]) -> Mechanism:
    if "sigma" not in found and "epsilon" in found:
        _require(found, ("delta",), pairs)
        return PublishedGuarantee("approx", found["epsilon"], found["delta"])
    if "sigma" not in found:
        if not set(found) - {"delta", "scale", "sensitivity"}:
            raise DpvizError(text.NOTHING_FOUND)
        _require(found, ("sigma",), pairs)
    if "rate" not in found:
        _require(found, ("batch", "records"), pairs)
        _check_positive(found, "batch", "records")
    rate = found["rate"] if "rate" in found else found["batch"] / found["records"]
    if "steps" not in found:
        _require(found, ("epochs",), pairs)
        _check_positive(found, "epochs", *(("rate",) if "rate" in found else ()))
    steps = found["steps"] if "steps" in found else math.ceil(found["epochs"] / rate - 1e-9)
    return NoisySteps(found["sigma"], rate, steps)  # type: ignore[arg-type]


def _opendp(bare: str, found: Mapping[str, float]) -> Mechanism:
    kinds = re.findall(r"\b(?:make|then)_(laplace|gaussian)\b", bare)
    if len(kinds) != 1:
        raise DpvizError(text.NO_OPENDP if not kinds else text.SEVERAL_OPENDP)
    _require(found, ("scale", "sensitivity"), {})
    _check_positive(found, "sensitivity")
    ratio = found["scale"] / found["sensitivity"]
    return LaplaceNoise(ratio) if kinds[0] == "laplace" else NoisySteps(ratio)


def _require(
    found: Mapping[str, float], fields: Sequence[str], pairs: Mapping[str, Sequence[str]]
) -> None:
    """Raise with the names of missing fields, all in one sentence."""
    if missing := [field for field in fields if field not in found]:
        asked = [
            render_text(
                text.ASKED[field],
                name=next((name for name in FIELDS[field] if name in pairs), FIELDS[field][0]),
            )
            for field in missing
        ]
        raise DpvizError(render_text(text.MISSING, fields=listed(asked)))


def _check_positive(found: Mapping[str, float], *fields: str) -> None:
    for field in fields:
        if not found[field] > 0:
            name = FIELDS[field][0]
            raise DpvizError(render_text(text.NOT_POSITIVE, name=name, value=number(found[field])))
