"""scikit-learn estimators: scikit-learn's own checks, guarantees, noise, cross-validation."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from dpviz import estimators
from dpviz.estimators import (
    AdaMix,
    DPPLMean,
    DPPLPublic,
    ObjectivePerturbation,
    PrivacyCostWarning,
    PrivateClassifier,
    PrivateProbe,
    TransferPATE,
    expected_failed_checks,
)
from dpviz.methods import METHODS
from dpviz.types import DpvizError

ALL = [
    found
    for found in vars(estimators).values()
    if isinstance(found, type) and issubclass(found, PrivateClassifier) and "method" in vars(found)
]

#: One estimator of each kind; the others share all code but their method.
CHECKED = [DPPLMean, DPPLPublic, PrivateProbe, AdaMix, ObjectivePerturbation, TransferPATE]


def blobs(n=300, classes=3, d=8, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    centers = np.eye(classes, d) * 3
    return (centers[y] + 0.3 * rng.normal(size=(n, d))).astype(np.float32), y


def with_public(estimator):
    """Return the class with public records beside every fit, which scikit-learn does not pass."""
    if not METHODS[estimator.method].needs_public:
        return estimator

    fit = lambda self, X, y: estimator.fit(self, X, y, X, y)
    name = f"{estimator.__name__}WithPublic"
    globals()[name] = type(name, (estimator,), {"fit": fit, "__module__": __name__})
    return globals()[name]


def test_every_private_method_on_features_has_an_estimator():
    without = {"pate", "prom-pate"}  # need images or the classifier of an encoder
    assert {e.method for e in ALL} == {k for k, m in METHODS.items() if m.private} - without


@pytest.mark.slow
@pytest.mark.parametrize("estimator", CHECKED, ids=lambda e: e.method)
def test_scikit_learn_checks_pass_but_for_named_ones(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = with_public(estimator)()
        results = check_estimator(
            model, expected_failed_checks=expected_failed_checks(model), on_fail=None, on_skip=None
        )
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert not failed and len(results) > 40


def test_fit_without_seed_draws_new_noise_and_states_proved_guarantee():
    x, y = blobs()
    first, second = (DPPLMean(epsilon=0.5).fit(x, y) for _ in range(2))
    assert not np.array_equal(first.release_.weights, second.release_.weights)
    assert first.guarantee_.epsilon_delta <= 0.5 and not first.simulated_
    assert "read from the data" in first.guarantee_.public
    assert "row of X" in first.guarantee_.unit
    assert DPPLMean(classes=[0, 1, 2]).fit(x, y).guarantee_.public.count("read from") == 0


def test_fit_with_random_state_repeats_and_says_so():
    x, y = blobs()
    first, second = (PrivateProbe(random_state=3).fit(x, y) for _ in range(2))
    assert np.array_equal(first.release_.weights, second.release_.weights) and first.simulated_


def test_predict_proba_exists_only_for_softmax():
    x, y = blobs()
    shares = PrivateProbe(random_state=0).fit(x, y).predict_proba(x)
    assert np.allclose(shares.sum(axis=1), 1) and shares.shape == (300, 3)
    assert not hasattr(DPPLMean(), "predict_proba")


def test_text_labels_and_classes_in_other_order_are_kept():
    x, y = blobs()
    names = np.array(["a", "b", "c"])[y]
    model = DPPLMean(epsilon=100, classes=["c", "a", "b"], random_state=0).fit(x, names)
    assert model.score(x, names) > 0.95 and list(model.classes_) == ["c", "a", "b"]


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (DPPLMean(epsilon=None), "either `epsilon` or `rho`"),
        (DPPLMean(rho=1.0), "either `epsilon` or `rho`"),
        (DPPLMean(epsilon=-1), "above 0"),
        (DPPLMean(epsilon=float("inf")), "finite"),
        (DPPLMean(clip=9), "`clip`"),
        (DPPLMean(classes=[0, 1]), "not in classes"),
        (DPPLMean(per_person=2), "person"),
        (DPPLPublic(), "X_public"),
        (ObjectivePerturbation(), "no exact sampler"),
    ],
)
def test_bad_input_gets_a_sentence(estimator, message):
    with pytest.raises(DpvizError, match=message):
        estimator.fit(*blobs())


def test_unknown_setting_is_refused_with_allowed_ones():
    with pytest.raises(TypeError, match="lamda"):
        DPPLMean(lamda=1)


def test_clone_keeps_settings_and_unfitted_model_refuses():
    model = clone(DPPLMean(epsilon=2, clip=0.5))
    assert model.get_params()["clip"] == 0.5 and model.epsilon == 2
    with pytest.raises(NotFittedError):
        model.predict(blobs()[0])


def test_persons_make_guarantee_user_level():
    x, y = blobs()
    persons = np.arange(len(y)) // 3
    model = DPPLMean(per_person=2, random_state=0).fit(x, y, persons=persons)
    assert "person with at most 2 rows" in model.guarantee_.unit
    assert model.guarantee_.of_record < 1


def test_cross_validation_and_grid_search_work_and_warn_of_cost():
    x, y = blobs()
    with pytest.warns(PrivacyCostWarning, match="k fits together"):
        scores = cross_val_score(make_pipeline(StandardScaler(), DPPLMean(epsilon=5)), x, y, cv=3)
    assert scores.mean() > 0.8
    with pytest.warns(PrivacyCostWarning):
        grid = {"epsilon": [0.01, 100.0]}
        search = GridSearchCV(PrivateProbe(random_state=0, steps=10), grid, cv=2).fit(x, y)
    assert search.best_params_["epsilon"] == 100.0


def test_plain_fit_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error", PrivacyCostWarning)
        DPPLMean().fit(*blobs())
