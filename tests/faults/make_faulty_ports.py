"""Makes a C++ source that holds faulty copies of the ports, each with one fault planted.

Usage: make_faulty_ports.py OUTPUT PORT.cpp…
The source defines torchbook::test::faulty_ports(), a table that port_faults_test.cpp runs and judges.
"""
import pathlib
import re
import sys

# What is planted: a name, what it replaces, by what, and how many of the places where it stands in a notebook get it.
FAULTS = [
    ("wrong seed", r"manual_seed\((\d+)\)", r"manual_seed(1\1)", 1),
    ("transpose left out", r"\.t\(\)", "", 2),
    ("softmax along another dim", r"SoftmaxFuncOptions\(-1\)", "SoftmaxFuncOptions(0)", 1),
    ("softmax along another dim", r"SoftmaxFuncOptions\(1\)", "SoftmaxFuncOptions(0)", 1),
    ("softmax along another dim", r"softmax\((\w+), -1\)", r"softmax(\1, 0)", 1),
    ("double for float", r"torch::kFloat\b", "torch::kDouble", 2),
    ("operands swapped", r"torch::matmul\((\w+), (\w+)\)", r"torch::matmul(\2, \1)", 2),
    ("dimension not kept", r"keepdim=\*/true", "keepdim=*/false", 1),
    ("mask of the other triangle", r"torch::tril\(", "torch::triu(", 1),
    ("sum along another dim", r"/\*dim=\*/1", "/*dim=*/0", 1),
    ("another scale", r"\b0\.5\b", "0.25", 1),
    ("random numbers of another kind", r"torch::rand\(", "torch::randn(", 1),
    ("an extra blank line", r"(nb\.print\()", r'nb.print("{}", ""); \1', 2),
]


def spread(places, count):
    """`count` of the places, first and last among them."""
    if len(places) <= count:
        return places
    return [places[i * (len(places) - 1) // max(count - 1, 1)] for i in range(count)]


def in_code(text, place):
    """Whether a place is code: notes are string literals with lines of their own."""
    return not text[text.rfind("\n", 0, place.start()) + 1 :].lstrip().startswith('"')


def faulty_copies(text):
    """The fault and the text of each faulty copy of a notebook."""
    for name, pattern, replacement, count in FAULTS:
        places = [place for place in re.finditer(pattern, text) if in_code(text, place)]
        for place in spread(places, count):
            line = text.count("\n", 0, place.start()) + 1
            yield f"{name}, line {line}", text[: place.start()] + place.expand(replacement) + text[place.end() :]


HEAD = """// Made by make_faulty_ports.py. Do not edit.
#include <torch/torch.h>
#include <faults/faulty_port.h>
#include <torchbook/notebook/notebook.h>
#include <functional>
#include <limits>
#include <tuple>
#pragma GCC optimize("O0")  // thousands of lines, each run once
"""


def main():
    output, *ports = map(pathlib.Path, sys.argv[1:])
    parts, table = [HEAD], []
    for port in ports:
        for fault, copy in faulty_copies(port.read_text()):
            space = f"fault_{len(table)}"
            body = re.sub(r"^#include .*\n", "", copy, flags=re.MULTILINE)
            parts.append(f"namespace {space} {{\n{body}}}\n")
            table.append(f'    {{"{fault}", "{port.stem}", &{space}::{port.stem}}},')
    parts.append("namespace torchbook::test {\nstd::vector<FaultyPort> faulty_ports() {\n  return {\n"
                 + "\n".join(table) + "\n  };\n}\n}  // namespace torchbook::test\n")
    output.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
