"""Writes a notebook of random small programs, which a translation must run as Python does.

random_programs.py OUT.ipynb [--seed S] [--cells N] [--untranslated SHARE]

Python runs each cell first: one that raises, or prints much, is drawn again. random_test.py imports such notebooks.
"""
import argparse
import importlib.util
import os
import random
import re
import signal

from random_grammar import COUNTER, EXPRESSIONS, EXTRA, FUNCTIONS, LITERALS, NAMES, RARE, SHOWN, STATEMENTS, UNTRANSLATED
from run_notebook import cell_of, run, write

HOLE = re.compile(r"<(?:(new|set|var|loop) )?(\w+)>")
PICTURES = "import matplotlib.pyplot as plt\n" if importlib.util.find_spec("matplotlib") else ""  # else nothing draws
PREAMBLE = ("import math\nimport random\nimport torch\nimport torch.nn.functional as F\n" + PICTURES + "from torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\n\ntorch.manual_seed(0)\nrandom.seed(0)\n\n"
            + COUNTER)
MOST_PRINTED = 3000  # characters
LONGEST = 2  # seconds that a cell may take


class NoName(Exception):
    """A rule needs a variable of a kind that there is none of."""


class Cell:
    """Draws the statements of a cell. `names` are its variables by kind, in the block that is being drawn."""

    def __init__(self, rng, functions, tag="", names=()):
        """`tag` ends the names of variables, so that most cells have names of their own; `names` are of cells above."""
        self.rng, self.functions, self.tag = rng, functions, tag
        self.names, self.looping, self.last = dict(names), set(), ""

    def of_kind(self, kind):
        return [name for name, its in self.names.items() if its == kind]

    def name(self, use, kind):
        """Returns a name to assign to; `var` is one that is assigned already."""
        if use == "var" or (use == "set" and self.of_kind(kind) and self.rng.random() < 0.5):
            own = [name for name in self.of_kind(kind) if name not in self.looping]
            if not own:
                raise NoName(kind)
            return self.rng.choice(own)
        name = self.rng.choice([name + self.tag for name in NAMES if name + self.tag not in self.names])
        if use == "loop":
            self.looping.add(name)
        return name

    def expression(self, kind, depth):
        if kind == "any":
            kind = self.rng.choice(SHOWN)
        if kind == "last":
            return self.last
        if kind in EXTRA:
            return self.rng.choice(EXTRA[kind])
        known = self.of_kind(kind)
        if known and self.rng.random() < (0.5 if depth else 0.8):
            return self.rng.choice(known)
        calls = [name for name, (_, result) in self.functions.items() if result == kind]
        if calls and depth and self.rng.random() < 0.1:
            name = self.rng.choice(calls)
            return f"{name}({', '.join(self.expression(each, depth - 1) for each in self.functions[name][0])})"
        if kind not in EXPRESSIONS or depth == 0 or self.rng.random() < 0.2:
            return self.rng.choice(LITERALS[kind])
        return self.filled(self.rng.choice(EXPRESSIONS[kind]), depth - 1)

    def filled(self, rule, depth):
        """Fills the holes of an expression. What is no name or literal stands in parentheses, mostly."""

        def part(hole):
            text = self.expression(hole[2], depth)
            atom = re.fullmatch(r"[\w.]+|'[^']*'|[\w.]+\([^()]*\)|\[[^\[\]]*\]", text) or hole[2] in (*EXTRA, "spec", "ispec", "sspec")
            alone = hole.string[hole.start() - 1 : hole.start()] in ("(", "[", "{") and hole.string[hole.end() : hole.end() + 1] in (")", "]")
            return text if atom or alone or self.rng.random() < 0.1 else f"({text})"

        return HOLE.sub(part, rule)

    def statement(self, depth, rules=STATEMENTS):
        """Returns the lines of a statement."""
        rule = self.rng.choice(rules if self.rng.random() < 0.997 else RARE)
        if depth == 0 and "BODY" in rule:
            rule = self.rng.choice([each for each in STATEMENTS if "BODY" not in each])
        before, kept, lines = dict(self.names), set(self.looping), []
        for line in rule.split("\n"):
            indent = line[: len(line) - len(line.lstrip())]
            if line.strip() == "BODY":
                lines += [indent + each for each in self.block(depth - 1, self.rng.randrange(1, 3))]
                continue
            lines.append(self.line(line))
        if "BODY" in rule and self.rng.random() < 0.7:  # what a block assigns first may be unknown behind it
            self.names, self.looping = before, kept
        return lines

    def line(self, rule):
        """Fills the holes of a line. Names that it assigns are known behind it."""
        targets, assigned = {}, []
        for hole in HOLE.finditer(rule):
            if hole[1]:
                name = self.name(hole[1], hole[2])
                while name in targets.values() and hole[1] != "var":
                    name = self.name(hole[1], hole[2])
                targets[hole.start()] = name
                assigned.append((name, hole[2]))
        parts, done = [], 0
        for hole in HOLE.finditer(rule):
            parts.append(rule[done : hole.start()])
            parts.append(targets[hole.start()] if hole[1] else self.expression(hole[2], self.rng.randrange(3)))
            done = hole.end()
        self.names.update(assigned)
        if assigned:
            self.last = assigned[-1][0]
        return "".join(parts) + rule[done:]

    def block(self, depth, count, rules=STATEMENTS):
        lines = []
        while count:
            try:
                lines += self.statement(depth, rules)
                count -= 1
            except NoName:
                pass
        return lines

    def program(self, untranslated):
        lines = []
        for kind in self.rng.sample(SHOWN, 3):
            lines.append(self.line(f"<new {kind}> = <{kind}>"))
        if untranslated:
            lines += self.block(0, 1, untranslated)
        lines += self.block(2, self.rng.randrange(1, 4))
        lines += [f"print({name})" for name, kind in self.names.items() if kind in SHOWN and self.rng.random() < 0.5]
        lines.append(self.expression("any", 2))
        return "\n".join(lines)

    def function(self, name):
        """Draws a function. Returns it with the kinds of its parameters and of its result."""
        kinds, result = self.rng.choice(FUNCTIONS)
        self.functions, self.looping = {}, set(self.names)
        self.names.update(zip(("p0", "p1"), kinds))
        body = self.block(1, self.rng.randrange(0, 3))
        if self.rng.random() < 0.3:
            body += [f"if {self.expression('bool', 2)}:", f"    return {self.expression(result, 1)}"] + self.block(1, 1)
        body.append(f"return {self.expression(result, 2)}")
        return f"def {name}(p0, p1):\n" + "\n".join("    " + line for line in body), (kinds, result)


