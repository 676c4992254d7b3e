"""What the tests of this folder share: they install torchbook and build projects against it.

Usage of each test: TEST CMAKE BUILD CMAKE_ARGUMENT...
BUILD is the build folder that is installed. The arguments configure a project as that build is configured.
"""
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"](torchbook/[^>"]+)', re.MULTILINE)
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CMAKE, BUILD, *ARGUMENTS = sys.argv[1:]
ARGUMENTS.append("-DCMAKE_CXX_FLAGS_RELEASE=-O0")  # optimizing takes longer than it saves
PREFIX_PATH = next(word.split("=", 1)[1] for word in ARGUMENTS if word.startswith("-DCMAKE_PREFIX_PATH="))
TORCH = next(word.split("=", 1)[1] for word in ARGUMENTS if word.startswith("-DTorch_DIR="))
COMPILER = next(word.split("=", 1)[1] for word in ARGUMENTS if word.startswith("-DCMAKE_CXX_COMPILER="))
# Only the rest of torchbook needs these packages, so looking for one is an error.
FORBIDDEN = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON"
             for package in ("CLI11", "nlohmann_json", "pugixml", "GTest")]


# The compiler cache, if there is one, has what an earlier run compiled. A precompiled header contains no macro of the time,
# but ccache cannot know.
CCACHE = shutil.which("ccache") or ""
os.environ.update(CMAKE_CXX_COMPILER_LAUNCHER=CCACHE, CCACHE_SLOPPINESS="pch_defines,time_macros")


@contextlib.contextmanager
def work_folder():
    """Makes a folder that has the same name in every run, because debug information, and thus the compiler cache, has the
    names of folders. Where another run uses that one, it is a new one. Names in it are relative for the cache, so that all its
    projects share one precompiled header."""
    folder = pathlib.Path(tempfile.gettempdir(), f"torchbook-{pathlib.Path(sys.argv[0]).stem}")
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{folder.name}-"))
    os.environ["CCACHE_BASEDIR"] = str(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)


def succeed(*command, **options):
    """Runs a command and returns its output. It is an error if the command fails."""
    done = run(*command, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def by_pkg_config(prefix, library, source, program, **options):
    """Compiles a source with the flags that pkg-config gives for a library, and returns what the program prints."""
    folders = {str(path.parent) for path in prefix.rglob("*.pc")}
    environment = dict(os.environ, PKG_CONFIG_PATH=":".join(sorted(folders)))
    flags = shlex.split(succeed("pkg-config", "--cflags", "--libs", library, env=environment))
    succeed(COMPILER, "-std=c++20", HERE / source, "-o", program, *flags)
    libraries = [flag.removeprefix("-L") for flag in flags if flag.startswith("-L")]
    return succeed(program, env=dict(os.environ, LD_LIBRARY_PATH=":".join(libraries)), **options)


class Installed(unittest.TestCase):
    """Tests of what is installed. `build()` returns the build folder whose COMPONENTS are installed in `prefix`."""
    maxDiff = None
    COMPONENTS = ("pyrepr", "pyrepr_runtime")

    @classmethod
    def setUpClass(cls):
        cls.work = cls.enterClassContext(work_folder())
        cls.prefix = cls.work / "prefix"
        build = cls.build()
        for component in cls.COMPONENTS:
            succeed(CMAKE, "--install", build, "--prefix", cls.prefix, "--component", component)

    @classmethod
    def build(cls):
        return BUILD

    def configure(self, way, *arguments):
        """Configures the consumer and returns its build folder."""
        build = self.work / way
        succeed(CMAKE, "-S", HERE, "-B", build, *ARGUMENTS, *FORBIDDEN, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                f"-DWAY={way}", *arguments)
        return build

    @staticmethod
    def source_of(header):
        roots = (ROOT / "src", ROOT / "src/tools/import/include", ROOT / "src/tools/part/include")
        return next(root / header for root in roots if (root / header).exists()).read_text()

    def check_headers(self, public):
        """Checks that the installed headers are the public ones and what they include."""
        needed, left = set(), public
        while left:
            needed |= left
            left = {name for header in left for name in INCLUDE.findall(self.source_of(header))} - needed
        self.assertEqual(files_below(self.prefix / "include"), sorted(needed))
        self.assertGreater(len(needed), len(public))

    def check_knows_nothing_of_this_machine(self):
        scripts = list(self.prefix.rglob("*.cmake"))
        self.assertGreater(len(scripts), 3)
        for script in scripts:
            for folder in (str(ROOT), BUILD, "/usr/lib"):
                self.assertNotIn(folder, script.read_text(), script)

    def check_prints_as_python(self, printed):
        self.assertEqual(printed, succeed(sys.executable, HERE / "main.py"))

    def check_builds_and_prints_as_python(self, build):
        succeed(CMAKE, "--build", build, "--parallel", 2)
        # A project that sets no output folder finds its programs here.
        self.check_prints_as_python(succeed(build / "consumer"))


class InstalledTools(Installed):
    """Tests that use the installed torchbook in projects, in an `environment` as a user has it."""
    COMPONENTS = ("pyrepr", "training", "notebook", "program", "import", "part", "trace", "trace_dev", "seed", "site")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Nothing here names the prefix, not even PATH, beside whose folders CMake looks. Only a LibTorch that is not the
        # system's is named.
        cls.environment = dict(os.environ, CXX=COMPILER)
        cls.environment.pop("CMAKE_PREFIX_PATH", None)
        if not TORCH.startswith("/usr/"):
            cls.environment.update(CMAKE_PREFIX_PATH=PREFIX_PATH.replace(";", os.pathsep), Torch_DIR=TORCH)
        for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
            cls.environment[variable] = str(cls.work / "jupyter")  # no settings of the user
        cls.environment["XDG_CACHE_HOME"] = str(cls.work / "cache")

    @classmethod
    def torchbook(cls, *words):
        return succeed(cls.prefix / "bin/torchbook", *words)
