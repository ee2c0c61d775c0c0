"""Functions that leak a record with certainty through a part of the output that never repeats.

A hash of such a part shows nothing: the audit has to read its bits, digits or characters.
"""

import numpy as np

from tests.kit.strangers import _draw as draw
from tests.kit.strangers import _noisy as noisy


def _own(seed):
    """Draws that do not depend on those of the noise."""
    return np.random.default_rng(seed)


def in_the_last_bit_of_a_long_number(data, seed):
    own = _own(seed)
    return [noisy(data, seed), int.from_bytes(own.bytes(20)) * 2 + int(data[0])]


def in_a_bit_of_a_number_beyond_floats(data, seed):
    own = int.from_bytes(_own(seed).bytes(150))
    return [noisy(data, seed), own & ~(1 << 500) | int(data[0]) << 500]


def in_the_parity_of_a_number_of_any_size(data, seed):
    own = draw(seed)
    return [noisy(data, seed), own.getrandbits(own.randrange(41, 60)) * 2 + int(data[0])]


def in_the_last_digit_of_a_written_number(data, seed):
    own = _own(seed).random()
    return [noisy(data, seed), f"{own:.25f}123456{int(data[0])}"]


def in_a_bit_of_a_written_number(data, seed):
    own = draw(seed).getrandbits(150)
    return [noisy(data, seed), str(own & ~(1 << 20) | int(data[0]) << 20)]


def in_zero_and_the_smallest_number(data, seed):
    return [noisy(data, seed), -0.0 if data[0] else -5e-324]


def in_a_significant_digit(data, seed):
    """In the parity of the sixth, at any size."""
    own = draw(seed)
    first = own.randrange(10_000, 100_000) * 10 + 2 * own.randrange(5) + int(data[0])
    return [noisy(data, seed), float(f"{first}e{own.randrange(-300, 290)}")]


def in_the_padding_of_a_record(data, seed):
    kind = np.dtype({"names": ["a"], "formats": ["f8"], "itemsize": 16})
    found = np.zeros(2, kind)
    found["a"] = noisy(data, seed)
    found.view(np.uint8)[12] = 4 * (seed % 60) + int(data[0])
    return found


def in_the_byte_of_a_truth_value(data, seed):
    found = np.array([2 * (seed % 60) + 2 + int(data[0])], np.uint8).view(bool)
    return [noisy(data, seed), found]


def in_the_last_bit_of_bytes(data, seed):
    own = _own(seed)
    return [noisy(data, seed), own.bytes(29) + bytes([2 * own.integers(100) + int(data[0])])]


def in_a_hexadecimal_digit(data, seed):
    found = _own(seed).bytes(16).hex()
    digit = int(found[9], 16) & ~1 | int(data[0])
    return [noisy(data, seed), f"{found[:9]}{digit:x}{found[10:]}"]


def in_the_last_letter_of_a_word_of_any_length(data, seed):
    own = draw(seed)
    letters = "".join(own.choices("abcdef\u0153", k=own.randrange(8, 90)))
    return [noisy(data, seed), letters + own.choice("uvw" if data[0] else "xyz")]


def in_the_last_bit_of_a_long_payload_of_nan(data, seed):
    own = draw(seed).getrandbits(48) * 2 + int(data[0])
    return [noisy(data, seed), np.array([0x7FF8 << 48 | own], np.uint64).view(float)[0]]


def in_the_last_bit_of_an_extended_float(data, seed):
    found = np.array([noisy(data, seed) * np.longdouble(2) / 3])
    found.view(np.uint8)[0] = found.view(np.uint8)[0] & ~np.uint8(1) | np.uint8(data[0])
    return found


def in_the_parity_of_a_key(data, seed):
    return {"in": {2 * draw(seed).getrandbits(30) + int(data[0]): noisy(data, seed)}}


def in_the_order_of_two_keys(data, seed):
    """The first two come in order with the record, the others in any."""
    own = draw(seed)
    keys = own.sample("cdefghijkl", 10)
    ends = "ab" if data[0] else "ba"
    return dict.fromkeys((*ends, *keys), 0) | {"sum": noisy(data, seed)}


def in_the_parity_of_a_length(data, seed):
    return [noisy(data, seed), [0] * (2 * draw(seed).randrange(40) + int(data[0]))]


def in_the_shape_of_an_empty_array(data, seed):
    rows = 2 * draw(seed).getrandbits(30) + int(data[0])
    return [noisy(data, seed), np.zeros((rows, 0))]


def in_the_name_of_a_field(data, seed):
    name = f"f{2 * draw(seed).getrandbits(30) + int(data[0])}"
    return np.array([(noisy(data, seed),)], [(name, float)])


def in_the_sixth_bit(data, seed):
    own = draw(seed).getrandbits(40)
    return [noisy(data, seed), float(own & ~(1 << 34) | int(data[0]) << 34)]


def in_the_exponent_of_two(data, seed):
    own = _own(seed)
    return [
        noisy(data, seed),
        np.ldexp(1 + own.random(), 2 * own.integers(-400, 400) + int(data[0])),
    ]


def in_the_exponent_of_ten(data, seed):
    own = _own(seed)
    return [
        noisy(data, seed),
        float(f"{1 + own.random()}e{2 * own.integers(-150, 150) + int(data[0])}"),
    ]


def in_the_last_bit_of_a_key(data, seed):
    key = np.array([0x3FF << 52 | 2 * _own(seed).integers(2**50) + int(data[0])]).view(float)[0]
    return {(1, float(key)): noisy(data, seed)}


def in_one_type_of_many(data, seed):
    types = [*_own(seed).integers(2, size=20), int(data[0])]
    return [noisy(data, seed), [(1, True)[which] for which in types]]


def in_the_flags_of_one_array_of_many(data, seed):
    found = [np.zeros(1) for _ in range(13)]
    for array, which in zip(found, [*_own(seed).integers(2, size=12), data[0]], strict=True):
        array.flags.writeable = bool(which)
    return [noisy(data, seed), *found]


def long_and_wide(data, seed):
    """Honest: long numbers, words, keys and lengths that the record does not move."""
    own = draw(seed)
    found = [own.getrandbits(100), f"{own.getrandbits(48):x}", [0] * own.randrange(4)]
    return {"sum": noisy(data, seed), own.getrandbits(20): found}
