"""Runs cells as an import does, watched by observe.py: nothing else changes, and little is kept. What it sees of types is tested
by the notebooks in translate/notebooks, which are translated by it."""
import ast
import pathlib
import types
import unittest

import torch

SOURCE = pathlib.Path(__file__).resolve().parents[3] / "src/tools/import/command/observe.py"
exec(SOURCE.read_text())


class Run:
    """Runs cells, watched or not."""

    def __init__(self, watched=True):
        self.module = types.ModuleType("__main__")
        self.observer = Observer(torch) if watched else None  # noqa: F821
        self.cell = 0

    def __call__(self, source):
        self.cell += 1
        tree = ast.parse("\n\n" + source, "cells.py")
        if self.observer:
            self.observer.watch(tree, self.cell, 3)
        exec(compile(tree, "cells.py", "exec"), self.module.__dict__)
        return self.observer.seen() if self.observer else None

    def __getitem__(self, name):
        return self.module.__dict__[name]


def kinds(described):
    return [each["kind"] for each in described]


class Observe(unittest.TestCase):
    maxDiff = None

    def only(self, source):
        functions = Run()(source)["functions"]
        self.assertEqual(len(functions), 1)
        return functions[0]

    def test_a_class_that_is_defined_again(self):
        run = Run()
        run("class A:\n  def get(self): return 1\na = A()\ndef f(x): pass")
        run("\n\nclass A:\n  def get(self): return 2")
        seen = run("f(a)\nf(A())")["functions"][0]["parameters"]["x"]
        self.assertEqual([(each["cell"], each["line"]) for each in seen], [(1, 1), (2, 3)])

    def test_lists_of_functions_are_not_kept(self):
        run = Run()
        run("import weakref\nclass A: pass\nrefs = []\ndef f():\n  x = [A()]\n  refs.append(weakref.ref(x[0]))\n  return 2")
        made = run("for _ in range(20): f()\nv = [f()]")["values"]
        lists = {(each["cell"], each["line"]) for each in made if "list" in kinds(each["types"])}
        self.assertEqual(lists, {(1, 3), (1, 5), (2, 2)})
        self.assertEqual([ref() for ref in run["refs"]], [None] * 21)

    def test_what_a_name_is_given(self):
        seen = Run()("total = 0\nfor x in [1, 2]:\n  total += x * 0.5\nempty = {}\nempty['a'] = 1.5\nbest = None\nfirst, *rest = 'abc'")
        values = {(each["line"], each["column"]): each["types"] for each in seen["values"]}
        self.assertEqual({place: kinds(types) for place, types in values.items()}, {
            (1, 0): ["integer"], (2, 4): ["integer"], (3, 2): ["floating"], (4, 0): ["dict"], (4, 8): ["dict"],
            (6, 0): ["none"], (7, 0): ["string"], (7, 8): ["list"]})
        self.assertEqual([kinds(each) for each in values[4, 0][0]["items"]], [["string"], ["floating"]])  # at the end of the cell

    def test_a_container_that_is_empty_again(self):
        seen = Run()("x = []\nx.append(1.5)\nwhile x: x.pop()")
        types = [each["types"] for each in seen["values"] if (each["line"], each["column"]) == (1, 0)]
        self.assertEqual([kinds(each["items"]) for each in types[0]], [["floating"], []])

    def test_a_deep_value_is_looked_at_a_little(self):
        run = Run()
        described = run("xs = [[[(i, j) for i in range(60)] for j in range(60)] for _ in range(60)]\ndef f(x): return 1\nf(xs)")
        self.assertLess(len(str(described)), 20_000)

    def test_annotations_stay_as_they_are(self):
        run = Run()
        run("from __future__ import annotations\ndef f(x: list([]) = 1) -> dict({}): pass\nseen = f.__annotations__")
        self.assertEqual(run["seen"], {"x": "list([])", "return": "dict({})"})

    def test_what_calls_return(self):
        seen = Run()("import torch\nx = torch.ones(2, dtype=torch.int64)\ny = x.sum().item()")
        values = {(each["line"], each["column"]): each["types"] for each in seen["values"]}
        self.assertEqual([(each["numbers"], each["dimensions"]) for each in (*values[2, 14], *values[3, 9])],
                         [("integer", 1), ("integer", 0)])
        self.assertEqual(kinds(values[3, 16]), ["integer"])

    def test_branches_that_ran_first(self):
        run = Run()
        source = ("for i in range(3):\n  if i == 5:\n    a = 1\n  elif i == 1:\n    b = 1\n  else:\n    c = 1\n"
                  "while False:\n  d = 1\ntry:\n  1 / 0\nexcept ValueError:\n  e = 1\nexcept ZeroDivisionError:\n  f = 1\n"
                  "def g(x):\n  if x:\n    return 1\n  return 2\ng(False)")
        self.assertEqual(run(source)["branches"], [(1, 2, 2), (1, 4, 2), (1, 7, 4), (1, 5, 4), (1, 11, 2), (1, 15, 2)])
        self.assertEqual(run("g(True); g(True)")["branches"], [(1, 18, 4)])
        self.assertEqual(run("g(True)")["branches"], [])

    def test_attributes_change_their_types(self):
        functions = Run()("class A:\n  def __init__(self): self.best = None\n  def set(self, x): self.best = x\n"
                          "a = A()\na.set(0.5)\na.set('b')")["functions"]
        self.assertEqual([kinds(each["attributes"]["best"]) for each in functions], [["none"], ["floating", "string"]])

    def test_most_calls(self):
        seen = self.only("def f(n): return n\nfor i in range(3000): f(i)\nf('late')")
        self.assertEqual((seen["calls"], kinds(seen["parameters"]["n"]), kinds(seen["result"])), (1000, ["integer"], ["integer"]))

    def test_notebooks_run_as_without(self):
        source = '''
import functools, inspect, torch
log = []
def outer(start):
    """Counts."""
    count = start
    def more(by=1):
        nonlocal count
        global last
        count += by
        last = count
        return sorted(locals())
    return more
more = outer(3)
log.append((lambda a: lambda b: lambda c: (a, b, c))(1)(2)(3))
log += [more(), more(by=4), last, outer.__doc__, more.__name__, more.__qualname__, outer.__defaults__, more.__defaults__]
log += [inspect.signature(more), more.__code__.co_varnames, more.__code__.co_freevars]
class Base:
    """A base."""
    shared = [i for i in range(3) if (lambda n: n != 1)(i)]
    if shared:
        also = 1
    def __init__(self, x): self.x = x
    def __getattribute__(self, name):
        log.append(name)
        return object.__getattribute__(self, name)
    @property
    def double(self): return 2 * self.x
    @classmethod
    def make(cls, *args, **names): return cls(*args, **names)
    @staticmethod
    def plain(x): return x
    def __private(self): return "private"
    def private(self): return self.__private()
class Derived(Base):
    def __init__(self, x, __y=2):
        super().__init__(x + __y)
    def name(self): return __class__.__name__
d = Derived.make(1)
log += [d.double, d.name(), d.plain(3), d.private(), Derived.__doc__, Base.__doc__, Base.shared, vars(Base).keys()]
def counted(n):
    got = yield n
    while got:
        got = yield got - 1
    return "end"
g = counted(3)
log += [next(g), g.send(2)]
try:
    g.send(0)
except StopIteration as stop:
    log.append(stop.value)
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
log.append(deep(200))
@functools.lru_cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
log += [fib(30), fib.cache_info(), sorted(["b", "a"], key=lambda s: (s, 1)), (lambda: (yield))().__class__.__name__]
def raises():
    try:
        return 1 / 0
    finally:
        log.append("finally")
try:
    raises()
except ZeroDivisionError as error:
    log += [error.__traceback__.tb_next.tb_lineno, error.__traceback__.tb_lineno]
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return 2 * x
    @staticmethod
    def backward(ctx, g): return 2 * g
x = torch.ones(2, requires_grad=True)
Double.apply(x).sum().backward()
log += [x.grad.tolist(), torch.vmap(lambda row: row * 2)(torch.ones(2, 2)).tolist() if hasattr(torch, "vmap") else 0]
log.append(sorted(dir()))
'''
        texts = []
        for watched in (True, False):
            run = Run(watched)
            run(source)
            texts.append(list(map(repr, run["log"])))
        self.assertEqual(*texts)


if __name__ == "__main__":
    unittest.main()
