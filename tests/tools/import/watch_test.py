"""Tests `torchbook watch`. CMake and the port are shell scripts here; tests/consumer/project_test.py has real ones.

Usage: watch_test.py BIN: the folder of the programs.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

TORCHBOOK = pathlib.Path(sys.argv.pop()).resolve() / "torchbook"
GOLDEN = "golden of small, from small.ipynb\n\n@1 In [1]\n= 1\n\n@2 In [2]\n= 2\n\nend: 2 cells, 2 with output\n"
CMAKE = """#!/bin/sh
echo "$*" >>commands
case $1 in
-S) mkdir -p build; printf %s "$PWD/port" >build/small.program;;
--build) . ./build_step;;
esac
"""
PORT = """#!/bin/sh
cat cells >&3
"""
EQUAL = '{"position": %d, "verdict": "equal"}'
DIFFERS = ('{"position": %d, "verdict": "different", "difference": {"error": null, "text": null, '
           '"values": [{"mismatch": null, "golden": "1", "here": "2"}]}}')


class Watch(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.write("small.golden", GOLDEN)
        self.write("small.cpp", "")
        self.write("CMakeLists.txt", "project(p)\n")
        self.write("build_step", "exit 0\n")
        for name, text in (("bin/cmake", CMAKE), ("port", PORT)):
            self.write(name, text)
            (self.folder / name).chmod(0o755)
        self.check(EQUAL % 1, EQUAL % 2)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        beside = self.folder / "beside"
        beside.write_text(text)  # so that nobody reads a part of it
        beside.rename(path)

    def check(self, *cells):
        self.write("cells", '{"cells": [%s]}\n' % ", ".join(cells))

    def watch(self, *words):
        run = subprocess.Popen([TORCHBOOK, "watch", *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        return run

    def refused(self, message, *words):
        run = self.watch(*words)
        out, err = run.communicate()
        self.assertEqual((run.returncode, out, err), (2, "", f"torchbook: {message}\n"))

    def test_tells_the_verdict_of_each_save_and_ends_with_ctrl_c(self):
        run = self.watch()
        self.assertEqual(run.stdout.readline(), "1 notebook, 2 cells, 2 outputs: 2 equal\n")
        self.check(DIFFERS % 1, DIFFERS % 2)
        self.write("small.cpp", "// saved\n")
        self.assertEqual([run.stdout.readline() for _ in range(3)],
                         ["  @1 In [1] differs from its golden: golden 1, here 2\n", "  … and 1 more\n",
                          "1 notebook, 2 cells, 2 outputs: 0 equal, 2 different\n"])
        self.write("small.golden", "torn")
        self.assertIn("small.golden", run.stdout.readline())
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(), -signal.SIGINT)
        commands = (self.folder / "commands").read_text().splitlines()
        self.assertEqual([one.split()[0] for one in commands], ["-S", "--build", "--build", "--build"])

    def test_a_save_while_it_builds_starts_anew(self):
        self.write("build_step", "test -e second || { touch second; sleep 600; }\n")
        run = self.watch("small")
        while not (self.folder / "second").exists():
            self.assertIsNone(run.poll())
        self.write("small.cpp", "// saved meanwhile\n")
        self.assertEqual(run.stdout.readline(), "1 notebook, 2 cells, 2 outputs: 2 equal\n")

    def test_what_does_not_compile_is_told(self):
        self.write("build_step", "echo 'small.cpp:7:3: error: no type'; exit 1\n")
        self.assertIn("small.cpp:7:3: error: no type (the log is build/small.build.log)", self.watch().stdout.readline())

    def test_needs_a_notebook(self):
        self.refused("nonesuch.cpp and its golden are not here; here are small", "nonesuch")
        self.write("other.golden", GOLDEN)
        self.write("other.cpp", "")
        self.refused("several notebooks are here; name one: other, small")
        for name in ("small", "other"):
            (self.folder / f"{name}.golden").unlink()
        self.refused("no notebook is here; run this in the folder of a notebook's port and golden")


if __name__ == "__main__":
    unittest.main()
