"""Tests that the Python beside torchbook takes its modules and its encoding as a user expects.

Usage: environment_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(sys.argv[1]).resolve()
SLUG = "attention_as_alignment"
COMPARE = [BIN / "torchbook", "compare", SLUG, "--python", sys.executable]


class Environment(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_in(self, command, **variables):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**environment, **variables})

    def recorded(self, last_cell, **variables):
        """Runs the twin with another last cell. Returns how the comparison ended and the recording of the cell."""
        (self.folder / "twins").mkdir(exist_ok=True)
        text = (ROOT / f"notebooks_ported/{SLUG}.py").read_text()
        last = text.index("\n", text.rindex("# %%")) + 1
        (self.folder / f"twins/{SLUG}.py").write_text(text[:last] + last_cell, encoding="utf-8")
        done = self.run_in([*COMPARE, "--twins", "twins", "--record", "."], **variables)
        return done, json.loads((self.folder / f"{SLUG}.json").read_bytes())["cells"][5]

    def test_modules_of_the_current_folder_are_not_imported(self):
        for name in ("json", "random", "torch", "types"):
            (self.folder / f"{name}.py").write_text("raise SystemExit(1)\n")
        done = self.run_in(COMPARE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith("1 notebook, 6 cells, 6 outputs: 6 equal\n"), done.stdout)

    def test_modules_of_pythonpath_are_found(self):
        (self.folder / "beside.py").write_text("word = 'found'\n")
        done, cell = self.recorded("import beside; print(beside.word)\n", PYTHONPATH=str(self.folder))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(cell["stdout"], "found\n")

    def test_the_locale_does_not_reach_what_twins_print(self):
        done, cell = self.recorded('print("é ∑", "\\U0001f642")\nassert False, "ä"\n', LC_ALL="C",
                                   PYTHONIOENCODING="latin-1", PYTHONOPTIMIZE="1")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(cell["stdout"], "é ∑ \U0001f642\n")
        self.assertTrue(cell["error"].endswith(": AssertionError: ä"), cell["error"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
