"""Tests that each cell of a twin runs the Python of the document's cell: comments and layout differ, and nothing else.

Usage: twins_test.py DOCUMENTS, the folder of the documents. Prints how many cells deviate. Without the folder, it is skipped.
"""
import ast
import pathlib
import re
import sys
import unittest

PORTS = pathlib.Path(__file__).resolve().parents[1] / "notebooks_ported"


def tree_of(text):
    """Returns what Python reads in a text, or None if it is not Python."""
    try:
        return ast.dump(ast.parse(text))
    except (SyntaxError, ValueError):
        return None


def python_ends_before(rest, output):
    """Returns whether the text after a cell's Python begins with its output, or with prose if it has none."""
    lines = [line for line in rest if line.strip() and not line.lstrip().startswith("#")]
    if output:
        return lines[:1] == output[:1]
    return not lines or tree_of(lines[0]) is None


def is_the_cell(twin, printed, output):
    """Returns whether a printed cell, its Python and then its output, begins with the same Python as a twin's cell."""
    lines = printed.splitlines()
    return any(tree_of("\n".join(lines[:end])) == tree_of(twin) and python_ends_before(lines[end:], output)
               for end in range(1, len(lines) + 1))


def cells(text, heading):
    """Returns label and text of each cell of a document, a twin or a golden."""
    parts = re.split(heading, text, flags=re.MULTILINE)
    return [(label, body) for label, body in zip(parts[1::2], parts[2::2]) if label != "restored"]


def deviating(slug, documents):
    """Returns the labels of a notebook's cells, and those of the cells that deviate from the document."""
    golden = (PORTS / f"{slug}.golden").read_text()
    document = (documents / re.search(r", from (\S+)", golden)[1]).read_text()
    kinds = (cells((PORTS / f"{slug}.py").read_text(), r"^# %% \[(\w+)\].*\n"), cells(document, r"In \[(\w+)\]:\n"),
             cells(golden, r"^@\d+ In \[(\w+)\]\n"))
    labels, bad = [label for label, _ in kinds[1]], []
    for (label, twin), (_, printed), (_, shown) in zip(*kinds, strict=True):
        if not is_the_cell(twin, printed, re.findall(r"^[>=] ?(.*)", shown, re.MULTILINE)):
            bad.append(label)
    return labels, bad


class Twins(unittest.TestCase):
    def test_cells_are_those_of_the_documents(self):
        count = 0
        for slug in sorted(path.stem for path in PORTS.glob("*.golden")):
            with self.subTest(slug):
                labels, bad = deviating(slug, DOCUMENTS)
                count += len(labels)
                self.assertEqual(bad, [])
        print(f"{count} cells, none deviates")

    def test_another_operation_and_a_missing_line_deviate(self):
        printed = "# a remark\nfor i, x in enumerate(xs):\n    print(x)\n\ny = 1\ny\n\n1\n2\n\nProse.\n"
        same = "for i, x in enumerate(xs):\n    print(x)\ny = 1\ny\n"
        self.assertTrue(is_the_cell(same, printed, ["1", "2"]))
        for other in (same.replace("enumerate", "range"), same.replace("y = 1\ny\n", ""), same + "z\n"):
            self.assertFalse(is_the_cell(other, printed, ["1", "2"]), other)
        self.assertTrue(is_the_cell("y = 1", "y = 1\n\nProse, and more.\n", []))
        self.assertFalse(is_the_cell("y = 1", "y = 1\nz = 2\n\nProse.\n", []))


if __name__ == "__main__":
    DOCUMENTS = pathlib.Path(sys.argv.pop(1))
    if not DOCUMENTS.is_dir():
        print(f"NOT TESTED: there is no folder {DOCUMENTS}")
        sys.exit(77)
    unittest.main()
