"""Compares the wide suite with its twins under PyTorch, to the bit, and with its recordings, as printed.

Usage: bits_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "faults"))
from comparing import compare
import kernels


class Bits(unittest.TestCase):
    def test_are_those_of_pytorch(self):
        done = compare("--once", program="torchbook-regression")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @kernels.needs_avx2
    def test_of_the_recordings_agree_as_printed(self):
        """Not to the bit, because oneDNN fits its blocks to the caches of the processor."""
        done = compare("--reference", "built-in", "--accept", "printed", "--once", program="torchbook-regression",
                       **kernels.OF_RECORDINGS)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"12 notebooks, .* equal as printed\n$|12 notebooks, .* equal\n$")


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
