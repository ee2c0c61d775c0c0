"""Data settings of a run, which depend on no budget and no method."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from dpviz.types.checks import DpvizError, check_range, check_whole, quoted

#: Largest limit on the records of a class or a person.
MAX_RECORDS = 10_000_000
#: Largest number of a data draw.
MAX_DRAW = 9999
#: Settings that are in every key. Another setting is in a key only if it is not at its default, so
#: that results stored before that setting existed are still found.
IN_EVERY_KEY = ("dataset", "encoder", "public", "features", "ir")
UNITS = ("picture", "person")


def _words(title: str, text: str) -> dict[str, str]:
    """Return the title of a setting and its help on the command line."""
    return {"title": title, "help": text}


@dataclass(frozen=True)
class DataConfig:
    """Data settings of a run; base class of runs, views and searches.

    Each field makes the option ``--name`` of the command line, the key in sweep files, the column
    of tables, and the row in lists of settings.

    Attributes:
        dataset: key of the data set table, path of an ``.npz`` file, or ``etf:…``.
        encoder: key of the encoder table, or None for features.
        public: public set; None for the default of the data set.
        features: preparation of the features; empty for none.
        ir: imbalance ratio, >= 1.
        records: largest number of private records per class; 0 keeps all.
        unit: unit of privacy, one of UNITS.
        per_person: largest number of private records per person; 0 keeps all.
        classes: path of a file that lists the classes of own data; empty without one.
        draw: seed of class order, kept records and, for data of one pool, the test set.

    Raises:
        DpvizError: for a value of the wrong kind or out of range.
    """

    dataset: str = field(
        metadata=_words(
            "data",
            "data set: a name, FILE.npz with features, or a folder, .zip or .parquet file of"
            " images",
        )
    )
    encoder: str | None = field(
        metadata=_words("encoder", "encoder of the images; leave out with FILE.npz")
    )
    _: KW_ONLY
    public: str | None = field(
        default=None,
        metadata=_words(
            "public set",
            "public set: a name, a second FILE.npz, held-aside (a hash selects some training"
            " images) or none (default: that of the data set; none for your images)",
        ),
    )
    features: str = field(
        default="",
        metadata=_words(
            "features",
            "preparation of the features from public data, such as centre=yes,pca=9 (default:"
            " none)",
        ),
    )
    ir: float = field(
        default=1.0,
        metadata=_words("IR", "imbalance ratio: largest class size / smallest (default: 1)"),
    )
    records: int = field(
        default=0,
        metadata=_words(
            "records per class", "largest number of private records per class (default: all)"
        ),
    )
    unit: str = field(
        default="picture",
        metadata=_words(
            "unit of privacy", "unit of privacy: picture (each record) or person (default: picture)"
        ),
    )
    per_person: int = field(
        default=0,
        metadata=_words(
            "records per person", "largest number of private records per person (default: all)"
        ),
    )

    classes: str = field(
        default="",
        metadata=_words(
            "classes",
            "file of class names, one per line (default: classes.txt in the folder or zip, else"
            " read from the data)",
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
        records = check_whole("Records per class", self.records, 0, MAX_RECORDS)
        object.__setattr__(self, "records", records)
        if self.unit not in UNITS:
            raise DpvizError(f"Unit must be one of {', '.join(UNITS)}, got {quoted(self.unit)}.")
        per_person = check_whole("Records per person", self.per_person, 0, MAX_RECORDS)
        object.__setattr__(self, "per_person", per_person)
        object.__setattr__(self, "draw", check_whole("Data draw", self.draw, 0, MAX_DRAW))

    @property
    def facts(self) -> dict[str, Any]:
        """The data settings by name, without the fields of subclasses."""
        return {data_field.name: getattr(self, data_field.name) for data_field in DATA_FIELDS}

    @property
    def has_original_sizes(self) -> bool:
        """Whether classes keep their different sizes in the data set."""
        return self.ir == 1 and self.dataset in UNBALANCED_DATASETS

    @property
    def non_default_fields(self) -> dict[str, Any]:
        """The data settings that are not at their defaults."""
        return {
            data_field.name: value
            for data_field in DATA_FIELDS
            if (value := getattr(self, data_field.name)) not in (None, data_field.default)
        }


DATA_FIELDS = dataclasses.fields(DataConfig)
#: Data sets with original, unequal class sizes at imbalance ratio 1.
UNBALANCED_DATASETS = frozenset({"clothes", "omniglot-alphabets"})
_LATER = {fact.name: fact.default for fact in DATA_FIELDS if fact.name not in IN_EVERY_KEY}


def key_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that are part of a key; see ``IN_EVERY_KEY``."""
    return {name: v for name, v in fields.items() if name not in _LATER or v != _LATER[name]}


def check_name(name: str, value: Any, optional: bool = False) -> None:
    """Refuse a key or a path that is not text.

    Raises:
        DpvizError: With the value.
    """
    if not isinstance(value, str) and not (optional and value is None):
        raise DpvizError(f"`{name}` must be text in quotes, got {quoted(value)}.")
