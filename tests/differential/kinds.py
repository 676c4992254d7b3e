"""Defines the kinds of cases, how often each is drawn, and which case a seed and a number stand for."""

import random
import struct
from importlib.util import find_spec

import cases
import torch
from cases import Case, bounded, dense, int64s, random_options, random_sizes
from module_trees import module_case
from trees import container_case
from values import FLOAT8

QUANTIZED = {"uint8": "quint8", "int8": "qint8", "int32": "qint32"}
SPARSE_DTYPES = ["float32"] * 4 + ["float64"] * 2
SPARSE_DTYPES += ["int64", "int32", "uint8", "bool", "float16", "bfloat16", "complex64"] + FLOAT8


def coo_case(rng, kind):
    sizes = random_sizes(rng, range(1, 5))
    sparse_dim = rng.randint(1, len(sizes))
    nnz = 0 if 0 in sizes[:sparse_dim] else rng.randrange(6)
    indices = int64s((sparse_dim, nnz), [rng.randrange(size) for size in sizes[:sparse_dim] for _ in range(nnz)])
    dtypes = ["float32", "float64", "int64"] if kind == "coo_coalesced" else SPARSE_DTYPES
    values = dense(rng, rng.choice(dtypes), (nnz,) + sizes[sparse_dim:])
    options = bounded(random_options(rng), (nnz, max(len(values.sizes), 2)))
    return Case(kind, options, (indices, values), sizes)


def compressed_case(rng, kind):
    """Draws a CSR, CSC, BSR or BSC tensor."""
    compressed, plain, most = rng.randrange(5), rng.randrange(5), 0 if rng.random() < 0.1 else 3
    rows = [sorted(rng.sample(range(plain), rng.randint(0, min(plain, most)))) for _ in range(compressed)]
    ends = [0]
    for row in rows:
        ends.append(ends[-1] + len(row))
    block = (rng.randint(1, 3), rng.randint(1, 3)) if kind in ("bsr", "bsc") else ()
    values = dense(rng, rng.choice(SPARSE_DTYPES), (ends[-1],) + block)
    shape = (compressed, plain) if kind in ("csr", "bsr") else (plain, compressed)
    sizes = tuple(size * factor for size, factor in zip(shape, block or (1, 1)))
    parts = (int64s((len(ends),), ends), int64s((ends[-1],), [index for row in rows for index in row]), values)
    return Case(kind, bounded(random_options(rng), values.sizes), parts, sizes)


def random_scale(rng):
    return rng.choice((0.1, 1.0, 0.5, 1e-5, 2.0**-7, 1 / 3, 12345.678, rng.random(), 10.0 ** rng.randrange(-8, 8)))


def quantized_case(rng, kind):
    sizes = random_sizes(rng)
    tensor = dense(rng, rng.choice(list(QUANTIZED)), sizes)
    return Case(kind, bounded(random_options(rng), sizes), (tensor,), (rng.randrange(0, 100),), random_scale(rng))


def per_channel_case(rng, kind):
    sizes = random_sizes(rng, range(1, 5))
    axis = rng.randrange(len(sizes))
    scales = b"".join(struct.pack("<d", random_scale(rng)) for _ in range(sizes[axis]))
    scales = cases.Strided("float64", (sizes[axis],), (1,), 0, scales)
    points = int64s((sizes[axis],), [rng.randrange(100) for _ in range(sizes[axis])])
    tensor = dense(rng, rng.choice(("uint8", "int8")), sizes)
    return Case(kind, bounded(random_options(rng), sizes), (tensor, scales, points), (axis,))


# Each kind, how often in a thousand it is drawn, and the function that draws it.
KINDS = [
    ("dense", 590, cases.strided_case),
    ("requires_grad", 25, cases.strided_case),
    ("grad_fn", 15, cases.strided_case),
    ("parameter", 10, cases.strided_case),
    ("conj", 15, cases.strided_case),
    ("neg", 15, cases.strided_case),
    ("names", 15 if hasattr(torch.Tensor, "names") else 0, cases.names_case),
    ("meta", 15, cases.meta_case),
    ("coo", 20, coo_case),
    ("coo_coalesced", 10, coo_case),
    ("csr", 10, compressed_case),
    ("csc", 10, compressed_case),
    ("bsr", 10, compressed_case),
    ("bsc", 10, compressed_case),
    ("quantized", 20, quantized_case),
    ("per_channel", 15, per_channel_case),
    ("nested", 5, cases.nested_case),
    ("format_tensor", 15, cases.format_tensor_case),
    ("float", 15, cases.float_case),
    ("round", 15, cases.float_case),
    ("format_float", 20, cases.float_case),
    ("format_int", 10, cases.integer_case),
    ("format_bool", 5, cases.integer_case),
    ("string", 20, cases.string_case),
    ("size", 5, cases.size_case),
    ("container", 40, container_case),
    ("ivalue", 20, container_case),
    ("pretty_container", 30 if find_spec("IPython") else 0, container_case),
    ("pretty_ivalue", 10 if find_spec("IPython") else 0, container_case),
    ("module", 40, module_case),
]
NAMES = [name for name, _, _ in KINDS]
WEIGHTS = [weight for _, weight, _ in KINDS]
DRAW = {name: draw for name, _, draw in KINDS}


def make_case(seed, number, kinds=None):
    """Returns the case of a number under a seed and a PyTorch, independent of the machine and of earlier cases.

    It is one of these kinds, each of which is drawn as often, or of any.
    """
    rng = random.Random(seed << 64 | number)
    kind = rng.choice(kinds) if kinds else rng.choices(NAMES, WEIGHTS)[0]
    return DRAW[kind](rng, kind)
