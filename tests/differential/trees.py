"""Draws random containers as trees.

A node's children are the elements of a container; in a dict, keys and values alternate. The first integer of a container
chooses among the C++ types that Python prints alike. A tensor is a place in the case's tensors, and whether it requires
grad. A dict's keys are sorted, as in the maps of C++, but for an OrderedDict and in an IValue.
"""

from typing import NamedTuple

import texts
from cases import DIFFERENTIABLE, Case, bounded, random_options, random_sizes, random_view
from values import DTYPES, float_palette, integer_palette

DEVICES = (b"cpu", b"cuda", b"cuda:1", b"meta", b"cpu:0")
LEAVES = ("none", "bool", "int", "int", "float", "float", "complex", "str", "str", "tensor", "tensor", "device")
ONLY_IN_CONTAINERS = ("dtype", "size", "parameter", "tensor")  # IValue holds none of them
MOST_CHILDREN = {"tuple": 4}  # in C++, a tuple's length is part of its type


class Node(NamedTuple):
    """A value or a module."""

    tag: str
    children: tuple = ()
    name: str = ""  # in the parent module
    text: bytes = b""
    integers: tuple = ()
    reals: tuple = ()


class Tree:
    """Draws the nodes of one case."""

    def __init__(self, rng, kind):
        self.rng, self.kind = rng, kind
        self.tensors = []
        self.is_ivalue = kind.endswith("ivalue")
        self.leaves = LEAVES + (() if self.is_ivalue else ONLY_IN_CONTAINERS)
        self.containers = ("list", "list", "tuple", "dict")
        if not self.is_ivalue:
            self.containers += ("set", "optional", "ordered_dict")

    def tensor(self, tag):
        dtype = self.rng.choice(DIFFERENTIABLE if tag == "parameter" else list(DTYPES))
        sizes = (2,) if dtype == "float4_e2m1fn_x2" else random_sizes(self.rng)
        if len(sizes) and max(sizes) > 40:
            sizes = (2, 3)
        self.tensors.append(random_view(self.rng, dtype, sizes))
        trained = tag == "parameter" or (dtype in DIFFERENTIABLE and self.rng.random() < 0.3)
        return Node(tag, integers=(len(self.tensors) - 1, int(trained)))

    def leaf(self, tag):
        rng = self.rng
        if tag in ("tensor", "parameter"):
            return self.tensor(tag)
        if tag == "bool":
            return Node(tag, integers=(rng.randrange(2),))
        if tag == "int":
            return Node(tag, integers=(rng.choice(integer_palette(rng, DTYPES["int64"])),))
        if tag == "float":
            return Node(tag, reals=(rng.choice(float_palette(rng)),))
        if tag == "complex":
            return Node(tag, reals=(rng.choice(float_palette(rng)), rng.choice(float_palette(rng))))
        if tag == "dtype":
            return Node(tag, integers=(DTYPES[rng.choice(list(DTYPES))].code,))
        if tag == "size":
            return Node(tag, integers=random_sizes(rng))
        words = {"str": lambda: texts.random_text(rng), "device": lambda: rng.choice(DEVICES)}
        return Node(tag, text=words[tag]() if tag in words else b"")

    def set(self):
        """Draws a set that Python prints in sorted order: of small ints, or of one element."""
        if self.rng.random() < 0.5:
            chosen = sorted(self.rng.sample(range(8), self.rng.randrange(1, 6)))
            return tuple(Node("int", integers=(each,)) for each in chosen)
        return (self.leaf(self.rng.choice(("bool", "int", "float", "str"))),) if self.rng.random() < 0.9 else ()

    def entries(self, tag, depth):
        """Draws the keys and values of a dict."""
        key = self.rng.choice(("int", "str"))
        keys = list({self.leaf(key) for _ in range(self.rng.randrange(4))})
        keys.sort(key=lambda node: (node.integers, node.text))
        if tag == "ordered_dict" or self.is_ivalue:
            self.rng.shuffle(keys)
        return tuple(node for key in keys for node in (key, self.node(depth)))

    def long_list(self):
        """Draws what a list of many elements holds, and how many. Jupyter leaves out those after a thousand."""
        if self.rng.random() < 0.1:
            return "none", self.rng.randrange(998, 1004)
        return self.rng.choice(("bool", "int", "float", "size" if not self.is_ivalue else "str")), self.rng.randrange(8, 40)

    def node(self, depth):
        """Draws a value that is at most so deep."""
        if depth == 0 or self.rng.random() < 0.4:
            return self.leaf(self.rng.choice(self.leaves))
        tag = self.rng.choice(self.containers)
        form = (self.rng.randrange(4),)
        if tag == "set":
            return Node(tag, self.set(), integers=form)
        if tag in ("dict", "ordered_dict"):
            return Node(tag, self.entries(tag, depth - 1), integers=form)
        if tag == "optional":
            return Node(tag, (self.node(depth - 1),) if self.rng.random() < 0.7 else (), integers=form)
        count = self.rng.randrange(MOST_CHILDREN.get(tag, 6) + 1)
        alike = self.rng.choice(self.leaves) if self.rng.random() < 0.4 else None
        if self.kind.startswith("pretty") and tag == "list" and self.rng.random() < 0.2:
            alike, count = self.long_list()
        return Node(tag, tuple(self.leaf(alike) if alike else self.node(depth - 1) for _ in range(count)), integers=form)


def container_case(rng, kind):
    tree = Tree(rng, kind)
    node = tree.node(0)
    while not node.children and rng.random() < 0.97:
        tree.tensors.clear()
        node = tree.node(rng.randrange(1, 5))
    options = random_options(rng)
    for tensor in tree.tensors:
        options = bounded(options, tensor.sizes)
    return Case(kind, options, tuple(tree.tensors), trees=(node,))
