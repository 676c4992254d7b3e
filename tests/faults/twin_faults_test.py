"""Plants faults in twins. `torchbook compare` must report all of them; compare.cases has Pythons that fail.

Usage: twin_faults_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from comparing import PORTS, PROGRAM, TWINS, compare, programs
from make_faulty_ports import spread

NEXT_ULP = "torch.nextafter({0}, torch.full_like({0}, 9e9))"

# Each fault: its name, the text that it replaces, and the replacement.
FAULTS = [
    ("wrong seed", r"manual_seed\((\d+)\)", r"manual_seed(1\1)"),
    ("transpose left out", r"\.T\b", ""),
    ("softmax along another dim", r"dim=-1\)", "dim=0)"),
    ("softmax along another dim", r"dim=1\)", "dim=0)"),
    ("double for float", r"\.float\(\)", ".double()"),
    ("operands swapped", r"\b(\w+) @ (\w+)(?=\n)", r"\2 @ \1"),
    ("dimension not kept", r"keepdim=True", "keepdim=False"),
    ("mask of the other triangle", r"torch\.tril\(", "torch.triu("),
    ("another scale", r"\*\* 0\.5", "** 0.25"),
    ("an extra blank line", r"^(?=print\()", "print()\n"),
    ("a word too many", r"^(?=print\()", 'print("so")\n'),
    ("one ulp", r"^(\w+)\n(?=\n# %%)", NEXT_ULP.format(r"\1") + "\n"),
    ("one ulp", r"^(\w+\[\d\])\n(?=\n# %%)", NEXT_ULP.format(r"\1") + "\n"),
    ("a double of the same numbers", r"^(\w+)\n(?=\n# %%)", r"\1.double()" + "\n"),
    ("nothing displayed", r"^(\w+)\n(?=\n# %%)", "pass\n"),
]


def faulty_copies(text):
    """Yields the fault and the text of each faulty copy of a twin."""
    for name, pattern, replacement in FAULTS:
        for place in re.finditer(pattern, text, re.MULTILINE):
            line = text.count("\n", 0, place.start()) + 1
            yield f"{name}, line {line}", text[: place.start()] + place.expand(replacement) + text[place.end() :]


def verdicts(done):
    """Returns the verdicts of each notebook in a json report."""
    notebooks = json.loads(done.stdout)["notebooks"]
    return {one["notebook"]: {cell["verdict"] for cell in one["cells"]} for one in notebooks}


class PlantedInTwins(unittest.TestCase):
    PER_TWIN = 16

    def test_each_is_caught(self):
        """Each round plants one fault in every twin, so that one PyTorch runs five of them. CausesTest tests what
        compare does without --once."""
        rounds = list(zip(*(spread(list(faulty_copies(TWINS[slug])), self.PER_TWIN) for slug in TWINS)))
        planted = caught = 0
        for faults in rounds:
            with tempfile.TemporaryDirectory() as folder:
                for slug, (_, text) in zip(TWINS, faults):
                    pathlib.Path(folder, f"{slug}.py").write_text(text)
                done = compare("--format", "json", "--once", "--twins", folder)
            self.assertIn(done.returncode, (1, 3), done.stderr)
            seen = verdicts(done)
            for slug, (fault, _) in zip(TWINS, faults):
                planted += 1
                told = seen[slug] & {"different", "equal-as-printed", "threw"}
                caught += bool(told)
                with self.subTest(slug=slug, fault=fault):
                    self.assertTrue(told)
                    if fault.startswith("an extra blank line"):
                        self.assertIn("equal-as-printed", seen[slug])
        print(f"planted in twins: {planted} faults, {caught} caught")
        self.assertEqual(planted, caught)
        self.assertGreaterEqual(planted, 50)

    def test_without_one_nothing_is_found(self):
        done = compare("--twins", PORTS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.splitlines(keepends=True)[-1], programs.summary_of_equal(), done.stdout)

    def test_a_python_that_waits_is_announced(self):
        with tempfile.TemporaryDirectory() as folder:
            python, told = pathlib.Path(folder, "python"), pathlib.Path(folder, "told")
            python.write_text(f"#!/bin/sh\nwhile [ ! -e {told} ]; do sleep 0.1; done; exit 1\n")
            python.chmod(0o755)
            with subprocess.Popen([PROGRAM, "compare", "--python", python], stderr=subprocess.PIPE, text=True) as running:
                line = running.stderr.readline()
                told.touch()
            self.assertRegex(line, rf"^torchbook: \d+ s, waiting for {python} to run the twins\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
