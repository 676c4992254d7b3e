#!/usr/bin/python3
"""Prints how long the training library takes beside Python and LibTorch's own, as ratios of one run. One thread computes.

It needs PyTorch, and the programs torchbook_bench_training and gpt:
  cmake --build --preset release --target torchbook_bench_training gpt
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import torch
from torch.utils.data import DataLoader, TensorDataset


def things(folder):
    """Yields the names of what is measured, each with a function that does it once."""
    options = {"SGD": {"momentum": 0.9}, "Adam": {}, "AdamW": {}, "RMSprop": {}, "Adagrad": {}}
    for name, more in options.items():
        for count in 1, 200:
            parameters = [torch.rand(10_000_000 // count).requires_grad_() for _ in range(count)]
            for parameter in parameters:
                parameter.grad = torch.rand(parameter.shape)
            yield f"{name}, tensors: {count}", getattr(torch.optim, name)(parameters, lr=0.01, **more).step
    loader = DataLoader(TensorDataset(torch.rand(60_000, 784), torch.arange(60_000)), 64, shuffle=True)
    yield "epoch", lambda: [None for _ in loader]
    state = {"weights": torch.rand(40_000_000)}
    yield "save", lambda: ((folder / "python.pt").unlink(missing_ok=True), torch.save(state, folder / "python.pt"))
    yield "load", lambda: torch.load(folder / "python.pt")


def seconds(run):
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def least(program, folder, name, run, rounds=9):
    """Returns the least seconds of a thing in a few rounds: by torchbook, LibTorch and Python, one after another."""
    with subprocess.Popen([program, folder, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as child:
        def once():
            print(file=child.stdin, flush=True)
            return *map(float, child.stdout.readline().split()), seconds(run)
        return map(min, zip(*(once() for _ in range(rounds))))


def cost(*command):
    """Returns the processor time and the most memory, in MiB, of a command, with one thread."""
    with open(os.devnull, "wb") as nothing:
        child = subprocess.Popen(command, stdout=nothing, env={**os.environ, "OMP_NUM_THREADS": "1"})
        _, status, used = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]}: {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def compare_gpt(program, folder):
    """Prints what examples/gpt costs in both languages, with the start of each."""
    example = pathlib.Path(__file__).parents[1] / "examples/gpt"
    given = (example / "text.txt", f"{folder}/gpt.pth")
    commands = [(pathlib.Path(program).with_name("gpt"), *given), (sys.executable, "-W", "ignore", example / "gpt.py", *given)]
    rounds = [[cost(*command) for command in commands] for _ in range(5)]
    (ours, memory), (python, python_memory) = map(min, zip(*rounds))
    print(f"examples/gpt: {ours:.2f} s and {memory:.0f} MiB in C++, {python:.2f} s and {python_memory:.0f} MiB in Python\n")


def main(program):
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        compare_gpt(program, folder)
        print("| what | torchbook, ms | LibTorch's own / torchbook | Python / torchbook |\n| --- | ---: | ---: | ---: |")
        for name, run in things(pathlib.Path(folder)):
            ours, theirs, python = least(program, folder, name, run)
            print(f"| {name} | {1000 * ours:.1f} | {theirs / ours:.2f} | {python / ours:.2f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "build/release/bin/torchbook_bench_training")
