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

    def refused(self, find_package, *prefixes):
        """Returns CMake's message to a project whose find_package fails."""
        project = self.work / "refused"
        project.mkdir(exist_ok=True)
        (project / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject(refused NONE)\nfind_package({find_package})\n")
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
        another = self.work / "another/lib/cmake/Torch"
        another.mkdir(parents=True)
        (another / "TorchConfig.cmake").write_text("")
        (another / "TorchConfigVersion.cmake").write_text('set(PACKAGE_VERSION "9.9.0")\n')
        self.assertRegex(self.refused("torchbook CONFIG REQUIRED", self.work / "another"),
                         r"This torchbook is compiled against Torch \d+\.\d+; here is Torch 9\.9\.0\.")

    @unittest.skipUnless(shutil.which("dpkg-query"), "no Debian here")
    def test_packages_depend_on_no_libtorch_that_no_package_has(self):
        torch = next(word for word in ARGUMENTS if word.startswith("-DTorch_DIR=")).split("=", 1)[1]
        unpacked = self.work / "unpacked"
        unpacked.mkdir()
        for name in ("TorchConfig.cmake", "TorchConfigVersion.cmake"):
            (unpacked / name).write_text(f'include("{torch}/{name}")\n')
        build = self.work / "depends"
        succeed(CMAKE, *GENERATOR, "-S", ROOT, "-B", build, "-DTORCHBOOK_PYREPR_ONLY=ON", f"-DTorch_DIR={unpacked}")
        depends = re.search('DEV_PACKAGE_DEPENDS "(.*)"', (build / "CPackConfig.cmake").read_text())[1]
        self.assertRegex(depends, r"^libfmt-dev \(>= \d+\), libfmt-dev \(<< \d+~\)$")
        said = " ".join(succeed(CMAKE, "-P", build / "cpack_warnings.cmake").split())
        self.assertIn(f"of {unpacked}, so the packages of torchbook do not depend on it.", said)

    def test_the_headers_are_those_for_users_and_what_they_include(self):
        self.check_headers({f"torchbook/pyrepr/{name}.h" for name in ("pyrepr", "dict", "ivalue", "module")})

    def test_what_is_installed_knows_nothing_of_this_machine(self):
        self.check_knows_nothing_of_this_machine()

    @unittest.skipUnless(shutil.which("dpkg-deb"), "no dpkg-deb here")
    def test_debian_packages(self):
        packages = building.debian_packages(BUILD, self.work / "deb")
        tools = [f"torchbook-{tool}" for tool in ("import", "part", "regression", "seed", "site")]
        self.assertEqual(sorted(packages), ["libtorchbook-dev", "torchbook", *tools])
        for name, depends in (("libtorchbook-dev", r"libtorch-dev \(>= .*, libtorch-dev \(<< .*, libfmt-dev \(>= .*, "
                                                   r"libfmt-dev \(<< .*~\), libabsl-dev .*, .*libpugixml-dev"),
                              ("torchbook", r".*\blibtorch\d"),
                              *((tool, r"torchbook \(>= .*\blibtorch\d") for tool in tools)):
            self.assertRegex(packages[name].name, rf"^{name}_[0-9.]+_\w+\.deb$")
            self.assertRegex(succeed("dpkg-deb", "--field", packages[name], "Depends"), "^" + depends)
            succeed("dpkg-deb", "--extract", packages[name], self.work / "root")
            for file in ("copyright", "NOTICE"):
                self.assertTrue((self.work / "root/usr/share/doc" / name / file).is_file())
        succeed(CMAKE, "--install", BUILD, "--prefix", self.work / "all")
        # Debian's file names have the architecture's folder only if that is the prefix.
        names = {path.name for path in (self.work / "all").rglob("*") if path.is_file()}
        self.assertEqual({path.name for path in (self.work / "root/usr").rglob("*") if path.is_file()}, names)
        self.assertIn("bash-completion/completions/torchbook", "\n".join(building.files_below(self.work / "root")))
        if shutil.which("help2man"):
            self.check_manual(self.work / "root/usr/share/man/man1")

    def check_manual(self, folder):
        """Checks that there is a page for the program and one for each command, with all options of its help."""
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
