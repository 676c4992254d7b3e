"""Tests what gdb shows of tensors, against PyTorch: debugger_test.py PROGRAM.

The program is debugged.cpp, which has the tensors below. It is skipped if there is no gdb.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import torch

PROGRAM = sys.argv.pop()
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "src/torchbook/pyrepr/torchbook_debugger.py"
TENSORS = {
    "floats": torch.arange(6).view(2, 3) / 7,
    "columns": torch.arange(8).view(4, 2).t(),
    "several[0]": torch.tensor([-1.5, 1e300], dtype=torch.float64),
    "several[1]": torch.tensor([-1.5]).bfloat16(),
    "several[2]": torch.zeros(0, 3).half(),
    "several[3]": torch.arange(3000).view(3, 10, 2, 1, 5, 10),
    "several[4]": torch.tensor(True),
    "several[5]": torch.tensor([1 - 2j]),
    "several[6]": None,
}


def gdb(*commands):
    """Runs commands of gdb in stop_here and returns their outputs."""
    words = ["-ex", "set debuginfod enabled off", "-ex", "break stop_here", "-ex", "run", "-ex", f"source {SCRIPT}"]
    for command in commands:
        words += ["-ex", r'printf "\n@@@\n"', "-ex", command]
    done = subprocess.run(["gdb", "-nx", "-q", "-batch", *words, PROGRAM], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    assert done.stdout.count("\n@@@\n") == len(commands), done.stdout
    return [re.sub(r"^\$\d+ = ", "", text).strip() for text in done.stdout.split("\n@@@\n")[1:]]


def from_memory(t):
    """Returns what is shown if pyrepr cannot be called."""
    if t is None:
        return "None"
    spec = ".4g" if t.is_floating_point() or t.is_complex() else ""
    texts = [format(value, spec) for value in t.flatten()[:6].tolist()] + ["…"] * (t.numel() > 6)
    return f"{tuple(t.shape)} {str(t.dtype).removeprefix('torch.')} [{', '.join(texts)}]"


class Debugger(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        prints = [f"print {name}" for name in TENSORS]
        settings = ["show unwindonsignal", "show scheduler-locking"]
        shown = gdb("print (int)getpid()", "print (char*)torchbook_repr(&floats)", *prints, *settings, "print *(at::Tensor*)main",
                    "set may-call-functions off", *prints, "frame")
        cls.pid, cls.by_name, *shown = shown
        cls.called, shown = dict(zip(TENSORS, shown)), shown[len(TENSORS):]
        *cls.settings, cls.no_tensor, _ = shown[:4]
        *shown, cls.frame = shown[4:]
        cls.read = dict(zip(TENSORS, shown))

    def test_it_calls_pyrepr_in_a_process_that_is_alive(self):
        if not re.fullmatch(r"\d+", self.pid):  # gdb 13 on a processor whose registers it does not know
            self.skipTest(f"NOT TESTED: this gdb cannot call functions on this processor: {self.pid}")
        self.assertEqual(self.called, {name: repr(t) for name, t in TENSORS.items()})
        self.assertIn(repr(TENSORS["floats"]).replace("\n", r"\n"), self.by_name)

    def test_without_calls_it_reads_the_memory(self):
        self.assertEqual(self.read, {name: from_memory(t) for name, t in TENSORS.items()})
        self.assertIn(f"columns={from_memory(TENSORS['columns'])}", self.frame)

    def test_what_is_no_tensor_is_not_passed_to_pyrepr(self):
        self.assertEqual(self.no_tensor, "<no tensor, or one of an unknown LibTorch>")

    def test_the_settings_of_gdb_stay(self):
        self.assertIn("is off", self.settings[0])
        self.assertIn('is "replay"', self.settings[1])


if __name__ == "__main__":
    if not shutil.which("gdb"):
        print("NOT TESTED: there is no gdb")
        sys.exit(77)
    unittest.main(verbosity=2)
