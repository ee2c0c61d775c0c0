"""Functions as a stranger might make them: right ones, broken ones, and ones that do not work."""

import os
import random

import numpy as np

WITH, WITHOUT = np.array([1.0, 1.0]), np.array([0.0, 1.0])
PAIR = WITH, WITHOUT
E = np.e


def pair():
    return PAIR


class _Draw(random.Random):
    def laplace(self):
        return self.expovariate(1.0) - self.expovariate(1.0)


def _draw(seed):
    return _Draw(seed)


def laplace(data, seed):
    return data.sum() + _draw(seed).laplace()


def gaussian(data, seed):
    return {"sum": data.sum() + _draw(seed).gauss(0, 1)}


def half_the_noise(data, seed):
    return data.sum() + _draw(seed).gauss(0, 1) / 2


def unclipped(data, seed):
    return np.minimum((data * 50).sum(), 100) + _draw(seed).laplace()


def private_count(data, seed):
    """The mean of those above a half, with noise scaled by how many there are."""
    taken = data[data > 0.5]
    return taken.mean() + _draw(seed).laplace() / len(taken)


def response(data, seed):
    truth = bool(data[0])
    return truth if _draw(seed).random() < E / (1 + E) else not truth


def choice(data, seed):
    """Exponential mechanism over counts of five, of which a record replaced moves two."""
    counts = np.bincount(data.astype(int), minlength=5)
    return "abcde"[int(np.argmax(counts + np.random.default_rng(seed).gumbel(size=5)))]


def wide(data, seed):
    return np.full(25, data[0] / 5) + np.random.default_rng(seed).normal(size=25)


def published_seed(data, seed):
    return [seed, laplace(data, seed)]


def now_and_then(data, seed):
    """Once in fifty releases without noise."""
    own = _draw(seed)
    return data.sum() + (own.random() > 0.02) * own.laplace()


def present(data, seed):
    """Noisy counts of those present: their number is no secret any more."""
    return list(np.flatnonzero(data) + 100 * _draw(seed).laplace())


def missing(data, seed):
    """Nothing, now and then, but only with the record."""
    return float("nan") if data[0] and _draw(seed).random() < 0.1 else laplace(data, seed)


def constant(data, seed):
    return 7


def no_noise(data, seed):
    return data.sum()


def forgets_its_seed(data, seed):
    return data.sum() + np.random.default_rng().laplace()


def changes_its_data(data, seed):
    data *= 2
    return data.sum() / 2 + _draw(seed).laplace()


def huge(data, seed):
    return [1e308 * _draw(seed).gauss(0, 1), float("inf"), 10**400, None, "word"]


# ------------------------------------------------------------------------- and what does not work


def hangs(data, seed):
    while True:
        pass


def crashes(data, seed):
    os.abort()


def fails(data, seed):
    print("what it prints is not shown")
    return data[99]


def quits(data, seed):
    raise SystemExit(1)


def eats(data, seed):
    return bytearray(2**33)


def strange(data, seed):
    return object()


def too_many(data, seed):
    return [0.0] * 5_000


def endless(data, seed):
    found = []
    found.append(found)
    return found


def in_last_digits(data, seed):
    return [2**60 + int(data[0]), data.sum() + _draw(seed).gauss(0, 1)]


def in_the_sign_of_zero(data, seed):
    return [float(np.copysign(0.0, 0.5 - data[0])), data.sum() + _draw(seed).gauss(0, 1)]


def fixed_point(data, seed):
    """In steps of 2^-60, which no float of this size has."""
    return 2**62 + int(data[0]) * 2**60 + int(_draw(seed).gauss(0, 1) * 2**60) + seed % 2


_forked = []


def forks_once(data, seed):
    if not _forked:
        _forked.append(True)
        os.fork()
    return data.sum() + _draw(seed).gauss(0, 1)


def interrupts(data, seed):
    raise KeyboardInterrupt


class Own(BaseException):
    pass


def ends_in_its_own_way(data, seed):
    raise Own("so")


class _Quits(list):
    def __iter__(self):
        raise SystemExit(3)


# ------------------------- leaks by a channel beside the size of the numbers, each of which is sure


