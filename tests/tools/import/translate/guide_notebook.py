#!/usr/bin/python3
"""Makes a Jupyter notebook of the Python in the porting guide: a cell for each row, with what the row prints.

Usage: guide_notebook.py NOTEBOOK
"""
import pathlib
import sys

from run_notebook import cell_of, write

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "porting"))
import guide  # noqa: E402  (its folder comes first)


def main():
    """Writes the notebook."""
    parsed = guide.parse(guide.read())
    cells = [cell_of(parsed.contents.block("python").rstrip("\n"), ("", ""))]
    for row in parsed.rows:
        cells.append({"cell_type": "markdown", "metadata": {}, "source": row.title})
        text = row.cell.text
        cells.append(cell_of(row.python.rstrip("\n"), ("", text.rstrip("\n")) if row.cell.displays() else (text, "")))
    write(sys.argv[1], cells)


main()
