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
from building import ARGUMENTS, BUILD, CCACHE, CMAKE, COMPILER, ROOT, run, succeed

PREFIX_PATH = next(word.split("=", 1)[1] for word in ARGUMENTS if word.startswith("-DCMAKE_PREFIX_PATH="))
TORCH = next(word.split("=", 1)[1] for word in ARGUMENTS if word.startswith("-DTorch_DIR="))
CTEST = pathlib.Path(CMAKE).with_name("ctest")
PARTS = ("cpp", "py", "golden")
EXAMPLE = ROOT / "examples/causal_self_attention"


def commands_in(readme):
    return "".join(re.findall(r"^```sh\n(.*?)^```$", readme.read_text(), re.MULTILINE | re.DOTALL)).splitlines()


def elsewhere(prefix):
    """Returns the environment that makes CMake find torchbook in a prefix of which a project knows nothing."""
    return dict(Project.environment, CMAKE_PREFIX_PATH=os.pathsep.join([str(prefix), *filter(None, PREFIX_PATH.split(";"))]))


class Project(building.Installed):
    COMPONENTS = ("pyrepr", "notebook", "program", "import", "part", "trace", "seed", "site")

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
        for example in ("scaled_attention", "large_number"):
            shutil.copy(ROOT / f"examples/{example}.ipynb", cls.work)
        shutil.copytree(EXAMPLE, cls.work / EXAMPLE.name)
        cls.folder = cls.work / "mybooks"
        cls.walk = list(cls.walk_through(ROOT / "docs/your-own-notebook.md", "From a notebook to a green check",
                                         cls.folder))
        cls.commands = commands_in(cls.folder / "README.md")
        cls.printed = {command: cls.in_project(command) for command in cls.commands}

    @classmethod
    def torchbook(cls, *words):
        return succeed(cls.prefix / "bin/torchbook", *words)

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
        self.assertIn("100% tests passed, 0 tests failed out of 13", self.printed["ctest --test-dir build"])
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
            failed = run("sh", "-c", f"{CTEST} --test-dir build", cwd=self.folder, env=self.environment).stdout
        finally:
            golden.write_text(right)
            self.in_project("cmake --build build")
        self.assertEqual(re.findall(r"^\t *\d+ - (\S+) \(Failed\)", failed, re.MULTILINE), ["first_notebook.cell_03_In_3"])

    def imported(self, project, notebook, cells, *words, **variables):
        """Imports a notebook of (source, stored output) into a new project. Returns the project and what was said."""
        self.torchbook("new", self.work / project)
        cells = [{"cell_type": "code", "execution_count": None, "metadata": {}, "source": source,
                  "outputs": [{"output_type": "stream", "name": "stdout", "text": text}] if text else []}
                 for source, text in cells]
        (self.work / project / f"{notebook}.ipynb").write_text(
            json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}))
        done = run(self.prefix / "bin/torchbook", "import", f"{notebook}.ipynb", *words, cwd=self.work / project,
                   env=dict(self.environment, **variables))
        return self.work / project, done

    def test_what_is_not_translated_costs_itself_only(self):
        step = "\n{0}.zero_grad()\nloss = net(x).pow(2).mean()\nloss.backward()\n{0}.step()"
        folder, done = self.imported("carrying", "carried", [
            ("import random\nimport torch\ntorch.manual_seed(3)\n"
             "net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 1))\n"
             "adam = torch.optim.Adam(net.parameters(), lr=0.1)\n"
             "sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)\ntorch.manual_seed(4)", ""),
            ("x = getattr(torch, 'rand')(2, 3)\nwords = dict(zip('ab', map(len, ['x', 'yy'])))\n"
             "rate, odd = random.Random(0).random(), random.Random(0)"
             + step.format("adam") + step.format("sgd") + step.format("adam") +
             "\nlast = torch.nn.Linear(1, 1)\nlast.weight.data.fill_(3)\ndef half(values):\n    return values / 2"
             "\nnet.eval()\nnet[2].bias.requires_grad = False\nadam.param_groups[0]['lr'] = 0.01", ""),
            ("print(x, words, rate)\nprint(torch.rand(2))", ""),
            ("print(odd)", ""),
            ("print(half(last(net(x))), net[2].bias, net[1].running_mean, net[0].weight.grad)", ""),
            ("net.train()" + step.format("adam") + step.format("sgd") + "\nprint(loss, net[0].weight, net[2].bias)", ""),
            ("print(x.sum() * 2)", "")], "--python", sys.executable)
        self.assertIn("translated 5 of 7 cells; values of 1 are carried from Python\n", done.stdout)
        self.assertIn("@4 In [4]: odd comes from cell @2, which is not ported, and a Random cannot be carried\n",
                      done.stdout)
        self.assertIn("1 notebook, 7 cells, 6 outputs: 4 equal, 2 not ported (1 with values carried from Python); as expected: 1 different\n",
                      done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
        port = (folder / "carried.cpp").read_text()
        self.assertIn('const Tensor x = nb.carried<Tensor>("x");  // (2, 3)\n', port)
        told = run("build/carried", "--format", "json", cwd=folder, env=self.environment).stdout
        self.assertEqual([cell.get("carried") for cell in json.loads(told)["cells"]],
                         [None, ["adam", "net", "rate", "sgd", "words", "x", "last", "the generator"], *5 * [None]])
        check = ["sh", "-c", "cmake --build build >build.log 2>&1; build/carried --check"]
        twin = (folder / "carried.py").read_text()
        (folder / "carried.py").write_text(twin.replace("* 2", "* 3"))
        stale = run(*check, cwd=folder, env=self.environment)
        self.assertEqual(stale.returncode, 3, stale.stdout)
        self.assertIn("carried.carried was made by other Python; torchbook carry SLUG writes it anew",
                      stale.stdout)
        carried = run("build/carrying", "carry", "carried", "--python", sys.executable, cwd=folder, env=self.environment)
        self.assertEqual(carried.returncode, 0, carried.stdout)
        self.assertIn("wrote carried.carried: 7 values and the generator\n", carried.stdout)
        self.assertIn("4 equal, 2 not ported (1 with values carried from Python); as expected: 1 different\n",
                      run(*check, cwd=folder, env=self.environment).stdout)
        port = (folder / "carried.cpp").read_text()
        for asked, ends, why in (('nb.carried<Tensor>("x")', "", "up to cell @2 nothing sets y"),
                                 ('nb.carried<double>("rate")', "", "odd: a Random"),
                                 ("", "__import__('os')._exit(3)\n", "cell @2 did not end")):
            (folder / "carried.cpp").write_text(port.replace(asked, asked.replace("x", "y").replace("rate", "odd")))
            (folder / "carried.py").write_text(twin.replace("rate, odd =", f"{ends}rate, odd ="))
            run(*check, cwd=folder, env=self.environment)
            refused = run("build/carrying", "carry", "carried", "--python", sys.executable, cwd=folder,
                          env=self.environment)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"torchbook: what the notebook left cannot be carried: {why}\n", refused.stdout)

    def test_a_module_that_is_not_installed_costs_only_what_uses_it(self):
        folder, done = self.imported("without", "lacking", [
            ("import no_such_module, torch\nfrom torchviz import make_dot\nx = torch.arange(3)\nprint(x)", ""),
            ("make_dot(x).render('x')\nprint(x.sum())", ""),
            ("no_such_module.show(x)", ""),
            ("import tqdm.notebook as bars\nfrom tqdm.auto import tqdm\nfor i, row in enumerate(tqdm(x, desc='rows')):\n"
             "    print(i, row, [each for each in bars.trange(2)])", "")], "--python", sys.executable)
        self.assertIn("translated 3 of 4 cells\n", done.stdout)
        self.assertIn("@1 In [1]: this Python does not have no_such_module, torchviz; cells that need more of it than "
                      "pictures fail here\n", done.stdout)
        self.assertIn("@3 In [3]: its Python fails here: lacking.py:", done.stdout)
        self.assertIn("1 notebook, 4 cells, 3 outputs: 3 equal; as expected: 1 not ported\n", done.stdout)
        self.assertNotIn("make_dot", re.sub("//.*", "", (folder / "lacking.cpp").read_text()))
        run("cmake", "--build", "build", cwd=folder, env=self.environment)
        compared = run("build/without", "compare", "lacking", "--python", sys.executable, cwd=folder, env=self.environment)
        self.assertIn("1 notebook, 4 cells, 3 outputs: 3 equal; as expected: 1 not ported\n", compared.stdout)

    def test_cells_whose_cpp_is_wrong_are_taken_back(self):
        cells = [("import torch\nx = torch.arange(4)\nprint(x)", ""),
                 ("broken = x + 1\nprint(broken)", ""),
                 ("thrown = x + 2", ""),
                 ("endless = x + 3", ""),
                 ("wrong = x + 4", ""),
                 ("print(wrong)", ""),
                 ("print(x.sum())", "")]
        planted = {"broken = x + 1": "broken = x + nothing", "thrown = x + 2": "thrown = x.view(3)",
                   "endless = x + 3": "endless = x; for (;;) {}", "wrong = x + 4": "wrong = x + 5"}
        launcher = self.work / "launcher"
        launcher.write_text("#!/bin/sh\nsed -i '" + "; ".join(f"s/{right};/{wrong};/" for right, wrong in planted.items()) +
                            f"' proof/torchbook_proof.cpp\nexec {CCACHE} \"$@\"\n")
        launcher.chmod(0o755)
        folder, done = self.imported("undone", "taken", cells, "--timeout", "15", "--python", sys.executable,
                                     CMAKE_CXX_COMPILER_LAUNCHER=str(launcher))
        taken_back = re.findall(r"(@\d) In \[\d\]: ((?:its C\+\+|\S*torchbook_proof).*)", done.stdout)
        self.assertEqual([cell for cell, _ in taken_back], ["@2", "@3", "@4", "@5"], done.stdout)
        for (_, why), expected in zip(taken_back, (
                r"its C\+\+ does not compile: .*nothing.*",
                r"its C\+\+ throws: shape '\[3\]' is invalid.*",
                r".*/torchbook_proof did not end within 15 s \(--timeout sets another limit\)",
                r"its C\+\+ is wrong: wrong is tensor int64 \(4\) \[4, 5, 6, 7\] in Python and "
                r"tensor int64 \(4\) \[5, 6, 7, 8\] in C\+\+")):
            self.assertRegex(why, f"^{expected}$")
        self.assertIn("translated 3 of 7 cells; values of 1 are carried from Python\n", done.stdout)
        self.assertIn("1 notebook, 7 cells, 4 outputs: 3 equal, 4 not ported (1 with values carried from Python)\n", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)
        port = (folder / "taken.cpp").read_text()
        self.assertNotIn("torchbook::proof", port)
        self.assertIn('const Tensor wrong = nb.carried<Tensor>("wrong");', port)

    def test_a_port_has_no_cell_that_is_wrong(self):
        cells = ["import random\nimport torch\nfrom torch import nn\nfrom torch.nn.utils import prune\ntorch.manual_seed(1)\n"
                 "a, b = True, False\nif a: x = 1\nif b: x = 2\nprint(x)",
                 "for i in range(3):\n    if i == 0: z = 100\n    print(z)",
                 "n = 0\ntry: r = 10 / n\nexcept Exception: r = 0.0\nprint(r)",
                 "f = 1\nfor i in range(1, 26): f *= i\nprint(f)",
                 "lin = nn.Linear(2, 2)\nother = lin\nnet = nn.Sequential(lin, other)\nprint(len(list(net.parameters())))",
                 "random.seed(3)\nla = [1, 2, 3, 4, 5]\nlb = la\nrandom.shuffle(lb)\nprint(la)",
                 "h = [1, 2, 3]\ng = h\ng.append(4)",
                 "print(h, g)",
                 "w = torch.rand(2, 3)\nw2 = w\nw2 += 1\ns = w.sum()",
                 "print(s, w)",
                 "prune.l1_unstructured(lin, 'weight', 0.5)",
                 "print(lin(torch.ones(2)))"]
        done = self.imported("ten", "wrong", [(cell, "") for cell in cells], "--python", sys.executable)[1]
        refused = re.findall(r"@([4-7]) In \[\d\](?:, line \d)?: ((?!carried).*)", done.stdout)
        self.assertEqual(dict(refused), {
            "4": "f holds an int of more than 64 bits",
            "5": "a module is part of two others, or twice of one",
            "6": "la and lb are one list, which it changes; list(la) copies it",
            "7": "g and h are one list, which it changes; list(g) copies it"}, done.stdout)
        self.assertIn("1 notebook, 12 cells, 10 outputs: 4 equal, 7 not ported (1 with values carried from Python)\n", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)

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

    def test_the_headers_are_those_that_a_port_its_proof_and_its_table_include(self):
        for_ports = re.findall(r"torchbook/(?:notebook|runtime)/\w+\.h", (ROOT / "src/tools/import/translate/cpp/headers.cpp").read_text())
        self.assertGreater(len(set(for_ports)), 15)
        self.check_headers({"torchbook/notebook/notebook.h", "torchbook/notebook/ported_notebook.h", *for_ports,
                            "torchbook/runtime/proof.h", "torchbook/trace/trace.h",
                            *(f"torchbook/pyrepr/{name}.h" for name in ("pyrepr", "ivalue", "module"))})

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
