"""Draws seeded random cases of everything that pyrepr prints."""

from typing import NamedTuple, Optional

import texts
from values import DTYPES, FLOAT8, float_palette, integer_palette, random_data

NO_THRESHOLD = 2**63 - 1
MOST_SHOWN = 1500  # elements; a case with more would take milliseconds


class Options(NamedTuple):
    precision: int = 4
    threshold: int = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: Optional[bool] = None
    default_dtype: str = "float32"


class Strided(NamedTuple):
    """A strided tensor whose storage holds no other data."""

    dtype: str
    sizes: tuple
    strides: tuple
    offset: int
    data: bytes


class Case(NamedTuple):
    kind: str
    options: Options = Options()
    tensors: tuple = ()  # the tensors that make up the value
    integers: tuple = ()  # the sizes of a sparse tensor, a zero point, an axis, digits, an int …
    real: float = 0.0  # a scale, a float
    text: bytes = b""  # a string, a format spec, names
    trees: tuple = ()  # the Node of a container or of a module


def numel(sizes):
    count = 1
    for size in sizes:
        count *= size
    return count


def contiguous(sizes):
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def dense(rng, dtype, sizes):
    """Returns a contiguous tensor."""
    return Strided(dtype, tuple(sizes), contiguous(sizes), 0, random_data(rng, DTYPES[dtype], numel(sizes)))


def int64s(sizes, values):
    data = b"".join(value.to_bytes(8, "little", signed=True) for value in values)
    return Strided("int64", tuple(sizes), contiguous(sizes), 0, data)


def random_sizes(rng, ranks=range(6)):
    rank = rng.choices(ranks, [(10, 38, 26, 14, 7, 5)[rank] for rank in ranks])[0]
    budget = rng.choices((12, 40, 150, 3000), (780, 200, 18, 2))[0]
    sizes = []
    for _ in range(rank):
        size = 0 if rng.random() < 0.03 else rng.randint(1, max(1, min(budget, rng.choice((2, 3, 7, budget)))))
        budget //= max(size, 1)
        sizes.append(size)
    rng.shuffle(sizes)
    return tuple(sizes)


def random_view(rng, dtype, sizes):
    """Draws a tensor that is contiguous, transposed, sliced with steps, expanded or off the start of its storage."""
    if max(sizes, default=0) < 1000 and rng.random() < 0.4:
        return dense(rng, dtype, sizes)
    dims = list(range(len(sizes)))
    if rng.random() < 0.6:
        rng.shuffle(dims)
    strides, step = [0] * len(sizes), 1
    for dim in reversed(dims):
        if sizes[dim] >= 1000 or rng.random() < 0.12:
            continue  # expanded
        step *= rng.choice((1, 1, 1, 2, 3))
        strides[dim] = step
        step *= max(sizes[dim], 1)
    offset = rng.choice((0, 0, 1, 5))
    extent = sum((size - 1) * stride for size, stride in zip(sizes, strides)) + 1 if numel(sizes) else 0
    return Strided(dtype, tuple(sizes), tuple(strides), offset, random_data(rng, DTYPES[dtype], offset + extent))


def random_options(rng):
    if rng.random() < 0.25:
        return Options()

    def vary(default, values):
        return default if rng.random() < 0.3 else rng.choice(values)

    return Options(
        precision=vary(4, (0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 10, 15, 17, 20, 60)),
        threshold=vary(1000, (0, 1, 2, 3, 4, 5, 6, 8, 11, 12, 20, 100, 1000, NO_THRESHOLD)),
        edgeitems=vary(3, (0, 1, 1, 1, 2, 2, 3, 4, 5, 10)),
        linewidth=vary(80, (0, 1, 8, 10, 79, 81, 200, 1000) + (rng.randrange(5, 60), rng.randrange(20, 140)) * 4),
        sci_mode=vary(None, (None, True, False)),
        default_dtype=vary("float32", ("float32",) * 7 + ("float64",)),
    )


