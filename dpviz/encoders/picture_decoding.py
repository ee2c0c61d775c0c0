"""Pictures read and decoded in worker processes, a few batches ahead of the network. Knows nothing
of torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

Read = Callable[[int], np.ndarray]


def decoded(
    read: Read, batches: Sequence[range], enough: int, workers: int
) -> Iterator[tuple[range, list[np.ndarray]]]:
    """(rows, pictures) of each batch, in order.

    Args:
        read: gives picture i as (h, w, 3) uint8; it can be pickled.
        batches: rows of each batch.
        enough: sides of at least twice this are brought down by averaging whole blocks of pixels,
            so that no photograph of fifty million pixels travels between processes.
        workers: processes.

    Raises:
        DpvizError: what ``read`` says of a picture that cannot be decoded.
    """
    from joblib import Parallel, delayed

    pool = Parallel(
        workers, return_as="generator", pre_dispatch=2 * workers + 1, batch_size=1, max_nbytes=None
    )
    made = pool(delayed(_read)(read, rows, enough) for rows in batches)
    try:
        yield from zip(batches, made, strict=True)
    finally:
        made.close()


def _read(read: Read, rows: range, enough: int) -> list[np.ndarray]:
    return [_shrunk(read(i), enough) for i in rows]


def _shrunk(picture: np.ndarray, enough: int) -> np.ndarray:
    factor = min(picture.shape[:2]) // enough
    if factor < 2:
        return picture
    from PIL import Image

    return np.asarray(Image.fromarray(picture).reduce(factor))
