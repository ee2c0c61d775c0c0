"""Its definitions, and the theorems and remarks of section 3.1."""

from __future__ import annotations

from typing import Any

from dpviz.papers.checks import collapse_bounds as bounds
from dpviz.papers.checks import collapse_made as made
from dpviz.papers.checks import collapse_perturbed as perturbed
from dpviz.papers.checks import collapse_records as records
from dpviz.papers.checks import collapse_setup as setup
from dpviz.papers.model import Claim, Link
from dpviz.papers.model import theory as tried

PAGE = "neural-collapse?data=etf&etf.beta=0.1&look="
PERFECT = PAGE.replace("0.1", "0.0")
"""The same at features without a shift, of which the paper's robustness is about."""
FEW_RECORDS = PERFECT.replace(
    "look=",
    "etf.n=300&etf.dim=2048&eps=1&delta=0.0001&ir=1&score=balanced&n=4&noisy-gd.lr=0.6"
    "&move=stochastic&by=0.1&look=",
)
"""The same with so few records that an error shows at the paper's budget, test features moved."""
FRAME = Link("cosines of class means", f"{PERFECT}class&etf.dim=64")
CORNERS = Link("three classes around a frame's corners", "neural-collapse?look=corners")


def theorem(key: str, n: int = 50, p: int = 64, beta: str = "0.1", rho: float = 0.01) -> Link:
    """The look Theorems at a theorem and settings."""
    return Link(
        f"printed bound beside the {'drawn' if key == '3.4' else 'exact'} error",
        f"{PAGE}theorems&thm={key}&tn={n}&tp={p}&tb={beta}&axis=zcdp&eps={rho:g}",
    )


def needed(moved: str = "signs", along: str = "0.1", rho: float = 0.005) -> Link:
    """The look Records needed, as the checks have it for an error of 0.001."""
    return Link(
        "records needed, searched",
        f"{PAGE}needed&err=0.1&moved={moved}&along={along}&axis=zcdp&eps={rho:g}",
    )


def over_map(n: int, rho: float) -> Link:
    """The look Where dimension matters."""
    address = f"{PAGE}map&mn={n}&axis=zcdp&eps={rho:g}"
    return Link(f"error over p and β, exactly, n = {n}", address)


def one_step(rho: float) -> Link:
    """The look One step, on perfect features."""
    return Link("one step, exactly", f"{PERFECT}step&axis=zcdp&eps={rho:g}")


def row(key: str, place: str, says: str, *links: Link, **more: Any) -> Claim:
    """A row of this paper."""
    return Claim(f"collapse-{key}", "collapse", place, says, links, **more)


