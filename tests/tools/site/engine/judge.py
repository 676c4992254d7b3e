"""Answers the tests of the engine with what PyTorch computes, draws and prints: judge.py QUESTION NUMBER.

Numbers are texts as Python writes them, because JSON has neither nan nor inf, and JavaScript loses digits of int64."""
import ast
import base64
import contextlib
import io
import json
import pathlib
import random
import re
import struct
import sys

import torch
from IPython.lib.pretty import pretty

torch.set_num_threads(1)
INFINITE = (float("inf"), float("-inf"), float("nan"))


def written(tensor):
    return {"dtype": str(tensor.dtype)[6:], "shape": list(tensor.shape), "values": [repr(x) for x in tensor.flatten().tolist()]}


# ---------------------------------------------------------------- printing

def shapes(largest):
    sizes = (1, 2, 3, 4, 5, 8) if random.random() < 0.7 else (0, 1, 2, 3, 5, 7, 11, 14)
    if random.random() < 0.08:
        return random.choice(([random.choice((999, 1000, 1001, 1100))], [12, 200], [8, 12, 20], [7, 20, 8], [3, 400], [1, 6, 6, 40]))
    return [random.choice(sizes) for _ in range(random.choice(range(largest + 1)))]


def any_float():
    kind = random.random()
    if kind < 0.4:
        return random.uniform(-2, 2)
    if kind < 0.5:
        return float(random.randint(-20, 20))
    if kind < 0.6:
        return random.choice(INFINITE + (0.0, -0.0))
    if kind < 0.75:
        return 10 ** random.uniform(-12, 12) * random.choice((1, -1))
    if kind < 0.85:
        return random.choice((1e8, 100000008.0, 1e-4, 9.99999e-5, 1000.0, 1001.0, 0.00005, 0.03125, 0.99995, 0.5, 1.5, 1e38, 1e-45))
    return struct.unpack("f", struct.pack("I", random.getrandbits(32)))[0]


def floats(count):
    size = 10 ** random.uniform(-7, 9)
    return random.choice((
        lambda: random.uniform(-3, 3),
        lambda: float(random.randint(0, 12)),
        lambda: random.randint(-64, 64) / random.choice((1, 2, 32, 1024)),  # halves of the last decimal
        lambda: random.uniform(-size, size),
        lambda: (random.randint(10 ** 4, 10 ** 5) * 2 + 1) * 5.0 * 10 ** random.randint(0, 6),  # halves in scientific
        any_float,
    ) if count < 400 else (lambda: random.uniform(-3, 3), any_float)), count


def filled(shape, dtype):
    count = 1
    for length in shape:
        count *= length
    if dtype.is_floating_point:
        draw, count = floats(count)
        values = [draw() for _ in range(count)]
    elif dtype == torch.int64:
        size = 10 ** random.randint(0, 15)
        values = [random.randint(-size, size) for _ in range(count)]
    else:
        values = [random.random() < 0.5 for _ in range(count)]
    return torch.tensor(values, dtype=dtype).reshape(shape)


