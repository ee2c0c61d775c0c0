"""The private linear probe in Opacus: full batches, zero start, SGD, the same clip and noise as
dpviz.
"""

from __future__ import annotations

import warnings

import numpy as np
import torch
from opacus import PrivacyEngine
from opacus.grad_sample import (
    GradSampleModule,
    GradSampleModuleExpandedWeights,
    GradSampleModuleFastGradientClipping,
)
from opacus.optimizers import DPOptimizer, DPOptimizerFastGradientClipping
from opacus.utils.fast_gradient_clipping_utils import DPLossFastGradientClipping

warnings.filterwarnings("ignore", message=".*(Full backward hook|Secure RNG).*")
MODES = {
    "engine": "PrivacyEngine and a DataLoader, as in its tutorials",
    "hooks": "per-sample gradients by hooks",
    "functorch": "per-sample gradients by functorch",
    "ew": "per-sample gradients by ExpandedWeights",
    "ghost": "ghost clipping",
}
"""``engine`` is what its documentation shows; the others skip the loader and keep the features in
memory.
"""


def train(
    x: torch.Tensor,
    y: torch.Tensor,
    classes: int,
    *,
    sigma: float,
    clip: float,
    lr: float,
    steps: int,
    mode: str,
    seed: int,
) -> np.ndarray:
    """Weights (C, d) after ``steps`` noisy full-batch steps; sigma is the noise on the clipped sum.

    Args:
        x: (n, d) float32; y: (n,) int64; mode: one of MODES.
    """
    model = torch.nn.Linear(x.shape[1], classes, bias=False)
    torch.nn.init.zeros_(model.weight)
    sgd = torch.optim.SGD(model.parameters(), lr=lr)
    noise = {"noise_multiplier": sigma / clip, "max_grad_norm": clip}
    options = {"expected_batch_size": len(x), "generator": torch.Generator().manual_seed(seed)}
    if mode == "engine":
        _engine(model, sgd, noise, torch.utils.data.TensorDataset(x, y), steps, seed)
    elif mode == "ghost":
        wrapped = GradSampleModuleFastGradientClipping(model, max_grad_norm=clip)
        _ghost(wrapped, DPOptimizerFastGradientClipping(sgd, **noise, **options), x, y, steps)
    else:
        _per_sample(_wrap(model, mode), DPOptimizer(sgd, **noise, **options), x, y, steps)
    return model.weight.detach().numpy().copy()


def _engine(
    model: torch.nn.Module,
    sgd: torch.optim.Optimizer,
    noise: dict,
    records: torch.utils.data.Dataset,
    steps: int,
    seed: int,
) -> None:
    loader = torch.utils.data.DataLoader(records, batch_size=len(records))
    engine = PrivacyEngine()
    options = {"poisson_sampling": False, "noise_generator": torch.Generator().manual_seed(seed)}
    private, optimizer, loader = engine.make_private(
        module=model, optimizer=sgd, data_loader=loader, **noise, **options
    )
    for _ in range(steps):
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            torch.nn.functional.cross_entropy(private(x), y).backward()
            optimizer.step()


def _wrap(model: torch.nn.Module, mode: str) -> torch.nn.Module:
    if mode == "ew":
        return GradSampleModuleExpandedWeights(model)
    return GradSampleModule(model, force_functorch=mode == "functorch")


def _per_sample(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    x: torch.Tensor,
    y: torch.Tensor,
    steps: int,
) -> None:
    for _ in range(steps):
        optimizer.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def _ghost(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    x: torch.Tensor,
    y: torch.Tensor,
    steps: int,
) -> None:
    loss_of = DPLossFastGradientClipping(
        model, optimizer, torch.nn.CrossEntropyLoss(reduction="mean")
    )
    for _ in range(steps):
        optimizer.zero_grad(set_to_none=True)
        loss_of(model(x), y).backward()
        optimizer.step()
