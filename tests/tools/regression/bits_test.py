"""Compares the wide suite with its twins under PyTorch, to the bit, and with its recordings, as printed.

Usage: bits_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/faults"), str(ROOT / "suites/regression")]
from comparing import compare
import kernels
import partial_recordings


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
        self.assertRegex(done.stdout, r"17 notebooks, .* equal as printed\n$|17 notebooks, .* equal\n$")


class PartialRecordings(unittest.TestCase):
    """Tests the recordings of the suite, and the script that makes the partial ones."""

    def test_are_in_the_tree_as_they_are_made(self):
        for file in partial_recordings.HERE.glob("*.json"):
            text = file.read_text(encoding="utf-8")
            recording = json.loads(text)
            with self.subTest(file.name):
                self.assertEqual(partial_recordings.text_of(recording) + "\n", text)
                self.assertEqual(file.name.split(".")[0], recording["notebook"])
                if "differs_from" not in recording:
                    continue
                base = json.loads((partial_recordings.HERE / recording.pop("differs_from")).read_text(encoding="utf-8"))
                whole = {**recording, "cells": list(base["cells"])}
                for cell in recording["cells"]:
                    whole["cells"][cell["position"] - 1] = {key: value for key, value in cell.items() if key != "position"}
                self.assertEqual(partial_recordings.text_of(partial_recordings.partial(whole, base)) + "\n", text)


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