def printing(cases):
    for _ in range(cases):
        dtype = random.choice((torch.float32,) * 4 + (torch.float64, torch.int64, torch.bool))
        tensor = filled(shapes(4), dtype)
        if random.random() < 0.2 and tensor.dim() > 1:
            tensor = tensor.transpose(0, -1)
        yield {**written(tensor), "repr": repr(tensor), "format": f"{tensor}"}
    for _ in range(cases // 10):  # a suffix may begin a line
        tensor = torch.randn(random.randint(1, 12), requires_grad=True)
        yield {**written(tensor.detach()), "repr": repr(tensor), "suffixes": ["requires_grad=True"]}


def python_floats(cases):
    for _ in range(cases):
        value = random.choice((any_float(), struct.unpack("d", struct.pack("Q", random.getrandbits(64)))[0]))
        spec = "".join(map(random.choice, (("", "<", ">", "^"), ("", "+"), ("", "3", "12"), ("", ","), (".0f", ".2f", "f", ".3e", "e", ".1%", ".3g", "g", ""))))
        places = random.randint(1, 5)
        formed = {"value": repr(value), "spec": spec, "formed": f"{value:{spec}}", "places": places, "rounded": repr(round(value, places))}
        if value == value and abs(value) != float("inf"):
            yield {"bits": struct.pack("<d", value).hex(), "repr": repr(value), "fixed": "%.3f" % value if abs(value) < 1e30 else None,
                   "scientific": "%.3e" % value, **formed}


# ---------------------------------------------------------------- draws

def typed(_):
    """Yields what torch.tensor makes of numbers, and torch.manual_seed of seeds."""
    for text in ("1/3", "-2/7", "nan", "inf", "-inf", "1e40", "-1e40", "3.4028235677973366e38", "3.4028235e38", "1e-50", ".5", "5.",
                 "+5", "-0.0", "0.1", "16777217", "1e3"):
        value = eval(text, {"nan": float("nan"), "inf": float("inf")})
        whole = repr(int(torch.tensor([value], dtype=torch.int64))) if abs(value) < 2 ** 53 else None
        yield {"text": text, "float32": written(torch.tensor([float(value)])), "int64": whole}
    for text in ("0", "-1", "-2", "2**63-1", "2**63", "2**64-1", "2**64", "-2**63", "-2**63-1", "3.7", "-3.7", "1e3", "1e19", "1e20", "2**32+5",
                 "2**53+1", "0xdeadbeef", "-0x10", "nan", "inf"):
        seed = eval(text, {"nan": float("nan"), "inf": float("inf")})
        text = str(seed) if "**" in text else text
        try:
            torch.manual_seed(seed)
            yield {"seed": text, "is": str(torch.initial_seed()), "values": written(torch.rand(3))}
        except (RuntimeError, ValueError, OverflowError):
            yield {"seed": text, "is": None}


def draws(seeds):
    """Yields what each seed draws, in calls that share one generator. A randn below 16 elements keeps a number."""
    for number in range(seeds):
        seed = random.Random(number).getrandbits(40) if number % 2 else number
        torch.manual_seed(seed)
        ones = torch.ones(5)
        tensors = [torch.rand(3), torch.randn(3), torch.randint(-5, 100, (3,)), torch.randn(2, 2), torch.randn(2, 8), torch.randn(19),
                   torch.randperm(4), torch.randint(0, 2 ** 40, (2,)), torch.bernoulli(torch.full((4,), 0.3)), torch.rand(2),
                   torch.empty(5).uniform_(-0.7, 1.3), torch.empty(5).normal_(2, 0.3), torch.empty(2, 9).normal_(-1, 0.02),
                   torch.empty(5).exponential_(), torch.empty(5).bernoulli_(0.4), torch.dropout(ones * 3, 0.3, True),
                   torch.multinomial(torch.tensor([[0.1, 0.5, 0.4], [0.3, 0.3, 0.4]]), 1), torch.multinomial(torch.tensor([0.1, 0.5, 0.4]), 2),
                   torch.normal(ones, torch.arange(5.0)), torch.rand(2)]
        yield {"seed": seed, "values": ["" .join(f"{x.item():.17g} " for x in one.flatten()) for one in tensors]}


# ---------------------------------------------------------------- operations

def operand(shape, dtype=torch.float32):
    if dtype.is_floating_point:
        return torch.randn(shape, dtype=dtype) * random.choice((1, 1, 1, 10))
    if dtype == torch.int64:
        return torch.randint(-9, 10, shape)
    return torch.rand(shape) < 0.5


def view_of(tensor):
    """Returns a view with other strides, or the tensor itself."""
    if tensor.dim() >= 2 and random.random() < 0.3:
        return tensor.transpose(0, -1)
    if tensor.dim() >= 1 and tensor.shape[0] > 2 and random.random() < 0.2:
        return tensor[1:]
    return tensor


def some(rank=None, dtype=None):
    rank = random.choice((1, 1, 2, 2, 2, 3, 4)) if rank is None else rank
    dtype = dtype or random.choice((torch.float32,) * 4 + (torch.int64,))
    return view_of(operand([random.choice((1, 2, 3, 4, 5, 7, 8, 9, 16, 17)) for _ in range(rank)], dtype))


def pair():
    """Two operands that can be broadcast."""
    a = some()
    shape = [length if random.random() < 0.7 else 1 for length in a.shape]
    return a, operand(shape[random.choice((0, 0, len(shape) - 1, len(shape))):], random.choice((torch.float32, a.dtype, torch.int64)))


def number():
    return random.choice((2, -3, 0.5, -1.25, 0.1))


def dim_of(x):
    return random.randrange(-x.dim(), x.dim())


def dims_of(x):
    return random.sample(range(x.dim()), random.randint(1, x.dim()))


def matrices(batches, inner):
    m, n = random.choice((1, 2, 3, 6, 8, 17)), random.choice((1, 2, 3, 6, 8, 17))
    left = random.choice(([m], [])) if not batches else [m]
    right = random.choice(([n], [])) if not batches else [n]
    return view_of(operand(batches + left + [inner])), operand(batches + [inner] + right)


def makers():
    """Name, arguments, and how far a result may be from LibTorch's: an int counts float32 numbers, a float is an absolute error,
    "adds" says that kernels add in different orders."""
    float_, whole = torch.float32, torch.int64
    yield from (("aten::" + name, lambda: pair(), 0) for name in (
        "mul.Tensor", "div.Tensor", "maximum", "minimum", "eq.Tensor", "ne.Tensor", "lt.Tensor", "le.Tensor", "gt.Tensor", "ge.Tensor"))
    yield from (("aten::" + name, lambda: (some(), number()), 0) for name in (
        "mul.Scalar", "div.Scalar", "eq.Scalar", "lt.Scalar", "add.Scalar", "rsub.Scalar"))
    yield "aten::add.Tensor", lambda: pair(), 0
    yield "aten::sub.Tensor", lambda: pair(), 0
    yield "aten::remainder.Scalar", lambda: (some(dtype=whole), random.choice((3, -4))), 0
    yield "aten::floor_divide", lambda: (some(dtype=whole), torch.tensor(random.choice((3, -4)))), 0
    yield "aten::where.self", lambda: (lambda x: (x > 0, x, operand(x.shape)))(some(dtype=float_)), 0
    yield "aten::masked_fill.Scalar", lambda: (lambda x: (x, x > 0, random.choice((float("-inf"), 0.5))))(some(dtype=float_)), 0
    yield "aten::clamp", lambda: (some(dtype=float_), -0.5, random.choice((None, 0.75))), 0
    yield "aten::allclose", lambda: (lambda x: (x, x + random.choice((0, 1e-9, 1e-6, 1e-3)), 1e-5, 1e-8, False))(some(dtype=float_)), 0
    for name in ("exp", "sqrt", "neg", "abs", "relu", "floor", "ceil", "round", "sign", "reciprocal"):
        yield "aten::" + name, lambda: (some(dtype=float_),), 0
    for name in ("log", "sin", "cos", "tanh", "sigmoid", "silu", "rsqrt", "expm1", "log1p"):
        yield "aten::" + name, lambda: (some(dtype=float_),), 8
    # The erf of PyTorch 2.6 and 2.14 is up to 4.8e-7 apart from the exact one, wherever it is.
    yield "aten::erf", lambda: (some(dtype=float_),), 8 if torch.__version__.startswith("1.") else 1e-6
    yield "aten::gelu", lambda: (some(dtype=float_),), 1e-6
    yield "aten::pow.Tensor_Scalar", lambda: (some(dtype=float_), 2), 0
    yield "aten::pow.Tensor_Scalar", lambda: (some(dtype=float_), 3), 8
    yield "aten::sum", lambda: (some(),), 0
    yield "aten::sum.dim_IntList", lambda: (lambda x: (x, dims_of(x), random.random() < 0.5))(some()), 0
    yield "aten::sum.dim_IntList", lambda: (lambda x: (x, dims_of(x), False))(operand([random.choice((33, 64, 300, 1100)), random.choice((1, 3, 40))])), 0
    yield "aten::mean.dim", lambda: (lambda x: (x, dims_of(x), random.random() < 0.5))(some(dtype=float_)), 0
    yield "aten::softmax.int", lambda: (lambda x: (x, x.dim() - 1))(some(dtype=float_)), 0
    yield "aten::softmax.int", lambda: (lambda x: (x, dim_of(x)))(some(dtype=float_)), 2
    yield "aten::log_softmax.int", lambda: (lambda x: (x, dim_of(x)))(some(dtype=float_)), 4e-6
    yield "aten::cumsum", lambda: (lambda x: (x, dim_of(x)))(some()), 0
    yield "aten::prod.dim_int", lambda: (lambda x: (x, dim_of(x)))(some(dtype=whole)), 0
    yield "aten::var.correction", lambda: (some(rank=2, dtype=float_), [1], 0), 8
    for name in ("max", "min"):
        yield f"aten::{name}", lambda: (some(),), 0
        yield f"aten::{name}.dim", lambda: (lambda x: (x, dim_of(x)))(some(dtype=float_)), 0
        yield f"aten::arg{name}", lambda: (lambda x: (x, dim_of(x)))(some(dtype=float_)), 0
    yield "aten::select.int", lambda: (lambda x, d: (x, d, random.randrange(-x.shape[d], x.shape[d])))(x := some(), dim_of(x)), 0
    yield "aten::slice.Tensor", lambda: (lambda x: (x, dim_of(x), random.randint(-4, 3), random.randint(-3, 9), random.choice((1, 2))))(some()), 0
    yield "aten::transpose.int", lambda: (lambda x: (x, dim_of(x), dim_of(x)))(some()), 0
    yield "aten::permute", lambda: (lambda x: (x, random.sample(range(x.dim()), x.dim())))(some()), 0
    yield "aten::reshape", lambda: (some(), [-1]), 0
    yield "aten::flatten.using_ints", lambda: (some(rank=3), 1), 0
    yield "aten::unsqueeze", lambda: (some(), random.choice((0, 1, -1))), 0
    yield "aten::squeeze", lambda: (some(),), 0
    yield "aten::expand", lambda: (operand([3, 1]), [2, -1, 4]), 0
    yield "aten::unbind.int", lambda: (lambda x: (x, dim_of(x)))(some()), 0
    yield "aten::split.Tensor", lambda: (lambda x: (x, 2, dim_of(x)))(some()), 0
    yield "aten::chunk", lambda: (lambda x: (x, 3, dim_of(x)))(some()), 0
    yield "aten::stack", lambda: (lambda x: ([x, x + 1, x], random.choice((0, 1, -1))))(some()), 0
    yield "aten::cat", lambda: (lambda x: ([x, x * 2], dim_of(x)))(some()), 0
    yield "aten::index_select", lambda: (some(rank=2), 0, torch.tensor([0, 0])), 0
    yield "aten::embedding", lambda: (operand([5, 3]), torch.randint(0, 5, [2, 3])), 0
    yield "aten::diagonal", lambda: (some(rank=2), random.randint(0, 1)), 0
    for name in ("logical_and", "logical_or", "bitwise_and.Tensor", "bitwise_or.Tensor"):
        yield "aten::" + name, lambda: (lambda x: (x, operand(x.shape, x.dtype)))(some(dtype=random.choice((whole, torch.bool)))), 0
    yield "aten::bitwise_not", lambda: (some(dtype=random.choice((whole, torch.bool))),), 0
    yield "aten::tril", lambda: (some(rank=random.choice((2, 3))), random.randint(-2, 2)), 0
    yield "aten::triu", lambda: (some(rank=random.choice((2, 3))), random.randint(-2, 2)), 0
    yield "aten::dot", lambda: (lambda k: (operand([k]), operand([k])))(random.choice((1, 3, 6, 17, 31))), "adds"
    yield "aten::matmul", lambda: matrices([], random.choice((1, 2, 3, 6, 17, 64))), "adds"
    yield "aten::matmul", lambda: matrices([2, 3], random.choice((3, 17))), "adds"
    yield "aten::matmul", lambda: (some(rank=2, dtype=float_), None), "batch"
    yield "aten::matmul", lambda: tuple(torch.randint(-9, 10, shape) for shape in ([3, 4], [4, 2])), 0
    yield "aten::linear", lambda: (operand([2, 5, 7]), operand([3, 7]), operand([3])), "adds"
    yield "aten::addmm", lambda: (operand([4]), operand([3, 5]), operand([5, 4])), "adds"
    yield "aten::arange.start_step", lambda: (random.randint(-3, 3), random.randint(4, 20), random.choice((1, 2, 3))), 0
    yield "aten::to.dtype", lambda: (operand([3, 4]) * 5, random.choice((whole, torch.bool, torch.float64))), 0
    yield "aten::linspace", lambda: (random.choice((0, -1, 0.5)), random.choice((1, 3.7)), random.choice((1, 2, 7, 30))), 1e-6
    yield "aten::layer_norm", lambda: (operand([3, 7]), [7], operand([7]), operand([7]), 1e-5), 1e-5
    yield "aten::unflatten.int", lambda: (operand([3, 8]), 1, [2, -1]), 0
    yield "aten::flip", lambda: (lambda x: (x, dims_of(x)))(some()), 0
    yield "aten::roll", lambda: (some(rank=2), *random.choice((([4],), ([3, -2], [0, -1])))), 0
    yield "aten::one_hot", lambda: (torch.randint(0, 4, (2, 3)), random.choice((-1, 6))), 0
    at = lambda *shape: torch.randint(-3, 3, shape)
    yield "aten::index.Tensor", lambda: (operand([3, 4, 5]), random.choice(([at(2)], [None, at(2)], [at(2), at(3, 1)], [None, at(2), at(1)], [at(2), at(2), at(2)]))), 0
    yield "aten::index.Tensor", lambda: (lambda x: (x, random.choice(([x > 0], [x[:, 0] > 0], [None, x[0] > 0]))))(operand([3, 4])), 0
    yield "aten::index_put", lambda: (operand([3, 4]), random.choice(([at(2)], [None, at(1)], [at(2), at(2)], [torch.rand(3, 4) < 0.5])), operand([]), False), 0
    yield "aten::index_put", lambda: (operand([4]), [torch.tensor([0, 2, 0])], operand([3]), True), 0
    yield "aten::norm.ScalarOpt_dim", lambda: (some(rank=2, dtype=float_), 2, [1], True), 8
    yield "aten::sort", lambda: (lambda x: (x, dim_of(x), random.random() < 0.5))(some(dtype=float_)), 0
    yield "aten::argsort", lambda: (lambda x: (x, dim_of(x), random.random() < 0.5))(some(dtype=float_)), 0
    yield "aten::topk", lambda: (lambda x: (x, 1, dim_of(x)))(some(dtype=float_)), 0
    for name in ("relu6", "hardtanh", "softplus", "log_sigmoid", "hardsigmoid", "hardswish", "mish", "elu"):
        yield "aten::" + name, lambda: (some(dtype=float_),), 1e-5
    for name in ("mse_loss", "l1_loss"):
        yield "aten::" + name, lambda: (lambda x: (x, operand(x.shape), random.randrange(3)))(operand([3, 5])), 1e-3
    yield "aten::cross_entropy_loss", lambda: (operand([4, 5]), torch.randint(0, 5, (4,)), None, random.randrange(3)), 1e-4
    yield "aten::nll_loss", lambda: (operand([4, 5]), torch.tensor([1, -100, 4, 0]), None, random.randrange(3)), 1e-5
    yield "aten::nll_loss_backward", lambda: (operand([]), operand([4, 5]), torch.randint(0, 5, (4,)), None, random.choice((1, 2)), -100, torch.tensor(4.0)), 1e-6
    for name in ("_softmax_backward_data", "_log_softmax_backward_data"):
        yield "aten::" + name, lambda: (operand([3, 5]), operand([3, 5]).softmax(1), 1, float_), 1e-4
    yield "aten::tanh_backward", lambda: (operand([5]), operand([5]).tanh()), 2e-6
    yield "aten::sigmoid_backward", lambda: (operand([5]), operand([5]).sigmoid()), 2e-6
    yield "aten::threshold_backward", lambda: (operand([5]), operand([5]), 0), 0
    for name in ("slice_backward", "select_backward"):
        more = ([4, 5], 0, 1, 3, 1) if name.startswith("slice") else ([3, 5], 0, -1)
        yield "aten::" + name, lambda: (operand([2, 5] if len(more) == 5 else [5]), *more), 0
    yield "aten::embedding_dense_backward", lambda: (operand([4, 3]), torch.randint(0, 5, (4,)), 5, random.choice((-1, 2)), False), 1e-5
    yield "aten::native_layer_norm", lambda: (operand([3, 7]), [7], operand([7]), operand([7]), 1e-5), 1e-4
    yield "aten::native_layer_norm_backward", lambda: layer_norm_gradients(operand([2, 3, 7])), 1e-4
    yield "aten::mse_loss_backward", lambda: (operand([]), operand([3, 5]), operand([3, 5]), random.choice((1, 2))), 1e-4
    yield "aten::silu_backward", lambda: (operand([5]), operand([5])), 1e-5
    yield "aten::gelu_backward", lambda: (operand([5]), operand([5])), 1e-5
    yield "aten::nll_loss_forward", lambda: (operand([4, 5]), torch.tensor([1, -100, 4, 0]), None, random.choice((1, 2)), -100), 1e-5
    wide = torch.float64
    for name in ("add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor"):
        yield "aten::" + name, lambda: (operand([2, 3], random.choice((wide, float_))), operand(random.choice(([3], [])), wide)), 0
    for name in ("sqrt", "abs", "neg"):
        yield "aten::" + name, lambda: (operand([5], wide).abs(),), 0
    for name in ("exp", "sin", "tanh", "rsqrt", "mean", "sum"):
        yield "aten::" + name, lambda: (operand([2, 3], wide).abs(),), 1e-10
    for name in ("addcmul", "addcdiv"):
        yield "aten::" + name, lambda: (operand([5]), operand([5]), operand([5])), 1e-3
    yield "aten::add_.Tensor", lambda: (lambda x: (x, operand(x.shape, whole)))(some(dtype=float_)), 0


def layer_norm_gradients(x):
    weight, bias = operand([7]), operand([7])
    _, mean, deviation = torch.native_layer_norm(x, [7], weight, bias, 1e-5)
    return operand(x.shape), x, [7], mean, deviation, weight, bias, [True] * 3


def argument(value):
    if isinstance(value, torch.Tensor):
        return {"tensor": written(value), "strides": list(value.stride())}
    if isinstance(value, (list, tuple)):
        return [argument(one) for one in value]
    if isinstance(value, float):
        return {"real": repr(value)}
    if isinstance(value, torch.dtype):
        return {torch.int64: 4, torch.float32: 6, torch.float64: 7, torch.bool: 11}[value]
    return value


def as_double(value):
    return value.double().abs() if isinstance(value, torch.Tensor) else value


def operations(rounds):
    for _ in range(rounds):
        for name, make, allowed in makers():
            args = make()
            if allowed == "batch":
                args, allowed = (args[0], operand([3, args[0].shape[-1], 2])), "adds"
            space, _, overload = name[len("aten::"):].partition(".")
            function = getattr(getattr(torch.ops.aten, space), overload or "default")
            given = argument(args)
            try:
                error = allowed if isinstance(allowed, float) else 0
                if allowed == "adds":  # what kernels that add in another order may differ by
                    error = 2e-7 * function(*[as_double(one) for one in args])
                    error = float(error.max()) if error.numel() else 0
                results = function(*args)
            except (RuntimeError, IndexError):
                continue  # such arguments do not fit
            results = list(results) if isinstance(results, (list, tuple)) else [results]
            results = [torch.tensor(one) if isinstance(one, bool) else one for one in results]
            yield {"op": name, "args": given, "results": [written(one) for one in results],
                   "ulps": allowed if isinstance(allowed, int) else 0, "error": error}


# ---------------------------------------------------------------- lessons

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "import/translate/notebooks"


@contextlib.contextmanager
def patched(owner, name, replacement):
    before = getattr(owner, name)
    setattr(owner, name, replacement(before))
    try:
        yield
    finally:
        setattr(owner, name, before)


def noting(seen, writing):
    """Returns a function that makes a method of tensors note the tensor that it writes, but not what it writes that with."""
    def wrap(method):
        def noted(tensor, *args):
            if writing or (method.__name__ == "__format__" and tensor.dim() > 0):  # that calls __repr__
                return method(tensor, *args)
            seen.append(written(tensor.detach()))
            writing.append(tensor)
            try:
                return method(tensor, *args)
            finally:
                writing.pop()
        return noted
    return wrap


def tensors_of(name, value):
    """Yields the tensors that a reader may change, by path. Equal numbers, such as the weight of a norm, are in several tensors."""
    parts = value.named_parameters() if isinstance(value, torch.nn.Module) else [("", value)] if isinstance(value, torch.Tensor) else []
    for path, tensor in parts:
        if tensor.is_leaf and tensor.dtype != torch.bool and tensor.unique().numel() > 1:
            yield f"{name} {path}", tensor


def statements(cell):
    """Yields the statements of a cell: the code, whether Jupyter displays its value, and the name that it assigns."""
    body = ast.parse(cell).body
    for one in body:
        shows = one is body[-1] and isinstance(one, ast.Expr) and not cell.endswith(";")
        made = one.targets[0].id if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) else None
        tree = ast.Expression(one.value) if shows else ast.Module([one], [])
        yield compile(tree, "cell", "eval" if shows else "exec"), shows, made


