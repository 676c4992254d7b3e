"""Installs the components pyrepr and trace, records with a C++ program that finds them, and with Python.

Usage: see consumer/building.py.
"""
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "consumer"))
import building  # noqa: E402
import reader  # noqa: E402
from building import ARGUMENTS, CMAKE, FORBIDDEN, succeed  # noqa: E402

CMAKELISTS = """cmake_minimum_required(VERSION 3.25)
project(recorded LANGUAGES CXX)
find_package(torchbook CONFIG REQUIRED COMPONENTS trace)
add_executable(recorded main.cpp)
target_compile_options(recorded PRIVATE -g)
target_link_libraries(recorded PRIVATE torchbook::trace)
"""
MAIN = """#include <ATen/ATen.h>
#include <torchbook/trace/trace.h>
int main() {
  torchbook::Trace trace("here.trace");
  at::ones({2}).neg();  // the line
}
"""
PYTHON = """import torch, torchbook
with torchbook.trace("there.trace"):
    torch.ones(2).neg()
"""


class InstalledTrace(building.Installed):
    COMPONENTS = ("pyrepr", "trace", "trace_dev")

    def operations(self, file):
        records, _ = reader.read((self.work / file).read_bytes())
        self.assertIn('"callbacks"', records[0]["json"])
        return [one["operation"] for one in records if one["kind"] == "begin"]

    def test_cpp_and_python_record(self):
        (self.work / "CMakeLists.txt").write_text(CMAKELISTS)
        (self.work / "main.cpp").write_text(MAIN)
        build = self.work / "build"
        succeed(CMAKE, "-S", self.work, "-B", build, *ARGUMENTS, *FORBIDDEN, f"-Dtorchbook_DIR={self.config_folder()}")
        succeed(CMAKE, "--build", build)
        succeed(build / "recorded", cwd=self.work)
        modules = self.prefix / "lib/python3/dist-packages"
        environment = {name: value for name, value in os.environ.items() if name != "TORCHBOOK_TRACE_LIBRARY"}
        succeed(sys.executable, "-c", PYTHON, cwd=self.work, env={**environment, "PYTHONPATH": str(modules)})
        expected = ["aten::ones", "aten::empty.memory_format", "aten::fill_.Scalar", "aten::neg"]
        self.assertEqual(self.operations("here.trace"), expected)
        line = MAIN.partition("// the line")[0].count("\n") + 1
        records, _ = reader.read((self.work / "here.trace").read_bytes())
        self.assertEqual({one["line"] for one in records if one["kind"] == "begin"}, {f"main.cpp:{line}"})
        self.assertEqual(self.operations("there.trace"), expected)

    def test_the_installed_header_needs_no_other(self):
        headers = [name for name in building.files_below(self.prefix / "include") if "/trace/" in name]
        self.assertEqual(headers, ["torchbook/trace/trace.h"])

    def test_no_path_of_this_machine_is_installed(self):
        self.check_knows_nothing_of_this_machine()

    def config_folder(self):
        (config,) = self.prefix.rglob("torchbookConfig.cmake")
        return config.parent


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
