"""Pictures read and decoded in worker processes, a bounded number ahead of the network. Knows
nothing of torch.
"""

from __future__ import annotations

import itertools
import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dpviz.caches import cached
from dpviz.types import DpvizError

Read = Callable[[int], np.ndarray]
Decoded = Generator[tuple[range, list[np.ndarray]], None, None]

PIECE = 8
"""Pictures that a worker decodes at once."""
BYTES_AHEAD = 2**30
"""Of decoded pictures that may wait for the network: fewer pieces where pictures are large."""
IDLE = 60
"""Seconds after which workers without work end."""


def decoded(read: Read, batches: Sequence[range], enough: int, workers: int) -> Decoded:
    """(rows, pictures) of each batch, in order; no more than ``window`` pieces are decoded before
    they are asked for.

    Args:
        read: gives picture i as (h, w, 3) uint8; it can be pickled.
        batches: rows of each batch.
        enough: sides of at least twice this are brought down by averaging whole blocks of pixels,
            so that no photograph of fifty million pixels travels between processes.
        workers: processes; one, or none that may be started, is this process.

    Raises:
        DpvizError: what ``read`` says of a picture that cannot be decoded.
    """
    from joblib import effective_n_jobs
    from joblib.externals.loky.backend.reduction import dumps

    workers = effective_n_jobs(workers)
    if workers == 1:
        for rows in batches:
            yield rows, _decode(read, rows, enough)
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "read"
        path.write_bytes(dumps(read))
        pieces = _in_order(str(path), _cut(batches), enough, workers)
        for rows in batches:
            pictures: list[np.ndarray] = []
            while len(pictures) < len(rows):
                pictures += next(pieces)
            yield rows, pictures


def window(workers: int, piece: int) -> int:
    """Pieces of at most ``piece`` bytes that may be decoded ahead: two a worker keep it busy."""
    return max(1, min(2 * workers + 1, BYTES_AHEAD // max(1, piece)))


def _cut(batches: Sequence[range]) -> Iterable[range]:
    return (rows[start : start + PIECE] for rows in batches for start in range(0, len(rows), PIECE))


def _in_order(
    path: str, pieces: Iterable[range], enough: int, workers: int
) -> Generator[list[np.ndarray], None, None]:
    from joblib.externals.loky import get_reusable_executor

    pool = get_reusable_executor(workers, timeout=IDLE)
    left, largest = iter(pieces), 0
    waiting: deque[Future[list[np.ndarray]]] = deque()
    try:
        while True:
            free_pieces = window(workers, largest) - len(waiting)
            for rows in itertools.islice(left, max(0, free_pieces)):
                waiting.append(pool.submit(_piece, path, rows, enough))
            if not waiting:
                return
            pictures = waiting.popleft().result()
            largest = max(largest, sum(picture.nbytes for picture in pictures))
            yield pictures
    except BrokenExecutor:
        raise DpvizError(
            "A process that decodes images was ended from outside, possibly for lack of memory."
            " Free memory and try again. Finished work is stored."
        ) from None
    finally:
        for future in waiting:
            future.cancel()


@cached(1)
def _reader(path: str) -> Read:
    """Unpickled once a worker: the names of a million pictures do not travel with every piece."""
    return pickle.loads(Path(path).read_bytes())


def _piece(path: str, rows: range, enough: int) -> list[np.ndarray]:
    return _decode(_reader(path), rows, enough)


def _decode(read: Read, rows: range, enough: int) -> list[np.ndarray]:
    return [_shrunk(read(i), enough) for i in rows]


def _shrunk(picture: np.ndarray, enough: int) -> np.ndarray:
    factor = min(picture.shape[:2]) // enough
    if factor < 2:
        return picture
    from PIL import Image

    return np.asarray(Image.fromarray(picture).reduce(factor))
