"""Devices of the computation: all GPUs that torch can use, or the CPU.

Keys of stored numbers include the device.

``DPVIZ_DEVICE=cpu`` keeps all work on the CPU.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from dpviz.types import DpvizError

log = logging.getLogger(__name__)

SETTING = "DPVIZ_DEVICE"
DEVICE_FILES = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/nvhost-gpu", "/dev/dxg", "/dev/kfd")
"""Device files, one of which is there on a Linux with a GPU."""
CPU_HINT = f"Free its memory, or set {SETTING}=cpu."


def devices() -> list[str]:
    """Return the usable GPUs, as torch names them, or the CPU.

    Raises:
        DpvizError: For an unknown setting.
    """
    setting = os.environ.get(SETTING, "")
    if setting not in ("", "cpu"):
        raise DpvizError(
            f"`{SETTING}` must be cpu or unset, got {setting!r}. Unset it to use a GPU."
        )
    return ["cpu"] if setting else list(_gpus()) or ["cpu"]


def on_gpu() -> bool:
    """Return whether a GPU is used. Does not import torch without a sign of a GPU."""
    return devices() != ["cpu"]


def in_words() -> str:
    """Return the devices as text: "CPU", or such as "cuda:0 and cuda:1"."""
    return " and ".join(devices()) if on_gpu() else "CPU"


def model() -> str:
    """Return the GPU models, whose bits may differ; "" on the CPU."""
    if not on_gpu():
        return ""
    import torch

    kinds = {
        f"{torch.cuda.get_device_name(index)}, compute capability {_capability(index)}"
        for index in devices()
    }
    return " and ".join(sorted(kinds))


def may_exist() -> bool:
    """Return whether there is a sign of a GPU."""
    if sys.platform == "linux":
        return any(Path(sign).exists() for sign in DEVICE_FILES)
    return sys.platform == "win32"


def runs_on(capability: tuple[int, int], architectures: Sequence[str]) -> bool:
    """Whether code compiled for ``known`` (such as sm_80, compute_120) runs on a GPU: machine code
    within its major version, portable code from its own on.
    """
    matches = [re.match(r"(sm|compute)_(\d+)", name) for name in architectures]
    for match in filter(None, matches):
        version = divmod(int(match[2]), 10)
        if version <= capability and (match[1] == "compute" or version[0] == capability[0]):
            return True
    return not any(matches)  # other vendors check compatibility themselves


@contextmanager
def failures_in_words(device: str) -> Iterator[None]:
    """Convert errors of a GPU driver.

    Raises:
        DpvizError: Instead of the driver's error.
    """
    import torch

    try:
        yield
    except (torch.AcceleratorError, torch.OutOfMemoryError) as error:
        reason = str(error).strip().splitlines()[0][:120].rstrip(".")
        raise DpvizError(f"GPU {device} failed ({reason}). {CPU_HINT}") from error


@cache
def _gpus() -> tuple[str, ...]:
    if not may_exist():
        return ()
    import torch

    if not torch.cuda.is_available():
        if os.environ.get("CUDA_VISIBLE_DEVICES") not in ("", "-1"):
            log.warning(
                "torch %s cannot use the GPU of this machine, so the CPU is used. Update the"
                " driver, install a build of torch with CUDA, or set %s=cpu to hide this warning.",
                torch.__version__,
                SETTING,
            )
        return ()
    architectures, gpus = torch.cuda.get_arch_list(), []
    for index in range(torch.cuda.device_count()):
        if runs_on(torch.cuda.get_device_capability(index), architectures):
            gpus.append(f"cuda:{index}")
            continue
        log.warning(
            "GPU %d (%s, compute capability %s) is not used: torch %s supports %s. Install another"
            " build of torch, or set %s=cpu to hide this warning.",
            *(index, torch.cuda.get_device_name(index), _capability(index), torch.__version__),
            *(", ".join(architectures), SETTING),
        )
    return tuple(gpus)


def _capability(device: int | str) -> str:
    import torch

    return ".".join(map(str, torch.cuda.get_device_capability(device)))
