"""Runs cases of the command line, and compares every byte that they print with what their file has.

    # Why this case exists. A case is a paragraph, and has a temporary folder of its own.
    $ a command of bash; the programs are in PATH
    > its next line, such as one of a here document
    | a line of its stdout
    ! a line of its stderr
    ? its exit code, if that is not 0

What cannot be seen is written as Python escapes it, and so is a backslash; a lone one at the end of a line says that the
output has no newline there. `$BIN`, `$PORTS`, `$CASES` and `$WORK` are the folders of the programs, of the ported
notebooks, of the file and of the case: variables in commands, names in outputs. `$COMPUTER` represents the lines that name
the machine and its libraries, and `$RELEASE` that of the installed PyTorch. Lines that a program writes while it waits are left out, because they depend on how busy the
machine is.

Usage: cases.py [--update] BIN FILE..., where BIN is the folder of the programs. `--update` writes what the commands print
into the files, and shows what it changed: read that as you would read code.
"""
import argparse
import difflib
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import programs  # noqa: E402

COMPUTER = re.compile(r"^(computed by|compared with) (?:Lib|Py)Torch .*\n(?:  .*\n)*", re.MULTILINE)
RELEASES = [one.version for one in importlib.metadata.distributions(name="torch")]  # of PyTorch, if it is installed
UNSET = ("NO_COLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "PYTHONPATH")


def shown(text):
    """Returns a line of an output as a file of cases has it."""
    return "".join(c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode() for c in text)


def marked(mark, text):
    """Returns an output as a file of cases has it."""
    if not text:
        return ""
    lines = [f"{mark} {shown(line)}" if line else mark for line in text.removesuffix("\n").split("\n")]
    return "\n".join(lines) + ("\n" if text.endswith("\n") else "\\\n")


def run(command, folders):
    """Runs a command. Returns what it printed and its exit code as a file of cases has them."""
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    environment = {**kept, **folders, "PATH": f"{folders['BIN']}:{kept['PATH']}", "LC_ALL": "C.UTF-8",
                   "OMP_NUM_THREADS": "1"}  # an idle thread of OpenBLAS spins
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folders["WORK"], env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    out, err = (text.decode(errors="surrogateescape") for text in (done.stdout, done.stderr))
    out = COMPUTER.sub(r"\1 $COMPUTER\n", out)
    for name, folder in folders.items():
        out, err = (text.replace(folder, f"${name}") for text in (out, err))
    for release in (part for whole in RELEASES for part in (whole, whole.partition("+")[0])):
        out, err = (text.replace(f"PyTorch {release}", "PyTorch $RELEASE") for text in (out, err))
    code = f"? {done.returncode}\n" if done.returncode else ""
    return marked("|", out) + marked("!", programs.without_progress(err)) + code


def rerun(case, folders):
    """Returns the text of a case with what its commands print now."""
    with tempfile.TemporaryDirectory(prefix="torchbook-case-") as work:
        folders = {"WORK": work, **folders}
        kept = re.sub(r"^[|!?].*\n", "", case, flags=re.MULTILINE)
        return re.sub(r"^\$ (.*\n(?:> .*\n)*)",
                      lambda one: one[0] + run(one[1].replace("\n> ", "\n"), folders), kept, flags=re.MULTILINE)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--update", action="store_true")
    arguments.add_argument("bin", type=pathlib.Path)
    arguments.add_argument("file", type=pathlib.Path, nargs="+")
    asked = arguments.parse_args()
    differs = False
    for file in asked.file:
        folders = {"BIN": str(asked.bin.resolve()), "PORTS": str(ROOT / "notebooks_ported"),
                   "CASES": str(file.resolve().parent)}
        before = file.read_text(encoding="utf-8")
        after = "\n".join(rerun(case, folders) for case in re.split(r"(?<=\n)\n", before))
        diff = list(difflib.unified_diff(before.splitlines(True), after.splitlines(True), str(file), "what is printed"))
        sys.stdout.writelines(diff)
        differs = differs or bool(diff)
        if asked.update:
            file.write_text(after, encoding="utf-8")
    if differs and not asked.update:
        sys.exit(f"If this is right, accept it: {__file__} --update {' '.join(map(str, [asked.bin, *asked.file]))}")


if __name__ == "__main__":
    main()
