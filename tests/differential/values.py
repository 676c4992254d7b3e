"""Draws elements at the edges of printing, as the raw bytes of each dtype."""

import math
import struct
from typing import NamedTuple

import torch


class Dtype(NamedTuple):
    name: str  # torch's name
    code: int  # c10::ScalarType
    family: str  # bool, int, float, complex, or bits: a float that is drawn by its bits
    size: int  # bytes of one element
    part: str  # struct's letter for an integer or for a real or imaginary part; b for bfloat16


DTYPES = {  # without those that this PyTorch lacks
    dtype.name: dtype
    for dtype in (
        Dtype("uint8", 0, "int", 1, "B"),
        Dtype("int8", 1, "int", 1, "b"),
        Dtype("int16", 2, "int", 2, "h"),
        Dtype("int32", 3, "int", 4, "i"),
        Dtype("int64", 4, "int", 8, "q"),
        Dtype("float16", 5, "float", 2, "e"),
        Dtype("float32", 6, "float", 4, "f"),
        Dtype("float64", 7, "float", 8, "d"),
        Dtype("complex32", 8, "complex", 4, "e"),
        Dtype("complex64", 9, "complex", 8, "f"),
        Dtype("complex128", 10, "complex", 16, "d"),
        Dtype("bool", 11, "bool", 1, "?"),
        Dtype("bfloat16", 15, "float", 2, "b"),
        Dtype("float8_e5m2", 23, "bits", 1, "B"),
        Dtype("float8_e4m3fn", 24, "bits", 1, "B"),
        Dtype("float8_e5m2fnuz", 25, "bits", 1, "B"),
        Dtype("float8_e4m3fnuz", 26, "bits", 1, "B"),
        Dtype("uint16", 27, "int", 2, "H"),
        Dtype("uint32", 28, "int", 4, "I"),
        Dtype("uint64", 29, "int", 8, "Q"),
        Dtype("float8_e8m0fnu", 44, "bits", 1, "B"),
        Dtype("float4_e2m1fn_x2", 45, "bits", 1, "B"),
        Dtype("bcomplex32", 46, "complex", 4, "b"),
    )
    if hasattr(torch, dtype.name)
}
FLOAT8 = [name for name in DTYPES if name.startswith("float8")]

NAN, INF = math.nan, math.inf
SPECIALS = [0.0, -0.0, INF, -INF, NAN, math.copysign(NAN, -1)]


def neighbours(value):
    """Returns the value and its neighbours, those of a double and those of a float32."""
    ulp32 = 2.0 ** (math.frexp(value)[1] - 24)
    return [value, math.nextafter(value, INF), math.nextafter(value, -INF), value + ulp32, value - ulp32]


# Python changes its notation or its width at these values.
BORDERS = [near for edge in (1.0, 999.0, 1000.0, 1001.0, 1e8, 1e-4, 0.1, 10.0) for near in neighbours(edge)]
BORDERS += [100000008.0, 99999999.0, 100000001.0, 9.9999e-5, 1.00001e-4, 0.00005, 0.00015, 0.00025]
EXTREMES = [5e-324, 1e-323, 2.0**-1022, 2.0**-1023, 2.0**-149, 2.0**-126, 2.0**-127, 2.0**-24, 2.0**-14, 2.0**-15]
EXTREMES += [65504.0, 65505.0, 3.4028234663852886e38, 1.7976931348623157e308, 2.0**53, 2.0**53 - 1, 2.0**53 + 2]
EXTREMES += [2.0**63, 2.0**63 - 1024, 2.0**64, 2.0**31, 2.0**24 + 1, 1e15, 1e16, 1e17, 1e22, 1e23, 0.3, 1 / 3]
INTEGERS = [0, 1, 9, 10, 11, 99, 100, 101, 127, 128, 255, 256, 999, 1000, 1001, 32767, 32768, 65535]
INTEGERS += [2**power + near for power in (31, 32, 53, 62, 63) for near in (-2, -1, 0, 1)]
INTEGERS += [10**power - near for power in range(3, 19) for near in (0, 1)]


def ratios(rng):
    base = rng.choice([1.0, 0.5, 7.0, 123.25, 3e-4, 1e-3, 1e5, rng.random(), 10.0 ** rng.randrange(-9, 9)])
    return [near for factor in (1, 999, 1000, 1001) for near in neighbours(base * factor)]


def ties(rng):
    """Draws halves of the last digit at some precision, exact ones and the doubles next to them."""
    places = rng.choice((4, rng.randrange(9)))
    exact = [(2 * rng.randrange(1 << rng.randrange(1, 16)) + 1) / 2.0 ** (places + 1) for _ in range(6)]
    decimal = [(rng.randrange(10 ** rng.randrange(1, 5)) + 0.5) / 10.0**places for _ in range(3)]
    return exact + [near for value in decimal for near in neighbours(value)]


def scientific_ties(rng):
    """Draws halves of the last digit in scientific notation, with very large and very small powers of ten."""
    places = rng.choice((4, rng.randrange(9)))
    power = rng.choice((rng.randrange(-30, 30), rng.randrange(-290, 290)))
    digits = [rng.randrange(10**places, 10 ** (places + 1)) + 0.5 for _ in range(3)]
    values = [near for value in digits for near in neighbours(value * 10.0**power)]
    return values + [10.0**power, 10.0 ** (power + 4)]


