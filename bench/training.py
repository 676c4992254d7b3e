#!/usr/bin/python3
"""Prints how long the training library takes beside Python and LibTorch's own, as ratios of one run. One thread computes.

It needs PyTorch, and the programs torchbook_bench_training and gpt:
  cmake --build --preset release --target torchbook_bench_training gpt
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import torch
from torch.utils.data import DataLoader, TensorDataset


def least(rounds, run):
    def once():
        began = time.perf_counter()
        run()
        return time.perf_counter() - began
    return min(once() for _ in range(rounds))


def measure(folder):
    """Yields a name and the least seconds of it in Python."""
    options = {"SGD": {"momentum": 0.9}, "Adam": {}, "AdamW": {}, "RMSprop": {}, "Adagrad": {}}
    for name, more in options.items():
        for count, size in ((1, 10_000_000), (200, 50_000)):
            parameters = [torch.rand(size).requires_grad_() for _ in range(count)]
            for parameter in parameters:
                parameter.grad = torch.rand(size)
            optimizer = getattr(torch.optim, name)(parameters, lr=0.01, **more)
            yield f"{name}, {count} tensors", least(10, optimizer.step)
    loader = DataLoader(TensorDataset(torch.rand(60_000, 784), torch.arange(60_000)), 64, shuffle=True)
    yield "epoch", least(3, lambda: [None for _ in loader])
    state = {"weights": torch.rand(40_000_000)}
    yield "save", least(3, lambda: torch.save(state, folder / "python.pt"))
    yield "load", least(3, lambda: torch.load(folder / "python.pt"))


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
    seconds, memory = cost(pathlib.Path(program).with_name("gpt"), *given)
    python_seconds, python_memory = cost(sys.executable, example / "gpt.py", *given)
    print(f"examples/gpt: {seconds:.2f} s and {memory:.0f} MiB in C++, {python_seconds:.2f} s and {python_memory:.0f} MiB in Python")


def main(program):
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        told = subprocess.run([program, folder], stdout=subprocess.PIPE, text=True, check=True).stdout
        cpp, python = json.loads(told), dict(measure(pathlib.Path(folder)))
        compare_gpt(program, folder)
    print("| what | torchbook, ms | LibTorch's own / torchbook | Python / torchbook |\n| --- | ---: | ---: | ---: |")
    for name, seconds in python.items():
        ours = cpp[f"torchbook/{name}"]
        print(f"| {name} | {1000 * ours:.1f} | {cpp[f'libtorch/{name}'] / ours:.2f} | {seconds / ours:.2f} |")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "build/release/bin/torchbook_bench_training")
