"""Describes the same values in Python and in C++, as an import does to prove a port.

Usage: proof_test.py PROOF_TEXTS: the program that proof_texts.cpp makes.
"""
import json
import math  # noqa: F401: the values of proof_texts.cpp use it
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter, deque  # noqa: F401
from pathlib import Path  # noqa: F401

import numpy as np
import torch

PROGRAM = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[4]
exec((ROOT / "src/tools/import/command/proof.py").read_text())  # it has no imports of its own: text of torchbook precedes it
TEXTS = Texts(torch)  # noqa: F821
DTYPES = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32,
          torch.float64, torch.bool, torch.complex64, torch.complex128]
X, S = torch.arange(24.).reshape(2, 3, 4), torch.arange(6.).reshape(2, 3)
C = torch.complex(S, S.flip(0))
A = [np.arange(6.).reshape(2, 3), np.arange(7), np.ones((3, 3)), np.array([True, False])]


def with_gradients():
    fresh, leaf, large, frozen = (torch.ones(size, requires_grad=True) for size in (3, 3, (3, 3), 2))
    (leaf * torch.arange(3)).sum().backward()
    (large.t() * torch.arange(9).reshape(3, 3)).sum().backward()
    frozen.sum().backward()
    return fresh, leaf, large, frozen.requires_grad_(False)


class Point:
    def __init__(self, next=None):
        self.x, self.items, self.next = 1, [2, 3], next


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.one = torch.nn.Linear(2, 3)
        self.scale = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("mask", torch.zeros(8))
        self.size = 5


def modules():
    torch.manual_seed(1)
    net = Net()
    layers = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.BatchNorm1d(2))
    frozen = torch.nn.Sequential(torch.nn.Linear(2, 2)).eval()
    frozen[0].weight.requires_grad_(False)
    return net, net, layers, layers[0], frozen, torch.nn.Embedding(3, 2), torch.nn.Linear(2, 1, bias=False)


G = with_gradients()
LOOPED = Point()
LOOPED.next = LOOPED


def values():
    """Yields the values of proof_texts.cpp with the Python that makes each."""
    text = pathlib.Path(__file__).with_name("proof_texts.cpp").read_text(encoding="utf-8")
    for comment in re.findall(r"((?:^  // .*\n)+)", text, re.MULTILINE):
        python = " ".join(line.removeprefix("  // ") for line in comment.splitlines())
        for value in eval(f"({python},)"):
            yield python, TEXTS.text(value)


def settings():
    """Returns the settings that C++ tells, too."""
    return {name: text for name, text in TEXTS.settings().items() if name != "torch.get_printoptions()"}


def differs(python, here):
    """Whether two texts differ where both are told. Members that C++ does not have are not compared, nor are numbers."""
    if isinstance(python, dict) and "list" in python:
        python = python["list"]
    if isinstance(python, dict) and isinstance(here, dict) and set(python) == set(here) == {"id"}:
        return False
    if isinstance(python, dict) and isinstance(here, dict) and "members" in here:
        ours, theirs = python["members"], here["members"]
        return any(name not in ours or differs(ours[name], theirs[name]) for name in theirs)
    if isinstance(python, list) and isinstance(here, list) and len(python) == len(here):
        return any(map(differs, python, here))
    return python != here


class Proof(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        with tempfile.NamedTemporaryFile() as file:
            done = subprocess.run([PROGRAM], env={**os.environ, "TORCHBOOK_PROOF": file.name}, stdout=subprocess.PIPE,
                                  check=True)
            cls.printed = done.stdout.decode().removesuffix("\n").split("\n")
            cls.noted = pathlib.Path(file.name).read_text().splitlines()

    def test_values_have_the_same_text(self):
        expected = list(values())
        for (python, text), here in zip(expected, self.printed):
            with self.subTest(python):
                if differs(json.loads(text), json.loads(here)):
                    self.assertEqual(here, text)
        self.assertEqual(len(self.printed), len(expected))
        self.assertLess(sum(here == "null" for here in self.printed), 8)
        self.assertLess(max(map(len, self.printed)), 200_000)

    def test_objects_that_know_each_other_are_written_once(self):
        few = [Point() for _ in range(12)]
        for each in few:
            each.items = [other for other in few if other is not each]
        self.assertLess(len(TEXTS.text(few)), 12 * 12 * 40)
        many = [Point() for _ in range(1000)]
        for each in many:
            each.items = many
        self.assertLess(len(TEXTS.text(many)), 1000 * 100)

    def test_names_and_settings_are_told(self):
        held = {}
        for line in self.noted:
            cell, name, text = line.split("\t")
            held[name] = held[name] if text == "=" else text
            held[cell] = dict(held.get(cell, {}), **{name: held[name]})
        torch.manual_seed(1)
        modules()
        of_torch = {name: text for name, text in settings().items() if name.startswith("torch.")}
        self.assertEqual(held["1"], {"counted": '"1"', **of_torch})
        torch.manual_seed(7)
        torch.randn(3)
        random.seed(7)
        random.random()
        np.random.seed(7)
        np.random.rand()
        self.assertEqual(held["2"], {"counted": '"2"', **settings()})
        torch.set_default_dtype(torch.float64)
        with torch.no_grad():
            self.assertEqual(held["3"], settings())
        torch.set_default_dtype(torch.float32)
        self.assertIn("3\trandom.getstate()\t=", self.noted)


unittest.main()
