"""What an exported page carries to draw new noise in the browser, and the same draws in Python.

Sums and scores have no noise, so only published data are carried. Test features are rounded to 8
bits first, and both sides use the rounded ones. The script is ``ui/assets/portable_draws.js``.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.data import DATASETS, synthetic
from dpviz.data.imbalance import minority_classes
from dpviz.experiments import experiment
from dpviz.methods import dppl_mean
from dpviz.methods.components import public_scores
from dpviz.methods.components.prototypes import pool
from dpviz.text import new_draws as text
from dpviz.text.template import render_text
from dpviz.types import AXES, Budget, DataConfig, Dataset, DpvizError, RunSpec, unit_rows
from dpviz.views.page_config import PageConfig

MAX_NUMBERS = 600_000
"""Test features of a file."""
LEVELS, FINE_LEVELS = 127, 32767
"""Largest whole numbers of 8 and 16 bits."""


@dataclass(frozen=True)
class NewDraw:
    """One draw.

    Attributes:
        scale: of the noise: sigma of Gaussian noise on rows of norm 1, or the factor of Gumbel
            noise on scores.
        accuracies: one per group of classes; chosen: public image per class, if any.
    """

    scale: float
    accuracies: tuple[float, ...]
    chosen: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class ScoringSet:
    """Rounded test features.

    Attributes:
        rows: (n, k) int8; y: (n,) int64, labels in [0, classes).
        groups: classes of each accuracy, which is the mean over classes, or of all images alike if
            ``pooled``.
    """

    rows: np.ndarray
    y: np.ndarray
    classes: int
    groups: tuple[tuple[int, ...], ...]
    pooled: bool = False

    def accuracies(self, weights: np.ndarray) -> tuple[float, ...]:
        """Return the accuracy of each group with class weights (C, k) float64."""
        right = np.argmax(self.rows @ weights.T, axis=1) == self.y
        hits = np.bincount(self.y, right, self.classes).tolist()
        totals = np.bincount(self.y, minlength=self.classes).tolist()
        if self.pooled:
            return (sum(hits) / sum(totals),)
        return tuple(sum(hits[c] / totals[c] for c in group) / len(group) for group in self.groups)

    def json(self) -> dict[str, Any]:
        """Return the fields for the script."""
        return {
            "rows": _packed(self.rows, "<i1"),
            "y": _packed(self.y, "<u2"),
            "classes": self.classes,
            "groups": self.groups,
            "pooled": self.pooled,
        }


@dataclass(frozen=True, eq=False)
class NewPicks:
    """Choices of public images by the exponential mechanism, with Gumbel noise.

    Attributes:
        test: test images; scores: (C, m) int64, whole steps; width: of one private image, in steps.
        images: (m, k) int16, whose products with test rows are similarities up to a constant.
        delta: of the budget.
    """

    test: ScoringSet
    scores: np.ndarray
    width: int
    images: np.ndarray
    delta: float

    def draw(self, epsilon: float, seed: int) -> NewDraw:
        """Return one draw."""
        scale = privacy.exponential_epsilon_for(Budget(epsilon, delta=self.delta)) / self.width
        noise = mechanisms.portable_gumbels(seed, self.scores.size).reshape(self.scores.shape)
        chosen = np.argmax(self.scores * scale + noise, axis=1)
        accuracies = self.test.accuracies(self.images[chosen].astype(float))
        return NewDraw(mechanisms.UTILITY_STEP / scale, accuracies, tuple(chosen.tolist()))

    def json(self) -> dict[str, Any]:
        """Return the fields for the script."""
        return {
            "kind": "picks",
            "test": self.test.json(),
            "scores": _packed(self.scores, "<i4"),
            "width": self.width,
            "step": mechanisms.UTILITY_STEP,
            "images": _packed(self.images, "<i2"),
        }


@dataclass(frozen=True, eq=False)
class NewMeans:
    """Class means with Gaussian noise.

    Attributes:
        test: test images; sums: (C, k) float64 of rows of norm at most 1.
        columns: (k,) float64, what one level of a test feature stands for; delta: of the budget.
    """

    test: ScoringSet
    sums: np.ndarray
    columns: np.ndarray
    delta: float

    def draw(self, epsilon: float, seed: int) -> NewDraw:
        """Return one draw."""
        sigma = privacy.gaussian(1.0, privacy.gdp_mu(epsilon, self.delta)).sigma
        noise = mechanisms.portable_normals(seed, self.sums.size).reshape(self.sums.shape)
        noisy = self.sums + sigma * noise
        noisy /= np.sqrt((noisy * noisy).sum(axis=1, keepdims=True))
        return NewDraw(sigma, self.test.accuracies(noisy * self.columns))

    def json(self) -> dict[str, Any]:
        """Return the fields for the script."""
        return {
            "kind": "means",
            "test": self.test.json(),
            "sums": _packed(self.sums, "<f8"),
            "columns": _packed(self.columns, "<f8"),
            "delta": self.delta,
        }


def _packed(values: np.ndarray, kind: str) -> str:
    return b64encode(np.ascontiguousarray(values).astype(kind).tobytes()).decode()


def _rounded(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows (n, k) as int8, and what one level of each column stands for: (k,) float64."""
    columns = np.maximum(np.abs(rows).max(axis=0), 1e-30) / LEVELS
    return np.rint(rows / columns).astype(np.int8), columns.astype(float)


