"""Mixed Differential Privacy in Computer Vision (CVPR 2022), as printed.

A printed upper bound that is never exceeded holds, however loose, and its verdict tells by what
factor; what is printed as exact or tight does not hold where it is loose.
"""

from __future__ import annotations

from typing import Any

from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.methods import adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.papers.checks import mixed_curves as curves
from dpviz.papers.checks import mixed_records as records
from dpviz.papers.checks import mixed_runs as runs
from dpviz.papers.checks import mixed_theory as exact
from dpviz.papers.model import ENCODERS, Claim, Link, theory
from dpviz.papers.prototype_links import equal_class_size

KEY = "mixed"
PAGE = "mixed-privacy?delta=0.00001&score=balanced&ir=1"
NEEDS = (
    "Oxford Flowers, CUB-200, Stanford Dogs, MIT-67, Oxford Pets, Caltech-256 and the weights of"
    " ResNet-50"
)
MIT = "MIT-67 and the weights of ResNet-50"


NAMES = {"mnist5k": "digits", "clothes": "clothes"}


def page(
    label: str,
    more: str = "eps=3",
    dataset: str = "mnist5k",
    public: str = HELD_ASIDE,
    shots: int = runs.SHOTS,
) -> Link:
    """The page Mixed privacy at the settings of the checks."""
    facts = f"data={dataset}&enc={ENCODERS[dataset]}&pub={public}&shots={shots}"
    return Link(label, f"{PAGE}&{facts}&{more}")


def on_both_sets(label: str, more: str, shots: int = runs.SHOTS) -> tuple[Link, ...]:
    """The same on both shipped data sets."""
    return tuple(page(f"{label}, {name}", more, key, shots=shots) for key, name in NAMES.items())


def elsewhere(label: str, more: str) -> tuple[Link, ...]:
    """The same with public pictures from elsewhere."""
    return tuple(
        page(f"{label}, {name}", more, key, curves.OTHER_PUBLIC[key]) for key, name in NAMES.items()
    )


def settings(
    label: str, eps: float, where: str = "trade-off?m=adamix&score=balanced", **params: Any
) -> tuple[Link, ...]:
    """AdaMix with settings that the page has not, by its first draw of shots, on both data sets."""
    more = "".join(f"&adamix.{key}={value}" for key, value in params.items())
    facts = f"pub={HELD_ASIDE}&ir=1&delta=0.00001&eps={eps:g}{more}"
    return tuple(
        Link(
            f"{label}, one draw of shots, {name}",
            f"{where}&data={key}&enc={ENCODERS[key]}&{facts}",
        )
        for key, name in NAMES.items()
    )


ALL = "pre=AdaMix,no-init,no-clip-adapt,no-projection,NGD,Fully-Private,PPGD"
RIVALS = ["Only-Public", "Fully-Private", "PPGD", "NGD", *curves.PARTS]
ZEROS, SHOTS_START = {"init": "none"}, {"init": "few-shot"}
PROTOTYPES = {"init": "label-prototypes", "beta": adamix.BETA.default}
STARTS = on_both_sets("start", "eps=3&mix=curves&curves=start&adamix.beta=100")
NGD = dict(PRESETS["NGD"].params) | {"shots": runs.SHOTS}
PRIVATE = dict(PRESETS["Fully-Private"].params) | {"shots": runs.SHOTS}
WHO = "who-pays?a=adamix&b=noisy-gd&scale=eps&seed=0"
LOSSES = (
    *settings("losses with AdaMix", 3, where=WHO, shots=runs.SHOTS),
    *settings("losses with Fully-Private", 3, where=WHO, **PRIVATE),
)
PROBES = "trade-off?m=noisy-gd,noisy-sgd&ir=1&eps=1&delta=0.00001&score=balanced"
"""At the learning rates that the check chose there."""
ATTACK = on_both_sets("who is found out, against the test set", "eps=3&mix=attacked&design=test")
BOUNDS = on_both_sets(
    "what the theorems allow, AdaMix's threshold, σ 2.5 to 40", "eps=3&mix=bounds"
)


