#!/usr/bin/python3
"""Runs notebooks that `torchbook import` has translated: what is ported prints what Python prints, to the byte. Python runs
here, too, because the goldens may have been made with other kernels.

Usage: translated_test.py PROGRAM NOTEBOOK MOST, where MOST is the largest number of cells that may be left unported
"""
import json
import subprocess
import sys

from run_notebook import run_all, sources_of


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
        if cell["verdict"] != "not-ported" and (cell["stdout"], cell["result"] or "") != wanted:
            failures += 1
            print(f"@{cell['position']}: {json.dumps(cell, indent=1)}\nPython: {source}\n{wanted[0]}{wanted[1]}")
    print(f"{len(cells)} cells, {left} not ported, {failures} differ")
    if failures or left > most or len(cells) < 20:
        sys.exit(1)


main()
