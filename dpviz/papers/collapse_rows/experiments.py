"""What it shows of runs: Figures 2 to 4, the cure of an offset, and the loss (sections 4.2, 6)."""

from __future__ import annotations

from typing import Any

from dpviz.papers.checks import collapse_experiments as tries
from dpviz.papers.checks import collapse_made as tries_made
from dpviz.papers.collapse_rows.theory import row
from dpviz.papers.model import ENCODERS, Link
from dpviz.papers.model import theory as tried

VIT = "CIFAR-10 and the paper's ViT, pre-trained on ImageNet"
PRINTED = "axis=approx&eps=1&delta=0.0001&score=balanced&ir=1"
"""The paper's budget, and the error that all checks read."""
AT_RATE = "noisy-gd.steps=100&noisy-gd.lr=60"


def collapsed_link(
    look: str, n: int = tries_made.FEW, dim: int = tries_made.HIGH, seeds: int = 20
) -> str:
    """Collapsed features: so few that an error shows, unless n says how many."""
    facts = f"data=etf&etf.beta=0.0&etf.dim={dim}&etf.n={n}"
    return f"neural-collapse?{facts}&{PRINTED}&{AT_RATE}&n={seeds}&look={look}"


def real(label: str, more: str) -> tuple[Link, ...]:
    """Data as they come, both sets."""
    facts = f"{PRINTED}&n={tries.SEEDS}&by-method=noisy-sgd"
    return tuple(
        Link(f"{label}, {name}", f"neural-collapse?data={key}&enc={ENCODERS[key]}&{facts}&{more}")
        for key, name in (("mnist5k", "digits"), ("clothes", "clothes"))
    )


def near(method: str, n: int, words: str, **params: Any) -> Link:
    """A noisy method on features near collapse, one chart over the budget."""
    facts = f"data=etf&etf.beta={tries_made.NEAR:g}&etf.dim=128&etf.n={n}"
    settings = "".join(f"&{method}.{key}={value}" for key, value in params.items())
    more = f"{PRINTED}&n=20&m={method}{settings}"
    return Link(f"{words}, {n} records", f"trade-off?{facts}&{more}")


def by_dimension(n: int = tries_made.FEW, dim: int = tries_made.HIGH, seeds: int = 20) -> Link:
    """Figure 3(a) with so many records."""
    address = collapsed_link("imbalanced", n, dim, seeds)
    return Link(f"imbalance, offset and moves by dimension, {n:,} records", address)


