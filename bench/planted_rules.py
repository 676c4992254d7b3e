#!/usr/bin/python3
"""Plants wrong rules in the translator, and checks that the proof keeps each of them out of a port.

Usage: planted_rules.py [--only N..M] [--group 10] [--check] [--build build/ci] [SOURCE]
    SOURCE     a checkout without changes, whose build folder is configured; its files are changed, and restored

For each group, the rules are changed, torchbook-import is built, and a notebook with a cell for each rule is imported
twice, without and with the proof. A rule that changes no C++ of its cell proves nothing; one that does must be taken back, or
refused by the compiler, unless its C++ still prints what Python prints. --check only checks that each rule applies.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# The folder of all files.
IMPORTER = "src/tools/import/"
ROWS, KINDS = "translate/rows/", "translate/kinds/"
# A file, the text that is there once, the wrong text, and a cell that needs the rule.
RULES = [
    (ROWS + "functional.cpp", '{"sum", "at::Reduction::Sum"}', '{"sum", "at::Reduction::Mean"}', 'print(F.mse_loss(t, t * 3, reduction="sum"))'),
    (ROWS + "functional.cpp", '{"padding", "0"}, {"stride", "1"}', '{"padding", "0"}, {"stride", "2"}', "print(F.unfold(torch.arange(16.0).view(1, 1, 4, 4), 2))"),
    (ROWS + "functional.cpp", '{"logsigmoid", "log_sigmoid"}', '{"logsigmoid", "sigmoid"}', "print(F.logsigmoid(t))"),
    (ROWS + "functional.cpp", '{"log_input", "true"}', '{"log_input", "false"}', "print(F.poisson_nll_loss(t, t + 1))"),
    (ROWS + "functional.cpp", 'if (dim != nullptr) options =', 'if (p != nullptr) options =', "print(F.normalize(m, dim=0))"),
    (ROWS + "builtins.cpp", 'cpp::call("std::nearbyint", {number.expr})', 'cpp::call("std::round", {number.expr})', "half = 2.5\nprint(round(half))"),
    (ROWS + "builtins.cpp", 'cpp::binary(half_turn, "/", pi)', 'cpp::binary(pi, "/", half_turn)', "print(math.degrees(1.5))"),
    (ROWS + "builtins.cpp", 'cpp::binary(log(given[0]), "/", log(given[1]))', 'cpp::binary(log(given[1]), "/", log(given[0]))', "print(math.log(8.0, 3.0))"),
    (ROWS + "builtins.cpp", 'cpp::unary("-", infinity().expr)', "infinity().expr", 'lowest = float("-inf")\nprint(lowest)'),
    (ROWS + "builtins.cpp", 'kind == Kind::floating ? "std::stod" : whole', 'kind == Kind::floating ? "std::stol" : whole', 'price = "2.75"\nprint(float(price))'),
    (ROWS + "builtins.cpp", 'binary_of(b, Ast::Mod, dividend, divisor)};', 'binary_of(b, Ast::FloorDiv, dividend, divisor)};', "print(divmod(k, 5))"),
    ("translate/expressions/operators.cpp", '{Ast::RShift, ">>"}', '{Ast::RShift, "<<"}', "shifted = k >> 2\nprint(shifted)"),
    ("translate/expressions/operators.cpp", '{Ast::Mod, "torch::remainder"}', '{Ast::Mod, "torch::fmod"}', "print(-t % 4)"),
    ("translate/expressions/operators.cpp", 'cpp::call("torch::rsub", {right.expr, left.expr})', 'cpp::call("torch::sub", {right.expr, left.expr})', "print(1 - t)"),
    ("translate/expressions/operators.cpp", 'cpp::method(right.expr, "reciprocal")', 'cpp::method(right.expr, "rsqrt")', "print(3 / t)"),
    ("translate/expressions/operators.cpp", 'operation == Ast::Mod ? "python::remainder" : "python::floor_divide"', 'operation == Ast::Mod ? "python::floor_divide" : "python::remainder"', "print(-k // 4)"),
    ("translate/expressions/operators.cpp", 'left.is(Kind::boolean) ? cpp::cast("double", left.expr) : floating_literal(left)', "left.expr", "print(k / 2)"),
    ("translate/expressions/operators.cpp", 'if (squares) return with_operator(left, Ast::Mult, left, kind)', 'if (squares) return with_operator(left, Ast::Add, left, kind)', "print(k ** 2)"),
    ("translate/expressions/operators.cpp", 'cpp::call("std::pow", {from, real(exponent)})', 'cpp::call("std::pow", {real(exponent), from})', "half = 2.5\nprint(half ** 3.0)"),
    (KINDS + "sequences.cpp", 'if (slice.upper() || steps) given.push_back(stop)', 'if (slice.upper() || steps) given.push_back(start)', "print(v[1:3])"),
    (KINDS + "sequences.cpp", "exprs.push_back(start->expr)", "exprs.push_back(cpp::number(0))", "numbered = list(enumerate(v, 5))\nprint(numbered)"),
    (KINDS + "sequences.cpp", "if (given.size() == 1) given.insert(given.begin(), cpp::number(0))", "if (given.size() == 1) given.insert(given.begin(), cpp::number(1))", "counted = list(range(4))\nprint(counted)"),
    (KINDS + "string.cpp", '"python::left_strip"', '"python::right_strip"', "print(s.lstrip() + '|')"),
    (KINDS + "string.cpp", '".ends_with"', '".starts_with"', "print(s.endswith('b '))"),
    (KINDS + "string.cpp", '"python::upper"', '"python::lower"', "print(s.upper())"),
    (KINDS + "string.cpp", '"python::is_digit"', '"python::is_alnum"', "word = 'a1'\nprint(word.isdigit())"),
    (KINDS + "string.cpp", 'cpp::call("python::join", {words.expr, text.expr})', 'cpp::call("python::join", {words.expr, cpp::string("")})', "words = ['a', 'b']\nprint('-'.join(words))"),
    (ROWS + "layers.cpp", '{"AvgPool1d", "kernel_size", "stride padding"}', '{"AvgPool1d", "kernel_size", "padding stride"}', "print(nn.AvgPool1d(2, 1)(m.view(1, 3, 3)))"),
    (ROWS + "layers.cpp", '{"ELU", "", "alpha inplace"}', '{"ELU", "", "inplace alpha"}', "print(nn.ELU(0.5)(-t))"),
    (ROWS + "layers.cpp", '"momentum dampening weight_decay nesterov"', '"dampening momentum weight_decay nesterov"', "w = torch.ones(2, requires_grad=True)\nopt = torch.optim.SGD([w], 0.1, 0.9)\nfor i in range(3):\n    opt.zero_grad()\n    (w * w).sum().backward()\n    opt.step()\nprint(w)"),
    (ROWS + "layers.cpp", '{"fan_out", "torch::kFanOut"}', '{"fan_out", "torch::kFanIn"}', 'wide = torch.empty(2, 5)\nnn.init.kaiming_normal_(wide, mode="fan_out")\nprint(wide)'),
    ("translate/expressions/conditions.cpp", 'cpp::binary(left.expr, is ? "==" : "!=", right.expr)', 'cpp::binary(left.expr, is ? "!=" : "==", right.expr)', "one = Box(1)\nother = one\none.n = 3\nprint(one is other, other.n)"),
    ("translate/expressions/conditions.cpp", "cpp::boolean(is == left.is(Kind::none))", "cpp::boolean(is != left.is(Kind::none))", "print(k is None)"),
    ("translate/expressions/conditions.cpp", 'is ? cpp::unary("!", std::move(defined)) : std::move(defined)', 'is ? std::move(defined) : cpp::unary("!", std::move(defined))', "print(t.grad is None)"),
    ("translate/expressions/conditions.cpp", 'value_of(Kind::integer, cpp::unary("~", operand.expr))', 'value_of(Kind::integer, cpp::unary("-", operand.expr))', "print(~k)"),
    ("translate/expressions/conditions.cpp", 'fills ? value.expr.part(0) : cpp::unary("!", value.expr)', "fills ? value.expr.part(0) : value.expr", "print(not k > 3)"),
    ("translate/expressions/conditions.cpp", 'node.op().is(Ast::And) ? "&&" : "||"', 'node.op().is(Ast::And) ? "||" : "&&"', "print(k > 3 and k > 300)"),
    ("translate/expressions/subscripts.cpp", 'return cpp::call("python::at", {sequence.expr, at.expr})', 'return cpp::method(sequence.expr, "at", {at.expr})', "back = 1 - k // 4\nprint(v[back])"),
    ("translate/expressions/subscripts.cpp", 'slice_bound(b, node.lower()), slice_bound(b, node.upper())', 'slice_bound(b, node.upper()), slice_bound(b, node.lower())', "print(t[1:2])"),
    ("translate/expressions/subscripts.cpp", 'if (node.step()) bounds.push_back', 'if (node.step() && node.kind() == Ast::other) bounds.push_back', "print(m[:, ::2])"),
    ("translate/expressions/comprehensions.cpp", 'cpp::binary(test, "&&", value)', 'cpp::binary(test, "||", value)', "print([each for each in v if each > 1 if each < 4])"),
    (KINDS + "list.cpp", '*list_binary(b, Ast::Add, list, others)', '*list_binary(b, Ast::Add, others, list)', "grown = [1, 2]\ngrown.extend([3])\nprint(grown)"),
    (KINDS + "list.cpp", 'cpp::call("python::reversed", {list.expr})', "list.expr", "turned = [1, 2]\nturned.reverse()\nprint(turned)"),
    (KINDS + "list.cpp", 'cpp::binary(cpp::call("std::find", {begin, end, item}), "-", begin)', 'cpp::binary(end, "-", cpp::call("std::find", {begin, end, item}))', "print(v.index(3))"),
    ("translate/cpp/effects.cpp", '"update", "python::pop"}', '"update"}', "left = [1, 2, 3]\nprint(left.pop(), len(left))"),
    ("translate/cpp/effects.cpp", "auto effects = writes(Place::generator);", "auto effects = Effects{};", "torch.manual_seed(1)\nprint(torch.rand(2) - torch.rand(2))"),
    (ROWS + "random.cpp", 'return drawn(name, kind, std::move(codes))', 'return drawn(name == "randint" ? "randrange" : name, kind, std::move(codes))', "random.seed(3)\nprint([random.randint(0, 1) for i in range(9)])"),
    (KINDS + "tensor.cpp", '{"long", "torch::kLong"}', '{"long", "torch::kInt"}', "print((t * 2.5).long())"),
    (KINDS + "dict.cpp", 'adds ? cpp::method(dict.expr, "at", {key.expr}) : cpp::subscript(dict.expr, key.expr)', 'adds ? cpp::method(dict.expr, "at", {key.expr}) : cpp::method(dict.expr, "at", {key.expr})', "counts = {'a': 1}\ncounts['b'] = 2\nprint(counts)"),
    ("runtime/optim.cpp", "at::maximum_out(state.max_exp_avg_sq(), state.max_exp_avg_sq(), squares)", "at::minimum_out(state.max_exp_avg_sq(), state.max_exp_avg_sq(), squares)", "w = torch.ones(2, requires_grad=True)\nopt = torch.optim.Adam([w], lr=0.1, amsgrad=True)\nfor i in range(3):\n    opt.zero_grad()\n    (w * w).sum().backward()\n    opt.step()\nprint(w)"),
]
FIRST = """import math
import random
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Box:
    def __init__(self, n):
        self.n = n


