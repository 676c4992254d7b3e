"""Writes a container or a module as a Python and as a C++ expression."""

import re

from cpp import CPP_DTYPES, braces, cpp_number, cpp_string, python_number
from modules import MODULES, STRUCTURES
from values import DTYPES

CODES = {dtype.code: name for name, dtype in DTYPES.items()}
CONTAINERS = ("list", "tuple", "set", "dict", "ordered_dict", "optional")
CPP_TYPES = {"bool": "bool", "int": "std::int64_t", "float": "double", "str": "std::string"}


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


def cpp_leaf(node, tensors):
    if node.tag in ("tensor", "parameter"):
        tensor = tensors[node.integers[0]] + (".requires_grad_()" if node.integers[1] else "")
        return f"Parameter{{{tensor}}}" if node.tag == "parameter" else tensor
    return {
        "none": lambda: "nullptr",
        "bool": lambda: str(bool(node.integers[0])).lower(),
        "int": lambda: f"std::int64_t{{{cpp_number(node.integers[0])}}}",
        "float": lambda: f"double{{{cpp_number(node.reals[0])}}}",
        "complex": lambda: "c10::complex<double>(%s, %s)" % tuple(map(cpp_number, node.reals)),
        "str": lambda: f"std::string({cpp_string(node.text)}, {len(node.text)})",
        "dtype": lambda: CPP_DTYPES[CODES[node.integers[0]]],
        "device": lambda: f'at::Device("{node.text.decode()}")',
        "size": lambda: f"Size{{{braces(node.integers)}}}",
    }[node.tag]()


def cpp_module(node, children):
    names = [child.name or str(place) for place, child in enumerate(node.children)]
    named = braces(f"{{{cpp_string(name)}, {text}.ptr()}}" for name, text in zip(names, children))
    return {
        "Sequential": lambda: f"test::sequential({named})",
        "NamedSequential": lambda: f"test::sequential({named})",
        "ModuleList": lambda: f"nn::ModuleList({', '.join(children)})",
        "ModuleDict": lambda: f"nn::ModuleDict(test::Children{named})",
        "Net": lambda: f"test::Net(test::Children{named})",
        "Scaled": lambda: f"test::Scaled(test::Children{named}, {cpp_string(node.text)})",
    }[node.tag]()


def cpp_container(node, children):
    joined = ", ".join(children)
    keyed = entries(node.children)
    key = CPP_TYPES[keyed[0][0].tag] if node.tag in ("dict", "ordered_dict") and keyed else "int"
    element = CPP_TYPES[node.children[0].tag] if node.tag == "set" and children else "int"
    pairs = braces(f"{{{key}, {value}}}" for key, value in entries(children))
    return {
        "list": lambda: f"std::vector<test::Value>{{{joined}}}",
        "tuple": lambda: f"std::tuple<{', '.join(['test::Value'] * len(children))}>({joined})",
        "set": lambda: f"std::set<{element}>{{{joined}}}",
        "dict": lambda: f"std::map<{key}, test::Value>{pairs}",
        "ordered_dict": lambda: f"test::ordered_dict<{key}>({pairs})",
        "optional": lambda: f"std::optional<test::Value>({joined})",
    }[node.tag]()


def cpp_text(node, tensors=(), as_ivalue=False):
    """Returns the C++ expression of a tree, with the names of tests/support. An IValue holds other containers."""
    if node.tag in MODULES:
        return filled(MODULES[node.tag].cpp, node)
    children = [cpp_text(child, tensors, as_ivalue) for child in node.children]
    if node.tag in STRUCTURES:
        return cpp_module(node, children)
    if node.tag not in CONTAINERS:
        leaf = cpp_leaf(node, tensors)
        return f"c10::IValue({'' if node.tag == 'none' else leaf})" if as_ivalue else leaf
    return f"test::ivalue_{node.tag}({{{', '.join(children)}}})" if as_ivalue else cpp_container(node, children)
