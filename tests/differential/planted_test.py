"""Tests that the differential test can fail: planted_test.py PROGRAM."""

import contextlib
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest

import differential_test
from cases import Options

PROGRAM = sys.argv.pop(1)


def run(program, *words):
    """Runs the differential test in a fork of this process, because importing PyTorch takes long."""
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        def in_child():
            with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
                try:
                    sys.exit(differential_test.main([program, *words]))
                finally:
                    stdout.flush()
                    stderr.flush()

        child = multiprocessing.get_context("fork").Process(target=in_child)
        child.start()
        child.join()
        texts = [file.seek(0) or file.read() for file in (stdout, stderr)]
    return types.SimpleNamespace(returncode=child.exitcode, stdout=texts[0], stderr=texts[1])


class DifferentialTest(unittest.TestCase):
    def test_one_wrong_byte_is_seen_and_shrunk(self):
        done = run(PROGRAM, "--cases", "5", "--plant")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\n5 cases of seed 1, \d+ s: 1 differ")
        # The planted fault needs only three elements, and neither options nor views.
        tensor = r"Strided\(dtype='\w+', sizes=\(3,\), strides=\(1,\), offset=0, data=b.*?\)"
        options = re.escape(repr(Options()))
        self.assertRegex(done.stdout, rf"\nCase\(kind='dense', options={options}, tensors=\({tensor},\), ")

        again = re.search(r"again: .* --seed (\d+) --first (\d+) --cases 1\n", done.stdout)
        honest = run(PROGRAM, "--seed", again[1], "--first", again[2], "--cases", "1")
        self.assertEqual(honest.returncode, 0, honest.stdout + honest.stderr)
        self.assertIn("1 cases", honest.stdout)

    def test_one_wrong_byte_in_a_tree_is_seen_and_shrunk(self):
        # The planted fault needs only three nodes.
        node = r"OrderedDict\(\[\((.+), (.+)\)\]\)|(?:nn\.\w+|module)\(.*nn\.\w+\(.*nn\.\w+\(.*"
        for kind in ("container", "module"):
            with self.subTest(kind=kind):
                done = run(PROGRAM, "--cases", "3", "--plant", "--kinds", kind)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, r"\n3 cases of seed 1, \d+ s: 1 differ")
                self.assertRegex(done.stdout, rf"\nPython: ({node})\n")
                again = re.search(r"again: .* (--seed .*)\n", done.stdout)
                honest = run(PROGRAM, *again[1].split())
                self.assertEqual(honest.returncode, 0, honest.stdout + honest.stderr)

    def test_wrong_usage_and_a_missing_pytorch_are_told_apart_from_a_difference(self):
        self.assertEqual(run("/nonexistent").returncode, 2)
        self.assertEqual(run(PROGRAM, "--cases", "0").returncode, 2)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "torch.py").write_text("raise ImportError('none here')\n")
            done = subprocess.run([sys.executable, differential_test.__file__, PROGRAM], capture_output=True, text=True,
                                  env=dict(os.environ, PYTHONPATH=folder))
        self.assertEqual((done.returncode, done.stderr), (2, "differential_test: PyTorch is missing: none here\n"))

    def test_a_program_that_dies_fails(self):
        done = run("/bin/false", "--cases", "3")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("pyrepr (died)", done.stdout)
        self.assertIn("3 differ", done.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
