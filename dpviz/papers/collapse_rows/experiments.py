"""What it shows of runs: Figures 2 to 4, the cure of an offset, and the loss (sections 4.2, 6)."""

from __future__ import annotations

from dpviz.papers.checks import collapse_experiments as tries
from dpviz.papers.checks import collapse_made as made
from dpviz.papers.collapse_rows.theory import row
from dpviz.papers.model import Link
from dpviz.papers.model import theory as tried

VIT = "CIFAR-10 and the paper's ViT, pre-trained on ImageNet"
MADE = "neural-collapse?data=etf&etf.beta=0.0&etf.n=300&delta=0.0001&look="
"""Collapsed features, and so few that an error shows; the paper has 10,000."""
REAL = "neural-collapse?data=mnist5k&delta=0.0001&by-method=noisy-sgd&look="
CENTRED = MADE.replace("=300", "=1000").replace("&look", "&etf.dim=2048&look")
STEPS = f"{MADE.replace('beta=0.0', 'beta=0.05')}dim&noisy-gd.steps"
SGD = "trade-off?data=etf&etf.beta=0.05&etf.n=120&delta=0.0001&m=noisy-sgd"
BY_DIMENSION = (
    Link("imbalance, offset and moves by dimension", f"{MADE}imbalanced"),
    Link("with as many records as printed", f"{MADE.replace('=300', '=10000')}imbalanced"),
)
ROWS = (
    row(
        "f2",
        "Figure 2; section 5.1",
        "The better the pre-trained network, the smaller the shift β: about 0.1 for ViT, 0.2 for"
        " ResNet-50.",
        Link("shift of each record", "neural-collapse?data=mnist5k"),
        check=tries.better_encoder_smaller_shift,
        needs=f"{VIT} and ResNet-50",
    ),
    row(
        "f3a-default",
        "Figure 3(a), balanced",
        "On collapsed features the private error does not grow with dimension.",
        *BY_DIMENSION,
        check=tried(made.grows(False, seeds=40)),
    ),
    row(
        "f3a-alone",
        "Figure 3(a); section 5.2, imbalance",
        "Imbalance alone does not affect the utility, with 10,000 records of ten classes.",
        *BY_DIMENSION,
        check=tried(made.imbalance_alone),
    ),
    row(
        "f3a-imbalance",
        "Figure 3(a), imbalance",
        "On collapsed features imbalance alone does not make the error grow with dimension.",
        *BY_DIMENSION,
        check=tried(made.grows(False, n=500, seeds=60, alpha=0.9)),
    ),
    row(
        "f3a-offset",
        "Figure 3(a), imbalance and offset",
        "Imbalance beside an offset of 0.1 does.",
        *BY_DIMENSION,
        check=tried(made.grows(True, alpha=0.9, offset=0.1)),
    ),
    row(
        "f3a-test",
        "Figure 3(a), moved test data",
        "So do test records moved by 0.1 in each coordinate.",
        *BY_DIMENSION,
        check=tried(made.grows(True, True, test="stochastic", size=0.1)),
    ),
    row(
        "f3b-unmoved",
        "Contributions; section 5, NoisySGD",
        "As long as nothing is moved NoisySGD errs no more as the dimension grows.",
        Link("who is moved", f"{REAL}moved"),
        check=tries.dimension_alone,
        needs=VIT,
    ),
    row(
        "f3b-both",
        "Figure 3(b), both methods",
        "Noise of variance 0.1 on test features hurts linear SGD and NoisySGD.",
        Link("who is moved", f"{REAL}moved"),
        check=tries.moves_hurt_both,
        needs=VIT,
    ),
    row(
        "f3b",
        "Figure 3(b), dimension",
        "With such noise dimension hurts NoisySGD much and linear SGD hardly.",
        Link("who is moved", f"{REAL}moved"),
        check=tries.dimension_hurts_once_moved,
        needs=VIT,
    ),
    row(
        "f4",
        "Figure 4; section 5.4",
        "With noise on all features 10 principal directions are best for NoisySGD, and 100 do not"
        " help. The paper takes them from private records and does not pay; here they are public.",
        Link("directions by dimension", f"{REAL}kept"),
        check=tries.few_directions_help,
        needs=VIT,
    ),
    row(
        "s4.2-centring",
        "Section 4.2, normalisation",
        "With the mean feature taken off an offset does no harm. The paper takes the private mean;"
        " here it is the public one.",
        Link("imbalance and offset, centred on public data", f"{CENTRED}skew"),
        check=tried(made.centring_restores),
    ),
    row(
        "s6-loss",
        "Section 6, loss",
        "Under neural collapse square loss and cross-entropy are about as good.",
        *(
            Link(f"NoisySGD with {title}", f"{SGD}&noisy-sgd.loss={loss}&noisy-sgd.lr={rate:g}")
            for title, loss, rate in (
                ("cross-entropy", "cross-entropy", 20),
                ("square loss", "square", 4),
            )
        ),
        check=tried(made.losses_are_alike),
    ),
    row(
        "s6-iterations",
        "Section 6, number of iterations",
        "Near collapse the number of iterations is no longer important: here with the best learning"
        " rate for each, as the paper names none.",
        Link("dimension, 1 step", f"{STEPS}=1&noisy-gd.lr=0.6"),
        Link("dimension, 100 steps", f"{STEPS}=100&noisy-gd.lr=0.6"),
        Link("the same at a rate of 60", f"{STEPS}=100&noisy-gd.lr=60"),
        check=tried(made.iterations_are_alike),
    ),
    row(
        "s6-transfer",
        "Section 6, when features collapse",
        "Features collapse the more, the closer the new classes are to those a network was trained"
        " on. A conjecture, as are what follows on training all layers and on random starts.",
        Link("shift of each record, encoders side by side", "neural-collapse?data=mnist5k"),
    ),
)
