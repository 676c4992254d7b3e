"""Makes a C++ source that holds the ports with faults, of which one at a time is planted.

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


def faults_in(text):
    """The faults of a notebook: what each is called, where it starts and ends, and what stands there instead."""
    for name, pattern, replacement, count in FAULTS:
        places = [place for place in re.finditer(pattern, text) if in_code(text, place)]
        for place in spread(places, count):
            line = text.count("\n", 0, place.start()) + 1
            yield f"{name}, line {line}", place.start(), place.end(), place.expand(replacement)


# A call that runs code of the notebook, on a line of its own or from one line to the first that closes it.
CELL = re.compile(r"^  nb\.(?:cell|restored)\((?:[^\n]* \}\);\n|.*?^(?: {4})?  \}\);\n)", re.MULTILINE | re.DOTALL)


def faulty_port(text, first):
    """The names of a notebook's faults, numbered from `first`, and its text: cells choose the copy that is planted."""
    faults = list(enumerate(faults_in(text), first))

    def choice(cell):
        copies = []
        for number, (_, start, end, instead) in faults:
            if cell.start() <= start < cell.end():
                copy = text[cell.start() : start] + instead + text[end : cell.end()]
                copies.append(f"  if (planted_fault == {number}) {{\n{copy}  }} else\n")
        return "".join([*copies, f"  {{\n{cell[0]}  }}\n"])

    port = CELL.sub(choice, text)
    for number, (name, *_) in faults:
        if f"planted_fault == {number})" not in port:
            sys.exit(f"make_faulty_ports.py: {name} is in no cell")
    return [name for _, (name, *_) in faults], re.sub(r"^#include .*\n", "", port, flags=re.MULTILINE)


HEAD = """// Made by make_faulty_ports.py. Do not edit.
#include <torch/torch.h>
#include <faults/faulty_port.h>
#include <torchbook/notebook/notebook.h>
#include <functional>
#include <limits>
#include <tuple>

using torchbook::test::planted_fault;
"""


def main():
    output, *ports = map(pathlib.Path, sys.argv[1:])
    parts, table = [HEAD], []
    for port in ports:
        names, body = faulty_port(port.read_text(), len(table))
        parts.append(f"namespace faulty_{port.stem} {{\n{body}}}\n")
        table += [f'    {{"{name}", "{port.stem}", &faulty_{port.stem}::{port.stem}}},' for name in names]
    parts.append("namespace torchbook::test {\nstd::size_t planted_fault = 0;\n"
                 "std::vector<FaultyPort> faulty_ports() {\n  return {\n" + "\n".join(table)
                 + "\n  };\n}\n}  // namespace torchbook::test\n")
    output.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
