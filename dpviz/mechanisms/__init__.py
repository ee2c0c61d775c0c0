"""The only place that draws noise: Gaussian, exponential mechanism, top-K exponential, Laplace,
noisy votes, counts of yes, randomised response; samples of records and contributions beside it.

In teaching replays noise comes from a run's own seed and a label, never from the budget or another
setting, so that budgets share their random numbers and nothing jumps when an unrelated control
moves: not for release. A release takes SYSTEM in place of a seed, and exact samplers
(``system_noise``). Both add it to the same sums of whole numbers (``fixed_point``).
"""

from dpviz.mechanisms.exponential_mechanism import (
    UTILITY_STEP,
    exponential,
    exponential_logits,
    exponential_probabilities,
    log_sets,
    standard_gumbel,
    top_k,
    top_k_logits,
)
from dpviz.mechanisms.fixed_point import (
    BITS,
    COARSE,
    FINE,
    FINE_BITS,
    MAX_CACHED_BYTES,
    class_sums,
    contributions,
    product,
    rounded_rows,
    unit_rows,
)
from dpviz.mechanisms.gaussian_noise import (
    add_gaussian,
    normal_steps,
    pack_lower,
    packed_diagonal,
    packed_symmetric,
    standard_normal,
    unpack_lower,
)
from dpviz.mechanisms.laplace_noise import (
    could_be_textbook,
    textbook_laplace,
    whole_laplace,
    yes_counts,
)
from dpviz.mechanisms.noise_recorder import Transcript, watched
from dpviz.mechanisms.noisy_votes import confident_gnmax
from dpviz.mechanisms.objective_perturbation import noisy_minimisers
from dpviz.mechanisms.portable_noise import portable_gumbels, portable_normals
from dpviz.mechanisms.randomised_response import randomised_response
from dpviz.mechanisms.randomness import (
    MAX_CACHED_NOISE,
    SYSTEM,
    Seed,
    UnitNoise,
    generator,
    poisson_samples,
    standard_uniform,
)

__all__ = [
    "BITS",
    "COARSE",
    "FINE",
    "FINE_BITS",
    "MAX_CACHED_BYTES",
    "MAX_CACHED_NOISE",
    "SYSTEM",
    "UTILITY_STEP",
    "Seed",
    "Transcript",
    "UnitNoise",
    "add_gaussian",
    "class_sums",
    "confident_gnmax",
    "contributions",
    "could_be_textbook",
    "exponential",
    "exponential_logits",
    "exponential_probabilities",
    "generator",
    "log_sets",
    "noisy_minimisers",
    "normal_steps",
    "pack_lower",
    "packed_diagonal",
    "packed_symmetric",
    "poisson_samples",
    "portable_gumbels",
    "portable_normals",
    "product",
    "randomised_response",
    "rounded_rows",
    "standard_gumbel",
    "standard_normal",
    "standard_uniform",
    "textbook_laplace",
    "top_k",
    "top_k_logits",
    "unit_rows",
    "unpack_lower",
    "watched",
    "whole_laplace",
    "yes_counts",
]
