"""Installs and packs pyrepr, and builds the project in this folder against it in every way that docs/printing.md
promises.

Usage: consumer_test.py CMAKE BUILD CMAKE_ARGUMENT...
BUILD is the build folder whose pyrepr is installed. The arguments configure a project as that build is configured.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"](torchbook/[^>"]+)', re.MULTILINE)
CMAKE, BUILD, *ARGUMENTS = sys.argv[1:]
GENERATOR = ARGUMENTS[:2]  # -G and its name, because CMake's default, make, may not be installed
# Only the rest of torchbook needs these packages, so looking for one is an error.
FORBIDDEN = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON"
             for package in ("CLI11", "nlohmann_json", "pugixml", "GTest")]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class Consumer(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="torchbook-consumer-")
        cls.addClassCleanup(folder.cleanup)
        cls.work = pathlib.Path(folder.name)
        cls.prefix = cls.work / "prefix"
        cls.succeed(CMAKE, "--install", BUILD, "--prefix", cls.prefix, "--component", "pyrepr")

    @staticmethod
    def succeed(*command, **options):
        done = run(*command, **options)
        if done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def configure(self, way, *arguments):
        """Configures the consumer and returns its build folder."""
        build = self.work / way
        self.succeed(CMAKE, "-S", HERE, "-B", build, *ARGUMENTS, *FORBIDDEN, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                     f"-DWAY={way}", *arguments)
        return build

    def check_prints_as_python(self, build):
        self.succeed(CMAKE, "--build", build, "--parallel", 2)
        # A project that sets no output folder finds its programs here.
        self.assertEqual(self.succeed(build / "consumer"), self.succeed(sys.executable, HERE / "main.py"))

    def check_is_a_guest(self, build):
        """Checks that this build compiles only pyrepr of torchbook, without torchbook's warnings and options."""
        commands = json.loads((build / "compile_commands.json").read_text())
        targets = {re.search(r"([\w-]+)\.dir/", entry["output"])[1] for entry in commands}
        self.assertEqual(targets, {"consumer", "torchbook_pyrepr", "torchbook_pyrepr_module"})
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
        self.check_prints_as_python(build)
        self.assertEqual(self.succeed(build / "consumer_module"), "Linear(in_features=3, out_features=4, bias=True)\n")

    def test_add_subdirectory(self):
        build = self.configure("subdirectory", f"-DTORCHBOOK_SOURCE={ROOT}")
        self.check_is_a_guest(build)
        self.check_prints_as_python(build)

    def test_fetch_content(self):
        # FetchContent generates the same build as add_subdirectory, so one of them is built.
        self.check_is_a_guest(self.configure("fetch", f"-DTORCHBOOK_SOURCE={ROOT}"))

    def test_pyrepr_alone_needs_libtorch_and_fmt_only(self):
        build = self.work / "alone"
        self.succeed(CMAKE, "-S", ROOT, "-B", build, *ARGUMENTS, *FORBIDDEN, "-DTORCHBOOK_PYREPR_ONLY=ON")

    def test_an_unknown_component_is_refused(self):
        self.assertIn("torchbook has no component notebook; the only one is pyrepr.",
                      self.refused("torchbook CONFIG REQUIRED COMPONENTS pyrepr notebook"))

    def test_another_major_version_is_refused(self):
        self.assertIn('compatible with requested version "0.0"', self.refused("torchbook 0.0 CONFIG REQUIRED"))

    def test_another_release_of_libtorch_is_refused(self):
        another = self.work / "another/lib/cmake/Torch"
        another.mkdir(parents=True)
        (another / "TorchConfig.cmake").write_text("")
        (another / "TorchConfigVersion.cmake").write_text('set(PACKAGE_VERSION "9.9.0")\n')
        self.assertRegex(self.refused("torchbook CONFIG REQUIRED", self.work / "another"),
                         r"This pyrepr is compiled against Torch \d+\.\d+; here is Torch 9\.9\.0\.")

    def test_the_headers_are_the_three_for_users_and_what_they_include(self):
        include = self.prefix / "include"
        needed, left = set(), {f"torchbook/pyrepr/{name}.h" for name in ("pyrepr", "ivalue", "module")}
        while left:
            needed |= left
            included = {name for header in left for name in INCLUDE.findall((ROOT / "src" / header).read_text())}
            left = included - needed
        self.assertEqual(files_below(include), sorted(needed))
        self.assertGreater(len(needed), 4)

    def test_what_is_installed_knows_nothing_of_this_machine(self):
        scripts = list(self.prefix.rglob("*.cmake"))
        self.assertGreater(len(scripts), 3)
        for script in scripts:
            for folder in (str(ROOT), BUILD, "/usr/lib"):
                self.assertNotIn(folder, script.read_text(), script)

    @unittest.skipUnless(shutil.which("dpkg-deb"), "no dpkg-deb here")
    def test_debian_package(self):
        cpack = pathlib.Path(CMAKE).with_name("cpack")
        self.succeed(cpack, "-G", "DEB", "-B", self.work / "deb", cwd=BUILD)
        packages = list((self.work / "deb").glob("*.deb"))
        self.assertEqual(len(packages), 1, packages)
        self.assertRegex(packages[0].name, r"^libtorchbook-dev_[0-9.]+_\w+\.deb$")
        self.assertRegex(self.succeed("dpkg-deb", "--field", packages[0], "Depends"),
                         r"^libtorch-dev \(>= .*, libtorch-dev \(<< .*, libfmt-dev \(>= .*, libfmt-dev \(<< .*~\)$")
        self.succeed("dpkg-deb", "--extract", packages[0], self.work / "root")
        self.assertEqual(files_below(self.work / "root/usr"), files_below(self.prefix))


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
