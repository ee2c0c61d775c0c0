"""Texts of the published bugs: one entry per bug, by its key.

Each entry has the claim of the project, the bug in a plain sentence (``mistake``), the reason why
the claim fails (``explanation``), the fix and what became of it (``since``). ``difference``
describes the neighbors of its audit, ``differs`` the re-implementation.
"""

#: When the code and its issues were read, in stored copies.
READ_DATE = "November 2026"
#: Status of a bug.
STATES = {
    "mended": "fixed",
    "proposed": "fix proposed",
    "open": "reported, open",
    "unreported": "no report found",
    "study": "acceptable for experiments only",
}
#: An entry of docs/explanation/wild.md, without its figures.
ENTRY = (
    "## {project:md}",
    "",
    "**{mistake:md}** {since:md}",
    "",
    "- Code: {code:md}",
    "- Claim: {claims:md}",
    "- Reason: {explanation:md}",
    "- Fix: {fix:md}",
    "- Re-implementation: {differs:md} Neighbors: {difference:md}.",
)

BUGS = {
    "dpviz": {
        "project": "dpviz, version 0.2.0",
        "claims": "(ε, δ) under adding or removing one record.",
        "mistake": "Each step was divided by the private number of records.",
        "explanation": (
            "Under add or remove, the number n of records is private. Noise of scale σ/n reveals n"
            " by its spread, for any gradients."
        ),
        "fix": (
            "Divide by a public constant, or claim replacement of a record at twice the"
            " sensitivity."
        ),
        "since": (
            "Fixed: steps are divided by a public count, or by a noisy count with its own budget."
        ),
        "difference": (
            "five records without a gradient, with or without one with a maximal gradient"
        ),
        "differs": "One step on 64 numbers with 5 records.",
    },
    "backpropagation-clipping": {
        "project": "Backpropagation clipping",
        "claims": "zCDP per layer and epoch, reported as (ε, 1e-5).",
        "mistake": "The noise is too small by a factor of the batch size.",
        "explanation": (
            "The clipped gradient of a layer moves by (input bound) × (gradient bound). This"
            " sensitivity was divided by the batch size B again. So σ is B times too small, and μ"
            " is B times the claimed value."
        ),
        "fix": "Use the sensitivity of the sum that gets the noise.",
        "since": (
            "Fixed by an author on February 17, 2022. The README says that the bug invalidates the"
            " original experimental results."
        ),
        "difference": (
            "seven records without a gradient, with or without one with a maximal gradient"
        ),
        "differs": (
            "One step, no network, batches of 8. The published audit of the code itself showed ε >"
            " 2.79 where 0.21 was claimed."
        ),
    },
    "diffprivlib": {
        "project": "diffprivlib, LinearRegression",
        "claims": "Pure ε.",
        "mistake": (
            "The noise on the sum of squares of a feature depends only on the lower bound of the"
            " feature."
        ),
        "explanation": (
            "One value x in [l, u] moves the sum of squares by up to max(|l|, |u|)². The code uses"
            " max(|l|, |l|)². The noise is too small if |u| > |l|, and zero if l = 0."
        ),
        "fix": "Use the upper bound as well: max(|l|, |u|)².",
        "since": (
            "Reported in 2025 and 2026. A pull request of August 21, 2026 with a fix was open in"
            " November 2026."
        ),
        "difference": "five records at the lower bound, with or without one at the upper bound",
        "differs": (
            "One feature in [0.1, 1], its sum of squares only, with all of ε. No intercept: with"
            " one, the bounds are shifted first, and the noise is still too small."
        ),
    },
    "smartnoise-sdk": {
        "project": "smartnoise-sdk, DPcovariance",
        "claims": "Pure ε.",
        "mistake": "The data are clipped to the declared bounds, but the unclipped data are used.",
        "explanation": (
            "Lines 90 and 91 compute the clipped data, but line 115 uses the unclipped data. The"
            " noise fits the declared bounds. A value outside the bounds moves the result without"
            " limit."
        ),
        "fix": "Compute the covariance of the clipped data.",
        "since": "Reported on February 4, 2026 and fixed by a pull request in the same month.",
        "difference": (
            "100 values of 0.5, or the same with one value of 1,000, outside the declared [0, 1]"
        ),
        "differs": "The variance of one column instead of a covariance matrix.",
    },
    "federated-learning-demo": {
        "project": "Differential-Privacy-Based Federated Learning",
        "claims": "A budget of ε, or (ε, 1e-5), per client, divided over its rounds.",
        "mistake": (
            "The gradient of the whole batch is clipped, instead of the gradient of each record."
        ),
        "explanation": (
            "Clipping the mean of m gradients to C bounds the mean only. One record can still move"
            " the mean from C to −C. The noise is for 2C/m, which is correct only for clipped"
            " record gradients."
        ),
        "fix": "Clip the gradient of each record, then average.",
        "since": (
            "Fixed by its author on November 27, 2022, and improved since. The README asks for"
            " reports of errors."
        ),
        "difference": (
            "eight records; the last has gradient 8 or −8 before clipping, the others have 0"
        ),
        "differs": (
            "One step, one number, 8 records, and Gaussian noise that is exact for (1, 1e-5)."
        ),
    },
    "datasynthesizer": {
        "project": "DataSynthesizer, PrivBayes",
        "claims": "The ε that the user sets.",
        "mistake": "Noise for relative frequencies is added to counts.",
        "explanation": (
            "The scale 2(d−k)/(nε) is for frequencies, which one record moves by about 1/n. Counts"
            " move by 1, so the noise is n/2 times too small. The scale also depends on the private"
            " n."
        ),
        "fix": "Use scale (d−k)/ε on counts.",
        "since": "Reported on March 31, 2021, fixed the same day, released in 0.1.7.",
        "difference": "1,000 records in four bins, with or without one more in the first bin",
        "differs": "One table of counts (d−k = 1) with all of ε = 1.",
    },
    "smartnoise-core": {
        "project": "smartnoise-core, Gaussian noise",
        "claims": "(ε, δ).",
        "mistake": "The standard deviation of the noise is squared before use.",
        "explanation": (
            "Builds with noise from MPFR pass a variance where a standard deviation is expected: σ²"
            " instead of σ. The noise is too small if σ < 1, and otherwise too large."
        ),
        "fix": "Pass the standard deviation, and test the standard deviation of the noise.",
        "since": (
            "Fixed on November 10, 2020. A note by the author calls the accuracy suspiciously high."
        ),
        "difference": "seven zero records, with or without one at the bound",
        "differs": "A bound with σ = 1/4, so the faulty σ is 1/16.",
    },
    "pate-gan": {
        "project": "PATE-GAN",
        "claims": (
            "(ε, δ) by PATE's accountant. One record moves one teacher, so a vote costs at most 2"
            " at noise scale 1."
        ),
        "mistake": "All teachers train on the same part of the data.",
        "explanation": (
            "The training loop of the k teachers uses x_partition[i], with i left over from an"
            " earlier loop. One record of that part moves all k votes. The other parts are never"
            " used."
        ),
        "fix": "Use the index of the training loop.",
        "since": "Reported on June 6, 2024. Open without an answer in November 2026.",
        "difference": "the used part, with or without one record that changes its teacher's vote",
        "differs": "One vote of 10 teachers that take the sign of a sum; no generator.",
    },
    "nvflare": {
        "project": "NVFlare, SVTPrivacy",
        "claims": "“Standard Sparse Vector Technique”, ε = 0.1 by default.",
        "mistake": "Some weights above the threshold are released without noise.",
        "explanation": (
            "Weights below the threshold are set to zero, and selected weights get noise. Weights"
            " above the threshold that are not selected keep their exact values."
        ),
        "fix": "Set all weights that are not selected to zero.",
        "since": (
            "Reported on March 24, 2022 and fixed the same day, in 2.1.0. A maintainer called it a"
            " bug."
        ),
        "difference": (
            "two updates of one client whose first number is π or e; a number moves by at most 1"
        ),
        "differs": (
            "20 numbers. One third of ε each for threshold, comparisons and answers, with textbook"
            " noise. Half of the weights above the threshold are selected."
        ),
    },
    "dp-ls": {
        "project": "DP-LS, in google-research",
        "claims": (
            "(ε, δ) by zCDP, with parallel composition over classes: one record is in one class."
        ),
        "mistake": (
            "As we read the code, all classes get the same noise, so the noise cancels between"
            " classes."
        ),
        "explanation": (
            "apply_noise splits self.key without changing it. train_linear_regression.py renews the"
            " key once, before the classes. The class sums a + z and b + z have the exact"
            " difference a − b. Parallel composition needs independent noise. One class alone has"
            " the correct noise."
        ),
        "fix": (
            "Fold the class index into the key. With independent noise per class, as the paper"
            " assumes, the method is correct."
        ),
        "since": (
            "We found no report in November 2026. The published code at that commit behaves this"
            " way. The authors may have fixed it since."
        ),
        "difference": "five records in one class and none in another, with or without one more",
        "differs": (
            "Class sums are released directly. The project releases classifiers that are computed"
            " from the sums. The classifiers reveal the difference less directly."
        ),
    },
    "jax-example": {
        "project": "JAX, DP-SGD example",
        "claims": "(ε, 1e-5), printed during training.",
        "mistake": (
            "All parameter arrays get noise from one key, so arrays of equal shape get equal noise."
        ),
        "explanation": (
            "The gradient is clipped as a whole, and each array gets noise from the same key."
            " Arrays of equal shape get equal noise, which cancels in their difference. Arrays"
            " of other shapes get different noise, which reduces the leak."
        ),
        "fix": "Split the key, one per array.",
        "since": "Fixed on July 2, 2020. The author of the fix called it “a pretty insidious bug”.",
        "difference": (
            "five records without a gradient, with or without one with opposite gradients"
        ),
        "differs": "One step and two arrays of equal shape.",
    },
    "prom-pate": {
        "project": "Prom-PATE",
        "claims": "(ε, 1e-5), for ε of 1, 4 and 8.",
        "mistake": "The noise seed is in the README, so anyone can draw the same noise.",
        "explanation": (
            "With a known seed the noise is known, and the labels are a fixed function of the"
            " votes. Fixed seeds make studies repeatable, and are harmless on public benchmarks."
            " Version 0.2.0 of this project did the same."
        ),
        "fix": (
            "Use seeds for studies. Use noise from system entropy for releases, and store no seed."
        ),
        "since": "Correct for a repeatable study. A release made this way would not be private.",
        "difference": (
            "one query whose votes are almost tied under the known noise, or with one vote moved"
        ),
        "differs": "One query, no threshold, and our own noise generator with that seed.",
    },
}
