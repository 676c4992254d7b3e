"""Reads Python that draws a tensor, and executes nothing.

stdin has {"call": "torch.randn(4, 8, 2)"}, or {"cells": […], "shown": 1} to ask which call drew the tensor that this
cell shows. The answer on descriptor 3 is the call: {"function": "randn", "shape": [4, 8, 2], "dtype": "float32"}. If
it was found in a cell, it also has "cell", and "first": whether nothing in its cell draws before it. The answer is
{"why": …} if the call cannot be searched for, and null if no cell up to the shown one draws.
"""
import ast
import json
import math
import operator
import os
import sys
import warnings

MOST_ELEMENTS = 100_000_000  # a search uses only the first ones
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
              ast.Pow: operator.pow}
OTHER_NAMES = {"half": "float16", "float": "float32", "double": "float64", "short": "int16", "int": "int32",
               "long": "int64"}
FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")


class Refused(Exception):
    """Raised for a call that cannot be searched for. The text says why."""


class Name(str):
    """A name whose value is not known, or the last part of a dotted name."""


def number(value, kinds=int):
    if isinstance(value, kinds) and not isinstance(value, bool) and -2**63 <= value < 2**63:
        return value
    raise Refused(f'"{value}" in the call must be a number')


def made(*sizes, size=None):
    """Describes the tensor that ones, zeros and empty make. The sizes may be one sequence."""
    if size is not None:
        if sizes:
            raise Refused("the call has two shapes")
        sizes = (size,)
    shape = [number(each) for each in (sizes[0] if len(sizes) == 1 and isinstance(sizes[0], tuple) else sizes)]
    if min(shape, default=1) < 1 or math.prod(shape) > MOST_ELEMENTS:
        raise Refused(f"the call draws {'no' if min(shape) < 1 else 'too many'} elements")
    return {"shape": shape, "dtype": "float32"}


def filled(name, tensor):
    """Returns the description of a tensor that a call fills or replaces."""
    if not isinstance(tensor, dict) or set(tensor) != {"shape", "dtype"}:
        raise Refused(f"{name} needs ones(…), zeros(…) or empty(…) with its shape")
    return tensor


def masked(function, tensor, p, **more):
    if not 0 <= number(p, (int, float)) <= 1:
        raise Refused("the probability must be between 0 and 1")
    if tensor["dtype"] != "float32":
        raise Refused(f"dtype={tensor['dtype']} in the call is not known here")
    return {**tensor, "function": function, "probability": p, **more}


# The functions of PyTorch that are searched. Python itself matches their arguments.
def rand(*sizes, size=None):
    return {**made(*sizes, size=size), "function": "rand"}


def randn(*sizes, size=None):
    return {**made(*sizes, size=size), "function": "randn"}


def randint(low=0, high=None, size=None):
    if isinstance(high, tuple):
        high, size = None, high
    if high is None:
        low, high = 0, low
    if not isinstance(size, tuple):
        raise Refused("randint takes low, high and a shape")
    if number(high) <= number(low):
        raise Refused("randint needs a high that is above low")
    return {**made(size), "function": "randint", "dtype": "int64", "low": low, "high": high}


def randperm(n):
    return {**made(n), "function": "randperm", "dtype": "int64"}


def bernoulli(input):
    if not isinstance(input, dict) or "fill_value" not in input:
        raise Refused("bernoulli needs full((…), p) with shape and probability")
    return masked("bernoulli", {"shape": input["shape"], "dtype": input["dtype"]}, input["fill_value"])


def bernoulli_(input, p=0.5):
    return masked("mask", filled("bernoulli_", input), p)


def dropout(input, p=0.5, training=True, inplace=False):
    if training is not True:
        raise Refused("dropout draws nothing without training=True")
    return masked("mask", filled("dropout", input), 1 - number(p, (int, float)), dropout=True)


def Dropout(p=0.5, inplace=False):
    return lambda input: dropout(input, p)


def uniform_(input, start=0, to=1):
    if (start, to) != (0, 1):
        raise Refused("uniform_ is searched only with 0 and 1, its defaults")
    return {**filled("uniform_", input), "function": "rand"}


def normal_(input, mean=0, std=1):
    if (mean, std) != (0, 1):
        raise Refused("normal_ is searched only with 0 and 1, its defaults")
    return {**filled("normal_", input), "function": "randn"}


SEARCHED = {each.__name__: each for each in (rand, randn, randint, randperm, bernoulli, bernoulli_, dropout, uniform_,
                                             normal_, Dropout)}
FUNCTIONS = {**SEARCHED, "ones": made, "zeros": made, "empty": made, "device": str,
             "full": lambda size, fill_value: {**made(size), "fill_value": fill_value}}


def computed(node, names):
    """Returns the result of an operation on whole numbers."""
    left, right = value(node.left, names), value(node.right, names)
    try:
        if isinstance(node.op, ast.Pow) and not 0 <= number(right) <= 64:
            raise Refused
        return number(OPERATIONS[type(node.op)](number(left), number(right)))
    except (KeyError, ArithmeticError, Refused):
        raise Refused(f'"{ast.unparse(node)}" in the call is no whole number here') from None


