#!/usr/bin/python3
"""Preloads a BLAS that spoils one entry of each product. check and compare must find that, and excuse none of it.

Usage: spoiled_blas_test.py BIN LIBRARY
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FAULT = "the fault is in this LibTorch, its BLAS or the port, or in the twin or its PyTorch"


class SpoiledBlas(unittest.TestCase):
    programs = library = None

    def run_with(self, spoil, *arguments):
        """Runs torchbook with the kernels of the recordings. Returns its exit code and its report."""
        environment = {**os.environ, "LD_PRELOAD": self.library, "SPOIL": spoil, "ATEN_CPU_CAPABILITY": "avx2",
                       "OPENBLAS_CORETYPE": "Haswell", "OMP_NUM_THREADS": "1"}
        done = subprocess.run([f"{self.programs}/torchbook", *arguments], env=environment, capture_output=True,
                              text=True, check=False, timeout=600)
        return done.returncode, done.stdout

    def test_nothing_spoiled_is_no_fault(self):
        code, report = self.run_with("nothing", "check")
        self.assertEqual(code, 0, report)

    def test_check_finds_what_shows(self):
        for spoil in ("entry", "nan"):
            code, report = self.run_with(spoil, "check")
            self.assertEqual(code, 1, report)
            self.assertIn("different", report)
            self.assertIn("    recording ", report)

    def test_compare_finds_each_and_calls_it_a_fault(self):
        for spoil in ("entry", "ulp", "nan"):
            with self.subTest(spoil=spoil):
                code, report = self.run_with(spoil, "compare", "--reference", "built-in")
                self.assertEqual(code, 1, report)
                self.assertIn(FAULT, report.splitlines()[0])
                for line in report.splitlines():
                    if " equal-as-printed " in line:
                        self.assertRegex(line, " ulps?")

    def test_no_setting_excuses_it(self):
        code, report = self.run_with("ulp", "compare", "--reference", "built-in", "--accept", "explained")
        self.assertEqual(code, 1, report)

    def test_a_limit_in_ulps_passes_one_ulp_only(self):
        for spoil in ("entry", "nan"):
            self.assertEqual(self.run_with(spoil, "compare", "keys", "--reference", "built-in", "--accept", "ulps=4")[0], 1, spoil)

    def test_both_sides_name_it_and_their_libtorch(self):
        with tempfile.TemporaryDirectory() as folder:
            self.library = shutil.copy(self.library, f"{os.path.realpath(folder)}/libproduct.so")
            report = json.loads(self.run_with("nothing", "compare", "keys", "--format", "json", "--once")[1])
        for side in (report["fingerprint"], report["notebooks"][0]["compared_with"]):
            self.assertEqual(re.split("[ ,]", side["blas"])[0], self.library)
            self.assertRegex(side["library"], "^/.*/libtorch_cpu[.]so")

    def test_the_doctor_names_the_unknown_blas(self):
        code, report = self.run_with("entry", "doctor")
        self.assertIn("unknown BLAS", report)
        self.assertNotIn("reference BLAS", report)
        self.assertEqual(code, 0, report)


if __name__ == "__main__":
    SpoiledBlas.library = sys.argv.pop()
    SpoiledBlas.programs = sys.argv.pop()
    unittest.main()
