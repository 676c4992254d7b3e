"""Writes a notebook of random small programs, which a translation must run as Python does.

random_programs.py OUT.ipynb [--seed S] [--cells N]

To look for faults, build and run the translation of others:
    cmake --preset ci -D "random_programs=--seed;7;--cells;300"
    cmake --build --preset ci --target translated_random && build/ci/bin/translated_random
Python runs each cell first: one that raises, or prints much, is drawn again.
"""
import argparse
import random
import re
import signal

from random_grammar import COUNTER, EXPRESSIONS, EXTRA, FUNCTIONS, LITERALS, NAMES, SHOWN, STATEMENTS
from run_notebook import cell_of, run, write

HOLE = re.compile(r"<(?:(new|set|var|loop) )?(\w+)>")
PREAMBLE = ("import math\nimport random\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\ntorch.manual_seed(0)\nrandom.seed(0)\n\n"
            + COUNTER)
MOST_PRINTED = 3000  # characters
LONGEST = 2  # seconds that a cell may take


class TooLong(Exception):
    """A cell does not end in time."""


def stop(*_):
    raise TooLong


class NoName(Exception):
    """A rule needs a variable of a kind that there is none of."""


class Cell:
    """Draws the statements of a cell. `names` are its variables by kind, in the block that is being drawn."""

    def __init__(self, rng, functions, tag=""):
        """`tag` ends the names of variables, so that most cells have names of their own."""
        self.rng, self.functions, self.tag = rng, functions, tag
        self.names, self.looping, self.last = {}, set(), ""

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

    def statement(self, depth):
        """Returns the lines of a statement."""
        rule = self.rng.choice(STATEMENTS)
        if depth == 0 and "BODY" in rule:
            rule = self.rng.choice([each for each in STATEMENTS if "BODY" not in each])
        before, kept, lines = dict(self.names), set(self.looping), []
        for line in rule.split("\n"):
            indent = line[: len(line) - len(line.lstrip())]
            if line.strip() == "BODY":
                lines += [indent + each for each in self.block(depth - 1, self.rng.randrange(1, 3))]
                continue
            lines.append(self.line(line))
        if "BODY" in rule:  # what a block assigns first may be unknown behind it
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

    def block(self, depth, count):
        lines = []
        while count:
            try:
                lines += self.statement(depth)
                count -= 1
            except NoName:
                pass
        return lines

    def program(self):
        lines = []
        for kind in self.rng.sample(SHOWN, 3):
            lines.append(self.line(f"<new {kind}> = <{kind}>"))
        lines += self.block(2, self.rng.randrange(2, 6))
        lines += [f"print({name})" for name, kind in self.names.items() if kind != "object" and self.rng.random() < 0.5]
        lines.append(self.expression("any", 2))
        return "\n".join(lines)

    def function(self, name):
        """Draws a function. Returns it with the kinds of its parameters and of its result."""
        kinds, result = self.rng.choice(FUNCTIONS)
        self.functions = {}
        self.names = dict(zip(("p0", "p1"), kinds))
        body = self.block(1, self.rng.randrange(0, 3))
        if self.rng.random() < 0.3:
            body += [f"if {self.expression('bool', 2)}:", f"    return {self.expression(result, 1)}"] + self.block(1, 1)
        body.append(f"return {self.expression(result, 2)}")
        return f"def {name}(p0, p1):\n" + "\n".join("    " + line for line in body), (kinds, result)


def outcome(source, names):
    """Runs a cell. Returns what it prints and what Jupyter displays, or None if it raises, takes long or shows too much."""
    signal.alarm(LONGEST)
    try:
        printed, shown = run(source, names)
    except Exception:  # whatever it is, the cell is drawn again
        return None
    finally:
        signal.alarm(0)
    text = printed + shown
    return (printed, shown) if len(text) < MOST_PRINTED and not re.search(r"\d{17}", text) else None


def cells(seed, count):
    rng = random.Random(seed)
    names = {}
    exec(PREAMBLE, names)
    functions, drawn = {}, [cell_of(PREAMBLE, ("", ""))]
    while len(drawn) <= count:
        if rng.random() < 0.1:
            name = f"f{len(functions)}"
            source, signature = Cell(rng, functions).function(name)
            arguments = [Cell(rng, {}).expression(kind, 1) for kind in signature[0]]
            shown = f"{source}\n\nprint({name}({', '.join(arguments)}))"
            output = outcome(shown, dict(names))
            if output is not None:
                outcome(source + "\n0", names)
                functions[name] = signature
                drawn.append(cell_of(shown, output))
            continue
        source = Cell(rng, functions, rng.choice(("", f"_{len(drawn)}", f"_{len(drawn)}"))).program()
        output = outcome(source, dict(names))
        if output is not None:
            drawn.append(cell_of(source, output))
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebook")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cells", type=int, default=60)
    arguments = parser.parse_args()
    signal.signal(signal.SIGALRM, stop)
    write(arguments.notebook, cells(arguments.seed, arguments.cells))


main()
