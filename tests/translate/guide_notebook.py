#!/usr/bin/python3
"""Makes a Jupyter notebook of the Python in docs/porting.md: a cell for each row, with what the row prints.

Usage: guide_notebook.py GUIDE NOTEBOOK
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "porting"))
import guide  # noqa: E402  (its folder comes first)


def code(number, source, outputs):
    """Returns a cell as nbformat 4 has it."""
    return {"cell_type": "code", "execution_count": number, "metadata": {}, "source": source, "outputs": outputs}


def output(cell, number):
    """Returns what a row displays, or what it prints."""
    if cell.displays():
        data = {"text/plain": cell.text.rstrip("\n")}
        return {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}
    return {"output_type": "stream", "name": "stdout", "text": cell.text}


def main():
    """Writes the notebook."""
    parsed = guide.parse(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    cells = [code(1, parsed.contents.block("python").rstrip("\n"), [])]
    for number, row in enumerate(parsed.rows, start=2):
        cells.append({"cell_type": "markdown", "metadata": {}, "source": row.title})
        cells.append(code(number, row.python.rstrip("\n"), [output(row.cell, number)]))
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}
    pathlib.Path(sys.argv[2]).write_text(json.dumps(notebook), encoding="utf-8")


main()
