"""Makes the features that come with this project.

    python -m dpviz.data.shipped_features        # a minute or two on two cores

Only those of a set's suiting encoder, in float16 as every cache keeps them, and on the CPU, where a
folder's name stands for pictures, weights and arithmetic, not for the machine. A GPU makes its own.
Whoever changes a split, the encoder or its arithmetic runs this again; a test says so.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

from dpviz import encoders
from dpviz.data import feature_cache
from dpviz.data.data_set_table import DATASETS
from dpviz.encoders.encoder import Encoder
from dpviz.types import Files, Images

SETS = ("clothes",)
"""Whose features are shipped, with those of the public set they begin with."""


def shipped() -> Iterator[tuple[Images | Files, Encoder]]:
    """Each split whose features are shipped, and the encoder."""
    for key in SETS:
        row = DATASETS[key]
        for part in (row, DATASETS[row.public[0]]):
            for split in part.images().values():
                yield split, encoders.get(row.encoder)


def main() -> None:
    """Make them all anew."""
    os.environ["DPVIZ_DEVICE"] = "cpu"
    shutil.rmtree(feature_cache.SHIPPED, ignore_errors=True)
    for split, encoder in shipped():
        report = feature_cache.paced(f"{len(split):,} pictures", _say)
        feature_cache.embedded(split, encoder, report, feature_cache.SHIPPED)
    for path in feature_cache.SHIPPED.glob("*/*"):
        path.chmod(0o644)  # whoever installs them is not whoever reads them


def _say(text: str, finished: int, total: int) -> None:
    print(f"{text}: {finished} of {total}", file=sys.stderr)


if __name__ == "__main__":
    main()
