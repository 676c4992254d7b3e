"""Compares C++ with Python where they are known to part, and where they must not. The arguments are the program torchbook-part, the
folder of torchbook.py and the program that computes in C++."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, MODULE, CPP = sys.argv[1:4]
del sys.argv[1:4]
SOURCE = pathlib.Path(__file__).resolve().parent / "program.cpp"
sys.path[:0] = [MODULE, str(SOURCE.parent)]

import torch  # noqa: E402
import torchbook  # noqa: E402
import parting  # noqa: E402


def numbers(*sizes):
    count = torch.Size(sizes).numel()
    return torch.arange(count, dtype=torch.float64).mul(0.37).sin().to(torch.float32).view(sizes)


@torch.no_grad()
def long_sums():
    """Returns a layer and its input. Kernels round its results alike or apart, depending on the processor."""
    net = torch.nn.Linear(2000, 100)
    net.weight.copy_(numbers(100, 2000))
    net.bias.copy_(numbers(100))
    return net, numbers(2, 3, 2000)


@torch.no_grad()
def halfway():
    """Returns a layer and its input. program.cpp says why its results are apart with every kernel."""
    net = torch.nn.Linear(2, 1).bfloat16()
    net.weight.copy_(torch.tensor([[1, 2**-8]]))
    net.bias.fill_(2**-9)
    return net, torch.ones(2, 3, 2).bfloat16()


def linear(layer):
    def record(file):
        net, x = layer()
        with torchbook.trace(file, net):
            torch.relu(net(x))
    return record


@torch.no_grad()
def rounds_apart(layer):
    """Returns whether PyTorch gives other bits for a linear layer than for its product and sum, on this processor."""
    net, x = layer()
    return not torch.equal(torch.relu(net(x)), torch.relu(x.matmul(net.weight.t()).add_(net.bias)))


def randoms(file):
    torch.manual_seed(3)
    with torchbook.trace(file):
        torch.rand(2, 3) - torch.rand(2, 3)


def lstm_cell(file):
    weight, x = numbers(3 + 4, 16).requires_grad_(), numbers(3, 2, 3)
    with torchbook.trace(file):
        h = torch.zeros(2, 4)
        c = torch.zeros(2, 4)
        for step in range(3):
            gates = torch.cat([x[step], h], 1).matmul(weight).chunk(4, 1)
            c = torch.sigmoid(gates[1]) * c + torch.sigmoid(gates[0]) * torch.tanh(gates[2])
            h = torch.sigmoid(gates[3]) * torch.tanh(c)
        h.sum().backward()


class Languages(unittest.TestCase):
    def part(self, cpp, python):
        with tempfile.TemporaryDirectory() as folder:
            here, there = pathlib.Path(folder, "here.trace"), pathlib.Path(folder, "there.trace")
            subprocess.run([CPP, cpp, here], check=True)
            python(there)
            report = parting.report(self, PROGRAM, here, there)
            self.assertEqual((report["here"]["language"], report["there"]["language"]), ("C++", "Python"))
            return report

    def expect_linear(self, first):
        """Checks the difference between the module of C++, which multiplies and adds, and that of Python."""
        self.assertEqual((first["kind"], first["what"]), ("operations", "matmul and add_ here, linear there"))
        self.assertIn("Write torch::linear(x, layer->weight, layer->bias)", first["advice"])
        self.assertTrue(first["there"][0]["line"].split(":")[0].endswith("languages_test.py"))
        lines = SOURCE.read_text().splitlines()
        wanted = next(number for number, line in enumerate(lines, 1) if "torch::relu(layer.net->forward(" in line)
        self.assertTrue(first["here"][0]["line"].endswith(f"tests/tools/part/program.cpp:{wanted}"), first["here"])

    def test_linear_of_three_dimensions(self):
        self.assertTrue(rounds_apart(halfway))
        self.expect_linear(self.part("module_halfway", linear(halfway))["differences"][0])

    def test_linear_of_long_sums(self):
        differences = self.part("module_of_long_sums", linear(long_sums))["differences"]
        self.assertEqual(len(differences), rounds_apart(long_sums))
        if differences:
            self.expect_linear(differences[0])
        else:
            print("long sums are NOT TESTED: the kernels of this processor round them alike")

    def test_linear_as_a_function_is_the_same(self):
        self.assertEqual(self.part("function_halfway", linear(halfway))["differences"], [])
        self.assertEqual(self.part("function_of_long_sums", linear(long_sums))["differences"], [])

    def test_operands_that_draw(self):
        first = self.part("difference_of_randoms", randoms)["differences"][0]
        self.assertEqual((first["kind"], first["what"]), ("argument", "sub takes the same operands in another order"))
        self.assertIn("statement of its own", first["advice"])

    def test_operands_in_statements_of_their_own_are_the_same(self):
        self.assertEqual(self.part("ordered_randoms", randoms)["differences"], [])

    def test_operands_that_compute_the_same_in_another_order_are_the_same(self):
        report = self.part("lstm_cell", lstm_cell)
        self.assertEqual(report["differences"], [])
        self.assertEqual(report["without_effect"], [])
        self.assertGreater(report["pairs"], 60)

    def test_a_trace_that_was_cut_off_is_not_equal(self):
        with tempfile.TemporaryDirectory() as folder:
            whole, cut = pathlib.Path(folder, "whole.trace"), pathlib.Path(folder, "cut.trace")
            randoms(whole)
            cut.write_bytes(whole.read_bytes()[:-1])
            for one, other in ((whole, cut), (cut, cut)):
                run = subprocess.run([PROGRAM, "part", one, other], capture_output=True, text=True)
                self.assertEqual(run.returncode, 1, run.stdout)
                self.assertIn("\nNothing differs as far as both traces go: 3 operations gave the same bits.\n", run.stdout)
                self.assertRegex(run.stdout, r"\nThe trace there was cut off after sub \(operation 7, .*languages_test.py:\d+"
                                             r"\)\. What comes later is not compared\.\n$")
            words = b"aten::sub"
            self.assertIn(words, whole.read_bytes())
            cut.write_bytes(whole.read_bytes().split(words)[0])
            run = subprocess.run([PROGRAM, "part", cut, whole, "--format", "json"], capture_output=True, text=True)
            report = json.loads(run.stdout)
            self.assertEqual((run.returncode, report["differences"], report["pairs"], report["not_compared"]), (1, [], 2, 1))

    def test_a_difference_of_inputs_alone_contradicts_no_count(self):
        def record(file, weight):
            net = torch.nn.Linear(1, 1)
            net.weight.data.fill_(weight)
            with torchbook.trace(file, net):
                torch.ones(1) * 2
        with tempfile.TemporaryDirectory() as folder:
            here, there = pathlib.Path(folder, "here.trace"), pathlib.Path(folder, "there.trace")
            record(here, 1)
            record(there, 2)
            printed = subprocess.run([PROGRAM, "part", here, there], capture_output=True, text=True).stdout
        self.assertIn("\nother argument: weight and 1 more differ before anything ran\n", printed)
        self.assertIn("\n2 operations that both have gave the same bits.\n", printed)
        self.assertRegex(printed, r"^here  \S+: 2 operations( \(\d+ with those that they call\))?, PyTorch ")

    def test_what_the_traces_do_not_hold_is_told(self):
        def record(file, last):
            x = torch.zeros(100)
            x[99] = last
            with torchbook.trace(file, largest=16):
                x.neg()
        with tempfile.TemporaryDirectory() as folder:
            here, there = pathlib.Path(folder, "here.trace"), pathlib.Path(folder, "there.trace")
            record(here, 1)
            record(there, 2)
            run = subprocess.run([PROGRAM, "part", here, there], capture_output=True, text=True)
            self.assertIn("float32 (100,), other bits after those that the traces hold; record with a larger `largest`\n",
                          run.stdout)
            run = subprocess.run([PROGRAM, "part", here, there, "--above", "ulps=4"], capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertIn("the rest cannot be judged. Record with a larger `largest`.\n", run.stdout)


if __name__ == "__main__":
    unittest.main()
