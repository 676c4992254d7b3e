#!/usr/bin/python3
"""Runs the cells of a Jupyter notebook with the PyTorch of this Python. Writes the notebook with what they print and
display, because another release prints otherwise than the one whose outputs the notebook holds.

Usage: run_notebook.py NOTEBOOK WRITTEN
"""
import ast
import contextlib
import io
import json
import pathlib
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


def run_all(notebook):
    """Returns the source of each code cell of a notebook, with what it prints and displays."""
    names = {"__name__": "__main__"}
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [(source, run(source, names)) for source in sources]


def main():
    """Writes the notebook."""
    notebook = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    notebook["cells"] = [cell_of(*cell) for cell in run_all(notebook)]
    pathlib.Path(sys.argv[2]).write_text(json.dumps(notebook), encoding="utf-8")


if __name__ == "__main__":
    main()
