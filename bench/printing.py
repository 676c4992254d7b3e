#!/usr/bin/python3
"""Prints how much faster pyrepr prints than Python's repr, LibTorch's << and a bare loop of fmt, as ratios of one run.

It needs PyTorch, and the program torchbook_bench_printing:
  cmake --build --preset release --target torchbook_bench_printing
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

COUNT = 300_000
# the compared pairs and the ratios that pyrepr should reach
ROWS = [
    ("python/fixed", "pyrepr/fixed", None), ("stream/fixed", "pyrepr/fixed", None), ("fmt/fixed", "pyrepr/fixed", None),
    ("python/scientific", "pyrepr/scientific", None), ("fmt/scientific", "pyrepr/scientific", None),
    ("stream/6x6", "pyrepr/6x6", 3), ("python/6x6", "pyrepr/6x6", None),
    ("python/gpt2", "pyrepr/gpt2", None), ("python/state_dict", "pyrepr/state_dict", None),
    ("pyrepr/summary of 4000", "pyrepr/summary of 40", None),
]


def make_data(torch, folder):
    """Writes the numbers to files and returns Python's tensors of them."""
    torch.manual_seed(0)
    # plain rand contains values so small that Python prints the tensor in scientific notation
    tensors = {"fixed": torch.rand(COUNT) * 0.9 + 0.1, "scientific": torch.randn(COUNT)}
    for name, tensor in tensors.items():
        (folder / name).write_bytes(tensor.numpy().tobytes())
    tensors["6x6"] = tensors["fixed"][:36].view(6, 6)
    return tensors


def same_model(program):
    """Returns the model whose modules and state are printed. Python and the program print the same of both."""
    import gpt2
    model = gpt2.GPT2()
    values = {"gpt2": model, "state_dict": gpt2.state_dict(model)}
    text = subprocess.run([program, "--gpt2"], check=True, stdout=subprocess.PIPE, text=True).stdout
    if text != f"{model}\n{values['state_dict']}\n":
        sys.exit(f"printing.py: {program} prints the modules or the state of GPT-2 unlike Python")
    return values


def python_times(torch, values):
    """Returns the seconds of processor time of Python's repr of each value."""
    times = {}
    for name, value in values.items():
        torch.set_printoptions(profile="default" if name == "state_dict" else "full")
        repeats = {"fixed": 1, "scientific": 1, "state_dict": 10}.get(name, 200)
        start = time.process_time()
        for _ in range(repeats):
            repr(value)
        times[f"python/{name}"] = (time.process_time() - start) / repeats
    return times


def program_times(program, folder):
    """Returns the seconds of processor time of each benchmark of the program."""
    report = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.2"], check=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            env={**os.environ, "TORCHBOOK_BENCH_DATA": str(folder)}).stdout
    return {row["name"]: row["cpu_time"] * 1e-9 for row in json.loads(report)["benchmarks"]}


def print_table(rounds):
    print(f"{'ratio of processor times':<48}{'median':>8}  {'min..max':<16}{'to reach':>9}")
    for slower, faster, target in ROWS:
        ratios = [times[slower] / times[faster] for times in rounds]
        verdict = "" if target is None else f"{target:>9}  {'ok' if statistics.median(ratios) >= target else 'MISSED'}"
        print(f"{slower + ' / ' + faster:<48}{statistics.median(ratios):>8.2f}  "
              f"{f'{min(ratios):.2f}..{max(ratios):.2f}':<16}{verdict}")
    print("\nmedian processor times")
    for name in sorted(rounds[0]):
        print(f"{name:<48}{statistics.median(times[name] for times in rounds) * 1e6:>12.1f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default="build/release/bin", help="folder of the programs")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds")
    options = parser.parse_args()
    program = pathlib.Path(options.bin) / "torchbook_bench_printing"
    if not program.exists():
        sys.exit(f"printing.py: {program} is missing; the first lines of this script say how to build it")
    import torch  # after parsing the arguments, because it is slow
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        values = {**make_data(torch, folder), **same_model(program)}
        rounds = []
        for number in range(options.rounds):
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
            rounds.append({**python_times(torch, values), **program_times(program, folder)})
    print_table(rounds)


if __name__ == "__main__":
    main()