def called(node, names):
    """Returns the result of a call: the description of a tensor, or for a layer a function that draws."""
    arguments = [value(each, names) for each in node.args]
    options = {str(each.arg): value(each.value, names) for each in node.keywords}
    function = value(node.func, names)
    if isinstance(node.func, ast.Attribute) and not isinstance(owner := value(node.func.value, names), Name):
        arguments.insert(0, owner)
    if isinstance(function, Name):
        function = FUNCTIONS.get(function)
    if not callable(function):
        raise Refused(f"{ast.unparse(node.func)} is not searched; {', '.join(SEARCHED)} are")
    device, dtype = options.pop("device", "cpu"), options.pop("dtype", None)
    if device != "cpu" and not isinstance(device, Name):
        raise Refused(f"device={device} has a generator of its own, which is not searched")
    options.pop("requires_grad", None)
    try:
        result = function(*arguments, **options)
    except TypeError as error:
        raise Refused(str(error)) from None
    if dtype is not None and isinstance(result, dict):
        alike = INTEGERS if result["dtype"] in INTEGERS else FLOATS
        result["dtype"] = OTHER_NAMES.get(dtype, dtype)
        if result["dtype"] not in alike:
            raise Refused(f"dtype={dtype} in the call is not known here")
    return result


def value(node, names):
    """Returns the value of an expression. Tensors are described by dicts, layers are functions, lists become tuples."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names.get(node.id, Name(node.id))
    if isinstance(node, ast.Attribute):
        return Name(node.attr)
    if isinstance(node, (ast.Tuple, ast.List)):
        return tuple(value(each, names) for each in node.elts)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -number(value(node.operand, names), (int, float))
    if isinstance(node, ast.BinOp):
        return computed(node, names)
    if isinstance(node, ast.Call):
        return called(node, names)
    raise Refused(f'"{ast.unparse(node)}" in the call cannot be read; numbers, their names and calls can')


def draw(node, names):
    """Returns the call of an expression that draws, or why it cannot be searched for."""
    try:
        result = value(node, names)
        if isinstance(result, dict) and "function" in result:
            return result
        return {"why": f'"{ast.unparse(node)[:40]}" is no call that draws a tensor'}
    except Refused as refused:
        return {"why": str(refused)}
    except RecursionError:
        return {"why": "the call is nested too deeply"}


def parsed(text, mode):
    """Returns the tree of a text, or why there is none."""
    try:
        return ast.parse(text, mode=mode), ""
    except SyntaxError as error:
        return None, f"Python cannot read the call: {error.msg}"
    except (RecursionError, MemoryError, ValueError):
        return None, "the call is nested too deeply"


def read_call(text):
    tree, why = parsed(text.strip(), "eval")
    return draw(tree.body, {}) if tree else {"why": why}


def draws(node):
    """Returns whether a part of a cell calls a function that draws."""
    names = (getattr(each.func, "attr", getattr(each.func, "id", "")) for each in ast.walk(node)
             if isinstance(each, ast.Call))
    return any(name in SEARCHED or name.endswith(("uniform_", "normal_", "_like")) for name in names)


def values_in(statement):
    """Yields the expressions of a statement, each with the name that it is assigned to, or None."""
    if isinstance(statement, ast.Expr):
        yield None, statement.value
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        its = statement.value
        if isinstance(target, ast.Name):
            yield target.id, its
        elif isinstance(target, ast.Tuple) and isinstance(its, ast.Tuple) and len(target.elts) == len(its.elts):
            yield from ((name.id, each) for name, each in zip(target.elts, its.elts) if isinstance(name, ast.Name))


def is_drawn(value):
    return isinstance(value, dict) and "cell" in value


def names_in(node, context):
    """Returns the names that a part of a cell reads or sets, in the order of the text."""
    found = [each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, context)]
    return [each.id for each in sorted(found, key=lambda each: (each.lineno, each.col_offset))]


def assigned(statement, cell, first, names):
    """Returns the values that a statement assigns to names. Drawn ones have their cell."""
    values = {}
    for name, expression in values_in(statement):
        if draws(expression):
            values[name] = {**draw(expression, names), "cell": cell, "first": first}
            first = False
            continue
        try:
            values[name] = value(expression, names)
        except (Refused, RecursionError):
            values[name] = Name(name)
    return values


def shown_draw(cells, shown):
    """Returns the call that drew the tensor of a cell: that of the first drawn name in its last statement, or else the
    last one up to the cell."""
    names, last = {}, None
    for cell, text in enumerate(cells[:shown + 1]):
        tree, _ = parsed(text, "exec")
        statements, first = tree.body if tree else [], True
        for statement in statements:
            values = assigned(statement, cell, first, names)
            for found in values.values():
                if is_drawn(found) and ("why" not in found or last is None):
                    last = found
            if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.update({**{name: Name(name) for name in names_in(statement, ast.Store)}, **values})
            first = first and not draws(statement)
    named = [names.get(name) for statement in statements[-1:] for name in names_in(statement, ast.Load)]
    return next(filter(is_drawn, named), last)


def main():
    warnings.simplefilter("ignore")
    asked = json.load(sys.stdin)
    answer = read_call(asked["call"]) if "call" in asked else shown_draw(asked["cells"], asked["shown"])
    with os.fdopen(3, "w", encoding="utf-8") as output:
        json.dump(answer, output)


if __name__ == "__main__":
    main()
