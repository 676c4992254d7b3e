#!/usr/bin/env python3
"""Measures what the ported notebooks cost, compared with an empty LibTorch program and with Python.

Every figure is a ratio of processor times (user and system, of the whole process) from one round. See bench/README.md,
and bench/cost.py --help for the options.
Exit status: 0 if it measured, whether targets are reached or not; 2 if a program or PyTorch is missing or one fails.
"""

import argparse
import inspect
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
TWINS = sorted((ROOT / "notebooks_ported").glob("*.py"))
EMPTY = "torchbook_bench_empty"
PROGRAM = "torchbook"
PRESETS = ("release", "debug", "asan", "ci")
# An idle second thread of OpenBLAS spins while it waits for work, and that counts as processor time.
ENVIRONMENT = dict(os.environ, OMP_NUM_THREADS="1")
FIRST_WORD_AFTER, NEXT_LINE_AFTER = 2, 15  # seconds
OUTPUT_DIFFERS = 1  # the exit code of a notebook that ran but printed something other than its golden


class CostError(Exception):
    """Says in one line why nothing can be measured."""


class Command(NamedTuple):
    name: str
    arguments: list
    exit_codes: tuple = (0,)


class Ratio(NamedTuple):
    """A row of the table: the cost of one command divided by that of others."""

    text: str
    cost: Command
    of: tuple
    limit: float
    at_most: bool = True

    def value(self, times):
        return times[self.cost.name] / sum(times[command.name] for command in self.of)

    def is_reached(self, value):
        return value <= self.limit if self.at_most else value >= self.limit


def run_twins():
    """Runs twins as Jupyter would: each cell, and the repr of its last expression unless it is None.

    Python gets only the source of this function, so that its cost includes nothing else of this file.
    """
    import ast
    import sys

    for path in sys.argv[1:]:
        names = {"__name__": "__main__"}
        with open(path, encoding="utf-8") as file:
            cells = file.read().split("\n# %% ")[1:]
        for cell in cells:
            label, _, source = cell.partition("\n")
            statements = ast.parse(source).body
            last = None
            if isinstance(statements[-1], ast.Expr) and not label.startswith("[restored]"):
                last = ast.Expression(statements.pop().value)
            exec(compile(ast.Module(statements, []), path, "exec"), names)
            value = eval(compile(last, path, "eval"), names) if last else None
            if value is not None:
                print(repr(value))


# ------------------------------------------------------------ what is measured


def how_to_build(folder, only_empty):
    """Returns the commands that build the measured programs."""
    preset = folder.parent.name
    if folder.parent.parent != ROOT / "build" or preset not in PRESETS:
        preset = "release"
    empty = f"cmake --build --preset {preset} --target {EMPTY}"
    choice = "" if preset == "release" else f"TORCHBOOK_PRESET={preset} "
    return empty if only_empty else f"{choice}./torchbook --version && {empty}"


def find_programs(folder):
    """Returns the programs of the folder by name. Raises an error that names the first missing one."""
    names = [PROGRAM, *(twin.stem for twin in TWINS), EMPTY]
    programs = {name: folder / name for name in names}
    for name, path in programs.items():
        if not (path.is_file() and os.access(path, os.X_OK)):
            raise CostError(f"{path} is missing; to build it: {how_to_build(folder, name == EMPTY)}")
    if torch_libraries(programs[EMPTY]) != torch_libraries(programs[PROGRAM]):
        raise CostError(
            f"{programs[EMPTY]} and {PROGRAM} load different builds of LibTorch; to build both:"
            f" {how_to_build(folder, False)}"
        )
    return programs


def torch_libraries(program):
    """Returns the files of LibTorch that the dynamic linker loads for a program, as ldd lists them."""
    environment = dict(os.environ, LD_TRACE_LOADED_OBJECTS="1")
    listed = subprocess.run([program], env=environment, stdout=subprocess.PIPE, text=True).stdout
    return {line.split(" (")[0] for line in listed.splitlines() if "libtorch" in line or "libc10" in line}


def find_pytorch(name):
    """Returns the path of a Python. Raises an error if it does not exist or has no PyTorch."""
    python = shutil.which(name)
    if python is None:
        raise CostError(f"{name} does not exist or cannot be run; --python names a Python that has PyTorch")
    done = subprocess.run([python, "-c", "import torch"], capture_output=True, text=True)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise CostError(f"{python} has no PyTorch ({reason}); --python names a Python that has it")
    return python


