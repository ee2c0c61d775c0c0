"""Public functions: runs on named data and on arrays, guarantees, attacks and audits.

``import dpviz`` offers them; this module is not part of the public interface.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from numpy.typing import ArrayLike

from dpviz import data as data_sets
from dpviz import methods, privacy
from dpviz.experiments import experiment
from dpviz.machine import plugin_loading
from dpviz.machine.fair_queue import Progress, no_progress
from dpviz.results import Results
from dpviz.text import api as text
from dpviz.text.template import render_text
from dpviz.types import DELTA, Budget, Dataset, DpvizError, Guarantee, Plan, Result, RunSpec
from dpviz.types.dataset import IN_MEMORY

if TYPE_CHECKING:
    from dpviz.audits.custom_verdict import FunctionAudit
    from dpviz.diagnostics.shadow_attack import ShadowAttack
    from dpviz.estimators import (
        AdaMix,
        DPPLMean,
        DPPLPublic,
        DPPLPublicK,
        PrivateProbe,
        TransferPATE,
    )

Data = TypeVar("Data")


def spec(
    method: str,
    data: Dataset | str,
    *,
    epsilon: float | None = None,
    rho: float | None = None,
    budget: Budget | None = None,
    delta: float = DELTA,
    encoder: str | None = None,
    seed: int = 0,
    settings: Mapping[str, float | str] | None = None,
    **data_settings: str | float | None,
) -> RunSpec:
    """Return the inputs of a run, with all defaults filled in and checked.

    Args:
        method: key of a method, as in ``dpviz list methods``.
        data: ``Dataset.from_arrays(…)``, a key as in ``dpviz list datasets``, or a path.
        epsilon, rho, budget: one of them: ε of (ε, δ)-DP, ρ of zCDP, or any ``Budget``. A method
            without noise needs none.
        delta: of ``epsilon`` and ``rho``, in (0, 0.5].
        encoder: for images; by default the encoder that suits the data.
        seed: noise seed, >= 0.
        settings: of the method, by name.
        data_settings: ``public``, ``features``, ``ir``, ``records``, ``unit``, ``per_person``,
            ``classes``, ``draw``.

    Raises:
        DpvizError: for an unknown name or a value out of range.
    """
    name = data.key if isinstance(data, Dataset) else data
    if not isinstance(name, str):
        raise DpvizError(render_text(text.DATA, got=type(data).__name__))
    if unknown := sorted(set(data_settings) - DATA_SETTINGS):
        allowed = ", ".join(sorted(DATA_SETTINGS))
        raise DpvizError(render_text(text.UNKNOWN, name=unknown[0], allowed=allowed))
    if encoder is None and name in data_sets.DATASETS:
        encoder = data_sets.suiting_encoder(name)
    fields: dict[str, Any] = dict(data_settings)
    return experiment.complete(
        RunSpec(
            name,
            encoder,
            method=method,
            budget=_budget(method, epsilon, rho, budget, delta),
            params=tuple((settings or {}).items()),
            seed=seed,
            **fields,
        )
    )


#: Data settings by name, beside data and encoder.
DATA_SETTINGS = frozenset(
    ("public", "features", "ir", "records", "unit", "per_person", "classes", "draw")
)


def _budget(
    method: str, epsilon: float | None, rho: float | None, budget: Budget | None, delta: float
) -> Budget:
    given = [value for value in (epsilon, rho, budget) if value is not None]
    if not given and not methods.get(method).private:
        return Budget(math.inf)
    if len(given) != 1:
        raise DpvizError(render_text(text.ONE_BUDGET, number=len(given)))
    if budget is not None:
        return budget
    if rho is not None:
        return Budget(rho, "zcdp", delta)
    assert epsilon is not None
    return Budget(epsilon, "approx", delta)


@overload
def run(method: RunSpec) -> Result: ...


@overload
def run(
    method: str,
    data: Dataset | str,
    *,
    epsilon: float | None = None,
    rho: float | None = None,
    budget: Budget | None = None,
    delta: float = DELTA,
    encoder: str | None = None,
    seed: int = 0,
    settings: Mapping[str, float | str] | None = None,
    **data_settings: str | float | None,
) -> Result: ...


def run(method: RunSpec | str, data: Dataset | str | None = None, **choices: Any) -> Result:
    """Return the result of one run: of a ``RunSpec``, or of the arguments of ``spec``.

    The noise has a seed, so the run can be repeated and its release must not be published.

    Raises:
        DpvizError: for a setting that is not valid, or data without test records.
    """
    if isinstance(method, RunSpec):
        return sweep([method])[0]
    if data is None:
        raise DpvizError(text.NO_DATA)
    return sweep([spec(method, data, **choices)])[0]


def sweep(specs: Iterable[RunSpec], progress: Progress = no_progress) -> Results:
    """Return the results of many specs, in their order; stored results are not computed again.

    Args:
        progress: called with (stage, done, total) after each batch.

    Raises:
        DpvizError: as ``run``.
    """
    wanted = list(specs)
    for one in wanted:
        if one.dataset.startswith(IN_MEMORY) and not len(Dataset.from_key(one.dataset).x_test):
            raise DpvizError(text.NO_TEST)
    return Results(experiment.sweep(wanted, progress=progress))


def grid(
    chosen: Sequence[str],
    data: Dataset | str,
    epsilons: Sequence[float],
    seeds: Iterable[int] = range(5),
    **choices: Any,
) -> list[RunSpec]:
    """Return a spec per method, ε and seed, for ``sweep``.

    Args:
        chosen: keys of methods; choices: as of ``spec``.

    Raises:
        DpvizError: as ``spec``.
    """
    noise = list(seeds)
    return [
        spec(method, data, epsilon=epsilon, seed=seed, **choices)
        for method in chosen
        for epsilon in epsilons
        for seed in noise
    ]


def plan(spec: RunSpec) -> Plan:
    """Return what a run releases with how much noise; no private record is read.

    Raises:
        DpvizError: for a setting that is not valid.
    """
    return experiment.planned(spec)


def guarantee(
    spec: RunSpec | None = None,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
) -> Guarantee:
    """Return the guarantee of a run, or of a stated claim.

    Args:
        spec: of a run; or one of epsilon (with or without delta), rho, mu.

    Raises:
        DpvizError: for a value out of range, or for both or neither.
    """
    if spec is not None:
        if any(value is not None for value in (epsilon, delta, rho, mu)):
            raise DpvizError(text.SPEC_OR_CLAIM)
        return plan(spec).guarantee
    return privacy.claimed_guarantee(text.ADJACENCY, epsilon=epsilon, delta=delta, rho=rho, mu=mu)


def attack(
    spec: RunSpec, shadows: int = 64, gamma: float = 1.0, progress: Progress = no_progress
) -> ShadowAttack:
    """Return what membership inference attacks find out about the private records of a run.

    Args:
        shadows: models that the attacker trains, 8 to 512; gamma: threshold of RMIA.

    Raises:
        DpvizError: for a setting that is not valid.
    """
    from dpviz.diagnostics import shadow_attack

    return shadow_attack.attack(spec, shadows, gamma, progress)


def audit(
    function: Callable[[Data, int], object],
    with_record: Data,
    without_record: Data,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    faulty: Callable[[Data, int], object] | None = None,
    releases: int = 20_000,
    seconds: float = 600.0,
    progress: Progress = no_progress,
) -> FunctionAudit:
    """Return a lower bound on the privacy loss of a function, beside its claim.

    Args:
        function: ``function(data, seed)`` returns one release: numbers, texts, or arrays.
        with_record, without_record: two neighboring data sets.
        epsilon, delta, rho, mu: the claim.
        faulty: variant with too little noise, which the audit must catch.
        releases: per data set, 500 to 100,000; seconds: time limit.

    Raises:
        DpvizError: for a claim out of range or a function that fails.
    """
    from dpviz.audits import custom_function

    return custom_function.release_function(
        function,
        with_record,
        without_record,
        epsilon=epsilon,
        delta=delta,
        rho=rho,
        mu=mu,
        twin=faulty,
        most=releases,
        seconds=seconds,
        progress=progress,
    )


def load_plugin(path: str | Path) -> None:
    """Load a Python file with ``METHODS``, ``DATASETS`` or ``ENCODERS``, as ``--plugin`` does.

    The file runs with your rights. Stored results have a hash of its code in their keys.

    Raises:
        DpvizError: for a file that does not exist, fails, or uses a key that is taken.
    """
    plugin_loading.add_files([Path(path)])
    methods.load_plugins()


# ------------------------------------------------------------------------------ methods on arrays


def dppl_mean(
    X: ArrayLike,
    y: ArrayLike,
    *,
    epsilon: float | None = 1.0,
    random_state: int | None = None,
    **settings: Any,
) -> DPPLMean:
    """Return a released DPPL-Mean classifier: a noisy mean per class; see ``DPPLMean``."""
    from dpviz.estimators import DPPLMean

    return DPPLMean(epsilon=epsilon, random_state=random_state, **settings).fit(X, y)


def private_probe(
    X: ArrayLike,
    y: ArrayLike,
    *,
    epsilon: float | None = 1.0,
    random_state: int | None = None,
    **settings: Any,
) -> PrivateProbe:
    """Return a released linear classifier trained by noisy gradients; see ``PrivateProbe``."""
    from dpviz.estimators import PrivateProbe

    return PrivateProbe(epsilon=epsilon, random_state=random_state, **settings).fit(X, y)


def dppl_public(
    X: ArrayLike,
    y: ArrayLike,
    X_public: ArrayLike,
    *,
    epsilon: float | None = 1.0,
    random_state: int | None = None,
    **settings: Any,
) -> DPPLPublic:
    """Return a released DPPL-Public classifier: a public record per class; see ``DPPLPublic``."""
    from dpviz.estimators import DPPLPublic

    return DPPLPublic(epsilon=epsilon, random_state=random_state, **settings).fit(X, y, X_public)


def dppl_publick(
    X: ArrayLike,
    y: ArrayLike,
    X_public: ArrayLike,
    *,
    epsilon: float | None = 1.0,
    random_state: int | None = None,
    **settings: Any,
) -> DPPLPublicK:
    """Return a released DPPL-PublicK classifier: k public records per class."""
    from dpviz.estimators import DPPLPublicK

    return DPPLPublicK(epsilon=epsilon, random_state=random_state, **settings).fit(X, y, X_public)


def adamix(
    X: ArrayLike,
    y: ArrayLike,
    X_public: ArrayLike,
    y_public: ArrayLike,
    *,
    epsilon: float | None = 1.0,
    random_state: int | None = None,
    **settings: Any,
) -> AdaMix:
    """Return a released AdaMix classifier: labeled public records guide noisy gradients."""
    from dpviz.estimators import AdaMix

    model = AdaMix(epsilon=epsilon, random_state=random_state, **settings)
    return model.fit(X, y, X_public, y_public)


def pate(
    X: ArrayLike,
    y: ArrayLike,
    X_public: ArrayLike,
    *,
    epsilon: float | None = 1.0,
    random_state: int | None = None,
    **settings: Any,
) -> TransferPATE:
    """Return a released student of PATE with linear teachers; see ``TransferPATE``."""
    from dpviz.estimators import TransferPATE

    return TransferPATE(epsilon=epsilon, random_state=random_state, **settings).fit(X, y, X_public)
