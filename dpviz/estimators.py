"""scikit-learn estimators over the private methods.

An estimator draws its noise from the entropy of the system, through exact samplers. With
``random_state`` it simulates: the noise can be repeated, so its result must not be released.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_array,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from dpviz import methods, privacy
from dpviz.data import persons as persons_of
from dpviz.data.readers import class_lists
from dpviz.experiments import release_file
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components.public_sets import NoPublicSet
from dpviz.text import estimators as text
from dpviz.text.template import render_text
from dpviz.types import (
    DELTA,
    MAX_SEED,
    Budget,
    Dataset,
    DpvizError,
    Guarantee,
    Plan,
    Release,
    unit_rows,
)
from dpviz.types.checks import check_whole

#: Methods that minimize the cross-entropy of a softmax, so that their scores are log-probabilities.
SOFTMAX = frozenset(
    (
        *("noisy-gd", "objective", "noisy-sgd", "scaled-probe", "global-adapt", "auto-clip"),
        *("dpsgd-f", "adamix", "ppgd"),
    )
)


def expected_failed_checks(estimator: PrivateClassifier) -> dict[str, str]:
    """Return the checks of scikit-learn's ``check_estimator`` that privacy forbids, and why."""
    if estimator.method == "objective" and estimator.random_state is None:
        return dict.fromkeys(UNSEEDED_CHECKS, text.NO_SAMPLER)
    return {}


#: Checks of scikit-learn that fit without setting ``random_state``.
UNSEEDED_CHECKS = (
    "check_dtype_object",
    "check_f_contiguous_array_estimator",
    "check_decision_proba_consistency",
)


class PrivacyCostWarning(UserWarning):
    """Each fit of a cross-validation spends the budget again."""


def _is_softmax(estimator: PrivateClassifier) -> bool:
    return estimator.method in SOFTMAX


