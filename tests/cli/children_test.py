"""Tests that the Python beside torchbook, with its process group, ends with torchbook, that the cells of its twins that had
ended by then are reported, and that the environment of the user reaches it.

Usage: children_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv[1]).resolve() / "torchbook"
SLUG = "attention_as_alignment"
LIMIT = 200  # seconds until something that does not come is a failure

# The last cell of the twin starts programs and forks, tells the processes, and then never ends, or ends at once.
STARTS = """
import os, pathlib, subprocess, sys, time
started = [os.getppid(), os.getpid(), subprocess.Popen(["sleep", "1000"]).pid]
if (forked := os.fork()) == 0:
    os.execvp("sleep", ["sleep", "1000"])
pathlib.Path("told.new").write_text(" ".join(map(str, [*started, forked])))
os.rename("told.new", "told")
"""
TELLS = """import os
open("other.new", "w").write(str(os.getpid()))
os.rename("other.new", "other")
"""
HANGS = STARTS + "time.sleep(1000)\n"


def runs(process):
    """Returns whether a process runs. One that is only not yet waited for does not."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def await_that(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {LIMIT} s"
        time.sleep(0.02)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write_twin(self, last_cell):
        """Writes the twin with another last cell to the folder `twins`. Returns the line where that cell begins."""
        (self.folder / "twins").mkdir(exist_ok=True)
        text = (ROOT / f"notebooks_ported/{SLUG}.py").read_text()
        last = text.index("\n", text.rindex("# %%")) + 1
        (self.folder / f"twins/{SLUG}.py").write_text(text[:last] + last_cell, encoding="utf-8")
        return text.count("\n", 0, last) + 1

    def start(self, *arguments, last_cell=HANGS, in_other="", python=sys.executable):
        """Starts a comparison of two notebooks, the first one with another last cell, the other with more lines."""
        self.line = self.write_twin(last_cell.lstrip("\n"))
        text = (ROOT / "notebooks_ported/mathematical_trick.py").read_text()
        text = text.replace("import torch\n", "import torch\n" + in_other, 1)
        (self.folder / "twins/mathematical_trick.py").write_text(text)
        command = [PROGRAM, "compare", "--twins", "twins", "--python", python, "--format", "json", *arguments, SLUG,
                   "mathematical_trick"]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def started(self, process):
        """Returns run_twins, its twin and the processes that the twin started, once they run."""
        told = self.folder / "told"
        await_that(lambda: told.exists() or process.poll() is not None, "the twin starts programs")
        return [int(word) for word in told.read_text().split()]

    def expect_gone(self, processes):
        for process in processes:
            await_that(lambda process=process: not runs(process), f"process {process} ends")

    def script(self, text):
        python = self.folder / "python"
        python.write_text("#!/bin/sh\n" + text)
        python.chmod(0o755)
        return python

    def pythons(self):
        yield sys.executable
        yield self.script(f'{sys.executable} "$@"\nexit $?\n')  # the shell waits for the Python


class Children(Case):
    def test_end_with_torchbook_however_it_ends(self):
        for python in self.pythons():
            # Only the Python itself notices that torchbook was killed.
            for number in (signal.SIGTERM, signal.SIGINT, *[signal.SIGKILL] * (python == sys.executable)):
                with self.subTest(python=python, signal=number):
                    process = self.start(python=python)
                    started = self.started(process)
                    process.send_signal(number)
                    self.assertEqual(process.wait(LIMIT), -number)
                    self.expect_gone(started)
                    (self.folder / "told").unlink()

    def test_end_with_a_comparison_that_ends(self):
        process = self.start(last_cell=STARTS)
        out, err = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 1, out + err)  # the last cell displays nothing now
        self.expect_gone(self.started(process))

    def test_that_ended_in_time_are_judged(self):
        """SIGTERM is what torchbook sends to its Python at the time limit."""
        for python in self.pythons():
            with self.subTest(python=python):
                process = self.start("--timeout", "1234", in_other=TELLS, python=python)
                started = self.started(process)
                other = self.folder / "other"
                await_that(other.exists, "the other twin runs")
                running = pathlib.Path("/proc") / other.read_text()
                await_that(lambda running=running: not running.exists(), "the other twin ends")
                os.kill(started[0], signal.SIGTERM)
                out, err = process.communicate(timeout=LIMIT)
                self.assertEqual(process.returncode, 3, err)
                self.assertIn(f"torchbook: {SLUG}: the twin's cell In [15] (@6) failed: twins/{SLUG}.py:{self.line}: "
                              "did not end within 1234 s (--timeout sets another limit)\n", err)
                notebooks = {one["notebook"]: one for one in json.loads(out)["notebooks"]}
                verdicts = [cell["verdict"] for cell in notebooks[SLUG]["cells"]]
                self.assertEqual(verdicts, ["equal"] * 5 + ["threw"])
                self.assertEqual(len(notebooks["mathematical_trick"]["cells"]), 14)
                self.expect_gone(started)
                (self.folder / "told").unlink()
                other.unlink()

    def test_that_answer_without_end_are_ended(self):
        for descriptor in (2, 3):
            python = self.script(f"exec yes torchbook >&{descriptor}\n")
            done = subprocess.run([PROGRAM, "compare", "--python", python], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("torchbook: " + str(python) + " answered more than 256 MiB\n", done.stderr)

    def test_that_say_much_are_quoted_briefly(self):
        python = self.script("printf %0100000d 7 >&2; exit 7\n")
        done = subprocess.run([PROGRAM, "compare", "--python", python], capture_output=True, text=True, check=False)
        self.assertLess(len(done.stderr.splitlines()[-1]), 1000)
        self.assertIn("it ended with exit code 7: 000", done.stderr)


class Environment(Case):
    """Python takes its modules and its encoding as a user expects."""
    COMPARE = [PROGRAM, "compare", SLUG, "--python", sys.executable]

    def run_in(self, command, **variables):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**environment, **variables})

    def recorded(self, last_cell, **variables):
        """Runs the twin with another last cell. Returns how the comparison ended and the recording of the cell."""
        self.write_twin(last_cell)
        done = self.run_in([*self.COMPARE, "--twins", "twins", "--record", "."], **variables)
        return done, json.loads((self.folder / f"{SLUG}.json").read_bytes())["cells"][5]

    def test_modules_of_the_current_folder_are_not_imported(self):
        for name in ("json", "random", "torch", "types"):
            (self.folder / f"{name}.py").write_text("raise SystemExit(1)\n")
        done = self.run_in(self.COMPARE)
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
