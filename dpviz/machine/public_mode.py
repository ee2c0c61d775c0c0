"""Public mode, a demo for anyone: ``DPVIZ_PUBLIC=1`` turns it on.

Functions that take files of visitors, start long work or reach the network call ``refuse`` first,
so that a feature is off whatever page, link or message asks for it. ``docs/hosting.md`` has the
threat model.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from dpviz.text import public_mode as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.types.checks import quoted

SETTING = "DPVIZ_PUBLIC"
#: Environment variable with the address where people get the project.
LINK = "DPVIZ_PUBLIC_LINK"
#: Jobs of one visitor, and of all visitors, that compute or wait.
MAX_JOBS, MAX_JOBS_IN_ALL = 3, 60
#: Seconds for which one job computes, without its time in the queue.
JOB_SECONDS = 60
#: Seconds until a job that took too long may start again, and how many such jobs are remembered.
RETRY_SECONDS, MAX_TOO_LONG = 300, 500
#: Bytes that a worker process allocates for a job.
JOB_MEMORY = 3 * 2**30
#: Bytes of a file that a worker process writes.
JOB_FILE = 2**28
#: Steps or queries of a mechanism on the Calculator page, which computes in the server.
MAX_STEPS = 10_000
#: Dimensions of features that a page makes, and of those with principal directions.
MAX_DIMENSIONS, MAX_PCA_DIMENSIONS = 2048, 1024
#: Records times dimensions of features that a page makes.
MAX_NUMBERS = 4_200_000
#: Bytes of data sets in each cache in memory; the one used last is always kept.
CACHE_BYTES = 2**27
#: Images that one job embeds.
MAX_EMBEDDED = 500
#: Bytes of the store of results, beyond which no more results are stored.
STORE_BYTES = 2**30

#: Bytes of a folder of votes or maps, beyond which no more are stored in it.
FOLDER_BYTES = 2**28


def is_on() -> bool:
    """Return whether the mode is on. A misspelled value turns it on, as this is the safe side."""
    return os.environ.get(SETTING, "").strip().lower() not in ("", "0", "off", "false", "no")


def refuse(feature: str) -> None:
    """Refuse a feature in public mode; do nothing otherwise.

    Args:
        feature: key of ``dpviz.text.public_mode.CLOSED``.

    Raises:
        DpvizError: in public mode, with the sentence for visitors.
    """
    if is_on():
        raise DpvizError(text.CLOSED[feature])


def check_steps(count: int) -> None:
    """Check a number of steps or queries whose guarantee is to be computed.

    Raises:
        DpvizError: in public mode, above ``MAX_STEPS``.
    """
    if is_on() and count > MAX_STEPS:
        raise DpvizError(render_text(text.TOO_MANY_STEPS, limit=MAX_STEPS, count=count))


def allows_features(dimensions: int, records: int) -> bool:
    """Return whether ``check_features`` passes."""
    return not is_on() or (dimensions <= MAX_DIMENSIONS and dimensions * records <= MAX_NUMBERS)


def has_room(folder: Path) -> bool:
    """Return whether a folder of computed arrays takes more of them."""
    if not is_on():
        return True
    sizes = (path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return sum(sizes) <= FOLDER_BYTES


def cache_bytes() -> int | None:
    """Return the limit of data sets in each cache in memory; None without the mode."""
    return CACHE_BYTES if is_on() else None


def check_features(dimensions: int, records: int) -> None:
    """Check the size of features that a page makes, in the server.

    Raises:
        DpvizError: in public mode, above ``MAX_DIMENSIONS`` or ``MAX_NUMBERS``.
    """
    if allows_features(dimensions, records):
        return
    if dimensions > MAX_DIMENSIONS:
        fields = {"limit": MAX_DIMENSIONS, "count": dimensions}
        raise DpvizError(render_text(text.TOO_MANY_DIMENSIONS, **fields))
    fields = {"limit": MAX_NUMBERS, "count": dimensions * records}
    raise DpvizError(render_text(text.TOO_MANY_NUMBERS, **fields))


def check_pca(dimensions: int) -> None:
    """Check the dimension of features whose principal directions are computed, in the server.

    Raises:
        DpvizError: in public mode, above ``MAX_PCA_DIMENSIONS``.
    """
    if is_on() and dimensions > MAX_PCA_DIMENSIONS:
        fields = {"limit": MAX_PCA_DIMENSIONS, "count": dimensions}
        raise DpvizError(render_text(text.TOO_WIDE_FOR_PCA, **fields))


def link() -> str:
    """Return the address where people get the project; empty if the operator gave none.

    Raises:
        DpvizError: if the address is not https.
    """
    address = os.environ.get(LINK, "")
    parts = urlsplit(address)
    if address and not (parts.scheme == "https" and parts.netloc):
        raise DpvizError(render_text(text.BAD_LINK, link=quoted(address)))
    return address
