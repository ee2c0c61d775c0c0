"""Noise that scripts of exported pages draw alike: known answers, ranges and distributions."""

import numpy as np
import pytest
from scipy import stats

from dpviz.mechanisms import portable_gumbels, portable_normals
from dpviz.mechanisms.portable_noise import philox, portable_uniforms

PI = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)
LEVEL = 1e-4
"""False-alarm rate of each test of a distribution; the seeds are fixed."""


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ((0,) * 4, (0,) * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (*PI, "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_words_equal_known_answers(counter, key, expected):
    """Source: ``kat_vectors`` of Random123, philox4x32 with 10 rounds."""
    assert " ".join(f"{word:08x}" for word in philox(np.array([counter]), key)[0]) == expected


def test_uniforms_stay_inside_zero_and_one():
    uniforms = portable_uniforms(0xFFFFFFFF, 10_001)
    assert len(uniforms) == 10_001 and uniforms.min() > 0 and uniforms.max() < 1
    assert np.array_equal(uniforms[:9], portable_uniforms(0xFFFFFFFF, 9))
    assert not np.array_equal(uniforms[:9], portable_uniforms(0, 9))


@pytest.mark.parametrize(
    ("draw", "law"), [(portable_normals, stats.norm), (portable_gumbels, stats.gumbel_r)]
)
def test_noise_has_its_distribution(draw, law):
    noise = draw(7, 20_001)
    assert len(noise) == 20_001
    assert stats.kstest(noise, law.cdf).pvalue > LEVEL
    assert stats.kstest(1.1 * noise, law.cdf).pvalue < LEVEL, "10% more noise is found"
    assert abs(np.corrcoef(noise[:-1:2], noise[1::2])[0, 1]) < 0.04
