"""Tests that the test of the porting guide can fail. Usage: planted_test.py PORTING_GUIDE."""
import copy
import sys
import unittest

import guide as porting
import guide_test

REPORT = guide_test.report_of(sys.argv.pop(1))
TEXT = porting.read()


class PlantedTest(unittest.TestCase):
    def found(self, *, old="", new="", report=REPORT):
        """Returns the failures of the guide in which `old` is replaced."""
        self.assertIn(old, TEXT)
        return list(guide_test.failures(TEXT.replace(old, new, 1), report))

    def report_with(self, label, **changes):
        report = copy.deepcopy(REPORT)
        for cell in report["cells"]:
            if cell["label"] == label:
                cell.update(changes)
        self.assertNotEqual(report, REPORT)
        return report

    def test_the_guide_as_it_is_has_no_failure(self):
        self.assertEqual(self.found(), [])

    def test_a_wrong_text_is_what_neither_language_prints(self):
        found = self.found(old="tensor([3, 4])\n```", new="tensor([3, 5])\n```")
        self.assertEqual([failure.splitlines()[0] for failure in found],
                         ["reading-through-a-mask: C++ prints", "reading-through-a-mask: Python prints"])
        self.assertIn("tensor([3, 4])\ninstead of\ntensor([3, 5])\n", found[0])

    def test_another_output_of_cpp_is_seen(self):
        found = self.found(report=self.report_with("slices", stdout="tensor([[1, 2]])\n"))
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"^slices: C\+\+ prints\ntensor\(\[\[1, 2\]\]\)\ninstead of\n")

    def test_a_python_block_that_throws_is_seen(self):
        found = self.found(old="\nprint(x[x > 2])", new="\ny\nprint(x[x > 2])")
        self.assertEqual(len(found), 1, found)
        self.assertIn("NameError: name 'y' is not defined\ninstead of\n", found[0])

    def test_cpp_that_the_program_does_not_run_is_seen(self):
        found = self.found(old="nb.print(x.index({x > 2}));", new="nb.print(x.index({x > 1}));")
        self.assertTrue(found[0].startswith("reading-through-a-mask: the program was built of another block"), found)

    def test_the_contents_must_be_those_of_the_chapters(self):
        self.assertEqual(len(self.found(old="#slices)", new="#slice)")), 1)
        self.assertEqual(len(self.found(old="`x[x > 2]`", new="`x[x > 3]`")), 1)
        self.assertEqual(len(self.found(old="| [Slices](indexing.md#slices) |", new="|")), 1)


if __name__ == "__main__":
    sys.exit(unittest.main())
