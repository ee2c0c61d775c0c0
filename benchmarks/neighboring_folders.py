"""Pairs of image folders that differ in one private image or person: what else differs?

For each pair this checks that all outputs outside the private mechanism are identical:

- the public set (held aside) and the test set, image by image;
- the split, class, person and features of every other image;
- the list of classes;
- the card of a release by each private method;
- the JSON of a run, without accuracies and ``private_view``.

Then it lists what may differ, with the guarantee that covers it. Exit status 1 if a pair differs
in anything else.

    python -m benchmarks.neighboring_folders
"""

from __future__ import annotations

import io
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from dpviz import data, methods
from dpviz.data import held_aside
from dpviz.data.readers.picture_sets import by_hash
from dpviz.experiments import experiment, release_file, result_files
from dpviz.types import Budget, DpvizError, RunSpec

ENCODER, BUDGET = "glyphnet", Budget(1.0)
CLASSES = ("ant", "bee", "yak")
OTHERS = 60
"""Training images of each class that stays as it is."""
LISTED = b"\n".join(name.encode() for name in CLASSES)
COVERED = (
    ("weights, bias and chosen public images of a release", "(1, 1e-5)-DP, its card's guarantee"),
    ("accuracies of a run", "none: a replay from a printed seed, not for release"),
    ("fields under private_view, pages with that badge", "none: a private view, not for release"),
    (
        "how a folder is laid out: train/ and test/ folders, a folder per person, files in a zip",
        "none: the layout is taken as public",
    ),
    ("a refusal where no training image is left at all", "none: such a folder has nothing to use"),
)
"""What may differ between neighbors, and the guarantee that covers it."""
JSON_LEFT_OUT = ("accuracy", "versions", "origin", "dataset", "classes", result_files.PRIVATE)
"""Fields that are a replay, or name this machine's files or code."""
Files = dict[str, bytes]


@dataclass(frozen=True)
class Pair:
    """Two neighboring folders.

    Attributes:
        name: what differs; files: of the larger folder; gone: images that the smaller one lacks.
        unit: of privacy; packed: ``folder``, ``zip`` or ``parquet``.
    """

    name: str
    files: Files
    gone: tuple[str, ...]
    unit: str = "picture"
    packed: str = "folder"


