"""Differentially Private Prototypes for Imbalanced Transfer Learning (AAAI 2025), as printed."""

from __future__ import annotations

from dpviz.papers.checks import mean_estimation as means
from dpviz.papers.checks import prototype_claims as told
from dpviz.papers.checks import prototype_curves as curves
from dpviz.papers.checks import prototype_theory as exact
from dpviz.papers.checks import public_choices as choices
from dpviz.papers.model import Claim, Link, theory
from dpviz.papers.prototype_links import (
    AGAINST_PROBE,
    CIFAR100,
    CLASS_SIZES,
    ENCODERS,
    METHODS,
    NEEDS,
    PROTOTYPES,
    TRUE_VALUES,
    charts,
    encoders,
    ends,
    looks,
    on_each,
    ratios,
    records,
    sets,
    settings,
    several_prototypes,
    sizes,
)

KEY = "prototypes"
PROJECTED = (
    "m=dppl-mean,dppl-mean-projected,dppl-mean-trained,dppl-public,dppl-public-projected,class-mean"
)
SETS = f"as=grid&{AGAINST_PROBE}&across=dataset&down=none"
POOLS = "dp-means", "dppl-mean.form=sum&dppl-mean.k_pool=5&look=pool"
ADAPTIVE = "m=dppl-auto,dppl-mean,dppl-public,class-mean"
FC = "m=noisy-gd,dp-ls,global-adapt,dp-fc,dppl-public"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "proto-f1", KEY, "Figure 1",
        "A sketch: records of each class through a frozen encoder, a private prototype for each"
        " class, the nearest prototype as the answer.",
        links=(Link("the picture that stands for each class", "public-prototypes"),),
    ),
    Claim(
        "proto-em", KEY, "Section 2, exponential mechanism",
        "Sampling with weights e^(εu/Δ) is 2ε-DP for a general utility.",
        links=looks("scores"), check=theory(exact.general_costs_double), textbook=True,
    ),
    Claim(
        "proto-eq1", KEY, "Section 4.1, Equation 1 and its privacy analysis",
        "DPPL-Mean with noise of variance 2r²/(n_c²ρ) on each class mean is ρ-zCDP when a record is"
        " added or removed.",
        links=(Link("three forms of DPPL-Mean", "dp-means?look=forms"),),
        check=theory(exact.mean_as_printed),
    ),
    Claim(
        "proto-pool", KEY, "Section 4.1, k_pool",
        "Averaging neighbouring coordinates first helps DPPL-Mean where the budget is strict. The"
        " paper leaves the pool and the clip norm r free. Tried here: pools of 2, 5, 16 and 32. The"
        " norm r is the mean length of pooled public features.",
        links=(on_each("pools, 5 among them, IR 10", *POOLS, 10, 0.1)[0],
               on_each("pools, 5 among them, IR 10", *POOLS, 10, 0.3)[1],
               *on_each("pooling × budget, IR 10", "maps", "map=pool&mapped=dppl-mean", 10, 0.03)),
        check=told.pooling_helps,
    ),
    Claim(
        "proto-a1", KEY, "Algorithm 1 and Equation 3",
        "DPPL-Public draws for each class a public picture with weights e^(εu/(d_max − d_min)), u"
        " being its clipped likeness summed over the class: pure ε-DP.",
        links=looks("scores", "window"),
        check=theory(exact.public_is_pure),
    ),
    Claim(
        "proto-axis", KEY, "Section 5, comparing notions of DP",
        "All methods are compared at equal ρ, and the axis prints ε = √(2ρ), which is no claim of"
        " pure DP. Tried here: an exponential mechanism of pure 2ε, by the first version's ε²/8,"
        " spends no more than that ρ.",
        links=(TRUE_VALUES,),
        check=theory(exact.equal_rho),
    ),
    Claim(
        "proto-f2-public", KEY, "Figure 2, DPPL-Public against the probe",
        "At every imbalance ratio above 1 DPPL-Public is clearly better than private linear"
        " probing, whatever the budget. The public set of the digits is drawn characters, no"
        " general-purpose images.",
        links=(*ratios("10,50,100", 1, AGAINST_PROBE),
               *charts("IR 10 to paper ε 100", 10, 100, AGAINST_PROBE)),
        check=curves.PUBLIC_ABOVE_PROBE, needs=CIFAR100,
    ),
    Claim(
        "proto-f2-early", KEY, "Figure 2, small budgets",
        "DPPL-Public is good at very small budgets already, such as paper ε 0.1 at IR 1.",
        links=charts("IR 1 to paper ε 100", 1, 100, PROTOTYPES),
        check=told.early_is_good, needs=CIFAR100,
    ),
    Claim(
        "proto-f2-ir", KEY, "Figure 2, imbalance",
        "The more imbalanced the data, the larger the budget that every method needs. Tried here:"
        " at paper ε 1 each is clearly better at IR 1 than at IR 100.",
        links=ends(), check=curves.more_imbalance_costs, needs=CIFAR100,
    ),
    Claim(
        "proto-f2-low", KEY, "Figure 2, DPPL-Mean at small budgets",
        "Where the budget is small DPPL-Mean is worse than DPPL-Public and than linear probing.",
        links=charts("IR 50", 50, 0.1, AGAINST_PROBE),
        check=curves.MEAN_BELOW_AT_LOW, needs=CIFAR100,
    ),
    Claim(
        "proto-f2-high", KEY, "Figure 2, DPPL-Mean at large budgets",
        "Where the budget is large DPPL-Mean is better than DPPL-Public.",
        links=(*charts("IR 10 to paper ε 100", 10, 100, PROTOTYPES),
               *charts("IR 50 to paper ε 100", 50, 100, PROTOTYPES)),
        check=curves.MEAN_ABOVE_AT_HIGH, needs=CIFAR100,
    ),
    Claim(
        "proto-adaptive", KEY, "Section 5.1, an adaptive method",
        "The best use of prototypes might choose DPPL-Public at small budgets and DPPL-Mean at"
        " large ones. DPPL-Auto's choice by class size as well is this project's.",
        links=charts("DPPL-Auto beside both, IR 50 to paper ε 100", 50, 100, ADAPTIVE),
        needs=CIFAR100,
    ),
    Claim(
        "proto-f3", KEY, "Figure 3",
        "The trends of Figure 2 are the same on CIFAR-10, CIFAR-100, Food-101 and STL-10 at IR 100:"
        " DPPL-Public above the probe, DPPL-Mean below both at small budgets and above DPPL-Public"
        " at large ones.",
        links=(Link("IR 100, digits beside clothes",
                    f"trade-off?{settings('mnist5k', 100, 0.1)}&{SETS}&g.dataset=mnist5k,clothes"),
               *charts("IR 100 to paper ε 100", 100, 100, AGAINST_PROBE),
               Link("the papers' data sets, once they are on the disk",
                    f"trade-off?{settings('mnist5k', 100, 0.1)}&{SETS}"
                    "&g.dataset=cifar10,cifar100,food101,stl10")),
        check=told.trends_of_figure_3, needs=f"four data sets, {NEEDS}",
    ),
    Claim(
        "proto-s5.2-balanced", KEY, "Section 5.2, balanced data",
        "Where classes are equal DP-LS is better than all others.",
        links=charts("IR 1", 1, 1), check=curves.LS_WHEN_BALANCED, needs=CIFAR100,
    ),
    Claim(
        "proto-s5.2-public", KEY, "Section 5.2, imbalance and small budgets",
        "Where data are imbalanced and the budget small, DPPL-Public is better than all others.",
        links=ratios("50,100", 0.3),
        check=told.public_best_when_strict, needs=CIFAR100,
    ),
    Claim(
        "proto-s5.2-mean", KEY, "Section 5.2, imbalance and large budgets",
        "Where data are imbalanced and the budget large, DPPL-Mean is better than DP-LS, the probe"
        " and mostly than DPSGD-Global-Adapt.",
        links=(*charts("IR 50 to paper ε 100", 50, 100),
               *charts("IR 100 to paper ε 100", 100, 100)),
        check=told.mean_best_when_loose, needs=CIFAR100,
    ),
    Claim(
        "proto-f4", KEY, "Figure 4",
        "On the smallest quarter of the classes at IR 50 prototypes significantly outperform all"
        " baselines. Tried here: the better of two prototypes against the best of three baselines.",
        links=charts("minority, IR 50 to paper ε 100", 50, 100, score="minority"),
        check=curves.MINORITY, needs=CIFAR100,
    ),
    Claim(
        "proto-f5", KEY, "Figure 5",
        "Every method is better on a better encoder; none is good on ResNet-50. Tried here on two"
        " encoders that learned.",
        links=(*encoders(),
               Link("the papers' encoders, once their weights are on the disk",
                    f"trade-off?{settings('mnist5k', 10, 1)}&as=grid&{METHODS}&across=encoder"
                    f"&down=none&g.encoder={ENCODERS}")),
        check=told.better_encoder_helps_all, needs=CIFAR100,
    ),
    Claim(
        "proto-f6-projection", KEY, "Figure 6, projection",
        "A trained projection before the choice does not help DPPL-Public, nor DPPL-Mean; without"
        " noise it takes DPPL-Public from 74.0 to 72.6 % (from the paper). Tried here: maps"
        " trained on public data before either, which cannot refute it, and one trained on private"
        " data before DPPL-Mean. The latter is compared with no map and with its public start.",
        links=charts("with and without, IR 10", 10, 1, PROJECTED),
        check=told.projection_is_no_help, needs=CIFAR100,
    ),
    Claim(
        "proto-f6-k", KEY, "Figure 6, several prototypes a class",
        "DPPL-PublicK lies between DPPL-Mean and DPPL-Public. Tried here: the best K at each"
        " budget.",
        links=several_prototypes(), check=curves.several_between, needs=CIFAR100,
    ),
    Claim(
        "proto-f7a", KEY, "Figure 7a",
        "DPPL-Public also works with another public set than the encoder's own; the own is better.",
        links=sets("now", 1, "paper"), needs=f"CC3M, {CIFAR100}",
    ),
    Claim(
        "proto-f7b", KEY, "Figure 7b",
        "The more public pictures there are to choose from, the better DPPL-Public is.",
        links=sizes("sizes of the public set, IR 10", 10),
        check=choices.more_pictures_help, needs=CIFAR100,
    ),
    Claim(
        "proto-f9", KEY, "Figure 9 (named in Section 5.3; its picture is not in the text)",
        "Data that are less like those of the pretraining suffer more from a small public set.",
        links=sizes("sizes of the public set, IR 10", 10), needs=CIFAR100,
    ),
    Claim(
        "proto-f10", KEY, "Figure 10 (named in Section 2; its picture is not in the text)",
        "Where records are known to be short, clipping and Gaussian noise estimate a mean better"
        " than CoinPress and FriendlyCore.",
        links=(Link("where the prior is strong", "dp-means?look=means&mcentre=0.1&mradius=0.1"),),
        check=theory(means.clipping_wins),
    ),
    Claim(
        "proto-low", KEY, "Section 1, few records",
        "Prototypes are good from a few records of each class. Tried here: DPPL-Public with 5, 10"
        " and 50 of each is near its best. The paper claims no lead over the probe at IR 1.",
        links=records(1, AGAINST_PROBE),
        check=told.few_are_enough, needs=CIFAR100,
    ),
    Claim(
        "proto-ir", KEY, "Section 5, footnote 3",
        "Class sizes fall exponentially, n(c) = exp(−cλ) with λ = log(IR)/C, so that the largest"
        " class is IR times the smallest.",
        links=(CLASS_SIZES,),
        check=theory(exact.ratio_as_printed),
    ),
    Claim(
        "proto-e4", KEY, "Section 5, baselines, and Appendix E.4 (which is not in the text)",
        "Experiments speak against DP-FC and DP-FiLM as baselines. Tried here: DP-FC against those"
        " that are compared.",
        links=charts("DP-FC beside the others, IR 10", 10, 1, FC),
        check=told.covariance_left_out, needs=CIFAR100,
    ),
    Claim(
        "proto-time", KEY, "Section 5.3, run time",
        "Choosing among a million public pictures takes 34.3 s for 100 classes and 5 s for 10 on"
        " one GPU (from the paper).",
        why_not="Seconds depend on the machine; `benchmarks/public_scale.py` measures these. The"
        " order of methods is tried in Table 2 of the first version.",
    ),
)  # fmt: skip
