"""Builds pyrepr as shared libraries, alone, and checks what they show and what programs get that link them.

Usage: see building.py. BUILD is not used.
"""
import re
import sys
import unittest

import building
from building import ARGUMENTS, CMAKE, FORBIDDEN, ROOT, succeed

LIBRARY = "torchbook_pyrepr"
VERSION = re.findall(r"_VERSION_[A-Z]+ (\d+)$", (ROOT / "src/torchbook/pyrepr/version.h").read_text(), re.MULTILINE)
MAJOR, VERSION = VERSION[0], ".".join(VERSION)
NAME = re.compile(rf"torchbook::pyrepr::v{MAJOR}::(?:detail::)?(\w+)")
OF_THE_LINKER = {"__bss_start", "_edata", "_end"}


class Shared(building.Installed):
    @classmethod
    def build(cls):
        cls.shared = cls.work / "shared"
        succeed(CMAKE, "-S", ROOT, "-B", cls.shared, *ARGUMENTS, *FORBIDDEN, "-DTORCHBOOK_PYREPR_ONLY=ON",
                "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0")
        succeed(CMAKE, "--build", cls.shared, "--parallel", 2)
        return cls.shared

    def library(self):
        found = list(self.prefix.rglob(f"lib{LIBRARY}.so"))
        self.assertEqual(len(found), 1, found)
        return found[0]

    def needed(self, program):
        return re.findall(r"\(NEEDED\).*\[(.+)\]", succeed("readelf", "--dynamic", program))

    def symbols(self):
        """Returns the kinds and the names of the symbols that the library shows."""
        lines = succeed("nm", "--dynamic", "--defined-only", "--demangle", self.library()).splitlines()
        return [tuple(line.split(maxsplit=2)[1:]) for line in lines]

    def test_the_soname_has_the_major_version(self):
        self.assertIn(f"Library soname: [lib{LIBRARY}.so.{MAJOR}]", succeed("readelf", "--dynamic", self.library()))
        self.assertEqual(self.library().resolve().name, f"lib{LIBRARY}.so.{VERSION}")

    def test_only_names_of_the_public_headers_are_visible(self):
        headers = "".join(path.read_text() for path in self.prefix.rglob("*.h"))
        declared = set(re.findall(r"\w+", re.sub(r"//.*", "", headers)))
        ours = [symbol for _, symbol in self.symbols() if "torchbook" in symbol]
        for name in ("version", "detail::repr_module"):
            self.assertIn(f"torchbook::pyrepr::v{MAJOR}::{name}", " ".join(ours))
        for symbol in ours:
            for name in NAME.findall(symbol) or [symbol]:
                self.assertIn(name, declared, symbol)

    def test_nothing_but_pyrepr_is_defined(self):
        # Weak symbols are what compilers make of other libraries' templates and classes.
        strong = {symbol for kind, symbol in self.symbols() if kind in "TDBR"} - OF_THE_LINKER
        self.assertEqual([symbol for symbol in strong if f"torchbook::pyrepr::v{MAJOR}::" not in symbol], [])
        self.assertTrue(strong)

    def test_find_package(self):
        build = self.configure("package", f"-Dtorchbook_ROOT={self.prefix}")
        self.check_builds_and_prints_as_python(build)
        for program in ("consumer", "consumer_module"):
            self.assertIn(f"lib{LIBRARY}.so.{MAJOR}", self.needed(build / program))

    def test_pkg_config(self):
        program = self.work / "by_pkg_config"
        self.assertEqual(building.by_pkg_config(self.prefix, LIBRARY, "module.cpp", program),
                         "Linear(in_features=3, out_features=4, bias=True)\n")
        self.assertIn(f"lib{LIBRARY}.so.{MAJOR}", self.needed(program))


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
