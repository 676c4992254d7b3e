"""Plants faults in twins, and gives `torchbook compare` Pythons that fail. It must report all of them.

Usage: twin_faults_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from comparing import PORTS, PROGRAM, ROOT, TWINS, changed, compare, complaints, programs, warm_programs
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

    def test_a_cell_that_raises_is_named_and_the_others_are_reported(self):
        done = changed("mathematical_trick", "x[0]\n", "x[9]\n")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"mathematical_trick: the twin's cell In \[13\] \(@3\) failed: "
                                      r"\S*/mathematical_trick.py:18: IndexError: ")
        self.assertIn("  @2  In [3]    equal\n", done.stdout)
        self.assertIn("  @3  In [13]   threw\n", done.stdout)
        self.assertIn("  @5  In [23]   equal\n", done.stdout)
        self.assertTrue(done.stdout.endswith("11 outputs: 11 equal, 1 threw\n"), done.stdout)

    def test_a_missing_cell_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            text = re.sub(r"# %% \[26\]\n.*?(?=# %%)", "", TWINS["mathematical_trick"], flags=re.DOTALL)
            pathlib.Path(folder, "mathematical_trick.py").write_text(text)
            done = compare("mathematical_trick", "--twins", folder)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(complaints(done)), 1, done.stderr)
        self.assertRegex(complaints(done)[0], r"^torchbook: mathematical_trick: \S*/mathematical_trick.py:34: here is "
                         r"In \[35\], where the port has In \[26\] \(mathematical_trick.cpp:\d+\)$")

    def test_a_module_of_the_users_folder_is_none_of_pytorchs(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "torch.py").write_text("raise SystemExit('not this one')\n")
            command = [PROGRAM, "compare", "--python", sys.executable]
            done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120, check=False,
                                  env={**os.environ, **warm_programs.NONE})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class FailingPythons(unittest.TestCase):
    def compare_by(self, script, *arguments):
        """Runs a comparison in which the Python is this shell script."""
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder, "python")
            python.write_text("#!/bin/sh\n" + script)
            python.chmod(0o755)
            return python, compare(*arguments, python=python)

    def complaint(self, script, *arguments, stdout=""):
        """Returns the only line that compare writes to stderr about such a Python."""
        python, done = self.compare_by(script, *arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stdout, f"{stdout}$" if stdout else "^$")
        lines = complaints(done)
        self.assertEqual(len(lines), 1, done.stderr)
        return lines[0].replace(str(python), "PYTHON")

    def test_that_hangs_is_ended(self):
        self.assertEqual(self.complaint("exec sleep 600\n", "--timeout", "3"),
                         "torchbook: PYTHON did not run the twins within 3 s (--timeout sets another limit)")

    def test_that_waits_is_announced(self):
        with tempfile.TemporaryDirectory() as folder:
            python, told = pathlib.Path(folder, "python"), pathlib.Path(folder, "told")
            python.write_text(f"#!/bin/sh\nwhile [ ! -e {told} ]; do sleep 0.1; done; exit 1\n")
            python.chmod(0o755)
            with subprocess.Popen([PROGRAM, "compare", "--python", python], stderr=subprocess.PIPE, text=True) as running:
                line = running.stderr.readline()
                told.touch()
            self.assertRegex(line, rf"^torchbook: \d+ s, waiting for {python} to run the twins\n$")

    def test_that_prints_garbage_is_told(self):
        for answer, why in (
            ("garbage", "column 1: syntax error while parsing value - invalid literal"),
            ("[1, 2]", "it must hold one recording"),
            ('{"mathematical_trick": 7}', "it must hold one recording"),
            ("{}", "it must hold one recording"),
            ('{"mathematical_trick": {}, "other": {}}', "it must hold one recording"),
        ):
            with self.subTest(answer=answer):
                self.assertEqual(self.complaint(f"echo '{answer}' >&3\n"),
                                 f"torchbook: PYTHON answered something that is no recording: line 1: {why}")

    def test_that_hangs_or_dies_in_one_twin_has_answered_for_the_others(self):
        kept = json.loads((ROOT / "notebooks_ported/attention_as_alignment.json").read_text())
        two = ("attention_as_alignment", "mathematical_trick", "--accept", "printed")
        # With kernels other than those of the recording, some of the outputs are only equal as printed.
        report = r"2 notebooks, 6 cells, 6 outputs: \d equal, (\d equal as printed, )?1 notebook not judged\n"
        with tempfile.NamedTemporaryFile("w", suffix=".json") as answer:
            answer.write(json.dumps({"attention_as_alignment": kept}) + '\n{"mathematical_trick": {"cut off')
            answer.flush()
            hangs = self.complaint(f"cat {answer.name} >&3; exec sleep 600\n", *two, "--timeout", "3", stdout=report)
            dies = self.complaint(f"cat {answer.name} >&3; kill -SEGV $$\n", *two, stdout=report)
        self.assertEqual(hangs, "torchbook: mathematical_trick: PYTHON did not run its twin within 3 s (--timeout sets "
                                "another limit)")
        self.assertEqual(dies, "torchbook: mathematical_trick: PYTHON did not run its twin; it was ended by signal 11")
        self.assertEqual(self.complaint("""echo '{"mathematical_trick": {}}' >&3\n""", "mathematical_trick",
                                        stdout="1 notebook not judged\n"),
                         'torchbook: mathematical_trick: what its twin gave: the field "notebook" is missing')

    def test_that_dies_is_told(self):
        self.assertEqual(self.complaint("kill -SEGV $$\n"),
                         "torchbook: PYTHON did not run the twins; it was ended by signal 11")
        self.assertEqual(self.complaint("echo first; echo 'the last word' >&2; exit 7\n"),
                         "torchbook: PYTHON did not run the twins; it ended with exit code 7: the last word")
        self.assertEqual(self.complaint("exit 0\n"),
                         "torchbook: PYTHON did not run the twins; it ended with exit code 0")

    def test_that_has_no_pytorch_is_told(self):
        self.assertEqual(
            self.complaint(f'exec {sys.executable} -S "$@"\n'),
            "torchbook: PYTHON has no PyTorch (ModuleNotFoundError: No module named 'torch'); Debian's is the package "
            "python3-torch, --python names another Python")

    def test_that_is_not_there_is_told(self):
        done = compare(python="/no/such/python")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(complaints(done), ["torchbook: cannot start /no/such/python: No such file or directory"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
