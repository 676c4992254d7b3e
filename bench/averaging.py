#!/usr/bin/python3
"""Times four ways to average the past, in C++ beside Python, for T from 8 to 8192 rows in one run.

Prints a table for bench/README.md, and writes averaging.svg beside this script if it has the argument --write. It needs PyTorch, and:
  cmake --build --preset release --target torchbook_bench_averaging
"""
import argparse
import ctypes
import math
import os
import pathlib
import subprocess
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch  # noqa: E402  (after the number of threads)

for option in (-3, -1):  # M_MMAP_THRESHOLD and M_TRIM_THRESHOLD: freed memory is kept, as in averaging.cpp
    ctypes.CDLL(None).mallopt(option, 1 << 30)

HERE = pathlib.Path(__file__).resolve().parent
B, C = 4, 64
LENGTHS = [2 ** power for power in range(3, 14)]
NAMES = {"loop": "a mean for each t", "product": "a product with a triangle", "softmax": "a masked softmax",
         "running sum": "a running sum", "copy": "a copy of x"}
SECONDS = {"loop": 1e-5, "running sum": 1e-7, "copy": 1e-7}  # about, for a row; a matrix takes longer the more it has
COLOURS = {"loop": "#c0392b", "product": "#2471a3", "softmax": "#7d3c98", "running sum": "#1e8449", "copy": "#7f8c8d"}


def loop(x, length):
    xbow = torch.zeros((B, length, C))
    for b in range(B):
        for t in range(length):
            xbow[b, t] = torch.mean(x[b, :t + 1], 0)
    return xbow


def product(x, length):
    weights = torch.tril(torch.ones((length, length)))
    return (weights / torch.sum(weights, 1, keepdim=True)) @ x


def softmax(x, length):
    tril = torch.tril(torch.ones((length, length)))
    return torch.softmax(torch.zeros((length, length)).masked_fill(tril == 0, float("-inf")), 1) @ x


def running_sum(x, length):
    return torch.cumsum(x, 1).div_(torch.arange(1, length + 1, dtype=torch.float32).unsqueeze(1))


def copy(x, length):
    return x.clone()


WAYS = {"loop": loop, "product": product, "softmax": softmax, "running sum": running_sum, "copy": copy}


def in_python(way, length, rounds):
    """Returns the seconds of the fastest round, and the sum of the result."""
    torch.manual_seed(1337)
    x = torch.randn((B, length, C))
    result, fastest = WAYS[way](x, length), math.inf
    for _ in range(rounds):
        start = time.perf_counter()
        result = WAYS[way](x, length)
        fastest = min(fastest, time.perf_counter() - start)
    return fastest, result.sum().item()


def in_cpp(program, way, length, rounds):
    told = subprocess.run([program, way, str(length), str(rounds)], check=True, stdout=subprocess.PIPE, text=True).stdout
    return tuple(map(float, told.split()))


def measured(program, most):
    """Returns the seconds in C++ and in Python, by way and length. Both sum up to the same."""
    times = {}
    for way in WAYS:
        for length in LENGTHS:
            if length > most:
                continue
            rounds = max(10, min(50, int(0.5 / (B * length * SECONDS.get(way, length * 1e-9)))))
            one, other = in_cpp(program, way, length, rounds), in_python(way, length, rounds)
            if one[1] != other[1]:
                sys.exit(f"averaging.py: {way} at T = {length}: C++ sums up to {one[1]}, Python to {other[1]}")
            times[way, length] = one[0], other[0]
            print(f"{way}, T = {length}: {one[0]:.2e} s, Python {other[0]:.2e} s", file=sys.stderr)
    return times


def exponent(times, way):
    """Returns the slope of the logarithms of the last four lengths."""
    points = [(math.log(length), math.log(times[way, length][0])) for length in LENGTHS if (way, length) in times][-4:]
    mean_x, mean_y = (sum(each) / len(points) for each in zip(*points))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def seconds(value):
    return f"{value * 1e6:.3g} µs" if value < 1e-3 else f"{value * 1e3:.3g} ms" if value < 1 else f"{value:.3g} s"


def table(times):
    lengths = [length for length in LENGTHS if ("loop", length) in times]
    rows = ["| T | perfect: bytes | " + " | ".join(f"{NAMES[way]} / Python" for way in WAYS) + " |",
            "| ---: " * (2 + len(WAYS)) + "|"]
    for length in lengths:
        cells = []
        for way in WAYS:
            cpp, python = times[way, length]
            cells.append(f"{seconds(cpp)} / {python / cpp:.2f}")
        rows.append(f"| {length} | {2 * 4 * B * length * C:,} | " + " | ".join(cells) + " |")
    last = lengths[-1]
    rows.append("| grows as | T | " + " | ".join(f"T^{exponent(times, way):.2f}" for way in WAYS) + " |")
    rows.append(f"| at {last} / a copy | 1 | " +
                " | ".join(f"{times[way, last][0] / times['copy', last][0]:.3g}" for way in WAYS) + " |")
    return "\n".join(rows) + "\n"


def picture(times):
    """Returns an SVG: seconds over T, both as logarithms; Python's are dashed."""
    width, height, left, top = 760, 460, 70, 20
    lowest, highest = -6, 2

    def at(length, value):
        x = left + (math.log2(length) - 3) / 10 * (width - left - 170)
        y = top + (highest - math.log10(value)) / (highest - lowest) * (height - top - 50)
        return f"{x:.1f},{y:.1f}"

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
             "<title>Seconds of four ways to average the past, over T</title>", '<rect width="100%" height="100%" fill="#fff"/>']
    for power in range(lowest, highest + 1):
        y = at(8, 10 ** power).split(",")[1]
        parts.append(f'<path d="M{left},{y}H{width - 170}" stroke="#ddd"/><text x="{left - 8}" y="{float(y) + 4}" '
                     f'text-anchor="end" fill="#333">{seconds(10.0 ** power)}</text>')
    for length in LENGTHS:
        x = at(length, 1).split(",")[0]
        parts.append(f'<text x="{x}" y="{height - 28}" text-anchor="middle" fill="#333">{length}</text>')
    parts.append(f'<text x="{(left + width - 170) / 2}" y="{height - 8}" text-anchor="middle" fill="#333">T; solid: C++, '
                 'dashed: Python</text>')
    for number, way in enumerate(WAYS):
        for side, dashes in ((0, ""), (1, ' stroke-dasharray="5 4"')):
            points = " ".join(at(length, times[way, length][side]) for length in LENGTHS if (way, length) in times)
            parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[way]}" stroke-width="2"{dashes}/>')
        parts.append(f'<text x="{width - 162}" y="{top + 20 + 20 * number}" fill="{COLOURS[way]}">{NAMES[way]}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=HERE.parent / "build/release/bin/torchbook_bench_averaging")
    parser.add_argument("--most", type=int, default=LENGTHS[-1], help="the largest T")
    parser.add_argument("--write", action="store_true", help="write bench/averaging.svg")
    options = parser.parse_args()
    torch.set_num_threads(1)
    times = measured(options.program, options.most)
    print(table(times), end="")
    if options.write:
        (HERE / "averaging.svg").write_text(picture(times))


if __name__ == "__main__":
    main()
