"""Plants differences in twins. `torchbook compare --trace` must tell the operation, its place and the kind of each.

Usage: traced_faults_test.py BIN: the folder of the programs. The Python that runs the test must have PyTorch.
"""
import json
import os
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import comparing
from comparing import PORTS, TWINS, compare, complaints

TRICK = "mathematical_trick"
VECTORS = "keys_queries_values"


def changed(slug, old, new, *arguments, **environment):
    """Compares a notebook with its changed twin, and traces both."""
    return comparing.changed(slug, old, new, "--trace", "--once", *arguments, **environment)


def partings(done, slug=TRICK):
    """Returns the partings of each cell of a notebook in a json report, by position."""
    cells = next(one["cells"] for one in json.loads(done.stdout)["notebooks"] if one["notebook"] == slug)
    return {cell["position"]: cell["difference"].get("partings", []) for cell in cells if "difference" in cell}


def line_in(source, text):
    """Returns the number of the line of a source that has this text."""
    return next(number for number, line in enumerate(source.splitlines(), 1) if text in line)


def line_of(slug, text):
    """Returns the number of the line of a twin that has this text."""
    return line_in(TWINS[slug], text)


def in_its_trace(statement):
    """Returns Python that runs a statement with `file`, the trace of the process that runs it."""
    return ("import os, glob\n"
            "for name in glob.glob(f'/proc/{os.getpid()}/fd/*'):\n"
            "    if 'torchbook' in os.readlink(name):\n"
            "        file = os.open(name, os.O_RDWR)\n"
            f"        if os.pread(file, 15, 0) == b'torchbook trace': {statement}\n")