SETUP = (
    row(
        "f1",
        "Figure 1",
        "While a network trains, its features of three classes gather at three points on a sphere.",
        CORNERS,
        needs="VGG-13 and its weights after every few epochs of training on CIFAR-10",
    ),
    row(
        "d2.1",
        "Definition 2.1",
        "ρ-zCDP gives (ρ + 2√(ρ log 1/δ), δ)-DP.",
        why_not="The page converts by the exact curve, which is tighter.",
        check=tried(bounds.simple_conversion),
        textbook=True,
    ),
    row(
        "d2.2",
        "Definition 2.2",
        "Sample complexity: the least number of records with which some private rule comes within γ"
        " of the best one. A definition.",
        needed(),
    ),
    row(
        "e2.2",
        "Equation 2.2",
        "Columns of a perfect frame of K classes have length 1 and cosines −1/(K−1).",
        FRAME,
        check=tried(setup.frame_cosines),
    ),
    row(
        "d2.3",
        "Definition 2.3",
        "The feature shift β is the largest coordinate of what a feature lies off its class's"
        " corner. A definition.",
        Link("shift by class", "neural-collapse?look=class"),
    ),
    row(
        "s5.1-sign",
        "Section 5.1, cosines",
        "Neural collapse is there if cosines between class means are about 1/(K−1).",
        FRAME,
        check=tried(setup.cosine_sign),
        slip="A minus sign is missing. Equation 2.2 has −1/(K−1).",
    ),
)
GRADIENT_DESCENT = (
    row(
        "s3.1.1-g",
        "Section 3.1.1, sensitivity",
        "The gradient's sensitivity is √(1 + β²p).",
        theorem("3.2"),
        check=tried(bounds.sensitivity),
    ),
    row(
        "s3.1.1-shrunk",
        "Section 3.1.1, shrunk records",
        "With each record shrunk to (e₁ + v)/√(1 + |v|²) the sensitivity is free of dimension.",
        theorem("3.2"),
        check=tried(bounds.shrunk_sensitivity),
    ),
    row(
        "s3.1.1-shrunk-bounds",
        "Section 3.1.1, shrunk records, bounds",
        "For shrunk records the error bounds remain the same.",
        theorem("3.2"),
        check=tried(bounds.shrunk_bounds),
        slip="The length of a shrunk record leaves out a shift along e₁, a constant of at most √2."
        " The rate and the thresholds stay.",
    ),
    row(
        "t3.1-zero",
        "Theorem 3.1, β²p ≤ 1",
        "Gradient descent never errs if β²p ≤ 1 and there are more records than classes.",
        needed(along="half"),
        check=tried(bounds.zero_error),
    ),
    row(
        "t3.1",
        "Theorem 3.1, any symmetric shifts",
        "Gradient descent errs at most exp(−n/(2(β⁴p² + β²p/3))).",
        theorem("3.1", 500, 16, "0.7"),
        check=bounds.bound("3.1"),
    ),
    row(
        "t3.1-apart",
        "Theorem 3.1, independent coordinates",
        "With independent coordinates it errs at most exp(−n/(2(β⁴p + β²/3))).",
        theorem("3.1-apart", 20, 16, "0.7"),
        check=bounds.bound("3.1-apart"),
    ),
)
NOISY = (
    row(
        "t3.2",
        "Theorem 3.2, any symmetric shifts",
        "NoisyGD errs at most exp(−n²ρ/(2(1 + β²p)²)) + exp(−n/(8(β⁴p² + β²p/3))).",
        theorem("3.2", 200, 4, "0.7", 0.003),
        check=bounds.bound("3.2"),
    ),
    row(
        "t3.2-apart",
        "Theorem 3.2, independent coordinates",
        "With independent coordinates the second term is exp(−n/(8(β⁴p + β²/3))).",
        theorem("3.2-apart", 200, 16, "0.7"),
        check=bounds.bound("3.2-apart"),
    ),
    row(
        "t3.2-records",
        "Theorem 3.2, sample complexity",
        "NoisyGD needs O((1 + β²p)² √(log 1/γ) / (2ρ) + 4pβ⁴ log 1/γ) records.",
        needed(along="0.05", rho=0.01),
        check=records.by_rho("3.2"),
    ),
    row(
        "t3.2-half",
        "Remark on Theorem 3.2, β ≤ p^(−1/2)",
        "Up to β = p^(−1/2) the error of NoisyGD does not depend on the dimension.",
        over_map(20, 0.005),
        needed(along="half"),
        check=tried(records.half_threshold),
    ),
    row(
        "t3.2-quarter",
        "Remark on Theorem 3.2, β ≤ p^(−1/4)",
        "With independent coordinates gradient descent bears shifts up to p^(−1/4), NoisyGD does"
        " not.",
        needed(along="quarter"),
        check=tried(records.quarter_threshold),
    ),
    row(
        "t3.2-remark",
        "Remark on Theorem 3.2, rate",
        "Where β ≤ p^(−1/2) the error of NoisyGD is exp(−nρ/(1 + β²p)): read as a bound, as its"
        " theorem is.",
        over_map(50, 0.02),
        check=tried(records.remark_rate),
    ),
    row(
        "log",
        "Contributions; section 6",
        "Records needed grow with the logarithm of 1/γ, not with 1/γ.",
        needed(),
        check=tried(records.logarithmic),
    ),
    row(
        "perfect-error",
        "Section 3.1.1, perfect collapse, 1",
        "At β = 0 the error is exponentially small once ρ is well above G²/n².",
        one_step(0.02),
        check=records.perfect("error"),
    ),
    row(
        "perfect-dimension",
        "Section 3.1.1, perfect collapse, 2",
        "At β = 0 the error does not depend on the dimension.",
        over_map(10, 0.02),
        check=records.perfect("dimension"),
    ),
    row(
        "perfect-rest",
        "Section 3.1.1, perfect collapse, 3 to 5",
        "At β = 0 neither imbalance of two classes, nor the loss, nor the learning rate matters.",
        one_step(0.0005),
        check=tried(setup.invariant),
    ),
    row(
        "t3.3",
        "Theorem 3.3",
        "For fixed shifts with β²p < 1 NoisyGD errs at most exp(−n²(1 − β²p)²/((1 + β²p)σ²)).",
        theorem("3.3", 20, 64, "0.03"),
        check=bounds.bound("3.3"),
        slip="A factor ½ is missing in the exponent. Corrected, the bound can be proved. The rate"
        " and the threshold β²p < 1 stay.",
    ),
    row(
        "t3.3-records",
        "Theorem 3.3, sample complexity",
        "It then needs O((1 + β²p) log(1/γ) / (2ρ(1 − β²p)²)) records.",
        theorem("3.3", beta="0.05"),
        check=records.by_rho("3.3"),
    ),
    row(
        "t3.3-remark",
        "Remark on Theorem 3.3",
        "Where β²p < 1 the error falls exponentially and does not depend on the dimension.",
        theorem("3.3"),
        check=tried(records.fixed_threshold),
    ),
    row(
        "t3.4",
        "Theorem 3.4",
        "Several projected steps err at most exp(−n²/(C²σ²(1 + β²p))) + ke^(−t).",
        theorem("3.4", 10, 64, "0"),
        check=tried(bounds.steps),
    ),
    row(
        "t3.4-rate",
        "Theorem 3.4, rate",
        "That is O(exp(−ρn²/(1 + β²p)²)).",
        theorem("3.4", 20, 64, "0"),
        check=tried(bounds.stated_rate),
        slip="The constant 2/C² of the theorem is missing in the exponent. Corrected, it follows"
        " from the theorem. The rate in n²ρ stays.",
    ),
    row(
        "t3.4-remark",
        "Remark on Theorem 3.4",
        "Several steps, too, need β² < 1/p.",
        theorem("3.4", 200),
        check=tried(bounds.below_threshold),
    ),
    row(
        "s3.1.1-steps",
        "Section 3.1.1, several steps",
        "More steps do not take the dependence on dimension away.",
        *(
            Link(
                f"dimension, test features moved, steps: {steps}",
                f"{FEW_RECORDS}dim&noisy-gd.steps={steps}",
            )
            for steps in (1, 10, 100)
        ),
        check=tried(made.grows(True, steps=(1, 10, 100), rate=0.6, test="stochastic", size=0.1)),
    ),
    row(
        "s3.1.1-domains",
        "Section 3.1.1, domain adaptation",
        "What holds at perfect collapse carries over to a few of the many classes a network was"
        " trained on.",
        why_not="The page's frames have as many corners as classes; two of K are tried exactly.",
        check=tried(perturbed.domains),
    ),
)
ROWS = (*SETUP, *GRADIENT_DESCENT, *NOISY)
