"""Writes a container or a module as a Python expression."""

import math
import re

from modules import MODULES, STRUCTURES
from values import DTYPES

CODES = {dtype.code: name for name, dtype in DTYPES.items()}


def python_number(value):
    negative_nan = isinstance(value, float) and math.isnan(value) and math.copysign(1, value) < 0
    return "-nan" if negative_nan else repr(value)


def python_string(data):
    return repr(data.decode()) if data.isascii() else f"{data!r}.decode('utf-8', 'surrogateescape')"


def entries(texts):
    return list(zip(texts[::2], texts[1::2]))


def filled(expression, node):
    """Returns the expression of a class's table with the numbers of a node."""
    numbers = {"i": node.integers, "r": node.reals}
    return re.sub(r"\b([ir])\[(\d)\]", lambda found: repr(numbers[found[1]][int(found[2])]), expression)


def python_leaf(node, tensors):
    if node.tag in ("tensor", "parameter"):
        tensor = tensors[node.integers[0]]
        if node.tag == "parameter":
            return f"nn.Parameter({tensor})"
        return tensor + (".requires_grad_()" if node.integers[1] else "")
    return {
        "none": lambda: "None",
        "bool": lambda: str(bool(node.integers[0])),
        "int": lambda: str(node.integers[0]),
        "float": lambda: python_number(node.reals[0]),
        "complex": lambda: "complex(%s, %s)" % tuple(map(python_number, node.reals)),
        "str": lambda: python_string(node.text),
        "dtype": lambda: f"torch.{CODES[node.integers[0]]}",
        "device": lambda: f"torch.device({node.text.decode()!r})",
        "size": lambda: f"torch.Size({list(node.integers)})",
    }[node.tag]()


def python_module(node, children):
    named = "{" + ", ".join(f"{child.name!r}: {text}" for child, text in zip(node.children, children)) + "}"
    return {
        "Sequential": lambda: f"nn.Sequential({', '.join(children)})",
        "NamedSequential": lambda: f"nn.Sequential(OrderedDict({named}))",
        "ModuleList": lambda: f"nn.ModuleList([{', '.join(children)}])",
        "ModuleDict": lambda: f"nn.ModuleDict({named})",
        "Net": lambda: f"module('Net', {named})",
        "Scaled": lambda: f"module('Scaled', {named}, {python_string(node.text)})",
    }[node.tag]()


def python_text(node, tensors=()):
    """Returns the Python expression of a tree. `tensors` are the expressions of the case's tensors."""
    if node.tag in MODULES:
        return filled(MODULES[node.tag].python, node)
    children = [python_text(child, tensors) for child in node.children]
    if node.tag in STRUCTURES:
        return python_module(node, children)
    joined = ", ".join(children)
    if node.tag == "list":
        return f"[{joined}]"
    if node.tag == "tuple":
        return f"({joined},)" if len(children) == 1 else f"({joined})"
    if node.tag == "set":
        return f"{{{joined}}}" if children else "set()"
    if node.tag == "dict":
        return "{" + ", ".join(f"{key}: {value}" for key, value in entries(children)) + "}"
    if node.tag == "ordered_dict":
        return "OrderedDict([" + ", ".join(f"({key}, {value})" for key, value in entries(children)) + "])"
    if node.tag == "optional":
        return children[0] if children else "None"
    return python_leaf(node, tensors)
