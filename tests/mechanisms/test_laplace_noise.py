"""Laplace noise in whole numbers has its odds; the textbook's tells by its bits where it stands."""

import numpy as np

from dpviz import mechanisms


def textbook(count: float) -> np.ndarray:
    counts = np.full(2_000, count)
    return mechanisms.textbook_laplace(counts, 0.25, 0, f"bits of {count}")


def test_textbook_values_always_match_true_count():
    for count in (0.0, 1.0, 7.0):
        assert mechanisms.could_be_textbook(textbook(count), count, 0.25).all()


def test_textbook_values_rarely_match_other_counts():
    assert mechanisms.could_be_textbook(textbook(0.0), 1.0, 0.25).mean() < 0.2
    assert mechanisms.could_be_textbook(textbook(1.0), 0.0, 0.25).mean() < 0.2


def test_integer_laplace_noise_has_stated_probabilities():
    noise = mechanisms.whole_laplace(np.zeros(200_000), 1.0, 0, "odds")
    assert np.array_equal(noise, np.rint(noise))
    chance = (1 - np.exp(-1)) / (1 + np.exp(-1)) * np.exp(-np.abs(np.arange(-3, 4)))
    seen = [(noise == z).mean() for z in range(-3, 4)]
    assert np.allclose(seen, chance, atol=4e-3)
