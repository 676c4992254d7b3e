"""Checks that NOTICE names each library that programs link, and that none of them forces the GPL on what is under MIT.

Usage: licences_test.py BUILD
"""
import collections
import fnmatch
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1])
Row = collections.namedtuple("Row", "libraries name licence packages programs")


def listed(text):
    """Returns the rows of NOTICE's table of libraries."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return [Row(row[0].split(), *row[1:3], row[3].split(), row[4]) for row in cells if len(row) == 5 and row[4] not in ("in", "---")]


def unlisted(needed, rows):
    """Returns a line for each library that a program needs and no row names. torchbook's own libraries need no row."""
    patterns = [pattern for row in rows for pattern in row.libraries] + ["libtorchbook_*"]
    return [f"{program} links {library}, which NOTICE does not list" for program, libraries in sorted(needed.items())
            for library in libraries if not any(fnmatch.fnmatchcase(library.split(".so")[0], pattern) for pattern in patterns)]


def forces_gpl(licence):
    """Returns whether every alternative of a licence puts a program that links the library under the GPL."""
    return all(re.search(r"\bA?GPL\b", one) and "exception" not in one.lower() for one in licence.split(" or "))


def needed_by(file):
    """Returns the shared libraries that an ELF file asks for itself."""
    told = subprocess.run(["readelf", "--wide", "--dynamic", file], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", told)


class Licences(unittest.TestCase):
    rows = listed((ROOT / "NOTICE").read_text())

    def test_every_linked_library_is_listed(self):
        files = [path for folder in ("bin", "tools") for path in sorted((BUILD / folder).glob("*"))
                 if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF"]
        needed = {path.name: needed_by(path) for path in files}
        self.assertIn("torchbook", needed)
        self.assertEqual("\n".join(unlisted(needed, self.rows)), "")

    def test_every_package_with_headers_is_listed(self):
        packages = re.findall(r"(?m)^\w+ (\S+-dev)\b", (ROOT / "cmake/debian-packages").read_text())
        self.assertGreater(len(packages), 8)
        self.assertEqual([name for name in packages if not any(name in row.packages for row in self.rows)], [])

    def test_no_licence_forces_the_gpl(self):
        self.assertGreater(len(self.rows), 10)
        self.assertEqual([row for row in self.rows if not row.licence or forces_gpl(row.licence)], [])

    def test_would_find_what_is_wrong(self):
        rows = listed("| libraries | part of | licence | package | in |\n| --- | --- | --- | --- | --- |\n"
                      "| liba libb_* | A | GPL-3.0-or-later | a-dev | all |\n| a | b |\n")
        self.assertEqual(rows, [(["liba", "libb_*"], "A", "GPL-3.0-or-later", ["a-dev"], "all")])
        self.assertEqual(unlisted({"one": ["liba.so.1", "libb_c.so", "libab.so.2"], "two": ["libtorchbook_x.so.1", "libb.so"]}, rows),
                         ["one links libab.so.2, which NOTICE does not list", "two links libb.so, which NOTICE does not list"])
        for licence in ("GPL-3.0-or-later", "GPL-2.0-only or GPL-3.0-only", "AGPL-3.0-only"):
            self.assertTrue(forces_gpl(licence), licence)
        for licence in ("MIT", "LGPL-2.1-or-later", "LGPL-3.0-or-later or GPL-2.0-or-later",
                        "GPL-3.0-or-later with the GCC Runtime Library Exception"):
            self.assertFalse(forces_gpl(licence), licence)


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
