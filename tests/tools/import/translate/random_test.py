#!/usr/bin/python3
"""Imports random notebooks with the proof, and counts the cells that it takes back: each is a bug of the translator.

Usage: random_test.py [--seeds 1..5] [--cells 200] [--untranslated SHARE] [--most N] PROGRAM
    PROGRAM    torchbook-import or torchbook

Prints a line for each seed, and each cell that was taken back, with its reason and its Python. Fails if there are more than N
of these, or if import fails: then a cell of a port differs.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

RANDOM = pathlib.Path(__file__).with_name("random_programs.py")


def run(*command, folder):
    """Runs a command. Returns what it prints; ends the program if it fails."""
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout + done.stderr


def counted(options, seed):
    """Imports the notebook of a seed. Returns how many cells are translated and taken back, after printing these."""
    with tempfile.TemporaryDirectory() as folder:
        drawn = ("--seed", seed, "--cells", options.cells, "--untranslated", options.untranslated)
        run(sys.executable, RANDOM, "random.ipynb", *drawn, folder=folder)
        report = run(options.program, "import", "random.ipynb", "--timeout", 600, "--python", sys.executable, folder=folder)
        cells = json.loads(pathlib.Path(folder, "random.ipynb").read_text(encoding="utf-8"))["cells"]
        if "Proved with PyTorch" not in pathlib.Path(folder, "random.cpp").read_text(encoding="utf-8"):
            sys.exit(f"the port is not proved\n{report}")
    found = re.search(r"translated (\d+) of (\d+) cells?", report)
    back = re.findall(r"@(\d+) In \[[^\]]*\]: (its C\+\+ .*)", report)
    print(f"seed {seed}: {found[2]} cells, {found[1]} translated, {len(back)} taken back", flush=True)
    for position, why in back:
        print(f"@{position} {why}\n{cells[int(position) - 1]['source']}\n", flush=True)
    return int(found[1]), len(back)


def main():
    """Prints the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", default="1..1")
    parser.add_argument("--cells", type=int, default=60)
    parser.add_argument("--untranslated", type=float, default=0.05)
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    options = parser.parse_args()
    first, last = map(int, options.seeds.split(".."))
    translated, back = map(sum, zip(*(counted(options, seed) for seed in range(first, last + 1))))
    print(f"{translated} translated, {back} taken back: {1000 * back / max(translated + back, 1):.1f} of 1,000 C++ cells")
    sys.exit(back > options.most)


main()
