"""Beyond the Mean, the first version of the prototypes' paper, with its appendices, as printed."""

from __future__ import annotations

from dpviz.papers.checks import mean_estimation as means
from dpviz.papers.checks import prototype_curves as curves
from dpviz.papers.checks import prototype_theory as exact
from dpviz.papers.model import Claim, Link, theory
from dpviz.papers.prototype_links import (
    CIFAR100,
    MINORITY,
    NEEDS,
    PAPER,
    SEVERAL,
    curve,
    grid,
    looks,
    ratios,
    ratios_and_encoders,
)

KEY = "beyond_the_mean"
SETS = {"cifar10": "CIFAR-10", "cifar100": "CIFAR-100", "stl10": "STL-10", "food101": "Food-101"}


def _topk(figure: int, dataset: str) -> Claim:
    title = SETS[dataset]
    return Claim(
        f"beyond-f{figure}",
        KEY,
        f"Figure {figure}",
        f"DPPL-Public with top K beside the others on {title}: imbalance ratio × encoder.",
        links=ratios_and_encoders(dataset, title, PAPER, SEVERAL),
        needs=f"{title}, {NEEDS}",
    )


def _all(figure: int, dataset: str) -> Claim:
    title = SETS[dataset]
    return Claim(
        f"beyond-f{figure}",
        KEY,
        f"Figure {figure}",
        f"Prototypes beside DP-LS, the probe and DPSGD-Global-Adapt on {title}: imbalance ratio ×"
        " encoder, accuracy over a balanced test set.",
        links=ratios_and_encoders(dataset, title),
        needs=f"{title}, {NEEDS}",
    )


def _minority(figure: int, dataset: str) -> Claim:
    title = SETS[dataset]
    return Claim(
        f"beyond-f{figure}",
        KEY,
        f"Figure {figure}",
        f"The same on the smallest quarter of the classes of {title}.",
        links=ratios_and_encoders(dataset, title, MINORITY),
        needs=f"{title}, {NEEDS}",
    )


CURVES: tuple[Claim, ...] = (
    Claim(
        "beyond-f1", KEY, "Figure 1", "The sketch of the method, as in the later version.",
        links=(Link("the picture that stands for each class", "public-prototypes"),),
    ),
    Claim(
        "beyond-f2", KEY, "Figure 2",
        "DPPL-Public is clearly better than private linear probing at IR above 1; DPPL-Mean is"
        " better than DPPL-Public once the budget is large.",
        links=ratios(PAPER, "m=dppl-mean,dppl-public,noisy-gd,class-mean"),
        check=curves.PUBLIC_ABOVE_PROBE, needs=CIFAR100,
    ),
    Claim(
        "beyond-f3", KEY, "Figure 3",
        "At IR 100 the same trend shows on four data sets.",
        links=(grid("a panel a data set, IR 100", "ir=100&across=dataset&down=none"),),
        check=curves.PUBLIC_WHEN_IMBALANCED, needs=f"four data sets, {NEEDS}",
    ),
    Claim(
        "beyond-f4", KEY, "Figure 4",
        "DP-LS is better where classes are equal; the more imbalanced, the more prototypes are.",
        links=ratios(), check=curves.LS_WHEN_BALANCED, needs=CIFAR100,
    ),
    Claim(
        "beyond-f4-high", KEY, "Figure 4, large budgets",
        "Where the budget is large DPPL-Mean matches or beats DPSGD-Global-Adapt.",
        links=ratios(), check=curves.MEAN_WHEN_IMBALANCED, needs=CIFAR100,
    ),
    Claim(
        "beyond-f5", KEY, "Figure 5",
        "On the smallest quarter of the classes at IR 50 prototypes are clearly better than all"
        " others.",
        links=(curve("minority, digits", "data=mnist5k&ir=50", MINORITY),
               curve("minority, clothes", "data=clothes&ir=50", MINORITY)),
        check=curves.MINORITY, needs=CIFAR100,
    ),
    Claim(
        "beyond-f6", KEY, "Figure 6", "All methods depend on how good the encoder is.",
        links=ratios_and_encoders("cifar100", "CIFAR-100"), check=curves.better_encoder,
        needs=CIFAR100,
    ),
    Claim(
        "beyond-f9", KEY, "Figure 9",
        "DPPL-Public with top K lies between DPPL-Mean and DPPL-Public.",
        links=(*looks("k"), *ratios(PAPER, SEVERAL)), check=curves.several_between, needs=CIFAR100,
    ),
    Claim(
        "beyond-t1", KEY, "Table 1",
        "Median and mean records a class of four data sets at IR 1, 10, 50 and 100.",
        links=(curve("class sizes at every IR, below the chart", "ir=50&sizes=all"),),
        check=theory(exact.table_of_sizes), needs="the four data sets",
    ),
    Claim(
        "beyond-f10", KEY, "Figure 10",
        "Class sizes of CIFAR-10, largest first, at all imbalance ratios in one picture; the"
        " smallest quarter is the minority.",
        links=(curve("class sizes at every IR, below the chart", "ir=50&sizes=all"),),
        needs="CIFAR-10",
    ),
    *(_topk(14 + i, key) for i, key in enumerate(("cifar10", "cifar100", "food101", "stl10"))),
    *(_all(20 + i, key) for i, key in enumerate(SETS)),
    *(_minority(24 + i, key) for i, key in enumerate(SETS)),
    Claim(
        "beyond-t2", KEY, "Table 2",
        "DPPL-Mean takes the least time and DPSGD-Global-Adapt the most (0.08 and 174 s on"
        " CIFAR-10, from the paper).",
        why_not="run times are not compared; every run tells its own seconds in its table",
    ),
    Claim(
        "beyond-f-limits", KEY, "Appendix F.2",
        "Where encoder and data suit each other least (ResNet-50 or ViT-B/16 on Food-101)"
        " prototypes are outperformed.",
        links=ratios_and_encoders("food101", "Food-101"), needs=f"Food-101, {NEEDS}",
    ),
)  # fmt: skip
"""Accuracy against the budget, class sizes and run times."""

