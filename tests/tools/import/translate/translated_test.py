#!/usr/bin/python3
"""Runs notebooks that `torchbook import` has translated: what is ported prints what Python prints, to the byte. Python runs
here, too, because the goldens may have been made with other kernels. A cell that newer releases show otherwise has a comment,
`# before numpy 2`: the proof of import takes such cells back.

Usage: translated_test.py PROGRAM NOTEBOOK MOST, where MOST is the largest number of cells that may be left unported with PyTorch
1.13. Other releases may leave more.
"""
import importlib.metadata
import json
import platform
import re
import subprocess
import sys

from run_notebook import run_all, sources_of


def is_for_older(source):
    """Returns whether a cell shows something that the release here shows otherwise, and says so."""
    older = re.search(r"^# before (\S+) ([\d.]+)$", source, re.MULTILINE)
    if not older:
        return False
    here = platform.python_version() if older[1] == "Python" else importlib.metadata.version(older[1])
    is_newer = [int(number) for number in re.findall(r"\d+", here)] >= [int(number) for number in older[2].split(".")]
    if is_newer:
        print(f"NOT COMPARED: a cell for releases {older[0][2:]}, because this is {here}")
    return is_newer


def main():
    """Checks all cells, and how many are ported."""
    program, notebook, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
    done = subprocess.run([program, "--format", "json"], capture_output=True, text=True, check=False, timeout=600)
    if done.returncode not in (0, 1):
        sys.exit(f"{program} ended with {done.returncode}\n{done.stderr}")
    cells = json.loads(done.stdout)["cells"]
    left = failures = 0
    for cell, (source, wanted) in zip(cells, run_all(sources_of(notebook)), strict=True):
        left += cell["verdict"] == "not-ported"
        if is_for_older(source):
            continue
        if cell["verdict"] != "not-ported" and (cell["stdout"], cell["result"] or "") != wanted:
            failures += 1
            print(f"@{cell['position']}: {json.dumps(cell, indent=1)}\nPython: {source}\n{wanted[0]}{wanted[1]}")
    print(f"{len(cells)} cells, {left} not ported, {failures} differ")
    allowed = most if importlib.metadata.version("torch").startswith("1.13") else len(cells) // 2
    if failures or left > allowed or len(cells) < 11:
        sys.exit(1)


if __name__ == "__main__":
    main()
