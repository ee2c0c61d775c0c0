"""Confident-GNMax with noise given as numbers."""

import math

from dpviz import mechanisms
from dpviz.types import Gaussian


def answers(votes, threshold, sigma1, sigma2, seed=0, most=None):
    """Which rows of ``votes`` were asked, and their labels; no test where ``sigma1`` is None."""
    rows = len(votes)
    noise = [mechanisms.standard_normal(seed, "x", shape) for shape in ((rows,), votes.shape)]
    tests = None if sigma1 is None else (Gaussian(1.0, sigma1, rows), noise[0])
    winners = Gaussian(math.sqrt(2), sigma2, rows if most is None else most), noise[1]
    return mechanisms.confident_gnmax(votes, threshold, tests, winners)