OVER = "over=all&axis=zcdp"
ESTIMATORS = Link("five estimators", "dp-means?look=means")
TRAINED = "m=dppl-mean,dppl-mean-projected,dppl-mean-trained,class-mean"
SLIPS = looks("paper")

MEANS: tuple[Claim, ...] = (
    Claim(
        "beyond-p1", KEY, "Proposition 1",
        "Gaussian noise σ on a query of sensitivity Δ is Δ²/(2σ²)-zCDP.",
        links=(Link("the cards of DPPL-Mean", "dp-means?axis=zcdp"),),
        check=theory(means.gaussian_is_zcdp),
    ),
    Claim(
        "beyond-l1", KEY, "Lemma 1", "The exponential mechanism e^(εu/Δ) is 2ε-DP.",
        links=SLIPS, check=theory(exact.general_costs_double),
    ),
    Claim(
        "beyond-l2", KEY, "Lemma 2", "With a monotone utility it is ε-DP.",
        links=SLIPS, check=theory(exact.public_is_pure),
    ),
    Claim(
        "beyond-l3", KEY, "Lemma 3 and Appendix D.2",
        "An exponential mechanism that is ε-DP is ε²/8-zCDP, by which methods are compared.",
        links=SLIPS, check=theory(means.eighth_is_enough),
    ),
    Claim(
        "beyond-a4", KEY, "Appendix A.4",
        "CoinPress clips about its estimate to r + γ, beyond which 1 record in 100 lies at most.",
        links=(Link("CoinPress step by step", "dp-means?look=steps"), ESTIMATORS),
        check=theory(means.tail_holds),
    ),
    Claim(
        "beyond-s2", KEY, "Section 2, DP mean estimation",
        "CoinPress is the better estimator where the mean lies far from the origin.",
        links=(Link("against the believed radius", "dp-means?look=means&maxis=centre&mradius=30"),),
        check=theory(means.coinpress_wins),
    ),
    Claim(
        "beyond-f7", KEY, "Figure 7 and Appendix C.5.2",
        "DPPL-Mean is worse with a projection trained on a share of the budget, at every share.",
        links=(curve("with and without, digits", "data=mnist5k&ir=1", PAPER, TRAINED),
               curve("with and without, clothes", "data=clothes&ir=1", PAPER, TRAINED)),
        check=means.projection_never_helps, needs=CIFAR100,
    ),
    Claim(
        "beyond-c5.3", KEY, "Appendix C.5.3", "DPPL-Public is worse with a projection.",
        links=(curve("with and without, digits", "data=mnist5k&ir=10", PAPER,
                     "m=dppl-public,dppl-public-projected,class-mean"),),
        check=curves.PROJECTION_DOES_NOT_HELP, needs=CIFAR100,
    ),
    Claim(
        "beyond-f19", KEY, "Figure 19",
        "Of all settings of the projection that were searched none reaches DPPL-Mean without it.",
        links=(Link("search the settings of the private map",
                    "tuning?tm=dppl-mean-trained"),),
        check=means.projection_never_helps, needs=CIFAR100,
    ),
    Claim(
        "beyond-f8c", KEY, "Figure 8c",
        "DPPL-Public works with another public set than the encoder's own as well.",
        links=(Link("kinds of public sets over budgets", f"public-prototypes?see=set&{OVER}"),),
        needs=f"CC3M, {CIFAR100}",
    ),
    Claim(
        "beyond-f8d", KEY, "Figure 8d", "The more public pictures, the better DPPL-Public is.",
        links=(Link("sizes over budgets", f"public-prototypes?see=size&{OVER}"),),
        check=means.more_pictures_help, needs=CIFAR100,
    ),
    Claim(
        "beyond-f11", KEY, "Figure 11",
        "The same on four data sets, with subsets of several sizes as curves.",
        links=(Link("digits", f"public-prototypes?data=mnist5k&see=size&{OVER}"),
               Link("clothes", f"public-prototypes?data=clothes&see=size&{OVER}")),
        check=means.more_pictures_help, needs=f"four data sets, {NEEDS}",
    ),
    Claim(
        "beyond-f12", KEY, "Figure 12",
        "CoinPress means lie near the exact ones at ρ = 10⁻³ and anywhere at 10⁻⁴, where most test"
        " records are wrong.",
        links=tuple(
            Link(f"the map at ρ = {rho}", f"dp-means?axis=zcdp&eps={rho}&dppl-mean.form=coinpress")
            for rho in ("0.001", "0.0001")
        ),
        check=means.means_break_down, needs=f"CIFAR-10, {NEEDS}",
    ),
    Claim(
        "beyond-f13", KEY, "Figure 13 and Appendix C.2",
        "At small ρ CoinPress's radius grows with each step instead of shrinking, and its"
        " estimates with it.",
        links=(Link("CoinPress step by step", "dp-means?look=steps&axis=zcdp"),),
        check=means.radius_diverges, needs=f"CIFAR-10, {NEEDS}",
    ),
    Claim(
        "beyond-l4", KEY, "Lemma 4 and the remark after it",
        "The utility of a set has the sensitivity of one picture's, but sampling by it costs twice"
        " as it is not monotone.",
        links=SLIPS, check=theory(means.no_double_cost),
    ),
    Claim(
        "beyond-eq6", KEY, "Equation 6",
        "C(y, K) sets have their worst member at rank y.",
        links=SLIPS, check=theory(means.sets_are_miscounted),
    ),
    Claim(
        "beyond-f18", KEY, "Figure 18 and Appendix C.4.1",
        "The larger the budget, the larger the best K; from ρ = 100 on it is 10.",
        links=(Link("best K at each budget", f"public-prototypes?see=k&{OVER}"),),
        check=means.best_k_grows, needs=CIFAR100,
    ),
    Claim(
        "beyond-l5", KEY, "Lemma 5",
        "The clipped likeness summed over a class has sensitivity d_max − d_min and only grows"
        " when a record is added.",
        links=looks("scores", "window"), check=theory(exact.public_is_pure),
    ),
    Claim(
        "beyond-th2", KEY, "Theorem 2", "DPPL-Public is ε-DP.",
        links=looks("scores"), check=theory(exact.public_is_pure),
    ),
)  # fmt: skip
"""Private means, their proofs, K, public sets and the projection."""

CLAIMS: tuple[Claim, ...] = CURVES + MEANS
