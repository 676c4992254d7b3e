#!/usr/bin/python3
"""Imports the Python of cases.md as one notebook, and compares the C++ of each cell with the file.

Usage: cases_test.py TORCHBOOK [--update]
--update writes the C++ and the reasons of all cases anew; review what changes.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TORCHBOOK = sys.argv.pop(1)
FILE = pathlib.Path(__file__).parent / "cases.md"
CASE = re.compile(r"^### ([^\n]*)\n\n```python\n(.*?)^```\n\n(?:Not ported: ([^\n]*)\n)?(?:\n?```cpp\n(.*?)^```\n)?", re.M | re.S)


def cases():
    """Returns the title, the Python, the reason and the C++ of each case. A cell that is not ported has a reason, and may
    have C++ that is kept for the cells below."""
    text = FILE.read_text(encoding="utf-8")
    found = CASE.findall(text)
    assert len(found) == len(re.findall("^### ", text, re.M)), "a case has another form"
    assert all(why or cpp for _, _, why, cpp in found), "a case has neither a reason nor C++"
    return found


def imported(sources):
    """Returns the port of a notebook with these cells."""
    code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [dict(code, source=source) for source in sources]
    with tempfile.TemporaryDirectory() as folder:
        notebook = pathlib.Path(folder, "cases.ipynb")
        notebook.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}))
        subprocess.run([TORCHBOOK, "import", notebook, "--unproved", "--into", folder], check=True, cwd=folder,
                       capture_output=True)
        return notebook.with_suffix(".cpp").read_text()


def cpp_of(port):
    """Returns the cells of a port, without their indent, and with each reason in one line."""
    body = port[port.index("nb.cell"):port.rindex("}")]
    body = re.sub(r'not_ported\(\n.*?"\);', lambda call: re.sub(r'"\n *"|\n *', "", call[0]), body, flags=re.S)
    parts = re.split(r'^ *nb\.cell\("\d+"\);\n', "  " + body, flags=re.M)[1:]
    return ["".join(line[2:] if line.strip() else line for line in part.splitlines(keepends=True)).strip("\n")
            for part in parts]


def cells_of(all_cases):
    """Returns the cell of the port for each case."""
    preamble = ("import math\nimport numpy as np\nimport torch\nimport torch.nn.functional as F\n"
                "from torch import nn")
    seed = "torch.manual_seed(0)"  # above each case: one that is refused and draws would take those below along
    sources = [source for _, python, _, _ in all_cases for source in (seed, python.rstrip("\n"))]
    cells = cpp_of(imported([preamble] + sources))
    assert len(cells) == 2 * len(all_cases) + 1
    return cells[2::2]


def comment_of(python):
    return "".join(f"// {line}".rstrip() + "\n" for line in python.splitlines())


def update():
    """Writes the C++ and the reasons of all cases anew."""
    all_cases = cases()
    titles = {f"@{2 * i + 3}": f"@{{{title}}}" for i, (title, *_) in enumerate(all_cases)}
    given = iter(zip(all_cases, cells_of(all_cases)))

    def written(case):
        (title, python, _, _), cell = next(given)
        why = re.match(re.escape(comment_of(python)) + r'nb.not_ported\("(.*)"\);\n?', cell)
        cpp = cell[why.end():] if why else cell
        reason = re.sub(r"@\d+", lambda place: titles.get(place[0], place[0]), why[1]) if why else ""
        return (f"### {title}\n\n```python\n{python}```\n" + (f"\nNot ported: {reason}\n" if why else "")
                + (f"\n```cpp\n{cpp}\n```\n" if cpp else ""))

    FILE.write_text(CASE.sub(written, FILE.read_text(encoding="utf-8")), encoding="utf-8")


class Cases(unittest.TestCase):
    maxDiff = None

    def test_cases(self):
        all_cases = cases()
        numbers = {title: f"@{2 * i + 3}" for i, (title, *_) in enumerate(all_cases)}
        for (title, python, why, cpp), cell in zip(all_cases, cells_of(all_cases)):
            with self.subTest(title):
                why = re.sub(r"@\{(.*?)\}", lambda place: numbers[place[1]], why)  # `cell @{title of the case}`
                if why:
                    cpp = f'{comment_of(python)}nb.not_ported("{why}");\n{cpp}'
                self.assertEqual(cell, cpp.rstrip("\n"))


if "--update" in sys.argv:
    update()
else:
    unittest.main()
