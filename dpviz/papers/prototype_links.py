"""Addresses of the live views that both papers on prototypes lead to."""

from __future__ import annotations

from dpviz.papers.model import Link

METHODS = "m=dppl-mean,dppl-public,noisy-gd,dp-ls,global-adapt,class-mean"
PAPER = "axis=paper&eps=1&score=balanced"
ENCODERS = "vit-b16,vit-l14-dinov2,vit-h14,resnet50"
SHIPPED = {"mnist5k": "glyphnet,scatter,lite0-128", "clothes": "lite0-128,scatter-colour"}
NAMES = {"mnist5k": "digits", "clothes": "clothes"}
NEEDS = "ImageNet as public set and the weights of ViT-B/16, ViT-L/16, ViT-H/14 and ResNet-50"
"""What the papers' own curves rest on."""
CIFAR100 = f"CIFAR-100, {NEEDS}"
MINORITY = PAPER.replace("balanced", "minority")
LOOKS = {
    "scores": "scores and odds",
    "window": "the score window",
    "k": "K pictures a class",
    "size": "the size of the public set",
    "set": "which public set",
    "paper": "where the paper errs",
}
"""Closer looks of Public prototypes, as a link says them."""
SEVERAL = "m=dppl-mean,dppl-public,dppl-publick,class-mean"


def grid(label: str, more: str, settings: str = PAPER, methods: str = METHODS) -> Link:
    """Trade-off as a grid; ``more``: over what."""
    return Link(label, f"trade-off?as=grid&{settings}&{methods}&{more}")


def curve(label: str, more: str, settings: str = PAPER, methods: str = METHODS) -> Link:
    """Trade-off, one chart."""
    return Link(label, f"trade-off?{settings}&{methods}&{more}")


def ratios(settings: str = PAPER, methods: str = METHODS) -> tuple[Link, ...]:
    """A panel an imbalance ratio of those that a grid begins with, on both shipped data sets."""
    return tuple(
        grid(f"IR 1 to 50, {name}", f"data={key}&across=ir&down=none", settings, methods)
        for key, name in NAMES.items()
    )


def ratios_and_encoders(
    dataset: str, title: str, settings: str = PAPER, methods: str = METHODS
) -> tuple[Link, ...]:
    """IR x encoder on the shipped data, and as printed once data and weights are on the disk."""
    over = "across=ir&down=encoder"
    here = tuple(
        grid(
            f"IR × encoder, {NAMES[key]}",
            f"data={key}&{over}&g.encoder={encoders}",
            settings,
            methods,
        )
        for key, encoders in SHIPPED.items()
    )
    printed = f"data={dataset}&{over}&g.encoder={ENCODERS}"
    words = f"as printed, once {title} and the weights are on the disk"
    return (*here, grid(words, printed, settings, methods))


def looks(*names: str) -> tuple[Link, ...]:
    """Closer looks of Public prototypes, by their keys."""
    return tuple(
        Link(f"public prototypes: {LOOKS[name]}", f"public-prototypes?see={name}") for name in names
    )
