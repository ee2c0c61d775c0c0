"""What it shows of runs: Figures 2 to 4, the cure of an offset, and the loss (sections 4.2, 6)."""

from __future__ import annotations

from dpviz.papers.checks import collapse_experiments as tries
from dpviz.papers.collapse_rows.theory import row
from dpviz.papers.model import Link
from dpviz.papers.model import theory as tried

VIT = "CIFAR-10 and the paper's ViT, pre-trained on ImageNet"
MADE = "neural-collapse?data=etf&etf.beta=0.0&delta=0.0001&look="
REAL = "neural-collapse?data=mnist5k&delta=0.0001&by-method=noisy-sgd&look="
AS_PRINTED = Link("imbalance, offset and moves by dimension", f"{MADE}imbalanced")
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
        "f3a-imbalance",
        "Figure 3(a), imbalance",
        "On collapsed features imbalance alone does not make the error grow with dimension.",
        AS_PRINTED,
        check=tried(tries.grows(False, alpha=0.9)),
    ),
    row(
        "f3a-offset",
        "Figure 3(a), imbalance and offset",
        "Imbalance beside an offset of 0.1 does.",
        AS_PRINTED,
        check=tried(tries.grows(True, alpha=0.9, offset=0.1)),
    ),
    row(
        "f3a-test",
        "Figure 3(a), moved test data",
        "So do test records moved by 0.1 in each coordinate.",
        AS_PRINTED,
        check=tried(tries.grows(True, True, test="stochastic", size=0.1)),
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
        Link("imbalance and offset, centred on public data", f"{MADE}skew"),
        check=tried(tries.centring_restores),
    ),
    row(
        "s6-loss",
        "Section 6, loss",
        "Under neural collapse square loss and cross-entropy are about as good.",
        Link("NoisySGD", "neural-collapse?data=mnist5k&by-method=noisy-sgd&look=moved"),
        check=tries.losses_are_alike,
    ),
)