class PrivateClassifier(ClassifierMixin, BaseEstimator):
    """Linear classifier with a differential privacy guarantee; base class of all estimators.

    Args:
        epsilon: budget of (epsilon, delta)-DP, > 0; None with ``rho``.
        delta: in (0, 0.5].
        rho: budget of zCDP, > 0, instead of ``epsilon``.
        classes: all class labels. Without them the labels of ``y`` count as public.
        per_person: largest number of records per person of which the fit keeps the first ones;
            makes the guarantee user-level, with ``persons`` in ``fit``. 0: the unit is a record.
        random_state: None draws noise from the system. A number simulates and guarantees nothing.
        settings: of the method, as in ``dpviz list methods``.

    Attributes:
        classes_: (C,) labels; n_features_in_: number of features.
        plan_: noise of the release, made from sizes and budget; guarantee_: what the release
            guarantees; release_: linear classifier on features.
        simulated_: whether the noise came from ``random_state``.
    """

    #: Key of the method.
    method: ClassVar[str]
    n_features_in_: int

    def __init__(
        self,
        *,
        epsilon: float | None = 1.0,
        delta: float = DELTA,
        rho: float | None = None,
        classes: Sequence[object] | None = None,
        per_person: int = 0,
        random_state: int | None = None,
        **settings: float | str,
    ) -> None:
        self.epsilon, self.delta, self.rho = epsilon, delta, rho
        self.classes, self.per_person, self.random_state = classes, per_person, random_state
        for param in methods.get(self.method).params:
            setattr(self, param.name, settings.pop(param.name, param.default))
        if settings:
            names = ", ".join(p.name for p in methods.get(self.method).params)
            raise TypeError(render_text(text.UNKNOWN, names=", ".join(settings), allowed=names))

    def __init_subclass__(cls) -> None:
        """Give the constructor the settings of the method as named arguments."""
        super().__init_subclass__()
        if "__init__" in cls.__dict__ or "method" not in cls.__dict__:
            return

        def __init__(self: PrivateClassifier, **arguments: Any) -> None:
            PrivateClassifier.__init__(self, **arguments)

        _set_signature(__init__, cls.method)
        cls.__init__ = __init__  # type: ignore[method-assign]

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        X_public: ArrayLike | None = None,
        y_public: ArrayLike | None = None,
        *,
        persons: ArrayLike | None = None,
    ) -> Self:
        """Plan the noise, spend the budget once and keep the release.

        Args:
            X: (n, d) private features; y: (n,) private labels.
            X_public: (m, d) public features; y_public: (m,) public labels. Neither is protected.
            persons: (n,) person of each record; needs ``per_person``.

        Raises:
            DpvizError: for arrays that do not fit together, a setting out of range, or a method
                that needs a public set or has no exact sampler.
        """
        x, labels = validate_data(self, X, y, dtype=np.float32)
        check_classification_targets(labels)
        if X_public is not None:
            X_public = check_array(X_public, dtype=np.float32)
        if y_public is not None:
            y_public = column_or_1d(y_public)
        data = Dataset.from_arrays(
            x,
            labels,
            X_public=X_public,
            y_public=y_public,
            classes=self.classes,
            persons=persons,
        )
        names = np.unique(labels) if self.classes is None else np.asarray(self.classes)
        self.classes_: NDArray[np.generic] = names
        self._warn_of_cost()
        if self.per_person:
            data = persons_of.bounded(data, check_whole("per_person", self.per_person, 1, 10**7))
        self.simulated_ = self.random_state is not None
        plan = self._plan(data)
        if self.simulated_:
            seed = check_whole("random_state", self.random_state, 0, MAX_SEED)
            with one_numeric_thread():
                release = methods.get(self.method).fit(data, [plan], [seed]).releases[0][0]
        else:
            release = release_file.draw(data, plan)
        self.plan_: Plan = plan
        self.guarantee_: Guarantee = plan.guarantee
        self.release_: Release = release
        return self

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the accuracy on records (n, d) with labels (n,)."""
        return float(super().score(X, y, sample_weight))

    def predict(self, X: ArrayLike) -> NDArray[np.generic]:
        """Return the labels (n,) of features (n, d)."""
        scores = self._scores(X)
        return self.classes_[np.argmax(scores, axis=1)]

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return scores (n, C); for two classes the difference (n,), as in scikit-learn."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def _probabilities(self, X: ArrayLike) -> NDArray[np.float64]:
        scores = self._scores(X)
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        return scores / scores.sum(axis=1, keepdims=True)

    if TYPE_CHECKING:  # the decorator has no types
        predict_proba = _probabilities
    else:

        @available_if(_is_softmax)
        def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
            """Return class probabilities (n, C) of a method that trains a softmax."""
            return self._probabilities(X)

    def _scores(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self, "release_")
        x = validate_data(self, X, dtype=np.float32, reset=False)
        rows = (unit_rows(x) if self.release_.normalise else x).astype(np.float64)
        return rows @ self.release_.weights.T.astype(np.float64) + self.release_.bias

    def _budget(self) -> Budget:
        if (self.epsilon is None) == (self.rho is None):
            raise DpvizError(text.ONE_BUDGET)
        if self.rho is not None:
            return Budget(self.rho, "zcdp", self.delta)
        assert self.epsilon is not None
        return Budget(self.epsilon, "approx", self.delta)

    def _plan(self, data: Dataset) -> Plan:
        method, budget = methods.get(self.method), self._budget()
        params = method.check({p.name: getattr(self, p.name) for p in method.params})

        def planned(budget: Budget) -> Plan:
            try:
                plan = methods.plan(method, data.sizes, budget, params, self.per_person)
            except NoPublicSet:
                raise DpvizError(render_text(text.NEEDS_PUBLIC, method=method.title)) from None
            privacy.check(plan, budget)
            return plan

        plan = planned(budget) if self.simulated_ else release_file.proved(planned, budget)
        card = plan.guarantee
        public = f"{card.public}; {class_lists.READ}" if data.classes_read else card.public
        unit = text.UNIT_PERSON if self.per_person else text.UNIT
        card = dataclasses.replace(
            card, unit=render_text(unit, records=self.per_person), public=public
        )
        return dataclasses.replace(plan, guarantee=card)

    def _warn_of_cost(self) -> None:
        """Warn if a cross-validation of scikit-learn called ``fit``."""
        frame: Any = sys._getframe(1)
        while frame is not None:
            if frame.f_globals.get("__name__") == "sklearn.model_selection._validation":
                warnings.warn(
                    render_text(text.COST, budget=str(self._budget())),
                    PrivacyCostWarning,
                    stacklevel=3,
                )
                return
            frame = frame.f_back


def _set_signature(init: Any, key: str) -> None:
    """Set the signature that scikit-learn reads the names of the settings from."""
    base = inspect.signature(PrivateClassifier.__init__).parameters.values()
    named = [p for p in base if p.kind is not inspect.Parameter.VAR_KEYWORD]
    settings = [
        inspect.Parameter(param.name, inspect.Parameter.KEYWORD_ONLY, default=param.default)
        for param in methods.get(key).params
    ]
    init.__signature__ = inspect.Signature([*named, *settings])


class DPPLMean(PrivateClassifier):
    """DPPL-Mean: ``dppl-mean`` of the method table."""

    method = "dppl-mean"


class DPPLPublic(PrivateClassifier):
    """DPPL-Public: ``dppl-public`` of the method table. Needs ``X_public``."""

    method = "dppl-public"


class DPPLPublicK(PrivateClassifier):
    """DPPL-PublicK: ``dppl-publick`` of the method table. Needs ``X_public``."""

    method = "dppl-publick"


class DPPLMeanProjected(PrivateClassifier):
    """DPPL-Mean, projected: ``dppl-mean-projected`` of the method table. Needs ``X_public``."""

    method = "dppl-mean-projected"


class DPPLPublicProjected(PrivateClassifier):
    """DPPL-Public, projected: ``dppl-public-projected`` of the method table. Needs ``X_public``."""

    method = "dppl-public-projected"


class DPPLMeanTrained(PrivateClassifier):
    """DPPL-Mean, map trained privately: ``dppl-mean-trained``. Needs ``X_public``."""

    method = "dppl-mean-trained"


class DPPLAuto(PrivateClassifier):
    """DPPL-Auto: ``dppl-auto`` of the method table. Needs ``X_public``."""

    method = "dppl-auto"


class PrivateProbe(PrivateClassifier):
    """Private linear probe: ``noisy-gd`` of the method table."""

    method = "noisy-gd"


class ObjectivePerturbation(PrivateClassifier):
    """Objective perturbation: ``objective`` of the method table."""

    method = "objective"


class PrivateMinibatchProbe(PrivateClassifier):
    """Private minibatch probe: ``noisy-sgd`` of the method table."""

    method = "noisy-sgd"


class ScaledProbe(PrivateClassifier):
    """Linear scaling rule: ``scaled-probe`` of the method table."""

    method = "scaled-probe"


class GlobalAdapt(PrivateClassifier):
    """Global-Adapt: ``global-adapt`` of the method table."""

    method = "global-adapt"


class AutoClip(PrivateClassifier):
    """Automatic clipping: ``auto-clip`` of the method table."""

    method = "auto-clip"


class DPSGDF(PrivateClassifier):
    """DPSGD-F: ``dpsgd-f`` of the method table."""

    method = "dpsgd-f"


class AdaMix(PrivateClassifier):
    """AdaMix: ``adamix`` of the method table. Needs ``X_public``."""

    method = "adamix"


class PPGD(PrivateClassifier):
    """PPGD: ``ppgd`` of the method table. Needs ``X_public``."""

    method = "ppgd"


class DPLeastSquares(PrivateClassifier):
    """DP-LS: ``dp-ls`` of the method table."""

    method = "dp-ls"


class DPNewton(PrivateClassifier):
    """DP-Newton: ``dp-newton`` of the method table."""

    method = "dp-newton"


class DPFC(PrivateClassifier):
    """DP-FC: ``dp-fc`` of the method table."""

    method = "dp-fc"


class TransferPATE(PrivateClassifier):
    """Transfer-PATE, linear teachers: ``transfer-pate`` of the method table. Needs ``X_public``."""

    method = "transfer-pate"