k = 9
s = ' ab '
v = [4, 3, 1, 2]
t = torch.tensor([1.0, 2.0, 5.0])
m = torch.arange(9.0).view(3, 3) + 1"""


def run(*command, folder):
    """Runs a command. Returns what it prints; ends the program if it fails."""
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command} ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout + done.stderr


def planted(source, rules):
    """Changes the rules. Returns the texts of the files that were there."""
    before, after = {}, {}
    for name, right, wrong, _ in rules:
        file = source / IMPORTER / name
        before.setdefault(file, file.read_text(encoding="utf-8"))
        text = after.get(file, before[file])
        if text.count(right) != 1:
            raise RuntimeError(f"{name} has the text {text.count(right)} times: {right}")
        after[file] = text.replace(right, wrong)
    restore(after)
    return before


def restore(texts):
    """Writes files."""
    for file, text in texts.items():
        file.write_text(text, encoding="utf-8")


def ports_of(program, rules, *options):
    """Imports the cells of the rules. Returns the C++ of each, and the reasons why cells have none."""
    made = [FIRST, *(cell for *_, cell in rules)]
    cells = [{"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell} for cell in made]
    with tempfile.TemporaryDirectory() as folder:
        notebook = pathlib.Path(folder, "rules.ipynb")
        notebook.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}), encoding="utf-8")
        report = run(program, "import", notebook, *options, folder=folder)
        port = pathlib.Path(folder, "rules.cpp").read_text(encoding="utf-8")
    reasons = dict(re.findall(r"^  @(\d+) In \[[^\]]*\](?:, line \d+)?: (.*)$", report, re.M)[::-1])
    return re.split(r'^  nb\.cell\(".*"\);$', port, flags=re.M)[2:], reasons


def tried(options, rules, first, right):
    """Plants a group of rules. Returns how many change the C++ of their cells, and how many of these are in the port."""
    before = planted(options.source, rules)
    try:
        run("nice", "-n", "5", "cmake", "--build", options.build, "--target", "torchbook-import", folder=options.source)
        wrong, _ = ports_of(options.program, rules, "--unproved")
        kept, reasons = ports_of(options.program, rules)
    finally:
        restore(before)
    changed = in_port = 0
    for i, (name, text, _, _) in enumerate(rules):
        touches = wrong[i] != right[i] or name.startswith("runtime/")
        stays = "nb.not_ported" not in kept[i]
        changed += touches
        in_port += touches and stays
        verdict = reasons.get(str(i + 2), "") if touches and not stays else "IN THE PORT" if touches else "its cell does not change"
        print(f"{first + i} {name} {text[:60]}: {verdict}", flush=True)
    return changed, in_port


def main():
    """Prints a line for each rule, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=f"1..{len(RULES)}")
    parser.add_argument("--group", type=int, default=10)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/ci"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("source", type=pathlib.Path, nargs="?", default=pathlib.Path("."))
    options = parser.parse_args()
    options.source, options.build = options.source.resolve(), options.source.resolve() / options.build
    options.program = options.build / "bin/torchbook-import"
    restore(planted(options.source, RULES))
    if options.check:
        print(f"{len(RULES)} rules apply")
        return
    first, last = map(int, options.only.split(".."))
    run("cmake", "--build", options.build, "--target", "torchbook-import", folder=options.source)
    right, _ = ports_of(options.program, RULES, "--unproved")
    total = [0, 0]
    for begin in range(first - 1, last, options.group):
        end = min(begin + options.group, last)
        counts = tried(options, RULES[begin:end], begin + 1, right[begin:end])
        total = [one + other for one, other in zip(total, counts)]
    print(f"{last - first + 1} planted, {total[0]} change their cells, {total[1]} of these are in the port")
    sys.exit(total[1] > 0)


main()
