"""What a run reads: the facts about its data that no budget and no method changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from dpviz.types.checks import DpvizError, check_range, check_whole, quoted

MAX_RECORDS = 10_000_000
"""Of each class; far more than any data set has."""
#: Largest number of a data draw.
MAX_DRAW = 9999
IN_EVERY_KEY = ("dataset", "encoder", "public", "features", "ir")
"""Facts that are in every key; any other is where it is not at its default, so that what was kept
before the fact was known stays found.
"""
UNITS = ("picture", "person")


def _words(title: str, text: str) -> dict[str, str]:
    """A fact's name in the settings and its words in a shell's help."""
    return {"title": title, "help": text}


@dataclass(frozen=True)
class DataConfig:
    """What a run reads. Runs, views and searches are Materials with more fields.

    A new fact is a field here: from it come the shell option ``--name``, the key in sweep files,
    the column, and the row among the settings.

    Attributes:
        dataset: row of the data table, path of an ``.npz`` or an ``etf:…``.
        encoder: row of the encoder table, None for features.
        public: public set; None: the data set's own default.
        features: how features are prepared, empty for as they come.
        ir: imbalance ratio, >= 1.
        records: at most so many private records of each class are kept; 0 keeps all.
        unit: of UNITS, to whom a promise is made.
        per_person: at most so many private records of each person are kept; 0 keeps all.
        classes: path of a file that lists the classes of own data; empty without one.
        draw: of class order, kept records and, for data of one pool, training and test records.

    Raises:
        DpvizError: for a value of the wrong kind or out of range.
    """

    dataset: str = field(
        metadata=_words(
            "data",
            "a data set, FILE.npz with features of your own, or a folder, .zip or .parquet of"
            " pictures",
        )
    )
    encoder: str | None = field(metadata=_words("encoder", "an encoder; none with FILE.npz"))
    _: KW_ONLY
    public: str | None = field(
        default=None,
        metadata=_words(
            "public set",
            "public set: a name, FILE.npz beside FILE.npz, held-aside (part of these images, by a"
            " hash of each) or none (default: the data set's own, none for own images)",
        ),
    )
    features: str = field(
        default="",
        metadata=_words(
            "features",
            "how features are prepared from public data, such as centre=yes,pca=9 (default: as"
            " they come)",
        ),
    )
    ir: float = field(default=1.0, metadata=_words("IR", "imbalance ratio, >= 1"))
    records: int = field(
        default=0,
        metadata=_words(
            "records a class", "at most so many private records of each class (default: all)"
        ),
    )
    unit: str = field(
        default="picture",
        metadata=_words(
            "unit of privacy", "whom the promise is to: picture (each record) or person"
        ),
    )
    per_person: int = field(
        default=0,
        metadata=_words(
            "records a person", "at most so many private records of each person (default: all)"
        ),
    )

    classes: str = field(
        default="",
        metadata=_words(
            "classes",
            "file that declares the classes of own data, one name per line (default: classes.txt"
            " in the folder or zip, else read from the data)",
        ),
    )
    draw: int = field(
        default=0,
        metadata=_words(
            "data draw",
            "seed of class order, kept records and, for digits, the test set (default: 0)",
        ),
    )

    def __post_init__(self) -> None:
        for name in ("dataset", "encoder", "public", "features", "classes"):
            check_name(name, getattr(self, name), optional=name in ("encoder", "public"))
        object.__setattr__(self, "ir", check_range("Imbalance ratio", self.ir, 1, 1e9))
        records = check_whole("Records a class", self.records, 0, MAX_RECORDS)
        object.__setattr__(self, "records", records)
        if self.unit not in UNITS:
            raise DpvizError(f"The unit is {quoted(self.unit)}; use one of {', '.join(UNITS)}.")
        per_person = check_whole("Records a person", self.per_person, 0, MAX_RECORDS)
        object.__setattr__(self, "per_person", per_person)
        object.__setattr__(self, "draw", check_whole("Data draw", self.draw, 0, MAX_DRAW))

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of a DataConfig by name, whatever else this is."""
        return {data_field.name: getattr(self, data_field.name) for data_field in DATA_FIELDS}

    @property
    def non_default_fields(self) -> dict[str, Any]:
        """The facts that are not at their defaults."""
        return {
            data_field.name: value
            for data_field in DATA_FIELDS
            if (value := getattr(self, data_field.name)) not in (None, data_field.default)
        }


DATA_FIELDS = dataclasses.fields(DataConfig)
UNBALANCED_DATASETS = frozenset({"clothes", "omniglot-alphabets"})
"""Data sets whose classes are as unequal as they came where the imbalance ratio is 1."""
_LATER = {fact.name: fact.default for fact in DATA_FIELDS if fact.name not in IN_EVERY_KEY}


def key_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a DataConfig by name, those that a key of it has; see ``IN_EVERY_KEY``."""
    return {name: v for name, v in fields.items() if name not in _LATER or v != _LATER[name]}


def check_name(name: str, value: Any, optional: bool = False) -> None:
    """Refuse a key or a path that is not text.

    Raises:
        DpvizError: names the value and what would work.
    """
    if not isinstance(value, str) and not (optional and value is None):
        raise DpvizError(f"The {name} is {quoted(value)}; use its name in quotes.")
