"""Trains the same network in C++ and in Python: with torchbook's DataLoader and AdamW they are equal, and each planted fault is
found. The arguments are the program torchbook-part, the folder of torchbook.py, training.cpp's program and the kernels that
spoiled_sleef.cpp spoils."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM, MODULE, CPP, SPOILED = sys.argv[1:5]
del sys.argv[1:5]
sys.path[:0] = [MODULE, str(HERE), str(HERE.parents[1] / "support")]

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
import torchbook  # noqa: E402
import kernels  # noqa: E402
import parting  # noqa: E402


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(6, 16), torch.nn.Linear(16, 3)

    def forward(self, x):
        x = torch.tanh(self.first(x))
        x = F.layer_norm(x, (16,))
        return self.second(F.dropout(x, 0.2))


def train(file):
    torch.manual_seed(4)
    net = Net()
    x, y = torch.arange(60).float().mul(0.37).sin().view(10, 6), torch.arange(10) % 3
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), 4, shuffle=True)
    with torchbook.trace(file, net):
        for _ in range(2):
            for inputs, labels in loader:
                optimizer.zero_grad()
                F.cross_entropy(net(inputs), labels).backward()
                optimizer.step()


def line_of(file, text):
    """Returns `file:line` of the line with this text."""
    lines = (HERE / file).read_text().splitlines()
    return f"{file}:{next(number for number, line in enumerate(lines, 1) if text in line)}"


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.there = cls.folder / "there.trace"
        train(cls.there)

    def here(self, fault, **environment):
        path = self.folder / f"{fault}.trace"
        subprocess.run([CPP, fault, path], check=True, env={**os.environ, **environment})
        return path

    def first(self, fault, **environment):
        """Returns the first difference of C++ with a fault, and Python."""
        return parting.report(self, PROGRAM, self.here(fault, **environment), self.there)["differences"][0]

    def printed(self, *arguments):
        run = subprocess.run([PROGRAM, "part", *arguments], capture_output=True, text=True)
        return run.returncode, run.stdout

    def test_without_a_fault_they_are_equal(self):
        report = parting.report(self, PROGRAM, self.here("none"), self.there)
        self.assertEqual([one["what"] for one in report["differences"]], [])
        self.assertGreater(report["pairs"], 300 if torch.__version__.startswith("1.") else 250)

    def test_an_argument(self):
        first = self.first("argument")
        self.assertEqual((first["kind"], first["what"]), ("argument", "argument eps of layer_norm is 1e-06 here and 1e-05 there"))
        self.assertTrue(first["here"][0]["line"].endswith(line_of("training.cpp", "F::layer_norm(")), first["here"])
        self.assertTrue(first["there"][0]["line"].endswith(line_of("training_test.py", " F.layer_norm(")), first["there"])

    def test_random_numbers(self):
        first = self.first("draw")
        self.assertEqual(first["kind"], "random")
        self.assertRegex(first["what"], r"^before dropout, 1 operation drew random numbers here and 0 there; only here: rand "
                                        rf"\(.*{line_of('training.cpp', 'torch::rand({3})')}\)$")

    def test_an_operation(self):
        first = self.first("operation")
        self.assertEqual((first["kind"], first["what"]), ("operations", "only here: relu"))
        self.assertTrue(first["here"][0]["line"].endswith(line_of("training.cpp", "torch::relu(x)")), first["here"])

    @kernels.needs_avx2
    def test_kernels_are_named_at_the_head(self):
        for spoil in ("nan", "2", "1.0001"):
            with self.subTest(spoil):
                code, printed = self.printed(
                    self.here("none", LD_PRELOAD=SPOILED, SPOIL=spoil, ATEN_CPU_CAPABILITY="avx2"), self.with_avx2())
                self.assertEqual(code, 1)
                self.assertIn("\n\nsame operation, same input, other output: tanh gives other bits of the same input", printed)
                self.assertNotIn("no operation", printed)
                self.assertNotIn("only ", printed)
                self.assertLess(len(printed.splitlines()), 40, printed)

    def with_avx2(self):
        path = self.folder / "avx2.trace"
        subprocess.run([CPP, "none", path], check=True, env={**os.environ, "ATEN_CPU_CAPABILITY": "avx2"})
        return path

    @kernels.needs_avx2
    def test_above_passes_what_is_smaller(self):
        here, there = self.here("none", LD_PRELOAD=SPOILED, SPOIL="1.0000002", ATEN_CPU_CAPABILITY="avx2"), self.with_avx2()
        self.assertEqual(self.printed(here, there)[0], 1)
        code, printed = self.printed(here, there, "--above", "rtol=0.1")
        self.assertEqual(code, 0)
        self.assertRegex(printed, "Nothing differs: [0-9]+ operations gave what --above counts as the same")
        here = self.here("none", LD_PRELOAD=SPOILED, SPOIL="1.01", ATEN_CPU_CAPABILITY="avx2")
        self.assertEqual(self.printed(here, there, "--above", "ulps=1000")[0], 1)

    def test_the_first_infinity(self):
        code, printed = self.printed(self.here("infinity"))
        self.assertEqual(code, 1)
        self.assertIn("\nlog is the first operation that gave NaN or infinity out of finite inputs\n", printed)
        self.assertIn(line_of("training.cpp", "torch::log("), printed)
        self.assertIn(" is -inf\n", printed)
        code, printed = self.printed(self.there)
        self.assertEqual((code, printed.splitlines()[-1]), (0, "No operation gave NaN or infinity out of finite inputs."))


if __name__ == "__main__":
    unittest.main()
