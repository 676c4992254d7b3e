"""Measures `torchbook part` on long traces: bench/parting.py TORCHBOOK FOLDER [OPERATIONS]

FOLDER is that of torchbook.py. Records the training of a small GPT twice, with a million operations each unless told otherwise. The
second one has another scale in one step in the middle. Prints how long the comparison takes, what it reads in a second, and its memory."""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM, MODULE = sys.argv[1:3]
OPERATIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [MODULE, str(ROOT / "tests/part")]

import torch  # noqa: E402
import torchbook  # noqa: E402
import networks  # noqa: E402


def record(file, steps, changed):
    networks.plant()
    torch.manual_seed(1)
    net = networks.Gpt()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, foreach=False)
    tokens = torch.randint(11, (2, 6))
    with torchbook.trace(file, net):
        for step in range(steps):
            networks.plant(*(["scale is another number"] if step == changed else []))
            optimizer.zero_grad()
            logits = net(tokens)
            torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens.flatten()).backward()
            optimizer.step()


def record_bulk(file, changed, count, size):
    torch.manual_seed(1)
    x = torch.rand(size)
    with torchbook.trace(file, largest=1 << 30):
        for i in range(count):
            x = x * (0.999 if i == changed else 0.998)


def part(here, there):
    """Returns the seconds that the program took, its exit code, and its output."""
    start = time.monotonic()
    run = subprocess.run([PROGRAM, "part", here, there], capture_output=True, text=True)
    return time.monotonic() - start, run


def measure(name, here, there):
    seconds, run = part(here, there)
    read = os.path.getsize(here) + os.path.getsize(there)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{name}: exit code {run.returncode}, {seconds:.2f} s, {read / seconds / 1e9:.2f} GB/s, at most {memory:.0f} MiB")
    print("\n".join(run.stdout.splitlines()[2:6]))


def main():
    with tempfile.TemporaryDirectory() as folder:
        here, same, there = (os.path.join(folder, f"{name}.trace") for name in ("here", "same", "there"))
        record(here, 1, None)
        _, run = part(here, here)
        steps = OPERATIONS // int(run.stdout.split(" operations")[0].split()[-1]) + 1
        start = time.monotonic()
        record(here, steps, None)
        print(f"recorded in {time.monotonic() - start:.1f} s: {os.path.getsize(here) / 1e6:.0f} MB")
        record(same, steps, None)
        record(there, steps, steps // 2)
        measure("equal", here, same)
        measure("one step differs", here, there)
        record_bulk(here, None, 100, 4_000_000)
        record_bulk(there, 50, 100, 4_000_000)
        measure("bulk, equal", here, here)
        measure("bulk, half differs", here, there)
        record_bulk(here, None, 6, 64_000_000)  # so few that the report tells the values of each
        record_bulk(there, 0, 6, 64_000_000)
        measure("bulk, all values told", here, there)


main()