class Painter:
    """Images of random pixels."""

    def __init__(self, seed: int) -> None:
        """seed: of the pixels."""
        self._rng = np.random.default_rng(seed)

    def image(self, public: bool | None = None) -> bytes:
        """A PNG file; ``public`` chooses whether it is held aside, None leaves it to the hash."""
        while True:
            file = io.BytesIO()
            pixels = self._rng.integers(0, 256, (8, 8, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(file, "PNG")
            content = file.getvalue()
            name = f"{zlib.crc32(content)} {len(content)}"
            if public is None or held_aside.is_held_aside(name, held_aside.ONE_IN) == public:
                return content

    def base(self) -> Files:
        """Two classes with training and test images, and the list of three classes."""
        files = {"classes.txt": LISTED}
        for label in CLASSES[:2]:
            files |= {f"train/{label}/{i}.png": self.image() for i in range(OTHERS)}
            files |= {f"test/{label}/{i}.png": self.image() for i in range(4)}
        return files


def pairs() -> Iterator[Pair]:
    """Twenty pairs."""
    paint = Painter(0)
    for n in (4, 8, 12, 16, 20, 24, 28, 40, 80):
        own = {f"train/yak/{i}.png": paint.image(False if i == 0 else None) for i in range(n)}
        tested = {f"test/yak/{i}.png": paint.image() for i in range(3)}
        name = f"a class of {n} or {n - 1} training images"
        yield Pair(name, paint.base() | own | tested, ("train/yak/0.png",))
    yield from _rare(paint)
    yield from _persons(paint)
    yield from _divided(paint)


def _rare(paint: Painter) -> Iterator[Pair]:
    one, gone = {"train/yak/0.png": paint.image(False)}, ("train/yak/0.png",)
    yield Pair("the only image of a class", paint.base() | one, gone)
    tested = {"test/yak/0.png": paint.image()}
    yield Pair(
        "the only training image of a class with test images", paint.base() | one | tested, gone
    )
    first = "train/ant/0.png"
    yield Pair("an image of a large class", paint.base() | {first: paint.image(False)}, (first,))


def _persons(paint: Painter) -> Iterator[Pair]:
    private = [f"p{i}" for i in range(60) if not _public_person(f"p{i}")]
    base = paint.base()
    owners = {name: f"q{i // 3}" for i, name in enumerate(base) if name.endswith(".png")}
    own = {f"train/yak/{i}.png": paint.image() for i in range(3)}
    for name, gone in (("one of three images of a person", 1), ("all images of a person", 3)):
        listed = owners | dict.fromkeys(own, private[0])
        files = base | own | {"people.csv": _people(listed)}
        yield Pair(name, files, tuple(own)[:gone], unit="person")
    for added in (1, 2):
        tested = {"test/ant/t.png": paint.image()}
        theirs = {f"train/ant/t{i}.png": paint.image() for i in range(added)}
        listed = owners | dict.fromkeys((*tested, *theirs), private[1])
        name = f"a test person with {added} or {added - 1} training images"
        files = base | tested | theirs | {"people.csv": _people(listed)}
        yield Pair(name, files, ("train/ant/t0.png",), unit="person")


def _divided(paint: Painter) -> Iterator[Pair]:
    """Sets without folders train/ and test/, which a hash divides."""
    train = [f"yak/{i}.png" for i in range(99) if by_hash(f"yak/{i}.png") == "train"]
    for packed in ("folder", "zip"):
        files = {"classes.txt": LISTED}
        files |= {f"{c}/{i}.png": paint.image() for c in CLASSES[:2] for i in range(OTHERS)}
        files |= {name: paint.image(False) for name in train[:4]}
        name = f"a class with training images alone, in a {packed}"
        yield Pair(name, files, (train[0],), packed=packed)
    files = {f"{c}/{i}.png": paint.image() for c in CLASSES for i in range(OTHERS)}
    gone = next(n for n, content in files.items() if _private_row(content))
    yield Pair("a row of a parquet file", files, (gone,), packed="parquet")
    rows = list(files)
    last = next(n for n in reversed(rows) if _private_row(files[n]))
    yield Pair("a late row of a parquet file", files, (last,), packed="parquet")


def _private_row(content: bytes) -> bool:
    name = f"{zlib.crc32(content)} {len(content)}"
    return by_hash(name) == "train" and not held_aside.is_held_aside(name, held_aside.ONE_IN)


def _public_person(person: str) -> bool:
    from dpviz.data.readers import people

    return held_aside.is_held_aside(str(people.number(person)), held_aside.ONE_IN)


def _people(owners: Mapping[str, str]) -> bytes:
    return "\n".join(["image,person", *(f"{n},{p}" for n, p in owners.items())]).encode()


# ------------------------------------------------------------------------------------- comparisons


def written(root: Path, files: Files, packed: str) -> Path:
    """The files as a folder, a zip or a parquet file."""
    if packed == "folder":
        for name, content in files.items():
            path = root / "set" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return root / "set"
    root.mkdir(parents=True)
    if packed == "zip":
        with zipfile.ZipFile(root / "set.zip", "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return root / "set.zip"
    import pyarrow as pa
    import pyarrow.parquet as pq

    labels = [name.split("/")[0] for name in files]
    table = pa.table({"image": list(files.values()), "label": labels})
    pq.write_table(table, root / "set.parquet")
    (root / "classes.txt").write_bytes(LISTED)
    return root / "set.parquet"


def outputs(path: Path, pair: Pair) -> dict[str, Any]:
    """Everything outside the private mechanism, by name; ``others`` by image."""
    listed = path.with_name("classes.txt")
    classes = str(listed) if pair.packed == "parquet" else ""
    row = data.source(str(path), classes)
    splits = row.images()
    results = data.load(str(path), ENCODER, "held-aside", classes=classes)
    assert results.rows is not None
    names = {split: _contents(part) for split, part in splits.items()}
    persons = results.persons if results.persons is not None else np.zeros(len(results.x), np.int64)
    private = zip(
        (names["train"][r] for r in results.rows), results.x, results.y, persons, strict=True
    )
    public = [name for r, name in enumerate(names["train"]) if r not in set(results.rows.tolist())]
    return {
        "classes": results.class_names,
        "classes read from the data": results.classes_read,
        "public images": results.held_aside,
        "public set": list(zip(public, map(_bytes, results.public), results.y_public, strict=True)),
        "test set": list(
            zip(names["test"], map(_bytes, results.x_test), results.y_test, strict=True)
        ),
        "others": {name: (_bytes(x), int(y), int(who)) for name, x, y, who in private},
        **words(str(path), classes, pair),
    }


def _contents(part: Any) -> list[str]:
    from dpviz.data.readers.content_marks import checksums

    return [f"{crc} {size}" for crc, size in checksums(part).tolist()]


def _bytes(row: np.ndarray) -> bytes:
    return row.tobytes()


def words(dataset: str, classes: str, pair: Pair) -> dict[str, Any]:
    """Cards of releases by every private method, and the JSON of a run."""
    differences_found: dict[str, Any] = {}
    unit: dict[str, Any] = {"unit": pair.unit, "per_person": 2 if pair.unit == "person" else 0}
    for public in ("none", "held-aside"):
        facts = {"public": public, "classes": classes, **unit}
        for key, method in methods.METHODS.items():
            if method.private:
                spec = RunSpec(dataset, ENCODER, key, BUDGET, **facts)
                differences_found[f"card of {key}, public set {public}"] = _card(spec)
        run = RunSpec(dataset, ENCODER, "dppl-mean", BUDGET, **facts)
        json = result_files.as_json(experiment.sweep([run], use_store=False)[0])
        differences_found[f"JSON of a run, public set {public}"] = {
            name: value for name, value in json.items() if name not in JSON_LEFT_OUT
        }
    return differences_found


def _card(spec: RunSpec) -> Any:
    """The card, or the sentence that refuses a release."""
    try:
        card = release_file.card(spec, release_file.planned(spec))
    except DpvizError as error:
        return str(error).replace(spec.dataset, "DATA")
    return card


def differences(pair: Pair, root: Path) -> list[str]:
    """Names of the outputs that differ, and the images that the change should not have reached."""
    fewer = {name: content for name, content in pair.files.items() if name not in pair.gone}
    both = []
    for folder, files in (("more", pair.files), ("fewer", fewer)):
        path = written(root / folder, files, pair.packed)
        both.append(outputs(path, pair))
    more, less = both
    differences_found = [name for name in more if name != "others" and more[name] != less[name]]
    gone = {f"{zlib.crc32(pair.files[n])} {len(pair.files[n])}" for n in pair.gone}
    kept = {name: row for name, row in more["others"].items() if name not in gone}
    differences_found += ["other private images"] if kept != less["others"] else []
    if set(more["others"]) - set(less["others"]) != gone:
        differences_found.append("which image is private")
    return differences_found


def compared(some: Iterator[Pair], tell: Callable[[str], None]) -> int:
    """Compare pairs and tell each; how many differ in more than they may."""
    wrong = 0
    for pair in some:
        with tempfile.TemporaryDirectory() as root:
            differences_found = differences(pair, Path(root))
        wrong += bool(differences_found)
        tell(
            f"{'DIFFERS: ' + ', '.join(differences_found) if differences_found else 'identical'}:"
            f" {pair.name}"
        )
    return wrong


def main() -> int:
    """Compare all pairs and list what may differ."""
    wrong = compared(pairs(), print)
    print("\nWhat may differ, and the guarantee that covers it:")
    for what, covered in COVERED:
        print(f"- {what}: {covered}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