class Lesson:
    """A notebook whose numbers and seeds are changed as a reader of its page changes them."""

    def __init__(self, path):
        self.slug = f"translated_{path.stem}"
        cells = re.split(r"(?:\A|\n\n)# %%\n", path.read_text(encoding="utf-8").rstrip("\n"))[1:]
        self.cells = [list(statements(cell)) for cell in cells]
        self.seeds = sum(cell.count("manual_seed(") for cell in cells)
        self.tensors, made = {}, []
        self.run({}, lambda path, tensor: self.add(path, tensor, made))

    def add(self, path, tensor, made):
        """Adds a tensor that may be changed, unless another one has its memory. `made` keeps that memory."""
        if all(tensor.data_ptr() != one.data_ptr() for one in made):
            made.append(tensor)
            self.tensors[path] = written(tensor.detach())

    def run(self, seeds, change):
        """Returns what each cell shows: its texts, and the tensors in them. `seeds` are other ones, by place. `change` is called with
        each tensor right after the statement that made it."""
        names, cells, seen, places = {"__name__": "__main__"}, [], [], iter(range(self.seeds))
        seeding = patched(torch, "manual_seed", lambda seed: lambda number: seed(seeds.get(next(places), number)))
        writing = []
        methods = [patched(torch.Tensor, name, noting(seen, writing)) for name in ("__repr__", "__format__")]
        with seeding, methods[0], methods[1]:
            for cell in self.cells:
                shown = ""
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    for code, shows, name in cell:
                        value = eval(code, names)  # pylint: disable=eval-used
                        for path, tensor in tensors_of(name, names.get(name)):
                            change(path, tensor)
                        shown = pretty(value) if shows and value is not None else ""
                cells.append({"out": out.getvalue(), "result": shown, "tensors": list(seen)})
                seen.clear()
        return cells

    def number(self, path):
        """Returns a random change of a tensor."""
        values, is_whole = self.tensors[path]["values"], self.tensors[path]["dtype"] == "int64"
        number = random.randrange(max(map(int, values)) + 1) if is_whole else torch.tensor(random.uniform(-2, 2)).item()
        return path, random.randrange(len(values)), number

    def case(self):
        """Returns another seed, one to three other numbers, or both, and what the cells show then."""
        changes = [self.number(path) for path in random.sample(list(self.tensors), random.choice((0, 1, 1, 2, 3)))]
        seeds = {random.randrange(self.seeds): random.getrandbits(31)} if not changes or random.random() < 0.2 else {}

        def change(path, tensor):
            for _, place, number in (one for one in changes if one[0] == path):
                tensor.data.view(-1)[place] = number

        named = [{"tensor": self.tensors[path], "place": place, "number": repr(number)} for path, place, number in changes]
        return {"slug": self.slug, "seeds": list(seeds.items()), "changes": named, "cells": self.run(seeds, change)}


