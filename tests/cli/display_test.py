"""Tests transcripts in a pseudo-terminal: highlighting, colours of heatmaps, and the width. Without a terminal there is
none of it.

Usage: display_test.py BIN: the folder of the programs.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from terminal import SGR, Terminal

BIN = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = f"{BIN}/mathematical_trick"
ESCAPE = "\x1b"


def on_terminal(*arguments, **options):
    with Terminal([PROGRAM, *arguments], **options) as terminal:
        assert terminal.end() == 0, terminal.written
        return terminal.written.replace("\r\n", "\n")


def piped(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    return subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True,
                          universal_newlines=True, env={**environment, "TERM": "xterm", **variables}).stdout


class Source(unittest.TestCase):
    def test_is_highlighted_on_a_terminal_only(self):
        shown = on_terminal("--cell", "@3")
        self.assertIn("\x1b[32mIn [13]:\x1b[0m\n    nb.\x1b[94mdisplay\x1b[0m(x[\x1b[36m0\x1b[0m]);  "
                      "\x1b[2m// (T, C): the first sequence of the batch\x1b[0m\n", shown)
        self.assertEqual(SGR.sub("", shown), piped("--cell", "@3"))
        self.assertNotIn(ESCAPE, piped("--cell", "@3", "--source", "both"))

    def test_never_against_the_users_will(self):
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertEqual(on_terminal("--heatmap", **variables), piped("--heatmap"))

    def test_never_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/report.txt"
            on_terminal("--source", "both", "--heatmap", "--output", path, columns=200)
            with open(path, encoding="utf-8") as report:
                self.assertEqual(report.read(), piped("--source", "both", "--heatmap"))

    def test_both_stand_side_by_side_where_that_fits(self):
        beside = ("In [26]:\n"
                  "  C++                                                             PyTorch\n"
                  "    nb.display(torch::tril(torch::ones({3, 3})));  // (3, 3)        torch.tril(torch.ones(3, 3))\n")
        self.assertIn(beside, SGR.sub("", on_terminal("--cell", "26", "--source", "both", columns=96)))
        below = ("In [26]:\n  C++\n    nb.display(torch::tril(torch::ones({3, 3})));  // (3, 3)\n"
                 "  PyTorch\n    torch.tril(torch.ones(3, 3))\n")
        self.assertIn(below, SGR.sub("", on_terminal("--cell", "26", "--source", "both", columns=95)))
        self.assertIn(below, piped("--cell", "26", "--source", "both", COLUMNS="200"))


class Heatmap(unittest.TestCase):
    def test_has_the_colours_of_the_terminal(self):
        arguments = ("--cell", "26", "--source", "none", "--heatmap")
        any_colour = "\x1b[48;2;8;48;107;38;2;255;255;255m 1 \x1b[0m\x1b[48;2;247;251;255;38;2;0;0;0m 0 \x1b[0m"
        palette = "\x1b[48;5;23;38;5;231m 1 \x1b[0m\x1b[48;5;231;38;5;16m 0 \x1b[0m"
        self.assertIn(palette, on_terminal(*arguments))
        self.assertIn(palette, on_terminal(*arguments, COLORTERM="yes"))
        self.assertIn(any_colour, on_terminal(*arguments, COLORTERM="truecolor"))
        self.assertIn(any_colour, on_terminal(*arguments, COLORTERM="24bit"))
        self.assertIn("\n  ██ 1     0     0\n", on_terminal(*arguments, COLORTERM="truecolor", NO_COLOR="1"))
        self.assertIn("\n  ██ 1     0     0\n", piped(*arguments, COLORTERM="truecolor"))

    def test_fits_the_terminal(self):
        for columns in (40, 120):
            shown = on_terminal("--source", "none", "--heatmap", columns=columns)
            drawn = [line for part in shown.split("# Heatmap of ")[1:] for line in part.split("\n\n")[0].split("\n")]
            self.assertGreater(len(drawn), 50)
            self.assertLessEqual(max(len(SGR.sub("", line)) for line in drawn), columns)

    def test_takes_its_width_from_the_variable_where_no_terminal_says_it(self):
        with Terminal([f"{BIN}/attention_by_hand", "--source", "none", "--heatmap"], rows=0, columns=0,
                      COLUMNS="30") as terminal:
            self.assertEqual(terminal.end(), 0)
            self.assertRegex(terminal.written, "of which .* is shown")
        with Terminal([f"{BIN}/attention_by_hand", "--source", "none", "--heatmap"], rows=0, columns=0) as terminal:
            self.assertEqual(terminal.end(), 0)
            self.assertIsNone(re.search("of which .* is shown", terminal.written))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
