"""Tests that what a tool starts ends with torchbook, and leaves no files: see children_test.py.

Usage: children_of_tools_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import json
import os
import signal
import subprocess
import sys
import unittest

from children_test import LIMIT, PROGRAM, Case, await_that


class ChildrenOfTools(Case):
    def test_leave_nothing_of_a_recording(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number):
                process = self.start("--trace", "--output", "report.json")
                started = self.started(process)
                process.send_signal(number)
                self.assertEqual(process.wait(LIMIT), -number)
                self.expect_gone(started)
                (self.folder / "told").unlink()
                left = {file.name for file in self.folder.iterdir()}
                self.assertEqual(left - {"__pycache__"}, {"twins"})

    def test_leave_no_folder_of_an_import(self):
        source = [f'open("{self.folder}/told", "w").close()\n', "import time\n", "time.sleep(1000)"]
        cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": source}
        (self.folder / "a.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
        (self.folder / "tmp").mkdir()
        process = subprocess.Popen([PROGRAM.with_name("torchbook-import"), "import", "a.ipynb"], cwd=self.folder, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "TMPDIR": str(self.folder / "tmp")})
        self.addCleanup(process.kill)
        await_that((self.folder / "told").exists, "the cell runs")
        process.terminate()
        self.assertEqual(process.wait(LIMIT), -signal.SIGTERM)
        self.assertEqual([*(self.folder / "tmp").iterdir()], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