MOVED = real(
    "who is moved, copies as far as they fit",
    f"look=moved&moved-by=gaussian&moved-who=test&moved-far={tries.MOVED_BY:g}",
)
KEPT = real("directions by dimension", f"look=kept&kept-noise={tries.MOVED_BY:g}")
PUBLIC = (
    "The paper takes the directions from private records and does not pay; here they are public."
)
STEPPED = tuple(
    near("noisy-gd", n, f"{k} step{'s' * (k > 1)} at rate {rate:g}", steps=k, lr=rate)
    for n in tries_made.STEPPED
    for k, rate in ((1, 0.6), (10, 6), (100, 0.6), (100, 60))
)
ROWS = (
    row(
        "f2",
        "Figure 2; section 5.1",
        "Near collapse, the better the pre-trained network, the smaller the shift β: about 0.1 for"
        " ViT, 0.2 for ResNet-50.",
        Link(
            "shift of each record, digits",
            f"neural-collapse?data=mnist5k&enc=glyphnet&beside=lite0-128&{PRINTED}",
        ),
        Link(
            "shift of each record, clothes",
            f"neural-collapse?data=clothes&enc=lite0-128&beside=glyphnet&{PRINTED}",
        ),
        check=tries.better_encoder_smaller_shift,
        needs=f"{VIT} and ResNet-50",
    ),
    row(
        "f3a-default",
        "Figure 3(a), balanced",
        "On collapsed features the private error does not grow with dimension.",
        by_dimension(),
        by_dimension(tries_made.MANY, 64, tries.SEEDS),
        check=tried(tries_made.grows(False, seeds=40)),
    ),
    row(
        "f3a-alone",
        "Figure 3(a); section 5.2, imbalance",
        "Imbalance alone does not affect the utility, with 10,000 records of ten classes.",
        by_dimension(tries_made.MANY, 64),
        by_dimension(tries_made.FEWER_UNEVEN, 64),
        check=tried(tries_made.imbalance_alone),
    ),
    row(
        "f3a-imbalance",
        "Figure 3(a), imbalance",
        "On collapsed features imbalance alone does not make the error grow with dimension.",
        by_dimension(500),
        check=tried(tries_made.grows(False, n=500, seeds=60, alpha=0.9)),
    ),
    row(
        "f3a-offset",
        "Figure 3(a), imbalance and offset",
        "Imbalance beside an offset of 0.1 does.",
        by_dimension(seeds=tries.SEEDS),
        check=tried(tries_made.grows(True, alpha=0.9, offset=0.1)),
    ),
    row(
        "f3a-test",
        "Figure 3(a), moved test data",
        "So do test records moved by 0.1 in each coordinate.",
        by_dimension(seeds=tries.SEEDS),
        check=tried(tries_made.grows(True, True, test="stochastic", size=0.1)),
    ),
    row(
        "f3b-unmoved",
        "Contributions; section 5, NoisySGD",
        "As long as nothing is moved NoisySGD errs no more as the dimension grows.",
        *MOVED,
        check=tries.dimension_alone,
        needs=VIT,
    ),
    row(
        "f3b-both",
        "Figure 3(b), both methods",
        "Noise of variance 0.1 on test features hurts linear SGD and NoisySGD.",
        *MOVED,
        check=tries.moves_hurt_both,
        needs=VIT,
    ),
    row(
        "f3b",
        "Figure 3(b), dimension",
        "With such noise dimension hurts NoisySGD much and linear SGD hardly.",
        *MOVED,
        check=tries.dimension_hurts_once_moved,
        needs=VIT,
    ),
    row(
        "f4-all",
        "Abstract; Figure 4, all coordinates",
        "With noise on all features PCA to 10 directions improves NoisySGD significantly."
        f" {PUBLIC}",
        *KEPT,
        check=tries.ten_directions_beat_all,
        needs=VIT,
    ),
    row(
        "f4-dimension",
        "Contributions; Figure 4, dimension",
        f"With PCA to 10 directions NoisySGD errs no more as the dimension grows. {PUBLIC}",
        KEPT[0],
        why_not="Not tried on clothes, where noise of variance 0.1 leaves the error of a guess.",
        check=tries.dimension_with_directions,
        needs=VIT,
    ),
    row(
        "f4",
        "Figure 4; section 5.4, number of directions",
        f"Of 10, 50 and 100 directions 10 are best for NoisySGD, and 100 do not help. {PUBLIC}",
        *KEPT,
        check=tries.few_directions_help,
        needs=VIT,
    ),
    row(
        "s4.2-centring",
        "Section 4.2, normalisation",
        "With the mean feature of balanced classes taken off an offset does no harm. The paper"
        " takes the private mean; here it is the public one.",
        Link(
            "imbalance and offset, centred on public data",
            collapsed_link("skew&off=0.1", seeds=tries.SEEDS),
        ),
        check=tried(tries_made.centring_restores),
    ),
    row(
        "s6-loss",
        "Section 6, loss",
        "Under neural collapse square loss and cross-entropy are about as good.",
        *(
            near("noisy-sgd", n, f"NoisySGD with {title}", loss=loss, lr=rate)
            for n in tries_made.FEWER
            for title, loss, rate in (
                ("cross-entropy", "cross-entropy", 20),
                ("square loss", "square", 4),
            )
        ),
        check=tried(tries_made.losses_are_alike),
    ),
    row(
        "s6-iterations",
        "Section 6, number of iterations",
        "Near collapse the number of iterations is no longer important: here with the best learning"
        " rate for each, as the paper names none.",
        *STEPPED,
        check=tried(tries_made.iterations_are_alike),
    ),
    row(
        "s6-transfer",
        "Section 6, when features collapse",
        "Features collapse the more, the closer the new classes are to those a network was trained"
        " on. A conjecture, as are what follows on training all layers and on random starts.",
        Link("shift of each record, encoders side by side", "neural-collapse?data=mnist5k"),
    ),
)
