"""Trains random layers in Python and in C++: outputs, graphs, gradients, weights and texts are equal to the last bit.

Usage: layers_test.py LAYERS [CASES]: the program that layers.cpp makes, and the number of cases.
"""
import copy
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch

LAYERS, CASES = sys.argv[1], int((sys.argv[2:] or [1000])[0])
MODERN = int(torch.__version__.split(".")[0]) >= 2
# The layers, by the number of their kind.
KINDS = ["attention", "encoder layer", "encoder"] + ["norm"] * hasattr(torch.nn, "RMSNorm")


def random_case(draw):
    """Returns the options, the inputs and the mode of a layer. Most are valid; Python raises for the rest."""
    heads, kind, often = draw.choice([1, 2, 2, 3, 4, 4]), draw.randrange(len(KINDS)), draw.random() < 0.6
    case = {"seed": draw.randrange(10**6), "kind": kind, "heads": heads, "embed": heads * draw.choice([1, 2, 4, 5]),
            "batch": draw.choice([0, 1, 2, 3, 3]), "target": draw.randint(1, 6), "source": draw.randint(1, 6)}
    for name in ("batch_first", "norm_first", "gelu", "weights", "average", "nested", "norm", "mask_check"):
        case[name] = draw.randrange(2)
    for name in ("double", "mask_by_head", "input_grad", "frozen"):
        case[name] = int(draw.random() < 0.2)
    case["training"] = draw.randrange(2)
    case["grad"] = case["training"] or draw.randrange(2)
    case["bias"] = int(not MODERN and kind != 0 or draw.random() < 0.8)
    case["inputs"] = 0 if kind or often else draw.randrange(4)
    if case["inputs"] in (0, 3):
        case["source"] = case["target"]
    case["mask"] = draw.choice([0, 0, 0, 1, 2, 3, 4])
    case["padding"] = draw.choice([0, 0, 1, 2, 3, 4])
    if draw.random() < 0.5:
        case[draw.choice(["mask", "padding"])] = 0
    case["causal"] = int(MODERN and case["mask"] in (3, 4) and not case["mask_by_head"] and draw.random() < 0.5)
    if case["causal"] == 0 and kind == 2:
        case["causal"] = 2
    case["dropout"] = draw.choice([0.0, 0.0, 0.1, 0.5])
    case["eps"] = draw.choice([1e-5, 1e-3])
    case["feedforward"], case["layers"] = draw.randint(1, 9), draw.randint(1, 3)
    return case


def encoder_layer(case):
    options = {} if not MODERN else {"bias": bool(case["bias"])}
    return torch.nn.TransformerEncoderLayer(
        case["embed"], case["heads"], case["feedforward"], case["dropout"], "gelu" if case["gelu"] else "relu", case["eps"],
        bool(case["batch_first"]), bool(case["norm_first"]), **options)


def make_layer(case):
    """Returns a layer and a function that calls it or its copy."""
    kind = KINDS[case["kind"]]
    causal = {"is_causal": {0: False, 1: True, 2: None}[case["causal"]]} if MODERN else {}
    if kind == "attention":
        weights, average = bool(case["weights"]), bool(case["average"])
        layer = torch.nn.MultiheadAttention(case["embed"], case["heads"], case["dropout"], bool(case["bias"]),
                                            batch_first=bool(case["batch_first"]))
        return layer, lambda each, q, k, v, mask, padding: [
            x for x in each(q, k, v, padding, weights, mask, average, **causal) if x is not None]
    if kind == "norm":
        layer = torch.nn.RMSNorm(case["embed"], case["eps"] if case["gelu"] else None, bool(case["bias"]))
        return layer, lambda each, q, *_: [each(q)]
    layer = encoder_layer(case)
    if kind == "encoder":
        norm = torch.nn.LayerNorm(case["embed"]) if case["norm"] else None
        layer.requires_grad_(not case["frozen"])
        layer = torch.nn.TransformerEncoder(layer, case["layers"], norm, bool(case["nested"]), bool(case["mask_check"]))
        return layer, lambda each, q, k, v, mask, padding: [each(q, mask, padding, **causal)]
    return layer, lambda each, q, k, v, mask, padding: [each(q, mask, padding, **causal)]


