"""Tests that an f-string with a wrong number of arguments does not compile, and that the compiler says why.

Usage: f_errors_test.py COMPILER INCLUDES, where INCLUDES are folders, separated by ';'.
"""
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).with_name("f_errors.cpp")
COMPILER, INCLUDES = sys.argv.pop(1), sys.argv.pop(1).split(";")


def compile_source(text):
    command = [COMPILER, "-std=c++20", "-fsyntax-only", *(f"-I{folder}" for folder in INCLUDES if folder), "-x", "c++", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lines = SOURCE.read_text().splitlines(keepends=True)
        cls.said = compile_source("".join(cls.lines)).stderr

    def expected(self):
        for number, line in enumerate(self.lines, 1):
            if words := re.search(r"nb\.print\(.*  // (.*)$", line):
                yield number, words[1]

    def test_each_wrong_line_is_told_with_its_reason(self):
        checked = 0
        for number, words in self.expected():
            with self.subTest(line=number):
                told = [line for line in self.said.splitlines() if words in line and "error" in line]
                self.assertEqual(bool(told), words != "compiles", self.said)
                at_line = f"<stdin>:{number}:" in self.said
                self.assertEqual(at_line, words != "compiles", self.said)
                checked += 1
        self.assertEqual(checked, 7)

    def test_without_the_wrong_lines_it_compiles(self):
        wrong = [number for number, words in self.expected() if words != "compiles"]
        text = "".join(line for number, line in enumerate(self.lines, 1) if number not in wrong)
        result = compile_source(text)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
