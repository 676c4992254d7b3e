"""Tests torchbook where the environment is hostile: closed descriptors, no folders, ignored signals, modules in the
user's folder, other encodings. Each works, or one line says why not.

Usage: environment_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import array
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support/warm"))
import warm_programs

BIN = pathlib.Path(sys.argv[1]).resolve()
SLUG = "attention_as_alignment"
COMPARE = [BIN / "torchbook", "compare", SLUG, "--python", sys.executable]
EQUAL = "1 notebook, 6 cells, 6 outputs: 6 equal\n"
LIMIT = 200  # seconds until something that does not come is a failure
# Modules that run_twins.py or PyTorch import, and those that Python imports to be interactive.
IMPORTED = ("ast", "contextlib", "ctypes", "io", "json", "os", "platform", "re", "readline", "rlcompleter", "signal", "torch", "types",
            "typing")


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_in(self, command, without=(), env=None, **options):
        environment = {name: value for name, value in os.environ.items() if name not in without}
        return subprocess.run(command, **{"cwd": self.folder, "capture_output": True, "text": True, "check": False,
                                          "env": {**environment, **(env or {})}, **options})

    def expect_equal(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith(EQUAL), done.stdout)

    def twin(self, last_cell):
        """Writes a folder of twins with another last cell."""
        (self.folder / "twins").mkdir(exist_ok=True)
        text = (ROOT / f"notebooks_ported/{SLUG}.py").read_text()
        last = text.index("\n", text.rindex("# %%")) + 1
        (self.folder / f"twins/{SLUG}.py").write_text(text[:last] + last_cell, encoding="utf-8")


class CurrentFolder(Case):
    def test_is_no_place_of_modules(self):
        for name in IMPORTED:
            (self.folder / f"{name}.py").write_text("open('imported', 'a').write(__name__)\nraise SystemExit(1)\n")
        self.expect_equal(self.run_in(COMPARE, without=["PYTHONPATH"], env={"PYTHONINSPECT": "1"}))
        site = self.run_in([BIN / "torchbook", "site", "-o", "site", "--python", sys.executable, SLUG],
                           without=["PYTHONPATH"])
        self.assertEqual(site.returncode, 0, site.stderr)
        self.assertFalse((self.folder / "imported").exists())

    def test_is_one_if_pythonpath_has_it(self):
        (self.folder / "beside.py").write_text("word = 'found'\n")
        self.twin("import beside; print(beside.word)\n")
        done = self.run_in([*COMPARE, "--twins", "twins", "--record", "."], env={"PYTHONPATH": str(self.folder)})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(json.loads((self.folder / f"{SLUG}.json").read_text())["cells"][5]["stdout"], "found\n")

    def test_may_be_gone(self):
        gone = self.folder / "gone"
        script = f'mkdir {gone} && cd {gone} && rmdir {gone} && exec "$@"'
        self.expect_equal(self.run_in(["/bin/sh", "-c", script, "sh", *COMPARE]))
        done = self.run_in(["/bin/sh", "-c", script, "sh", *COMPARE, "-o", "report.txt"])
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertTrue(done.stderr.endswith("torchbook: cannot write report.txt: No such file or directory\n"))


class Environment(Case):
    def test_without_a_temporary_folder(self):
        self.expect_equal(self.run_in(COMPARE, env={"TMPDIR": "/no/such/folder"}))

    def test_without_a_path(self):
        self.expect_equal(self.run_in(COMPARE, without=["PATH"]))

    def test_where_nothing_is_found_the_doctor_ends_well(self):
        done = self.run_in([BIN / "torchbook", "doctor"], env={"PATH": "/no/such/folder"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_where_ended_children_are_not_waited_for(self):
        self.expect_equal(self.run_in(COMPARE, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)))

    def test_where_signals_are_blocked(self):
        every = {signal.SIGTERM, signal.SIGCHLD, signal.SIGINT}
        self.expect_equal(self.run_in(COMPARE, preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, every)))

    def test_does_not_reach_what_twins_print(self):
        self.twin('print("é ∑", "\\U0001f642")\nassert False, "ä"\n')
        environments = [{}, {"PYTHONIOENCODING": "latin-1"}, {"PYTHONIOENCODING": "utf-16"}, {"PYTHONOPTIMIZE": "1"},
                        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONUTF8": "1"}]
        for environment in environments:
            with self.subTest(environment=environment):
                done = self.run_in([*COMPARE, "--twins", "twins", "--record", "."], env=environment)
                self.assertEqual(done.returncode, 3, done.stderr)
                cell = json.loads((self.folder / f"{SLUG}.json").read_bytes())["cells"][5]
                self.assertEqual(cell["stdout"], "é ∑ \U0001f642\n")
                self.assertTrue(cell["error"].endswith(": AssertionError: ä"), cell["error"])


class StandardDescriptors(Case):
    def test_may_be_closed(self):
        compare = [*COMPARE[:-1], warm_programs.folder(BIN) / "python3"]  # which has others in any case
        for closed in ("<&-", "2>&-", "<&- 2>&-", ">&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                done = self.run_in(["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *compare])
                lines = [line for line in done.stderr.splitlines() if " s, waiting for " not in line]
                if ">&-" in closed.replace("2>&-", ""):
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    lost = "torchbook: cannot write standard output: Bad file descriptor"
                    self.assertEqual(lines, [] if "2>&-" in closed else [lost])
                else:
                    self.expect_equal(done)
                    self.assertEqual(lines, [])

    def test_that_do_not_block_are_waited_for(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        capacity = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        os.set_blocking(writer, False)
        command = [BIN / "mathematical_trick", "--format", "json"]
        whole = self.run_in(command, text=False).stdout
        self.assertGreater(len(whole), 2 * capacity)
        process = subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        waiting, end = array.array("i", [0]), time.monotonic() + LIMIT
        while waiting[0] < capacity and process.poll() is None:  # until the pipe is full
            self.assertLess(time.monotonic(), end)
            fcntl.ioctl(reader, termios.FIONREAD, waiting)
        with open(reader, "rb", closefd=False) as pipe:
            self.assertEqual(pipe.read(), whole)
        self.assertEqual((process.wait(), process.stderr.read()), (0, b""))
        process.stderr.close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
