"""Shrinks a failing case: it removes whatever can go while the two sides still differ."""

import itertools
import struct

from cases import Options, Strided, bounded, contiguous, numel
from sides import compare
from trees import simpler
from values import DTYPES

MOST_STEPS = 1000  # counted and not timed, so that a busy machine shrinks as far
FEW = 40  # the most elements that are stored one by one
BATCH = 20  # candidates that are tried at a time
RESHAPED = ("dense", "requires_grad", "grad_fn", "parameter", "conj", "neg", "quantized", "format_tensor")


def offsets(tensor):
    """Returns the offset in the storage of each element, in order."""
    places = [tensor.offset]
    for size, stride in zip(tensor.sizes, tensor.strides):
        places = [place + i * stride for place in places for i in range(size)]
    return places


def gathered(tensor):
    """Returns the same elements, contiguous."""
    size = DTYPES[tensor.dtype].size
    data = b"".join(tensor.data[place * size : (place + 1) * size] for place in offsets(tensor))
    return Strided(tensor.dtype, tensor.sizes, contiguous(tensor.sizes), 0, data)


def smaller_views(tensor):
    """Yields smaller tensors: one index of a dimension, half of it, all but an end, or the elements stored anew.

    Many elements are replaced by the first of them.
    """
    for dim, (size, stride) in enumerate(zip(tensor.sizes, tensor.strides)):
        without = (tensor.sizes[:dim] + tensor.sizes[dim + 1 :], tensor.strides[:dim] + tensor.strides[dim + 1 :])
        for start in range(min(size, 8)):
            yield tensor._replace(sizes=without[0], strides=without[1], offset=tensor.offset + start * stride)
        halves = [(0, size // 2), (size // 2, size - size // 2), (0, size - 1), (1, size - 1)]
        for start, length in halves if size > 1 else []:
            sizes = tensor.sizes[:dim] + (length,) + tensor.sizes[dim + 1 :]
            yield tensor._replace(sizes=sizes, offset=tensor.offset + start * stride)
    if numel(tensor.sizes) > FEW:
        element = gathered(tensor._replace(sizes=(), strides=())).data
        yield tensor._replace(strides=(0,) * len(tensor.strides), offset=0, data=element)
    else:
        yield gathered(tensor)
        yield gathered(tensor)._replace(sizes=(numel(tensor.sizes),), strides=(1,))


def simple_parts(dtype):
    """Returns the two simplest elements, 0 and 1."""
    zero = bytes(dtype.size)
    if dtype.family in ("int", "bool", "bits"):
        return [zero, b"\1" + zero[1:]]
    one = {"b": b"\x80\x3f"}.get(dtype.part) or struct.pack("<" + dtype.part, 1.0)
    return [zero, (one + zero)[: dtype.size]]


def simpler_elements(tensor):
    dtype = DTYPES[tensor.dtype]
    size = dtype.size
    for place in range(min(len(tensor.data) // size, 60)):
        old = tensor.data[place * size : (place + 1) * size]
        simple = simple_parts(dtype)
        for new in simple[: simple.index(old)] if old in simple else simple:
            yield tensor._replace(data=tensor.data[: place * size] + new + tensor.data[(place + 1) * size :])


def simpler_options(options):
    if options != Options():
        yield Options()
    for field, default in Options()._asdict().items():
        if getattr(options, field) != default:
            yield options._replace(**{field: default})


def simpler_values(case):
    for i in range(len(case.text)):
        if case.kind != "names":
            yield case._replace(text=case.text[:i] + case.text[i + 1 :])
    for real in (0.0, 1.0, float(round(case.real, 3)), case.real / 2):
        if case.kind in ("float", "round", "format_float") and 0 <= real < case.real:
            yield case._replace(real=real)
    for digits in (0, 1):
        if case.kind in ("round", "format_int") and digits < case.integers[0]:
            yield case._replace(integers=(digits,))


def candidates(case):
    """Yields cases that are simpler by one step, the largest steps first."""
    for options in simpler_options(case.options):
        yield case._replace(options=options)
    for place, tensor in enumerate(case.tensors if case.trees else ()):
        for smaller in smaller_views(tensor):
            yield case._replace(tensors=case.tensors[:place] + (smaller,) + case.tensors[place + 1 :])
    if case.kind in RESHAPED:
        for tensor in smaller_views(case.tensors[0]):
            yield case._replace(tensors=(tensor,) + case.tensors[1:])
        if case.kind not in ("dense", "format_tensor", "quantized"):
            yield case._replace(kind="dense")
    for tree in case.trees:
        yield from (case._replace(trees=(simple,)) for simple in simpler(tree))
    yield from simpler_values(case)
    for i, tensor in enumerate(case.tensors):
        if tensor.dtype != "int64" or case.kind in RESHAPED or case.trees:  # int64 tensors are indices
            for simple in simpler_elements(tensor):
                yield case._replace(tensors=case.tensors[:i] + (simple,) + case.tensors[i + 1 :])


def statuses(difference):
    return difference.expected.status, difference.actual.status


def printable(case):
    """Returns whether the generator might draw this case: PyTorch can print it, and quickly."""
    return all(bounded(case.options, tensor.sizes) == case.options for tensor in case.tensors)


def first_smaller(program, difference, oracle, seen):
    """Returns the first candidate that still differs in the same way, or None if there is none."""
    fresh = (case for case in candidates(difference.case) if case not in seen and printable(case))
    while batch := list(itertools.islice(fresh, BATCH)):
        seen.update(batch)
        for found in compare(program, [(difference.number, case) for case in batch], oracle):
            if statuses(found) == statuses(difference):
                return found
    return None


def shrunk(program, difference, oracle):
    """Returns the smallest difference that so many single steps reach."""
    seen = {difference.case}
    for _ in range(MOST_STEPS):
        smaller = first_smaller(program, difference, oracle, seen)
        if smaller is None:
            break
        difference = smaller
    return difference
