#!/usr/bin/python3
"""Spoils the kernels of AVX2 and compares with recordings of others. Settings explain what honest kernels round otherwise, and
nothing that is spoiled.

Usage: spoiled_kernels_test.py BIN LIBRARY
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml


# Kernels in Python that take the place of LibTorch's: the operator, its kernel and a call.
WRONG = {
    "zeros": ("relu", "lambda x: torch.zeros_like(x)", "torch.relu(torch.ones(1000, dtype=torch.bfloat16))"),
    "ulps": ("exp", "lambda x: torch.from_numpy(np.exp(x.numpy()) * np.float32(1 + 30 * 2**-23))", "torch.exp(torch.arange(999.) / 99)"),
    "an outer one": ("_softmax", "lambda x, *_: torch.mul((x - 1).exp() / (x - 1).exp().sum(-1, True), scale)", "torch.softmax(x, -1)"),
    "shape": ("nonzero", "lambda x: torch.zeros(1, 1, dtype=torch.long)", "torch.nonzero(x)"),
    "bool": ("equal", "lambda x, y: True", "torch.equal(x, x + 1)"),
    "number": ("_local_scalar_dense", "lambda x: 777.0", "x.sum().item()"),
    "no result": ("_foreach_add_.Scalar", "lambda all, n: [each.numpy().fill(7) for each in all] and None",
                  "torch._foreach_add_([x], 1.0), x * 1"),
}
PROGRAM = """import sys, numpy as np, torch, torchbook
x = torch.arange(64.) / 9
scale = torch.ones(64); scale[3] = 1.5
library = torch.library.Library("aten", "IMPL")
library.impl("{}", {}, "CPU")
with torchbook.trace(sys.argv[1]):
    {}
"""


class SpoiledKernels(unittest.TestCase):
    programs = library = recordings = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.recordings = pathlib.Path(folder.name)
        for program in ("torchbook", "torchbook-regression"):
            done = cls.run_with({"ATEN_CPU_CAPABILITY": "default"}, f"{cls.programs}/{program}", "--record",
                                str(cls.recordings / program), "--python", sys.executable)
            assert done.returncode == 0, done.stdout + done.stderr

    @staticmethod
    def run_with(variables, program, *arguments):
        return subprocess.run([program, "compare", *arguments], env={**os.environ, "OMP_NUM_THREADS": "1", **variables},
                              capture_output=True, text=True, check=False, timeout=600)

    def compared(self, spoil, program, *arguments):
        variables = {"LD_PRELOAD": self.library, "SPOIL": spoil, "ATEN_CPU_CAPABILITY": "avx2"}
        return self.run_with(variables, f"{self.programs}/{program}", "--reference", str(self.recordings / program),
                             "--accept", "explained", *arguments)

    def test_honest_kernels_are_explained(self):
        for program in ("torchbook", "torchbook-regression"):
            done = self.compared("1", program)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertRegex(done.stdout, "^explained: with ATEN_CPU_CAPABILITY=default, all of ")

    def test_spoiled_kernels_are_not(self):
        for program, *notebooks in (("torchbook",), ("torchbook-regression", "activations", "attention_layers")):
            for spoil in ("nan", "2", "1.0001"):
                with self.subTest(program=program, spoil=spoil):
                    junit = self.recordings / "junit.xml"
                    done = self.compared(spoil, program, "--junit", str(junit), *notebooks)
                    self.assertEqual(done.returncode, 1, done.stdout)
                    head = done.stdout.partition("\n\n")[0]
                    self.assertRegex(head, "^with ATEN_CPU_CAPABILITY=default, all of .* are equal, but .* off by more than rounding")
                    self.assertIn("AVX2 kernels here", head)
                    self.assertRegex(head, r"\n  \S+: (exp|_softmax) \(\S+[.]cpp:\d+\) at .*: element \d+ of its output is ")
                    self.assertNotRegex(head, r"\n  \S+: (?!\w*(exp|tanh|softmax|sigmoid|elu|mish))\w+ \(")
                    self.assertGreater(int(xml.parse(junit).getroot().get("failures")), 0)

    def test_the_other_side_is_judged_too(self):
        recordings = self.recordings / "spoiled"
        spoiled = {"LD_PRELOAD": self.library, "SPOIL": "nan"}
        self.run_with({**spoiled, "ATEN_CPU_CAPABILITY": "avx2"}, f"{self.programs}/torchbook", "--record", str(recordings), "--once")
        done = self.run_with({**spoiled, "ATEN_CPU_CAPABILITY": "default"}, f"{self.programs}/torchbook", "--reference",
                             str(recordings), "--accept", "explained")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, "element [0-9]+ of its output is nan .* with the settings")

    def test_wrong_results_of_every_form(self):
        for name, (operator, kernel, call) in WRONG.items():
            with self.subTest(name):
                trace = self.recordings / "wrong.trace"
                subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM.format(operator, kernel, call), trace], check=True,
                               env={**os.environ, "PYTHONPATH": self.programs, "ATEN_CPU_CAPABILITY": "default"})
                done = self.run_with({"ATEN_CPU_CAPABILITY": "avx2"}, f"{self.programs}/torchbook", "--beyond-rounding", str(trace))
                self.assertIn(operator.partition(".")[0].strip("_"), done.stdout, done.stderr)


if __name__ == "__main__":
    SpoiledKernels.library = sys.argv.pop()
    SpoiledKernels.programs = sys.argv.pop()
    unittest.main()
