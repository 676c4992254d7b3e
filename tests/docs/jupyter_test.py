"""Lets Jupyter judge the notebooks that torchbook writes. nbformat reads and rewrites them, nbconvert makes pages
of them, and a kernel runs the Python ones cell by cell. Its outputs must equal the goldens.

Usage: jupyter_test.py BIN: the folder of the programs.
"""
import html.parser
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(sys.argv.pop(1)).resolve()
HOME = tempfile.TemporaryDirectory(prefix="torchbook-jupyter-")
# Uses no settings of the user, and leaves no files of Jupyter behind.
os.environ.update(HOME=HOME.name, IPYTHONDIR=HOME.name, JUPYTER_CONFIG_DIR=HOME.name, JUPYTER_DATA_DIR=HOME.name,
                  JUPYTER_RUNTIME_DIR=HOME.name, JUPYTER_PLATFORM_DIRS="1", PYDEVD_DISABLE_FILE_VALIDATION="1")

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

SLUGS = sorted(path.stem for path in (ROOT / "notebooks_ported").glob("*.cpp"))
HEADING = re.compile(r"^@(\d+) In \[(.*)\]$")


def golden(slug):
    """Returns what the document shows, by position: the label, the printed text, the displayed text or None."""
    cells = {}
    for line in (ROOT / "notebooks_ported" / f"{slug}.golden").read_text().splitlines():
        if heading := HEADING.match(line):
            cell = cells[int(heading[1])] = [heading[2], "", None]
        elif line.startswith("> "):
            cell[1] += line[2:] + "\n"
        elif line.startswith("= "):
            cell[2] = line[2:] if cell[2] is None else f"{cell[2]}\n{line[2:]}"
    return cells


def write(folder, *options):
    subprocess.run([BIN / "torchbook", "run", "--format", "ipynb", "--output", folder, *options], check=True)
    return {slug: (pathlib.Path(folder) / f"{slug}.ipynb").read_text() for slug in SLUGS}


def outputs(cell):
    """Returns what a code cell printed and what it displayed."""
    printed = "".join(output.text for output in cell.outputs if output.output_type == "stream")
    displayed = [output.data["text/plain"] for output in cell.outputs if output.output_type == "execute_result"]
    return printed, displayed[0] if displayed else None


class Page(html.parser.HTMLParser):
    """Collects the text of a page's <pre> elements."""

    def __init__(self, text):
        super().__init__()
        self.pre, self.within = [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "pre":
            self.within = True
            self.pre.append("")

    def handle_endtag(self, tag):
        self.within = self.within and tag != "pre"

    def handle_data(self, data):
        if self.within:
            self.pre[-1] += data


class Jupyter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.texts = {"cpp": write(f"{HOME.name}/cpp"), "python": write(f"{HOME.name}/py", "--source", "python")}

    def notebooks(self, language):
        return [(slug, nbformat.reads(text, as_version=4)) for slug, text in self.texts[language].items()]

    def check_outputs(self, slug, notebook):
        """Checks that every cell of the golden is there with its outputs, and that no other cell has outputs."""
        expected = golden(slug)
        self.assertGreaterEqual(len(expected), 6)
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            position = re.fullmatch(r"cell-(\d+)", cell.id)
            label, printed, displayed = expected.pop(int(position[1])) if position else ("restored", "", None)
            self.assertEqual(outputs(cell), (printed, displayed), f"{slug}: {cell.id}, In [{label}]")
        self.assertEqual(expected, {}, slug)

    def test_nbformat_finds_them_valid_and_would_write_the_same(self):
        for language, texts in self.texts.items():
            for slug, notebook in self.notebooks(language):
                nbformat.validate(notebook)
                self.assertEqual((notebook.nbformat, notebook.nbformat_minor), (4, 5))
                self.assertEqual(nbformat.writes(notebook) + "\n", texts[slug])
                self.assertEqual(len({cell.id for cell in notebook.cells}), len(notebook.cells))

    def test_outputs_are_those_of_the_goldens(self):
        for language in self.texts:
            for slug, notebook in self.notebooks(language):
                self.check_outputs(slug, notebook)

    def test_nbconvert_makes_pages_of_them(self):
        exporter = HTMLExporter()
        coloured = {"cpp": '<span class="n">torch</span><span class="o">::</span>',
                    "python": '<span class="kn">import</span> <span class="nn">torch</span>'}
        for language, code in coloured.items():
            for slug, notebook in self.notebooks(language):
                body, _ = exporter.from_notebook_node(notebook)
                plain = body.replace('<span class="w"> </span>', " ")  # as newer releases of Pygments mark spaces
                self.assertIn(code, plain, slug)
                shown = Page(body).pre
                for _, printed, displayed in golden(slug).values():
                    for text in filter(None, (printed, displayed)):
                        self.assertTrue(any(text.strip() in pre for pre in shown), f"{slug}: {text}")

    def test_jupyter_runs_the_python_ones_to_the_same_outputs(self):
        """One kernel runs all of them and forgets the names of each, because importing PyTorch takes long."""
        notebooks, together = self.notebooks("python"), nbformat.v4.new_notebook()
        for slug, notebook in notebooks:
            for cell in notebook.cells:
                cell.id = f"{slug}-{cell.id}"  # of one notebook, all differ
                if cell.cell_type == "code":
                    cell.outputs = []
            together.cells += [*notebook.cells, nbformat.v4.new_code_cell("%reset -f")]
        NotebookClient(together, kernel_name="python3", timeout=300, startup_timeout=300).execute()
        for slug, notebook in notebooks:
            for cell in notebook.cells:
                cell.id = cell.id.removeprefix(f"{slug}-")
            self.check_outputs(slug, notebook)


if __name__ == "__main__":
    sys.exit(unittest.main())
