"""Sweeps on Dask workers. Only the client writes the result store.

Workers need this package, the same data and the same versions, but no shared file system and no
store. A batch is recomputed if its worker dies; equal specs give equal numbers.
Dask executes pickles of a client, and sends them unencrypted without certificates (``tls://``): use
a scheduler that only trusted people can reach.
"""

from __future__ import annotations

import logging
import pkgutil
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from dpviz import __version__
from dpviz.experiments import experiment, store
from dpviz.machine import optional
from dpviz.machine.interrupts import sigint_deferred
from dpviz.machine.threads import limited_cores
from dpviz.types import DpvizError, Plan, Result, RunSpec
from dpviz.types.checks import quoted

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?[\w.:%\[\]-]+:([0-9]{1,5})/?", re.ASCII)
#: Seconds to wait for a scheduler, and for its first worker.
PATIENCE = 60
#: Seconds between two progress reports.
BEAT = 1.0
#: Largest number of processes of a local cluster.
MAX_WORKERS = 512

TLS = (
    "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
)
"""Variables with the certificate files of a client."""

NO_PROFILER = {"distributed.worker.profile.enabled": False}
"""The profiler of Dask samples every thread a hundred times per second."""


@contextmanager
def connected(scheduler: str, workers: int) -> Iterator[Client]:
    """Yield a client of a running scheduler, or of a local cluster that ends with the block.

    Args:
        scheduler: its address, such as ``tls://10.0.0.1:8786``, or ``local``.
        workers: processes of a local cluster, 1 to MAX_WORKERS, one numeric thread each; ignored
            for a running scheduler.

    Raises:
        DpvizError: Without a scheduler, a worker, this package on all of them, or the required
            certificates.
    """
    optional.require("distributed")
    import dask
    from distributed import Client, LocalCluster

    if not 1 <= workers <= MAX_WORKERS:
        raise DpvizError(f"Number of workers must be between 1 and {MAX_WORKERS}, got {workers}.")
    if scheduler == LOCAL:
        options = {
            "threads_per_worker": 1,
            "dashboard_address": "127.0.0.1:0",
            "silence_logs": logging.ERROR,
        }
        with dask.config.set(NO_PROFILER), ExitStack() as stack:
            with sigint_deferred():  # a cluster that is half started cannot be closed
                cluster = stack.enter_context(LocalCluster(n_workers=workers, **options))
                client = stack.enter_context(Client(cluster))
            yield client
        return
    port = ADDRESS.fullmatch(scheduler)
    if not port or not 0 < int(port[1]) < 65_536:
        raise DpvizError(
            f"Dask scheduler address not valid: {quoted(scheduler)}. Use local, or an address such"
            " as tcp://10.0.0.1:8786 with a port between 1 and 65535."
        )
    if scheduler.startswith("tls://"):
        _has_certificates(scheduler)
    try:
        client = Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise DpvizError(
            f"Cannot connect to a Dask scheduler at {scheduler} ({error}). Check the address."
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise DpvizError(
                f"The scheduler at {scheduler} has no workers. Start one: dask worker {scheduler}"
                " --nthreads 1"
            ) from None
        same_package(client)
        yield client


def _has_certificates(scheduler: str) -> None:
    """Refuse missing certificates; Dask's own error leaves a thread that keeps the process
    alive.
    """
    from distributed.security import Security

    try:
        context = Security().get_connection_args("client").get("ssl_context")
    except (OSError, ValueError, TypeError) as error:
        raise DpvizError(
            f"Cannot read the certificates for {scheduler} ({error}). Check {', '.join(TLS)}."
        ) from None
    if context is None:
        raise DpvizError(f"{scheduler} needs certificates. Set their files in {', '.join(TLS)}.")


def same_package(client: Client) -> None:
    """Refuse a scheduler or a worker without this version of the package.

    Otherwise a worker would crash in the first batch while the client waits.

    Raises:
        DpvizError: With the first node that lacks it.
    """
    attribute = "dpviz:__version__"  # read by a function of the standard library
    try:
        versions = {"The scheduler": client.run_on_scheduler(pkgutil.resolve_name, attribute)}
    except ImportError as error:
        versions = {"The scheduler": error}
    workers = client.run(pkgutil.resolve_name, attribute, on_error="return")
    versions |= {f"The worker at {address}": answer for address, answer in workers.items()}
    for node, answer in versions.items():
        unreachable = isinstance(answer, Exception) and not isinstance(answer, ImportError)
        if answer != __version__ and not unreachable:
            installed = str(answer) if isinstance(answer, str) else f"none ({answer})"
            raise DpvizError(
                f"{node} must have dpviz {__version__}, but has {installed}. Install version"
                f" {__version__}, or start the process in a checkout."
            )


def batch_runner(client: Client) -> experiment.RunBatches:
    """Return a function that computes batches of ``experiment.sweep`` on Dask workers."""

    def run_batches(
        batches: list[experiment.Batch],
        plans: Mapping[RunSpec, Plan],
        keys: Mapping[RunSpec, str],
        report: Callable[[str], None],
    ) -> Iterator[list[Result]]:
        pending = {_submit(client, batch, keys) for batch in batches}
        workers, last_seen = _workers(client), time.monotonic()
        try:
            while pending:
                at_work = _workers(client)
                report(f"{len(at_work)} worker" if len(at_work) == 1 else f"{len(at_work)} workers")
                if at_work - workers:
                    same_package(client)
                workers |= at_work
                last_seen = time.monotonic() if at_work else last_seen
                if time.monotonic() - last_seen > PATIENCE:
                    raise DpvizError(
                        f"No workers for {PATIENCE} seconds. Start a worker and run the same"
                        " command again. Finished results are stored."
                    )
                for future in _finished(pending):
                    pending.remove(future)
                    yield _answer(future)
        finally:
            client.cancel(list(pending))

    return run_batches


def _workers(client: Client) -> set[str]:
    return set(client.scheduler_info(n_workers=-1)["workers"])


def _submit(client: Client, batch: experiment.Batch, keys: Mapping[RunSpec, str]) -> Future:
    # unique names: Dask reports earlier cancellations late, by name
    return client.submit(compute, batch, keys[batch[0]], pure=False)


def _finished(pending: set) -> set:
    """Return the finished batches, after at most ``BEAT`` seconds."""
    from distributed import wait

    try:
        return wait(pending, timeout=BEAT, return_when="FIRST_COMPLETED").done
    except TimeoutError:
        return set()


def _answer(future: Future) -> list[Result]:
    """Return the results of a batch.

    Raises:
        DpvizError: For an error or a crash of a worker, or a lost scheduler.
    """
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    try:
        results = future.result()
    except KilledWorker as error:
        raise DpvizError(
            f"A batch crashed {error.allowed_failures + 1} workers. Give workers more memory."
        ) from None
    except (CommClosedError, OSError):
        raise DpvizError(
            "Lost the connection to the scheduler. Run the same command again. Finished results are"
            " stored."
        ) from None
    future.release()
    return results


def compute(batch: Sequence[RunSpec], expected: str) -> list[Result]:
    """Plan, fit and score a batch on one core of a worker.

    Raises:
        DpvizError: If data, code or libraries differ from those of the client.
    """
    fingerprint = experiment.prepared(batch[0]).fingerprint
    if store.key(batch[0], fingerprint) != expected:
        raise DpvizError(
            "A worker has different data, code or library versions. Use the same versions on all"
            " machines."
        )
    with limited_cores(1):
        return experiment.compute(batch, experiment.plans_of(batch))
