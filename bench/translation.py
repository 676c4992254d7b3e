#!/usr/bin/python3
"""Imports notebooks and prints how much of them is translated, and what of that prints what the notebook stores.

The notebooks are imported into a project of their own, which is built and checked; nobody edits anything. "to reach" are
the numbers that the known notebooks should have. A hundred cells that are translated and not built are timed, too.

Usage: translation.py PREFIX NOTEBOOK...: the folder in which torchbook is installed, and .ipynb files or printed ones.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(bench_translation LANGUAGES CXX)
find_package(torchbook CONFIG REQUIRED COMPONENTS notebook)
{}"""
# what to reach, by the beginning of the name: cells that are ported, and outputs that are equal
GOALS = {"llms_from_scratch_ch03": (35, 33), "pytorch_fundamentals": (70, 52)}
ROUNDS = 5


def run(*command):
    """Runs a command whose failure ends the program."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def imported(torchbook, notebook, folder):
    """Imports a notebook. Returns its slug."""
    return run(torchbook, "import", notebook, "--into", folder).partition(":")[0]


def counted(program):
    """Returns how many cells there are, how many are ported, and how many outputs are equal, or equal as printed."""
    done = subprocess.run([program, "--format", "json"], capture_output=True, text=True, check=False)
    cells = json.loads(done.stdout)["cells"]
    left = [cell for cell in cells if cell["verdict"] == "not-ported"]
    equal = sum(cell["verdict"].startswith("equal") for cell in cells)
    return len(cells), len(cells) - len(left), equal


def outputs(folder, slug):
    """Returns the number of outputs that a golden has."""
    return int(re.search(r"^end: \d+ cells?, (\d+) with output", (folder / f"{slug}.golden").read_text(), re.M)[1])


def hundred_cells(torchbook, folder):
    """Returns the seconds that the import of 100 cells takes."""
    code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    first = dict(code, source="import torch\nx = torch.ones(2, 3)")
    cells = [first] + [dict(code, source=f"y{n} = x @ x.T + {n}\nfor i in range(2):\n    print(i, y{n}[i].sum())")
                       for n in range(99)]
    notebook = folder / "hundred.ipynb"
    notebook.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}))
    times = []
    for number in range(ROUNDS):
        began = time.monotonic()
        imported(torchbook, notebook, folder / f"hundred{number}")
        times.append(time.monotonic() - began)
    return statistics.median(times)


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prefix", type=pathlib.Path)
    parser.add_argument("notebooks", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    torchbook = options.prefix.resolve() / "bin/torchbook"
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        seconds = hundred_cells(torchbook, folder)
        slugs = [imported(torchbook, notebook, folder) for notebook in options.notebooks]
        lines = "".join(f"torchbook_add_notebook({slug})\n" for slug in slugs)
        (folder / "CMakeLists.txt").write_text(CMAKE.format(lines))
        run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={options.prefix.resolve()}")
        run("cmake", "--build", folder / "build")
        print(f"{'notebook':<36}{'cells':>7}{'ported':>8}{'outputs':>9}{'equal':>7}   to reach")
        for slug in slugs:
            cells, ported, equal = counted(folder / "build" / slug)
            goal = GOALS.get(slug)
            reached = "" if goal is None else f"{goal[0]}, {goal[1]}  {'ok' if ported >= goal[0] and equal >= goal[1] else 'MISSED'}"
            print(f"{slug:<36}{cells:>7}{ported:>8}{outputs(folder, slug):>9}{equal:>7}   {reached}")
    print(f"import of 100 cells: {seconds:.2f} s, to reach 2  {'ok' if seconds < 2 else 'MISSED'}")


main()
