#!/usr/bin/python3
"""Measures the time from an edit of a port to its verdict, with and without a precompiled header.

Usage: edit.py PREFIX
    PREFIX    the folder in which torchbook is installed

A project has one notebook of 40 cells. In each round a cell is edited, the project is built, and the port's check runs.
"""
import pathlib
import statistics
import sys
import tempfile
import time

from notebooks import CMAKE, run, write

CELLS = 40
ROUNDS = 5
TARGET = 0.40


def project(prefix, folder, *settings):
    """Writes a project and builds it once. Returns the seconds of that build."""
    folder.mkdir()
    write(folder, "forty", CELLS)
    (folder / "CMakeLists.txt").write_text(CMAKE.format("torchbook_add_notebook(forty)\n"))
    run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_COMPILER_LAUNCHER=", *settings)
    began = time.monotonic()
    run("cmake", "--build", folder / "build")
    return time.monotonic() - began


def edited(folder, number):
    """Returns the seconds from an edit of the port to its verdict."""
    port = folder / "forty.cpp"
    text = port.read_text()
    place = text.index("\n", text.rindex("nb.cell(")) + 1
    port.write_text(f"{text[:place]}  // edit {number}\n{text[place:]}")
    began = time.monotonic()
    run("cmake", "--build", folder / "build")
    run(folder / "build" / "forty", "--check")
    return time.monotonic() - began


def main():
    """Prints the medians and their ratio."""
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    prefix = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folders = {"with the header": (), "without it": ("-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",)}
        first = {one: project(prefix, folder / one.replace(" ", "_"), *settings) for one, settings in folders.items()}
        times = {one: [] for one in folders}
        for number in range(ROUNDS):
            for one in folders:
                times[one].append(edited(folder / one.replace(" ", "_"), number))
    print(f"{'':<16} {'first build':>11}  {'edit to verdict':>15}")
    for one in folders:
        print(f"{one:<16} {first[one]:>9.1f} s  {statistics.median(times[one]):>13.1f} s")
    ratio = statistics.median(a / b for a, b in zip(*times.values()))
    print(f"{'ratio':<16} {'':>11}  {ratio:>15.2f}  at most {TARGET:.2f}  {'ok' if ratio <= TARGET else 'missed'}")


main()
