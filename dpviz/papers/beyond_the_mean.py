"""Beyond the Mean, the first version of the prototypes' paper, with its appendices, as printed.

Its DPPL-Mean is CoinPress: so it is in all tries and views of this paper, unless a row says else.
"""

from __future__ import annotations

from dpviz.papers import prototype_links
from dpviz.papers.checks import first_version as first
from dpviz.papers.checks import mean_estimation as means
from dpviz.papers.checks import prototype_claims as told
from dpviz.papers.checks import prototype_curves as curves
from dpviz.papers.checks import prototype_theory as exact
from dpviz.papers.checks import public_choices as choices
from dpviz.papers.checks import selection_theory as selection
from dpviz.papers.checks.prototype_curves import WEAK
from dpviz.papers.model import Claim, Link, theory
from dpviz.papers.prototype_links import (
    CIFAR100,
    CLASS_SIZES,
    NAMES,
    NEEDS,
    TRUE_VALUES,
    best_k,
    charts,
    encoders,
    ends,
    equal_class_size,
    looks,
    on_each,
    ratios,
    ratios_and_encoders,
    records,
    sets,
    settings,
    several_prototypes,
    sizes,
)

KEY = "beyond_the_mean"
SETS = {"cifar10": "CIFAR-10", "cifar100": "CIFAR-100", "stl10": "STL-10", "food101": "Food-101"}
FORM = "dppl-mean.form=coinpress"
METHODS = f"{prototype_links.METHODS}&{FORM}"
SEVERAL = f"{prototype_links.SEVERAL}&{FORM}"
AGAINST_PROBE = f"{prototype_links.AGAINST_PROBE}&{FORM}"
AGAINST_ADAPT = f"m=dppl-mean,global-adapt,class-mean&{FORM}"
PROTOTYPES = f"{prototype_links.PROTOTYPES}&{FORM}"


def _topk(figure: int, dataset: str) -> Claim:
    title = SETS[dataset]
    return Claim(
        f"beyond-f{figure}",
        KEY,
        f"Figure {figure}",
        f"DPPL-Public with top K beside the others on {title}: imbalance ratio × encoder.",
        links=ratios_and_encoders(dataset, title, SEVERAL),
        needs=f"{title}, {NEEDS}",
    )


def _all_claims(figure: int, dataset: str) -> Claim:
    title = SETS[dataset]
    return Claim(
        f"beyond-f{figure}",
        KEY,
        f"Figure {figure}",
        f"Prototypes beside DP-LS, the probe and DPSGD-Global-Adapt on {title}: imbalance ratio ×"
        " encoder, accuracy over a balanced test set.",
        links=ratios_and_encoders(dataset, title, METHODS),
        needs=f"{title}, {NEEDS}",
    )


def _minority(figure: int, dataset: str) -> Claim:
    title = SETS[dataset]
    return Claim(
        f"beyond-f{figure}",
        KEY,
        f"Figure {figure}",
        f"The same on the smallest quarter of the classes of {title}.",
        links=ratios_and_encoders(dataset, title, METHODS, "minority"),
        needs=f"{title}, {NEEDS}",
    )


def _worse(score: str) -> tuple[Link, ...]:
    """Each data set on the encoder that was shipped for the other, as the try had it."""
    return tuple(
        Link(
            f"IR 10 on {encoder}, {NAMES[data]}",
            f"trade-off?{settings(data, 10, 1, score=score, enc=encoder)}&{METHODS}",
        )
        for data, encoder in WEAK.items()
    )


