"""Runs `torchbook compare` for the tests in this folder, whose first argument is the folder of the programs."""
import os
import pathlib
import subprocess
import sys
import tempfile

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "support"
sys.path[:0] = [str(SUPPORT), str(SUPPORT / "warm")]
import programs
import warm_programs

ROOT = pathlib.Path(__file__).resolve().parents[2]
PORTS = ROOT / "notebooks_ported"
TWINS = {path.stem: path.read_text() for path in sorted(PORTS.glob("*.py"))}
PROGRAM = warm_programs.folder(sys.argv[1]) / "torchbook"


def compare(*arguments, python=sys.executable, program="torchbook", **environment):
    by = [] if "--reference" in arguments else ["--python", python]  # recordings need no Python
    command = [pathlib.Path(sys.argv[1]) / program if program != "torchbook" else PROGRAM, "compare", *by, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False,
                          env={**os.environ, **environment})


def changed(slug, old, new, *arguments, **environment):
    """Compares a notebook with its twin after replacing the first `old` by `new`."""
    assert old in TWINS[slug], old
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, f"{slug}.py").write_text(TWINS[slug].replace(old, new, 1))
        return compare(slug, "--twins", folder, *arguments, **environment)


def complaints(done):
    """Returns the lines that compare writes to stderr, without those that it writes while waiting."""
    return programs.without_progress(done.stderr).splitlines()