def _noisy(data, seed):
    return data.sum() + _draw(seed).gauss(0, 1)


def in_the_order_of_keys(data, seed):
    found = {"sum": _noisy(data, seed), "people": 2}
    return found if data[0] else dict(reversed(found.items()))


def in_the_precision(data, seed):
    found = np.float32(_noisy(data, seed))
    return found if data[0] else np.float64(found)


def in_the_container(data, seed):
    found = [_noisy(data, seed), 2]
    return found if data[0] else tuple(found)


def in_the_payload_of_nan(data, seed):
    nan = np.array([0x7FF8000000000000 + int(data[0])], np.uint64).view(float)[0]
    return [_noisy(data, seed), nan]


def in_the_memory_order(data, seed):
    found = np.full((2, 2), _noisy(data, seed))
    return np.asfortranarray(found) if data[0] else found


def in_the_last_bit(data, seed):
    found = np.array([_noisy(data, seed)])
    bits = found.view(np.uint64)
    bits[0] = bits[0] & ~np.uint64(1) | np.uint64(data[0])
    return float(found[0])


def in_the_parity_of_a_decimal(data, seed):
    found = round(_noisy(data, seed) * 1_000)
    return (found + (found + int(data[0])) % 2) / 1_000


def in_a_second_moment(data, seed):
    """A noisy sum, and its square plus a little that is exact."""
    found = _noisy(data, seed)
    return [found, found**2 + 1e-3 * data.var()]


def in_a_ratio(data, seed):
    """Two noisy sums and their ratio, whose product with the second is the first but for 1e-6."""
    one, other = _noisy(data, seed), 5 + _draw(seed + 1).random()
    return [one, other, (one + 1e-6 * data[0]) / other]


def moments(data, seed):
    """A noisy sum, its square, and products with noise: private as the sum is."""
    found, own = _noisy(data, seed), _draw(seed + 1).gauss(0, 1)
    return [found, found**2, own, own * found, 2 * found]


def in_the_sign_of_a_product(data, seed):
    own = _draw(seed)
    one, other = own.gauss(0, 1), abs(own.gauss(0, 1))
    return [one, other * np.sign(one) * (2 * data[0] - 1), data.sum() + own.gauss(0, 1)]


# ------------------------------------------------------------------------------ and their relatives


def in_the_byte_order(data, seed):
    return np.array([_noisy(data, seed)]).astype(">f8" if data[0] else "<f8")


def in_the_type_of_a_number(data, seed):
    found = _noisy(data, seed)
    return float(found) if data[0] else np.float64(found)


def in_a_view(data, seed):
    found = np.full(4, _noisy(data, seed))
    return found[::2] if data[0] else found[:2].copy()


def in_the_payload_of_a_short_nan(data, seed):
    nan = np.array([0x7FA00000 + int(data[0])], np.uint32).view(np.float32)
    return [_noisy(data, seed), nan]


def in_the_last_bit_of_a_short_float(data, seed):
    found = np.array([_noisy(data, seed)], np.float32)
    bits = found.view(np.uint32)
    bits[0] = bits[0] & ~np.uint32(1) | np.uint32(data[0])
    return found


def in_the_parity_of_a_digit_that_is_cut(data, seed):
    """With more digits behind, in the last of forty numbers."""
    own = np.random.default_rng(seed)
    found = own.normal(size=40) * 1e6
    found[-1] += 100 * ((int(abs(found[-1]) // 100) + int(data[0])) % 2)
    return found


def in_the_number_of_decimals(data, seed):
    return round(_noisy(data, seed), 9 if data[0] else 8)


def in_the_length_of_a_word(data, seed):
    return [_noisy(data, seed), str(seed).zfill(20 + int(data[0]))]


def in_a_written_number(data, seed):
    return f"{50 * data[0] + _noisy(data, seed):.3f}"


def binary_fixed_point(data, seed):
    """Honest: on a grid of 2^-10, rounded before the noise, which is whole."""
    steps = np.random.default_rng(seed).laplace(scale=2**10)
    return (round(data.sum() * 2**10) + round(steps)) / 2**10


def quits_when_read(data, seed):
    return _Quits()
