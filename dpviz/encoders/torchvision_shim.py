"""Let ``import torchvision`` succeed beside a torch without CUDA.

timm imports torchvision, and the package index serves torchvision builds for CUDA whose compiled
half does not load beside a CPU torch. Its Python half then dies on import with "operator
torchvision::nms does not exist". We use none of those operators: naming them is enough.
"""

from __future__ import annotations

import torch

_NAMES = ("nms", "qnms")
_libraries: list[torch.library.Library] = []  # a library's schemas go when it is collected


def prepare() -> None:
    """Name the missing operators; does nothing where torchvision works as it is, or ran before."""
    try:
        import torchvision  # noqa: F401
    except RuntimeError as error:
        if "torchvision::" not in str(error):
            raise
        _define()


def _define() -> None:
    library = torch.library.Library("torchvision", "FRAGMENT")
    for name in _NAMES:
        if not hasattr(torch.ops.torchvision, name):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _libraries.append(library)
