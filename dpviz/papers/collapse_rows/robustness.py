"""What it says of perturbations (section 3.2), records needed (Table 1) and cures (section 4)."""

from __future__ import annotations

from dataclasses import replace

from dpviz.papers.checks import collapse_bounds as bounds
from dpviz.papers.checks import collapse_perturbed as perturbed
from dpviz.papers.checks import collapse_records as records
from dpviz.papers.checks import collapse_setup as setup
from dpviz.papers.collapse_rows.theory import PAGE, PERFECT, needed, row, theorem
from dpviz.papers.model import Link
from dpviz.papers.model import theory as tried

SKEW = Link("imbalance and offset", f"{PERFECT}skew&off=0.1&axis=zcdp&eps=0.005")
PCA = Link("public PCA, of 64 coordinates", f"{PAGE}pca&etf.dim=64&axis=zcdp&eps=0.005")
MOVED = (
    row(
        "s3.2.1-gd",
        "Section 3.2.1, training, gradient descent",
        "Where training features alone are moved at random, gradient descent errs at exp(−n²/β²).",
        needed("train", "0.2"),
        check=tried(perturbed.moved_training),
    ),
    row(
        "s3.2.1-train",
        "Section 3.2.1, training",
        "NoisyGD then needs O(√(max(β²p, 1) log(1/γ)/ρ)) records: more with dimension beyond"
        " p^(−1/2).",
        needed("train"),
        check=records.same_course("train", 0.1),
    ),
    row(
        "s3.2.1-test",
        "Section 3.2.1, testing",
        "With test features alone moved it needs O(max(√p β, 1) √(log 1/γ)/√(2ρ)).",
        needed("test"),
        check=records.same_course("test", 0.1),
    ),
    row(
        "s3.2.2-cancels",
        "Section 3.2.2, offset, gradient",
        "One offset of all records of balanced classes leaves the first gradient as it is.",
        SKEW,
        check=tried(setup.offset_cancels),
    ),
    row(
        "s3.2.2-offset",
        "Section 3.2.2, offset",
        "With one offset in training NoisyGD needs O(max(pβ², 1) √(log 1/γ)/√ρ) records.",
        needed("offset"),
        check=records.same_course("offset", 0.1),
    ),
    row(
        "s3.2.2-offset-gd",
        "Section 3.2.2, offset, gradient descent",
        "With one offset in balanced training records gradient descent never errs.",
        SKEW,
        check=tried(setup.offset_without_noise),
    ),
    row(
        "s3.2.2-imbalance",
        "Section 3.2.2, class imbalance",
        "With an offset and a share α of one class it needs"
        " O(max(√p β, 1) √(log 1/γ) / ((1 − β + 2βα)√ρ)).",
        SKEW,
        check=tried(perturbed.imbalance),
        slip="An absolute value is missing. With 1 − |1 − 2α|β it can be proved; up to α = ½ that"
        " is what is printed.",
    ),
    row(
        "s3.2.2-adversary",
        "Section 3.2.2, adversarial test features",
        "An adversary at test time makes it O(max(pβ, 1) √(log 1/γ)/√(2ρ)), so β must be below"
        " 1/p.",
        Link(
            "adversarial test features",
            f"{PERFECT}dim&move=adversarial&by=0.05&axis=zcdp&eps=0.005",
        ),
        check=tried(perturbed.adversary),
    ),
    row(
        "table1-gd",
        "Table 1, gradient descent",
        "Under any symmetric shifts, “in general”, gradient descent needs pβ² log(1/γ) records.",
        theorem("3.1", 20, 64, "0.3"),
        check=tried(perturbed.table_without_noise),
    ),
    row(
        "table1-apart",
        "Table 1, gradient descent, separable",
        "With independent coordinates it needs pβ⁴ log(1/γ).",
        needed(along="0.2"),
        check=tried(perturbed.table_apart),
    ),
    row(
        "table1-noisy",
        "Table 1, NoisyGD",
        "NoisyGD needs what Theorem 3.2, with independent coordinates, and section 3.2 say, row by"
        " row.",
        needed(),
        check=tried(perturbed.table_noisy),
    ),
    row(
        "table1-noisy-any",
        "Table 1, NoisyGD, in general",
        "Under any symmetric shifts NoisyGD needs (1 + β²p)² √(log 1/γ)/(2ρ) + pβ² log(1/γ)"
        " records.",
        theorem("3.2"),
        check=tried(perturbed.table_noisy_any),
    ),
)
CENTRED = Link(
    "imbalance and offset, centred on public data",
    f"{PERFECT}skew&off=0.1&etf.n=1000&etf.dim=1024&eps=1",
)
CURES = (
    row(
        "t4.1",
        "Theorem 4.1",
        "After projection on K − 1 public directions off by β₀ it needs √(G² log(1/γ)/M) records.",
        *(
            replace(
                theorem("4.1", 50, 16, "0.03", rho),
                label=f"bound beside the exact error, β₀ 0.01, ρ {rho:g}",
            )
            for rho in (0.5, 0.00005)
        ),
        check=tried(bounds.projected),
        slip="A factor 1/√ρ is missing. With it the exact error keeps to the bound. The printed G"
        " and M stay.",
    ),
    row(
        "t4.1-remark",
        "Remark on Theorem 4.1",
        "Projection relaxes β²p ≤ 1 to ββ₀p < 1 (the remark prints ≤ 1).",
        PCA,
        check=tried(bounds.projected_condition),
    ),
    row(
        "s4.1-pca",
        "Section 4.1, principal components",
        "From m public records the first principal direction is off by β₀ = O(1/√m).",
        PCA,
        check=tried(setup.public_pca),
    ),
    row(
        "s4.1-means",
        "Section 4.1, mean of features",
        "A public class mean is off by O(β/√m), but for a chance of pe^(−m²).",
        PCA,
        check=tried(setup.public_mean),
    ),
    row(
        "s4.2-imbalance",
        "Section 4.2, class imbalance",
        "Taking the private mean off is not robust to imbalance: what one record moves then depends"
        " on α, though not on the dimension.",
        why_not="Here the mean taken off is public, as the private one is not free.",
        check=tried(setup.centred_imbalance),
    ),
    row(
        "s4.2-sensitivity",
        "Section 4.2, sensitivity",
        "With the private mean of two balanced classes taken off, deleting a record moves the"
        " gradient by n/(n − 1) ≤ 2.",
        CENTRED,
        check=tried(setup.centred_sensitivity),
    ),
    row(
        "s4.2-guarantee",
        "Section 4.2 with Definition 2.1",
        "That is the sensitivity for NoisyGD's guarantee, whose neighbors add or remove a record.",
        CENTRED,
        check=tried(setup.centred_guarantee),
    ),
)
ROWS = (*MOVED, *CURES)
