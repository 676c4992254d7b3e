"""Tests that the debugging session of examples/ prints the same in C++ and in Python: debugging_session_test.py PROGRAM."""
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples/debugging_session.py"
PROGRAM = sys.argv.pop(1)


def printed(*command):
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout


class DebuggingSession(unittest.TestCase):
    def test_prints_the_same_bytes_as_python(self):
        python = printed(sys.executable, SCRIPT)
        self.assertGreater(python.count(b"\n"), 40)
        self.assertEqual(printed(PROGRAM).decode().splitlines(), python.decode().splitlines())
        self.assertEqual(printed(PROGRAM), python)


if __name__ == "__main__":
    sys.exit(unittest.main())