def bounded(options, sizes):
    """Returns options under which a tensor's text is short and PyTorch 1.13 can print it.

    PyTorch 1.13 throws for a summarised matrix if edgeitems is 0.
    """
    if len(sizes) > 1 and options.edgeitems == 0:
        options = options._replace(edgeitems=1)
    if numel(sizes) <= MOST_SHOWN:
        return options
    options = options._replace(threshold=min(options.threshold, 1000), edgeitems=options.edgeitems or 1)
    shown = numel([min(size, 2 * options.edgeitems) for size in sizes])
    return options if shown <= MOST_SHOWN else options._replace(edgeitems=1)


ANY_DTYPE = list(DTYPES) + ["float32"] * 6 + ["float64"] * 3 + ["int64", "complex64", "bool"]
DIFFERENTIABLE = ["float32", "float64", "float16", "bfloat16", "complex64", "complex128"] + FLOAT8
HAS_ITEM = [name for name in ANY_DTYPE if name not in ("complex32", "float4_e2m1fn_x2")]
DTYPES_OF = {
    "requires_grad": DIFFERENTIABLE,
    "grad_fn": DIFFERENTIABLE,
    "parameter": DIFFERENTIABLE,
    "conj": ["complex64", "complex128"],
    "neg": ["float32", "float64", "complex64", "complex128", "int64", "int8"],
}


def large_sizes(rng, sizes, in_place):
    """Makes some sizes large, without storing most elements. They stay smaller if PyTorch copies the whole tensor."""
    large = tuple(rng.choice((size, 1000, 1001, 4097, 10**9 if in_place else 1000)) for size in sizes)
    most = 2**60 if in_place else 2 * 10**5
    return large if numel([size or 1 for size in large]) < most else (1001,) + (2,) * (len(sizes) - 1)


def strided_case(rng, kind):
    sizes = random_sizes(rng)
    dtype = rng.choice(DTYPES_OF.get(kind, ANY_DTYPE))
    sizes = (1,) if dtype == "float4_e2m1fn_x2" and not sizes else sizes  # PyTorch cannot print it as 0-d
    if rng.random() < 0.02 and sizes:
        sizes = large_sizes(rng, sizes, kind == "dense" and dtype in ("float32", "float64", "int64"))
    return Case(kind, bounded(random_options(rng), sizes), (random_view(rng, dtype, sizes),))


def names_case(rng, kind):
    case = strided_case(rng, kind)
    names = [rng.choice(("None", letter, "batch_" + letter)) for letter in "NCHWD"]
    return case._replace(text=",".join(names[: len(case.tensors[0].sizes)]).encode())


def meta_case(rng, kind):
    return Case(kind, random_options(rng), (Strided(rng.choice(ANY_DTYPE), (0,), (1,), 0, b""),), random_sizes(rng))


def format_tensor_case(rng, kind):
    sizes = () if rng.random() < 0.95 else (1,)
    tensor = random_view(rng, rng.choice(HAS_ITEM), sizes)
    return Case(kind, tensors=(tensor,), text=texts.random_spec(rng))


def nested_case(rng, kind):
    rank = rng.randrange(1, 4)
    parts = [dense(rng, "float32", random_sizes(rng, [rank])) for _ in range(rng.randrange(1, 4))]
    return Case(kind, bounded(random_options(rng), (0, 0)), tuple(parts))


def float_case(rng, kind):
    value = rng.choice(float_palette(rng))
    spec = texts.random_spec(rng) if kind == "format_float" else b""
    digits = rng.choice((rng.randrange(-3, 8), rng.randrange(-330, 340), rng.randrange(0, 20)))
    return Case(kind, integers=(digits,) if kind == "round" else (), real=value, text=spec)


def integer_case(rng, kind):
    value = rng.randrange(2) if kind == "format_bool" else rng.choice(integer_palette(rng, DTYPES["int64"]))
    return Case(kind, integers=(value,), text=texts.random_spec(rng))


def string_case(rng, kind):
    return Case(kind, text=texts.random_text(rng))


def size_case(rng, kind):
    return Case(kind, integers=random_sizes(rng))
