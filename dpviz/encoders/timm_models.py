"""Any timm model as an encoder: preprocessing from timm's own data config, weights from the hub or
a file.
"""

from __future__ import annotations

import difflib
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.caches import cached
from dpviz.encoders import text_towers, weights_files
from dpviz.encoders.encoder import Encoder
from dpviz.types import DpvizError, Head

BATCH = 32
UNKNOWN = "see the model card; the guarantee holds only for public training data"
RANDOM = "random"
SEED = 0
"""Of weights that are random on purpose."""


@cached(64)
def row(
    key: str, model: str, title: str = "", trained_on: str = UNKNOWN, crop: float | None = None
) -> Encoder:
    """An encoder of timm. Nothing is downloaded until the weights are asked for.

    Args:
        key: its name in the shell.
        model: ``NAME``, ``NAME@FILE`` or ``NAME@random``, as timm calls it.
        title: for people; timm's name by default.
        trained_on: what its weights have seen.
        crop: share of the resized side that is cut out; timm's by default.

    Raises:
        DpvizError: for a model that timm does not have, or whose input is not square.
    """
    name, _, origin = model.partition("@")
    config = _config(name)
    data = _timm().data.resolve_data_config(pretrained_cfg=config.to_dict())
    channels, size, width = data["input_size"]
    if (
        size != width
        or data["interpolation"] not in ("bilinear", "bicubic")
        or data["crop_mode"] not in ("center", "squash")
    ):
        raise DpvizError(
            f"The image preparation of encoder {key} is not supported ({data}). Use another model."
        )
    weights_from = (
        "random weights" if origin == RANDOM else f"weights from {Path(origin).name or 'the hub'}"
    )
    return Encoder(
        key=key,
        title=title or name + (", untrained" if origin == RANDOM else ""),
        source=f"timm {name}, {weights_from}",
        licence=config.license or "not stated",
        trained_on="nothing: its weights are random" if origin == RANDOM else trained_on,
        dim=_shape(name)[0],
        size=size,
        channels=channels,
        mean=tuple(data["mean"]),
        std=tuple(data["std"]),
        interpolation=data["interpolation"],
        batch=BATCH,
        weights=partial(_weights, key, name, origin),
        load=lambda: headless(_network(key, name, origin)),
        fit="squash" if data["crop_mode"] == "squash" else "centre",
        crop=crop or data["crop_pct"],
        head=partial(_head, key, name, origin) if _classifies(name, config) else None,
        texts=(
            partial(_texts, key, name, origin)
            if name in text_towers.TOWERS and origin != RANDOM
            else None
        ),
    )


def _timm() -> Any:
    from dpviz.encoders import torchvision_shim

    torchvision_shim.prepare()
    import timm

    return timm


def _config(name: str) -> Any:
    timm = _timm()
    try:
        return timm.get_pretrained_cfg(name, allow_unregistered=False)
    except RuntimeError:
        near = difflib.get_close_matches(name, [*timm.list_models(), *timm.list_pretrained()], n=3)
        hint = (
            f"did you mean {' or '.join(near)}?" if near else "timm.list_models() lists all models."
        )
        raise DpvizError(f"timm has no model {name!r}; {hint}") from None


def parameters(name: str) -> int:
    """Number of parameters of a model, found without making them."""
    return _shape(name)[1]


@cached(64)
def _shape(name: str) -> tuple[int, int]:
    """Features and parameters of a model."""
    import torch

    with torch.device("meta"):  # the shapes alone: no weight is made
        net = _timm().create_model(name)
    features = int(getattr(net, "head_hidden_size", net.num_features))
    return features, sum(weights.numel() for weights in net.parameters())


def _classifies(name: str, config: Any) -> bool:
    """Whether the last layer names classes; that of a CLIP tower projects to where texts live."""
    return bool(config.num_classes) and ("_clip_" not in name or "_ft_" in name)


# ------------------------------------------------------------------------------------------ weights


def _weights(key: str, name: str, origin: str) -> Path | None:
    """The weights file, downloaded if need be; None for random weights.

    Raises:
        DpvizError: where there is none: features of a network without weights would look like
            features.
    """
    if origin == RANDOM:
        return None
    if origin:
        path = Path(origin)
        if not path.is_file():
            raise DpvizError(
                f"Encoder {key} needs the weights file {origin!r}, which was not found. Give the"
                " path of a file."
            )
        return path
    return weights_files.from_hub(key, name, hub_of(name))


def hub_of(name: str) -> str:
    """The hub's repository of a model's weights.

    Raises:
        DpvizError: where timm knows of none.
    """
    hub = _config(name).hf_hub_id
    if not hub:
        remedy = f"use your own file, timm:{name}@FILE, or random weights, timm:{name}@{RANDOM}"
        raise DpvizError(f"timm has no weights for {name}; {remedy}.")
    return str(hub)


# ----------------------------------------------------------------------------------------- networks


def _network(key: str, name: str, origin: str) -> Any:
    """The whole model with its last layer, in eval mode."""
    import torch

    path, timm = _weights(key, name, origin), _timm()
    if path is None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(SEED)
            return timm.create_model(name).eval()
    state = weights_files.read_state(path)
    try:
        return timm.create_model(
            name, pretrained=True, pretrained_cfg_overlay={"state_dict": state}
        ).eval()
    except (RuntimeError, KeyError) as error:
        reason = str(error).strip().splitlines()[0]
        raise DpvizError(
            f"{path.name} does not fit {name} ({reason}). Use the weights of {name}."
        ) from error


def in_order(name: str, path: Path) -> Any:
    """A timm model whose weights file holds its tensors in the order of timm's state dict, under
    other names.
    """
    net = _timm().create_model(name)
    net.load_state_dict(
        dict(zip(net.state_dict(), weights_files.read_state(path).values(), strict=True))
    )
    return net.eval()


def headless(net: Any) -> Any:
    """The model without its last layer: penultimate features."""
    net.reset_classifier(0)
    return net.eval()


def _head(key: str, name: str, origin: str) -> Head:
    return last_layer(_network(key, name, origin))


@cached(4)
def _texts(key: str, name: str, origin: str, class_names: tuple[str, ...]) -> np.ndarray:
    """Class names as CLIP reads them; a file of one's own must hold both towers."""
    architecture, hub = text_towers.TOWERS[name]
    path = Path(origin) if origin else weights_files.from_hub(key, name, hub, text_towers.FILES)
    return text_towers.vectors(class_names, architecture, path, _head(key, name, origin).weights)


def last_layer(net: Any) -> Head:
    """A model's own classifier.

    Raises:
        DpvizError: where it is no single linear layer.
    """
    import torch

    layer = net.get_classifier()
    if not isinstance(layer, torch.nn.Linear):
        raise DpvizError(
            f"The last layer of {type(net).__name__} is not linear, so it has no source logits."
            " Use another encoder."
        )
    bias = (
        np.zeros(len(layer.weight), np.float32)
        if layer.bias is None
        else layer.bias.detach().numpy()
    )
    return Head(layer.weight.detach().numpy(), bias)
