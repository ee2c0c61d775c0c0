"""Mixed Differential Privacy in Computer Vision (CVPR 2022), as printed."""

from __future__ import annotations

from dpviz.papers.checks import mixed_curves as curves
from dpviz.papers.checks import mixed_theory as exact
from dpviz.papers.model import Claim, Link, theory

KEY = "mixed"
PAGE = "mixed-privacy?ir=1&pub=held-aside&shots=2"
NEEDS = (
    "Oxford Flowers, CUB-200, Stanford Dogs, MIT-67, Oxford Pets, Caltech-256 and the weights of"
    " ResNet-50"
)
MIT = "MIT-67 and the weights of ResNet-50"


def page(label: str, more: str = "eps=3", dataset: str = "mnist5k") -> Link:
    """The page Mixed privacy with its public shots held aside."""
    return Link(label, f"{PAGE}&data={dataset}&{more}")


def both(label: str, more: str) -> tuple[Link, ...]:
    """The same on both shipped data sets."""
    names = {"mnist5k": "digits", "clothes": "clothes"}
    return tuple(page(f"{label}, {name}", more, key) for key, name in names.items())


ALL = "pre=AdaMix,no-init,no-clip-adapt,no-projection,NGD,Fully-Private,PPGD"
ZEROS, SHOTS_START = {"init": "none"}, {"init": "few-shot"}
NAMES_START = {"init": "label-prototypes", "beta": 10.0}

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "mixed-abstract",
        KEY,
        "Abstract",
        "AdaMix raises the error above the non-private limit by less than private training alone:"
        " on average 68–92 % instead of 167–311 % (from the paper).",
        links=both("AdaMix beside Fully-Private", "eps=3&pre=AdaMix,Fully-Private"),
        check=curves.at_budgets("AdaMix", ["Fully-Private"]),
        needs=NEEDS,
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
        "T steps of Algorithm 1 with noise σ are a Gaussian mechanism of ρ = T²/(2σ²).",
        links=(page("steps follow from the budget", "eps=3"),),
        check=theory(exact.printed_rho),
    ),
    Claim(
        "mixed-t3",
        KEY,
        "Theorem 3",
        "With step 2/(λ(t + 1)), λ = √(ρ/(2DdL²)) and averaged heads, the excess empirical risk is"
        " at most 4(Nτ + λB)²/(λTN) + √d τD/(√(2ρ)N), where D is the distance from the start (the"
        " scan's √(2ρN) is read as √(2ρ)N, as Theorem 4 has it).",
        links=(page("its step size beside a constant one", "eps=3&mix=curves&curves=step"),),
        check=theory(exact.third_theorem),
    ),
    Claim(
        "mixed-t3-data",
        KEY,
        "Theorem 3, with the constants that follow, on data",
        "The bound with λ = τ√(2d/ρ)/D and twice the second part lies above the excess error of a"
        " run.",
        links=both("its step size beside a constant one", "eps=3&mix=curves&curves=step"),
        check=exact.bound_on_data,
    ),
    Claim(
        "mixed-t3-centre",
        KEY,
        "Section 3.2, initialization and regularization",
        "Where the decay draws to the public head instead of zero, private training errs less.",
        links=both("start from zeros or shots", "eps=1&mix=curves&curves=start"),
        check=curves.changed({"centre": "init", "weight_decay": 1.0}, {"weight_decay": 1.0}, "NGD"),
    ),
    Claim(
        "mixed-t4",
        KEY,
        "Theorem 4",
        "After one pass over N_pub public records and many private steps, privacy adds at most"
        " 4√d L²/(c √N_pub N √(2ρ)) to the excess risk.",
        links=(page("more public shots", "eps=1&mix=boost"),),
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
        " average public gradient.",
        links=both("all thresholds", "eps=1&mix=parts"),
        check=curves.changed({"clip_mode": "adaptive"}, {"clip_mode": "mean-gradient"}),
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
        "T steps of Algorithm 2 with noise σ are a Gaussian mechanism of ρ = T²/(2σ²).",
        links=(page("steps follow from the budget", "eps=3"),),
        check=theory(exact.printed_rho),
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
        "A few public pictures alone beat private training on all data: always, says the text; in"
        " the table on six of six sets at ε 1 and on three of six at ε 3.",
        links=both("all presets", f"eps=1&{ALL}"),
        check=curves.at_budgets("Only-Public", ["Fully-Private"]),
        needs=NEEDS,
    ),
    Claim(
        "mixed-tab1-adamix",
        KEY,
        "Table 1, AdaMix",
        "AdaMix errs less than Only-Public, Fully-Private and PPGD at ε 1 and 3.",
        links=both("all presets", f"eps=3&{ALL}"),
        check=curves.at_budgets("AdaMix", ["Only-Public", "Fully-Private", "PPGD"]),
        needs=NEEDS,
    ),
    Claim(
        "mixed-tab1-ppgd",
        KEY,
        "Table 1, PPGD",
        "PPGD does not significantly improve on Only-Public. Here PPGD is our reading of Wang &"
        " Zhou 2020, whose own text could not be had.",
        links=both("PPGD", "eps=3&pre=AdaMix,PPGD"),
        check=curves.no_better_than_public,
        needs=NEEDS,
    ),
    Claim(
        "mixed-f1-left",
        KEY,
        "Figure 1, left",
        "AdaMix errs less than NGD and each of its ablations at every ε.",
        links=both("error against ε", f"eps=3&{ALL}"),
        check=curves.at_budgets("AdaMix", ["NGD", *curves.ORDER]),
        needs=MIT,
    ),
    Claim(
        "mixed-f1-centre",
        KEY,
        "Figure 1, centre",
        "At ε about 1 both AdaMix and NGD improve on Only-Public.",
        links=both("error against ε", "eps=1&pre=AdaMix,NGD"),
        check=curves.less(
            [(curves.Run(name, 1.0), curves.Run("Only-Public")) for name in ("AdaMix", "NGD")]
        ),
        needs=MIT,
    ),
    Claim(
        "mixed-f1-right",
        KEY,
        "Figure 1, right, membership attacks",
        "By the area under an attack's curve methods stand in the order of their errors, and AdaMix"
        " has the best trade-off between both.",
        links=(
            Link(
                "an attack on AdaMix, against the test set",
                "attackers-view?attacked=adamix,noisy-gd,ppgd&pub=held-aside&ir=1&design=test&auc=true&eps=3",
            ),
        ),
        check=curves.hides_members_best,
        needs=MIT,
    ),
    Claim(
        "mixed-ablation",
        KEY,
        "Section 4.1, ablation study",
        "The public start matters most, then the adaptive threshold, then the projection.",
        links=both("which part helps", "eps=3&mix=parts"),
        check=curves.parts_in_order,
        needs=MIT,
    ),
    Claim(
        "mixed-f2-left",
        KEY,
        "Figure 2, left",
        "N public pictures a class are worth as many as 10 N private ones.",
        links=both("N public or N private", "eps=3&mix=records"),
        check=curves.public_is_worth_more,
        needs=MIT,
    ),
    Claim(
        "mixed-f2-right",
        KEY,
        "Figure 2, right, performance boost",
        "What private records add to public ones falls as there are more public ones.",
        links=both("more public shots", "eps=3&mix=boost"),
        check=curves.boost_falls,
        needs=MIT,
    ),
    Claim(
        "mixed-f3-pdp",
        KEY,
        "Figure 3, left and centre",
        "With AdaMix most records' own privacy loss is near the promise; with Fully-Private it is"
        " not.",
        links=(Link("losses of records, sorted", "who-pays?a=adamix&b=noisy-gd&eps=3"),),
        check=curves.losses_are_nearer,
        needs=MIT,
    ),
    Claim(
        "mixed-f3-right",
        KEY,
        "Figure 3, right, domain shift",
        "Where public pictures come from another domain AdaMix errs less than they do alone.",
        links=both("public pictures from elsewhere", "eps=3&mix=curves&curves=public"),
        check=curves.elsewhere,
        needs="DomainNet and the weights of ResNet-50",
    ),
    Claim(
        "mixed-f4-names",
        KEY,
        "Figure 4, left, language against zero",
        "Starting from class names errs less than starting from zero. Here label prototypes, each"
        " class's mean public shot, stand in where no encoder reads names.",
        links=both("start", "eps=3&mix=curves&curves=start"),
        check=curves.changed(NAMES_START, ZEROS),
        needs="MIT-67 and the weights of CLIP, whose text tower reads the names",
    ),
    Claim(
        "mixed-f4-shots",
        KEY,
        "Figure 4, left, public pictures against zero",
        "Starting from a head trained on public shots errs less than starting from zero.",
        links=both("start", "eps=3&mix=curves&curves=start"),
        check=curves.changed(SHOTS_START, ZEROS),
        needs="MIT-67 and the weights of CLIP",
    ),
    Claim(
        "mixed-f4-right",
        KEY,
        "Figure 4, right",
        "A better encoder errs less at a given budget: CLIP instead of ResNet-50. Here the shipped"
        " encoder instead of one that has learned nothing.",
        links=both("encoders", "eps=3&mix=curves&curves=encoder"),
        check=curves.better_encoder,
        needs="MIT-67 and the weights of CLIP and ResNet-50",
    ),
    Claim(
        "mixed-sigma",
        KEY,
        "Section 4.1, effect of σ, and the text below Proposition 5",
        "A larger σ, hence more steps, errs less at the same budget.",
        links=both("noise σ", "eps=3&mix=curves&curves=noise"),
        check=curves.changed({"sigma": 20.0, "max_steps": 1000}, {"sigma": 5.0}),
    ),
    Claim(
        "mixed-practice",
        KEY,
        "Section 5, limitations",
        "The theorem's settings are not those that work best: its steps err more than a tuned"
        " constant one.",
        links=both("step size", "eps=3&mix=curves&curves=step"),
        check=curves.constant_steps_win,
    ),
)
