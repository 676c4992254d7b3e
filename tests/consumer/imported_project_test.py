"""Installs torchbook, and imports notebooks into new projects: what of them is translated, and what is refused or taken back.

Usage: see building.py.
"""
import json
import re
import sys
import unittest

import building
from building import CCACHE, run


class ImportedProject(building.InstalledTools):
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
        for asked, ends, why in (('nb.carried<Tensor>("x")', "", "no cell up to @2 sets y"),
                                 ('nb.carried<double>("rate")', "", "odd: a Random"),
                                 ("", "__import__('os')._exit(3)\n", "cell @2 did not end")):
            (folder / "carried.cpp").write_text(port.replace(asked, asked.replace("x", "y").replace("rate", "odd")))
            (folder / "carried.py").write_text(twin.replace("rate, odd =", f"{ends}rate, odd ="))
            run(*check, cwd=folder, env=self.environment)
            refused = run("build/carrying", "carry", "carried", "--python", sys.executable, cwd=folder,
                          env=self.environment)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"torchbook: the notebook's values cannot be carried: {why}\n", refused.stdout)

    def test_a_module_that_is_not_installed_costs_only_what_uses_it(self):
        folder, done = self.imported("without", "lacking", [
            ("import no_such_module, torch\nfrom torchviz import make_dot\nx = torch.arange(3)\nprint(x)", ""),
            ("make_dot(x).render('x')\nprint(x.sum())", ""),
            ("no_such_module.show(x)", ""),
            ("import tqdm.notebook as bars\nfrom tqdm.auto import tqdm\nfor i, row in enumerate(tqdm(x, desc='rows')):\n"
             "    print(i, row, [each for each in bars.trange(2)])", "")], "--python", sys.executable)
        self.assertIn("translated 3 of 4 cells\n", done.stdout)
        self.assertIn("@1 In [1]: this Python does not have no_such_module, torchviz; cells that use it for more than "
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