def carries(rng):
    """Draws values that gain a digit when rounded: 9.99995, 99.995 …"""
    places = rng.randrange(9)
    values = [10.0 ** rng.randrange(-6, 10) - 0.5 * 10.0**-places for _ in range(3)]
    values += [(1 - 0.5 * 10.0 ** -(places + 1)) * 10.0 ** rng.randrange(-9, 12) for _ in range(3)]
    return [near for value in values if value for near in neighbours(value)]


def limits(rng):
    """Draws the smallest or the largest value that is not scientific, among values that let it decide."""
    edge, low, high = rng.choice(((1e-4, 1e-4, 9e-2), (1e8, 1.1e5, 1e8)))
    return neighbours(edge) + [edge] * 5 + [rng.uniform(low, high) for _ in range(2)]


def whole(rng):
    top = 10 ** rng.randrange(1, 11)
    return [float(rng.randrange(top)) for _ in range(6)] + [float(rng.choice(INTEGERS))]


def ordinary(rng):
    scale = 10.0 ** rng.choice([0, 0, 0, rng.randrange(-5, 5), rng.randrange(-12, 12)])
    return [rng.gauss(0, 1) * scale for _ in range(8)]


def spread(rng):
    return [rng.random() * 10.0 ** rng.randrange(-40, 40) for _ in range(5)]


STRATEGIES = [ratios, ratios, limits, ties, ties, scientific_ties, scientific_ties, carries, whole, whole, spread]
STRATEGIES += [ordinary] * 3
STRATEGIES += [lambda rng: BORDERS, lambda rng: BORDERS + EXTREMES, lambda rng: EXTREMES, lambda rng: SPECIALS]


def float_palette(rng):
    """Draws a few doubles of one kind, from which a tensor's elements are drawn."""
    values = rng.choice(STRATEGIES)(rng)
    values = [rng.choice(values) for _ in range(rng.randrange(1, 9))]
    if rng.random() < 0.25:
        values += [rng.choice(SPECIALS) for _ in range(rng.randrange(1, 4))]
    signs = rng.choice([(1,), (1, -1), (-1,)])
    return [value * rng.choice(signs) for value in values]


def integer_palette(rng, dtype):
    bits = 8 * dtype.size
    low, high = (0, 2**bits - 1) if dtype.part in "BHIQ" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    edges = [low, low + 1, high, high - 1, 0, 1, -1]
    top = min(high, 10 ** rng.randrange(1, 20))
    kinds = [lambda: rng.choice(edges), lambda: rng.choice(INTEGERS), lambda: rng.randrange(-top, top + 1)]
    kind = rng.choice(kinds + [lambda: rng.choice(kinds)()])
    values = [kind() * rng.choice((1, 1, -1)) for _ in range(rng.randrange(1, 9))]
    return [min(max(value, low), high) for value in values]


def pack_part(value, letter):
    """Returns the bytes of one float. A value that is too large becomes an infinity, as in a conversion."""
    if letter == "b":
        return pack_part(value, "f")[2:]
    try:
        return struct.pack("<" + letter, value)
    except OverflowError:
        return struct.pack("<" + letter, math.copysign(INF, value))


def bits_palette(rng):
    """Draws a few bytes, of similar size or any, often with bytes that are special in some dtype."""
    around, spread = rng.randrange(256), rng.choice((1, 4, 12, 256))
    values = [(around + rng.randrange(spread)) % 256 ^ rng.choice((0, 0, 0x80)) for _ in range(rng.randrange(1, 9))]
    if rng.random() < 0.4:
        values += rng.choices((0, 0x80, 0x7F, 0xFF, 0x7C, 0xFC, 0x7E, 1), k=rng.randrange(1, 4))
    return values


def random_bits(rng, dtype, count):
    if dtype.family == "bool":
        return bytes(rng.choices((0, 1), k=count))
    return rng.randbytes(dtype.size * count)


def random_data(rng, dtype, count):
    """Draws the bytes of `count` elements."""
    if dtype.family == "bool" or rng.random() < 0.08:
        return random_bits(rng, dtype, count)
    if dtype.family == "bits":
        return bytes(rng.choices(bits_palette(rng), k=count))
    if dtype.family == "int":
        values = rng.choices(integer_palette(rng, dtype), k=count)
        return b"".join(struct.pack("<" + dtype.part, value) for value in values)
    real = [pack_part(value, dtype.part) for value in float_palette(rng)]
    if dtype.family == "float":
        return b"".join(rng.choices(real, k=count))
    imaginary = [pack_part(value, dtype.part) for value in float_palette(rng)]
    return b"".join(rng.choice(real) + rng.choice(imaginary) for _ in range(count))


def parts_of(data, dtype):
    """Returns the numbers in some bytes. Real and imaginary parts of complex elements alternate."""
    if dtype.part == "b" and dtype.family != "int":
        data = b"".join(b"\0\0" + data[i : i + 2] for i in range(0, len(data), 2))
        return [value for (value,) in struct.iter_unpack("<f", data)]
    return [value for (value,) in struct.iter_unpack("<" + dtype.part, data)]