def published(dataset: str) -> bool:
    """Return whether a data set comes with dpviz, or is downloaded from its source."""
    if synthetic.is_synthetic(dataset):
        return True
    row = DATASETS.get(dataset)
    if row is None or row.state == "by hand":
        return False
    return row.place() is None or bool(row.archives)


# ------------------------------------------------------------------------------- choices of images


def picks(spec: RunSpec, rows: np.ndarray, rank: int) -> NewPicks:
    """Return what DPPL-Public needs for new choices among some public images.

    Args:
        spec: a run; rows: of the public set, chosen without private data; rank: numbers per image.

    Raises:
        DpvizError: If the data are not published.
    """
    _require_published(spec)
    spec = experiment.complete(spec)
    data, params = experiment.prepared(spec), dict(spec.params)
    ends = params["d_min"], params["d_max"]
    scores = public_scores.utilities(data, *ends)[:, rows] / mechanisms.UTILITY_STEP
    width = round(public_scores.window_width(*ends) / mechanisms.UTILITY_STEP)
    test_rows, images = _factors(unit_rows(data.x_test), unit_rows(data.public[rows]), rank)
    small, columns = _rounded(test_rows)
    images = images * columns
    images *= FINE_LEVELS / np.abs(images).max()
    groups = (minority_classes(data.counts, data.draw), tuple(range(data.classes)))
    test = ScoringSet(small, data.y_test, data.classes, groups)
    delta = spec.budget.delta
    return NewPicks(
        test, np.rint(scores).astype(np.int64), width, np.rint(images).astype(int), delta
    )


def _factors(test: np.ndarray, public: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (n, rank) and (m, rank) whose product is closest to the similarities of test and
    public rows, less each test row's mean, which no choice of a class depends on.
    """
    similarities = test.astype(float) @ public.T.astype(float)
    similarities -= similarities.mean(axis=1, keepdims=True)
    left, sizes, right = np.linalg.svd(similarities, full_matrices=False)
    halves = np.sqrt(sizes[:rank])
    return left[:, :rank] * halves, right[:rank].T * halves


# -------------------------------------------------------------------------------------- class means


def means(view: PageConfig, metric: str) -> NewMeans:
    """Return what DPPL-Mean needs for new noise on a view.

    Args:
        metric: accuracy that the page shows.

    Raises:
        DpvizError: If the data are not published or the settings do not fit.
    """
    _require_published(view)
    if dppl_mean.KEY not in view.methods:
        raise DpvizError(render_text(text.NEEDS_METHOD, method=dppl_mean.METHOD.title))
    spec = experiment.complete(view.spec(dppl_mean.KEY))
    params = dict(spec.params)
    if params["form"] != "sum":
        raise DpvizError(render_text(text.NEEDS_FORM, form=params["form"]))
    if spec.budget.axis != "approx":
        raise DpvizError(render_text(text.NEEDS_AXIS, axis=AXES[spec.budget.axis]))
    data = experiment.prepared(spec)
    if spec.unit != "picture" or data.adversary is not None:
        raise DpvizError(text.NEEDS_IMAGES)
    test_rows = pool(unit_rows(data.x_test), params["k_pool"])
    if test_rows.size > MAX_NUMBERS:
        sizes = {"numbers": test_rows.size, "limit": MAX_NUMBERS}
        raise DpvizError(render_text(text.TOO_LARGE, **sizes))
    small, columns = _rounded(test_rows)
    groups = (classes_of(data, metric),)
    test = ScoringSet(small, data.y_test, data.classes, groups, metric == "overall")
    return NewMeans(test, dppl_mean.class_sums(data, params), columns, spec.budget.delta)


def classes_of(data: Dataset, metric: str) -> tuple[int, ...]:
    """Return the classes of an accuracy that have test images."""
    rare = minority_classes(data.counts, data.draw)
    tested = set(data.y_test.tolist())
    return tuple(
        c for c in range(data.classes) if c in tested and (metric != "minority" or c in rare)
    )


def _require_published(config: DataConfig) -> None:
    if not published(config.dataset):
        raise DpvizError(render_text(text.PRIVATE_DATA, data=Path(config.dataset).name))
