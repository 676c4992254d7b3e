"""Installs torchbook, starts a project with `torchbook new`, and uses it as its README says.

Usage: see building.py.
"""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

import building
from building import ARGUMENTS, BUILD, CMAKE, PREFIX_PATH, ROOT, run, succeed

CTEST = pathlib.Path(CMAKE).with_name("ctest")
PARTS = ("cpp", "py", "golden")
EXAMPLE = ROOT / "examples/causal_self_attention"


def commands_in(readme):
    return "".join(re.findall(r"^```sh\n(.*?)^```$", readme.read_text(), re.MULTILINE | re.DOTALL)).splitlines()


def elsewhere(prefix):
    """Returns the environment that makes CMake find torchbook in a prefix of which a project knows nothing."""
    return dict(Project.environment, CMAKE_PREFIX_PATH=os.pathsep.join([str(prefix), *filter(None, PREFIX_PATH.split(";"))]))


class Project(building.InstalledTools):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for example in ("scaled_attention", "large_number"):
            shutil.copy(ROOT / f"examples/{example}.ipynb", cls.work)
        shutil.copytree(EXAMPLE, cls.work / EXAMPLE.name)
        cls.folder = cls.work / "mybooks"
        cls.walk = list(cls.walk_through(ROOT / "docs/your-own-notebook.md", "From a notebook to a green check",
                                         cls.folder))
        cls.commands = commands_in(cls.folder / "README.md")
        cls.printed = {command: cls.in_project(command) for command in cls.commands}

    @classmethod
    def in_project(cls, command, folder=None):
        return succeed("sh", "-c", command, cwd=folder or cls.folder, env=cls.environment)

    def refused(self, *words, folder="."):
        """Returns what `torchbook new` says when it writes nothing."""
        before = sorted(self.work.iterdir())
        done = run(self.prefix / "bin/torchbook", "new", *words, cwd=self.work / folder)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertEqual(sorted(self.work.iterdir()), before)
        return done.stdout

    def other_project(self, name, lists):
        """Configures a project with the first notebook's files and another CMakeLists.txt. Returns its folder."""
        folder = self.work / name
        folder.mkdir()
        for part in PARTS:
            (folder / f"first_notebook.{part}").write_bytes((self.folder / f"first_notebook.{part}").read_bytes())
        (folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject({name} LANGUAGES CXX)\n{lists}")
        return folder

    def configured(self, folder, *words):
        succeed(CMAKE, *ARGUMENTS, "-S", folder, "-B", folder / "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *words,
                env=elsewhere(self.prefix))
        return json.loads((folder / "build/compile_commands.json").read_text())

    def test_the_readme_builds_and_runs_it(self):
        self.assertEqual(len(self.commands), 8)
        both = "2 notebooks, 9 cells, 8 outputs: 7 equal; as expected: 1 different\n"
        hint = "mybooks: next: mybooks run SLUG shows a notebook, mybooks list names them, mybooks --help says more\n"
        self.assertEqual(self.printed["build/mybooks"], both + hint)
        self.assertIn("100% tests passed, 0 tests failed out of 1", self.printed["ctest --test-dir build -LE cell"])
        self.assertTrue(self.printed["build/mybooks compare"].endswith(both), self.printed["build/mybooks compare"])
        self.assertTrue((self.folder / "build/site/first_notebook.html").is_file())
        shown = self.in_project("build/mybooks help")
        self.assertIn("Usage: mybooks ", shown)
        self.assertNotIn("matrix", shown)  # a command of torchbook's own script

    def test_what_new_tells_builds_it(self):
        self.assertIn("cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build",
                      (self.work / "new.log").read_text())

    @classmethod
    def walk_through(cls, file, heading, project):
        """Does what a section of a page does: runs its session blocks, and writes the files that it
        shows. The first command goes to the folder `project`. Yields each command with its output and what the page
        shows of that."""
        page = file.read_text()
        part = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        path = os.pathsep.join([str(cls.prefix / "bin"), str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
        folder = cls.work
        for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", part, re.MULTILINE | re.DOTALL):
            if language != "session":
                name = "scaled_attention" + {"cpp": ".cpp", "text": ".exceptions"}[language]
                (folder / name).write_text(block)
                continue
            for command, expected in (one.partition("\n")[::2] for one in re.split(r"^\$ ", block, flags=re.M)[1:]):
                yield command, run("sh", "-c", command, cwd=folder, env=dict(cls.environment, PATH=path)).stdout, expected
                folder = project

    def check_walk(self, walk):
        for command, printed, expected in walk:
            with self.subTest(command=command):
                self.assertEqual(printed, expected)

    def test_the_documented_walk_through(self):
        self.check_walk(self.walk)
        self.assertEqual(len(self.walk), 11)

    def test_the_documented_cell_that_is_taken_back(self):
        walk = list(self.walk_through(ROOT / "docs/your-own-notebook.md", "A cell that is taken back", self.work))
        self.check_walk(walk)
        self.assertEqual(len(walk), 3)

    def test_the_finished_example(self):
        folder = self.work / "attention"
        walk = list(self.walk_through(EXAMPLE / "README.md", "How it was made", folder))
        self.check_walk(walk)
        self.assertEqual(len(walk), 13)
        lists = (folder / "CMakeLists.txt").read_text()
        self.assertEqual(re.sub(r"\n  HINTS .*\n", "", lists), (EXAMPLE / "CMakeLists.txt").read_text())
        for name in (".gitignore", *(f"{EXAMPLE.name}.{part}" for part in PARTS)):
            self.assertEqual((folder / name).read_text(), (EXAMPLE / name).read_text(), name)
        commands = commands_in(EXAMPLE / "README.md")
        self.assertEqual(len(commands), 8)
        for command in commands:
            self.in_project(command, folder)

    def test_its_ci_runs(self):
        runs = re.findall(r"run: \|\n((?: {10}.*\n)+)", (self.folder / ".github/workflows/ci.yml").read_text())
        self.assertEqual(len(runs), 3)
        for commands in runs[1:]:  # the first installs packages
            self.in_project("set -e\n" + commands)

    def test_nothing_in_it_refers_to_torchbooks_tree(self):
        self.torchbook("new", self.work / "other")
        files = [path for path in (self.work / "other").rglob("*") if path.is_file()]
        self.assertEqual(len(files), 7)
        for path in files:
            text = path.read_text().replace(f'\n  HINTS "{self.prefix}"  # ', "", 1)
            for word in (str(ROOT), str(self.prefix), BUILD, "notebooks_ported", "@NAME@", "@DEBIAN@", "@HINT@"):
                self.assertNotIn(word, text, path)

    def package_found(self, project, environment):
        """Configures a project as its README says. Returns the folder of the package that CMake found."""
        succeed("cmake", "-G", "Ninja", "-B", "build", "--fresh", "-DCMAKE_BUILD_TYPE=Release", cwd=project,
                env=environment)
        found = re.search(r"^torchbook_DIR:PATH=(.*)$", (project / "build/CMakeCache.txt").read_text(), re.MULTILINE)
        return pathlib.Path(found[1])

    def test_a_new_project_finds_the_torchbook_that_wrote_it(self):
        project = self.work / "finds"
        self.torchbook("new", project)
        self.assertIn(self.prefix, self.package_found(project, self.environment).parents)

    def test_a_new_project_uses_a_torchbook_that_is_not_installed(self):
        project = self.work / "built"
        succeed(pathlib.Path(BUILD) / "bin/torchbook", "new", project)
        self.assertIn(pathlib.Path(BUILD), self.package_found(project, self.environment).parents)
        self.in_project("cmake --build build && ctest --test-dir build", project)

    def test_a_torchbook_that_the_user_names_goes_before_the_one_that_wrote_the_project(self):
        project = self.work / "chooses"
        self.torchbook("new", project)
        chosen = self.work / "chosen"
        chosen.mkdir()
        for folder in self.prefix.iterdir():
            (chosen / folder.name).symlink_to(folder)
        self.assertIn(chosen, self.package_found(project, elsewhere(chosen)).parents)
        rooted = dict(self.environment, torchbook_ROOT=str(chosen))
        self.assertIn(chosen, self.package_found(project, rooted).parents)

    def test_a_project_outlives_the_torchbook_that_wrote_it(self):
        project = self.work / "outlives"
        self.torchbook("new", project)
        lists = project / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace(f'HINTS "{self.prefix}"', 'HINTS "/no/such/folder"'))
        self.assertIn(self.prefix, self.package_found(project, elsewhere(self.prefix)).parents)

    def test_a_cell_that_differs_fails_its_test(self):
        golden = self.folder / "first_notebook.golden"
        right = golden.read_text()
        try:
            golden.write_text(right.replace("mean 0.4489", "mean 0.4490"))
            self.in_project("cmake --build build")
            failed = run("sh", "-c", f"{CTEST} --test-dir build --output-on-failure", cwd=self.folder, env=self.environment).stdout
        finally:
            golden.write_text(right)
            self.in_project("cmake --build build")
        self.assertEqual(re.findall(r"^\t *\d+ - (\S+) \(Failed\)", failed, re.MULTILINE), ["mybooks_cell_tests", "first_notebook_03_In_3"])
        for told in ("first_notebook, from ", "    golden  ", "    here    ", "^\n", f"again: {self.folder}/build/first_notebook --check"):
            self.assertIn(told, failed)

    def test_new_refuses(self):
        self.assertIn("the folder is not empty", self.refused("mybooks"))
        self.assertIn("letters, digits and underscores", self.refused("my-books"))
        self.assertIn("first_notebook is the name of something else", self.refused("first_notebook"))
        (self.work / "here").mkdir()
        self.assertIn("it is the folder you are in", self.refused(".", folder="here"))
        self.assertIn("needs a DIR", self.refused(""))

    def test_new_takes_an_empty_folder(self):
        (self.work / "empty").mkdir()
        self.torchbook("new", self.work / "empty/")
        self.assertTrue((self.work / "empty/CMakeLists.txt").is_file())

    def test_files_can_be_named_otherwise(self):
        folder = self.other_project("named", """find_package(torchbook CONFIG REQUIRED COMPONENTS notebook)
torchbook_add_notebook(first_notebook SOURCE port.cpp TWIN twin.py GOLDEN outputs.txt)
torchbook_add_program(some NOTEBOOKS first_notebook)
""")
        made = folder / "build/first_notebook_notebook.cpp"
        for part, name in zip(PARTS, ("port.cpp", "twin.py", "outputs.txt")):
            (folder / f"first_notebook.{part}").rename(folder / name)
        commands = self.configured(folder)
        self.assertIn("port.cpp", " ".join(entry["file"] for entry in commands))
        succeed(CMAKE, "--build", folder / "build", "--target", made.name)
        for text in ('.port_file = "port.cpp"', '.golden_file = "outputs.txt"', '.twin_file = "twin.py"'):
            self.assertIn(text, made.read_text())

    def test_a_restored_state_draws_what_the_notebook_shows(self):
        folder = self.other_project("restored", """find_package(torchbook CONFIG REQUIRED COMPONENTS notebook)
torchbook_add_notebook(first_notebook)
torchbook_add_program(restored)
""")
        drawn = "x = torch.randn(4, 8)\nprint(x)"
        printed = succeed(sys.executable, "-c", f"import torch\ntorch.manual_seed(31415)\ntorch.rand(64)\n{drawn}")
        cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": "import torch\n" + drawn,
                "outputs": [{"output_type": "stream", "name": "stdout", "text": printed}]}
        notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
        (folder / "unseeded.ipynb").write_text(json.dumps(notebook))
        torchbook = [self.prefix / "bin/torchbook"]
        seed = [*torchbook, "seed", "--notebook", "unseeded.ipynb", "--cell", "1", "--seeds", "31000:32000"]
        self.assertIn("torchbook import unseeded.ipynb --restore 1=31415,64 ", succeed(*seed, cwd=folder))
        imported = succeed(*torchbook, "import", "unseeded.ipynb", "--restore", "1=31415,64", cwd=folder,
                           env=self.environment)
        self.assertIn("1 notebook, 1 cell, 1 output: 1 equal\n", imported)

    def test_as_a_part_of_another_project(self):
        # The libraries take minutes to build, and the tests of torchbook itself have built them the same way.
        for name, lists in (("part", f'add_subdirectory("{ROOT}" torchbook)\n'), ("fetched", f"""include(FetchContent)
FetchContent_Declare(torchbook SOURCE_DIR "{ROOT}")
FetchContent_MakeAvailable(torchbook)
""")):
            commands = self.configured(self.other_project(name, f"""set(TORCHBOOK_PYREPR_ONLY OFF)
{lists}torchbook_add_notebook(first_notebook)
torchbook_add_program({name})
"""))
            targets = {re.search(r" -o \S*?([\w-]+)\.dir/", entry["command"])[1] for entry in commands}
            self.assertLessEqual({name, "first_notebook", "torchbook_main", "torchbook-cells"}, targets)
            self.assertFalse({"mathematical_trick", "torchbook"} & targets)
            for entry in commands:
                self.assertNotRegex(entry["command"], r" -(Wpedantic|Wshadow|Wconversion|fsanitize)")

    def test_the_headers_are_those_that_a_port_its_proof_its_tests_and_its_table_include(self):
        for_ports = re.findall(r"torchbook/(?:notebook|runtime|training)/\w+\.h", (ROOT / "src/tools/import/translate/cpp/headers.cpp").read_text())
        self.assertGreater(len(set(for_ports)), 15)
        self.check_headers({"torchbook/notebook/notebook.h", "torchbook/notebook/ported_notebook.h", *for_ports,
                            "torchbook/cli/shared/cell_tests.h", "torchbook/runtime/proof.h", "torchbook/trace/trace.h",
                            *(f"torchbook/training/{path.name}" for path in self.prefix.glob("include/torchbook/training/*.h")),
                            *(f"torchbook/pyrepr/{name}.h" for name in ("pyrepr", "ivalue", "module"))})

    def test_the_training_library_is_found_by_cmake_and_by_pkg_config(self):
        folder = self.work / "training"
        folder.mkdir()
        source = ROOT / "examples/training.cpp"
        page = (ROOT / "docs/training.md").read_text()
        lists = re.search(r"^```cmake\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[1]
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(trained LANGUAGES CXX)\n" +
            lists.replace("target_link", f"add_executable(my_program {source})\ntarget_link"))
        self.configured(folder)
        succeed(CMAKE, "--build", folder / "build")
        python = succeed(sys.executable, source.with_suffix(".py"), cwd=folder)
        self.assertEqual(succeed(folder / "build/my_program", cwd=folder), python)
        printed = building.by_pkg_config(self.prefix, "torchbook_training", source, folder / "by_pkg_config", cwd=folder)
        self.assertEqual(printed, python)

    def test_the_wide_suite_is_a_project_like_any_other(self):
        folder = self.work / "regression"
        shutil.copytree(ROOT / "suites/regression", folder)
        self.configured(folder)
        succeed(CMAKE, "--build", folder / "build", "--target", "losses")
        self.assertRegex(succeed(folder / "build/losses", "--check"), r"1 notebook, .* equal\n$")

    def test_a_tool_that_is_not_installed_is_named(self):
        alone = self.work / "alone"
        succeed(CMAKE, "--install", BUILD, "--prefix", alone, "--component", "program")
        for command, tool in (("import", "import"), ("watch", "import"), ("site", "site"), ("seed", "seed"), ("part", "part")):
            done = run(alone / "bin/torchbook", command, "--help", env=dict(self.environment, PATH="/usr/bin:/bin"))
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stdout.count("\n"), 1)
            self.assertIn(f"torchbook-{tool}, which is not here", done.stdout)
            self.assertIn(f"the Debian package is torchbook-{tool}", done.stdout)

    def test_what_is_installed_knows_nothing_of_this_machine(self):
        self.check_knows_nothing_of_this_machine()


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
