"""Writes a C++ source with a copy of each port that holds all its faults. planted_fault selects the one that runs.

Usage: make_faulty_ports.py OUTPUT PORT.cpp…
The source defines torchbook::test::faulty_ports(), a table that port_faults_test.cpp runs and judges.
"""
import pathlib
import re
import sys

# Each fault: its name, the pattern that it replaces, the replacement, and its largest number of places in a notebook.
FAULTS = [
    ("wrong seed", r"manual_seed\((\d+)\)", r"manual_seed(1\1)", 1),
    ("transpose left out", r"\.t\(\)", "", 2),
    ("softmax along another dim", r"softmax\((\w+), 1\)", r"softmax(\1, 0)", 1),
    ("softmax along another dim", r"softmax\((\w+), -1\)", r"softmax(\1, 0)", 1),
    ("double for float", r"torch::kFloat\b", "torch::kDouble", 2),
    # The product of x_2 and inp, two vectors, does not depend on their order.
    ("operands swapped", r"torch::matmul\((?!x_2, inp)(\w+), (\w+)\)", r"torch::matmul(\2, \1)", 2),
    ("dimension not kept", r"keepdim=\*/true", "keepdim=*/false", 1),
    ("mask of the other triangle", r"torch::tril\(", "torch::triu(", 1),
    ("sum along another dim", r"/\*dim=\*/1", "/*dim=*/0", 1),
    ("another scale", r"\b0\.5\b", "0.25", 1),
    ("random numbers of another kind", r"torch::rand\(", "torch::randn(", 1),
    ("a millionth more", r"\b0\.(43|91)\b", r"0.\g<1>0001", 1),
    ("an extra blank line", r"(nb\.print\()", r'nb.print(""); \1', 2),
]


def spread(places, count):
    """Returns `count` of the places, including the first and the last one."""
    if len(places) <= count:
        return places
    return [places[i * (len(places) - 1) // max(count - 1, 1)] for i in range(count)]


def code_of(text):
    """Returns the text with its comments and string literals replaced by spaces."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', lambda found: re.sub(r"[^\n]", " ", found[0]), text,
                  flags=re.DOTALL)


def faults_in(text):
    """Yields the faults of a notebook: the name of each, its start, its end, and its text."""
    code = code_of(text)
    for name, pattern, replacement, count in FAULTS:
        places = [place for place in re.finditer(pattern, text) if code[place.end() - 1] != " "]
        for place in spread(places, count):
            line = text.count("\n", 0, place.start()) + 1
            yield f"{name}, line {line}", place.start(), place.end(), place.expand(replacement)


def statements_of(text):
    """Yields start and end of each statement, with its semicolon. Parentheses do not end a statement."""
    code, start, depth = code_of(text), 0, 0
    for place, char in enumerate(code):
        depth += (char == "(") - (char == ")")
        if depth == 0 and char in ";{}":
            if char == ";":
                yield place + 1 - len(code[start : place + 1].lstrip()), place + 1
            start = place + 1


DECLARATION = re.compile(r"((?:const )?Tensor \w+ =\s+)(.*);", re.DOTALL)
OTHER_DECLARATION = re.compile(r"(?!return )(?:(?:const|constexpr) )*[\w:<>]+&? \w+(?: =|[;,({])")


def chosen(statement, copies):
    """Returns C++ that runs the copy whose fault is planted, or otherwise the statement itself.

    Each of `copies` is a fault's number and the faulty statement. A variable must outlive the choice, so a declaration
    chooses its value.
    """
    if declaration := DECLARATION.fullmatch(statement):
        values = [f"planted_fault == {number} ? Tensor({DECLARATION.fullmatch(copy)[2]}) : "
                  for number, copy in copies]
        return f"{declaration[1]}{''.join(values)}Tensor({declaration[2]});"
    if OTHER_DECLARATION.match(statement):
        sys.exit(f"make_faulty_ports.py: a fault fits only into the declaration of a Tensor, not into `{statement}`")
    branches = [f"if (planted_fault == {number}) {{ {copy} }} else " for number, copy in copies]
    return f"{''.join(branches)}{{ {statement} }}"


def faulty_port(text, first):
    """Returns the names of a notebook's faults, numbered from `first`, and its text with faulty statements."""
    faults = list(enumerate(faults_in(text), first))
    parts, end_before, planted = [], 0, []
    for start, end in statements_of(text):
        copies = [(number, text[start:begin] + instead + text[stop:end])
                  for number, (_, begin, stop, instead) in faults if start <= begin and stop <= end]
        if copies:
            parts += [text[end_before:start], chosen(text[start:end], copies)]
            end_before = end
            planted += [number for number, _ in copies]
    for number, (name, *_) in faults:
        if planted.count(number) != 1:
            sys.exit(f"make_faulty_ports.py: {name} stands in {planted.count(number)} statements, it should in one")
    port = "".join(parts) + text[end_before:]
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
