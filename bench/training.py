#!/usr/bin/python3
"""Prints how long the training library takes beside Python and LibTorch's own, as ratios of one run. One thread computes.

It needs PyTorch, and the program torchbook_bench_training:
  cmake --build --preset release --target torchbook_bench_training
"""
import json
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


def main(program):
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        told = subprocess.run([program, folder], stdout=subprocess.PIPE, text=True, check=True).stdout
        cpp, python = json.loads(told), dict(measure(pathlib.Path(folder)))
    print("| what | torchbook, ms | LibTorch's own / torchbook | Python / torchbook |\n| --- | ---: | ---: | ---: |")
    for name, seconds in python.items():
        ours = cpp[f"torchbook/{name}"]
        print(f"| {name} | {1000 * ours:.1f} | {cpp[f'libtorch/{name}'] / ours:.2f} | {seconds / ours:.2f} |")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "build/release/bin/torchbook_bench_training")