def draw_mask(kind, shape, query):
    """Draws a mask that hides no first key. Its kind is 0, none; 1, bool; 2, float; 3 and 4, the same, causal or of the last
    keys only."""
    if kind == 0:
        return None
    hidden = torch.rand(shape) < 0.3
    if kind >= 3 and len(shape) > 1 and shape[0] == shape[1]:
        hidden = torch.ones(shape).triu(1).bool()
    elif kind >= 3:
        hidden = torch.arange(shape[-1]) > torch.rand(shape).select(-1, 0).unsqueeze(-1) * shape[-1]
    hidden.select(-1, 0).fill_(False)
    if kind % 2 == 1:
        return hidden
    numbers = torch.randn(shape, dtype=query.dtype) if kind == 2 else torch.zeros(shape, dtype=query.dtype)
    return numbers.masked_fill(hidden, -float("inf"))


def draw_inputs(case):
    batch, target, source = case["batch"], case["target"], case["source"]

    def draw(length):
        shape = [batch, length] if case["batch_first"] else [length, batch]
        shape = [*shape, case["embed"]] if batch else [length, case["embed"]]
        dtype = torch.float64 if case["double"] else torch.float32
        return torch.randn(shape, dtype=dtype).requires_grad_(bool(case["input_grad"]))

    query = draw(target)
    key = query if case["inputs"] in (0, 3) else draw(source)
    value = key if case["inputs"] <= 1 else draw(source)
    shape = [max(batch, 1) * case["heads"]] * case["mask_by_head"] + [target, source]
    mask = draw_mask(case["mask"], shape, query.detach())
    return query, key, value, mask, draw_mask(case["padding"], [batch, source] if batch else [source], query.detach())


class Seen:
    def __init__(self):
        self.text, self.tensors = "", []

    def add(self, tensor):
        self.tensors.append(tensor.detach().clone())

    def describe(self, node, nodes):
        """Adds the names of the nodes of a graph, each once."""
        if node is not None and node not in nodes:
            nodes.append(node)
            self.text += node.name() + "\n"
            for following, _ in node.next_functions:
                self.describe(following, nodes)


def step(module, inputs, outputs, seen):
    """Takes a step of gradient descent."""
    loss = None
    for output in outputs:
        seen.add(output)
        seen.describe(output.grad_fn, [])
        part = (output * torch.randn_like(output)).sum()
        loss = part if loss is None else loss + part
    if not loss.requires_grad:
        return
    loss.backward()
    for each in inputs[:3]:
        if each.grad is not None:
            seen.add(each.grad)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.grad is not None:
                seen.add(parameter.grad)
                parameter.sub_(parameter.grad * 0.1)
                parameter.grad = None


def run(case, seen):
    torch.manual_seed(case["seed"])
    module, call = make_layer(case)
    seen.text = f"{module}\n"
    for name, parameter in module.named_parameters():
        seen.text += name + ("\n" if parameter.requires_grad else " frozen\n")
        seen.add(parameter)
        parameter.requires_grad_(not case["frozen"])
    if case["double"]:
        module.double()
    module.train(bool(case["training"]))
    with torch.set_grad_enabled(bool(case["grad"])):
        for _ in range(3):
            inputs = draw_inputs(case)
            step(module, inputs, call(module, *inputs), seen)
    with torch.no_grad():
        for each in (module, copy.deepcopy(module)):
            for output in call(each.eval(), *inputs):
                seen.add(output)


def bits(tensors):
    return [(x.dtype, x.shape, x.contiguous().numpy().tobytes()) for x in tensors]


class Layers(unittest.TestCase):
    def test_random_layers(self):
        torch.set_num_threads(1)
        draw = random.Random(0)
        cases = [random_case(draw) for _ in range(CASES)]
        lines = [" ".join(f"{name}={value}" for name, value in case.items()) for case in cases]
        with tempfile.TemporaryDirectory() as folder:
            given, out = pathlib.Path(folder, "cases"), pathlib.Path(folder, "out")
            given.write_text("\n".join(lines) + "\n")
            subprocess.run([LAYERS, given, out], check=True, capture_output=True)
            results = torch.load(out)
        self.assertEqual(len(results), CASES)
        valid = 0
        for case, line, (text, tensors) in zip(cases, lines, results):
            seen = Seen()
            try:
                run(case, seen)
                valid += 1
            except (AssertionError, RuntimeError, TypeError):
                seen.text += "error"
            with self.subTest(line):
                lines_of_both = itertools.zip_longest(text.split("\n"), seen.text.split("\n"))
                self.assertIsNone(next((pair for pair in lines_of_both if pair[0] != pair[1]), None))
                self.assertTrue(bits(tensors) == bits(seen.tensors))
        self.assertGreater(valid, CASES * 0.8)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    unittest.main(argv=sys.argv[:1])
