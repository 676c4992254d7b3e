"""Installs and packs pyrepr, and builds the project in this folder against it in every way that docs/printing.md
promises.

Usage: see building.py.
"""
import json
import pathlib
import re
import shutil
import sys
import unittest

import building
from building import ARGUMENTS, BUILD, CMAKE, ROOT, run, succeed

GENERATOR = ARGUMENTS[:2]  # -G and its name, because CMake's default, make, may not be installed


class Consumer(building.Installed):
    def check_is_a_guest(self, build):
        """Checks that this build compiles only pyrepr of torchbook, without torchbook's warnings and options."""
        commands = json.loads((build / "compile_commands.json").read_text())
        targets = {re.search(r" -o \S*?([\w-]+)\.dir/", entry["command"])[1] for entry in commands}
        self.assertEqual(targets, {"consumer", "torchbook_pyrepr"})
        for entry in commands:
            self.assertNotRegex(entry["command"], r" -(Wpedantic|Wshadow|Wconversion|fsanitize)")
        cache = (build / "CMakeCache.txt").read_text()
        self.assertEqual(re.findall(r"^TORCHBOOK_(?!SOURCE)\w+", cache, re.MULTILINE), [])

    def refused(self, find_package, *prefixes, lines=""):
        """Returns CMake's message to a project whose find_package fails."""
        project = self.work / "refused"
        project.mkdir(exist_ok=True)
        (project / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject(refused NONE)\n{lines}find_package({find_package})\n")
        paths = ";".join(map(str, (self.prefix, *prefixes)))
        done = run(CMAKE, "--fresh", *GENERATOR, "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={paths}")
        self.assertNotEqual(done.returncode, 0, done.stdout)
        return " ".join(done.stdout.split())

    def test_find_package(self):
        build = self.configure("package", f"-Dtorchbook_ROOT={self.prefix}")
        self.check_builds_and_prints_as_python(build)
        self.assertEqual(succeed(build / "consumer_module"), "Linear(in_features=3, out_features=4, bias=True)\n")

    def test_the_programs_of_the_documentation(self):
        """Each program of docs/printing.md, with the lines of CMake in README.md, prints what the Python below it prints."""
        page = (ROOT / "docs/printing.md").read_text()
        pairs = re.findall(r"^```cpp\n(.*?)^```\n\nIn Python:\n\n```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        self.assertEqual((len(pairs), page.count("```cpp\n")), (3, 3))
        lists = re.search(r"^```cmake\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)[1]
        project = self.work / "documented"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject(documented LANGUAGES CXX)\n{lists}")
        for program, python in pairs:
            (project / "main.cpp").write_text(program)
            succeed(CMAKE, *ARGUMENTS, "-S", project, "-B", project / "build", f"-Dtorchbook_ROOT={self.prefix}")
            succeed(CMAKE, "--build", project / "build")
            self.assertEqual(succeed(project / "build/my_program"), succeed(sys.executable, "-c", python))

    def test_add_subdirectory(self):
        # As one file per library, because that takes a third of the time.
        build = self.configure("subdirectory", f"-DTORCHBOOK_SOURCE={ROOT}", "-DCMAKE_UNITY_BUILD=ON")
        self.check_is_a_guest(build)
        self.check_builds_and_prints_as_python(build)

    def test_fetch_content(self):
        # FetchContent generates the same build as add_subdirectory, so one of them is built.
        self.check_is_a_guest(self.configure("fetch", f"-DTORCHBOOK_SOURCE={ROOT}"))

    def test_pkg_config(self):
        self.check_prints_as_python(
            building.by_pkg_config(self.prefix, "torchbook_pyrepr", "main.cpp", self.work / "by_pkg_config"))

    def test_an_unknown_component_is_refused(self):
        for component in ("notebook", "trace"):  # the first one is not installed here
            self.assertIn(f"torchbook is installed without a component {component}; there are pyrepr and, unless",
                          self.refused(f"torchbook CONFIG REQUIRED COMPONENTS pyrepr {component}"))

    def test_another_major_version_is_refused(self):
        self.assertIn('compatible with requested version "0.0"', self.refused("torchbook 0.0 CONFIG REQUIRED"))

    def test_another_release_of_libtorch_is_refused(self):
        self.assertRegex(self.refused("torchbook CONFIG REQUIRED", self.another_torch("9.9.0")),
                         r"This torchbook is compiled against Torch \d+\.\d+; here is Torch 9\.9\.0\.")

    def another_torch(self, version, lines=""):
        """Returns a prefix with a package Torch."""
        folder = self.work / f"another{version}/lib/cmake/Torch"
        folder.mkdir(parents=True)
        (folder / "TorchConfig.cmake").write_text(lines)
        (folder / "TorchConfigVersion.cmake").write_text(f'set(PACKAGE_VERSION "{version}")\n')
        return folder.parents[2]

    def test_the_old_abi_is_refused(self):
        release = re.search(r"Torch (\d+\.\d+)", next(self.prefix.rglob("torchbookConfig.cmake")).read_text())[1]
        another = self.another_torch(release, 'set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI=0")\n')
        self.assertIn("a LibTorch whose std::string is not that of the LibTorch in", self.refused("torchbook CONFIG REQUIRED", another))

    def test_another_processor_is_refused(self):
        self.assertRegex(self.refused("torchbook CONFIG REQUIRED", lines="set(CMAKE_SYSTEM_PROCESSOR s390x)\n"),
                         r"This torchbook is compiled for \w+; here is s390x\.")

    def test_the_headers_are_those_for_users_and_what_they_include(self):
        self.check_headers({f"torchbook/pyrepr/{name}.h" for name in ("pyrepr", "dict", "ivalue", "module")})

    def test_what_is_installed_knows_nothing_of_this_machine(self):
        self.check_knows_nothing_of_this_machine()

    @unittest.skipUnless(shutil.which("help2man"), "no help2man here")
    def test_manual(self):
        """There is a page for the program and one for each command, with all options of its help."""
        succeed(CMAKE, "--install", BUILD, "--prefix", self.work / "all")
        folder = self.work / "all/share/man/man1"
        self.assertIn(r"2 wrong usage, missing or broken input", (folder / "torchbook.1").read_text())
        page = (folder / "torchbook-check.1").read_text().replace("\\-", "-").replace("\\fR", "").replace("\\fB", "")
        shown = succeed(pathlib.Path(BUILD) / "bin/torchbook", "check", "--help")
        options = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", shown, re.MULTILINE))
        self.assertIn("--golden", options)
        self.assertLessEqual(options, set(re.findall(r"--[a-z][\w-]*", page)))
        if shutil.which("groff"):
            self.assertEqual(succeed("groff", "-man", "-ww", "-z", *sorted(folder.iterdir())), "")


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
