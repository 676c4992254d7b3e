"""Tests that calls are read from Python as PyTorch takes them: calls.py's description draws what the call draws."""
import pathlib
import runpy
import sys
import unittest

import torch
from torch import nn
from torch.nn import functional as F

CALLS = runpy.run_path(pathlib.Path(__file__).resolve().parents[3] / "src/tools/seed/calls.py")
read_call, shown_draw = CALLS["read_call"], CALLS["shown_draw"]

READ = """\
rand(2, 3)
torch.rand((2, 3))
 torch . rand ( [2,3] )
torch.rand(2, 3,)
torch.rand(2, 3, dtype=torch.float32, requires_grad=True)
rand(size=(2, 3))
torch.rand(size=[2, 3], device='cpu')
torch.rand(3, device=torch.device("cpu"))
rand((1 + 1), 2**2 - 1)
rand(4 // 2, 1 * 3, device=device)
rand(3, dtype=torch.half)
torch.empty(2, 3).uniform_()
torch.zeros((2, 3)).uniform_(0, 1)
randn(20)
randn(20, dtype=torch.double)
torch.empty(20, dtype=torch.float64).normal_()
randint(10, (4,))
torch.randint(0, 10, (4,))
randint(high=10, size=(4,))
randint(10, size=[4])
randint(0, 10, size=(4,))
randint(0, high=10, size=(4,))
torch.randint(low=0, high=10, size=(4,), dtype=torch.uint8)
randint(2**40, (4,))
randint(-2**3, 2**3, (4,))
randint(-5, 1_000, (4, 2))
randperm(10)
randperm(n=10)
bernoulli(torch.full((4, 5), 0.3))
torch.bernoulli(torch.full((4,5), .3))
torch.full(size=(4, 5), fill_value=3e-1).bernoulli()
torch.empty(4, 5).bernoulli_(0.3)
F.dropout(torch.ones(4, 5), p=0.1)
torch.dropout(torch.ones(4, 5), 0.1, True)
F.dropout(torch.ones(4, 5), 0.1, training=True)
nn.Dropout(0.1)(torch.ones(4, 5))
torch.nn.Dropout(p=.1)(torch.ones((4, 5)))
"""
REFUSED = {
    "rand(B, 3)": '"B" in the call must be a number',
    "rand(2.5)": '"2.5" in the call must be a number',
    "rand(2": "Python cannot read the call: '(' was never closed",
    "rand": '"rand" is no call that draws a tensor',
    "nn.Dropout(0.5)": '"nn.Dropout(0.5)" is no call that draws a tensor',
    "rand(0)": "the call draws no elements",
    "rand(100000, 100000, 100000)": "the call draws too many elements",
    "rand(2) + 1": '"rand(2) + 1" in the call is no whole number here',
    "rand(2**64)": '"2 ** 64" in the call is no whole number here',
    "rand(9**9**9)": '"9 ** 9 ** 9" in the call is no whole number here',
    "rand(2 // 0)": '"2 // 0" in the call is no whole number here',
    "rand(*x)": '"*x" in the call cannot be read; numbers, their names and calls can',
    "rand(3, device='cuda')": "device=cuda has a generator of its own, which is not searched",
    "rand(3, generator=g)": "rand() got an unexpected keyword argument 'generator'",
    "rand(2, size=(3,))": "the call has two shapes",
    "randperm(2, 3)": "randperm() takes 1 positional argument but 2 were given",
    "randint(10)": "randint takes low, high and a shape",
    "randint(5, 5, (2,))": "randint needs a high that is above low",
    "empty(3).uniform_(-1, 1)": "uniform_ is searched only with 0 and 1, its defaults",
    "empty(3).normal_(0, 0.02)": "normal_ is searched only with 0 and 1, its defaults",
    "empty(3).bernoulli_(1.5)": "the probability must be between 0 and 1",
    "F.dropout(x, 0.5)": "dropout needs ones(…), zeros(…) or empty(…) with its shape",
    "F.dropout(ones(3), 0.5, training=False)": "dropout draws nothing without training=True",
    "F.dropout(ones(3, dtype=torch.float64), 0.5)": "dtype=float64 in the call is not known here",
    "rand(2, dtype=torch.int8)": "dtype=int8 in the call is not known here",
    "exponential(2)": "exponential is not searched; rand, randn, randint, randperm, bernoulli, bernoulli_, dropout, "
                      "uniform_, normal_, Dropout are",
    "-" * 100000: "the call is nested too deeply",
    "f()" + ".f()" * 100000: "the call is nested too deeply",
}


def drawn(call):
    """Returns what PyTorch draws for a description."""
    shape, function, dtype = call["shape"], call["function"], getattr(torch, call["dtype"])
    if function == "randint":
        return torch.randint(call["low"], call["high"], shape, dtype=dtype)
    if function == "randperm":
        return torch.randperm(*shape, dtype=dtype)
    if function == "bernoulli":
        return torch.bernoulli(torch.full(shape, call["probability"]))
    if function == "mask":
        mask = torch.empty(shape).bernoulli_(call["probability"])
        return mask / call["probability"] if call.get("dropout") else mask
    return getattr(torch, function)(shape, dtype=dtype)


class Calls(unittest.TestCase):
    def test_are_read_as_pytorch_takes_them(self):
        for text in READ.splitlines():
            names = {"device": "cpu", "torch": torch, "nn": nn, "F": F}
            torch.manual_seed(1)
            expected = eval(text.strip(), vars(torch).copy(), names).detach()
            torch.manual_seed(1)
            actual = drawn(read_call(text))
            self.assertEqual((actual.dtype, actual.tolist()), (expected.dtype, expected.tolist()), text)

    def test_are_refused_with_their_reason(self):
        for text, why in REFUSED.items():
            self.assertEqual(read_call(text), {"why": why}, text[:40])


class Cells(unittest.TestCase):
    def draw(self, *cells):
        return shown_draw(list(cells), len(cells) - 1)

    def test_know_the_names_of_numbers(self):
        call = {"shape": [4, 16, 3], "dtype": "float32", "function": "randn", "cell": 1, "first": True}
        self.assertEqual(self.draw("B, T = 4, 8  # sizes", "x = torch.randn(\n    B, T * 2,\n    3)", "x[0]"), call)
        self.assertEqual(self.draw("B = 3\nT = 8\nB = 4", "x = torch.randn(B, T * 2, 3)", "print(x)"), call)
        self.assertEqual(self.draw("B = len(y)", "torch.rand(B, 3)"),
                         {"why": '"B" in the call must be a number', "cell": 1, "first": True})

    def test_show_the_tensor_of_a_name_or_else_the_last_one(self):
        cells = ["x = torch.rand(3)\ny = torch.rand(4)", "z = 3\ntorch.rand(5)"]
        self.assertEqual(self.draw(*cells, "for i in range(3):\n    print(i, x[i])")["shape"], [3])
        self.assertEqual(self.draw(*cells, "y")["first"], False)
        self.assertEqual(self.draw(*cells, "y.mean()")["shape"], [4])
        self.assertEqual(self.draw(*cells, "other")["shape"], [5])
        self.assertEqual(self.draw(*cells, "x = load(x)", "x")["shape"], [5])
        self.assertEqual(self.draw(*cells, "torch.exponential(2)", "other")["shape"], [5])
        self.assertEqual(self.draw(*cells, "def f():\n    x = 3\n    return x", "x")["shape"], [3])
        self.assertEqual(self.draw("a, b = torch.rand(2), torch.rand(3)", "b")["first"], False)

    def test_may_draw_nothing(self):
        self.assertIsNone(self.draw("x = 3", "this is no Python", "x"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
