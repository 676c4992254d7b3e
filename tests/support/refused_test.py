"""Tests that the marked lines of a source do not compile, and that the compiler says why in one line.

Usage: refused_test.py COMPILER INCLUDES SOURCE, where INCLUDES are folders, separated by ';'. A line of SOURCE that
ends in `// refused: WORDS` must not compile, and an error of the compiler must have these words; `WORDS|WORDS` says that compilers or
libraries differ. The other lines must
compile without the refused ones.
"""
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop())
INCLUDES = sys.argv.pop().split(";")
COMPILER = sys.argv.pop()


def compile_source(text):
    command = [COMPILER, "-std=c++20", "-fsyntax-only", *(f"-I{folder}" for folder in INCLUDES if folder), "-x", "c++", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


class Refused(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lines = SOURCE.read_text().splitlines(keepends=True)
        cls.refused = {}
        for number, line in enumerate(cls.lines, 1):
            if words := re.search(r"// refused: (.*)$", line):
                cls.refused[number] = words[1]

    def test_each_refused_line_is_told_with_its_reason(self):
        said = compile_source("".join(self.lines)).stderr
        for number, words in self.refused.items():
            with self.subTest(line=number, words=words):
                self.assertIn(f"<stdin>:{number}:", said)
                errors = [line for line in said.splitlines() if "error" in line]
                self.assertTrue([line for line in errors if any(some in line for some in words.split("|"))], said)
        self.assertTrue(self.refused)

    def test_without_the_refused_lines_it_compiles(self):
        text = "".join(line for number, line in enumerate(self.lines, 1) if number not in self.refused)
        result = compile_source(text)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
