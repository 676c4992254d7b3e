#!/usr/bin/python3
"""Imports notebooks and prints how much of each is translated, and how much of that prints what it should.

Every notebook is imported into one project by the installed torchbook, which runs it, proves the C++, builds and judges it;
nobody edits anything. A hundred cells that are translated and not proved are timed, too.

Usage: translation.py --prefix PREFIX [--python PATH] FOLDER|NOTEBOOK...
    PREFIX    the folder in which torchbook is installed
    FOLDER    its .ipynb files; a notebook runs in a copy of its folder, so it finds the files beside it

The columns: cells; those that are translated; those that are not, but whose values are carried; those that are refused
for a reason of their own, and for another cell's; those that the proof takes back, which are bugs; outputs of translated
cells, and how many of them are equal.
"""
import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MOST_OF_SLUG = 100  # letters
LIMIT = 900  # seconds that a notebook may take
MOST_COPIED = 64 << 20  # bytes of a file beside a notebook
ROUNDS = 5
COLUMNS = ("cells", "translated", "carried", "own", "others'", "taken back", "outputs", "equal")


def run(*command):
    """Runs a command whose failure ends the program."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command} ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def imported(command, notebook, where):
    """Imports a notebook in a copy of its folder. Returns what import says, or None if it takes too long."""
    folder = where / "beside"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file in notebook.parent.iterdir():
        if file.is_file() and file.suffix != ".ipynb" and file.stat().st_size < MOST_COPIED:
            shutil.copy(file, folder)
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False,
                              timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout + done.stderr


def refused(report):
    """Returns how many cells are refused for a reason of their own, and how many only for another cell's."""
    reasons = {}
    lines = re.search(r"^not ported:\n((?:  .*\n)*)", report, re.M)
    for cell, why in re.findall(r"^  (@\d+) In \[[^\]]*\](?:, line \d+)?: (.*)$", lines[1] if lines else "", re.M):
        if not why.startswith("carried from Python"):
            reasons.setdefault(cell, []).append(why)
    others = [cell for cell, all_of in reasons.items() if all("which is not ported" in why for why in all_of)]
    return len(reasons) - len(others), len(others)


def judged(program, folder):
    """Runs a port where its notebook ran. Returns how many outputs translated cells have, and how many are equal; None
    if there is no program."""
    if not program.exists():
        return None
    done = subprocess.run([program, "--format", "json"], capture_output=True, text=True, check=False, cwd=folder)
    cells = json.loads(done.stdout)["cells"] if done.stdout.startswith("{") else []
    shown = [cell for cell in cells if cell["verdict"] != "not-ported"
             and (cell["stdout"] or cell["result"] is not None)]
    return len(shown), sum(cell["verdict"].startswith("equal") for cell in shown)


def row(torchbook, notebook, project, options):
    """Imports, builds and judges a notebook. Returns the numbers of its row, or the reason why there are none."""
    slug = re.sub(r"[\W_]+", "_", f"n_{notebook.stem.lower()}", flags=re.ASCII)[:MOST_OF_SLUG].rstrip("_")
    command = [torchbook, "import", notebook, "--slug", slug, "--into", project, "--python", options.python]
    report = imported(command, notebook, project.parent)
    if report is None:
        return f"takes more than {LIMIT} s"
    found = re.search(r"translated (\d+) of (\d+) cells?(?:, (\d+) carried)?", report)
    if not found:
        return report.strip().splitlines()[-1] if report.strip() else "says nothing"
    shows_nothing = "shows nothing" in report
    outputs = (0, 0) if shows_nothing else judged(project / "build" / slug, project.parent / "beside")
    if outputs is None:
        return "has no program"
    return (int(found[2]), int(found[1]), int(found[3] or 0), *refused(report), report.count(" is taken back: "), *outputs)


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
        run(torchbook, "import", notebook, "--unproved", "--into", folder / f"hundred{number}")
        times.append(time.monotonic() - began)
    return statistics.median(times)


def notebooks_of(paths):
    """Returns the notebooks that paths name, and those of folders."""
    found = []
    for path in paths:
        found += sorted(path.glob("*.ipynb")) if path.is_dir() else [path]
    return [path.resolve() for path in found]


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prefix", type=pathlib.Path, required=True)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("notebooks", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    torchbook = options.prefix.resolve() / "bin/torchbook"
    notebooks = notebooks_of(options.notebooks)
    total = [0] * len(COLUMNS)
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        project = folder / "project"
        run(torchbook, "new", project)
        print(f"{'notebook':<36}" + "".join(f"{column:>12}" for column in COLUMNS), flush=True)
        for notebook in notebooks:
            numbers = row(torchbook, notebook, project, options)
            if isinstance(numbers, str):
                print(f"{notebook.stem[:35]:<36}  {numbers}", flush=True)
                continue
            total = [one + other for one, other in zip(total, numbers)]
            print(f"{notebook.stem[:35]:<36}" + "".join(f"{number:>12}" for number in numbers), flush=True)
        print(f"{'all':<36}" + "".join(f"{number:>12}" for number in total))
        if total[0]:
            print(f"translated: {100 * total[1] / total[0]:.1f} % of the cells")
        seconds = hundred_cells(torchbook, folder)
    print(f"import of 100 cells: {seconds:.2f} s, to reach 2  {'ok' if seconds < 2 else 'MISSED'}")


main()
