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


if __name__ == "__main__":
    SpoiledKernels.library = sys.argv.pop()
    SpoiledKernels.programs = sys.argv.pop()
    unittest.main()
