"""A GPU that is none: the CPU under another name, and nothing is asked of a driver."""

from contextlib import nullcontext

import torch

from dpviz.encoders import embedding
from dpviz.machine import accelerator

DEVICE = "cpu:0"


class Event:
    """Done as soon as it is recorded."""

    def record(self):
        pass

    def synchronize(self):
        pass


def plug_in(monkeypatch, name="Stand-in 1", count=1):
    """From here on ``count`` GPUs of that name compute."""
    monkeypatch.setattr(accelerator, "_gpus", lambda: (DEVICE,) * count)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: name)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (9, 0))
    monkeypatch.setattr(torch.cuda, "device", lambda device: nullcontext())
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device: None)
    monkeypatch.setattr(torch.cuda, "Event", Event)
    monkeypatch.setattr(embedding, "_upwards", lambda there, device: there)
    monkeypatch.setattr(embedding, "_downwards", lambda made: made)
