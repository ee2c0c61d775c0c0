"""Which device computes, and what is said where a GPU cannot."""

import logging
import subprocess
import sys

import pytest
import torch

from dpviz.machine import accelerator
from dpviz.types import DpvizError


@pytest.fixture
def there(monkeypatch):
    """A sign of a GPU, and a torch that sees as many as are told."""
    monkeypatch.setattr(accelerator, "may_exist", lambda: True)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv(accelerator.SETTING, raising=False)
    seen = {}

    def see(*capabilities, known=("sm_80", "sm_90", "compute_90")):
        seen.update(enumerate(capabilities))
        monkeypatch.setattr(torch.cuda, "is_available", lambda: bool(seen))
        monkeypatch.setattr(torch.cuda, "device_count", lambda: len(seen))
        monkeypatch.setattr(torch.cuda, "get_arch_list", lambda: list(known))
        monkeypatch.setattr(torch.cuda, "get_device_name", lambda at: f"Stand-in {at}")
        monkeypatch.setattr(
            torch.cuda, "get_device_capability", lambda at: seen[int(str(at).split(":")[-1])]
        )
        accelerator._gpus.cache_clear()

    yield see
    accelerator._gpus.cache_clear()


def test_too_old_gpu_is_skipped_with_message(there, caplog):
    there((5, 2), (8, 6))
    with caplog.at_level(logging.WARNING):
        assert accelerator.devices() == ["cuda:1"]
    assert "compute capability 5.2) is not used: torch" in caplog.text
    assert "DPVIZ_DEVICE=cpu" in caplog.text
    assert accelerator.model() == "Stand-in cuda:1, compute capability 8.6"


def test_old_driver_falls_back_to_cpu_with_message(there, caplog):
    there()
    with caplog.at_level(logging.WARNING):
        assert [accelerator.devices(), accelerator.devices()] == [["cpu"], ["cpu"]]
    assert caplog.text.count("cannot use the GPU") == 1 and "set DPVIZ_DEVICE=cpu" in caplog.text
    assert accelerator.model() == ""


def test_setting_selects_the_cpu(there, monkeypatch):
    there((9, 0))
    assert accelerator.on_gpu()
    monkeypatch.setenv(accelerator.SETTING, "cpu")
    assert accelerator.devices() == ["cpu"] and not accelerator.model()
    monkeypatch.setenv(accelerator.SETTING, "gpu")
    with pytest.raises(DpvizError, match="`DPVIZ_DEVICE` must be cpu or unset, got 'gpu'"):
        accelerator.devices()


@pytest.mark.parametrize(
    ("capability", "known", "runs"),
    [
        ((8, 6), ["sm_80"], True),
        ((9, 0), ["sm_80"], False),
        ((9, 0), ["sm_80", "compute_80"], True),
        ((7, 5), ["sm_80", "compute_80"], False),
        ((12, 0), ["sm_90", "sm_120"], True),
        ((9, 0), ["sm_90a"], True),
        ((9, 4), ["gfx942"], True),
    ],
)
def test_gpu_compatibility_with_compiled_code(capability, known, runs):
    assert accelerator.runs_on(capability, known) == runs


SCRIPT = """
import sys
import numpy as np
from dpviz.data import feature_cache
from dpviz.encoders import ENCODERS
name = lambda: feature_cache.key(np.zeros((3, 28, 28), np.uint8), ENCODERS["glyphnet"])
before = name()
assert "torch" not in sys.modules
import torch
torch.cuda.is_available, torch.cuda.device_count = (lambda: True), (lambda: 1)
from dpviz.encoders import embedding
print(before == name(), embedding.devices())
"""


@pytest.mark.skipif(accelerator.may_exist(), reason="needs a machine without a GPU")
def test_without_device_file_work_stays_on_cpu():
    found = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert found.stdout.split(maxsplit=1) == ["True", "['cpu']\n"], found.stderr
