"""Compares C++ with Python where they are known to part, and where they must not. The arguments are the program torchbook, the
folder of torchbook.py and the program that computes in C++."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TORCHBOOK, MODULE, CPP = sys.argv[1:4]
del sys.argv[1:4]
SOURCE = pathlib.Path(__file__).resolve().parent / "program.cpp"
sys.path[:0] = [MODULE, str(SOURCE.parents[1] / "support/warm")]

import torch  # noqa: E402
import torchbook  # noqa: E402
import warm_programs  # noqa: E402

PROGRAM = warm_programs.folder(pathlib.Path(TORCHBOOK).parent) / "torchbook"


def numbers(*sizes):
    count = torch.Size(sizes).numel()
    return torch.arange(count, dtype=torch.float64).mul(0.37).sin().to(torch.float32).view(sizes)


def linear(file):
    net = torch.nn.Linear(2000, 5)
    with torch.no_grad():
        net.weight.copy_(numbers(5, 2000))
        net.bias.copy_(numbers(5))
    x = numbers(2, 3, 2000)
    with torchbook.trace(file, net):
        torch.relu(net(x))


def randoms(file):
    torch.manual_seed(3)
    with torchbook.trace(file):
        torch.rand(2, 3) - torch.rand(2, 3)


class Languages(unittest.TestCase):
    def part(self, cpp, python):
        with tempfile.TemporaryDirectory() as folder:
            here, there = pathlib.Path(folder, "here.trace"), pathlib.Path(folder, "there.trace")
            subprocess.run([CPP, cpp, here], check=True)
            python(there)
            run = subprocess.run([PROGRAM, "part", here, there, "--format", "json"], capture_output=True, text=True)
            self.assertEqual(run.stderr, "")
            report = json.loads(run.stdout)
            self.assertEqual((report["here"]["language"], report["there"]["language"]), ("C++", "Python"))
            self.assertEqual(run.returncode, 1 if report["differences"] else 0)
            return report

    def test_linear_of_three_dimensions(self):
        first = self.part("linear_module", linear)["differences"][0]
        self.assertEqual((first["kind"], first["what"]), ("operations", "matmul and add_ here, linear there"))
        self.assertIn("Write torch::linear(x, layer->weight, layer->bias)", first["advice"])
        self.assertTrue(first["there"][0]["line"].split(":")[0].endswith("languages_test.py"))
        lines = SOURCE.read_text().splitlines()
        wanted = next(number for number, line in enumerate(lines, 1) if "torch::relu(net->forward(x))" in line)
        self.assertTrue(first["here"][0]["line"].endswith(f"tests/part/program.cpp:{wanted}"), first["here"])

    def test_linear_as_a_function_is_the_same(self):
        self.assertEqual(self.part("linear_function", linear)["differences"], [])

    def test_operands_that_draw(self):
        first = self.part("difference_of_randoms", randoms)["differences"][0]
        self.assertEqual((first["kind"], first["what"]), ("operations", "sub takes the same operands in another order"))
        self.assertIn("statement of its own", first["advice"])

    def test_operands_in_statements_of_their_own_are_the_same(self):
        self.assertEqual(self.part("ordered_randoms", randoms)["differences"], [])

    def test_a_trace_that_was_cut_off_is_not_equal(self):
        with tempfile.TemporaryDirectory() as folder:
            whole, cut = pathlib.Path(folder, "whole.trace"), pathlib.Path(folder, "cut.trace")
            randoms(whole)
            cut.write_bytes(whole.read_bytes()[:-1])
            for one, other in ((whole, cut), (cut, cut)):
                run = subprocess.run([PROGRAM, "part", one, other], capture_output=True, text=True)
                self.assertEqual(run.returncode, 1, run.stdout)
                self.assertIn("\nNothing differs as far as both traces go: 3 operations gave the same bits.\n", run.stdout)
                self.assertRegex(run.stdout, r"\nThe trace there was cut off behind sub \(operation 7, .*languages_test.py:\d+"
                                             r"\)\. What comes later is not compared\.\n$")
            words = b"aten::sub"
            self.assertIn(words, whole.read_bytes())
            cut.write_bytes(whole.read_bytes().split(words)[0])
            run = subprocess.run([PROGRAM, "part", cut, whole, "--format", "json"], capture_output=True, text=True)
            report = json.loads(run.stdout)
            self.assertEqual((run.returncode, report["differences"], report["pairs"], report["not_compared"]), (1, [], 2, 1))
            page = subprocess.run([PROGRAM, "part", cut, whole, "--format", "html"], capture_output=True, text=True).stdout
            self.assertIn("<h1>Nothing differs as far as both traces go</h1>", page)

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
            self.assertIn("float32 (100,), other bits behind those that the traces hold; record with a larger `largest`\n",
                          run.stdout)


if __name__ == "__main__":
    unittest.main()
