"""Runs cells as an import does, and tests what observe.py sees of their functions, and that nothing else changes.

Usage: observe_test.py, which prints what watching costs if it has the argument --cost.
"""
import ast
import pathlib
import sys
import time
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

    def test_types_of_arguments_and_results(self):
        run = Run()
        self.assertEqual(run("def f(x, y=2):\n  return x * y")["functions"], [])
        self.assertEqual(run("f(1)\nf(2.5)\nf(x='a')")["functions"], [
            {"cell": 1, "line": 1, "column": 0, "name": "f", "calls": 3,
             "parameters": {"x": [{"kind": "integer"}, {"kind": "floating"}, {"kind": "string"}], "y": [{"kind": "integer"}]},
             "result": [{"kind": "integer"}, {"kind": "floating"}, {"kind": "string"}],
             "locals": {"x": [{"kind": "integer"}, {"kind": "floating"}, {"kind": "string"}], "y": [{"kind": "integer"}]}}])
        self.assertEqual(run("g = f")["functions"], [])
        self.assertEqual(run("g(True)")["functions"][0]["parameters"]["x"], [{"kind": "boolean"}])

    def test_each_type(self):
        run = Run()
        run("import torch\nimport numpy as np\nclass A:\n  def get(self): return 1\nclass B: pass\ndef f(x): pass\nl = lambda: 0\n"
            "@torch.no_grad()\ndef quiet(): pass")
        for value, expected in (
                ("None", {"kind": "none"}),
                ("2 ** 63 - 1", {"kind": "integer"}),
                ("-2 ** 63 - 1", {"kind": "integer", "large": True}),
                ("torch.ones(2, 3, requires_grad=True) * 2",
                 {"kind": "tensor", "numbers": "floating", "dimensions": 2, "gradient": True}),
                ("torch.nn.Parameter(torch.ones(2))",
                 {"kind": "tensor", "numbers": "floating", "dimensions": 1, "gradient": True, "parameter": True}),
                ("np.arange(3)", {"kind": "array", "numbers": "integer", "dimensions": 1, "gradient": False}),
                ("[1, 2, 2.5]", {"kind": "list", "items": [{"kind": "integer"}, {"kind": "floating"}]}),
                ("([], 'a', 'b')", {"kind": "tuple", "items": [{"kind": "list", "items": []}, {"kind": "string"}, {"kind": "string"}]}),
                ("{'a': 1, 'b': None}",
                 {"kind": "dict", "items": [[{"kind": "string"}], [{"kind": "integer"}, {"kind": "none"}]]}),
                ("{}", {"kind": "dict", "items": [[], []]}),
                ("A()", {"kind": "object", "class": "A", "cell": 1, "line": 3, "column": 0}),
                ("B()", {"kind": "object", "class": "B", "cell": 1, "line": 5, "column": 0}),
                ("A", {"kind": "class", "class": "A", "cell": 1, "line": 3, "column": 0}),
                ("A().get", {"kind": "function", "cell": 1, "line": 4, "column": 2, "name": "get"}),
                ("l", {"kind": "function", "cell": 1, "line": 7, "column": 4, "name": "lambda"}),
                ("quiet", {"kind": "function", "cell": 1, "line": 9, "column": 0, "name": "quiet"}),
                ("torch.relu", {"kind": "builtin", "name": "torch.relu"}),
                ("torch.nn.functional.relu", {"kind": "builtin", "name": "torch.nn.functional.relu"}),
                ("len", {"kind": "builtin", "name": "len"}),
                ("torch.float32", {"kind": "library", "class": "torch.dtype"}),
                ("torch.nn.Sequential(torch.nn.ReLU())",
                 {"kind": "library", "class": "torch.nn.modules.container.Sequential",
                  "items": [{"kind": "library", "class": "torch.nn.modules.activation.ReLU"}]}),
                ("torch.nn.Linear", {"kind": "class", "class": "torch.nn.modules.linear.Linear"})):
            with self.subTest(value):
                seen = run(f"f({value})")["functions"]
                self.assertEqual([each["parameters"]["x"] for each in seen if each["name"] == "f"], [[expected]])

    def test_a_class_that_is_defined_again(self):
        run = Run()
        run("class A:\n  def get(self): return 1\na = A()\ndef f(x): pass")
        run("\n\nclass A:\n  def get(self): return 2")
        seen = run("f(a)\nf(A())")["functions"][0]["parameters"]["x"]
        self.assertEqual([(each["cell"], each["line"]) for each in seen], [(1, 1), (2, 3)])

    def test_results(self):
        self.assertEqual(kinds(self.only("def f(x):\n  if x: return 1\nf(True); f(False)")["result"]), ["integer", "none"])
        self.assertEqual(kinds(self.only("def f():\n  return\nf()")["result"]), ["none"])
        self.assertEqual(kinds(self.only("(lambda: 2.5)()")["result"]), ["floating"])
        self.assertEqual(self.only("def f():\n  yield 1\nlist(f())")["result"], [])
        self.assertEqual(kinds(self.only("def f(n):\n  return 'a' if n == 0 else f(n - 1)\nf(3)")["result"]), ["string"])

    def test_locals(self):
        seen = self.only("def f(a):\n  b = 1.5\n  if a:\n    b = 'x'\n    return b\n  c = a = []\nf(1); f(0)")["locals"]
        self.assertEqual({name: kinds(each) for name, each in seen.items()},
                         {"a": ["integer", "list"], "b": ["string", "floating"], "c": ["list"]})
        self.assertEqual(self.only("def f(n):\n  while n < 2 ** 70: n *= n\n  return 0\nf(3)")["locals"],
                         {"n": [{"kind": "integer", "large": True}]})
        self.assertEqual(self.only("def f():\n  a = 1\n  yield a\nlist(f())")["locals"], {})
        outer = "def f():\n  a = 1\n  def g():\n    b = a\n    return b\n  return g()\nf()"
        self.assertEqual([list(each["locals"]) for each in Run()(outer)["functions"]], [["g", "a"], ["b"]])

    def test_kinds_of_parameters(self):
        seen = self.only("def f(a, /, b, *c, d=1, **e): pass\nf(1, 2.5, 'a', 'b', x=None)")["parameters"]
        self.assertEqual({name: kinds(each) for name, each in seen.items()}, {
            "a": ["integer"], "b": ["floating"], "d": ["integer"], "c": ["tuple"], "e": ["dict"]})

    def test_what_lists_hold_at_the_end_of_cells(self):
        run = Run()
        run("class A: pass\nclass B: pass")
        made = run("mixed = [A()]\nmixed.append(B())\nempty = []\ntotal = [1] + [A() for _ in range(2)]")["lists"]
        self.assertEqual([(each["line"], each["column"]) for each in made], [(1, 8), (4, 8), (4, 14)])
        self.assertEqual([[item.get("class", item["kind"]) for item in each["items"]] for each in made],
                         [["A", "B"], ["integer", "A"], ["A"]])
        self.assertEqual(made[0]["items"][0], {"kind": "object", "class": "A", "cell": 1, "line": 1, "column": 0})
        later = run("empty.append(B())\nmixed.append(A())")["lists"]  # what a later cell adds is seen by the place of `[]`
        self.assertEqual([(each["cell"], each["line"], kinds(each["items"])) for each in later], [(2, 3, ["object"])])
        self.assertEqual(run("[1, [2, 3]]")["lists"], [])  # numbers alone
        self.assertEqual(run("n = 2\n" + "[" * 15 + "n" + "]" * 15)["lists"][0]["items"][0]["kind"], "list")

    def test_lists_of_functions_are_not_kept(self):
        run = Run()
        run("import weakref\nclass A: pass\nrefs = []\ndef f():\n  x = [A()]\n  refs.append(weakref.ref(x[0]))\n  return 2")
        made = run("for _ in range(20): f()\nv = [f()]")["lists"]
        self.assertEqual([(each["cell"], each["line"]) for each in made], [(1, 3), (1, 5), (2, 2)])
        self.assertEqual([ref() for ref in run["refs"]], [None] * 21)

    def test_branches_that_ran_first(self):
        run = Run()
        source = ("for i in range(3):\n  if i == 5:\n    a = 1\n  elif i == 1:\n    b = 1\n  else:\n    c = 1\n"
                  "while False:\n  d = 1\ntry:\n  1 / 0\nexcept ValueError:\n  e = 1\nexcept ZeroDivisionError:\n  f = 1\n"
                  "def g(x):\n  if x:\n    return 1\n  return 2\ng(False)")
        self.assertEqual(run(source)["branches"], [(1, 2, 2), (1, 4, 2), (1, 7, 4), (1, 5, 4), (1, 11, 2), (1, 15, 2)])
        self.assertEqual(run("g(True); g(True)")["branches"], [(1, 18, 4)])
        self.assertEqual(run("g(True)")["branches"], [])

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


def cost():
    """Prints the seconds that loops take, bare and watched."""
    network = '''
net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
def step(x, y):
    loss = ((net(x) - y) ** 2).mean()
    loss.backward()
    return loss
for i in range(5000):
    if i % 1000 == 0: net.zero_grad()
    step(torch.ones(4, 8), torch.ones(4, 1))
'''
    small = '''
def scaled(x, by): return x * by
t = torch.ones(3)
for i in range(200000):
    if i % 2: scaled(t, 2.0)
'''
    python = '''
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def even(n):
    if n % 2: return False
    return True
total = 0
for i in range(500000):
    if even(i): total += i
fib(25)
'''
    for name, source in (("training", network), ("small tensors", small), ("pure Python", python)):
        for watched in (False, True) * 2:
            run = Run(watched)
            run("import torch")
            begin = time.perf_counter()
            run(source)
            print(name, "watched" if watched else "bare", round(time.perf_counter() - begin, 3))


if __name__ == "__main__":
    if "--cost" in sys.argv:
        cost()
    else:
        unittest.main()
