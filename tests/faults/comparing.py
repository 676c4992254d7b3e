"""Runs `torchbook compare` for the tests in this folder, whose first argument is the folder of the programs."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import programs

ROOT = pathlib.Path(__file__).resolve().parents[2]
PORTS = ROOT / "notebooks_ported"
TWINS = {path.stem: path.read_text() for path in sorted(PORTS.glob("*.py"))}
BIN = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = BIN / "torchbook"


def compare(*arguments, python=sys.executable, program="torchbook", **environment):
    by = [] if "--reference" in arguments else ["--python", python]  # recordings need no Python
    command = [pathlib.Path(sys.argv[1]) / program if program != "torchbook" else PROGRAM, "compare", *by, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False,
                          env={**os.environ, **environment})


def planted(changes, *arguments, **environment):
    """Compares notebooks with their twins after changes: by slug, pairs of a text and what replaces the first of it."""
    with tempfile.TemporaryDirectory() as folder:
        for slug, pairs in changes.items():
            text = TWINS[slug]
            for old, new in pairs:
                assert old in text, old
                text = text.replace(old, new, 1)
            pathlib.Path(folder, f"{slug}.py").write_text(text)
        return compare(*changes, "--twins", folder, *arguments, **environment)


def changed(slug, old, new, *arguments, **environment):
    """Compares a notebook with its twin after replacing the first `old` by `new`."""
    return planted({slug: [(old, new)]}, *arguments, **environment)


def complaints(done):
    """Returns the lines that compare writes to stderr, without those that it writes while waiting."""
    return programs.without_progress(done.stderr).splitlines()