class Kinds(unittest.TestCase):
    SOFTMAX = "F.softmax(wei, dim={})\nxbow3 = wei @ x\ntorch.allclose(xbow, xbow3)"
    CHANGES = {
        TRICK: [("torch.tril(torch.ones(3, 3))\n\n", "torch.triu(torch.ones(3, 3))\n\n"),
                ('print(f"a_sum = {a_sum}")', 'print(f"a_sum: {a_sum}")'),
                ("manual_seed(42)", "manual_seed(43)"),
                (SOFTMAX.format(1), SOFTMAX.format(0))],
        VECTORS: [("0.21", "0.22")],
        "attention_by_hand": [("torch.manual_seed(123)", "torch.manual_seed(124)")],
    }

    @classmethod
    def setUpClass(cls):
        """Plants all changes at once, in cells of which none uses another, and reads both reports."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "junit.xml")
            cls.done = comparing.planted(cls.CHANGES, "--trace", "--once", "--format", "json", "--junit", str(file))
            cls.failures = {f"{case.get('classname')} {case.get('name')}": case.find("failure")
                            for case in xml.etree.ElementTree.parse(file).getroot().iter("testcase")}

    def only(self, position, kind):
        """Returns the only parting of a cell."""
        found = partings(self.done)
        self.assertEqual(list(found), [7, 9, 10, 13], self.done.stdout)
        self.assertEqual([one["kind"] for one in found[position]], [kind], self.done.stdout)
        return found[position][0]

    def expect_line(self, parting, line):
        self.assertRegex(parting["there"][0]["line"], rf"/\w+\.py:{line}$")

    def test_another_seed(self):
        told = self.only(10, "random")
        self.assertRegex(told["what"], r"seeded with 42 here and with 43 there$")
        self.assertIsNone(told["from"])
        self.expect_line(told, line_of(TRICK, "torch.randint"))
        text, port = changed(TRICK, "manual_seed(42)", "manual_seed(43)").stdout, (PORTS / f"{TRICK}.cpp").read_text()
        self.assertIn("\n  other random numbers: the generator of randint was seeded with 42 here and with 43 there\n"
                      "    here      operation ", text)
        self.assertRegex(text, rf"\n    here      operation \d+, In \[45\] \(@10\), ({PORTS}|notebooks_ported)/{TRICK}.cpp:"
                               rf"{line_in(port, 'torch::randint(0')}\n"
                               rf"    there     operation \d+, In \[45\] \(@10\), \S+/{TRICK}.py:"
                               rf"{line_of(TRICK, 'torch.randint')}\n")
        self.assertRegex(text, r"\n  again: .* --trace --cell @10\n")

    def test_another_operation(self):
        told = self.only(7, "operations")
        self.assertEqual(told["what"], "tril here, triu there")
        self.assertEqual([one["name"] for one in told["here"] + told["there"]], ["aten::tril", "aten::triu"])
        self.expect_line(told, line_of(TRICK, "torch.tril(torch.ones(3, 3))"))

    def test_another_argument(self):
        told = self.only(13, "argument")
        self.assertEqual(told["what"], "argument dim of softmax is 1 here and 0 there")
        self.expect_line(told, line_of(TRICK, "F.softmax"))

    def test_other_numbers_are_told_whole_once_and_named_by_later_cells(self):
        found = partings(self.done, VECTORS)
        self.assertEqual([[(one["kind"], one["from"]) for one in told] for told in found.values()],
                         [[("argument", "@3")]] * len(found))
        self.assertGreater(len(found), 1)
        first, *later = found.values()
        self.assertTrue(any("first (0, 0): 0.21 here, 0.22 there" in line for line in first[0]["text"]), first)
        heading = "follows from In [3] (@3): other argument: a tensor is made of other numbers"
        self.assertEqual([told[0]["text"] for told in later], [[heading]] * len(later))
        self.assertEqual(first[0]["text"][0], heading)

    def test_only_the_text(self):
        told = self.only(9, "text")
        self.assertEqual(told["text"], ["all operations of the cell gave the same bits; only its text differs"])
        self.assertEqual((told["here"], told["there"]), ([], []))

    def test_a_kind_has_its_words_in_the_report_for_ci(self):
        told = self.failures[f"torchbook.{TRICK} @10 In [45]"]
        self.assertIn("other random numbers: the generator of randint was seeded with 42 here", told.text)

    def test_equal_cells_say_nothing(self):
        done = compare("--trace", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("partings", done.stdout)

    def test_the_order_of_equal_operations_is_no_difference(self):
        """C++ evaluates exp(x) / exp(x).sum() in another order than Python."""
        found = partings(self.done, "attention_by_hand")
        self.assertGreater(len(found), 9)
        own = found.pop(9)  # which adds in place here, and not in Python
        self.assertEqual([(one["kind"], one["from"]) for one in own], [("operations", None), ("random", "@2")])
        self.assertEqual({(one["kind"], one["from"]) for told in found.values() for one in told}, {("random", "@2")})


class Recorders(unittest.TestCase):
    def test_no_module_of_the_users_folder_is_imported(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "torchbook.py").write_text("raise SystemExit('not this one')\n")
            before = os.getcwd()
            os.chdir(folder)
            try:
                done = changed(TRICK, "manual_seed(42)", "manual_seed(43)", "--format", "json")
            finally:
                os.chdir(before)
        (told,) = partings(done)[10]
        self.assertEqual(told["kind"], "random")

    def test_without_a_library_for_this_pytorch_the_comparison_comes_without_traces(self):
        done = changed(TRICK, "manual_seed(42)", "manual_seed(43)", TORCHBOOK_TRACE_LIBRARY="/nowhere/lib.so")
        self.assertEqual(done.returncode, 1, done.stdout)
        (line,) = complaints(done)
        self.assertTrue(line.startswith("torchbook: --trace has no result: the twins cannot be recorded (ImportError: no "
                                        "libtorchbook_trace.so was built for PyTorch "), line)
        self.assertIn("In [45] differs from PyTorch\n", done.stdout)
        self.assertNotIn("other random numbers", done.stdout)


class HostileTwins(unittest.TestCase):
    def refused_after(self, harm, why):
        """Checks that one trace is refused if its twin does this harm to it. Returns what is printed."""
        done = changed(TRICK, "torch.manual_seed(42)", in_its_trace(harm) + "torch.manual_seed(43)")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        (line,) = complaints(done)
        self.assertTrue(line.startswith(f"torchbook: --trace has no result: the traces of {TRICK} are not compared: "), line)
        self.assertTrue(line.endswith(": " + why), line)
        return done.stdout

    def test_a_trace_that_a_twin_overwrites_is_refused(self):
        printed = self.refused_after("os.pwrite(file, b'x' * 99, 0)", 'it is no trace: it does not begin with "torchbook trace"')
        self.assertIn("In [45] differs from PyTorch\n", printed)


class Limits(unittest.TestCase):
    """A trace has at most 256 MiB. These twins compute more: 5000 tensors of 64 KiB."""

    MUCH = "for i in range(5000): torch.full((16384,), float(i))\n"

    def test_what_differs_before_the_limit_is_told_and_behind_it_nothing_is_told_to_be_equal(self):
        done = comparing.planted({TRICK: [("c = a @ b\n", "c = a @ b.flip(0)\n" + self.MUCH)],
                                  "attention_by_hand": [("torch.manual_seed(123)", self.MUCH + "torch.manual_seed(124)")]},
                                 "--trace", "--once", "--format", "json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(complaints(done), [])
        self.assertIn("operations", {one["kind"] for one in partings(done)[10]}, done.stdout)
        told = [line for found in partings(done, "attention_by_hand").values() for one in found for line in one["text"]]
        self.assertIn("no operation of the cell is known to differ, but a trace was cut off", told)
        self.assertNotIn("same bits", "".join(told))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