CURVES: tuple[Claim, ...] = (
    Claim(
        "beyond-f1", KEY, "Figure 1", "The sketch of the method, as in the later version.",
        links=(Link("the picture that stands for each class", "public-prototypes"),),
    ),
    Claim(
        "beyond-s1", KEY, "Section 1, few records",
        "Prototypes are good from a few records of each class. Tried here: DPPL-Public with 5, 10"
        " and 50 of each is near its best. The paper claims no lead over the probe at IR 1.",
        links=records(1, AGAINST_PROBE),
        check=told.few_are_enough, needs=CIFAR100,
    ),
    Claim(
        "beyond-f2", KEY, "Figure 2",
        "DPPL-Public is clearly better than private linear probing at IR above 1, whatever the"
        " budget. The public set of the digits is drawn characters, no general-purpose images.",
        links=(*ratios("10,50,100", 1, AGAINST_PROBE),
               *charts("IR 10 to paper ε 100", 10, 100, AGAINST_PROBE)),
        check=curves.PUBLIC_ABOVE_PROBE, needs=CIFAR100,
    ),
    Claim(
        "beyond-f2-early", KEY, "Figure 2, small budgets",
        "DPPL-Public does well at very small budgets already, such as paper ε 0.1 at IR 1.",
        links=charts("IR 1 to paper ε 100", 1, 100, PROTOTYPES),
        check=told.early_is_good, needs=CIFAR100,
    ),
    Claim(
        "beyond-f2-ir", KEY, "Figure 2, imbalance",
        "The more imbalanced the data, the larger the budget that every method needs. Tried here:"
        " at paper ε 1 each is clearly better at IR 1 than at IR 100.",
        links=ends(METHODS),
        check=curves.first_version(curves.more_imbalance_costs), needs=CIFAR100,
    ),
    Claim(
        "beyond-f2-low", KEY, "Figure 2, DPPL-Mean at small budgets",
        "Where the budget is small DPPL-Mean is worse than DPPL-Public and than linear probing.",
        links=charts("IR 50", 50, 0.1, AGAINST_PROBE),
        check=curves.first_version(curves.MEAN_BELOW_AT_LOW), needs=CIFAR100,
    ),
    Claim(
        "beyond-f2-high", KEY, "Figure 2, DPPL-Mean at large budgets",
        "Where the budget is large DPPL-Mean is better than DPPL-Public.",
        links=(*charts("IR 10 to paper ε 100", 10, 100, PROTOTYPES),
               *charts("IR 50 to paper ε 100", 50, 100, PROTOTYPES)),
        check=curves.first_version(curves.MEAN_ABOVE_AT_HIGH), needs=CIFAR100,
    ),
    Claim(
        "beyond-f3", KEY, "Figure 3",
        "At IR 100 the same trends show on four data sets: DPPL-Public above the probe, DPPL-Mean"
        " below both at small budgets and above DPPL-Public at large ones.",
        links=(Link("IR 100, digits beside clothes",
                    f"trade-off?{settings('mnist5k', 100, 0.1)}&as=grid&{AGAINST_PROBE}"
                    "&across=dataset&down=none&g.dataset=mnist5k,clothes"),
               *charts("IR 100 to paper ε 100", 100, 100, AGAINST_PROBE)),
        check=curves.first_version(told.trends_of_figure_3), needs=f"four data sets, {NEEDS}",
    ),
    Claim(
        "beyond-f4-equal", KEY, "Figure 4, IR 1",
        "Where classes are equal DP-LS is better than all others.",
        links=charts("IR 1", 1, 1, METHODS),
        check=curves.first_version(curves.LS_WHEN_BALANCED), needs=CIFAR100,
    ),
    Claim(
        "beyond-f4", KEY, "Figure 4, from IR 1 to IR 100",
        "The more imbalanced the data, the farther prototypes are ahead of the others.",
        links=ends(METHODS), check=curves.first_version(first.lead_grows), needs=CIFAR100,
    ),
    Claim(
        "beyond-f4-low", KEY, "Figure 4, small budgets",
        "Where data are imbalanced and the budget small DPPL-Public is better than the probe, DP-LS"
        " and DPSGD-Global-Adapt.",
        links=ratios("50,100", 1, METHODS), check=first.PUBLIC_WHEN_STRICT, needs=CIFAR100,
    ),
    Claim(
        "beyond-f4-high", KEY, "Figure 4, large budgets",
        "Where data are imbalanced and the budget large DPPL-Mean matches or beats"
        " DPSGD-Global-Adapt.",
        links=(*charts("IR 50 to paper ε 100", 50, 100, AGAINST_ADAPT),
               *charts("IR 100 to paper ε 100", 100, 100, AGAINST_ADAPT)),
        check=first.MATCHES_ADAPT, needs=CIFAR100,
    ),
    Claim(
        "beyond-f5", KEY, "Figure 5",
        "On the smallest quarter of the classes at IR 50 prototypes significantly outperform all"
        " baselines. Tried here: the better of two prototypes against the best of three baselines.",
        links=charts("minority, IR 50 to paper ε 100", 50, 100, METHODS, score="minority"),
        check=curves.first_version(curves.MINORITY), needs=CIFAR100,
    ),
    Claim(
        "beyond-f6", KEY, "Figure 6",
        "All methods are better on a better encoder. Tried here on two encoders that learned.",
        links=encoders(METHODS),
        check=curves.first_version(told.better_encoder_helps_all), needs=CIFAR100,
    ),
    Claim(
        "beyond-f9", KEY, "Figure 9",
        "DPPL-Public with top K lies between DPPL-Mean and DPPL-Public, in its largest accuracy and"
        " in the budget that it needs. Tried here: the best K at each budget.",
        links=several_prototypes(SEVERAL),
        check=curves.first_version(first.several_reach), needs=CIFAR100,
    ),
    Claim(
        "beyond-f9-near", KEY, "Appendix C.4.1, beside Figure 9",
        "The accuracy that it reaches at most is nearer DPPL-Mean's, the higher, than"
        " DPPL-Public's.",
        links=charts("IR 10 to paper ε 16, which is ρ = 128", 10, 16, SEVERAL),
        check=curves.first_version(first.several_near_mean), needs=CIFAR100,
    ),
    Claim(
        "beyond-t1", KEY, "Table 1",
        "Median and mean records a class of four data sets at IR 1, 10, 50 and 100.",
        links=(CLASS_SIZES,),
        check=theory(exact.table_of_sizes), needs="the four data sets",
    ),
    Claim(
        "beyond-f10", KEY, "Figure 10",
        "Class sizes of CIFAR-10, largest first, at all imbalance ratios in one picture; the"
        " smallest quarter is the minority.",
        links=(CLASS_SIZES,),
        needs="CIFAR-10",
    ),
    *(_topk(14 + i, key) for i, key in enumerate(("cifar10", "cifar100", "food101", "stl10"))),
    *(_all_claims(20 + i, key) for i, key in enumerate(SETS)),
    *(_minority(24 + i, key) for i, key in enumerate(SETS)),
    Claim(
        "beyond-t2", KEY, "Table 2",
        "DPPL-Mean takes the least time and DPSGD-Global-Adapt the most (0.08 and 174 s on"
        " CIFAR-10, from the paper). Tried here: the order alone, on one CPU, with dpviz's settings"
        " and at most 4,000 images. A GPU and 50,000 images can give another order.",
        why_not="Every run tells its own seconds in its table.",
        check=first.run_times, needs="CIFAR-10 and a GPU",
    ),
    Claim(
        "beyond-f-limits", KEY, "Appendix F.2",
        "Where encoder and data suit each other least (ResNet-50 or ViT-B/16 on Food-101)"
        " prototypes are outperformed. Tried here on an encoder that learned from other pictures.",
        links=_worse("balanced"), check=first.outperformed("balanced"),
        needs=f"Food-101, {NEEDS}",
    ),
    Claim(
        "beyond-f-limits-minority", KEY, "Appendix F.2, minority classes",
        "Even there prototypes are the best on the smallest classes.",
        links=_worse("minority"),
        check=first.outperformed("minority", turned=True), needs=f"Food-101, {NEEDS}",
    ),
)  # fmt: skip
"""Accuracy against the budget, class sizes and run times."""