def ratios(programs, python, folder):
    """Returns the rows of the table. The commands write their files into the folder."""
    empty = Command(EMPTY, [programs[EMPTY]])
    everything = Command("torchbook run", [programs[PROGRAM], "run"], (0, OUTPUT_DIFFERS))
    runner = [python, "-c", inspect.getsource(run_twins) + "run_twins()\n"]
    check = Command("torchbook check", [programs[PROGRAM], "check"], (0, OUTPUT_DIFFERS))
    site = Command("torchbook site", [programs[PROGRAM], "site", "--no-python", "--output", folder], (0, OUTPUT_DIFFERS))
    all_twins = Command("all twins in Python", [*runner, *TWINS])
    compare = Command("torchbook compare", [programs[PROGRAM], "compare", "--python", python], (0, OUTPUT_DIFFERS))
    torch = Command("import torch", [python, "-c", "import torch"])
    notebooks, twins = [], []
    for path in TWINS:
        notebook = Command(path.stem, [programs[path.stem]], (0, OUTPUT_DIFFERS))
        twin = Command(f"{path.stem} in Python", [*runner, path])
        notebooks.append(Ratio(f"{path.stem} / empty program", notebook, (empty,), 1.10))
        twins.append(Ratio(f"its Python twin / {path.stem}", twin, (notebook,), 2.0, at_most=False))
    return [
        *notebooks,
        Ratio("torchbook run / empty program", everything, (empty,), 1.15),
        Ratio("torchbook check / empty program", check, (empty,), 1.15),
        Ratio("torchbook site --no-python / torchbook check", site, (check,), 1.50),
        *twins,
        Ratio("all twins in one Python / torchbook run", all_twins, (everything,), 2.0, at_most=False),
        Ratio("torchbook compare / (import torch + check)", compare, (torch, check), 1.3),
    ]


# ------------------------------------------------------------ measuring


def processor_time(command):
    """Returns the seconds of processor time, user and system, of a command. Discards its output."""
    nowhere = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in range(3)]
    child = os.posix_spawn(command.arguments[0], command.arguments, ENVIRONMENT, file_actions=nowhere)
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in command.exit_codes:
        how = f"exit status {code}" if code >= 0 else f"signal {-code}"
        raise CostError(f"{command.name} ({command.arguments[0]}) fails with {how}")
    return usage.ru_utime + usage.ru_stime


class Progress:
    """Writes its progress to stderr: on a terminal in one rewritten line, elsewhere every 15 seconds."""

    def __init__(self, total):
        self.total = total
        self.next_word = time.monotonic() + FIRST_WORD_AFTER
        self.drawn = ""

    def step(self, done):
        if time.monotonic() < self.next_word:
            return
        text = f"cost: {done} of {self.total} processes run"
        if sys.stderr.isatty():
            self.drawn = text
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
        else:
            self.next_word = time.monotonic() + NEXT_LINE_AFTER
            print(text, file=sys.stderr, flush=True)

    def end(self):
        if self.drawn:
            print("\r" + " " * len(self.drawn), end="\r", file=sys.stderr, flush=True)


def measure(rows, rounds):
    """Returns a dictionary per round, from the name of a command to its processor time. The first round is a
    warm-up."""
    commands = {command.name: command for row in rows for command in (*row.of, row.cost)}
    progress = Progress((rounds + 1) * len(commands))
    measured = []
    try:
        for number in range(rounds + 1):
            times = {}
            for command in commands.values():
                times[command.name] = processor_time(command)
                progress.step(number * len(commands) + len(times))
            measured.append(times)
    finally:
        progress.end()
    return measured[1:]


# ------------------------------------------------------------ the table


def table(rows, measured):
    """Returns the lines of the table."""
    lines = [("ratio of processor times", "median", "min..max", "target", "")]
    for row in rows:
        values = [row.value(times) for times in measured]
        median = statistics.median(values)
        lines.append(
            (
                row.text,
                f"{median:.3f}",
                f"{min(values):.3f}..{max(values):.3f}",
                f"{'at most' if row.at_most else 'at least'} {row.limit:.2f}",
                "ok" if row.is_reached(median) else "MISSED",
            )
        )
    widths = [max(map(len, column)) for column in zip(*lines)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def parse_options():
    parser = argparse.ArgumentParser(
        description="Measures the ported notebooks against an empty LibTorch program and against Python.",
        epilog="Exit status: 0 if it measured, whether targets are reached or not; 2 if something is missing or fails.",
    )
    parser.add_argument(
        "--bin",
        type=pathlib.Path,
        default=ROOT / "build/release/bin",
        metavar="DIR",
        help="the folder of the programs (default: build/release/bin)",
    )
    parser.add_argument(
        "--rounds",
        type=positive,
        default=9,
        metavar="N",
        help="the number of measured rounds, which follow a warm-up round (default: 9)",
    )
    parser.add_argument(
        "--python",
        default="/usr/bin/python3",
        help="the Python that has PyTorch (default: /usr/bin/python3)",
    )
    return parser.parse_args()


def main():
    options = parse_options()
    try:
        programs = find_programs(options.bin.resolve())
        python = find_pytorch(options.python)
        with tempfile.TemporaryDirectory(prefix="torchbook-cost-") as folder:
            rows = ratios(programs, python, folder)
            measured = measure(rows, options.rounds)
    except CostError as error:
        print(f"cost: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("cost: interrupted", file=sys.stderr)
        return 130
    print("\n".join(table(rows, measured)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
