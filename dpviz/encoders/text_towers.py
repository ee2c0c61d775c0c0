"""CLIP's text towers: class names as vectors in the space of its image tower's features, where
open_clip is installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dpviz.encoders.weights_files import read_state
from dpviz.types import DpvizError

TOWERS = {
    "vit_base_patch16_clip_quickgelu_224.openai": (
        "ViT-B-16-quickgelu",
        "timm/vit_base_patch16_clip_224.openai",
    ),
    "vit_large_patch14_clip_quickgelu_224.openai": (
        "ViT-L-14-quickgelu",
        "timm/vit_large_patch14_clip_224.openai",
    ),
    "vit_huge_patch14_clip_224.laion2b": ("ViT-H-14", "laion/CLIP-ViT-H-14-laion2B-s32B-b79K"),
}
"""timm's name of the image tower: open_clip's name of the pair, and the repository that has both
towers' weights.
"""
FILES = ("open_clip_model.safetensors", "open_clip_pytorch_model.bin")
PROMPT = "a photo of a {}."
NO_PICTURES = {"layers": 1, "width": 64, "patch_size": 32, "image_size": 32}
"""The smallest image tower: only texts are read here."""


def vectors(
    class_names: tuple[str, ...], architecture: str, path: Path, projection: np.ndarray
) -> np.ndarray:
    """A linear rule on image features that ranks classes as CLIP does: (C, d) float32, mean norm 1,
    read-only.

    CLIP scores a name's embedding t (unit norm) against a picture's P x, so the name's vector for x
    is P't; the length of P x is the same for all names and moves no rank.

    Args:
        class_names: C names; architecture: open_clip's name.
        path: weights that hold the text tower; projection: P (joint dimension, d).

    Raises:
        DpvizError: if open_clip is not installed, or the file holds no text tower of that kind.
    """
    import torch

    tower, tokens = _tower(architecture, path)
    with torch.inference_mode():
        read = tower.encode_text(
            tokens([PROMPT.format(name) for name in class_names]), normalize=True
        ).numpy()
    rows = read @ projection
    rows /= np.linalg.norm(rows, axis=1).mean()
    rows.setflags(write=False)
    return rows


def _tower(architecture: str, path: Path) -> tuple[Any, Any]:
    """The text tower with its weights in eval mode, and its tokenizer."""
    clip = package()
    config = clip.get_model_config(architecture)
    net = clip.CLIP(
        config["embed_dim"], NO_PICTURES, config["text_cfg"], config.get("quick_gelu", False)
    )
    wanted, state = (
        {name for name in net.state_dict() if not name.startswith("visual.")},
        read_state(path),
    )
    try:
        missing = wanted - state.keys()
        net.load_state_dict({name: state[name] for name in wanted - missing}, strict=False)
    except RuntimeError as error:  # tensors of another shape
        raise DpvizError(
            f"{path.name} has the text encoder of another model than {architecture}. Use the"
            f" weights of {architecture}."
        ) from error
    if missing:
        raise DpvizError(
            f"{path.name} has no text encoder ({min(missing)} is missing). Use an open_clip file"
            " with both encoders."
        )
    return net.eval(), clip.get_tokenizer(architecture)


def package() -> Any:
    """open_clip.

    Raises:
        DpvizError: if it is not installed.
    """
    from dpviz.encoders import torchvision_shim

    torchvision_shim.prepare()
    try:
        import open_clip
    except ImportError:
        raise DpvizError(
            "Class names need open_clip. Run `pip install open_clip_torch`, or start from label"
            " prototypes."
        ) from None
    return open_clip