RHO = {"axis": "zcdp", "seeds": 3}
COINPRESS = "dp-means", f"look=steps&{FORM}"
ESTIMATORS = Link("five estimators", "dp-means?look=means")
STEPS = Link(
    "CoinPress step by step",
    f"dp-means?{settings('mnist5k', 1, 1, 'zcdp')}&{FORM}&look=steps",
)
FAR = Link("where the mean is far off", "dp-means?look=means&maxis=rho&mcentre=10&mradius=30")


def _mapped(label: str, rho: float, changed: dict[str, str]) -> tuple[Link, ...]:
    """DPPL-Mean with and without a private map, at IR 1; ``changed``: the map's settings by data
    set, as ``name=value`` with commas between.
    """
    found = []
    for data, said in changed.items():
        some = "".join(f"&dppl-mean-trained.{one}" for one in said.split(","))
        few = equal_class_size(data, 1) or 100
        view = settings(data, 1, rho, "zcdp", seeds=5, records=few)
        methods = "m=dppl-mean,dppl-mean-projected,dppl-mean-trained,class-mean"
        words = f"{label}, {NAMES[data]}, {few} records of each class"
        found.append(Link(words, f"trade-off?{view}&{methods}{some}"))
    return tuple(found)


SPLIT = _mapped("a tenth of ρ = 0.01 for the map", 0.01, dict.fromkeys(NAMES, "split=0.1"))
WIDTHS = tuple(
    link
    for width in (16, 128)
    for link in _mapped(f"{width} dimensions kept", 1, dict.fromkeys(NAMES, f"width={width}"))
)
DRAWN = _mapped(
    "the best of the settings drawn",
    1,
    {
        "mnist5k": "split=0.83,width=43,steps=15,clip=1.223,rate=0.1415",
        "clothes": "split=0.41,width=127,steps=30,clip=2.35,rate=0.0313",
    },
)
SEARCH = tuple(
    Link(
        f"another search of such settings, {NAMES[data]}",
        f"tuning?{settings(data, 1, 1, 'zcdp', seeds=0, records=equal_class_size(data, 1) or 100)}"
        "&tm=dppl-mean-trained&sampler=random&trials=12",
    )
    for data in NAMES
)
SIZES = sizes("sizes of the public set, IR 10", 10)
SLIPS = looks("paper")

