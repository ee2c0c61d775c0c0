"""A user's script: strict mypy must know the type of everything that the public API returns.

``make lint`` checks the types; ``test_public_functions`` runs it. The values of ``params`` and
``notes`` are not asserted: their types belong to each method and plugin. Nor do pandas and plotly
have types of their own.
"""

from typing import assert_type

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

import dpviz
from dpviz.audits.custom_verdict import FunctionAudit
from dpviz.diagnostics.shadow_attack import AttackResult, ShadowAttack
from dpviz.estimators import AdaMix, DPPLMean, DPPLPublic, DPPLPublicK, PrivateProbe, TransferPATE


def noisy_count(records: list[int], seed: int) -> float:
    return len(records) + np.random.default_rng(seed).laplace()


rng = np.random.default_rng(0)
labels = np.repeat(np.arange(3), 20)
features = rng.normal(size=(60, 4)) + 4 * np.eye(3, 4)[labels]
X = features.astype(np.float32)

# Data
data = assert_type(
    dpviz.Dataset.from_arrays(X, labels, X_test=X, y_test=labels, X_public=X), dpviz.Dataset
)
assert_type(data.x, NDArray[np.floating])
assert_type(data.y, NDArray[np.int64])
assert_type(data.public, NDArray[np.floating])
assert_type(data.counts, tuple[int, ...])
frame = pd.DataFrame(X, columns=list("abcd")).assign(label=labels)
assert_type(dpviz.from_frame(frame, label="label"), dpviz.Dataset)

# Runs
spec = assert_type(dpviz.spec("dppl-mean", data, epsilon=1.0), dpviz.RunSpec)
plan = assert_type(dpviz.plan(spec), dpviz.Plan)
card = assert_type(dpviz.guarantee(spec), dpviz.Guarantee)
assert_type(dpviz.guarantee(epsilon=1.0, delta=1e-5), dpviz.Guarantee)
assert_type(plan.guarantee.epsilon_delta, float)
assert_type(card.rho, float)
assert_type(card.unit, str)
result = assert_type(dpviz.run("dppl-mean", data, epsilon=1.0), dpviz.Result)
assert_type(dpviz.run(spec), dpviz.Result)
assert_type(result.scores.balanced, float)
assert_type(result.scores.per_class, tuple[float, ...])
assert_type(result.guarantee, dpviz.Guarantee)
assert_type(result.spec.budget, dpviz.Budget)
assert_type(result.spec.budget.value, float)
results = assert_type(dpviz.sweep(dpviz.grid(["dppl-mean"], data, [1.0, 8.0])), dpviz.Results)
assert_type(results[0], dpviz.Result)
assert_type(results.to_frame(), pd.DataFrame)
assert_type(results.summary(), pd.DataFrame)
assert_type(results.plot(), go.Figure)
assert_type(results.to_latex(), str)

# Methods on arrays
mean = assert_type(dpviz.dppl_mean(X, labels, random_state=0), DPPLMean)
probe = assert_type(dpviz.private_probe(X, labels, random_state=0), PrivateProbe)
assert_type(probe.predict_proba(X), NDArray[np.float64])
assert_type(dpviz.dppl_public(X, labels, X, random_state=0), DPPLPublic)
assert_type(dpviz.dppl_publick(X, labels, X, random_state=0), DPPLPublicK)
assert_type(dpviz.adamix(X, labels, X, labels, random_state=0), AdaMix)
assert_type(dpviz.pate(X, labels, X, random_state=0), TransferPATE)
assert_type(mean.classes_, NDArray[np.generic])
assert_type(mean.n_features_in_, int)
assert_type(mean.predict(X), NDArray[np.generic])
assert_type(mean.decision_function(X), NDArray[np.float64])
assert_type(mean.score(X, labels), float)
assert_type(mean.guarantee_, dpviz.Guarantee)
assert_type(mean.plan_, dpviz.Plan)
release = assert_type(mean.release_, dpviz.Release)
assert_type(release.weights, NDArray[np.float32])
assert_type(release.predict(X), NDArray[np.int64])

# Attacks and audits
found = assert_type(dpviz.attack(spec, shadows=8), ShadowAttack)
for one in found.results.values():
    assert_type(one, AttackResult)
    assert_type(one.tpr, NDArray[np.float64])
tested = assert_type(
    dpviz.audit(noisy_count, [1, 2], [1], epsilon=1.0, releases=500), FunctionAudit
)
assert_type(tested.broken, bool)
assert_type(tested.claimed, float)
