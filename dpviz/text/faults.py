"""Texts of the faults that an audit can detect: one entry per fault, by its key.

Each entry has a title, the fault in a plain sentence (``wrong``), the reason why the guarantee
fails (``explanation``), the source and the fix. ``difference`` describes the neighbors of its
audit, ``error_unit`` the unit of errors without accuracy. ``safe`` says why a fault breaks no
guarantee.
"""

#: Neighbors of audits without a description of their own.
WORST_CASE = "one record added or replaced, the worst case for this method"

FAULTS = {
    "half-noise": {
        "title": "Half the noise",
        "wrong": "The noise is only half of what the guarantee requires.",
        "explanation": (
            "The noise has scale σ/2, but the claim assumes σ. A selection uses 2ε instead of ε."
            " Replacing a record moves a sum twice as far as adding one."
        ),
        "source": "google/differential-privacy issue 378, on a factor of 2 under replace-one",
        "fix": (
            "Use twice this noise. Common cause: the sensitivity is for adding a record, but the"
            " claim is about replacing one."
        ),
    },
    "seed": {
        "title": "Published seed",
        "wrong": "The noise seed is published with the result, so anyone can subtract the noise.",
        "explanation": (
            "The noise is a function of a public seed. An attacker who knows all other records"
            " recomputes the release without the record, and compares the two."
        ),
        "source": (
            "version 0.2.0 of this project, whose release file contained its seed; Garfinkel &"
            " Leclerc 2020 on random numbers"
        ),
        "fix": "Draw the noise of a release from system entropy, and store no seed.",
    },
    "low-bits": {
        "title": "Low bits of the noise",
        "wrong": (
            "The noise formula is correct, but the gaps between floating-point numbers reveal the"
            " true count."
        ),
        "explanation": (
            "The noise −b·sign(u)·ln(1−2|u|) is computed in double precision, with 2⁵³ values of u."
            " So each count has its own set of possible outputs. An attacker checks which count"
            " fits. One such output has unbounded privacy loss."
        ),
        "source": (
            "Mironov 2012, “On significance of the least significant bits for differential privacy”"
            " (CCS)"
        ),
        "fix": (
            "Draw integer noise for integer counts, with the geometric mechanism or an exact"
            " sampler."
        ),
        "difference": (
            "a class has one record or none; the test checks whether a count of 0 can give this"
            " output"
        ),
        "error_unit": "records per class",
    },
    "no-clipping": {
        "title": "No clipping",
        "wrong": (
            "The influence of a record on a training step is not limited, but the noise assumes a"
            " limit."
        ),
        "explanation": (
            "σ is calibrated for gradients of norm at most τ, but longer gradients are not clipped."
            " Features of norm 1 give gradients of norm up to √2. A record then moves the sum up to"
            " √2/τ times too far."
        ),
        "source": (
            "issue 622 of smartnoise-sdk (2026, fixed): the clipped data were computed but not used"
        ),
        "fix": "Clip the gradient of each record to the norm that the noise assumes.",
    },
    "clipped-after-averaging": {
        "title": "Clipped after averaging",
        "wrong": (
            "The average of all gradients is clipped once, instead of the gradient of each record."
        ),
        "explanation": (
            "The noise is calibrated for a mean of clipped gradients, but it is added to a"
            " clipped mean of gradients. A mean is rarely longer than τ, so nothing is clipped."
            " With B records per batch, one record moves the clipped mean by up to min(|gᵢ|/B,"
            " 2τ) instead of τ/B."
        ),
        "source": (
            "wenzhu23333/Differential-Privacy-Based-Federated-Learning at commit 6fb257a (2022),"
            " fixed since by its author"
        ),
        "fix": "Clip the gradient of each record before the sum.",
    },
    "step-by-count": {
        "title": "Steps divided by the count",
        "wrong": (
            "Steps are divided by the private number of records, so the size of the result reveals"
            " that number."
        ),
        "explanation": (
            "A step (η/n)(Σ clip(gᵢ, τ) + N(0, σ²)) uses the true n. The noise scales of two"
            " neighbors differ by the factor (n+1)/n. Over all C·d weights, |w|² distinguishes the"
            " neighbors with μ of about √(2Cd)/n, for every σ."
        ),
        "source": (
            "the linear probe of this project in version 0.2.0 (audited 2.22, claimed 0.5); compare"
            " Opacus issue 420"
        ),
        "fix": "Divide by a public constant, or by a noisy count with its own budget.",
        "difference": "one record is left out; no record has a gradient",
    },
    "steps-squared": {
        "title": "Overestimated step cost",
        "wrong": (
            "The cost of many steps is overestimated, which means fewer steps or more noise than"
            " needed."
        ),
        "explanation": (
            "The paper prints ρ = T²/(2σ²), but T Gaussian releases cost ρ = T/(2σ²). At σ = 20 and"
            " ε = 3 this allows 14 steps instead of 206. For a given T, the noise is √T times too"
            " large."
        ),
        "source": (
            "Golatkar et al. 2022, “Mixed Differential Privacy in Computer Vision” (AdaMix, CVPR),"
            " Propositions 2 and 5 as printed"
        ),
        "fix": "Add the ρ of the steps: T times 1/(2σ²).",
        "safe": (
            "This bug is safe: the noise is larger than the guarantee needs, so no audit can"
            " reject it. The only cost is accuracy."
        ),
    },
    "full-batches": {
        "title": "All records in every batch",
        "wrong": (
            "The guarantee assumes that each record is randomly left out of most steps, but every"
            " step uses all records."
        ),
        "explanation": (
            "σ is calibrated for Poisson sampling at rate q, which hides whether a record was in a"
            " step. Every step reads all records, so μ = √T/σ without amplification by q."
        ),
        "source": (
            "Chua et al. 2024 (ICML), “How Private are DP-SGD Implementations?”, on batches without"
            " the assumed sampling"
        ),
        "fix": "Sample each record independently in each step, or account for full batches.",
    },
    "shuffled-batches": {
        "title": "Shuffled batches",
        "wrong": (
            "Every record appears once per epoch in shuffled order, but the guarantee assumes"
            " independent sampling in each step."
        ),
        "explanation": (
            "σ is calibrated for Poisson sampling at rate q, but batches of fixed size come from a"
            " shuffled order. Each record is in exactly one of 1/q batches of an epoch. The largest"
            " noisy sum reveals whether one opposite gradient was present."
        ),
        "source": (
            "Chua et al. 2024 (ICML); Annamalai et al. 2026 (NDSS), “To Shuffle or not to Shuffle:"
            " Auditing DP-SGD with Shuffling”"
        ),
        "fix": "Sample each record independently in each step, or use an analysis of shuffling.",
        "difference": "the only record with an opposite gradient is left out",
    },
    "noise-by-count": {
        "title": "Noise scaled by a private count",
        "wrong": "A larger class gets less noise, so the size of the noise reveals the class size.",
        "explanation": (
            "As printed, p_c = mean + N(0, 2r²/(n_c² ρ)) is ρ-zCDP only between data sets with"
            " equal n_c. Adding a record changes the noise scale by n_c/(n_c+1) in each of d"
            " coordinates."
        ),
        "source": "Wahdany et al. 2025, DPPL (AAAI), Eq. 1 as printed",
        "fix": (
            "Add the noise to the class sum, whose sensitivity needs no count. Or claim replacement"
            " within a class, with public counts."
        ),
        "difference": "five equal records, or four: the mean is the same; the noise scale is not",
    },
    "sets-by-rank": {
        "title": "Wrong number of sets",
        "wrong": (
            "A set is more likely if its worst image ranks low, and a tiny change can reverse the"
            " ranks."
        ),
        "explanation": (
            "With C(y−1, K−1)·y/K sets of lowest rank y, the probability of a set has a factor y."
            " A record that barely changes the utilities can move y from K to m. This costs up to"
            " ln(m/K) in addition to ε."
        ),
        "source": (
            "Wahdany et al. 2024, DPPL (first version), App. C.3, Eq. 6 as printed; compare"
            " Gillenwater et al. 2022"
        ),
        "fix": (
            "Count C(y−1, K−1) sets. The worst member is fixed, and K−1 members come from the y−1"
            " better ones."
        ),
        "difference": "almost equal images; one more record reverses their order",
    },
    "one-noise": {
        "title": "Same noise for all classes",
        "wrong": (
            "All classes get the same random noise, so the difference of two classes has no noise."
        ),
        "explanation": (
            "The release is A_c + Z and b_c + z, with one Z and one z for all classes c."
            " Differences of classes are exact for every σ. Parallel composition over classes needs"
            " independent noise."
        ),
        "source": "published code of DP-LS (Mehta et al. 2023), google-research, dp_transfer",
        "fix": "Split the random key, one per class.",
        "difference": (
            "one more record in a class; the difference of two class weights has almost no noise"
        ),
    },
    "threshold-free": {
        "title": "Free threshold test",
        "wrong": (
            "The teachers' agreement test is counted as free, and each answer is counted at half"
            " its cost."
        ),
        "explanation": (
            "T answers are counted as Tα/(2σ₂²). The correct cost is α/σ₂² per answer, because one"
            " teacher moves two counts. Each tested query costs another α/(2σ₁²), answered or not."
        ),
        "source": (
            "Li et al. 2023, Prom-PATE (ICCV), Theorem 3 as printed (the code counts both); costs:"
            " Papernot et al. 2018"
        ),
        "fix": "Count α/(2σ₁²) per tested query and α/σ₂² per answer, both fixed in advance.",
        "difference": (
            "one more record changes the vote of one teacher on every query; observed: the"
            " answered queries and their answers"
        ),
    },
    "teachers-by-position": {
        "title": "Teachers assigned by row",
        "wrong": (
            "Removing one record shifts all later records, so almost every teacher changes instead"
            " of one."
        ),
        "explanation": (
            "Teacher j gets rows j⌊n/T⌋ to (j+1)⌊n/T⌋−1. One fewer record shifts all later rows,"
            " and may change ⌊n/T⌋. All T votes may change, but the guarantee assumes one. The"
            " guarantee holds if records are only replaced."
        ),
        "source": (
            "partition_dataset of the published code of PATE (Papernot et al. 2017),"
            " tensorflow/privacy"
        ),
        "fix": "Assign teachers by a hash of the record, or by a stable id.",
        "difference": (
            "the first record is in or out; without it, each teacher gets different records"
        ),
    },
    "tuned-for-free": {
        "title": "Tuned for free",
        "wrong": (
            "Several settings are tried on the private records, and the best is published at the"
            " cost of one run."
        ),
        "explanation": (
            "Each of eight runs spends the whole budget. The run with the best accuracy on the"
            " private records is released. Runs compose, and the choice reads the records without"
            " noise."
        ),
        "source": (
            "Papernot and Steinke 2022, “Hyperparameter Tuning with Renyi Differential Privacy”"
            " (ICLR)"
        ),
        "fix": (
            "Tune on public data, or pay for all runs. Or use a private selection theorem with a"
            " random number of runs and a private score."
        ),
        "difference": "two contradictory records, and one more that decides which rule is best",
    },
    "picture-as-person": {
        "title": "Image-level claim for people",
        "wrong": "The guarantee covers one image, and is far weaker for a person with ten images.",
        "explanation": (
            "A release that is μ-GDP for one record is kμ-GDP for k records. A pure ε becomes kε."
            " The neighbors differ by all records of one person, but the claim is for one record."
        ),
        "source": (
            "Chua et al. 2024, “Mind the Privacy Unit! User-Level Differential Privacy for Language"
            " Model Fine-Tuning”"
        ),
        "fix": (
            "State the unit of privacy. Bound the contribution of each person, or use k times the"
            " noise."
        ),
        "difference": "one person is in or out, with ten equal records",
    },
    "private-mean": {
        "title": "Private mean subtracted",
        "wrong": (
            "The mean of all private records is subtracted before the private method runs, and this"
            " privacy cost is not counted."
        ),
        "explanation": (
            "In xᵢ − m with m = (1/n) Σ xᵢ, one record moves m, and m moves all other records. The"
            " guarantee counts one contribution of at most τ, but all n contributions move."
        ),
        "source": (
            "Hu, Sanyal & Schölkopf 2024, “Provable Privacy with Non-Private Pre-Processing” (ICML)"
        ),
        "fix": "Center by a public mean, or by a private mean with its own budget.",
        "difference": "one more record, with features 20 times as large as all others",
    },
}
