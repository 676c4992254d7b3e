"""Runs `torchbook compare` for the tests in this folder, whose first argument is the folder of the programs."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PORTS = ROOT / "notebooks_ported"
TWINS = {path.stem: path.read_text() for path in sorted(PORTS.glob("*.py"))}
PROGRAM = pathlib.Path(sys.argv[1]).resolve() / "torchbook"


def compare(*arguments, python=sys.executable, **environment):
    command = [PROGRAM, "compare", "--python", python, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, **environment})


def complaints(done):
    """Returns the lines that compare writes to stderr, without those that it writes while waiting."""
    return [line for line in done.stderr.splitlines() if " s, waiting for " not in line]
