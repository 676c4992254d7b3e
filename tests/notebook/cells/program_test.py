"""Tests that the build reports what does not fit, in one line: `file:line: what is wrong, what would be right`.

Usage: program_test.py TORCHBOOK_CELLS CMAKE SOURCE_FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE, CMAKE, PROGRAM = pathlib.Path(sys.argv.pop()), sys.argv.pop(), sys.argv.pop()

PORT = """// A port.
void book(torchbook::Notebook& nb) {
  nb.cell("1");
  nb.print("one");

  nb.restored("why");

  nb.cell("3");
  nb.display("three");
}
"""
TWIN = """# %% [1]
print("one")

# %% [restored]

# %% [3]
"three"
"""
GOLDEN = """golden of book, from book.ipynb

@1 In [1]
> one

@2 In [3]
= 'three'

end: 2 cells, 2 with output
"""


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def make(self, port=PORT, twin=TWIN, golden=GOLDEN, recording=None, slug="book", others=None):
        """Runs the program. `others` are further files and their texts. Returns its exit code and its message, without
        the folder."""
        paths = {"book.cpp": port, "book.py": twin, "book.txt": golden, "book.json": recording}
        for name, text in paths.items():
            (self.folder / name).unlink(missing_ok=True)
            if text is not None:
                (self.folder / name).write_text(text)
        names = [str(self.folder / name) if text is not None or name == "book.txt" else "" for name, text in paths.items()]
        self.output = self.folder / "made.cpp"
        self.output.unlink(missing_ok=True)
        for name, text in (others or {}).items():
            (self.folder / name).write_text(text)
        result = subprocess.run([PROGRAM, slug, names[0], names[2], names[1], names[3], self.output,
                                 *(self.folder / name for name in others or {})],
                                capture_output=True, text=True, check=False)
        return result.returncode, result.stderr.replace(f"{self.folder}/", "")

    def refused(self, **changed):
        code, said = self.make(**changed)
        self.assertEqual(code, 1)
        self.assertFalse(self.output.exists())
        self.assertEqual(said.count("\n"), 1, said)
        return said[:-1]

    def test_a_notebook_that_fits_is_written(self):
        self.assertEqual(self.make(), (0, ""))
        text = self.output.read_text()
        self.assertIn('.label = "3"', text)
        self.assertIn('.source = "nb.display(\\"three\\");"', text)
        self.assertIn('.twin = "\\"three\\""', text)
        self.assertIn('.document = "book.ipynb"', text)
        self.assertNotIn(str(self.folder), text)

    def test_a_notebook_may_have_no_twin(self):
        self.assertEqual(self.make(twin=None), (0, ""))

    def test_a_twin_without_cells_is_refused(self):
        for twin in ("", "# A comment.\n"):
            self.assertEqual(self.refused(twin=twin),
                             "book.py: it has no cell; a cell of a twin begins with '# %% [label]'")

    def test_a_golden_of_more_or_fewer_cells_is_refused(self):
        fewer = GOLDEN.replace("@2 In [3]\n= 'three'\n\n", "").replace("2 cells, 2 with", "1 cells, 1 with")
        self.assertEqual(self.refused(golden=fewer),
                         "book.txt: it ends before cell @2 In [3], which the notebook book has")
        more = GOLDEN.replace("end: 2", "@3 In [5]\n\nend: 3")
        self.assertEqual(self.refused(golden=more),
                         "book.txt:9: here is cell @3 In [5], but the notebook book has no further cell")

    def test_other_files_are_refused(self):
        self.assertEqual(self.refused(golden=GOLDEN.replace("of book", "of cook")),
                         "book.txt:1: this belongs to the notebook cook, not to book")
        self.assertEqual(self.refused(golden=GOLDEN[:-20]), "book.txt:9: the file breaks off in the middle of a line")
        self.assertEqual(self.refused(golden=None), "book.txt: there is no such file, or it cannot be read")
        self.assertEqual(self.refused(slug="cook"), "book.cpp: there is no function void cook(torchbook::Notebook& nb) "
                         "outside of namespaces; a notebook is one")

    def test_a_recording_that_is_torn_or_of_other_cells_is_refused(self):
        whole = {"notebook": "book", "fingerprint": {"torch": "", "build": "", "cpu_capability": "", "blas": "",
                 "threads": 1, "compiler": ""},
                 "cells": [{"label": label, "stdout": "", "result": None, "tensors": []} for label in ("1", "3")]}
        self.assertEqual(self.make(recording=json.dumps(whole)), (0, ""))
        self.assertRegex(self.refused(recording=json.dumps(whole)[:-9]), "^book.json:1: column 252: .*missing closing quote")
        whole["cells"][1]["label"] = "4"
        self.assertEqual(self.refused(recording=json.dumps(whole)),
                         "book.json: cell @2 is In [4] here, but In [3] in the notebook book")

    def test_exceptions_are_written_or_refused(self):
        title = "exceptions of book\n"
        self.assertEqual(self.make(others={"book.exceptions": title + "@2 differs: why\n"}), (0, ""))
        text = self.output.read_text()
        self.assertIn('.exceptions_file = "book.exceptions"', text)
        self.assertIn('"@2 differs: why\\n"', text)
        self.assertIn("std::span<const ReleaseReference> releases;", text)
        for lines, why in ((title + "@3 picture\n", "2: there is no cell @3; the notebook book has 2 cells"),
                           (title + "\n@1 differs\n", "3: the reason is missing; it comes after '@1 differs: '"),
                           (title + "@1 picture\n@1 picture\n",
                            "3: cell @1 has an exception already, in line 2; a cell has one"),
                           ("exceptions of cook\n", "1: this belongs to the notebook cook, not to book")):
            self.assertEqual(self.refused(others={"book.exceptions": lines}), "book.exceptions:" + why)

    def test_goldens_of_releases_are_written_or_refused(self):
        files = {"book.2.6.golden": GOLDEN.replace("one", "One"), "book.1.13.1.golden": GOLDEN,
                 "book.2.6.exceptions": "exceptions of book\n@2 picture\n"}
        self.assertEqual(self.make(others=files), (0, ""))
        text = self.output.read_text()
        self.assertLess(text.index('.release = "1.13.1"'), text.index('.release = "2.6"'))
        self.assertIn('.golden_file = "book.2.6.golden"', text)
        self.assertIn('.exceptions_file = "book.2.6.exceptions"', text)
        self.assertEqual(self.refused(others={"book.2.6.golden": GOLDEN.replace("@2 In [3]", "@2 In [4]")}),
                         "book.2.6.golden:6: cell @2 is In [4] here, but In [3] in the notebook book")
        self.assertEqual(self.refused(others={"book.2.6.exceptions": "exceptions of book\n"}),
                         "book.2.6.exceptions: there is no golden of that release beside it")
        self.assertEqual(self.refused(others={"book.old.golden": GOLDEN}), "book.old.golden: it is named after no release; "
                         "book.2.6.golden would belong to PyTorch 2.6")

    def test_recordings_of_releases_are_written_or_refused(self):
        whole = {"notebook": "book", "fingerprint": {"torch": "", "build": "", "cpu_capability": "", "blas": "",
                 "threads": 1, "compiler": ""},
                 "cells": [{"label": label, "stdout": "", "result": None, "tensors": []} for label in ("1", "3")]}
        recording = json.dumps(whole)
        self.assertEqual(self.make(others={"book.2.6.json": recording}), (0, ""))
        text = self.output.read_text()
        self.assertIn('.golden_file = "",', text)
        self.assertIn('.recording_file = "book.2.6.json"', text)
        self.assertRegex(self.refused(others={"book.2.6.json": recording[:-9]}),
                         "^book.2.6.json:1: column 252: .*missing closing quote")
        cell = {"position": 2, **whole["cells"][1]}
        partial = {**whole, "differs_from": "book.json", "cells": [cell]}
        others = {"book.2.6.json": json.dumps(partial)}
        self.assertEqual(self.make(recording=recording, others=others), (0, ""))
        self.assertEqual(self.refused(others=others),
                         "book.2.6.json: it has only what differs from book.json; here it must be whole")
        self.assertEqual(self.refused(recording=others["book.2.6.json"]),
                         "book.json: it has only what differs from book.json; here it must be whole")
        for wrong, why in (({"cells": [{**cell, "position": 3}]}, ": there is no cell @3; book.json has 2 cells"),
                           ({"cells": [cell, cell]}, ": cell @2 follows cell @2; positions must increase"),
                           ({"cells": [{**cell, "label": "4"}]}, ": cell @2 is In [4] here, but In [3] in the notebook book"),
                           ({"notebook": "cook"}, ":1: this belongs to the notebook cook, not to book"),
                           ({"differs_from": "cook.json"}, ': "differs_from" is cook.json; it must be book.json')):
            self.assertEqual(self.refused(recording=recording, others={"book.2.6.json": json.dumps({**partial, **wrong})}),
                             "book.2.6.json" + why)

    def test_hostile_texts_stay_texts(self):
        hostile = 'x = ")torchbook\\" ??/ \\\\ \t\x01 é"'
        self.assertEqual(self.make(twin=TWIN.replace('print("one")', hostile)), (0, ""))
        made = self.output.read_bytes().decode("ascii")
        self.assertIn('\\303\\251', made)
        self.assertIn("\\001", made)


class Configuring(unittest.TestCase):
    """Tests what CMake refuses before anything is built."""

    def configured(self, call):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(books LANGUAGES NONE)\n"
                f"include({SOURCE}/cmake/torchbookNotebooks.cmake)\n{call}\n")
            (folder / "book.cpp").write_text(PORT)
            result = subprocess.run([CMAKE, "-G", "Ninja", "-S", folder, "-B", folder / "build"], capture_output=True, text=True, check=False)
            self.assertNotEqual(result.returncode, 0)
            return " ".join(result.stderr.replace(name, "").split())

    def test_a_slug_that_names_no_function_is_refused(self):
        for slug in ("2nd", "a-b", "a b", "main"):
            self.assertIn(f"'{slug}' names no C++ function; a slug has letters, digits and underscores",
                          self.configured(f'torchbook_add_notebook("{slug}")'))

    def test_a_missing_part_is_refused(self):
        for call, missing in (("book", "the golden of book is missing; it should be /book.golden"),
                              ("cook", "the source of cook is missing; it should be /cook.cpp"),
                              ("cook SOURCE book.cpp", "the golden of cook is missing; it should be /book.golden"),
                              ("book GOLDEN book.cpp TWIN old.py", "the twin of book is missing; it should be /old.py"),
                              ("book GOLDEN book.cpp RECORDING x", "the recording of book is missing; it should be /x")):
            self.assertIn(missing, self.configured(f"torchbook_add_notebook({call})"))

    def test_other_arguments_are_refused(self):
        self.assertIn("it takes no 'book.txt'; after the slug may come SOURCE, GOLDEN, TWIN or RECORDING, each with a file",
                      self.configured("torchbook_add_notebook(book book.txt)"))
        self.assertIn("it takes no 'GOLDEN'", self.configured("torchbook_add_notebook(book GOLDEN)"))
        self.assertIn("it takes no 'cook'; behind the name may stand NOTEBOOKS and slugs",
                      self.configured("torchbook_add_program(books cook)"))

    def test_a_name_that_is_taken_is_refused(self):
        for function in ("notebook", "program"):
            self.assertIn(f"torchbook_add_{function}: there is a target book already; a program and the notebooks need "
                          "names of their own", self.configured(f"add_custom_target(book)\ntorchbook_add_{function}(book)"))

    def test_without_googletest_the_tests_fail_and_say_why(self):
        said = self.configured("set(CMAKE_DISABLE_FIND_PACKAGE_GTest ON)\nenable_testing()\n"
                               "set_property(GLOBAL PROPERTY TORCHBOOK_SLUGS_OF_books book)\n"
                               "add_custom_target(torchbook_notebook_book)\ntorchbook_add_tests()\n"
                               "get_property(tests DIRECTORY PROPERTY TESTS)\nmessage(FATAL_ERROR \"tests: ${tests}\")")
        self.assertIn("torchbook_add_tests: GoogleTest is not here (Debian's package is libgtest-dev), so the test "
                      "books_cell_tests fails", said)
        self.assertIn("tests: books_cell_tests", said)

    def test_a_program_without_notebooks_is_refused(self):
        for call in ("torchbook_add_program(books)", "torchbook_add_tests()"):
            self.assertIn("this project has no notebook yet; torchbook_add_notebook must come before",
                          self.configured(call))
        self.assertIn("there is no notebook cook; torchbook_add_notebook(cook) must come before",
                      self.configured("torchbook_add_program(books NOTEBOOKS cook)"))


if __name__ == "__main__":
    sys.exit(unittest.main())
