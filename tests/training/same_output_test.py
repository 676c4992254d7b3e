"""Runs a program in C++ and a script in Python, each in a new folder, and compares what they print to the last digit.

Usage: same_output_test.py PROGRAM SCRIPT [ARGUMENT...]
"""
import difflib
import os
import subprocess
import sys
import tempfile


def printed(*command):
    """Returns the lines that a command prints. One thread has the same BLAS kernels in both languages."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"})
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"{command[0]}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout.splitlines()


def main(program, script, *arguments):
    python, cpp = printed(sys.executable, script, *arguments), printed(program, *arguments)
    for line in difflib.unified_diff(python, cpp, "Python", "C++", lineterm=""):
        print(line)
    return 0 if python == cpp else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
