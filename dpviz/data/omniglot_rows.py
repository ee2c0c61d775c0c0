"""Rows of the data-set table for Omniglot: sets of 10 to 242 characters, a set of alphabets, and
their public sets.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from dpviz.data import omniglot
from dpviz.data.source import Source

KEY = "omniglot"
PUBLIC, PUBLIC_5, PUBLIC_RESERVED = "omniglot-public", "omniglot-public-5", "omniglot-other"
ALPHABETS, ALPHABETS_PUBLIC = "omniglot-alphabets", "omniglot-alphabets-public"
_PERSON = (
    "A drawer of one alphabet counts as one person. The source does not say whether a person drew"
    " several alphabets."
)
_DRAWN_SETS = ("glyphs", "letters", "uci-digits")
_CHARACTER_COUNT = len(omniglot.CHARACTERS)
_TRAIN, _TEST = (len(omniglot.PARTS[part]) for part in ("train", "test"))
_DRAWERS = {
    part: f"{drawers.start} to {drawers.stop - 1}" for part, drawers in omniglot.PARTS.items()
}
_PRIVATE_SIZE = (
    "{train:,} train images by drawers {private} of each alphabet and {test:,} test images by"
    " drawers {testing}, 105 × 105 resized to 28 × 28"
)
_PUBLIC_SIZE = "{images:,} images by drawers {first} to {last} of each alphabet, 28 × 28"


def _row(key: str, title: str, **fields: Any) -> Source:
    return Source(
        key=key,
        title=title,
        source=(
            "Omniglot, background small 1 and 2; Lake, Salakhutdinov and Tenenbaum 2015, drawn by"
            " 20 people per alphabet"
        ),
        licence="MIT",
        checked="the LICENSE of its repository, which is in the archive",
        **fields,
    )


def _private_size(characters: int) -> str:
    return _PRIVATE_SIZE.format(
        train=characters * _TRAIN,
        test=characters * _TEST,
        private=_DRAWERS["train"],
        testing=_DRAWERS["test"],
    )


def _public_size(characters: int, per_character: int) -> str:
    first = omniglot.PARTS["public"].start
    return _PUBLIC_SIZE.format(
        images=characters * per_character, first=first, last=first + per_character - 1
    )


def _characters(count: int) -> Source:
    whole = count == _CHARACTER_COUNT
    more_sets = () if whole else (PUBLIC_RESERVED,)
    return _row(
        KEY if whole else f"{KEY}-{count}",
        f"Omniglot, {count} characters",
        roles=("private",),
        size=_private_size(count),
        class_names=omniglot.CHARACTERS[:count],
        images=partial(omniglot.private, count),
        part_of=None if whole else KEY,
        public=(PUBLIC, PUBLIC_5, *more_sets, *_DRAWN_SETS),
        variant=f"{count} characters",
        first_ratio=1,
        persons=True,
        notes=(_PERSON,),
    )


def _public(key: str, title: str, per_character: int) -> Source:
    return _row(
        key,
        title,
        roles=("public",),
        size=_public_size(_CHARACTER_COUNT, per_character),
        class_names=omniglot.CHARACTERS,
        images=partial(omniglot.public, per_character),
    )


ROWS: tuple[Source, ...] = (
    *map(_characters, (_CHARACTER_COUNT, *omniglot.COUNTS)),
    _row(
        ALPHABETS,
        f"Omniglot, {len(omniglot.ALPHABETS)} alphabets",
        roles=("private",),
        size=_private_size(_CHARACTER_COUNT),
        class_names=tuple(omniglot.ALPHABETS),
        images=partial(omniglot.alphabets, "train", "test"),
        part_of=KEY,
        public=(ALPHABETS_PUBLIC, *_DRAWN_SETS),
        variant=f"{len(omniglot.ALPHABETS)} alphabets",
        first_ratio=1,
        persons=True,
        notes=(_PERSON,),
    ),
    _public(PUBLIC, "Omniglot of other drawers, 3 per character", omniglot.DEFAULT_DRAWINGS),
    _public(PUBLIC_5, "Omniglot of other drawers, 5 per character", omniglot.MAX_DRAWINGS),
    _row(
        PUBLIC_RESERVED,
        "Omniglot, two other alphabets",
        roles=("public",),
        size=_public_size(len(omniglot.RESERVED_LABELS), omniglot.MAX_DRAWINGS),
        class_names=omniglot.CHARACTERS,
        images=omniglot.other_alphabets,
        part_of=PUBLIC_5,
        keeps=omniglot.RESERVED_LABELS,
    ),
    _row(
        ALPHABETS_PUBLIC,
        "Omniglot alphabets of other drawers",
        roles=("public",),
        size=_public_size(_CHARACTER_COUNT, omniglot.DEFAULT_DRAWINGS),
        class_names=tuple(omniglot.ALPHABETS),
        images=partial(omniglot.alphabets, "public"),
    ),
)
