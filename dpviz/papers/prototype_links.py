"""Addresses of the live views that both papers on prototypes lead to.

A link of a row that is tried names all that decides what its view shows, as the try had it, and
there is one for each data set tried.
"""

from __future__ import annotations

from dpviz.papers.model import ENCODERS as SUITS
from dpviz.papers.model import Link

METHODS = "m=dppl-mean,dppl-public,noisy-gd,dp-ls,global-adapt,class-mean"
AGAINST_PROBE = "m=dppl-mean,dppl-public,noisy-gd,class-mean"
PROTOTYPES = "m=dppl-mean,dppl-public,class-mean"
SEVERAL = "m=dppl-mean,dppl-public,dppl-publick,class-mean&dppl-publick.k=5"
ENCODERS = "vit-b16,vit-l14-dinov2,vit-h14,resnet50"
SHIPPED = {"mnist5k": "glyphnet,scatter,lite0-128", "clothes": "lite0-128,scatter-colour"}
NAMES = {"mnist5k": "digits", "clothes": "clothes"}
SMALLEST = {"clothes": 80}
"""Records of the smallest class where classes differ: IR 1 is tried with as many of each."""
SEEDS = 6
NEEDS = "ImageNet as public set and the weights of ViT-B/16, ViT-L/16, ViT-H/14 and ResNet-50"
"""What the papers' own curves rest on."""
CIFAR100 = f"CIFAR-100, {NEEDS}"
LOOKS = {
    "scores": "scores and odds",
    "window": "the score window",
    "paper": "slips in the printed selection",
}
"""Closer looks of Public prototypes, as a link says them."""


def settings(
    data: str,
    ir: float,
    eps: float,
    axis: str = "paper",
    score: str = "balanced",
    seeds: int = SEEDS,
    records: int = 0,
    enc: str = "",
) -> str:
    """What every page about runs is to be set to; ``seeds``: 0 on a page that has no such control;
    ``records``: of each class, if not all or ``alike``; ``enc``: if not that which suits.
    """
    records = records or equal_class_size(data, ir)
    cut = f"&records={records}" if records else ""
    drawn = f"&n={seeds}" if seeds else ""
    on = f"data={data}&enc={enc or SUITS.get(data, 'vit-h14')}&ir={ir}{cut}"
    return f"{on}&axis={axis}&eps={eps}&score={score}{drawn}"


def equal_class_size(data: str, ir: float) -> int:
    """Records of each class where IR 1 takes some away; else 0."""
    return SMALLEST.get(data, 0) if ir == 1 else 0


def on_each(label: str, page: str, more: str, ir: float, eps: float, **facts) -> tuple[Link, ...]:
    """A view on both shipped data sets; ``more``: controls of the page itself, ``facts``: other
    fields of ``settings``.
    """
    found = []
    for data, name in NAMES.items():
        few = "records" not in facts and equal_class_size(data, ir)
        said = f"{label}, {name}" + (f", {few} records of each class" if few else "")
        found.append(Link(said, f"{page}?{settings(data, ir, eps, **facts)}&{more}"))
    return tuple(found)


def charts(label: str, ir: float, eps: float, methods: str = METHODS, **facts) -> tuple[Link, ...]:
    """Accuracy against the budget on both data sets; an ``eps`` above 10 widens the chart."""
    return on_each(label, "trade-off", methods, ir, eps, **facts)


def ratios(
    irs: str, eps: float, methods: str = METHODS, first: float = 50, **facts
) -> tuple[Link, ...]:
    """A panel an imbalance ratio, on both data sets; a grid ends at a budget of 10.

    Args:
        irs: such as "1,10,50"; first: the one of them at which the page itself stands.
    """
    *some, last = irs.split(",")
    over = f"as=grid&{methods}&across=ir&down=none&g.ir={irs}"
    return on_each(f"IR {', '.join(some)} and {last}", "trade-off", over, first, eps, **facts)


def ends(methods: str = METHODS) -> tuple[Link, ...]:
    """IR 1 beside IR 100 with the same largest class, on both data sets."""
    most = SMALLEST["clothes"]
    return (
        ratios("1,100", 1, methods, first=100)[0],
        ratios("1,100", 1, methods, first=100, records=most)[1],
    )


def records(eps: float, methods: str = METHODS) -> tuple[Link, ...]:
    """5, 10 and 50 records of each class side by side, on both data sets."""
    over = f"as=grid&{methods}&across=records&down=none&g.records=5,10,50"
    return on_each("5, 10 and 50 records a class", "trade-off", over, 1, eps, records=50)


def encoders(methods: str = METHODS) -> tuple[Link, ...]:
    """The two shipped encoders that learned side by side, on both data sets."""
    over = f"as=grid&{methods}&across=encoder&down=none&g.encoder=glyphnet,lite0-128"
    return on_each("two encoders, IR 10", "trade-off", over, 10, 1)


def several_prototypes(methods: str = SEVERAL) -> tuple[Link, ...]:
    """K = 5 pictures a class beside one and beside the mean, and other K, on both data sets."""
    k = "see=k&over=now&dppl-publick.k=5"
    return (
        *charts("K = 5 beside DPPL-Mean and DPPL-Public, IR 10", 10, 1, methods),
        *on_each("every K, without DPPL-Mean, IR 10", "public-prototypes", k, 10, 1),
    )


def sizes(label: str, ir: float, **facts) -> tuple[Link, ...]:
    """Sizes of the public set over budgets ρ, on both data sets."""
    more = {"axis": "zcdp", "seeds": 12} | facts
    return on_each(label, "public-prototypes", "see=size&over=all", ir, 0.1, **more)


def best_k() -> tuple[Link, ...]:
    """Which K is best at each budget up to ρ = 128, on both data sets."""
    page = "public-prototypes", "see=k&over=all"
    return on_each("best K at each budget", *page, 1, 128, axis="zcdp", seeds=12)


def ratios_and_encoders(
    dataset: str, title: str, more: str = METHODS, score: str = "balanced"
) -> tuple[Link, ...]:
    """IR x encoder on the shipped data, and as printed once data and weights are on the disk."""
    over = f"as=grid&{more}&across=ir&down=encoder"
    view = lambda data: f"trade-off?{settings(data, 50, 1, score=score)}&{over}"
    here = tuple(
        Link(f"IR 1 to 50 × encoder, {name}", f"{view(data)}&g.encoder={SHIPPED[data]}")
        for data, name in NAMES.items()
    )
    words = f"as printed, once {title} and the weights are on the disk"
    return (*here, Link(words, f"{view(dataset)}&g.ir=1,10,50,100&g.encoder={ENCODERS}"))


def sets(over: str, eps: float, axis: str) -> tuple[Link, ...]:
    """Which public set, ``over`` "now" or "all" budgets, on both data sets."""
    page = "public-prototypes", f"see=set&over={over}"
    return on_each("kinds of public sets, IR 10", *page, 10, eps, axis=axis)


TRUE_VALUES = Link(
    "the papers' axis, with the true values on the cards",
    f"trade-off?{settings('mnist5k', 50, 1)}&{METHODS}",
)
CLASS_SIZES = Link(
    "class sizes at every IR, below the chart",
    f"trade-off?{settings('mnist5k', 50, 1)}&{METHODS}&sizes=all",
)


def looks(*names: str) -> tuple[Link, ...]:
    """Closer looks of Public prototypes, by their keys."""
    return tuple(
        Link(f"public prototypes: {LOOKS[name]}", f"public-prototypes?see={name}") for name in names
    )
