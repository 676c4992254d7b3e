"""A trace has the lines of C++ that run its operations, if the program has debug information.

The arguments are objcopy and the folder of the programs.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import reader

OBJCOPY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
ROOT = pathlib.Path(__file__).resolve().parents[4]
SOURCES = [pathlib.Path(__file__).resolve().parent / name for name in ("lines.cpp", "lines_net.h")]


def wanted(folder=""):
    """Returns the lines of each operation that the comments of the sources name."""
    lines = {}
    for source in SOURCES:
        for number, text in enumerate(source.read_text().splitlines(), 1):
            for name in re.findall(r"\S+", text.partition("// runs ")[2]):
                lines.setdefault(name, set()).add(f"{folder}{source.relative_to(ROOT)}:{number}")
    assert len(lines) > 10, lines
    return lines


class Lines(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def recorded(self, program, folder=ROOT, **environment):
        """Returns the lines of each operation that no other calls, as a program records them."""
        file = self.folder / "lines.trace"
        done = subprocess.run([program, file], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, **environment}, timeout=300)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        records, _ = reader.read(file.read_bytes())
        lines, depth = {}, 0
        for record in records:
            if record["kind"] == "begin" and depth == 0:
                lines.setdefault(record["operation"], set()).add(record["line"])
            depth += {"begin": 1, "end": -1}.get(record["kind"], 0)
        return lines

    def assert_lines(self, program, folder=ROOT, prefix="", **environment):
        lines, expected = self.recorded(program, folder, **environment), wanted(prefix)
        self.assertEqual({name: lines.get(name) for name in expected}, expected)
        sources = {line.rpartition(":")[0] for found in lines.values() for line in found}
        self.assertEqual(sources, {f"{prefix}{source.relative_to(ROOT)}" for source in SOURCES})

    def assert_no_lines(self, program, **environment):
        lines = self.recorded(program, **environment)
        self.assertIn("aten::neg", lines)
        self.assertEqual(set().union(*lines.values()), {None})

    def copy(self, *options):
        """Returns a copy of the program, changed by objcopy."""
        program = self.folder / "program"
        subprocess.run([OBJCOPY, *options, FOLDER / "trace_lines", program], check=True)
        return program

    def split(self):
        """Returns a copy of the program whose debug information is in a file of its own, and that file."""
        debug = self.folder / "program.debug"
        subprocess.run([OBJCOPY, "--only-keep-debug", FOLDER / "trace_lines", debug], check=True)
        return self.copy("--strip-debug", f"--add-gnu-debuglink={debug}"), debug

    def test_a_program(self):
        self.assert_lines(FOLDER / "trace_lines")

    def test_a_program_at_a_fixed_address(self):
        self.assert_lines(FOLDER / "trace_lines_fixed")

    def test_a_shared_library_with_only_lines(self):
        self.assert_lines(FOLDER / "trace_lines_shared")

    def test_paths_begin_at_the_root_outside_of_the_folder(self):
        self.assert_lines(FOLDER / "trace_lines", folder=self.folder, prefix=f"{ROOT}/")

    def test_without_debug_information_there_are_no_lines(self):
        self.assert_no_lines(FOLDER / "trace_lines_without")
        self.assert_no_lines(self.copy("--strip-all"))

    def test_without_an_index_of_addresses(self):
        self.assert_lines(self.copy("--remove-section", ".debug_aranges"))

    def test_debug_information_in_a_file_of_its_own(self):
        program, _ = self.split()
        self.assert_lines(program)

    def test_a_debug_file_that_is_missing_or_no_debug_file(self):
        program, debug = self.split()
        debug.write_bytes(b"this is no debug information\n" * 100)
        self.assert_no_lines(program)
        debug.unlink()
        debug.mkdir()
        self.assert_no_lines(program)
        debug.rmdir()
        self.assert_no_lines(program)

    def test_no_server_is_asked_for_debug_information(self):
        program, debug = self.split()
        debug.unlink()
        self.assert_no_lines(program, DEBUGINFOD_URLS="http://127.0.0.1:9/")

    def test_damaged_debug_information(self):
        for section in (".debug_info", ".debug_abbrev", ".debug_line", ".debug_line_str", ".debug_str", ".debug_rnglists"):
            with self.subTest(section):
                damaged = self.folder / "section"
                damaged.write_bytes(b"\xff" * 4096)
                lines = self.recorded(self.copy("--update-section", f"{section}={damaged}"))
                self.assertIn("aten::neg", lines)
                for found in lines.values():
                    for line in found:
                        self.assertRegex(line or "nothing:0", r":\d+$")


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
