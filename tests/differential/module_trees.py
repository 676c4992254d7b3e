"""Draws random trees of modules. A node's text is the extra_repr of a Scaled, the class that has one of its own."""

from cases import Case
from modules import MODULES, STRUCTURES
from trees import Node

INTEGERS = {"n": (1, 2, 3, 4, 5), "b": (0, 1), "d": (-1, 0, 1, 2), "0": (0, 1, 2), "g": (1, 2, 4), "l": (1, 2, 3)}
REALS = {"p": (0.0, 0.1, 0.25, 0.5), "x": (1e-05, 1e-12, 0.1, 0.01, 1.0, 2.5, 1 / 3, 100.0, 1e16)}
CHILD_NAMES = ("fc1", "conv", "body", "layer_1", "out_proj", "0", "10", "a b", "h\u00e9", "act", "norm", "x'y")
EXTRAS = (b"", b"scale=0.5", b"a=1\nb=2", b"a\n\n b\n", b" ", "\u00e9=1, name='x'".encode(), b"(1): fake")


def single(rng):
    name = rng.choice(list(MODULES))
    letters = MODULES[name].draw
    return Node(
        name,
        integers=tuple(rng.choice(INTEGERS[letter]) for letter in letters if letter in INTEGERS),
        reals=tuple(rng.choice(REALS[letter]) for letter in letters if letter in REALS),
    )


def children(rng, depth, named):
    """Draws modules, some of which are repeated, with different names."""
    drawn = [tree(rng, depth - 1) for _ in range(rng.randrange(5))]
    if drawn and rng.random() < 0.4:
        place = rng.randrange(len(drawn))
        drawn[place:place] = [drawn[place]] * rng.randrange(1, 4)
    names = rng.sample(CHILD_NAMES, len(drawn)) if named else [""] * len(drawn)
    return tuple(child._replace(name=name) for child, name in zip(drawn, names))


def tree(rng, depth):
    """Draws a module that is at most so deep."""
    if depth == 0 or rng.random() < 0.35:
        return single(rng)
    tag = rng.choice(STRUCTURES)
    text = rng.choice(EXTRAS) if tag == "Scaled" else b""
    return Node(tag, children(rng, depth, tag not in ("Sequential", "ModuleList")), text=text)


def module_case(rng, kind):
    return Case(kind, trees=(tree(rng, rng.choice((0, 1, 2, 2, 3, 3, 4))),))
