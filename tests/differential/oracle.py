"""Prints a case with PyTorch and Python."""

import math
import pathlib
import sys
import warnings

import torch

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "pyrepr"))
from judge import NAMESPACE, pretty
from record import Answer
from tree_text import python_text
from values import DTYPES

warnings.filterwarnings("ignore")
torch.set_num_threads(1)

LAYOUTS = {"csr": torch.sparse_csr, "csc": torch.sparse_csc, "bsr": torch.sparse_bsr, "bsc": torch.sparse_bsc}
TORCH_DTYPES = {name: getattr(torch, name) for name in DTYPES}


def strided(tensor):
    """Returns a tensor over exactly these bytes."""
    dtype = TORCH_DTYPES[tensor.dtype]
    data = bytearray(tensor.data)
    base = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
    return base.as_strided(tensor.sizes, tensor.strides, tensor.offset)


def sparse_coo(case, tensors):
    coo = torch.sparse_coo_tensor(*tensors, case.integers)
    return coo.coalesce() if case.kind == "coo_coalesced" else coo


def compressed(case, tensors):
    return torch.sparse_compressed_tensor(*tensors, case.integers, layout=LAYOUTS[case.kind])


def meta(case):
    return torch.empty(case.integers, dtype=TORCH_DTYPES[case.tensors[0].dtype], device="meta")


def names(case, tensors):
    given = case.text.decode().split(",") if case.text else []
    return tensors[0].rename(*(None if name == "None" else name for name in given))


TENSOR_OF = {
    "dense": lambda case, t: t[0],
    "requires_grad": lambda case, t: t[0].requires_grad_(),
    "grad_fn": lambda case, t: t[0].requires_grad_().clone(),
    "parameter": lambda case, t: torch.nn.Parameter(t[0]),
    "conj": lambda case, t: t[0].conj(),
    "neg": lambda case, t: torch._neg_view(t[0]),
    "names": names,
    "coo": sparse_coo,
    "coo_coalesced": sparse_coo,
    **{layout: compressed for layout in LAYOUTS},
    "quantized": lambda case, t: torch._make_per_tensor_quantized_tensor(t[0], case.real, case.integers[0]),
    "per_channel": lambda case, t: torch._make_per_channel_quantized_tensor(*t, case.integers[0]),
    "nested": lambda case, t: torch.nested.nested_tensor(list(t)),
}

PLAIN = {
    "meta": lambda case: repr(meta(case)),
    "format_tensor": lambda case: format(strided(case.tensors[0]), case.text.decode()),
    "float": lambda case: repr(case.real),
    "round": lambda case: repr(round(case.real, case.integers[0])),
    "format_float": lambda case: format(case.real, case.text.decode()),
    "format_int": lambda case: format(case.integers[0], case.text.decode()),
    "format_bool": lambda case: format(bool(case.integers[0]), case.text.decode()),
    "string": lambda case: repr(case.text.decode("utf-8", "surrogateescape")),
    "size": lambda case: repr(torch.Size(case.integers)),
}


def tree_text(case):
    """Evaluates the expression of a tree, with the names that judge.py of tests/pyrepr knows."""
    tensors = [strided(tensor) for tensor in case.tensors]
    names = [f"t[{place}]" for place in range(len(tensors))]
    shown = pretty if case.kind.startswith("pretty") else repr
    return shown(eval(python_text(case.trees[0], names), {**NAMESPACE, "t": tensors}))


def text_of(case):
    if case.trees:
        return tree_text(case)
    if case.kind in PLAIN:
        return PLAIN[case.kind](case)
    return repr(TENSOR_OF[case.kind](case, [strided(tensor) for tensor in case.tensors]))


def answer(case):
    """Returns the text, or the exception, under the case's options."""
    precision, threshold, edgeitems, linewidth, sci_mode, default = case.options
    threshold = math.inf if threshold == 2**63 - 1 else threshold
    torch.set_default_dtype(TORCH_DTYPES[default])
    torch.set_printoptions(precision, threshold, edgeitems, linewidth, sci_mode=sci_mode)
    try:
        return Answer("text", text_of(case))
    except Exception as error:
        return Answer("raises", f"{type(error).__name__}: {error}")
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_printoptions(profile="default")
