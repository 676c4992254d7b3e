#!/usr/bin/python3
"""Prints how long files take to compile that include pyrepr.h, as ratios of processor times.

The least time of several rounds counts, because another process can only make a compilation slower.

It needs the headers of LibTorch and fmt, and no build.
"""
import argparse
import pathlib
import resource
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "src"
F_STRINGS = """
std::string texts(int step, double loss, const std::string& name, const at::Tensor& t) {
  return %s;
}
""" % " +\n         ".join(f'torchbook::pyrepr::f("{i} {{:>4d}} {{:.4f}} {{:<10}} {{}}", step, loss, name, t)' for i in range(40))
FILES = {
    "ATen/ATen.h": "#include <ATen/ATen.h>\n",
    "ATen/core/Tensor.h": "#include <ATen/core/Tensor.h>\n",
    "pyrepr.h": "#include <torchbook/pyrepr/pyrepr.h>\n",
    "40 f-strings": "#include <torchbook/pyrepr/pyrepr.h>\n" + F_STRINGS,
}
# the compared files and the ratio that should not be exceeded
ROWS = [
    ("pyrepr.h", "ATen/ATen.h", 1 / 3), ("pyrepr.h", "ATen/core/Tensor.h", None), ("40 f-strings", "pyrepr.h", None),
]


def processor_time(compiler, folders, text):
    """Returns the seconds of processor time that a file takes to compile, without optimization."""
    command = [compiler, "-std=c++20", "-O0", f"-I{SOURCE}", *(f"-I{folder}" for folder in folders), "-x", "c++", "-c", "-", "-o", "/dev/null"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=text, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def print_table(rounds):
    least = {name: min(times[name] for times in rounds) for name in FILES}
    print(f"{'ratio of processor times':<42}{'at most':>8}")
    for one, other, limit in ROWS:
        ratio = least[one] / least[other]
        verdict = "" if limit is None else f"{limit:>8.2f}  {'ok' if ratio <= limit else 'MISSED'}"
        print(f"{one + ' / ' + other:<34}{ratio:>8.2f}{verdict}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--include", nargs="+", default=["/usr/include/torch/csrc/api/include"], metavar="FOLDER",
                        help="folders of LibTorch's headers; those of Debian's by default")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds")
    options = parser.parse_args()
    rounds = []
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
        rounds.append({name: processor_time(options.compiler, options.include, text) for name, text in FILES.items()})
    print_table(rounds)


if __name__ == "__main__":
    main()
