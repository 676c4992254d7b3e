#!/usr/bin/python3
"""Runs cells with the PyTorch of this Python. Writes a Jupyter notebook of them, with what they print and display.

Usage: run_notebook.py CELLS.PY NOTEBOOK.IPYNB, where a line `# %%` begins each cell
"""
import ast
import contextlib
import io
import json
import pathlib
import re
import sys

from IPython.lib.pretty import pretty


def run(source, names):
    """Runs a cell. Returns what it prints and what Jupyter displays."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        tree = ast.parse(source)
        displays = isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";")
        last = tree.body.pop() if displays else None
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
        shown = pretty(value) if value is not None else ""
    return out.getvalue(), shown


def cell_of(source, shown):
    """Returns a cell as Jupyter writes it. `shown` is what it prints and displays."""
    outputs = []
    if shown[0]:
        outputs.append({"output_type": "stream", "name": "stdout", "text": shown[0]})
    if shown[1]:
        outputs.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": {"text/plain": shown[1]}})
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": outputs, "source": source}


def write(path, cells):
    """Writes cells as a notebook."""
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}
    pathlib.Path(path).write_text(json.dumps(notebook), encoding="utf-8")


def sources_of(path):
    """Returns the source of each code cell of a notebook."""
    cells = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def run_all(sources):
    """Returns each source with what it prints and displays."""
    names = {"__name__": "__main__"}
    return [(source, run(source, names)) for source in sources]


def main():
    """Writes the notebook."""
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").rstrip("\n")
    cells = re.split(r"(?:\A|\n\n)# %%\n", text)[1:]
    write(sys.argv[2], [cell_of(*cell) for cell in run_all(cells)])


if __name__ == "__main__":
    main()