def ends_well(source, names):
    """Whether a cell does not raise, take long or show too much. Runs it in a child."""
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST)
        try:
            text = "".join(run(source, names))
            os._exit(len(text) >= MOST_PRINTED or bool(re.search(r"\d{17}", text)))
        except BaseException:  # whatever it is, the cell is drawn again
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def cells(seed, count, untranslated):
    rng = random.Random(seed)
    names = {}
    exec(PREAMBLE, names)
    functions, known, drawn = {}, {}, [cell_of(PREAMBLE, ("", ""))]
    while len(drawn) <= count:
        above = dict(rng.sample(sorted(known.items()), min(len(known), rng.choice((0, 0, 2, 5)))))
        cell = Cell(rng, functions, rng.choice(("", f"_{len(drawn)}", f"_{len(drawn)}")), above)
        name, signature = f"f{len(functions)}", None
        if rng.random() < 0.1:
            source, signature = cell.function(name)
            source += f"\n\nprint({name}({', '.join(Cell(rng, {}).expression(kind, 1) for kind in signature[0])}))"
        else:
            source = cell.program(UNTRANSLATED if rng.random() < untranslated else ())
        if not ends_well(source, names):
            continue
        drawn.append(cell_of(source, run(source, names)))
        if signature:
            functions[name] = signature
        else:
            known.update((name, kind) for name, kind in cell.names.items() if name in names)
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebook")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cells", type=int, default=60)
    parser.add_argument("--untranslated", type=float, default=0.05, help="share of the cells that import does not translate")
    arguments = parser.parse_args()
    write(arguments.notebook, cells(arguments.seed, arguments.cells, arguments.untranslated))


main()
