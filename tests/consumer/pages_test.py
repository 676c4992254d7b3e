"""Installs torchbook, and makes pages of notebook files, in a project and without one.

Usage: see building.py.
"""
import json
import signal
import subprocess
import sys
import time
import unittest

import building
from building import run

COUNTED = "1 notebook, 2 cells, 2 outputs: 1 equal, 1 not ported\n"


def write(path, *cells):
    """Writes a notebook of these cells, as an editor does it: at once."""
    cells = [{"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    path.parent.mkdir(exist_ok=True)
    beside = path.with_suffix(".beside")
    beside.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}))
    beside.rename(path)


class Pages(building.InstalledTools):
    def command(self, *words):
        return [str(word) for word in (self.prefix / "bin/torchbook", "site", "--python", sys.executable, *words)]

    def site(self, *words, folder=None):
        return run(*self.command(*words), cwd=folder or self.work, env=self.environment)

    def test_a_notebook_becomes_a_page_and_is_imported_again_when_it_has_changed(self):
        notebook = self.work / "lessons/my-lesson.ipynb"
        write(notebook, "import torch\nx = torch.ones(2)\nprint(x, open('data.txt').read())", "print(eval('x + 1'))")
        (notebook.parent / "data.txt").write_text("of a file")
        first = self.site("lessons/my-lesson.ipynb", "-o", "pages")
        self.assertEqual(first.returncode, 1, first.stdout)
        self.assertIn("translated 1 of 2 cells\n", first.stdout)
        self.assertIn(COUNTED, first.stdout)
        self.assertTrue(first.stdout.endswith(f"\n{self.work}/pages/index.html\n"), first.stdout)
        page = (self.work / "pages/my_lesson.html").read_text()
        self.assertIn("of a file", page)
        self.assertNotIn("reload.js", page)
        self.assertEqual(sorted(path.name for path in notebook.parent.iterdir()), ["data.txt", "my-lesson.ipynb"])
        (notebook.parent / "my_lesson.questions").write_text("questions on my_lesson\nask: Why?\nchange: x\n"
                                                             "check: x[0] > 5\nhint: So.\nanswer: x[0] = 6\n")
        again = self.site("my-lesson.ipynb", "-o", "../pages", folder=notebook.parent)
        self.assertNotIn("translated", again.stdout)
        self.assertIn(COUNTED, again.stdout)
        self.assertIn("Why?", (self.work / "pages/my_lesson.html").read_text())
        (notebook.parent / "my_lesson.questions").unlink()
        write(notebook, "print(1)")
        self.assertIn("1 notebook, 1 cell, 1 output: 1 equal\n", self.site(notebook, "-o", "pages").stdout)

    def test_notebooks_of_one_name_and_several_notebooks(self):
        write(self.work / "a/same.ipynb", "print('first')")
        write(self.work / "b/same.ipynb", "print('second')")
        write(self.work / "b/other.ipynb", "print('third')")
        self.assertEqual(self.site("a/same.ipynb", "-o", "one").returncode, 0)
        both = self.site("b/same.ipynb", "b/other.ipynb", "-o", "two")
        self.assertEqual(both.returncode, 0, both.stdout)
        self.assertIn("2 notebooks, 2 cells, 2 outputs: 2 equal\n", both.stdout)
        self.assertIn("second", (self.work / "two/same.html").read_text())
        self.assertIn("third", (self.work / "two/other.html").read_text())

    def test_in_a_project_it_becomes_one_of_its_notebooks(self):
        project = self.work / "books"
        self.torchbook("new", project)
        write(project / "mine.ipynb", "print(6 * 7)")
        done = self.site("mine.ipynb", "-o", "pages", folder=project)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("added torchbook_add_notebook(mine) to CMakeLists.txt", done.stdout)
        self.assertIn("42", (project / "pages/mine.html").read_text())
        self.assertFalse((project / "pages/first_notebook.html").exists())

    def test_watch_writes_the_pages_at_each_save_and_keeps_them_if_that_fails(self):
        notebook = self.work / "watched/lesson.ipynb"
        write(notebook, "print('one')")
        pages = self.work / "live"
        with open(self.work / "watch.log", "w+") as log, subprocess.Popen(
                self.command(notebook, "--watch", "-o", pages), cwd=self.work, env=self.environment, text=True,
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT) as watch:
            self.addCleanup(watch.kill)

            def until(count):
                while (text := (self.work / "watch.log").read_text()).count("waiting for the next save") < count:
                    self.assertIsNone(watch.poll(), text)
                    time.sleep(0.1)
                return text

            until(1)
            stamp = (pages / "stamp.js").read_text()
            self.assertIn("one", (pages / "lesson.html").read_text())
            self.assertIn('<script src="reload.js" defer>', (pages / "lesson.html").read_text())
            notebook.write_text("{")
            self.assertIn("lesson.ipynb", until(2).splitlines()[-2])
            self.assertEqual((pages / "stamp.js").read_text(), stamp)
            write(notebook, "print('two')")
            until(3)
            self.assertIn("two", (pages / "lesson.html").read_text())
            self.assertNotEqual((pages / "stamp.js").read_text(), stamp)
            watch.send_signal(signal.SIGINT)
            self.assertEqual(watch.wait(), -signal.SIGINT)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