def lessons(cases):
    """Yields cases of each lesson."""
    for path in sorted(NOTEBOOKS.glob("lesson*.py")):
        lesson = Lesson(path)
        yield from (lesson.case() for _ in range(cases))


# ---------------------------------------------------------------- the small GPT

ROOT = pathlib.Path(__file__).resolve().parents[4]


def small_gpt():
    """Returns the model of examples/gpt with the weights of the page, and what the page has besides them."""
    sys.path.insert(0, str(ROOT / "examples/gpt"))
    from gpt import GPT
    stored = json.loads((ROOT / "src/tools/site/gpt/weights.js").read_text().partition(" = ")[2].rstrip(";\n"))
    model = GPT(len(stored["vocabulary"])).eval()
    weights = {name: torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.float32).reshape(shape)
               for name, (shape, text) in stored["weights"].items()}
    missing = model.load_state_dict(weights, strict=False)
    assert all(name.endswith("mask") for name in missing.missing_keys) and not missing.unexpected_keys, missing
    return model, stored


@torch.no_grad()
def texts(cases):
    """Yields random texts, the weights of all heads for them, how likely each next word is, and the words that a seed draws."""
    model, stored = small_gpt()
    heads = []
    for block in model.blocks:
        block.attention.dropout.register_forward_pre_hook(lambda _, weights: heads.append(weights[0][0]))
    for _ in range(cases):
        ids = torch.randint(len(stored["vocabulary"]), (random.randint(1, stored["context"]),))
        temperature, top, seed = random.randint(1, 20) / 10, random.randint(1, len(stored["vocabulary"])), random.getrandbits(40)
        heads.clear()
        logits = model(ids[None])[0]  # (T, vocabulary)
        case = {"ids": ids.tolist(), "temperature": temperature, "top": top, "seed": seed, "heads": [written(one) for one in heads]}
        following = []
        torch.manual_seed(seed)
        for _ in range(8):
            scaled = model(ids[None, -stored["context"]:])[0, -1] / temperature
            probabilities = scaled.masked_fill(scaled < scaled.topk(top).values[-1], float("-inf")).softmax(-1)
            following.append(torch.multinomial(probabilities, 1))
            if len(following) == 1:
                case["probabilities"] = written(probabilities)
            ids = torch.cat([ids, following[-1]])
        yield {**case, "logits": written(logits), "following": torch.cat(following).tolist()}


if __name__ == "__main__":
    random.seed(20)
    torch.manual_seed(20)
    question = {"printing": printing, "floats": python_floats, "draws": draws, "typed": typed, "operations": operations, "lessons": lessons,
                "texts": texts}[sys.argv[1]]
    capability = re.search(r"CPU capability usage: (\w+)", torch.__config__.show())
    json.dump({"capability": capability[1] if capability else "", "cases": list(question(int(sys.argv[2])))}, sys.stdout)
