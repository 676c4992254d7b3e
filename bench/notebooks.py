#!/usr/bin/python3
"""Prints what notebooks of a project of one's own cost to build and to check, on generated ones.

A notebook of 40 cells is built by a project of its own. A program of 1, 10, 100 and 1,000 small notebooks checks them;
the rows show the processor time and the largest memory of one check. The notebooks are compiled as one file, because what
a single one costs to build is the first row.

Usage: notebooks.py PREFIX: the folder in which torchbook is installed.
"""
import argparse
import os
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile
import time

COUNTS = (1, 10, 100, 1000)
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(bench_books LANGUAGES CXX)
find_package(torchbook CONFIG REQUIRED COMPONENTS notebook)
{}"""
HEAD = "#include <torch/torch.h>\n#include <torchbook/notebook/notebook.h>\n\n"


def port(slug, cells):
    """Returns the function of a notebook whose cells each print a product of matrices."""
    body = "".join(f'  nb.cell("{n}");\n  const auto x{n} = torch::full({{2, 2}}, {n}.);\n'
                   f'  nb.print("cell", {n});\n  nb.display(torch::matmul(x{n}, x{n}));\n' for n in range(1, cells + 1))
    return f"void {slug}(torchbook::Notebook& nb) {{\n{body}}}\n"


def golden(slug, cells):
    text = f"golden of {slug}, from {slug}.py\n"
    for n in range(1, cells + 1):
        row = f"[{2 * n * n}., {2 * n * n}.]"
        text += f"\n@{n} In [{n}]\n> cell {n}\n= tensor([{row},\n=         {row}])\n"
    return text + f"\nend: {cells} cells, {cells} with output\n"


def write(folder, slug, cells):
    (folder / f"{slug}.cpp").write_text(HEAD + port(slug, cells))
    (folder / f"{slug}.golden").write_text(golden(slug, cells))


def run(*command, **options):
    """Runs a command. Returns its wall time, its processor time and its largest memory in MiB."""
    began = time.monotonic()
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def build(folder, lists, prefix):
    (folder / "CMakeLists.txt").write_text(CMAKE.format(lists))
    run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_PREFIX_PATH={prefix}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = run("cmake", "--build", folder / "build", "--parallel", 2)[0]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def one_notebook(prefix):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder, "forty", 40)
        wall, processor = build(folder, "torchbook_add_notebook(forty)\n", prefix)
        print(f"build of a notebook of 40 cells, 2 jobs    {wall:6.1f} s   processor time {processor:6.1f} s   target 25 s")


def table(prefix, folder, slug):
    """Returns the source that the build makes of a notebook, so that many of them can stand in one file."""
    cells = next(prefix.glob("libexec/torchbook/torchbook-cells"))
    run(cells, slug, folder / f"{slug}.cpp", folder / f"{slug}.golden", "", "", folder / "table.cpp")
    text = re.sub(r"(?<!\.)\breleases\b", f"releases_{slug}", (folder / "table.cpp").read_text())
    return text.replace("TableEntry table[]", f"TableEntry table_{slug}[]").replace("{table, ", f"{{table_{slug}, ")


def program(slugs):
    """Returns the source that lists the notebooks of a program."""
    declared = "".join(f"extern const PortedNotebook {slug}_notebook;\n" for slug in slugs)
    entries = ", ".join(f"{slug}_notebook" for slug in slugs)
    return (f"#include <torchbook/notebook/ported_notebook.h>\nnamespace torchbook::notebook {{\n{declared}"
            f"std::span<const PortedNotebook> linked_notebooks() {{\n  static const PortedNotebook all[] = {{{entries}}};\n"
            '  return all;\n}\nstd::string_view program_name() { return "bench"; }\n}\n')


def many_notebooks(prefix):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        slugs = [f"book_{n:04}" for n in range(COUNTS[-1])]
        for slug in slugs:
            write(folder, slug, 4)
        (folder / "ports.cpp").write_text(HEAD + "".join(port(slug, 4) for slug in slugs))
        (folder / "tables.cpp").write_text("".join(table(prefix, folder, slug) for slug in slugs))
        lists = "add_library(books OBJECT ports.cpp tables.cpp)\ntarget_link_libraries(books PUBLIC torchbook::notebook)\n"
        for count in COUNTS:
            (folder / f"check_{count}.cpp").write_text(program(slugs[:count]))
            lists += (f"add_executable(check_{count} check_{count}.cpp)\n"
                      f"target_link_libraries(check_{count} PRIVATE torchbook::main books)\n")
        build(folder, lists, prefix)
        print("notebooks in one program   processor time of a check   a notebook more   largest memory")
        previous = None
        for count in COUNTS:
            rounds = [run(folder / f"build/check_{count}", "check", "--quiet") for _ in range(5)]
            spent, memory = (statistics.median(one[i] for one in rounds) for i in (1, 2))
            each = f"{(spent - previous[1]) / (count - previous[0]) * 1000:.2f} ms" if previous else ""
            print(f"{count:>24}   {spent:>23.2f} s   {each:>15}   {memory:>10.0f} MiB")
            previous = (count, spent)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("prefix", type=pathlib.Path, help="the folder in which torchbook is installed")
    prefix = parser.parse_args().prefix.resolve()
    one_notebook(prefix)
    many_notebooks(prefix)


if __name__ == "__main__":
    main()