NO_SHIFT = (
    "No bundled data set fits: the paper's DomainNet has many classes in several domains. On digits"
    " AdaMix errs less than the shifted public images alone, and more than private training"
    " (docs/measured/mixed-privacy.md)."
)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "mixed-abstract",
        KEY,
        "Abstract",
        "AdaMix raises the error above the non-private limit by less than private training alone."
        " From the paper, on its six sets: by 68–92 % on average instead of 167–311 %. On Omniglot"
        " Fully-Private trains on all 15 images per class.",
        links=on_both_sets("AdaMix beside Fully-Private", "eps=3&pre=AdaMix,Fully-Private"),
        check=curves.lower_increase,
        needs=NEEDS,
    ),
    Claim(
        "mixed-full-batch",
        KEY,
        "Section 1, NoisyGD",
        "For a use case of few images and many classes, noisy descent on all records is more"
        " private than on samples of them (DP-SGD), that is, errs less at the same ε. That it is"
        " also faster is not tried.",
        links=(
            Link(
                "both at ε 1, digits",
                f"{PROBES}&data=mnist5k&enc={ENCODERS['mnist5k']}&noisy-gd.lr=20&noisy-sgd.lr=60",
            ),
            Link(
                "both at ε 1, clothes",
                f"{PROBES}&data=clothes&enc={ENCODERS['clothes']}&noisy-gd.lr=6&noisy-sgd.lr=20"
                f"&records={equal_class_size('clothes', 1)}",
            ),
        ),
        check=curves.full_beats_sampled,
    ),
    Claim(
        "mixed-tight",
        KEY,
        "Section 1, NoisyGD, a tight analysis",
        "The (ε, δ) guarantee of T steps by the analytical Gaussian mechanism is tight: no smaller"
        " δ(ε) holds.",
        links=(page("steps follow from the budget", "eps=3"),),
        check=theory(exact.tight),
    ),
    Claim(
        "mixed-d1",
        KEY,
        "Definition 1",
        "(ε, δ)-differential privacy, neighbours adding or removing one record.",
        links=(page("the card of a run says it", "eps=1"),),
    ),
    Claim(
        "mixed-a1",
        KEY,
        "Algorithm 1",
        "Noisy gradient descent on summed, clipped gradients, with a decay towards a reference head"
        " and a projection to a constraint set.",
        links=(
            page("NGD", "eps=3&pre=NGD"),
            page("with the steps of Theorem 3", "eps=3&mix=curves&curves=step"),
        ),
    ),
    Claim(
        "mixed-p2",
        KEY,
        "Proposition 2",
        "T steps of Algorithm 1 with noise σ keep the guarantee of a Gaussian mechanism of ρ ="
        " T/(2σ²). The proposition prints T², a misprint.",
        links=(page("steps follow from the budget", "eps=3"),),
        check=theory(exact.printed_rho),
    ),
    Claim(
        "mixed-rho",
        KEY,
        "Section 3.1, below Proposition 2",
        "Asymptotically ρ is of the order of min(ε, ε²/log(1/δ)).",
        links=(page("the budget and its ρ on the card", "eps=3"),),
        check=theory(exact.rho_of_epsilon),
    ),
    Claim(
        "mixed-t3",
        KEY,
        "Theorem 3",
        "With step 2/(λ(t + 1)), λ = √(ρ/(2DdL²)) and averaged heads, the excess empirical risk is"
        " at most 4(Nτ + λB)²/(λTN) + √d τD/(√(2ρ)N), D the distance from the start. In our text N"
        " stands under the root, √(2ρN); Theorem 4 has √(2ρ) N, so both are tried.",
        links=(
            page("its step size beside a constant one", "eps=3&mix=curves&curves=step"),
            *BOUNDS,
        ),
        check=theory(exact.third_theorem),
    ),
    Claim(
        "mixed-t3-data",
        KEY,
        "Theorem 3, with the constants that follow, on data",
        "The bound with λ = τ√(2d/ρ)/D and twice the second part lies above the excess error of"
        " runs. It says something where it is below the excess error of a head of zeros. The bound"
        " needs many steps: σ is 140 where that makes the bound say something, else 20.",
        links=BOUNDS,
        check=exact.bound_on_data,
    ),
    Claim(
        "mixed-t3-centre",
        KEY,
        "Section 3.2, initialization and regularization",
        "Where the decay draws to the public head instead of zero, private training errs less. Here"
        " at λ = 1, since at the paper's 0.01 the decay hardly acts.",
        links=(
            *settings(
                "decay towards the public head, ε 1", 1, **NGD, weight_decay=1, centre="init"
            ),
            *settings("decay towards zero, ε 1", 1, **NGD, weight_decay=1, centre="zero"),
        ),
        check=runs.setting_helps(
            {"centre": "init", "weight_decay": 1.0}, {"weight_decay": 1.0}, "NGD"
        ),
    ),
    Claim(
        "mixed-t4",
        KEY,
        "Theorem 4",
        "After one pass over N_pub public records and many private steps, privacy adds at most"
        " 4√d L²/(c √N_pub N √(2ρ)) to the excess risk.",
        links=BOUNDS,
        check=theory(exact.fourth_theorem),
    ),
    Claim(
        "mixed-vanishing",
        KEY,
        "Section 3.2, below Theorem 4",
        "The cost of privacy vanishes even where the share of public data does.",
        why_not="The paper proves it in an appendix that is not printed with it; Theorem 4's bound"
        " falls with √N_pub N, which says the same.",
    ),
    Claim(
        "mixed-threshold",
        KEY,
        "Section 3.2, adaptive threshold",
        "The 90th percentile of public gradient norms is a better threshold than the norm of the"
        " average public gradient, each at its best learning rate.",
        links=(
            *settings("the 90th percentile at ε 3", 3, clip_mode="adaptive"),
            *settings("the average gradient at ε 3", 3, clip_mode="mean-gradient"),
        ),
        check=runs.setting_helps(
            {"clip_mode": "adaptive"}, {"clip_mode": "mean-gradient"}, rated=True
        ),
    ),
    Claim(
        "mixed-subspace",
        KEY,
        "Section 3.2, adaptive subspace projection",
        "Directions come from the singular vectors of the total public gradient, which is cheaper"
        " than those of single records' gradients.",
        links=(page("what the projection keeps, step by step", "eps=3&mix=steps"),),
    ),
    Claim(
        "mixed-p5",
        KEY,
        "Proposition 5",
        "T steps of Algorithm 2 with noise σ keep the guarantee of a Gaussian mechanism of ρ, ρ as"
        " in Proposition 2 without its misprint.",
        links=(page("steps follow from the budget", "eps=3"),),
        check=theory(exact.composed_rho),
    ),
    Claim(
        "mixed-ratio",
        KEY,
        "Section 3.2, below Proposition 5",
        "The guarantee is the same as long as σ/√T is.",
        links=(page("noise σ", "eps=3&mix=curves&curves=noise"),),
        check=theory(exact.same_ratio),
    ),
    Claim(
        "mixed-a2",
        KEY,
        "Algorithm 2",
        "AdaMix: start, threshold and directions from public records, private gradients clipped,"
        " projected and noised.",
        links=(page("one run, step by step", "eps=3&mix=steps"),),
    ),
    Claim(
        "mixed-tab1-public",
        KEY,
        "Table 1, Only-Public against Fully-Private",
        "A few public pictures alone beat private training on all data, always, as the text says."
        " In its own table they do on six of six sets at ε 1 and on three of six at ε 3. On"
        " Omniglot Fully-Private trains on all 15 images per class, and a larger public share than"
        " the paper's favors the public ones.",
        links=on_both_sets("all presets", f"eps=1&{ALL}"),
        check=runs.at_budgets("Only-Public", ["Fully-Private"]),
        needs=NEEDS,
    ),
    Claim(
        "mixed-tab1-adamix",
        KEY,
        "Table 1, AdaMix",
        "AdaMix errs less than Only-Public, Fully-Private and PPGD at ε 1 and 3.",
        links=on_both_sets("all presets", f"eps=3&{ALL}"),
        why_not="On `omniglot-60` the three public images of a class never vary, and 180"
        " test images leave wide intervals, so that the lead over Only-Public"
        " is not significant. With varying public images it is, and also with 1 per class, a share"
        " as in the paper (docs/omniglot.md).",
        check=runs.at_budgets("AdaMix", ["Only-Public", "Fully-Private", "PPGD"]),
        needs=NEEDS,
    ),
    Claim(
        "mixed-tab1-ppgd",
        KEY,
        "Table 1, PPGD",
        "PPGD does not significantly improve on Only-Public: by less than 3 points, and a"
        " quarter, of error here (in the table by at most 4, which the text calls not"
        " significant). Here PPGD is our reading of Wang & Zhou 2020, whose own text could not be"
        " had.",
        links=on_both_sets("PPGD", "eps=3&pre=AdaMix,PPGD"),
        check=curves.NO_BETTER_THAN_PUBLIC,
        needs=NEEDS,
    ),
    Claim(
        "mixed-f1-left",
        KEY,
        "Figure 1, left",
        "AdaMix errs less than Only-Public, Fully-Private, PPGD, NGD and each of its ablations at"
        " every ε: here at 0.3, 1 and 3, since the figure's own axis is not in the text that we"
        " have.",
        links=on_both_sets("error against ε", f"eps=3&{ALL}"),
        check=runs.at_budgets("AdaMix", RIVALS, (0.3, *runs.BUDGETS)),
        needs=MIT,
    ),
    Claim(
        "mixed-f1-ends",
        KEY,
        "Figure 1, left, its two horizontal lines",
        "As ε grows AdaMix goes from the error of Only-Public to that of the non-private paragon."
        " The caption gives no ε for either end.",
        links=on_both_sets("error against ε", "eps=100&pre=AdaMix"),
        check=curves.ENDS,
        needs=MIT,
    ),
    Claim(
        "mixed-f1-centre",
        KEY,
        "Figure 1, centre",
        "At ε about 1 both AdaMix and NGD improve on Only-Public.",
        links=on_both_sets("error against ε", "eps=1&pre=AdaMix,NGD"),
        check=curves.IMPROVE_ON_PUBLIC,
        needs=MIT,
    ),
    Claim(
        "mixed-f1-right",
        KEY,
        "Figure 1, right, membership attacks",
        "The order does not change: of two private presets that which errs less has the smaller"
        " area under an attack's curve.",
        links=ATTACK,
        check=records.same_order,
        needs=MIT,
    ),
    Claim(
        "mixed-f1-trade",
        KEY,
        "Figure 1, right, trade-off",
        "AdaMix has the best trade-off between error and attack.",
        links=ATTACK,
        check=records.best_trade_off,
        needs=MIT,
    ),
    Claim(
        "mixed-ablation",
        KEY,
        "Section 4.1, ablation study",
        "The public start matters most, then the adaptive threshold, then the projection.",
        links=on_both_sets("which part helps", "eps=3&mix=parts"),
        check=curves.parts_in_order,
        needs=MIT,
    ),
    Claim(
        "mixed-f2-left",
        KEY,
        "Figure 2, left",
        "Private training needs as much as 10 times more pictures: somewhere N public ones a class"
        " err less than 10 N private ones. Here N = 2, 5 and 10 at ε 1 and 3, on Omniglot N = 1.",
        links=on_both_sets("N public or N private", "eps=3&mix=records"),
        check=curves.public_is_worth_more,
        needs=MIT,
    ),
    Claim(
        "mixed-f2-right",
        KEY,
        "Figure 2, right, performance boost",
        "The Performance Boost, (public − paragon)/(private − paragon) of errors, falls as there"
        " are more public pictures: here from 1 to 10 a class, on Omniglot 5.",
        links=on_both_sets("more public shots", "eps=3&mix=boost"),
        check=curves.boost_falls,
        needs=MIT,
    ),
    Claim(
        "mixed-f2-best",
        KEY,
        "Figure 2, right, AdaMix among methods",
        "AdaMix has a larger Performance Boost, hence a smaller error, than NGD, PPGD and"
        " Fully-Private: here with 1 and 10 public shots a class, on Omniglot 1 and 5.",
        links=on_both_sets(
            "more public shots", "eps=3&mix=boost&pre=AdaMix,NGD,Fully-Private,PPGD"
        ),
        check=curves.best_boost,
        needs=MIT,
    ),
    Claim(
        "mixed-f2-gone",
        KEY,
        "Figure 2, right, and the text on it",
        "The boost is gone where there are as many public as private pictures: here with 20 of each"
        " a class AdaMix takes less than 3 points, and a quarter, off the public ones' error.",
        links=on_both_sets("20 public, 20 private or both", "eps=3&mix=records&pre=AdaMix", 20),
        check=curves.boost_is_gone,
        needs=MIT,
    ),
    Claim(
        "mixed-f3-pdp",
        KEY,
        "Figure 3, left and centre",
        "With AdaMix the privacy losses of most records lie closer to ε than with Fully-Private,"
        " and are more alike: here the median distance from ε, and the span of the middle half. The"
        " claim needs both.",
        links=LOSSES,
        check=records.losses_are_nearer,
        needs=MIT,
    ),
    Claim(
        "mixed-tails",
        KEY,
        "Abstract, and Section 4.1 on single samples",
        "The records that are most sensitive are isolated ones in the long tail, which accuracy"
        " needs most; public pictures lessen what their privacy costs.",
        links=LOSSES[:1],
        why_not="The paper cites it, its own figure shows losses alone; what accuracy would be"
        " without such records is not tried.",
    ),
    Claim(
        "mixed-f3-right",
        KEY,
        "Figure 3, right, domain shift",
        "Where public pictures come from another domain AdaMix errs less than they do alone, and"
        " than private training without them. Here: digits of another collection, and clothes sent"
        " in by other people, which is a slighter shift.",
        links=elsewhere(
            "shots from elsewhere; Fully-Private learns from them too",
            "eps=3&pre=AdaMix,Fully-Private",
        ),
        why_not=NO_SHIFT,
        check=curves.elsewhere,
        needs="DomainNet and the weights of ResNet-50",
    ),
    Claim(
        "mixed-f3-limit",
        KEY,
        "Figure 3, right, at large ε",
        "There AdaMix approaches the non-private limit for large ε. The caption gives no ε.",
        links=elsewhere("shots from elsewhere", "eps=100&pre=AdaMix"),
        why_not=NO_SHIFT,
        check=curves.near_the_limit,
        needs="DomainNet and the weights of ResNet-50",
    ),
    Claim(
        "mixed-f4-names",
        KEY,
        "Figure 4, left, language against zero",
        "Starting from class names errs less than starting from zero.",
        links=STARTS,
        check=curves.by_names("none", names_first=True),
        needs="MIT-67 and the weights of CLIP, whose text tower reads the names",
    ),
    Claim(
        "mixed-f4-above-names",
        KEY,
        "Figure 4, left, public pictures against language",
        "Starting from a head trained on public shots errs less than starting from class names.",
        links=STARTS,
        check=curves.by_names("few-shot", names_first=False),
        needs="MIT-67 and the weights of CLIP, whose text tower reads the names",
    ),
    Claim(
        "mixed-f4-prototypes",
        KEY,
        "Section 3.3, a head of class encodings, with pictures in place of names",
        "Starting from a scaled encoding of each class errs less than starting from zero. Here the"
        " encoding is the mean of its public shots, at the paper's β = 100.",
        links=STARTS,
        check=runs.setting_helps(PROTOTYPES, ZEROS),
    ),
    Claim(
        "mixed-f4-above-prototypes",
        KEY,
        "Section 3.3, the same, and Figure 4, left",
        "Starting from a head trained on public shots errs less than starting from their means.",
        links=STARTS,
        check=runs.setting_helps(SHOTS_START, PROTOTYPES),
    ),
    Claim(
        "mixed-f4-shots",
        KEY,
        "Figure 4, left, public pictures against zero",
        "Starting from a head trained on public shots errs less than starting from zero.",
        links=STARTS,
        check=runs.setting_helps(SHOTS_START, ZEROS),
        needs="MIT-67 and the weights of CLIP",
    ),
    Claim(
        "mixed-f4-right",
        KEY,
        "Figure 4, right",
        "A stronger encoder errs less at a given budget: CLIP instead of ResNet-50. Here two that"
        " were both trained, on drawn characters and on ImageNet; the stronger is that which errs"
        " less without privacy.",
        links=(
            page("encoders, digits", "eps=3&mix=curves&curves=encoder&encs=glyphnet,lite0"),
            page(
                "encoders, clothes",
                "eps=3&mix=curves&curves=encoder&encs=lite0-128,glyphnet",
                "clothes",
            ),
        ),
        check=curves.better_encoder,
        needs="MIT-67 and the weights of CLIP and ResNet-50",
    ),
    Claim(
        "mixed-sigma",
        KEY,
        "Section 4.1, effect of σ, and the text below Proposition 5",
        "With few images and many classes, a larger σ, hence more steps, errs less at the same"
        " budget. Here σ = 5, 10, 20 and 40 at"
        " ε 1, to 20 at ε 3, each beside its double at its best learning rate.",
        links=on_both_sets(
            "noise σ, all at learning rate × 1", "eps=3&mix=curves&curves=noise&lrx=1"
        ),
        check=curves.LARGER_NOISE,
    ),
    Claim(
        "mixed-practice",
        KEY,
        "Section 5, limitations",
        "The theorem's settings may not be practical: its steps and average, with a distance D of"
        " 3, 10 or 30, err more than a constant step at its best learning rate, all else alike.",
        links=on_both_sets(
            "step size, the constant one as NGD has it", "eps=3&mix=curves&curves=step&lrx=1"
        ),
        check=curves.CONSTANT_STEPS_WIN,
    ),
)