MEANS: tuple[Claim, ...] = (
    Claim(
        "beyond-p1", KEY, "Proposition 1",
        "Gaussian noise σ on a query of sensitivity Δ is Δ²/(2σ²)-zCDP.",
        links=(Link("the cards of DPPL-Mean", "dp-means?axis=zcdp"),),
        check=theory(means.gaussian_is_zcdp), textbook=True,
    ),
    Claim(
        "beyond-l1", KEY, "Equation 4 and Lemma 1",
        "The exponential mechanism e^(εu/Δ) is 2ε-DP.",
        links=looks("scores"), check=theory(exact.general_costs_double), textbook=True,
    ),
    Claim(
        "beyond-l2", KEY, "Lemma 2", "With a monotone utility it is ε-DP.",
        links=looks("scores"), check=theory(exact.public_is_pure), textbook=True,
    ),
    Claim(
        "beyond-l3", KEY, "Lemma 3 and Appendix D.2",
        "An exponential mechanism that is ε-DP is ε²/8-zCDP, by which methods are compared.",
        links=SLIPS, check=theory(means.eighth_is_enough), textbook=True,
    ),
    Claim(
        "beyond-axis", KEY, "Section 5, comparing notions of DP",
        "All methods are compared at equal ρ, and the axis prints ε = √(2ρ).",
        links=(TRUE_VALUES,),
        check=theory(exact.equal_rho),
    ),
    Claim(
        "beyond-a4", KEY, "Appendix A.4",
        "CoinPress clips about its estimate to r + γ, beyond which 1 record in 100 lies at most"
        " where records are Gaussian with variance 1. Here it works in units of the public set's"
        " mean and spread, with a tighter clip. The paper starts at the origin.",
        links=(STEPS, ESTIMATORS),
        check=theory(means.tail_holds),
    ),
    Claim(
        "beyond-s2", KEY, "Section 2, CoinPress",
        "CoinPress is especially useful where the mean lies far from the origin. Tried here: its"
        " error is a smaller share of a clipped sum's far than near.",
        links=(FAR,), check=theory(means.coinpress_wins),
    ),
    Claim(
        "beyond-s2-error", KEY, "Section 2, CoinPress, at each budget",
        "Tried here, which the paper does not claim of every budget: far from the origin CoinPress"
        " errs less than clipping and noise at ρ = 0.01, 0.1 and 1.",
        links=(FAR,), check=theory(means.coinpress_errs_less),
    ),
    Claim(
        "beyond-s2-core", KEY, "Section 2, FriendlyCore",
        "A friendly core first helps most where records are long and have many coordinates.",
        links=(FAR,), check=theory(means.core_wins),
    ),
    Claim(
        "beyond-s2-clip", KEY, "Section 2, clipping and noise",
        "A clipped mean with noise suffers in more dimensions, and where the mean is farther from"
        " the origin.",
        links=(Link("against the dimension", "dp-means?look=means&maxis=d"),
               Link("against the centre", "dp-means?look=means&maxis=centre&mradius=30")),
        check=theory(means.clipping_suffers),
    ),
    Claim(
        "beyond-s2-origin", KEY, "Section 2, the means of features",
        "Class means lie near the origin, nearer than √d. Tried here: in units of the public set's"
        " mean and spread, in which CoinPress works here.",
        links=on_each("the classes' means, in the steps' first radius", *COINPRESS, 1, 1, **RHO),
        check=means.near_the_origin, needs=CIFAR100,
    ),
    Claim(
        "beyond-eq1", KEY, "Equation 1",
        "Without privacy a prototype is the mean of its class's features.",
        links=charts("class means beside the private ones, IR 1", 1, 1, METHODS),
    ),
    Claim(
        "beyond-s4.1", KEY, "Section 4.1, privacy analysis",
        "Three steps cost ρ, and classes compose in parallel. Tried here: one record replaced"
        " within its class, with public class sizes.",
        links=(STEPS,), check=theory(means.steps_cost_rho),
    ),
    Claim(
        "beyond-split", KEY, "Section 4.1, budget of the steps",
        "Of three steps of CoinPress (5, 7, 52)/64 of ρ is slightly better than its authors'"
        " (1, 1, 6)/8.",
        links=(STEPS,), check=theory(means.split_wins),
    ),
    Claim(
        "beyond-pool", KEY, "Section 4.1, k_pool",
        "Averaging neighbouring coordinates first helps DPPL-Mean where the budget is strict."
        " Tried here: pools of 2, 5, 16 and 32.",
        links=on_each("pools, 5 among them, IR 10", "dp-means",
                      f"{FORM}&dppl-mean.k_pool=5&look=pool", 10, 0.3),
        check=curves.first_version(told.pooling_helps),
    ),
    Claim(
        "beyond-f7", KEY, "Figure 7",
        "DPPL-Mean is worse with a projection trained on a share of the budget.",
        links=SPLIT, check=choices.projection_is_worse, needs=CIFAR100,
    ),
    Claim(
        "beyond-f19", KEY, "Figure 19",
        "Of all settings of the projection that were searched none reaches DPPL-Mean without it.",
        links=(*DRAWN, *SEARCH), check=choices.none_reaches_plain, needs=CIFAR100,
        why_not="The search draws runs with the projection alone; DPPL-Mean stands beside it in"
        " the views of the best settings drawn.",
    ),
    Claim(
        "beyond-c5.2", KEY, "Appendix C.5.2",
        "With a projection DPPL-Mean is strictly better the more dimensions are kept.",
        links=WIDTHS, check=choices.wider_is_better, needs=CIFAR100,
    ),
    Claim(
        "beyond-c5.1", KEY, "Appendix C.5.1, Equations 8 to 12",
        "The projection is trained by splitting a batch into support and query, whose prototypes"
        " are the support's means, and a share s of ρ goes to it.",
        links=SPLIT,
        why_not="Here the support is released once, as noisy sums: what the paper clips, where a"
        " query's loss depends on the support, it does not say.",
    ),
    Claim(
        "beyond-c5.3", KEY, "Appendix C.5.3",
        "DPPL-Public is worse with a projection trained on private data. Tried here: one trained on"
        " public data.",
        links=charts("with and without, IR 10", 10, 10,
                     "m=dppl-public,dppl-public-projected,class-mean"),
        check=curves.projection_is_worse, needs=CIFAR100,
    ),
    Claim(
        "beyond-f8c", KEY, "Figure 8c",
        "DPPL-Public works with another public set than the encoder's own as well.",
        links=sets("all", 1, "zcdp"),
        needs=f"CC3M, {CIFAR100}",
    ),
    Claim(
        "beyond-f8d", KEY, "Figure 8d", "The more public pictures, the better DPPL-Public is.",
        links=SIZES,
        check=choices.more_pictures_help, needs=CIFAR100,
    ),
    Claim(
        "beyond-f11", KEY, "Figure 11",
        "The same on four data sets, with subsets of several sizes as curves.",
        links=SIZES, check=choices.more_pictures_help, needs=f"four data sets, {NEEDS}",
    ),
    Claim(
        "beyond-c1", KEY, "Appendix C.1, saturation",
        "On some data sets the accuracy nears a maximum: the last doubling of the public set gains"
        " little.",
        links=sizes("sizes of the public set, half of it not among them, IR 10", 10),
        check=choices.pictures_saturate, needs=f"four data sets, {NEEDS}",
    ),
    Claim(
        "beyond-c1-ir", KEY, "Appendix C.1, imbalance",
        "The imbalance ratio does not change how many public pictures it takes.",
        links=(*sizes("sizes at IR 10", 10), *sizes("sizes at IR 50", 50)),
        check=choices.ratio_does_not_matter, needs=f"four data sets, {NEEDS}",
    ),
    Claim(
        "beyond-f12", KEY, "Figure 12",
        "With CoinPress on CIFAR-10 most test records are right at ρ = 10⁻³ and most are wrong at"
        " 10⁻⁴, where the means lie anywhere.",
        links=tuple(
            Link(f"{NAMES[data]} at ρ = {float(rho):.3g}, as much noise as {printed} on 5,000"
                 " records", f"dp-means?{settings(data, 1, rho, 'zcdp', seeds=8)}&{FORM}")
            for data, printed, rho in (
                ("mnist5k", "10⁻³", "0.015625"), ("mnist5k", "10⁻⁴", "0.0015625"),
                ("clothes", "10⁻³", "3.90625"), ("clothes", "10⁻⁴", "0.390625"),
            )
        ),
        check=means.means_break_down, needs=f"CIFAR-10, {NEEDS}",
    ),
    Claim(
        "beyond-f13", KEY, "Figure 13 and Appendix C.2",
        "At small ρ CoinPress's radius grows with each step instead of shrinking, and its"
        " estimates with it.",
        links=on_each("CoinPress step by step", *COINPRESS, 1, 0.001, **RHO),
        check=means.radius_diverges, needs=f"CIFAR-10, {NEEDS}",
    ),
    Claim(
        "beyond-a1", KEY, "Algorithm 1",
        "A picture is drawn by e^(ε·score/(d_max − d_min)), its score being the sum of the clipped"
        " 1 + cos over the class, without the −d_min of Equation 14.",
        links=SLIPS, check=theory(selection.least_cancels),
    ),
    Claim(
        "beyond-eq2", KEY, "Equation 2",
        "Without privacy the picture nearest to the class on average is chosen.",
        links=looks("scores"),
    ),
    Claim(
        "beyond-eq3", KEY, "Equations 3 and 13, and the remark after them",
        "The utility is the sum of 1 + cos; their mean with its sensitivity gives the same"
        " mechanism.",
        links=looks("scores"), check=theory(selection.sum_or_mean),
    ),
    Claim(
        "beyond-l4", KEY, "Equation 5 and Lemma 4",
        "The utility of a set, its worst member's less that of the K-th best, has the sensitivity"
        " of one picture's.",
        links=SLIPS, check=theory(selection.sets_move_alike),
    ),
    Claim(
        "beyond-l4-double", KEY, "The remark after Lemma 4",
        "Sampling by the utility of a set costs at most twice, as it is not monotone. The doubled"
        " cost is safe, but twice what is needed.",
        links=SLIPS, check=theory(selection.sets_cost),
    ),
    Claim(
        "beyond-eq6", KEY, "Equation 6",
        "C(y, K) sets have their worst member at rank y.",
        links=SLIPS, check=theory(selection.sets_are_miscounted),
    ),
    Claim(
        "beyond-eq7", KEY, "Equation 7",
        "With several prototypes a class, the least mean distance decides.",
        links=several_prototypes(SEVERAL)[2:], check=theory(selection.mean_distance),
    ),
    Claim(
        "beyond-f18", KEY, "Figure 18 and Appendix C.4.1",
        "The larger the budget, the larger the best K.",
        links=best_k(), check=choices.best_k_grows, needs=CIFAR100,
    ),
    Claim(
        "beyond-f18-ten", KEY, "Figure 18, large budgets",
        "Above ρ = 100 the best K of 1, 2, 3, 5, 10 and 20 is 10.",
        links=best_k(), check=choices.best_k_is_ten, needs=CIFAR100,
    ),
    Claim(
        "beyond-f18-par", KEY, "Appendix C.4.1, K of 5, 10 and 20",
        "At ρ = 128 these three are almost on par (76.7, 77.1 and 77.2 %, from the paper).",
        links=best_k(), check=choices.large_ks_on_par, needs=CIFAR100,
    ),
    Claim(
        "beyond-l5", KEY, "Equation 14 and Lemma 5",
        "The clipped likeness summed over a class has sensitivity d_max − d_min and only grows"
        " when a record is added.",
        links=looks("scores", "window"), check=theory(selection.likeness_is_bounded),
    ),
    Claim(
        "beyond-th2", KEY, "Theorem 2", "DPPL-Public is ε-DP.",
        links=looks("scores"), check=theory(selection.public_is_pure),
    ),
)  # fmt: skip
"""Private means, their proofs, K, public sets and the projection."""

CLAIMS: tuple[Claim, ...] = CURVES + MEANS
