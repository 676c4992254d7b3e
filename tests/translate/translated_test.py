#!/usr/bin/python3
"""Runs notebooks that `torchbook import` has translated: what is ported prints what Python printed, to the byte.

Usage: translated_test.py PROGRAM MOST, where MOST is the largest number of cells that may be left unported
"""
import json
import subprocess
import sys

PASSES = {"equal", "no-output", "not-ported"}


def main():
    """Checks all cells, and how many are ported."""
    program, most = sys.argv[1], int(sys.argv[2])
    done = subprocess.run([program, "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{program} ended with {done.returncode}\n{done.stderr}")
    notebook = json.loads(done.stdout)
    left = 0
    failures = 0
    for cell in notebook["cells"]:
        left += cell["verdict"] == "not-ported"
        if cell["verdict"] not in PASSES:
            failures += 1
            print(f"@{cell['position']}: {cell['verdict']}\n{json.dumps(cell, indent=1)}")
    count = len(notebook["cells"])
    print(f"{count} cells, {left} not ported, {failures} differ")
    if failures or left > most or count < 20:
        sys.exit(1)


main()
