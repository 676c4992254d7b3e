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

    def test_a_space_more_is_a_wrong_text(self):
        self.assertEqual(len(self.found(old="tensor([3, 4])\n```", new="tensor([3, 4]) \n```")), 2)

    def test_another_output_of_cpp_is_seen(self):
        found = self.found(report=self.report_with("slices", stdout="tensor([[1, 2]])\n"))
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"^slices: C\+\+ prints\ntensor\(\[\[1, 2\]\]\)\ninstead of\n")

    def test_another_output_of_a_trap_is_seen(self):
        found = self.found(report=self.report_with("slices-trap", stdout=""))
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"^slices-trap: C\+\+ prints\ninstead of\n")

    def test_another_output_of_python_is_seen(self):
        found = self.found(old="[3, 4]])\nprint(x[x > 2])", new="[3, 9]])\nprint(x[x > 2])")
        self.assertEqual([failure.splitlines()[0] for failure in found], ["reading-through-a-mask: Python prints"])
        self.assertIn("tensor([3, 9])\ninstead of\ntensor([3, 4])\n", found[0])

    def test_a_python_block_that_throws_is_seen(self):
        found = self.found(old="\nprint(x[x > 2])", new="\ny\nprint(x[x > 2])")
        self.assertEqual(len(found), 1, found)
        self.assertIn("NameError: name 'y' is not defined\ninstead of\n", found[0])

    def test_cpp_that_the_program_does_not_run_is_seen(self):
        found = self.found(old="nb.print(x.index({x > 2}));", new="nb.print(x.index({x > 1}));")
        self.assertTrue(found[0].startswith("reading-through-a-mask: the program was built of another block"), found)

    def test_a_row_that_did_not_run_is_seen(self):
        report = dict(REPORT, cells=REPORT["cells"][:-1], error="cell In [x] threw")
        found = self.found(report=report)
        self.assertEqual(len(found), 2, found)
        self.assertIn("C++ did not run", found[1])

    def test_a_trap_that_prints_the_right_thing_is_none(self):
        row = next(row for row in porting.parse(TEXT).rows if row.trap)
        found = self.found(old=f"```text\n{row.trap.text}```", new=f"```text\n{row.cell.text}```")
        self.assertTrue(any("so it is no trap" in failure for failure in found), found)

    def test_the_contents_must_be_those_of_the_chapters(self):
        self.assertEqual(len(self.found(old="#slices)", new="#slice)")), 1)
        self.assertEqual(len(self.found(old="`x[x > 2]`", new="`x[x > 3]`")), 1)
        self.assertEqual(len(self.found(old="| [Slices](indexing.md#slices) |", new="|")), 1)

    def test_a_cell_that_does_not_exist_is_seen(self):
        self.assertEqual(len(self.found(old="cell 17.*", new="cell 18.*")), 1)

    def test_a_row_without_its_blocks_is_no_guide(self):
        with self.assertRaises(porting.GuideError):
            self.found(old="```python\nx = torch.tensor([[1, 2], [3, 4]])\nprint(x[x > 2])\n```\n", new="")
        with self.assertRaises(porting.GuideError):
            self.found(old="## Slices\n", new="## A column\n")


if __name__ == "__main__":
    sys.exit(unittest.main())
