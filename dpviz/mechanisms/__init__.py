"""The only place that draws noise: Gaussian, exponential mechanism, top-K exponential, noisy votes;
clipping beside it.

Noise comes from a run's own seed and a label, never from the budget or another setting, so that
budgets share their random numbers and nothing jumps when an unrelated control moves. Floating-point
sampling is not hardened against attacks on its low-order bits (Mironov 2012): this is an instrument
for seeing, and a deployment would swap in a discrete sampler here.
"""

from dpviz.mechanisms.clipping import class_sums, clip_rows
from dpviz.mechanisms.exponential_mechanism import (
    exponential,
    exponential_logits,
    exponential_probabilities,
    log_sets,
    standard_gumbel,
    top_k,
    top_k_logits,
)
from dpviz.mechanisms.gaussian_noise import (
    add_gaussian,
    normal_steps,
    pack_lower,
    packed_diagonal,
    packed_symmetric,
    standard_normal,
    standard_symmetric,
    unpack_lower,
)
from dpviz.mechanisms.noisy_votes import confident_gnmax
from dpviz.mechanisms.randomness import KEPT_NOISE, generator, standard_uniform

__all__ = [
    "KEPT_NOISE",
    "add_gaussian",
    "class_sums",
    "clip_rows",
    "confident_gnmax",
    "exponential",
    "exponential_logits",
    "exponential_probabilities",
    "generator",
    "log_sets",
    "normal_steps",
    "pack_lower",
    "packed_diagonal",
    "packed_symmetric",
    "standard_gumbel",
    "standard_normal",
    "standard_symmetric",
    "standard_uniform",
    "top_k",
    "top_k_logits",
    "unpack_lower",
]
