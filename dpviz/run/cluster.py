"""Sweeps that outgrow one process: batches on Dask workers, results back to the one who asked, who
alone writes the store.

Workers need this package, the same data and the same versions, and nothing else: no shared file
system, no store. A batch is computed again if its worker dies, which changes nothing, because the
same spec gives the same numbers.
Dask runs what a client sends and sends it unencrypted: use a scheduler that only people you trust
    can reach.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dpviz.machine.threads import at_most
from dpviz.run import experiment, store
from dpviz.types import DpvizError, Plan, Result, RunSpec

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
PATIENCE = 60
"""Seconds to wait for a scheduler, and for its first worker."""
BEAT = 1.0
"""Seconds between two looks at whether to stop."""

UNWATCHED = {"distributed.worker.profile.enabled": False}
"""Dask looks at every thread a hundred times a second for a profile that nobody reads here."""


@contextmanager
def connected(scheduler: str, workers: int) -> Iterator[Client]:
    """A client of a running scheduler, or of a cluster of this machine that ends with the block.

    Args:
        scheduler: its address, such as ``tcp://10.0.0.1:8786``, or ``local``.
        workers: processes of a local cluster, one numeric thread each; a running one has its own.

    Raises:
        DpvizError: if there is no scheduler, or it has no worker.
    """
    import dask
    from distributed import Client, LocalCluster

    if workers < 1:
        raise DpvizError(f"Workers are {workers}; use at least 1.")
    if scheduler == LOCAL:
        own = {
            "threads_per_worker": 1,
            "dashboard_address": "127.0.0.1:0",
            "silence_logs": logging.ERROR,
        }
        with (
            dask.config.set(UNWATCHED),
            LocalCluster(n_workers=workers, **own) as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise DpvizError(
            f"There is no Dask scheduler at {scheduler}: {error}; give its address, such as"
            " tcp://10.0.0.1:8786."
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise DpvizError(
                f"The scheduler at {scheduler} has no worker; start one with: dask worker"
                f" {scheduler} --nthreads 1."
            ) from None
        yield client


def spread(client: Client) -> experiment.Spread:
    """Computes the batches of ``experiment.sweep`` on the client's workers."""

    def over_workers(
        batches: list[experiment.Batch],
        plans: Mapping[RunSpec, Plan],
        keys: Mapping[RunSpec, str],
        tell: Callable[[str], None],
    ) -> Iterator[list[Result]]:
        waiting = {_submit(client, batch, keys) for batch in batches}
        try:
            while waiting:
                tell(f"{len(client.scheduler_info(n_workers=-1)['workers'])} workers")
                for future in _finished(waiting):
                    waiting.remove(future)
                    yield _answer(future)
        finally:
            client.cancel(list(waiting))

    return over_workers


def _submit(client: Client, batch: experiment.Batch, keys: Mapping[RunSpec, str]) -> Future:
    # under a name of its own: Dask tells late, by name, what an earlier stop has cancelled
    return client.submit(compute, batch, keys[batch[0]], pure=False)


def _finished(waiting: set) -> set:
    """Those that are done, after a beat at most."""
    from distributed import wait

    try:
        return wait(waiting, timeout=BEAT, return_when="FIRST_COMPLETED").done
    except TimeoutError:
        return set()


def _answer(future: Future) -> list[Result]:
    """A batch's results.

    Raises:
        DpvizError: for what a worker refused, for one that dies of the batch, for a scheduler that
            went away.
    """
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    try:
        results = future.result()
    except KilledWorker as error:
        raise DpvizError(
            f"A batch ended every worker that it was given to ({error.allowed_failures + 1} times);"
            " give workers more memory."
        ) from None
    except (CommClosedError, OSError):
        raise DpvizError(
            "The scheduler went away; what is done is kept, and the same command goes on from"
            " there."
        ) from None
    future.release()
    return results


def compute(batch: Sequence[RunSpec], expected: str) -> list[Result]:
    """On a worker: plan, fit and score a batch on one core, if data, code and libraries are those
    of the one who asks.

    Raises:
        DpvizError: if they are not, as the result would be kept under a wrong key.
    """
    fingerprint = experiment.prepared(batch[0]).fingerprint
    if store.key(batch[0], fingerprint) != expected:
        raise DpvizError(
            "A worker has other data, code or library versions than this command; give all of them"
            " the same."
        )
    with at_most(1):
        return experiment.compute(batch, experiment.plans_of(batch))
